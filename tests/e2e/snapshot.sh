#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `decide`, `shares` and `explain` on a snapshot from outside. Decisions and reasons on
# tests/e2e/data/cluster.json were worked out by hand: 12 devices on three nodes, four of them
# taken, and a job for each reason to wait. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

cluster=tests/e2e/data/cluster.json

# objects FILE: how many JSON values follow one another; "" without python3 to count them.
objects() {
    command -v python3 >/dev/null || return 0
    python3 -c '
import json, sys
text, i, n = open(sys.argv[1]).read(), 0, 0
while text[i:].strip():
    while text[i].isspace(): i += 1
    _, i = json.JSONDecoder().raw_decode(text, i)
    n += 1
print(n)' "$1"
}
has_objects() { found=$(objects "$1") && { [ -z "$found" ] || equal "$found" "$2"; }; }

# --- decide ---------------------------------------------------------------------------------------

run decide "$cluster"
check "decide succeeds" status_is 0
check "decide prints JSON" is_json "$tmp/out"
check "dropped jobs are a note on stderr" \
    says err "note: $cluster: queue 'orphan' is dropped with all queues below it: there is no queue 'detp', did you mean 'dept'?"
# The best-fitting node of 3 devices is b0, where one is taken; the rack with room for 2 + 2 is r1,
# on a1 by packing.
while read -r line; do
    check "decide: $line" says out "$line"
