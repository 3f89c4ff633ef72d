#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rows of docs/extending.md: each file and each table line that the page shows goes into a copy
# of the policy core, which is linked into a program. That program decides what the page worked out
# by hand, and runs jobs of every kind, audited.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

B=${B:-build/release}
page=docs/extending.md
if [ "${VARIANT:-release}" != release ]; then
    skip "the rows of the page" "built with the release only"
    finish
fi

# --- a program with the rows ---------------------------------------------------------------------

cp -r policies "$tmp/policies"
# The block after a line that names a file, and that file's line in a table.
awk -v tmp="$tmp/" '
    /`policies\/[a-z]*\/[a-z_]*\.c`:$/ { match($0, /`policies[^`]*`:$/); file = substr($0, RSTART + 1, RLENGTH - 3) }
    /^```c$/ && file != "" { inside = 1; next }
    /^```/ { if (inside) { print file >(tmp "files"); close(tmp file); file = "" } inside = 0 }
    inside { print >(tmp file) }
    /^and in `policies\/.*` the line `ROW\(/ { split($0, part, "`"); print part[2], part[4] >(tmp "rows") }
' "$page"
# After the last line of the table.
while read -r table row; do
    awk -v row="$row" '/^#define PC_[A-Z_]*\(ROW\)/ { inside = 1 }
        inside && !/\\$/ { $0 = $0 " " row; inside = 0 } { print }' "$tmp/$table" >"$tmp/table" && mv "$tmp/table" "$tmp/$table"
done <"$tmp/rows"
check "there are files and rows" [ "$(wc -l <"$tmp/files")" -eq 6 -a "$(wc -l <"$tmp/rows")" -eq 6 ]
check "each file is a new one" eval '! (xargs ls <"$tmp/files" >/dev/null 2>&1)'

# The new files and the sources of the tables; everything else comes from the existing build.
compile() {
    (cd "$tmp" && for file in $(cat files) policies/order/orders.c policies/order/queue_orders.c policies/place/placements.c policies/act/actions.c; do
        # shellcheck disable=SC2086
        ${CC:-cc} -std=c17 -O1 -Ipolicies -fvisibility=hidden -fPIE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion \
            -Wstrict-prototypes -Wmissing-prototypes -Werror -c "$file" || return 1
    done)
}
link_program() {
    # Objects of deleted sources may still exist.
    objects=$(cd "$B" && find sim traces scenarios report policies/facts policies/adapters/ending -name '*.o' |
        while read -r o; do [ -e "$OLDPWD/${o%.o}.c" ] && echo "$PWD/$o"; done)
    # shellcheck disable=SC2086,SC2046
    ${CC:-cc} -o "$tmp/mine" $objects "$B"/gen/*.o "$tmp"/*.o "$B/libcore.a" \
        $(pkg-config --libs gsl libcjson zlib libzstd nettle) $(pkg-config --libs sqlite3 2>/dev/null) -lcsv -lm -lpthread
}
check "the files compile without a warning" compile
check "with the tables they make a program" link_program
[ "$failed" -eq 0 ] || finish
BIN=$tmp/mine

check "list orders" eval '"$BIN" list orders | grep -q "^smallest-work .*come last" && "$BIN" list orders | grep -q "^least-served-user "'
check "list placements" eval '"$BIN" list placements | grep -q "^smallest-node "'

# --- a plugin --------------------------------------------------------------------------------------

# Its block after the line that names it.
awk '/`waited_gpus_plugin\.c`:$/ { found = 1 } /^```$/ { inside = 0 } inside { print } /^```c$/ && found { inside = 1; found = 0 }' \
    "$page" >"$tmp/plugin-runai.c"
sed 's/"runai"/"fifo"/' "$tmp/plugin-runai.c" >"$tmp/plugin-fifo.c"
compile_plugin() {
    for base in runai fifo; do
        ${CC:-cc} -std=c17 -Wall -Wextra -Wpedantic -Wconversion -Werror -shared -fPIC -Ipolicies -o "$tmp/$base.so" "$tmp/plugin-$base.c" || return 1
    done
}
check "the plugin compiles without a warning" compile_plugin
# decides_alike SCENARIO BASE ARGUMENT...: the plugin and the row waited-gpus write the same journal.
decides_alike() {
    scenario=$1
    base=$2
    shift 2
    run run "$scenario" -o "$tmp/row" --no-report --quiet --audit --policy "$base" --set policy.options.order=waited-gpus "$@"
    status_is 0 || return 1
    run run "$scenario" -o "$tmp/own" --no-report --quiet --audit --policy "$tmp/$base.so"
    status_is 0 || return 1
    # The first line names the policy, and the chain of facts depends on it.
    for of in row own; do sed '1d; s/, "chain": "[0-9a-f]*"//' "$tmp/$of/journal.jsonl" >"$tmp/$of.j"; done
    [ -s "$tmp/row.j" ] && same "$tmp/row.j" "$tmp/own.j" && same "$tmp/row/jobs.csv" "$tmp/own/jobs.csv"
}
demo=scenarios/examples/demo.json
check "it decides like the row without quotas" decides_alike "$demo" fifo --set policy.options.scope=fleet
check "with quotas, reclaim and preemption" decides_alike "$demo" runai
check "with jobs of every kind, fact by fact" decides_alike tests/e2e/data/kinds.json runai
check "and without quotas" decides_alike tests/e2e/data/kinds.json fifo

# --- what was worked out by hand -----------------------------------------------------------------

# simulate NODES POLICY OPTIONS QUEUES: runs the trace on standard input; nodes as "gpus*count,...".
simulate() {
    cat >"$tmp/trace.csv"
    printf '{"fauxfleet_scenario": 1, "name": "page", "fleet": {"pools": [%s]}, "queues": [%s], "workload": {"trace": "trace.csv"},
        "policy": {"name": "%s", "options": {%s}}, "window": {"drain": true}}\n' "$1" "$4" "$2" "$3" >"$tmp/scenario.json"
    run run "$tmp/scenario.json" -o "$tmp/run" --no-report --quiet --audit
}
pool() { printf '{"name": "%s", "count": 1, "node": {"gpus": %s, "gpu_type": "h100", "gpu_mem_gb": 80}}' "$1" "$2"; }
starts() { sed 1d "$tmp/run/jobs.csv" | awk -F, '{ print $1 ":" $7 }' | sort | tr '\n' ' ' | sed 's/ $//'; }
nodes() { sed -n 's/.*"kind": "start", "job": "\([a-z]*\)".*"node": "\([a-z]*\)-0".*/\1:\2/p' "$tmp/run/journal.jsonl" | sort | tr '\n' ' ' | sed 's/ $//'; }

work='job_id,submit_s,duration_s,queue,gpus,time_limit_s
a,0,10800,q,2,10800
b,0,3600,q,2,3600
c,0,14400,q,1,14400'
echo "$work" | simulate "$(pool p 2)" fifo '"order": "smallest-work"' '{"name": "q"}'
check "smallest-work: b, then c, then a" equal "$(starts)" "a:18000 b:0 c:3600"
echo "$work" | simulate "$(pool p 2)" fifo '' '{"name": "q"}'
check "fifo begins with a" equal "$(starts)" "a:0 b:10800 c:14400"

ages='job_id,submit_s,duration_s,queue,gpus
first,0,1000,q,2
small,100,1000,q,1
large,500,1000,q,2'
echo "$ages" | simulate "$(pool p 2)" fifo '"order": "waited-gpus"' '{"name": "q"}'
check "waited-gpus: large overtakes small" equal "$(starts)" "first:0 large:1000 small:2000"
echo "$ages" | simulate "$(pool p 2)" runai '"order": "waited-gpus"' '{"name": "q"}'
check "inside a queue with quotas, too" equal "$(starts)" "first:0 large:1000 small:2000"
echo "$ages" | simulate "$(pool p 2)" fifo '' '{"name": "q"}'
check "fifo starts small first" equal "$(starts)" "first:0 large:2000 small:1000"

users='job_id,submit_s,duration_s,queue,user,gpus
u1,0,7200,q,u,1
u2,0,3600,q,u,1
v1,3600,3600,q,v,1
v2,3600,3600,q,v,1'
echo "$users" | simulate "$(pool p 1)" fifo '"order": "least-served-user"' '{"name": "q"}'
check "least-served-user: both of v before u2" equal "$(starts)" "u1:0 u2:14400 v1:7200 v2:10800"
echo "$users" | simulate "$(pool p 1)" fifo '' '{"name": "q"}'
check "fifo takes u2 at 2 h" equal "$(starts)" "u1:0 u2:7200 v1:10800 v2:14400"

three='job_id,submit_s,duration_s,queue,gpus
x1,0,3600,x,1
x2,0,3600,x,1
x3,0,3600,x,1
y1,0,3600,y,1
y2,0,3600,y,1'
queues='{"name": "x", "gpu": {"quota": 3}}, {"name": "y", "gpu": {"quota": 0}}'
echo "$three" | simulate "$(pool p 3)" static '"over_quota": true, "queue_order": "fewest-devices"' "$queues"
check "fewest-devices: x, y, x" equal "$(starts)" "x1:0 x2:0 x3:3600 y1:0 y2:3600"
echo "$three" | simulate "$(pool p 3)" static '"over_quota": true' "$queues"
check "fair-share: all to x" equal "$(starts)" "x1:0 x2:0 x3:0 y1:3600 y2:3600"

printf 'job_id,submit_s,duration_s,queue,gpus\nfirst,0,3600,q,7\nsecond,10,3600,q,1\n' >"$tmp/two"
simulate "$(pool large 8), $(pool small 2)" fifo '"placement": "smallest-node"' '{"name": "q"}' <"$tmp/two"
check "smallest-node: second on the small one" equal "$(nodes)" "first:large second:small"
simulate "$(pool large 8), $(pool small 2)" fifo '' '{"name": "q"}' <"$tmp/two"
check "best-fit: beside first" equal "$(nodes)" "first:large second:large"

# drained PREEMPTIBLE ACTIONS: a job that runs on a draining node while another node is idle.
drained() {
    printf '{"fauxfleet_snapshot": 1, "now_ms": 60000, "nodes": [{"name": "n-0", "gpus": 1, "state": "draining"}, {"name": "n-1", "gpus": 1}],
        "queues": [{"name": "q", "gpu": {"quota": 1}}], "jobs": [{"id": "j", "queue": "q", "submit_ms": 0, "last_start_ms": 0, "preemptible": %s,
        "tasks": [{"id": "j-0", "state": "running", "node": "n-0", "gpus": 1}]}]}\n' "$1" >"$tmp/drain.json"
    printf '{"name": "runai", "options": {"actions": "%s"}}\n' "$2" >"$tmp/policy.json"
    run decide "$tmp/drain.json" --policy "$tmp/policy.json"
}
drained true allocate,drain
check "drain: a preemptible job is evicted" eval 'says out "\"evict\"" && says out "\"drain\""'
drained false allocate,drain
check "one that may not be preempted stays" eval 'status_is 0 && ! says out "\"evict\""'
drained true allocate
check "without the action it stays" eval 'status_is 0 && ! says out "\"evict\""'

# --- the nets ------------------------------------------------------------------------------------

kinds() {
    run run tests/e2e/data/kinds.json -o "$tmp/kinds" --no-report --quiet --audit "$@" --snapshot-at 602 && status_is 0 &&
        equal "$(json "$tmp/kinds/summary.json" jobs.completed)" "$(($(wc -l <tests/e2e/data/kinds.csv) - 1))" &&
        run replay "$tmp/kinds/journal.jsonl" && says out "the same decisions"
}
check "jobs of every kind by smallest-work" kinds --policy fifo --set policy.options.order=smallest-work
check "and inside quotas" kinds --policy runai --set policy.options.order=smallest-work
check "by waited-gpus" kinds --policy fifo --set policy.options.order=waited-gpus
check "and inside quotas" kinds --policy runai --set policy.options.order=waited-gpus
check "by smallest-node" kinds --policy runai --set policy.options.placement=smallest-node
check "with drain" kinds --policy runai --set policy.options.actions=limits,allocate,reclaim,drain
check "by fewest-devices" kinds --policy runai --set policy.options.queue_order=fewest-devices
check "by least-served-user" kinds --policy fifo --set policy.options.order=least-served-user
check "its memory is in the snapshot" grep -q '"of": "module".*"data": "least-served-user"' "$tmp/kinds/snapshot.json"
decisions() { sed -n 's/^{"t_ms": \([0-9]*\), "decision": "start".*"name": "\([^"]*\)", "task": \([0-9]*\),.*"node_name": "\([^"]*\)".*/\1 \2:\3 \4/p' "$1" | awk '$1 > 602000'; }
goes_on() {
    run run tests/e2e/data/kinds.json -o "$tmp/rest" --no-report --quiet --audit --policy fifo --set policy.options.order=least-served-user \
        --set start.snapshot="$tmp/kinds/snapshot.json"
    decisions "$tmp/kinds/journal.jsonl" >"$tmp/a"
    decisions "$tmp/rest/journal.jsonl" >"$tmp/b"
    status_is 0 && [ -s "$tmp/a" ] && same "$tmp/a" "$tmp/b"
}
check "a run that begins with it goes on alike" goes_on
finish
