#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs whose tasks are not all alike: roles and groups in traces and services, the effect of
# failures, and what snapshots keep. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh
holds() { awk "BEGIN { exit !($1) }" || { echo "# $1 does not hold" && false; }; }

# ---- workers and servers ----

# 28,800 GPU-seconds on 8 workers, a checkpoint every 600 s. At 1,000 s a node with two workers goes:
#   continue   8,000 done, 20,800 at 6 a second
#   shrink     4,800 safe, a restart of 60 s, 24,000 at 6 a second
#   restart    the same, since the rest of the job finds its devices free
cat >"$tmp/ps.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "n", "count": 4, "node": {"gpus": 2, "cpus": 8}}]},
 "workload": {"trace": "ps.csv"}, "policy": {"name": "fifo"}, "outages_file": "out.csv", "network": "off",
 "checkpoint": {"interval": "600s", "write": "0s", "restart": "60s"}, "window": {"horizon": "all"},
 "outputs": {"journal": "facts"}}
JSON
printf 'job_id,submit_s,duration_s,roles,on_failure\nps,0,3600,worker tasks=8 min=6 gpus=1; server tasks=2 cpus=4,\n' >"$tmp/ps.csv"
printf 'node,down_s,up_s\nn-1,1000,100000\n' >"$tmp/out.csv"
ends() { awk -F, '$1 == "ps" { print $8, $13, $15 }' "$1/jobs.csv"; } # end, work lost, failures
loses() { # loses ON_FAILURE EXPECTED [OPTION...]
    choice=$1 expected=$2
    shift 2
    run run "$tmp/ps.json" -o "$tmp/ps" --audit --no-report --quiet --set on_failure="$choice" "$@" && status_is 0 &&
        equal "$(ends "$tmp/ps")" "$expected"
}
for policy in fifo easy srtf slurm runai; do
    check "$policy: workers are lost, and no work" loses continue "4466.667 0 1" --policy $policy
done
check "shrink: those left go on from the last checkpoint" loses shrink "5060 400 1"
check "restart: so does the whole job, where its devices are free" loses restart "5060 400 1"
run replay "$tmp/ps/journal.jsonl"
check "the journal of facts is decided again" says out "the same decisions"

# n-0 has both servers: the whole job restarts, whatever else it could do without.
printf 'node,down_s,up_s\nn-0,1000,100000\n' >"$tmp/out.csv"
check "a lost server stops the job" loses continue "5060 400 1"
# At 2,000 s the node is back: 1,000 s of 8, 1,000 s of 6, the rest of 8.
printf 'node,down_s,up_s\nn-1,1000,2000\n' >"$tmp/out.csv"
check "lost workers come back with the node" loses continue "3850 0 1"
sed -i 's/,$/,continue/' "$tmp/ps.csv"
check "what the job says counts before the scenario" loses restart "3850 0 1"
sed -i 's/,continue$/,restart/' "$tmp/ps.csv"
check "and the other way round: from 600 s of 8, 940 s of 6, the rest of 8" loses continue "4295 400 1"
printf 'job_id,submit_s,duration_s,roles,on_failure\nps,0,3600,worker tasks=8 min=7 gpus=1; server tasks=2 cpus=4,\n' >"$tmp/ps.csv"
check "below its minimum the job waits for the node" loses continue "5060 400 1"

# ---- groups ----

# Two racks of two nodes. A job of 3 GPUs holds rack 0 except for one GPU. Four workers that need
# one rack get rack 1, and the evaluator, in no group, the remaining GPU.
cat >"$tmp/near.json" <<'JSON'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "n", "count": 4, "node": {"gpus": 2}, "nodes_per": {"rack": 2}}]},
 "workload": {"trace": "near.csv"}, "policy": {"name": "runai"}, "network": "off"}
JSON
near() { # near ROLES: where its tasks are
    printf 'job_id,submit_s,duration_s,tasks,gpus_per_task,roles\nfirst,0,1000,3,1,\ngang,1,100,,,%s\n' "$1" >"$tmp/near.csv"
    run run "$tmp/near.json" -o "$tmp/near" --audit --no-report --quiet && status_is 0 &&
        awk -F, '$1 == "gang" { print $7, $17 }' "$tmp/near/jobs.csv"
}
check "a group stays in its rack, others go anywhere" equal \
    "$(near '[ring] required=rack; worker tasks=4 gpus=1 in=ring; eval gpus=1')" "1 n-2:1;n-2:1;n-3:1;n-3:1;n-1:1"
check "with the evaluator in the group it waits for a rack of five GPUs, which there is not" eval \
    'near "[ring] required=rack; worker tasks=4 gpus=1 in=ring; eval gpus=1 in=ring" >"$tmp/where"; equal "$(json "$tmp/near/summary.json" jobs.pending)" 1'
check "each role in a rack of its own" equal \
    "$(near 'prefill tasks=2 gpus=2 required=rack; decode gpus=1 required=rack')" "1 n-2:2;n-3:2;n-1:1"
check "a job that fits no fleet is set aside" eval \
    'near "worker tasks=8 gpus=1; chief gpus=1" >"$tmp/where"; equal "$(json "$tmp/near/summary.json" jobs.never_fits)" 1'

# ---- round trips ----

