#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Finish-time fairness: by hand on eight GPUs, limiting cases in which it is 1, a published trace,
# and refusals. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# Two queues, jobs of four of eight GPUs for 100 s: a1 and a2 at 0, b1 at 10. Shared, a1 and a2 run
# at once and b1 waits until 100: completion times 100, 100, 190. Alone on four GPUs a2 runs after
# a1, and b1 at once: 100, 200, 100.
cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,queue
a1,0,100,4,a
a2,0,100,4,a
b1,10,100,4,b
CSV
cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 1}]},
 "queues": [{"name": "a"}, {"name": "b"}], "workload": {"trace": "jobs.csv"}, "policy": {"name": "fifo"}}
JSON
# rho ARGUMENT...: all of fairness.rho, and the means and slices of both queues.
rho() {
    run run "$tmp/s.json" -o "$tmp/r" --no-report --quiet "$@"
    for key in rho.mean rho.p95 rho.max rho.share_above_1 rho.jobs rho.beyond_slice queues.a.rho.mean queues.a.rho.slice_gpus \
        queues.b.rho.mean queues.b.rho.slice_gpus; do
        printf '%s ' "$(json "$tmp/r/summary.json" fairness.$key)"
    done
}
check "1/N of the fleet: 1, 0.5 and 1.9" equal "$(rho --rho)" "1.133333 1.9 1.9 0.333333 3 0 0.75 4 1.9 4 "
# Six and two GPUs: still one job of a at a time; b1 alone would take turns on twice its slice: 200
# s.
six='0.816667 1 1 0 3 1 0.75 6 0.95 2 '
check "quotas are slices, and a job may be larger than its own" \
    equal "$(rho --rho --set queues.a.gpu.quota=6 --set queues.b.gpu.quota=2)" "$six"
check "so are weights" equal "$(rho --rho --set queues.a.gpu.weight=3)" "$six"
check "quotas above the fleet are scaled down" \
    equal "$(rho --rho --set queues.a.gpu.quota=12 --set queues.b.gpu.quota=4)" "$six"
# Limits at three: no slice holds a job, all of them take 100 x 4 / 3 s.
check "limits bound slices" \
    equal "$(rho --rho --policy fifo --set queues.a.gpu.limit=3 --set queues.b.gpu.limit=3)" "0.975 1.425 1.425 0.333333 3 3 0.75 3 1.425 3 "
rho --set metrics.rho=true >/dev/null
cp "$tmp/r/summary.json" "$tmp/asked.json"
rho --rho >/dev/null
check "--rho is metrics.rho" same "$tmp/asked.json" "$tmp/r/summary.json"
check "shown" says out "rho p95 1.900  rho above 1 33.3%"
with=$(json "$tmp/r/summary.json" engine.journal_sha256)
check "unless asked for it is null" equal "$(rho)" "null null null null       "
check "and decisions are the same" equal "$(json "$tmp/r/summary.json" engine.journal_sha256)" "$with"
rho --rho --replicas 2 >/dev/null
check "replicas have it, and their means" equal "$(json "$tmp/r/summary.json" fairness.rho.jobs)" 3

# A queue with the fleet to itself loses nothing, whatever fails: the same nodes fail at the same
# times.
run run scenarios/studies/fragmentation.json --rho -o "$tmp/one" --no-report --quiet \
    --set 'faults={"profile":"h100","scale":50}' --set window.drain=true
check "one queue, with faults: as alone" equal "$(json "$tmp/one/summary.json" fairness.rho.mean) $(json "$tmp/one/summary.json" fairness.rho.max)" "1 1"
check "one queue, with faults: there were some" [ "$(json "$tmp/one/summary.json" reliability.job_interruptions)" -gt 10 ]
# Nor does one alone on a list of nodes; two queues share each type of GPU in it.
printf 'sn,cpu_milli,memory_mib,gpu,model\n%s' "$(for n in 1 2 3 4; do printf 'v%s,96000,400000,8,V100M32\nt%s,96000,400000,2,T4\n' $n $n; done)" >"$tmp/nodes.csv"
sed 's/"fleet": {.*}\]},$/"fleet": {"nodes_file": "nodes.csv", "format": "openb"},/' "$tmp/s.json" >"$tmp/list.json"
run run "$tmp/list.json" --rho --set 'queues=[{"name":"a"}]' --set workload.assign.queue=a -o "$tmp/list" --no-report --quiet
check "a list of nodes, one queue" equal "$(json "$tmp/list/summary.json" fairness.rho.mean) $(json "$tmp/list/summary.json" fairness.rho.jobs)" "1 3"
run run "$tmp/list.json" --rho -o "$tmp/list" --no-report --quiet
check "a list of nodes, two queues: 20 GPUs each, and no job waits" equal "$(json "$tmp/list/summary.json" fairness.rho.mean) \
$(json "$tmp/list/summary.json" fairness.queues.a.rho.slice_gpus)" "1 \
20"
# Policies, networks, shares of devices, services: under static each queue owns its devices and
# loses nothing either.
for policy in runai kube-default srtf; do
    run run scenarios/examples/demo.json --policy $policy --rho --set network=contention -o "$tmp/demo" --no-report --quiet
    check "demo, $policy: every job that ended has one" \
        equal "$status $(json "$tmp/demo/summary.json" fairness.rho.jobs)" "0 $(awk -F, 'NR > 1 && $8 != ""' "$tmp/demo/jobs.csv" | wc -l)"
done
run run scenarios/studies/services.json --rho -o "$tmp/services" --no-report --quiet --set window.horizon=2d --set workload.generate.horizon_s=2d
check "beside services" eval 'status_is 0 && [ "$(json "$tmp/services/summary.json" fairness.queues.batch.rho.slice_gpus)" = 128 ]'
run whatif "$tmp/s.json" --both metrics.rho=true --both replicas=3 --set queues.a.gpu.quota=6 --json --quiet
check "whatif compares it" says out '"fairness.rho.mean"'

# Virtual clusters are slices: of Helios Venus, as replayed by others (studies.sh), every job has
# exactly 1.
venus=$shared/traces/venus-sept/jobs.csv.gz
if [ -z "$shared" ] || [ ! -r "$venus" ]; then
    skip "venus-sept: 23,859 jobs on their own virtual clusters" "no traces/venus-sept"
else
    run run scenarios/studies/venus-sept.json --trace "$venus" --policy srtf --rho -o "$tmp/venus" --no-report --quiet
    check "venus-sept: 23,859 jobs on their own virtual clusters" \
        equal "$(for key in jobs mean max share_above_1; do json "$tmp/venus/summary.json" fairness.rho.$key; done | tr '\n' ' ')" "23859 1 1 0 "
fi

run run "$tmp/s.json" --rho --trace - -o "$tmp/none" --no-report --quiet
check "standard input cannot be read twice" refused "metrics.rho: each queue is simulated once more"
run run "$tmp/s.json" --rho --set workload.mode=fill --check
check "a packing study has none" refused "--rho: expected false: a packing study"
run run "$tmp/s.json" --snapshot-at 50 -o "$tmp/snap" --no-report --quiet
run run "$tmp/snap/snapshot.json" --set metrics.rho=true -o "$tmp/none" --no-report --quiet
check "nor a run that begins with a snapshot" eval '[ "$status" -eq 2 ]'
finish
