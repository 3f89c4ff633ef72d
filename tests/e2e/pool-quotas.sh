#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Quotas by pool in scenarios: the study by hand, gangs, refusals and notes; and in snapshots and
# the decision service: resuming from them gives the run's decisions. Checks are given as text and
# function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# waits [ARGUMENT...]: the waits of all jobs of the study, in the order of the file.
waits() {
    run run scenarios/studies/pool-quotas.json -o "$tmp/r" --no-report --quiet "$@"
    awk -F, 'NR > 1 { printf "%s=%s ", $1, $9 }' "$tmp/r/jobs.csv"
}
# Reclaim gives b's job its 30 s of grace. With one quota b stays within it: its first job, on A, runs
# 50,000 s and writes 13 checkpoints of 20 s before a starts.
check "the quota of pool A is served" equal "$(waits)" "a-1=30 b-1=0 b-2=0 "
check "one quota of as many GPUs is not" equal \
    "$(waits --set 'queues[1].gpu={"by_pool": null, "quota": 16}')" \
    "b-1=0 b-2=0 a-1=$((100 + 50000 + 13 * 20 - 200)) "
check "a quota of a GPU type is one of its pools" equal \
    "$(waits --set 'queues[0].gpu.by_pool={"h100": 8}')" "a-1=30 b-1=0 b-2=0 "
run run scenarios/studies/pool-quotas.json -o "$tmp/f" --no-report --quiet --set outputs.journal=facts
run replay "$tmp/f/journal.jsonl"
check "the journal repeats it" equal "$status" 0

# In pool A, where b has no quota, a runs for 1,000 s, and b, above its quota, for 100 s before it
# and from its end to 51,590 s. In pool B b runs until 44,010.006 s, within its quota.
run run scenarios/studies/pool-quotas.json -o "$tmp/r" --quiet
check "the report has what queues used in each pool" equal "$(awk -F, 'NR > 1 { printf "%s %s %.6f %.6f,", $1, $2, $5, $6 }' "$tmp/r/queue_pools.csv")" \
    "$(awk 'BEGIN { h = 8 / 3600; printf "a A %.6f %.6f,b A %.6f %.6f,b B %.6f %.6f,", 1000 * h, 0, (100 + 51590 - 1130) * h, (100 + 51590 - 1130) * h, 44010.006 * h, 0 }')"
check "so has the terminal" eval 'grep -qE "^A +b +0 +112 +112 +112" "$tmp/out"'
check "so has the page" eval 'grep -q "id=\"quotas-by-pool\"" "$tmp/r/report.html"'
run run scenarios/studies/three-pools.json -o "$tmp/n" --no-report --quiet
check "without quotas by pool the output has none of it" eval 'absent "$tmp/n/queue_pools.csv" && ! grep -q "\"pools\"" "$tmp/n/summary.json"'

# A gang of two whole nodes in two pools.
cat >"$tmp/gang.csv" <<'CSV'
job_id,submit_s,duration_s,queue,tasks,gpus_per_task
g,0,100,a,2,8
CSV
cat >"$tmp/gang.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [
  {"name": "A", "node": {"gpus": 8, "gpu_type": "h100"}, "count": 1},
  {"name": "B", "node": {"gpus": 8, "gpu_type": "h100"}, "count": 1}]},
 "queues": [{"name": "a", "gpu": {"by_pool": {"A": 8, "B": 8}}}], "workload": {"trace": "gang.csv"},
 "policy": {"name": "runai"}, "window": {"horizon": "1h"}}
JSON
# completed [ARGUMENT...]
completed() {
    run run "$tmp/gang.json" -o "$tmp/g" --no-report --quiet "$@"
    json "$tmp/g/summary.json" jobs.completed
}
check "a gang does not span pools with different quotas" equal "$(completed)" 0
check "unless its queue says so" equal "$(completed --set 'queues[0].gangs_span_pools=true')" 1
check "pools of one type share its quota" equal \
    "$(completed --set 'queues[0].gpu.by_pool={"h100": 16}')" 1

