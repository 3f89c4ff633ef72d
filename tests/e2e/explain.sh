#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `explain`: changes with which a pending job would start, each on a cluster of a few nodes where
# counting gives the answer. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# ---- alternatives -------------------------------------------------------------------------------

# snapshot NODES QUEUES JOBS POLICY
snapshot() {
    printf '{"fauxfleet_snapshot": 1, "now_ms": 3600000, "policy": {%s},\n "topologies": [{"name": "fabric", "levels": ["pod", "rack"]}],\n' "$4"
    printf ' "nodes": [%s],\n "queues": [%s],\n "jobs": [%s]}\n' "$1" "$2" "$3"
}
node() { printf '{"name": "%s", "gpus": %s, "gpu_type": "%s", "labels": {"pod": "p", "rack": "%s"}, "cpu_milli": 16000, "mem_mib": 64000}' "$1" "$2" "${3:-h100}" "${4:-r}"; }
# Tasks with equal requests: tasks COUNT REQUEST
tasks() {
    n=0
    while [ "$n" -lt "$1" ]; do
        printf '%s{"id": "%02d", %s}' "${comma:-}" "$n" "$2"
        comma=', '
        n=$((n + 1))
    done
    comma=
}
holds() { printf '{"id": "%s", "queue": "%s", "priority": %s, "preemptible": %s, "submit_ms": 0, "last_start_ms": 0, %s "tasks": [{"id": "t", "state": "running", "node": "%s", %s}]}' "$@"; }
waits() { printf '{"id": "x", "queue": "q", "submit_ms": 1800000, %s "tasks": [%s]}' "$1" "$2"; }

quota='{"name": "q", "gpu": {"quota": -1}}'
fixed='"preemptible": false,'
eight="$(node n0 8), $(node n1 8)"
half=$(holds r q 50 false '' n1 '"gpus": 4')

# explained CASE LINE...: checks that all these lines are in the answer.
explained() {
    case=$1
    shift
    run explain "$tmp/s.json" x
    for line; do
        check "$case: $line" eval 'status_is 0 && says out "$line"'
    done
}

snapshot "$eight" "$quota" "$half, $(waits '' "$(tasks 16 '"gpus": 1')")" '"name": "runai"' >"$tmp/s.json"
explained "16 tasks, 12 GPUs free" "because      DEVICES_BUSY" "  alternative  starts now with 12 GPUs: 12 tasks instead of 16, on n1, n0"
snapshot "$eight" "$quota" "$half, $(waits '' "$(tasks 2 '"gpus": 8')")" '"name": "runai"' >"$tmp/s.json"
explained "two of 8, 8 and 4 free" "  alternative  starts now with 8 GPUs: 1 task instead of 2, on n0" \
    "               starts now with 8 GPUs: 4 in each task instead of 8, on "
snapshot "$eight" "$quota" "$half, $(holds s q 50 false '' n0 '"gpus": 4'), $(waits '' "$(tasks 1 '"gpus": 8, "cpu_milli": 8000')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "one of 8, 4 and 4 free" "because      FRAGMENTED" "  alternative  starts now with 4 GPUs instead of 8, on n0" \
    "               starts now with its 8 GPUs in 2 tasks of 4 instead of 1, on n0, n1"
snapshot "$(node n0 1)" "$quota" "$(holds r q 50 false '' n0 '"gpu_milli": 700, "devices": [0]'), $(waits '' "$(tasks 1 '"gpu_milli": 500')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "half a device, 0.3 free" "  alternative  starts now with 0.3 GPUs: 0.3 of each GPU instead of 0.5, on n0"
snapshot "$(node n0 8)" "$quota" "$(holds r q 50 false '' n0 '"gpus": 1, "cpu_milli": 12000'), $(waits '' "$(tasks 1 '"gpus": 1, "cpu_milli": 8000, "mem_mib": 1000')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "4 cores free, 8 wanted" "because      CPU_OR_MEMORY" "  alternative  starts now with 50 % of its CPU and memory: 4 cores and 500 MiB in its task, on n0"
snapshot "$(node n0 8), $(node n1 8 a100)" "$quota" "$(holds r q 50 false '' n0 '"gpus": 6'), $(waits '' "$(tasks 1 '"gpus": 8, "gpu_types": "h100"')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "of another type" "free where it may run: 2 GPUs (2 whole)" "  alternative  starts now with 2 GPUs instead of 8, on n0" \
    "               starts now with GPU type a100 instead of h100, on n1"
