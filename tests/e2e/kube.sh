#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kubernetes' default scheduler as a policy: partly started gangs that wait for each other for ever,
# a session that preempts tasks of a gang, decisions and explanations on a snapshot. Figures are
# worked out by hand. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

data=tests/e2e/data
studies=scenarios/studies

simulate() {
    rm -rf "$tmp/run"
    scenario=$1
    shift
    run run "$scenario" -o "$tmp/run" --no-report --quiet --audit "$@"
    [ "$status" -eq 0 ]
}
value() { json "$tmp/run/summary.json" "$1"; }
# schedule: "job:first start-end" of all jobs, in order of their names.
schedule() { sed 1d "$tmp/run/jobs.csv" | awk -F, '{ print $1 ":" $7 "-" $8 }' | sort | tr '\n' ' ' | sed 's/ $//'; }
# starts JOB: how many of its tasks were started; evictions JOB: evicted.
starts() { grep -c "\"kind\": \"start\", \"job\": \"$1\"" "$tmp/run/journal.jsonl"; }
evictions() { grep -c "\"kind\": \"evict\", \"job\": \"$1\"" "$tmp/run/journal.jsonl"; }
holds() { awk "BEGIN { exit !($1) }" || { echo "# $1 does not hold" && false; }; }
golden() { check "$1: the journal is the golden one" equal "$(value engine.journal_sha256)" "$2"; }

# --- partly started gangs ------------------------------------------------------------------------

# Of 16 GPUs one is taken for an hour. At 60 s three of four workers of 4 GPUs start (12 of 15), at
# 120 s three of eight of one GPU, at 3600 s one more: 12 + 4 = 16. Held until the end at 21600 s:
# 12 x 21540 + 3 x 21480 + 18000 GPU-s, which is 94.7 GPU-hours of 96; 1 was worked.
check "partial-gangs runs, audited" simulate "$studies/partial-gangs.json"
check "partial-gangs: three of four, four of eight workers" equal "$(starts wide) $(starts narrow)" "3 4"
check "partial-gangs: all GPU time is held, and nothing is done" \
    equal "$(value jobs.completed) $(value jobs.running) $(value gpu_hours.productive) $(value gpu_hours.lost.startup)" "1 2 1 94.7"
check "partial-gangs: 16 of 16 GPUs are allocated in the end" eval 'tail -n 1 "$tmp/run/timeline.csv" | grep -q "^21600,16,16,16,"'
golden partial-gangs 3eb3aef2f6352977ede485d7407b1676d7641371c5729986e47312184adcf592
run explain "$tmp/run" narrow
check "partial-gangs: explain says what the gang holds in the end" \
    eval 'status_is 0 && says out "at 21600 s (queue language, train, 8 GPUs): 4 of its 8 tasks hold devices and wait for the rest"'
check "partial-gangs: explain says why" \
    eval 'says out "because      DEVICES_BUSY" && says out "it never waited for its first task"'
run explain "$tmp/run" narrow --at 3000 --json
check "partial-gangs: explain before the small job ends" eval 'says out "\"state\": \"partly\"" && says out "\"tasks_running\": 3"'
run explain "$tmp/run" small
check "partial-gangs: a job of one task runs" says out "): it runs"
cp "$tmp/run/journal.jsonl" "$tmp/first"
check "partial-gangs runs again" simulate "$studies/partial-gangs.json"
check "equal runs have equal bytes" same "$tmp/run/journal.jsonl" "$tmp/first"
# Treated as gangs, the second runs beside the small job, the first when 16 are free: 1 + 8 + 16
# GPU-hours.
check "partial-gangs, runai" simulate "$studies/partial-gangs.json" --policy runai
check "partial-gangs, runai: one gang after the other" equal "$(schedule)" "narrow:120-3720 small:0-3600 wide:3720-7320"
check "partial-gangs, runai: all is done, nothing held" \
    equal "$(value jobs.completed) $(value gpu_hours.productive) $(value gpu_hours.lost.startup)" "3 25 0"
# With the fullest node first, the first gang gets two workers on one node and one beside the small
# job: the same.
check "partial-gangs, most-allocated" simulate "$studies/partial-gangs.json" --set policy.options.score=most-allocated
check "partial-gangs, most-allocated: the first worker goes to the small job" \
    eval 'grep -q "\"job\": \"wide\", \"task\": 0, \"node\": \"dgx-0\"" "$tmp/run/journal.jsonl"'

# Three gangs of 8 that arrive together, on 16 GPUs. In turns: 16 = 6 + 5 + 5; one after the other:
# two, then the third.
check "gang-deadlock, pods in turns" simulate "$studies/gang-deadlock.json" --policy kube-default
check "gang-deadlock, pods in turns: six, five and five" \
    equal "$(starts vision-1) $(starts language-1) $(starts speech-1) $(value jobs.completed) $(value gpu_hours.productive)" "6 5 5 0 0"
check "gang-deadlock, job by job" simulate "$studies/gang-deadlock.json" --policy kube-default --set policies.kube-default.pod_order=job
check "gang-deadlock, job by job: two, then the third" equal "$(schedule)" \
    "language-1:0-3600 language-2:3600-3900 speech-1:3600-7200 vision-1:0-3600"

# --- preemption ----------------------------------------------------------------------------------

# At 60 s the session's task finds no room: the last two of the gang's tasks are evicted, with 10 s
# of notice. The gang stalls until they are back at 170 s: it ends 110 s late. Meanwhile it holds 8
# GPUs for 10 s and 6 for 100 s: 680 GPU-s.
check "a session takes two GPUs of a gang" simulate "$data/kube.json"
check "session: times" equal "$(schedule)" "gang:0-710 session:70-170"
check "session: two tasks were evicted" equal "$(evictions gang) $(value preemption.tasks) $(value gpu_hours.lost.startup)" "2 2 0.188889"
check "session: the journal says for which job and why" \
    eval 'grep -q "\"kind\": \"evict\", \"job\": \"gang\", \"task\": 6, .*\"for_job\": \"session\", \"reason\": \"PREEMPTED\"" "$tmp/run/journal.jsonl"'
