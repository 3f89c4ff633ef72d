#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A run time belongs to the hardware on which it was recorded: what changes of the fleet do to it,
# and what they must not. Ratios are those of published measurements (A100 to H100 in dense LLM
# 2.25, V100 0.37 of an A100), and of the catalogue where a class is assumed. Checks are given as
# text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

demo=scenarios/examples/demo.json
pool() { printf '{"name":"%s","node":"%s","count":%s}' "$1" "$2" "$3"; }

# Run time of a job of a run, in seconds.
ran() {
    awk -F, -v job="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "run_s") column = i }
        $1 == job { print $column }' "$tmp/$1/jobs.csv"
}
# True if a figure is within so many thousandths of another.
near() { awk -v a="$1" -v b="$2" -v most="${3:-1}" 'BEGIN { d = a / b - 1; exit !(a != "" && d <= most / 1000 && d >= -most / 1000) }'; }
holds() { awk "BEGIN { exit !($*) }"; }

# --- one job on other hardware --------------------------------------------------------------------

cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,tasks,gpus_per_task,model,recorded_on
llm,0,100000,1,8,gpt3-5b,
other,0,100000,1,8,,
volta,0,100000,1,8,gpt3-5b,dgx-1v
session,0,5000,1,1,,
CSV
sed -i '1s/$/,class/; 2,4s/$/,train/; 5s/$/,build/' "$tmp/jobs.csv"
cat >"$tmp/s.json" <<JSON
{"fauxfleet_scenario": 1, "fleet": {"pools": [$(pool p dgx-a100 8)]}, "workload": {"trace": "jobs.csv"}}
JSON
while read -r network node llm other volta most; do
    run run "$tmp/s.json" -o "$tmp/$node" --set network="$network" --set "fleet.pools=[$(pool p "$node" 8)]" --no-report --audit
    check "$network, $node: runs" status_is 0
    check "$network, $node: a dense LLM takes $llm s" near "$(ran "$node" llm)" "$llm" "$most"
    check "$network, $node: of a job of which nothing is known $other s" near "$(ran "$node" other)" "$other" "$most"
    check "$network, $node: recorded on V100 $volta s" near "$(ran "$node" volta)" "$volta" "$most"
    check "$network, $node: a session as long as people want" near "$(ran "$node" session)" 5000 0
    check "$network, $node: hardware is no slowdown" \
        holds "$(json "$tmp/$node/summary.json" gpu_hours.lost.slowdown) < 0.001 * $(json "$tmp/$node/summary.json" gpu_hours.running)"