snapshot "$(node n0 8 h100 r1), $(node n1 8 h100 r2)" "$quota" "$(holds r q 50 false '' n0 '"gpus": 8'), $(waits '' "$(tasks 1 '"gpus": 8, "node_labels": {"rack": "r1"}')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "on another node" "  alternative  starts now without its conditions on labels of nodes, on n1"
racks="$(node n0 8 h100 r1), $(node n1 8 h100 r2)"
halves="$(holds r q 50 false '' n0 '"gpus": 4'), $(holds s q 50 false '' n1 '"gpus": 4')"
snapshot "$racks" "$quota" "$halves, $(waits '"topology": {"topology": "fabric", "required": "rack"},' "$(tasks 2 '"gpus": 4')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "two racks with room for one task each" "because      TOPOLOGY_FRAGMENTED" "starts now with level 'pod' required instead of 'rack', on n1, n0"
snapshot "$racks" "$quota" "$(waits '"topology": {"topology": "fabric", "required": "rac"},' "$(tasks 2 '"gpus": 8')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "no such level" "  alternative  starts now without the topology that is not there, on n0, n1"
snapshot "$(node n0 8)" '{"name": "q", "gpu": {"quota": 0, "limit": 2000}}, {"name": "other"}' "$(waits '' "$(tasks 1 '"gpus": 4')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "a limit of 2" "because      OVER_LIMIT" "  alternative  starts now with 2 GPUs instead of 4, on n0" "               starts now in queue 'other', on n0"
snapshot "$(node n0 8)" "$quota" "$(holds low q 30 true '' n0 '"gpus": 3'), $(holds high q 60 true '' n0 '"gpus": 5'), $(waits '"priority": 20,' "$(tasks 1 '"gpus": 2')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "priority over one of two" "  alternative  starts after evictions with priority 31 instead of 20, on n0; evicts low (3 GPUs)"
snapshot "$(node n0 8)" '{"name": "q", "gpu": {"quota": 0}}' "$(waits "$fixed" "$(tasks 1 '"gpus": 2')")" '"name": "runai"' >"$tmp/s.json"
explained "no quota" "because      OVER_QUOTA" "  alternative  starts now as a preemptible job, on n0"
snapshot "$(node n0 8)" "$quota" "$(waits '' "$(tasks 1 '"gpus": 9')")" '"name": "runai"' >"$tmp/s.json"
explained "never fits" "because      NEVER_FITS" "  alternative  starts now with 8 GPUs instead of 9, on n0"
snapshot "$(node n0 8)" "$quota" "$(holds r q 50 false '' n0 '"gpus": 8'), $(waits "$fixed" "$(tasks 1 '"gpus": 1')")" '"name": "runai"' >"$tmp/s.json"
explained "nothing free" "  alternative  no change that was tried starts it now; no whole GPU is free where it may run"

# Of 4 GPUs two queues are due 2 each.
two='{"name": "q", "gpu": {"quota": 2000}}, {"name": "other", "gpu": {"quota": 2000}}'
snapshot "$(node n0 4)" "$two" "$(holds r q 50 false '' n0 '"gpus": 2'), $(holds s other 50 false '' n0 '"gpus": 2'), $(waits '' "$(tasks 1 '"gpus": 1')")" \
    '"name": "runai"' >"$tmp/s.json"
explained "beyond its share" "               queue 'q' has 2 GPUs and would have 3 with it, above its fair share of 2"
run explain "$tmp/s.json" x --json
check "beyond its share: JSON" eval 'says out "\"queue_gpus\": 2," && says out "\"fair_share_gpus\": 2"'
snapshot "$(node n0 4)" "$two" "$(holds s other 50 false '' n0 '"gpus": 4'), $(waits '' "$(tasks 1 '"gpus": 1')")" '"name": "runai"' >"$tmp/s.json"
explained "within its share" "               queue 'q' has 0 GPUs of its fair share of 1"
sed 's/"runai"/"fifo"/' "$tmp/s.json" >"$tmp/fifo.json" && mv "$tmp/fifo.json" "$tmp/s.json"
explained "without quotas" "because      DEVICES_BUSY"
check "without quotas there are no shares" eval '! says out "fair share"'