golden session 4a3719194771b560311868df3709d5680efe9f727f70e99e58c1a5ef78a0cd4f
check "session, without preemption" simulate "$data/kube.json" --set policy.options.actions=allocate
check "session, without preemption: it waits for the gang" equal "$(schedule)" "gang:0-600 session:600-700"
# The gang has priority 50 and is marked preemptible; a session of priority 100 is not, and
# Kubernetes does not care.
sed 's/^gang,0,600,train,distributed/gang,0,600,train,build/; s/build,1,2$/inference,1,2/' "$data/kube.csv" >"$tmp/fixed.csv"
check "non-preemptible jobs are preempted by higher priority" simulate "$data/kube.json" --trace "$tmp/fixed.csv"
check "victims lower: the same times" equal "$(schedule)" "gang:0-710 session:70-170"
check "unless configured otherwise" simulate "$data/kube.json" --trace "$tmp/fixed.csv" --set policy.options.victims=preemptible
check "victims preemptible: no job is evicted" equal "$(schedule)" "gang:0-600 session:600-700"

# A fortnight of the demo: every event audited, evictions in hundreds of cycles.
check "the demo runs, audited" simulate scenarios/examples/demo.json --policy kube-default
check "the demo: all jobs are accounted for" holds "$(value jobs.completed) + $(value jobs.failed) + $(value jobs.cancelled) == $(value jobs.submitted)"
check "the demo: jobs were evicted" holds "$(value preemption.evictions) > 0"
check "the demo in turns, audited" simulate scenarios/examples/demo.json --policy kube-default --set policies.kube-default.pod_order=turns

# --- one decision --------------------------------------------------------------------------------

# Jobs that ask for 2, 2 and 8 devices of two nodes of 4: 2 are free on n1; on n0 a task of priority
# 50 is preempted; 8 never fit. The other two of n0's four are promised to the capped queue, 2 of
# its 3.
cat >"$tmp/now.json" <<'JSON'
{"fauxfleet_snapshot": 1, "now_ms": 100000,
 "nodes": [{"name": "n0", "gpus": 4}, {"name": "n1", "gpus": 4}],
 "queues": [{"name": "a", "gpu": {"quota": 0, "limit": -1, "weight": 1}},
            {"name": "b", "gpu": {"quota": 0, "limit": 2000, "weight": 1}}],
 "jobs": [
  {"id": "old", "queue": "a", "priority": 50, "submit_ms": 0, "last_start_ms": 1000, "roles": [{"name": "w", "min_tasks": 2}],
   "tasks": [{"id": "old-0", "role": "w", "state": "running", "node": "n0", "devices": [0, 1, 2, 3], "gpus": 4},
             {"id": "old-1", "role": "w", "state": "running", "node": "n1", "devices": [0, 1], "gpus": 2}]},
  {"id": "urgent", "queue": "a", "priority": 100, "preemptible": false, "submit_ms": 50000,
   "roles": [{"name": "w", "min_tasks": 3}],
   "tasks": [{"id": "u-0", "role": "w", "gpus": 2}, {"id": "u-1", "role": "w", "gpus": 2}, {"id": "u-2", "role": "w", "gpus": 8}]},
  {"id": "capped", "queue": "b", "priority": 10, "submit_ms": 10000, "roles": [{"name": "w", "min_tasks": 3}],
   "tasks": [{"id": "c-0", "role": "w", "gpus": 1}, {"id": "c-1", "role": "w", "gpus": 1}, {"id": "c-2", "role": "w", "gpus": 1}]}]}
JSON
run decide "$tmp/now.json" --policy kube-default --cycles 2
check "decide" status_is 0
while read -r line; do
    check "decide: $line" says out "$line"
done <<'ROWS'
{"kind": "start", "job": "urgent", "task": "u-0", "node": "n1", "devices": [2, 3], "action": "allocate"}
{"kind": "evict", "job": "old", "task": "old-0", "node": "n0", "action": "preempt", "for_job": "urgent", "reason": "PREEMPTED"}
{"kind": "nominate", "job": "urgent", "task": "u-1", "node": "n0", "devices": [], "action": "preempt"}
{"kind": "nominate", "job": "capped", "task": "c-1", "node": "n0", "devices": [], "action": "allocate"}
{"kind": "start", "job": "urgent", "task": "u-1", "node": "n0", "devices": [0, 1], "action": "allocate"}
{"job": "urgent", "reason": "NEVER_FITS"
{"job": "capped", "reason": "OVER_LIMIT"
{"job": "old", "reason": "DEVICES_BUSY"
ROWS
run explain "$tmp/now.json" urgent --policy kube-default
check "explain: what comes next" says out "the policy nominates 1 of its tasks (preempt): u-1 on n0"
run decide "$tmp/now.json" --policy kube-default --actions allocate,reclaim
check "other actions are refused" refused "only supports the actions 'allocate' and 'preempt'"
run run "$data/kube.json" --set policy.options.fairness=false -o "$tmp/no"
check "so are other policies' options" refused "fairness"
run run "$data/kube.json" --set policy.options.score=least -o "$tmp/no"
check "and invalid values" refused "'least' is not valid, expected least-allocated or most-allocated"
run list policies
check "it is listed" says out "kube-default"
run list placements
check "so are its scores, as placements of lines" eval 'says out "least-allocated" && says out "most-allocated"'

finish