# refused TEXT SETTING...: an input error with that text.
refused() {
    text=$1
    shift
    for setting in "$@"; do
        set -- "$@" --set "$setting"
        shift
    done
    run run scenarios/studies/pool-quotas.json -o "$tmp/x" --no-report "$@"
    check "refused: $text" equal "$status:$(grep -cF "$text" "$tmp/err")" 2:1
}
refused "unknown pool or GPU type 'h10', did you mean 'h100'?" 'queues[0].gpu.by_pool={"h10": 8}'
refused "the pool 'A' is in two quotas" 'queues[0].gpu.by_pool={"A": 8, "h100": 4}'
refused "may not use it" 'queues[0].gpu.by_pool={"B": 2}'
refused "add up to 8 GPUs, and gpu.quota is 9" 'queues[0].gpu.quota=9'
run run scenarios/studies/pool-quotas.json -o "$tmp/n" --no-report --set 'queues[1].gpu.by_pool={"A": 4, "h200": 8}'
check "quotas that exceed a pool get a note" grep -q "quotas exceed pool 'A'.*12 GPUs there, and it has 8" "$tmp/err"

# --- planned changes -----------------------------------------------------------------------------

# b runs in A, within its quota of 8 there, and a, which may use A only, has none. After 1,000 s the
# quota of A is a's, and b has one of 8 in B: as many GPUs as before.
printf 'job_id,submit_s,duration_s,queue,gpus,priority\nb-1,0,50000,b,8,50\na-1,100,1000,a,8,50\n' >"$tmp/cut.csv"
cat >"$tmp/cut.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [
  {"name": "A", "node": {"gpus": 8, "gpu_type": "h100"}, "count": 1},
  {"name": "B", "node": {"gpus": 8, "gpu_type": "h100"}, "count": 1}]},
 "queues": [{"name": "a", "pools": ["A"], "gpu": {"by_pool": {"A": 0}}}, {"name": "b", "gpu": {"by_pool": {"A": 8, "B": 0}}}],
 "workload": {"trace": "cut.csv"}, "policy": {"name": "runai", "cycle_s": 1}, "window": {"horizon": "2d", "drain": true},
 "events": [{"at": 1000, "queue": "a", "gpu": {"by_pool": {"A": 8}}}, {"at": 1000, "queue": "b", "gpu": {"by_pool": {"A": 0, "B": 8}}}]}
JSON
# cut ARGUMENT...: the wait of a's job, cuts, GPU-hours above the cut quota, moves.
cut_run() {
    run run "$tmp/cut.json" -o "$tmp/planned" --no-report --quiet "$@"
    echo "$(awk -F, '$1 == "a-1" { print $9 }' "$tmp/planned/jobs.csv") $(json "$tmp/planned/summary.json" changes.quota_cuts) \
$(json "$tmp/planned/summary.json" changes.over_cut_quota_gpu_h) $(json "$tmp/planned/summary.json" preemption.moves)" | tr -s ' '
}
check "a quota by pool that changes: b's job moves to its new quota" equal "$(cut_run)" "930 1 0 1"
sed -i 's/b,8,50/b,8,100/' "$tmp/cut.csv"
check "one that may not be moved stays, above the quota that was cut" equal "$(cut_run)" "49900 1 $(awk 'BEGIN { printf "%.6f", 8 * 49000 / 3600 }') 0"
sed -i 's/b,8,100/b,8,50/' "$tmp/cut.csv"
# a has no quota again from 02:00: the second cut, when its job is over.
check "every week: from Monday, 00:10" equal "$(cut_run --set 'events=[{"at": "mon 00:10", "until": "mon 02:00", "queue": "a", "gpu": {"by_pool": {"A": 8}}}, {"at": "mon 00:10", "until": "mon 02:00", "queue": "b", "gpu": {"by_pool": {"A": 0}}}]')" "530 2 0 1"
event_refused() {
    run run "$tmp/cut.json" -o "$tmp/x" --no-report --set "events=[{\"at\": 1, \"queue\": \"$2\", \"gpu\": {$3}}]" --set 'queues[1].gpu.fixed=2'
    check "refused: $1" equal "$status:$(grep -cF "$1" "$tmp/err")" 2:1
}
event_refused "events[0].gpu.by_pool.AA: unknown pool or GPU type 'AA', did you mean 'A'?" a '"by_pool": {"AA": 1}'
event_refused "events[0].gpu.by_pool.B: the queue 'a' has no quota of its own there" a '"by_pool": {"B": 1}'
event_refused "quotas by pool: gpu.by_pool changes them" a '"quota": 1'
event_refused "expected at least the 2 GPUs in all" b '"by_pool": {"A": 1}'