run trace generate philly --set jobs=400 --set gpus=64 --set max_gpus=16 --set server_share=0.7 --seed 3 -o "$tmp/made.csv"
check "a generated trace has jobs with servers" eval 'status_is 0 && holds "$(grep -c "worker tasks" "$tmp/made.csv") > 10"'
run trace convert "$tmp/made.csv" -o "$tmp/again.csv"
check "convert keeps them" eval 'status_is 0 && same "$tmp/made.csv" "$tmp/again.csv"'
run trace convert "$tmp/made.csv" --to swf -o "$tmp/made.swf"
check "SWF has their GPUs" eval 'status_is 0 && equal "$(grep -vc "^;" "$tmp/made.swf")" 400'

cat >"$tmp/many.json" <<'JSON'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "n", "count": 8, "node": {"gpus": 8, "cpus": 64}, "nodes_per": {"rack": 2}}]},
 "workload": {"trace": "made.csv"}, "policy": {"name": "fifo"}, "outages_file": "many.csv",
 "checkpoint": {"interval": "20m", "write": "5s", "restart": "30s"}, "window": {"horizon": "all"},
 "outputs": {"journal": "facts"}}
JSON
awk -F, 'NR == 2 { first = $2 } END { print "node,down_s,up_s"
    for (i = 0; i < 40; i++) printf "n-%d,%d,%d\n", i % 8, first + 40000 * i + 20000, first + 40000 * i + 35000 }' "$tmp/made.csv" >"$tmp/many.csv"
for policy in fifo easy las slurm kube-default runai quota-fgd edf-preemptive; do
    run run "$tmp/many.json" --policy $policy -o "$tmp/many" --audit --no-report --quiet
    check "$policy: 400 jobs, 40 outages, all invariants hold and all jobs end" eval \
        'status_is 0 && equal "$(awk -F, "NR > 1 && \$8 == \"\"" "$tmp/many/jobs.csv" | wc -l)" 0'
    run replay "$tmp/many/journal.jsonl"
    check "$policy: decided again" says out "the same decisions"
done

# Two runs joined by a snapshot, in the middle of an outage.
printf 'job_id,submit_s,duration_s,roles,on_failure\nps,0,3600,[ring] required=rack; worker tasks=6 min=4 gpus=1 in=ring; server tasks=2 cpus=4,continue\nb,10,900,chief gpus=1 cpus=2; worker tasks=3 gpus=2,\n' >"$tmp/glue.csv"
cat >"$tmp/glue.json" <<'JSON'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "n", "count": 4, "node": {"gpus": 4, "cpus": 8}, "nodes_per": {"rack": 2}}]},
 "workload": {"trace": "glue.csv"}, "policy": {"name": "runai"}, "network": "off", "window": {"horizon": "all"}}
JSON
run run "$tmp/glue.json" -o "$tmp/whole" --audit --no-report --quiet
run run "$tmp/glue.json" -o "$tmp/first" --audit --no-report --quiet --snapshot-at 500
check "a snapshot has roles and groups" eval 'status_is 0 && grep -q "\"name\": \"0001-server\", \"min_tasks\": 2" "$tmp/first/snapshot.json" && grep -q "\"groups\": \[{\"name\": \"000-ring\"" "$tmp/first/snapshot.json"'
sed 's|"workload": {"trace": "glue.csv"}|"start": {"snapshot": "first/snapshot.json"}|' "$tmp/glue.json" >"$tmp/rest.json"
run run "$tmp/rest.json" -o "$tmp/rest" --audit --no-report --quiet
check "the rest ends as the whole run" eval 'status_is 0 && equal "$(cut -d, -f1,8 "$tmp/rest/jobs.csv" | sort)" "$(cut -d, -f1,8 "$tmp/whole/jobs.csv" | sort)"'
run run "$tmp/rest.json" -o "$tmp/second" --audit --no-report --quiet --snapshot-at 700
check "and can be photographed again" status_is 0

# ---- services ----

# Two replicas of 1 + 2 GPUs for an hour.
cat >"$tmp/service.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "n", "count": 4, "node": {"gpus": 2}}]},
 "workload": {"trace": "none.csv"},
 "services": [{"name": "chat", "roles": "prefill gpus=1; decode tasks=2 gpus=1", "min": 2, "max": 2, "rps_per_replica": 1,
   "load": {"peak_rps": 1}}],
 "policy": {"name": "fifo"}, "window": {"horizon": "1h"}}
JSON
printf 'job_id,submit_s,duration_s,gpus\nnothing,0,0,0\n' >"$tmp/none.csv"
run run "$tmp/service.json" -o "$tmp/service" --audit --no-report --quiet
check "replicas have the GPUs of all their roles" eval 'status_is 0 && equal "$(json "$tmp/service/summary.json" gpu_hours.allocated)" 6'
run run "$tmp/service.json" -o "$tmp/bad" --no-report --quiet --set 'services[0].roles=decode task=2'
check "a mistake in them is found with its path" eval 'status_is 2 && says err "services[0].roles: unknown setting" && says err "did you mean"'

# ---- refusals ----

refused_as() { status_is 2 && says err "$1"; }
refused() { # refused TEXT ROW: of a trace with these columns
    printf 'job_id,submit_s,duration_s,gpus,roles,on_failure\n%s\n' "$2" >"$tmp/bad.csv"
    run trace stats "$tmp/bad.csv"
    check "refused: $1" refused_as "$1"
}
refused "bad.csv:2:5: role 'w' has min=3 above its tasks, 2" 'a,0,10,,w tasks=2 min=3,'
refused "bad.csv:2:4: both roles and gpus are given" 'a,0,10,4,w tasks=2,'
refused "bad.csv:2:6: column 'on_failure': 'stop' is not valid, expected restart, shrink or continue" 'a,0,10,4,,stop'
finish
