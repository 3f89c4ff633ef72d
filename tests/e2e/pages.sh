#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# README.md and the pages of docs/ show what the program prints: the commands after "$ " whose
# output follows them are run. "..." stands for omitted lines. Blocks about files that only the
# reader has show no output.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# Blocks into $tmp/N.command and $tmp/N.expected. The output of `make demo` has its command above
# the block, in words; a block that begins with a verdict shows the output of the last command of
# the command block before it.
awk -v tmp="$tmp" '
    function begin(command) { n++; print command >(tmp "/" n ".command"); printf "" >(tmp "/" n ".expected") }
    /^```/ { inside = !inside; shown = 0; more = 0; if (inside) script = $0 == "```sh"; if (script && inside) { before = ""; last = "" }; next }
    !inside { next }
    script { before = before (last == "" ? "" : last "\n"); last = $0; next }
    /^Of [0-9]+ primary metrics/ && !shown { begin("{\n" before "} >/dev/null 2>&1\n" last); print "..." >(tmp "/" n ".expected"); shown = 1 }
    /^demo, policy fifo/ { begin("fauxfleet run scenarios/examples/demo.json -o base"); shown = 1 }
    more { print >(tmp "/" n ".command"); more = /\\$/; next }
    /^\$ / { begin(substr($0, 3)); shown = 1; more = /\\$/; next }
    shown { print >(tmp "/" n ".expected") }
' README.md docs/*.md docs/guides/*.md

mkdir "$tmp/tour" "$tmp/bin"
ln -s "$PWD/scenarios" "$tmp/tour/scenarios"
ln -s "$PWD/policies" "$tmp/tour/policies"
ln -s "$BIN" "$tmp/bin/fauxfleet"
printf '#!/bin/sh\nPATH="%s" exec %s "$@"\n' "$PATH" "${CC:-cc}" >"$tmp/bin/cc"
chmod +x "$tmp/bin/cc"

# as_shown N: prints the first line that differs from the page.
as_shown() {
    awk -v expected="$tmp/$1.expected" '
        { is[NR] = $0 }
        END {
            at = 1
            while ((getline line <expected) > 0) {
                if (line == "...") { gap = 1; continue }
                while (gap && at <= NR && is[at] != line) at++
                if (at > NR || is[at] != line) { print "# the page shows: " line; if (!gap) print "# printed: " is[at]; exit 1 }
                at++
                gap = 0
            }
            if (!gap && at <= NR) { print "# the page ends before: " is[at]; exit 1 }
        }' "$tmp/out"
}

i=1
while [ -e "$tmp/$i.command" ]; do
    if [ -s "$tmp/$i.expected" ]; then
        (cd "$tmp/tour" && PATH=$tmp/bin:$PATH LC_ALL=C.UTF-8 sh "$tmp/$i.command") >"$tmp/out" 2>"$tmp/err" </dev/null
        status=$?
        what=$(head -n 1 "$tmp/$i.command")
        [ "$what" != "{" ] || what=$(tail -n 1 "$tmp/$i.command")
        check "$what" as_shown "$i"
    fi
    i=$((i + 1))
done
check "there were such commands" [ "$i" -gt 10 ]

# Every command on the pages, in blocks and in the text, has only options that it takes.
sed -n 's/#.*//; s/.*`\(build\/\)*\(fauxfleet [^`]*\)`.*/\2/; s/^\$ //; /^fauxfleet [a-z]/p' README.md docs/*.md docs/guides/*.md |
    awk '{ for (i = 3; i <= NF; i++) if ($i ~ /^--[a-z]/) { sub("=.*", "", $i); print $i, $2, $2 == "trace" ? $3 : "" } }' | sort -u >"$tmp/options"
known() {
    while read -r option command; do
        # shellcheck disable=SC2086 # a command of a group is two words
        "$BIN" $command --help 2>/dev/null | grep -qE -- "$option([=, ]|\$)" || { echo "# shown: fauxfleet $command $option" && return 1; }
    done <"$tmp/options"
}
check "options that commands take" known
check "there were such options" [ "$(wc -l <"$tmp/options")" -gt 20 ]
finish