# --- explain -------------------------------------------------------------------------------------

# One GPU of a quota of 2 in A is taken by a job that may not be preempted, and B is idle.
cat >"$tmp/why.json" <<'JSON'
{"fauxfleet_snapshot": 1, "nodes": [{"name": "n", "gpus": 8, "pool": "B"}, {"name": "m", "gpus": 8, "pool": "A"}],
 "queues": [{"name": "d"}, {"name": "q", "parent": "d", "gpu": {"by_pool": {"A": 2000, "B": 1000}}}],
 "jobs": [{"id": "r", "queue": "q", "priority": 100, "tasks": [{"id": "t", "state": "running", "node": "m", "gpus": 1}]},
          {"id": "p", "queue": "q", "priority": 100, "tasks": [{"id": "t", "gpus": 2}]},
          {"id": "w", "queue": "q", "priority": 50, "tasks": [{"id": "t", "gpus": 2}]}]}
JSON
run explain "$tmp/why.json" p
check "explain names the quota of the pool" says out "queue 'q' has 1 of its quota of 2 GPUs in pool 'A' in jobs that may not be preempted, and this one wants 2 more"
check "and how it would start" says out "starts now as a preemptible job, on m"
run decide "$tmp/why.json"
check "so does decide" says out "quota of 2 GPUs in pool 'A'"
run explain "$tmp/why.json" p --json
check "as JSON" eval 'is_json "$tmp/out" && says out "\"pool\": \"A\""'

# --- snapshots -----------------------------------------------------------------------------------

# Four pools not in the order of their names, two of one type; quotas of pools, of a type, of
# departments and without a place; a gang may span pools; a third of the jobs may not be preempted.
awk 'BEGIN {
    print "job_id,submit_s,duration_s,queue,tasks,gpus_per_task,priority"
    split("a a b b c c free spans", queue, " ")
    for (i = 1; i <= 400; i++) {
        x = (x * 1103515245 + 12345) % 2147483648; at += int(x / 65536) % 500
        x = (x * 1103515245 + 12345) % 2147483648; q = 1 + int(x / 65536) % 8
        x = (x * 1103515245 + 12345) % 2147483648; long = 600 + int(x / 65536) % 14000
        x = (x * 1103515245 + 12345) % 2147483648; size = int(x / 65536)
        print "j" i "," at "," long "," queue[q] "," (size % 5 == 0 ? 2 : 1) "," 1 + int(size / 8) % 4 "," (size % 3 == 0 ? 100 : 50)
    }
}' >"$tmp/mixed.csv"
cat >"$tmp/mixed.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [
  {"name": "z", "node": {"gpus": 4, "gpu_type": "h100"}, "count": 2},
  {"name": "m", "node": {"gpus": 4, "gpu_type": "h200"}, "count": 2},
  {"name": "y", "node": {"gpus": 4, "gpu_type": "h100"}, "count": 1},
  {"name": "b", "node": {"gpus": 4, "gpu_type": "l40s"}, "count": 1}]},
 "queues": [{"name": "dept"}, {"name": "c", "parent": "dept", "gpu": {"by_pool": {"h200": 2}}},
  {"name": "a", "pools": ["y", "z"], "gpu": {"by_pool": {"h100": 6}}}, {"name": "b", "gpu": {"by_pool": {"h200": 4}}},
  {"name": "free", "gpu": {"quota": 4}},
  {"name": "spans", "parent": "dept", "gangs_span_pools": true, "gpu": {"by_pool": {"h100": 1, "h200": 1}}}],
 "workload": {"trace": "mixed.csv"}, "policy": {"name": "runai"}, "outputs": {"journal": "facts"},
 "window": {"horizon": "all", "drain": true}}