# A running job has an hour left, and a job before x waits for it: x may go ahead if it ends by
# then.
snapshot "$(node n0 4)" '{"name": "q"}' "$(holds r q 0 true '"limit_s": 7200,' n0 '"gpus": 2'),
  {\"id\": \"first\", \"queue\": \"q\", \"submit_ms\": 900000, \"limit_s\": 3600, \"tasks\": [{\"id\": \"t\", \"gpus\": 4}]},
  $(waits '"limit_s": 7200,' "$(tasks 1 '"gpus": 2')")" '"name": "easy"' >"$tmp/s.json"
explained "backfill" "because      RESERVED" "  alternative  starts now with a time limit of 60 min, on n0"
# Under strict queueing a smaller job has to wait as well.
sed 's/"easy"/"fifo"/' "$tmp/s.json" >"$tmp/fifo.json" && mv "$tmp/fifo.json" "$tmp/s.json"
explained "strict" "because      BEHIND" "  alternative  no change that was tried starts it now"

run explain "$tmp/s.json" x --json
check "JSON" eval 'is_json "$tmp/out" && says out "\"alternatives\": []"'
snapshot "$(node n0 8)" "$quota" "$(holds low q 30 true '' n0 '"gpus": 8'), $(waits '"priority": 40,' "$(tasks 1 '"gpus": 2')")" '"name": "runai"' >"$tmp/s.json"
explained "it gets its place by eviction" "  next         the policy nominates 1 of its tasks (preempt): 00 on n0" "  for it       evicts low (8 GPUs)" \
    "  alternative  it starts there once that is free"
snapshot "$(node n0 8)" "$quota" "$(holds r q 50 false '' n0 '"gpus": 6'), $(waits '' "$(tasks 1 '"gpus": 4')")" '"name": "runai"' >"$tmp/s.json"
run explain "$tmp/s.json" x --json
for line in '"change": "fewer_gpus"' '"detail": "with 2 GPUs instead of 4"' '"starts": "now"' '"gpus": 2,' '"n0"'; do
    check "JSON: $line" says out "$line"
done

# Partial cases: a gang that cannot work yet, one that can and wants to grow, one that may not be
# considered.
task() { printf '{"id": "%s", "role": "w", "state": "%s", %s}' "$@"; }
of_two() { printf '{"id": "x", "queue": "q", "submit_ms": 1800000, "roles": [{"name": "w", "min_tasks": %s}], "tasks": [%s, %s]}' "$@"; }
held=$(task 0 running '"node": "n0", "gpus": 4')
snapshot "$(node n0 8)" "$quota" "$(of_two 2 "$held" "$(task 1 pending '"gpus": 6')")" '"name": "kube-default"' >"$tmp/s.json"
explained "half of a gang" "GPUs): 1 of its 2 tasks hold devices and wait for the rest" "because      DEVICES_BUSY"
check "half of a gang: not since it came" eval '! says out "pending for"'
run explain "$tmp/s.json" x --json
check "half of a gang: JSON" eval 'says out "\"state\": \"partly\"" && says out "\"tasks_running\": 1"'
snapshot "$(node n0 8)" "$quota" "$(of_two 1 "$held" "$(task 1 pending '"gpus": 6')")" '"name": "runai"' >"$tmp/s.json"
explained "one that wants to grow" "GPUs): runs with 1 of its 2 tasks" "because      DEVICES_BUSY"
snapshot "$(node n0 8)" "$quota" "$(of_two 1 "$(task 0 gated '"gpus": 1')" "$(task 1 gated '"gpus": 1')")" '"name": "runai"' >"$tmp/s.json"
explained "gated" "GPUs): held: tasks of it are gated"

# Each code of the policy core, once; a code without a meaning would be missing.
run list reasons --json
check "list reasons" eval 'status_is 0 && is_json "$tmp/out"'
codes=$(sed -n '/^enum policy_reason {/,/^};/s/^ *POLICY_REASON_\([A-Z_]*\) *= *[0-9].*/\1/p' policies/policy.h)
check "there are codes" [ "$(printf '%s\n' "$codes" | wc -l)" -gt 20 ]
for code in $codes; do
    [ "$code" = NONE ] || check "list reasons: $code" equal "$(grep -c "\"name\": \"$code\"" "$tmp/out")" 1
done

# ---- the life of a job of a run -----------------------------------------------------------------