done <<'ROWS'
off dgx-a100 100000 100000 37000 0.001
off dgx-h100 44444.444 47619.048 16444.44 0.001
off dgx-b200 21739.13 23809.524 8043.478 0.001
off dgx-1v 270270.27 222222.22 100000 0.001
placement dgx-a100 100000 100000 37000 20
placement dgx-h100 44444.444 47619.048 16444.44 20
placement dgx-b200 21739.13 23809.524 8043.478 20
ROWS
check "the note names the node that is assumed" says err "recorded on dgx-a100, the node of the first pool"
check "the table says what was assumed, and how sure it is" says out "recorded on dgx-a100; on dgx-b200: generic-medium x4.2 (assumed), gpt3-5b x4.6 (derived)"
check "and so does the summary" grep -q '"mark": "derived"' "$tmp/dgx-b200/summary.json"
run compare "$tmp/dgx-a100" "$tmp/dgx-h100"
check "so does a comparison" says out "speeds: recorded on dgx-1v; on dgx-a100: gpt3-5b x2.7"
run run "$tmp/s.json" -o "$tmp/page" --set "fleet.pools=[$(pool p dgx-h100 8)]" --quiet
check "and the report" grep -q 'id="speeds"' "$tmp/page/report.html"
run plan "$demo" --target 'p95(wait) <= 2d' --set fleet.pools.main.node=dgx-h100 --set window.horizon=2d --range 4..6 --replicas 2
check "and a plan" says out "speeds: recorded on dgx-a100; on dgx-h100: generic-medium x2.1 (assumed)"
once() { [ "$(grep -c "count as recorded on dgx-a100, the node of the first pool in the file" "$tmp/err")" = 1 ]; }
check "which names the node that is assumed once" once
run plan "$demo" --target 'p95(wait) <= 2d' --fleet main=dgx-h100 --set window.horizon=2d --range 4..5 --replicas 2
check "also where only an alternative fleet has others" once
noted() { if [ -z "$quiet" ]; then once; else ! says err "count as recorded"; fi; }
for quiet in '' --quiet; do
    run plan "$tmp/s.json" --method compaction --at 10s --set "fleet.pools=[$(pool p dgx-h100 8)]" $quiet
    check "compaction ${quiet:-not quiet}: so" noted
    printf '{"fauxfleet_sweep": 1, "scenario": "s.json", "metrics": ["wait_s.mean"], "grid": {"fleet.pools": [[%s], [%s], [%s]]}}' \
        "$(pool p dgx-a100 8)" "$(pool p dgx-h100 8)" "$(pool p dgx-b200 8)" >"$tmp/sweep.json"
    run sweep "$tmp/sweep.json" -o "$tmp/sweep$quiet" -j 2 $quiet
    check "sweep ${quiet:-not quiet}: so" eval 'status_is 0 && noted'
    printf '{"fauxfleet_scenario": 1, "fleet": {"pools": [%s, %s]}, "workload": {"trace": "jobs.csv"}}' "$(pool p dgx-a100 8)" "$(pool q dgx-h100 8)" >"$tmp/two.json"
    printf '{"fauxfleet_gate": 1, "scenarios": ["two.json"], "metrics": [{"metric": "wait_s.mean", "margin": 0.1}], "looks": [2]}' >"$tmp/gate.json"
    run gate "$tmp/gate.json" --base fifo --candidate fifo $quiet
    check "gate ${quiet:-not quiet}: so" eval 'status_is 0 && noted'
done
run run "$tmp/s.json" -o "$tmp/quiet" --set workload.jobs=2 --no-report
check "no note if all nodes are those that jobs were recorded on" eval 'status_is 0 && ! says err "recorded on" && ! says out "speeds"'

# --- the run directory's own scenario gives the same answer ---------------------------------------

run run "$tmp/s.json" -o "$tmp/first" --set "fleet.pools=[$(pool p dgx-b200 8)]" --no-report --quiet
cp "$tmp/jobs.csv" "$tmp/first/"
run run "$tmp/first/scenario.json" -o "$tmp/again" --no-report
check "scenario.json of a run: the same times, and no note" \
    eval 'status_is 0 && cmp -s "$tmp/first/jobs.csv" "$tmp/jobs.csv" && ! says err "recorded on"; [ "$(ran again llm)" = 21739.131 ] && ! says err "count as recorded"'
check "workload.recorded_on may be a node itself" \
    eval 'run run "$tmp/s.json" -o "$tmp/inline" --set workload.recorded_on="{\"gpus\":4,\"gpu_type\":\"H100 SXM5\"}" --no-report --quiet && status_is 0 && near "$(ran inline llm)" 225000'
run run "$tmp/s.json" -o "$tmp/none" --set workload.recorded_on=dgx-a10 --quiet
check "an unknown node, and the nearest" eval "status_is 2 && says err \"workload.recorded_on: unknown kind of node 'dgx-a10', did you mean 'dgx-a100'\""
sed 's/dgx-1v/dgx-1w/' "$tmp/jobs.csv" >"$tmp/wrong.csv"
run run "$tmp/s.json" -o "$tmp/none" --trace "$tmp/wrong.csv" --quiet
check "an unknown node in the trace" eval "status_is 2 && says err \"wrong.csv:4: job 'volta': recorded_on: unknown kind of node 'dgx-1w', did you mean 'dgx-1v'\""
run trace convert "$tmp/jobs.csv" -o "$tmp/copy.csv"
check "trace convert keeps the column" eval 'grep -q "^volta,.*,dgx-1v," "$tmp/copy.csv"'
run trace perturb "$tmp/jobs.csv" -o "$tmp/copy.csv" --set load=2
check "trace perturb keeps the column" eval 'grep -q ",dgx-1v," "$tmp/copy.csv"'

