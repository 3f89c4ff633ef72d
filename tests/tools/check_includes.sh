#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The arrows between folders point down only, no modules of policies/ include each other in a circle, and no object of the
# program has mutable globals. Prints TAP.
# Environment: B, the build folder (objects are looked at when there are any).
set -u

B=${B:-build/release}
failed=0
number=0

# folder: what its sources may include, as prefixes. Of the policy core everybody sees one header, and who loads plugins theirs.
# Inside the core paths begin at policies/; between order/ and place/ there is no arrow.
rules='
policies/base    policy\.h base/
policies/state   policy\.h plugin\.h rows\.h base/ state/
policies/pending policy\.h rows\.h base/ state/ pending/
policies/order   policy\.h plugin\.h rows\.h base/ state/ pending/ order/
policies/place   policy\.h plugin\.h rows\.h base/ state/ pending/ place/
policies/act     policy\.h plugin\.h rows\.h base/ state/ pending/ order/ place/ act/
policies/act/victims policy\.h plugin\.h rows\.h base/ state/ pending/ order/ place/ act/
policies/query   policy\.h plugin\.h rows\.h base/ state/ pending/ order/ place/ act/ query/
policies/adapters/ending policies/adapters/ending/
sim/base    sim/base/ policies/adapters/ending/
sim/kernel  sim/base/ sim/kernel/
sim/fleet   sim/base/ sim/kernel/ sim/fleet/
sim/work    sim/base/ sim/kernel/ sim/fleet/ sim/goodput/ sim/work/ traces/trace.h policies/policy.h
sim/power   sim/base/ sim/fleet/ sim/power/
sim/faults  sim/base/ sim/kernel/ sim/fleet/ sim/faults/
sim/goodput sim/base/ sim/goodput/
sim/storage sim/base/ sim/storage/
sim/memory  sim/base/ sim/memory/
sim/perf    sim/base/ sim/fleet/ sim/perf/
sim/services sim/base/ sim/services/
sim/fabric  sim/base/ sim/fleet/ sim/fabric/
policies/facts policies/policy.h policies/facts/ policies/adapters/ending/
policies/adapters/program policies/adapters/program/
policies/adapters/slurm policies/policy.h policies/adapters/ policies/facts/
sim         sim/base/ sim/kernel/ sim/fleet/ sim/work/ sim/power/ sim/faults/ sim/goodput/ sim/memory/ sim/perf/ sim/fabric/ sim/services/ sim/storage/ sim/[a-z_0-9]*\.h traces/trace.h policies/policy.h policies/facts/
traces      sim/base/ traces/
scenarios   sim/ traces/ scenarios/ policies/policy.h
report      sim/ traces/ scenarios/ report/ policies/policy.h policies/facts/ policies/adapters/ending/
sim/cli     sim/ traces/ scenarios/ report/ policies/policy.h policies/plugin.h policies/adapters/ policies/facts/
'

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

while read -r folder allowed; do
    [ -n "$folder" ] && [ -d "$folder" ] || continue
    depth=
    [ "$folder" = sim ] && depth='-maxdepth 1'
    pattern=$(printf '%s\n' "$allowed" | sed 's/ /|/g')
    # Everyone but the commands stays away from the commands.
    [ "$folder" = sim/cli ] && away='^$' || away='^sim/cli/'
    # shellcheck disable=SC2086
    wrong=$(find "$folder" $depth -name '*.[ch]' | LC_ALL=C sort | while read -r file; do
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\(.*\)".*/\1/p' "$file" |
            awk -v file="$file" -v ok="^($pattern)" -v away="$away" '$0 !~ ok || $0 ~ away { print file ": " $0 }'
    done)
    verdict "$folder includes only what lies below it" "$wrong"
done <<END
$rules
END

# A module is a header and its source; x_internal.h belongs to x. What nobody includes, or includes nobody, is in no circle: it
# is left out until nothing changes. Prints what remains.
circles() {
    find policies -name '*.[ch]' | LC_ALL=C sort | while read -r file; do
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\(.*\)".*/\1/p' "$file" | sed "s|^|$file |"
    done | awk '
        function module(path) {
            sub(/^policies\//, "", path)
            sub(/(_internal)?\.[ch]$/, "", path)
            return "policies/" path
        }
        {
            from = module($1)
            to = module($2)
            if (from != to && !((from, to) in edge)) {
                edge[from, to] = 1
                out[from]++
                in_[to]++
            }
        }
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
        }' | LC_ALL=C sort
}
verdict "no modules of policies/ include each other in a circle" "$(circles)"
objects=$(find "$B/policies/adapters" "$B/sim" "$B/traces" "$B/scenarios" "$B/report" -name '*.o' 2>/dev/null | LC_ALL=C sort)
if [ -n "$objects" ]; then
    # shellcheck disable=SC2086
    verdict "no object of the program has mutable globals" "$(sh "$(dirname "$0")/no_globals.sh" $objects 2>&1)"
fi
echo "1..$number"
exit "$failed"