# Four devices: a has 3 of them from 0 to 10; b wants 3, so d is behind it until b starts; then two
# are short until 15.
run run tests/e2e/data/node.json -o "$tmp/node" --no-report --quiet
while IFS='|' read -r arguments expected; do
    # shellcheck disable=SC2086
    run explain "$tmp/node" $arguments
    check "explain $arguments: $expected" eval 'status_is 0 && silent err && says out "$expected"'
done <<'ROWS'
b --at 5|  alternative  starts now with 1 GPU instead of 3, on p-0
b|+9s        starts 1 task on p-0
b|  waited 9s in all
b|DEVICES_BUSY                 9s  100.0%
d|BEHIND                       7s   58.3%
d|DEVICES_BUSY                 5s   41.7%
d|  pending for  12s in all, here after 3
d|  because      BEHIND (7s, 58.3%): behind
d|  behind       job b
d --json|"reason": "BEHIND"
d --json|"reason_s": 7,
d --json|"reason_share": 0.5833
d --json|"waited_s": 12
d --json|"share": 0.5833
ROWS
run explain "$tmp/node" d
cp "$tmp/out" "$tmp/first"
run explain "$tmp/node" d
check "equal runs give equal bytes" same "$tmp/out" "$tmp/first"

# It starts at once, is evicted from 3:00:00 on, and after a grace of 30 s waits for three hours.
run run scenarios/studies/susan-joe-jemma.json -o "$tmp/quotas" --no-report --quiet
run explain "$tmp/quotas" susan-3
check "one that was evicted: asked about when it waited" eval 'status_is 0 && says out "Job susan-3 at 16230 s" && says out "  pending for  3h0m0s in all, here after 1h30m0s"'
run explain "$tmp/quotas" susan-3 --at 12000
check "one that was evicted: since then" says out "  pending for  19m30s of 3h0m0s"
run explain "$tmp/quotas" susan-3 --at 12000 --json
check "one that was evicted: JSON" says out '"waited_s": 1170,'

# explain agrees with jobs.csv: the wait, the start and the end, also with evictions.
run run tests/e2e/data/preempt.json -o "$tmp/preempt" --no-report --quiet
sed 1d "$tmp/preempt/jobs.csv" >"$tmp/rows"
while IFS=, read -r job _ _ _ _ submit start end _ queue _; do
    run explain "$tmp/preempt" "$job" --json
    check "preempt: $job waited $queue s from $submit to its start at $start and its end at $end" eval 'status_is 0 && silent err &&
        says out "  \"waited_s\": $queue," && says out "\"to_s\": $end,"'
    check "preempt: it started then" says out "\"from_s\": $start,"
done <"$tmp/rows"

# ---- when it will start -------------------------------------------------------------------------

# r has run for one of the two hours it may; nothing else is there: x starts in an hour, whatever
# its size.
blocked() { snapshot "$(node n0 8)" "$quota" "$(holds r q 50 false "$1" n0 '"gpus": 8'), $(waits '"limit_s": 60,' "$(tasks 1 '"gpus": 4')")" '"name": "runai"'; }
blocked '"limit_s": 7200,' >"$tmp/s.json"
run explain "$tmp/s.json" x --replicas 5
check "ETA: what the limit of the job before it leaves" eval 'status_is 0 && says out "  starts       in 1h00m (in 5 replicas)"'
check "ETA: no sooner with half its size" says out "               or with 2 GPUs instead of 4: in 1h00m"
run explain "$tmp/s.json" x --replicas 5 --json
check "ETA: JSON" eval 'is_json "$tmp/out" && says out "\"median_s\": 3600" && says out "\"started\": 5"'
run explain "$tmp/s.json" r --replicas 5
check "no ETA for what runs" eval 'status_is 0 && ! says out "replicas"'