# A fleet of two kinds on which devices are only counted: how fast a job is, is unknown.
run run "$tmp/s.json" -o "$tmp/none" --set policy.options.placement=count --set "fleet.pools=[$(pool p dgx-a100 8),$(pool q dgx-h100 8)]" --quiet
check "counted devices of two speeds are refused, with what to do" eval 'status_is 2 && says err "not equally fast" && says err "policy.options.placement"'
run run "$tmp/s.json" -o "$tmp/count" --set policy.options.placement=count --set "fleet.pools=[$(pool p dgx-h100 8)]" --no-report --quiet
check "of one speed they are not" near "$(ran count llm)" 44444.4

# --- the same work --------------------------------------------------------------------------------

# Faults, evictions and failed jobs undo equal amounts of work in both currencies.
run run "$demo" --policy runai --set network=contention --set 'faults={"profile":"h100","scale":20}' --set window.horizon=6d \
    -o "$tmp/faulty" --no-report --quiet --audit
check "on recorded hardware the work done is what was productive" \
    equal "$(json "$tmp/faulty/summary.json" gpu_hours.work)" "$(json "$tmp/faulty/summary.json" gpu_hours.productive)"
work() { json "$tmp/$1/summary.json" gpu_hours.work; }
for node in dgx-a100 dgx-h100; do
    run run "$tmp/s.json" -o "$tmp/work-$node" --set "fleet.pools=[$(pool p "$node" 8)]" --set window.horizon=all --no-report --quiet
done
check "on other hardware it is the same work" near "$(work work-dgx-h100)" "$(work work-dgx-a100)" 0.01
check "which takes fewer GPU-hours" holds "$(json "$tmp/work-dgx-h100/summary.json" gpu_hours.productive) < 0.6 * $(work work-dgx-h100)"

# --- more and faster nodes ------------------------------------------------------------------------

cheap='"name":"main","node":"pcie-8x-2080ti","count":16'
run whatif "$demo" --both network=placement --both "fleet.pools=[{$cheap}]" --set "fleet.pools=[{$cheap},$(pool new dgx-a100 2)]" --replicas 1 --json
mean_wait() { awk '/"metric": "wait_s.mean"/ { inside = 1 } inside && /"mean":/ { gsub(/[^0-9.]/, ""); v[n++] = $0 } n == 2 { exit } END { print v['"$1"'] }' "$tmp/out"; }
check "adding faster nodes does not raise the mean wait" holds "$(mean_wait 1) < $(mean_wait 0)"
for count in 8 0; do
    run run "$demo" --set network=placement --set "fleet.pools=[$([ $count -gt 0 ] && printf '%s,' "$(pool a dgx-a100 8)")$(pool b dgx-b200 $((16 - count)))]" \
        -o "$tmp/half$count" --no-report --quiet
    check "$((16 - count)) of 16 nodes are B200: a job on one takes 1 / 4.2 of its time, on A100 all of it" eval '
        status_is 0 && awk -F, "NR > 1 && \$4 == \"train\" && \$19 == \"completed\" && \$12 > 1000 {
            want = \$17 ~ /^b-/ ? \$12 / 4.2 : \$12; jobs++; bad += \$11 / want > 1.01 || \$11 / want < 0.99 }
            END { exit !(jobs > 50 && bad < jobs / 20) }" "$tmp/half'$count'/jobs.csv"'
done

# --- an 8 x 8 job on thin nodes -------------------------------------------------------------------

cat >"$tmp/gang.csv" <<'CSV'
job_id,submit_s,duration_s,tasks,gpus_per_task,model
a,0,100000,8,8,gpt3-5b
CSV
nic() { sed -n "s/.*\"$1\": \\([0-9.]*\\).*/\\1/p" "$tmp/$2/summary.json" | head -n 1; }
for nodes in 16 32; do
    run run "$tmp/s.json" --trace "$tmp/gang.csv" -o "$tmp/n$nodes" --set network=placement --set "fleet.pools=[$(pool p pcie-8x-h100 $nodes)]" \
        --set workload.recorded_on=pcie-8x-h100 --no-report --quiet