JSON
# Use by pool adds up to what a queue used, and to what ran in the pool: from first start to end, on
# the nodes of the journal, where nothing is evicted. What a queue is due in a pool is within it.
adds_up() {
    run run "$tmp/mixed.json" -o "$tmp/sums" --no-report --quiet --set outputs.journal=true --set window.horizon=200h "$@"
    awk -F, 'FNR == 1 { file++; next }
        file == 1 { used[$1] = $7 }
        file == 2 { used[$1] -= $5; pool[$2] += $5; due[$2] += $4; rows++ }
        END {
            size["z|y"] = 12; size["m"] = 8; size["b"] = 4
            for (q in used) bad += used[q] ^ 2 > 1e-8
            for (p in due) { bad += due[p] > size[p] * 200 + 1e-4; print p, pool[p] > "/dev/stderr" }
            exit bad > 0 || rows < 8
        }' "$tmp/sums/queues.csv" "$tmp/sums/queue_pools.csv" 2>"$tmp/pools"
}
runs_in_pools() {
    sed -n 's/.*"kind": "start", "job": "\([^"]*\)".*"node": "\([a-z]\)-.*"gpu_milli": \([0-9]*\).*/\1,\2,\3/p' "$tmp/sums/journal.jsonl" >"$tmp/starts"
    awk -F, 'NR == FNR { if (FNR > 1) { from[$1] = $8; to[$1] = $9 } next }
        { p = $2 == "z" || $2 == "y" ? "z|y" : $2; pool[p] += $3 / 1000 * (to[$1] - from[$1]) / 3600 }
        END { for (p in pool) print p, pool[p] }' "$1" "$tmp/starts" | sort | cmp -s - "$2"
}
for policy in runai fifo conservative kube-default static; do
    check "$policy: used by pool adds up" adds_up --policy "$policy"
done
adds_up --policy fifo
check "and is what ran there" eval 'awk -F, "NR == 1 { for (i = 1; i <= NF; i++) at[\$i] = i } { print \$1 \",,,,,,,\" \$at[\"first_start_s\"] \",\" \$at[\"end_s\"] }" "$tmp/sums/jobs.csv" >"$tmp/spans" && sort "$tmp/pools" >"$tmp/sorted" && runs_in_pools "$tmp/spans" "$tmp/sorted"'

# decisions FILE AFTER: later than so many ms, without the running hash.
decisions() {
    sed 's/, "hash": "[0-9a-f]*"//' "$1" | awk -F'[:,]' -v after="$2" '/"kind": "(start|evict|nominate)"/ && $2 + 0 > after'
}
run run "$tmp/mixed.json" -o "$tmp/whole" --no-report --quiet --snapshot-at 10h --set outputs.journal=true
now=$(sed -n 's/.*"now_ms": \([0-9]*\).*/\1/p;q' "$tmp/whole/snapshot.json")
decisions "$tmp/whole/journal.jsonl" "$now" >"$tmp/expected"
check "a snapshot has the quotas of pools, and of pools together" eval 'grep -q "\"name\": \"a\".*\"by_pool\": {\"z|y\": 6000}" "$tmp/whole/snapshot.json" &&
    grep -q "\"name\": \"spans\".*\"by_pool\": {\"z|y\": 1000, \"m\": 1000}.*\"gangs_span_pools\": true" "$tmp/whole/snapshot.json"'
# goes_on NAME ARGUMENT...: the run decides as the uninterrupted one did.
goes_on() {
    run run "$@" -o "$tmp/rest" --no-report --quiet --set outputs.journal=true
    decisions "$tmp/rest/journal.jsonl" "$((now - 1))" >"$tmp/got"
    [ "$(wc -l <"$tmp/expected")" -gt 200 ] && same "$tmp/expected" "$tmp/got" && ! says err "does not carry"
}
check "the run resumed from its snapshot decides as before" goes_on "$tmp/mixed.json" --set start.snapshot="$tmp/whole/snapshot.json"
# What the snapshot has in place of the scenario: fleet, queues and policy.
printf '{"fauxfleet_scenario": 1, "start": {"snapshot": "whole/snapshot.json"}, "workload": {"trace": "mixed.csv"}}' >"$tmp/start.json"
check "and so does a scenario that has all but the trace from it" goes_on "$tmp/start.json"