done <<'ROWS'
"policy": "runai",
"cycle": 1,
{"kind": "start", "job": "first", "task": "first-0", "node": "b0", "devices": [1, 2, 3], "action": "allocate"},
{"kind": "start", "job": "racks", "task": "t0", "node": "a1", "devices": [0, 1], "action": "allocate"},
{"kind": "start", "job": "racks", "task": "t1", "node": "a1", "devices": [2, 3], "action": "allocate"}
{"job": "limit", "reason": "OVER_LIMIT", "detail": "queue 'small' has 1 of at most 2 GPUs, and the job wants 2 more; 1 pending job is ahead of it; alternative: up to 1 GPU would stay within the limit"},
{"job": "quota", "reason": "OVER_QUOTA", "detail": "queue 'small' has 1 of its quota of 1 GPU in jobs that may not be preempted, and this one wants 1 more
{"job": "level", "reason": "TOPOLOGY_UNKNOWN", "detail": "names level 'rac' of topology 'fabric', which does not exist
{"job": "gang", "reason": "NOT_READY", "detail": "role 'w' needs 3 tasks, and has 2 that may start
{"job": "label", "reason": "NODE_MISMATCH", "detail": "wants a node with rack=r9, and too few of them are there
{"job": "huge", "reason": "NEVER_FITS", "detail": "wants 5 GPUs in 1 task; free where it may run: 1 GPU (1 whole), at most 1 on one node
{"job": "typo", "reason": "QUEUE_UNKNOWN", "detail": "there is no queue 'taem', did you mean 'team'?"},
{"job": "inner", "reason": "QUEUE_NOT_A_LEAF", "detail": "queue 'dept' has queues below it, and only leaves hold jobs"},
{"job": "lost", "reason": "QUEUE_DROPPED", "detail": "queue 'orphan' is dropped: it is below 'detp', and there is no queue of that name"}
{"name": "team", "fair_share": {"gpu": 10000, "cpu": -1, "mem": -1}, "allocated": {"gpu": 10000, "cpu": 0, "mem": 0}},
{"name": "small", "fair_share": {"gpu": 2000, "cpu": -1, "mem": -1}, "allocated": {"gpu": 1000, "cpu": 0, "mem": 0}},
{"name": "a0", "gpus_idle": 1, "gpus_releasing": 0},
{"name": "b0", "gpus_idle": 0, "gpus_releasing": 0}
ROWS
check "what runs, starts or has ended is not pending" eval '! grep -Eq "\"job\": \"(run|held|first|racks|done)\", \"reason\"" "$tmp/out"'
cp "$tmp/out" "$tmp/first"
run decide "$cluster"
check "equal snapshots give equal bytes" same "$tmp/out" "$tmp/first"
run decide "$cluster" --cycles 3
check "three cycles are three objects" eval 'status_is 0 && has_objects "$tmp/out" 3'
check "what was started runs in the next cycle: it is not started again" equal "$(grep -c '"kind": "start"' "$tmp/out")" 3
run decide "$cluster" --actions reclaim,preempt
check "--actions: without allocate nothing starts" eval 'status_is 0 && ! says out "\"kind\": \"start\""'

# A preemption in full: eviction and nomination, then the start, then nothing.
cat >"$tmp/preempt.json" <<'JSON'
{"fauxfleet_snapshot": 1, "nodes": [{"name": "n", "gpus": 2}], "queues": [{"name": "q", "gpu": {"quota": -1}}],
 "jobs": [{"id": "low", "queue": "q", "submit_ms": -5, "tasks": [{"id": "t", "state": "running", "node": "n", "gpus": 2}]},
          {"id": "high", "queue": "q", "priority": 75, "tasks": [{"id": "t", "gpus": 2}]}]}
JSON
run decide "$tmp/preempt.json"
check "preempt: the victim is evicted for the job" \
    says out '{"kind": "evict", "job": "low", "task": "t", "node": "n", "action": "preempt", "for_job": "high", "reason": "PREEMPTED"}'
check "preempt: and its devices are promised" says out '{"kind": "nominate", "job": "high", "task": "t", "node": "n",'
check "preempt: promised devices do not count as releasing" says out '{"name": "n", "gpus_idle": 0, "gpus_releasing": 0}'
check "preempt: the job waits for the release" says out '{"job": "high", "reason": "RELEASING"'
run decide "$tmp/preempt.json" --cycles 4
check "preempt, cycle 2: it starts" equal "$(grep -c '"kind": "start", "job": "high"' "$tmp/out")" 1
check "preempt, cycles 3 and 4: a fixed point" equal "$(grep -c '"kind": "evict"' "$tmp/out")" 1

# Any preset works on what it understands.
cat >"$tmp/line.json" <<'JSON'
{"fauxfleet_snapshot": 1, "policy": {"name": "fifo", "options": {"blocking": "skip"}},
 "nodes": [{"name": "n", "gpus": 2}], "queues": [{"name": "q"}],
 "jobs": [{"id": "a", "queue": "q", "submit_ms": -2, "tasks": [{"id": "t", "gpus": 3}]},
          {"id": "b", "queue": "q", "submit_ms": -1, "tasks": [{"id": "t", "gpus": 1}]}]}
JSON
run decide "$tmp/line.json"
check "decide with fifo" eval 'status_is 0 && says out "\"kind\": \"start\", \"job\": \"b\"" && says out "\"job\": \"a\", \"reason\": \"NEVER_FITS\""'
run decide "$tmp/line.json" --policy sjf
check "--policy replaces name and options" eval 'status_is 0 && says out "\"policy\": \"sjf\""'
run decide "$tmp/line.json" --policy ffio
check "an unknown policy is refused" refused "--policy: no policy is named 'ffio', did you mean 'fifo'?"
run decide "$cluster" --actions allocat
check "an unknown action is refused" refused "--actions: 'allocat' is not valid"
sed 's/"submit_ms": -2,/"submit_ms": 30000,/; s/"submit_ms": -1,/"last_start_ms": 500,/' "$tmp/line.json" >"$tmp/late.json"
run decide "$tmp/late.json"
check "dates in the future are no error" status_is 0
check "but are noted" says err "lie after now_ms and count as now: of 2 jobs, most in 'a', by 30000 ms"
run explain "$tmp/late.json" a
check "by explain too" says err "by 30000 ms"
sed 's/"fifo", "options": {"blocking": "skip"}/"runai", "options": {"actions": "allocate,reclame"}/' "$tmp/line.json" >"$tmp/actions.json"
run decide "$tmp/actions.json"
check "in a file it is named with its place" refused "actions.json:1: policy.options.actions: "
check "and the valid ones" refused "'reclame' is not valid, expected some, separated by commas, of limits, allocate, consolidate, reclaim, preempt, stale, did you mean 'reclaim'?"
sed 's/"skip"/"skp"/' "$tmp/line.json" >"$tmp/option.json"
run decide "$tmp/option.json"
check "a wrong option is refused with its place" \
    refused "option.json:1: policy.options.blocking: 'skp' is not valid, expected strict or skip, did you mean 'skip'?"
sed 's/"gpus": 2/"gpsu": 2/' "$tmp/line.json" >"$tmp/key.json"
run decide "$tmp/key.json"
check "an unknown key is refused with the nearest" refused "key.json:2: nodes[0].gpsu: unknown key 'gpsu', did you mean 'gpus'?"
sed 's/"gpus": 2/"gpus": 2, "gpus": 3/' "$tmp/line.json" >"$tmp/twice.json"
run decide "$tmp/twice.json"
check "a key that is given twice is refused" refused "the key 'gpus' is given twice"
run decide "$tmp/none.json"
check "a file that is not there is refused" refused "cannot open '$tmp/none.json'"
sed 's/"blocking": "skip"/"placement": "count"/' "$tmp/line.json" >"$tmp/count.json"
run decide "$tmp/count.json"
check "a placement without nodes is refused" refused "names no nodes"

# --- shares ---------------------------------------------------------------------------------------

# Quotas take 2 of 10 GPUs; of the remaining 8 "b" with weight 3 gets 6, which its children divide 2
# to 4.
cat >"$tmp/queues.json" <<'JSON'
{"fauxfleet_shares": 1, "capacity": {"gpu": 10000, "cpu": 4000},
 "queues": [{"name": "y", "parent": "b", "gpu": {"weight": 2}, "request": {"gpu": 9000}},
            {"name": "x", "parent": "b", "request": {"gpu": 9000, "cpu": 1500}},
            {"name": "b", "gpu": {"weight": 3}},
            {"name": "a", "gpu": {"quota": 2000}, "request": {"gpu": 9000}}]}
JSON
run shares "$tmp/queues.json"
check "shares prints JSON and nothing else" eval 'status_is 0 && silent err && is_json "$tmp/out"'
while read -r line; do
    check "shares: $line" says out "$line"
done <<'ROWS'
{"name": "y", "fair_share": {"gpu": 4000, "cpu": 0, "mem": 0}},
{"name": "x", "fair_share": {"gpu": 2000, "cpu": 1500, "mem": 0}},
{"name": "b", "fair_share": {"gpu": 6000, "cpu": 1500, "mem": 0}},
{"name": "a", "fair_share": {"gpu": 4000, "cpu": 0, "mem": 0}}
ROWS
check "shares: what remains" equal "$(json "$tmp/out" remaining.gpu) $(json "$tmp/out" remaining.cpu)" "0 2500"
sed 's/"parent": "b", "gpu"/"parent": "c", "gpu"/' "$tmp/queues.json" >"$tmp/lost.json"
run shares "$tmp/lost.json"
check "shares: a queue without its parent gets nothing, with a note" \
    eval 'status_is 0 && says err "queue '\''y'\'' is dropped" && says out "{\"name\": \"y\", \"fair_share\": {\"gpu\": 0,"'
run shares "$cluster"
check "shares of a snapshot is refused" refused "not a file of shares: the key 'fauxfleet_shares' is missing"
run decide "$tmp/queues.json"
check "decide on a file of shares is refused" refused "not a snapshot: the key 'fauxfleet_snapshot' is missing"

# --- explain --------------------------------------------------------------------------------------

while IFS='|' read -r arguments expected; do
    # shellcheck disable=SC2086
    run explain "$cluster" $arguments
    check "explain $arguments: $expected" eval 'status_is 0 && says out "$expected"'
done <<'ROWS'
limit|Job limit (queue small, 2 GPUs): pending
limit|  pending for  1h0m0s
limit|  because      OVER_LIMIT: a queue would exceed its limit
limit|  evidence     queue 'small' has 1 of at most 2 GPUs, and the job wants 2 more
limit|  alternative  starts now with 1 GPU instead of 2, on a0
limit --json|"queue_may_have": 2000
limit --json|"waited_s": 3600
gang|  evidence     role 'w' needs 3 tasks, and has 2 that may start
typo|  because      QUEUE_UNKNOWN: there is no queue 'taem', did you mean 'team'?
racks|  next         the policy starts 2 of its tasks (allocate): t0 on a1, ...
racks --json|{"kind": "start", "job": "racks", "task": "t0", "node": "a1"
run|Job run (queue team, 3 GPUs): running
done|Job done (queue team, 0 GPUs): ended
ROWS
run explain "$cluster" limit --json
check "explain --json is JSON" is_json "$tmp/out"
run explain "$cluster" limti
check "explain of an unknown job is refused with the nearest" refused "there is no job 'limti', did you mean 'limit'?"
run explain "$cluster" limit --at 5
check "--at is for runs" refused "--at goes with a run directory"
run explain "$cluster" limit --trace x.csv
check "--trace needs something that it comes after" refused "--trace goes with a run directory, or with --replicas"
run explain "$tmp/line.json" a --policy sjf
check "explain --policy" eval 'status_is 0 && says out NEVER_FITS'

# --- snapshots of real clusters ------------------------------------------------------------------

for name in kube kube-gangs slurm; do
    run snapshot "tests/fuzz/corpus/import/$name.json" -o "$tmp/$name.json"
    check "snapshot of $name" eval 'status_is 0 && silent out && says err "are skipped"'
    run decide "$tmp/$name.json"
    check "decide on $name" eval 'status_is 0 && is_json "$tmp/out"'
done
run snapshot tests/fuzz/corpus/import/slurm.json
check "a snapshot goes to standard output" same "$tmp/out" "$tmp/slurm.json"
run snapshot tests/fuzz/corpus/import/wrong.json
check "a wrong quantity" refused "wrong.json: items[0]: cpu: expected a quantity"
run snapshot "$cluster"
check "a snapshot may come first" eval 'status_is 0 && is_json "$tmp/out"'
run snapshot tests/fuzz/corpus/import/slurm.json "$cluster"
check "but not later" refused "cluster.json: a snapshot has to be the first of the files"

finish
