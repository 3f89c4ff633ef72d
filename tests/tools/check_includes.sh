#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Folders may include only folders below them in the hierarchy. README.md of each folder with
# sources lists what they may include: single headers, and folders, without their subfolders. The
# folders form no cycle, nor do modules: a module is a header and its source; x_internal.h belongs
# to x, and internal.h to the module with the name of its folder. No folder has more than 60
# sources, and no object of the program has mutable globals. Prints TAP. Environment: B, the build
# folder (its objects are checked if there are any).
set -u

B=${B:-build/release}
most=60
failed=0
number=0

verdict() {
    number=$((number + 1))
    if [ -n "$2" ]; then
        printf '%s\n' "$2" | sed 's/^/# /'
        echo "not ok $number - $1"
        failed=1
    else
        echo "ok $number - $1"
    fi
}

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
LC_ALL=C
export LC_ALL

find policies sim traces scenarios report -name '*.[ch]' | sort >"$work/sources"
sed 's|/[^/]*$||' "$work/sources" | sort -u >"$work/folders"

# FILE INCLUDED, as paths from here. Inside the core, paths in includes begin at policies/.
# shellcheck disable=SC2046
awk '/^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, part, "\"")
        core = FILENAME ~ /^policies\// && FILENAME !~ /^policies\/(facts|adapters)\//
        print FILENAME, (core ? "policies/" : "") part[2]
    }' $(cat "$work/sources") >"$work/includes"

# FOLDER ALLOWED, from the lines "May include: `a.h` `b/`", as paths from here; `./` is the folder
# itself.
while read -r folder; do
    [ -f "$folder/README.md" ] || continue
    case $folder in
    policies/facts* | policies/adapters*) from= ;;
    policies*) from=policies/ ;;
    *) from= ;;
    esac
    sed -n 's/^May include: //p' "$folder/README.md" | tr ' ' '\n' | sed -n "s|^\`\./\`\$|$folder $folder/|p; s|^\`\([^.].*\)\`\$|$folder $from\1|p"
done <"$work/folders" >"$work/allowed"

verdict "each folder says in README.md what it may include" "$(while read -r folder; do
    grep -q "^$folder " "$work/allowed" || echo "$folder/README.md: no line 'May include: ...'"
done <"$work/folders")"

verdict "each folder includes only what its README.md says" "$(awk '
    NR == FNR { may[$1, $2] = 1; next }
    {
        folder = $1; sub(/\/[^\/]*$/, "", folder)
        from = $2; sub(/[^\/]*$/, "", from)
        if (!((folder, $2) in may) && !((folder, from) in may)) print $1 ": " $2 " is not in " folder "/README.md"
    }' "$work/allowed" "$work/includes")"

# Reads pairs `from to`. An item without an arrow in, or without one out, is in no cycle: it is
# removed until nothing changes. Prints the rest.
circles() {
    awk '
        $1 != $2 && !(($1, $2) in edge) { edge[$1, $2] = 1; out[$1]++; in_[$2]++ }
        END {
            do {
                changed = 0
                for (pair in edge) {
                    split(pair, end, SUBSEP)
                    if (in_[end[1]] > 0 && out[end[2]] > 0) continue
                    delete edge[pair]
                    out[end[1]]--
                    in_[end[2]]--
                    changed = 1
                }
            } while (changed)
            for (pair in edge) {
                split(pair, end, SUBSEP)
                print end[1] " includes " end[2]
            }
        }' | sort
}

# victims/ is a part of act/ that has a folder of its own.
verdict "no folders may include each other in a circle" "$(sed -n 's|^\([^ ]*\) \(.*\)/$|\1 \2|p' "$work/allowed" |
    sed 's|policies/act/victims|policies/act|g' | circles)"

modules() {
    awk '
        function module(path,    part, n) {
            n = split(path, part, "/")
            if (part[n] == "internal.h") return substr(path, 1, length(path) - 10) part[n - 1]
            sub(/(_internal)?\.[ch]$/, "", path)
            return path
        }
        { print module($1), module($2) }' "$work/includes"
}
verdict "no modules include each other in a circle" "$(modules | circles)"
verdict "no folder has more than $most sources" "$(find . -name '*.[ch]' ! -path './build/*' | sed 's|^\./||; s|/[^/]*$||' |
    sort | uniq -c | awk -v most="$most" '$1 > most { print $2 ": " $1 }')"

objects=$(find "$B/policies/adapters" "$B/sim" "$B/traces" "$B/scenarios" "$B/report" -name '*.o' 2>/dev/null | sort)
if [ -n "$objects" ]; then
    # shellcheck disable=SC2086
    verdict "no object of the program has mutable globals" "$(sh "$(dirname "$0")/no_globals.sh" $objects 2>&1)"
fi
echo "1..$number"
exit "$failed"