sed 's/, "by_pool": {[^}]*}//' "$tmp/whole/snapshot.json" >"$tmp/plain.json"
sed 's#whole/snapshot#plain#' "$tmp/start.json" >"$tmp/start-plain.json"
check "without the quotas by pool it decides otherwise" eval '! goes_on "$tmp/start-plain.json" && status_is 0'
run run "$tmp/start.json" -o "$tmp/facts" --no-report --quiet --set outputs.journal=facts
run replay "$tmp/facts/journal.jsonl"
check "the journal of a run from a snapshot repeats it" status_is 0

# The decision service gets the facts of the run. A snapshot of it, before each of the last 20
# decisions that start something after 10h, decides as the service does next.
run run "$tmp/mixed.json" -o "$tmp/facts" --no-report --quiet
sed 's/, "chain": "[0-9a-f]*"}$/}/' "$tmp/facts/journal.jsonl" | sed 1d | sed -n '/"fact"/p' |
    sed 's/^{"t_ms": \([^,]*\), "fact": "decide".*/{"do": "decide", "t_ms": \1}/' >"$tmp/in"
sed -n 's/.*\({"t_ms".*"decision".*\), "chain".*/\1}/p' "$tmp/facts/journal.jsonl" >"$tmp/expected"
"$BIN" serve --policy runai --sync never <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
status=$?
sed -n 's/.*"decisions": \[\(.*\)\], "next_ms".*/\1/p' "$tmp/out" | sed 's/}, {/}\n{/g' | grep decision >"$tmp/got"
check "the service decides as the run" eval 'status_is 0 && ! says out "\"ok\": false" && [ "$(wc -l <"$tmp/got")" -gt 500 ] && same "$tmp/got" "$tmp/expected"'
# Line numbers of the decisions: those with a start in their answer.
awk '/"decision": "start"/ { print NR }' "$tmp/out" | sed -n '100,400{0~15p}' >"$tmp/cuts"
service_shot() {
    { head -n $(($1 - 1)) "$tmp/in" && echo "{\"do\": \"snapshot\", \"file\": \"$tmp/shot.json\"}" && sed -n "$1p" "$tmp/in"; } >"$tmp/cut"
    rm -f "$tmp/state" "$tmp/state.log"*
    "$BIN" serve --policy runai --state "$tmp/state" <"$tmp/cut" >"$tmp/out" 2>"$tmp/err"
    tail -n 1 "$tmp/out" | sed 's/}, {/}\n{/g' |
        sed -n 's/.*"decision": "start".*"name": "\([^"]*\)", "task": \([0-9]*\).*"node_name": "\([^"]*\)".*/\1 \2 \3/p' >"$tmp/a"
    run decide "$tmp/shot.json"
    sed -n 's/.*"kind": "start", "job": "\([^"]*\)", "task": "[^"]*-0*\([0-9][0-9]*\)", "node": "\([^"]*\)".*/\1 \2 \3/p' "$tmp/out" >"$tmp/b"
    [ -s "$tmp/a" ] && same "$tmp/a" "$tmp/b"
}
service_shots() {
    while read -r cut; do
        service_shot "$cut" || { echo "# at line $cut" && return 1; }
    done <"$tmp/cuts"
    grep -q '"by_pool": {"pool-0|pool-2": 6000}' "$tmp/shot.json"
}
check "a snapshot of the service decides as it does next" service_shots

run snapshot "$tmp/whole/snapshot.json" --anonymise "$tmp/key.json" -o "$tmp/hidden.json"
check "anonymised, it keeps them" eval 'status_is 0 && [ "$(grep -c "by_pool\|gangs_span" "$tmp/hidden.json")" -ge 3 ]'
finish