done
check "the same time in a fleet of 16 and of 32 nodes" equal "$(ran n16 a)" "$(ran n32 a)"
before=
for gbit in 200 400 800; do
    node='{"gpus":8,"gpu_type":"h100","links":"pairs","pair_gb_s":115,"pcie_gb_s":20,"network":"infiniband","nics":2,"nic_gbit_s":'$gbit'}'
    run run "$tmp/s.json" --trace "$tmp/gang.csv" -o "$tmp/g$gbit" --set network=placement --set "fleet.pools=[{\"name\":\"p\",\"node\":$node,\"count\":16}]" \
        --set workload.recorded_on=pcie-8x-h100 --no-report --quiet
    check "$gbit Gbit/s: tokens a second and the run time move together" \
        near "$(holds 1 && awk -v r="$(json "$tmp/g$gbit/summary.json" models.gpt3-5b.samples_per_s)" -v t="$(ran g$gbit a)" 'BEGIN { print r * t }')" \
             "$(awk -v r="$(json "$tmp/n16/summary.json" models.gpt3-5b.samples_per_s)" -v t="$(ran n16 a)" 'BEGIN { print r * t }')"
    [ -z "$before" ] || check "$gbit Gbit/s: no slower than with half of that" holds "$(ran g$gbit a) <= $before"
    before=$(ran g$gbit a)
done

# Faster nodes hold jobs for fewer GPU-hours: that is no harm, the same work is done.
run whatif "$demo" --both network=placement --set fleet.pools.main.node=dgx-b200 --replicas 12 --quiet
check "faster nodes make no queue lose" eval 'status_is 0 && says out "No queue, class or size is certainly worse." && says out cost.usd_per_work_gpu_h'

# --- a running job's speed is that of its nodes ---------------------------------------------------

cat >"$tmp/now.json" <<'JSON'
{"fauxfleet_snapshot": 1, "now_ms": 0,
 "nodes": [{"name": "h0", "gpus": 8, "gpu_type": "h100"}, {"name": "a0", "gpus": 8, "gpu_type": "a100"}],
 "queues": [{"name": "q", "gpu": {"quota": 16000}}],
 "jobs": [{"id": "r", "queue": "q", "priority": 50, "submit_ms": -1000, "last_start_ms": -1000, "model": "gpt3-5b", "duration_s": 10001, "class": "train",
           "tasks": [{"id": "r-0", "state": "running", "node": "a0", "gpus": 8}]},
          {"id": "w", "queue": "q", "priority": 50, "submit_ms": -1000, "model": "gpt3-5b", "duration_s": 10000, "class": "train",
           "tasks": [{"id": "w-0", "state": "pending", "gpus": 8}]},
          {"id": "x", "queue": "q", "priority": 50, "submit_ms": -1, "model": "gpt3-5b", "duration_s": 10000, "class": "train", "recorded_on": "dgx-a100",
           "tasks": [{"id": "x-0", "state": "pending", "gpus": 8, "gpu_types": "h100"}]}]}
JSON
run run "$tmp/now.json" -o "$tmp/now" --policy fifo --no-report --audit
check "a snapshot on two kinds of nodes" status_is 0
check "jobs on A100 go on as before" near "$(ran now r)" 10001 0
check "what waits was recorded on the first node, unless it says otherwise" \
    eval 'near "$(ran now w)" 10000 0 && near "$(ran now x)" 4444.444 0.001'
check "the note says so" says err "recorded on GPUs of type h100, the first node"
run whatif "$tmp/now.json" --policy fifo --lose a0 --json
check "a job that loses its A100 goes on on the H100" status_is 0

# On other nodes a run is not affected.
run run "$tmp/s.json" -o "$tmp/mixed" --set "fleet.pools=[$(pool p dgx-a100 1),$(pool q dgx-h100 1),$(pool r dgx-1v 1)]" --no-report --quiet --snapshot-at 1000s
run run "$tmp/mixed/snapshot.json" -o "$tmp/rest" --set start.remaining=known --no-report --quiet --audit
check "a run that begins with a run's snapshot ends when that did" \
    eval 'status_is 0 && [ "$(awk -F, "NR > 1 { print \$1, \$8 }" "$tmp/mixed/jobs.csv" | sort)" = "$(awk -F, "NR > 1 { print \$1, \$8 }" "$tmp/rest/jobs.csv" | sort)" ]'

finish
