#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Decisions settle: the cycle of reclaim and preempt in `decide --cycles`, a snapshot that remembers
# it, a policy that never settles (exit code 4, with the cycle), and large bursts at one instant,
# which do settle.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

cores='"cpu": {"quota": -1, "limit": -1, "weight": 1}, "mem": {"quota": -1, "limit": -1, "weight": 1}'

# tasks NAME COUNT NODE[,NODE...]: running tasks, one device each.
tasks() {
    i=0
    for node in $(echo "$2" | tr , ' '); do
        [ $i -gt 0 ] && printf ', '
        printf '{"id": "%s-%d", "role": "w", "state": "running", "node": "%s", "gpus": 1}' "$1" "$i" "$node"
        i=$((i + 1))
    done
}

# The world of policies/act/reversal.h.
cat >"$tmp/circle.json" <<END
{"fauxfleet_snapshot": 1, "now_ms": 1000000,
 "nodes": [{"name": "n0", "gpus": 4}, {"name": "n1", "gpus": 4, "labels": {"side": "right"}}],
 "queues": [{"name": "A", "gpu": {"quota": 4000, "limit": -1, "weight": 0}, $cores},
            {"name": "B", "gpu": {"quota": 3000, "limit": -1, "weight": 1}, $cores}],
 "jobs": [{"id": "r", "queue": "B", "priority": 100, "preemptible": false, "submit_ms": 1, "roles": [{"name": "w", "min_tasks": 3}],
           "tasks": [$(tasks r n0,n0,n0)]},
          {"id": "u", "queue": "A", "priority": 75, "preemptible": true, "submit_ms": 2, "roles": [{"name": "w", "min_tasks": 5}],
           "tasks": [$(tasks u n0,n1,n1,n1,n1)]},
          {"id": "o", "queue": "A", "priority": 50, "preemptible": true, "submit_ms": 3, "roles": [{"name": "w", "min_tasks": 1}],
           "tasks": [{"id": "o-0", "role": "w", "state": "pending", "gpus": 4}]},
          {"id": "b", "queue": "B", "priority": 50, "preemptible": true, "submit_ms": 4, "roles": [{"name": "w", "min_tasks": 1}],
           "tasks": [{"id": "b-0", "role": "w", "state": "pending", "gpus": 1, "node_labels": {"side": "right"}}]}],
 "policy": {"name": "runai", "options": {}}}
END

# evictions CYCLE: jobs that lose tasks in that cycle of $tmp/out.
evictions() {
    awk -v want="$1" '/"cycle":/ { cycle = $2 + 0 } /"kind": *"evict"/ && cycle == want { print }' "$tmp/out" |
        grep -o '"job": *"[^"]*"' | sort -u | tr -d '\n'
}
run decide "$tmp/circle.json" --cycles 40
check "40 cycles" status_is 0
check "the first evicts u for b" equal "$(evictions 1)" '"job": "u"'
check "and no other evicts anybody" equal "$(grep -c '"kind": "evict"' "$tmp/out")" 5
sed 's|"options": {}|"options": {"usage_window": "sliding", "usage_k": 1, "usage_half_life_s": 3600, "reversal_s": 0}|' \
    "$tmp/circle.json" >"$tmp/fading.json"
run decide "$tmp/fading.json" --cycles 40
check "past use fades with time alone, so no circle at one instant either" \
    eval 'status_is 0 && equal "$(grep -c "\"kind\": \"evict\"" "$tmp/out")" 5'

# --- a policy that never settles -----------------------------------------------------------------

cat >"$tmp/restless.c" <<'END'
#include "plugin.h"
/* Evicts what ran before this moment, and starts the first job that waits. */
static void decide(void *self, struct policy_plan *plan)
{
    bool placed = false;
    (void)self;
    for (uint32_t i = 0; i < plan->job_count; i++) {
        const struct policy_plugin_job *job = &plan->jobs[i];
        if (job->state == POLICY_JOB_RUNS && job->since < plan->now)
            (void)plan->evict(plan, job, NULL);
        else if (job->state == POLICY_JOB_WAITS && !placed)
            placed = plan->place(plan, job);
    }
}
const struct policy_plugin fauxpolicy_plugin = {
    POLICY_PLUGIN_HEAD("restless", "evicts for ever"),
    .decide = decide,
};
END
${CC:-cc} -shared -fPIC -Ipolicies -o "$tmp/restless.so" "$tmp/restless.c" || exit 1
printf 'job_id,submit_s,duration_s,gpus\na,0,100,1\nb,1,100,1\n' >"$tmp/two.csv"
cat >"$tmp/loop.json" <<END
{"fauxfleet_scenario": 1, "name": "loop", "fleet": {"pools": [{"name": "p", "node": {"gpus": 2, "gpu_type": "any"}, "count": 1}]},
 "workload": {"trace": "two.csv"}, "policy": {"name": "fifo", "grace_s": 5}, "checkpoint": {"interval": "1h", "write": "10s"}}
END
run run "$tmp/loop.json" -o "$tmp/loop" --quiet --policy "$tmp/restless.so"
check "a run that would never end has exit code 4" status_is 4
check "it says under which policy" says err "under policy 'restless' decisions never settle"
check "when, and what goes round" eval 'says err "at 10046000 ms" && says err "preempt evicts '\''a'\'' (OUTRANKED); allocate starts '\''b'\''"'
check "and how to see it again" says err "to see it again: fauxfleet run"
cp "$tmp/err" "$tmp/first"
again=$(sed -n 's/^note: to see it again: fauxfleet //p' "$tmp/first")
check "the same command does the same" eval 'eval "run $again";  same "$tmp/first" "$tmp/err"'
run run "$tmp/loop.json" -o "$tmp/kept" --quiet --no-report --policy "$tmp/restless.so" --set checkpoint.write=1s \
    --set checkpoint.restart=0s
check "it continues as long as jobs progress" status_is 0
run whatif "$tmp/loop.json" --policy "$tmp/restless.so" --set policy.grace_s=4 --replicas 1
check "whatif too" eval 'status_is 4 && says err "never settle"'

# --- bursts --------------------------------------------------------------------------------------

awk 'BEGIN { print "job_id,submit_s,duration_s,gpus"; for (i = 0; i < 100000; i++) print i ",0," (i % 2 ? 0 : 1) ",1" }' >"$tmp/burst.csv"
run run "$tmp/loop.json" -o "$tmp/burst" --quiet --no-report --trace "$tmp/burst.csv" --set outputs.journal=false
check "100,000 jobs at one instant, half of them over at once" eval \
    'status_is 0 && equal "$(json "$tmp/burst/summary.json" jobs.completed)" 100000'
awk 'BEGIN { print "job_id,submit_s,duration_s,gpus,priority,queue"; for (i = 0; i < 3000; i++) print i ",0,0,1," (i % 100) "," i % 3 }' >"$tmp/tiny.csv"
for policy in runai kube-default srtf; do
    run run "$tmp/loop.json" -o "$tmp/tiny" --quiet --no-report --trace "$tmp/tiny.csv" --policy $policy --set queues=from-trace \
        --set outputs.journal=false
    check "$policy: jobs that are over at once" status_is 0
done

finish