# Exponential: twice the mean is twice the draw, in each replica and so in the median, which is
# about ln 2 of the mean, with a standard deviation of a tenth of it (1 / sqrt(99)).
blocked '' >"$tmp/s.json"
median() { sed -n '/"eta": {/,/}/s/.*"median_s": *\([0-9.]*\).*/\1/p' "$1"; }
run explain "$tmp/s.json" x --replicas 99 --json --set start.remaining=exponential:1h
one=$(median "$tmp/out")
run explain "$tmp/s.json" x --replicas 99 --json --set start.remaining=exponential:2h -j4
two=$(median "$tmp/out")
check "ETA: exponential, near its median" eval 'awk -v m="$one" "BEGIN { exit !(m > 3600 * 0.3 && m < 3600 * 1.1) }"'
check "ETA: twice the mean, $one and $two" eval 'awk -v a="$one" -v b="$two" "BEGIN { d = b - 2 * a; exit !(d * d < 0.01) }"'
cp "$tmp/out" "$tmp/first"
run explain "$tmp/s.json" x --replicas 99 --json --set start.remaining=exponential:2h -j1
check "ETA: does not depend on -j" same "$tmp/out" "$tmp/first"
run explain "$tmp/s.json" x --replicas 99 --json --set start.remaining=exponential:2h --seed 7
check "ETA: but on the seed" eval '! same "$tmp/out" "$tmp/first"'

# A job that comes later with a higher priority runs for ten minutes before it.
blocked '"limit_s": 7200,' >"$tmp/s.json"
printf 'job_id,submit_s,duration_s,gpus,queue,priority\ny,3700,600,8,q,90\n' >"$tmp/later.csv"
run explain "$tmp/s.json" x --replicas 3 --trace "$tmp/later.csv"
check "ETA: it knows what comes" eval '! says out "nothing is known"'
check "ETA: behind one that is still to come" eval 'status_is 0 && says out "  starts       in 1h10m (in 3 replicas)"'
printf 'job_id,submit_s,duration_s,gpus,queue,priority\nz,90000,600,8,q,90\ny,3700,600,8,q,90\n' >"$tmp/later.csv"
run explain "$tmp/s.json" x --replicas 3 --trace "$tmp/later.csv"
check "ETA: also where the trace is not sorted" eval 'status_is 0 && says out "  starts       in 1h10m (in 3 replicas)"'

snapshot "$(node n0 8)" "$quota" "$(holds r q 50 false '"limit_s": 7200,' n0 '"gpus": 8'), $(waits '"limit_s": 60,' "$(tasks 1 '"gpus": 9')")" \
    '"name": "runai"' >"$tmp/s.json"
run explain "$tmp/s.json" x --replicas 3
check "ETA: of later jobs it knows nothing" says out "of jobs that come later nothing is known"
check "ETA: all is carried over" eval '! says out "not carried over"'
check "ETA: never" eval 'status_is 0 && says out "in any of 3 replicas" && says out "or with 4 GPUs instead of 9: in 1h00m"'
run explain "$tmp/s.json" x --replicas 3 --json
check "ETA: never, in JSON" eval 'says out "\"started\": 0" && says out "\"median_s\": null" && says out "\"not_within_s\": "'

# The run at 5 s: b starts when a ends, at 10 s.
run explain "$tmp/node" b --at 5 --replicas 3
check "ETA: of a run" eval 'status_is 0 && silent err && says out "  starts       in 5s (in 3 replicas)"'
run explain "$tmp/s.json" x --set start.remaining=limits
check "--set goes with --replicas" refused "--set goes with --replicas"
run explain "$tmp/s.json" x --replicas 3 --set start.remaining=sometimes
check "an unknown distribution is refused" refused "start.remaining"

# Names come from others: on the terminal they must not act as control sequences. JSON has them
# unchanged.
printf '%s' '{"fauxfleet_snapshot": 1, "nodes": [{"name": "n\u001b[2J", "gpus": 1}], "queues": [{"name": "q\u0007"}],
 "jobs": [{"id": "j\u001b]0;x\u0007", "queue": "q\u0007", "submit_ms": 0, "roles": [{"name": "w", "min_tasks": 1}],
           "tasks": [{"id": "t\u009b", "role": "w", "state": "pending", "gpus": 1}]}]}' >"$tmp/names.json"
run explain "$tmp/names.json" "$(printf 'j\033]0;x\007')"
check "control characters of names are not printed" eval 'status_is 0 && says out "Job j\\u001b]0;x\\u0007 (queue q\\u0007" && says out "t\\u009b on n\\u001b[2J" && ! LC_ALL=C grep -q "[[:cntrl:]]" "$tmp/out"'
run explain "$tmp/names.json" "$(printf 'j\033]0;x\007')" --json
check "but told as JSON" eval 'is_json "$tmp/out" && says out "j\u001b]0;x\u0007"'

finish
