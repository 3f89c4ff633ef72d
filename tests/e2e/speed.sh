#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Speeds from the command line: eight GPUs of DGX A100 in four placements, against the published
# formula worked out by hand (B of 1 x 8: 230 GB/s inside the node; of k nodes: 24 GB/s a GPU on
# each, over two nodes 7/4 of that), rounded as printed there; and refusals. Checks are given as
# text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,tasks,gpus_per_task,model
llm-1x8,0,100000,1,8,gpt3-5b
llm-2x4,0,100000,2,4,gpt3-5b
llm-4x2,0,100000,4,2,gpt3-5b
llm-8x1,0,100000,8,1,gpt3-5b
vgg-1x8,0,100000,1,8,vgg16
vgg-2x4,0,100000,2,4,vgg16
vgg-4x2,0,100000,4,2,vgg16
vgg-8x1,0,100000,8,1,vgg16
CSV
cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": "dgx-a100", "count": 40}]},
 "workload": {"trace": "jobs.csv"}, "policy": {"name": "fifo", "options": {"placement": "spread"}}}
JSON

# True if a job's seconds in the run are within so many thousandths of the expected.
takes() {
    awk -F, -v job="$2" -v expected="$3" -v most="$4" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "run_s") column = i }
        $1 == job { d = $column / expected - 1; ok = d <= most / 1000 && d >= -most / 1000 }
        END { exit !ok }' "$tmp/$1/jobs.csv"
}

for network in off placement contention; do
    run run "$tmp/s.json" -o "$tmp/$network" --set network=$network --no-report --quiet --audit
    check "network $network" status_is 0
done
while read -r job expected; do
    check "off: $job" takes off "$job" 100000 0
    check "placement: $job takes $expected s" takes placement "$job" "$expected" 5
    check "contention: $job, which no other slows down, takes as long" takes contention "$job" "$expected" 5
done <<'ROWS'
llm-1x8 100000
llm-2x4 100400
llm-4x2 104000
llm-8x1 109100
vgg-1x8 100000
vgg-2x4 101000
vgg-4x2 115000
vgg-8x1 133000
ROWS

slowdown() {
    grep -q '"mean_slowdown": 1\.0[0-9]*,*$' "$tmp/placement/summary.json" &&
        grep -q '"mean_slowdown": 1,*$' "$tmp/off/summary.json"
}
check "the summary has the mean slowdown" slowdown
check "without a network models have no figures" eval 'grep -q "\"placement\"" "$tmp/off/summary.json" && ! grep -q "\"models\"" "$tmp/off/summary.json"'

# A virtual NIC has a third of a NIC's bandwidth (4x2: 15.84 GB/s instead of 48) and does not slow
# jobs on one node; without regard to NUMA domains computing takes 6 % more (8x1: 0.106 + 0.005 +
# 0.966 / 24 s).
run run "$tmp/s.json" -o "$tmp/vnic" --set network=placement --set 'fleet.pools[0]={"name":"p","node":"dgx-a100","count":40,"vnic":"tcp-vnic"}' --no-report --quiet --audit
check "tcp-vnic" status_is 0
check "tcp-vnic: 1x8 is as fast" takes vnic vgg-1x8 100000 0
check "tcp-vnic: 4x2 takes 0.105 + 0.966 / 15.84 for 0.1092 s" takes vnic vgg-4x2 152000 5
run run "$tmp/s.json" -o "$tmp/numa" --set network=placement --set 'interference={"numa":true}' --no-report --quiet --audit
check "numa: 6 % for jobs without all devices of a node" takes numa vgg-8x1 139000 10
check "numa: nothing for jobs with all" takes numa vgg-1x8 100000 0
run run "$tmp/s.json" -o "$tmp/none" --set network=placement --set 'interference={"sharing":"slices"}' --quiet
check "an unknown way to share" eval "status_is 2 && says err 'mps|time-slicing'"

run run "$tmp/s.json" -o "$tmp/none" --set network=placement --set policy.options.placement=count --quiet
check "devices that are counted have no place" eval "status_is 2 && says err \"placement 'count'\""
sed 's/vgg16/vgg61/' "$tmp/jobs.csv" >"$tmp/wrong.csv"
run run "$tmp/s.json" -o "$tmp/none" --set network=placement --trace "$tmp/wrong.csv" --quiet
check "an unknown model" eval "status_is 2 && says err \"unknown model 'vgg61', did you mean 'vgg16'\""
# Nodes of a list by the names of their GPUs: 2 x P100 on two packages of 16 cores draw 50 + 30 W,
# at work 500 + 240; a job of an A100's speed is slower on them (0.21 for bert: 2 x 48 sequences in
# 0.33678 / 0.21 + 0.005 s) unless its types rule others out.
cat >"$tmp/nodes.csv" <<'CSV'
sn,cpu_milli,memory_mib,gpu,model
n0,64000,262144,2,P100
CSV
cat >"$tmp/one.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,model
a,0,3600,2,bert
CSV
cat >"$tmp/list.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"nodes_file": "nodes.csv"}, "workload": {"trace": "one.csv"}, "network": "placement"}
JSON
run run "$tmp/list.json" -o "$tmp/list" --quiet --audit
check "what a model got done is printed" eval 'says out "model  GPUs" && grep -q "^bert  *2  *2.00  *59.7 " "$tmp/out"'
check "and is in the report" grep -q 'id="by-model"' "$tmp/list/report.html"
check "a list of nodes: 740 W for an hour" equal "$(json "$tmp/list/summary.json" cost.energy_kwh)" 0.74
check "a list of nodes: bert on two P100, 48 / (0.33678 / 0.21 + 0.005) sequences a second each" \
    eval 'awk "BEGIN { r = $(json "$tmp/list/summary.json" models.bert.samples_per_s) / 59.675; exit !(r > 0.999 && r < 1.001) }"'
check "a list of nodes: prices are unknown" equal "$(json "$tmp/list/summary.json" cost.usd)" null
# An instance has 14 of the 108 multiprocessors of an A100, or 42: W / N grows by that factor, t0
# does not.
cat >"$tmp/mig.csv" <<'CSV'
job_id,submit_s,duration_s,gpus_per_task,mig,model
a,0,3600,1,,gpt3-5b
b,0,3600,,1g.10gb,resnet50
c,0,3600,,3g.40gb,bert
CSV
cat >"$tmp/mig.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": "dgx-a100", "count": 1, "mig": "dynamic"}]},
 "policy": {"name": "runai"}, "workload": {"trace": "mig.csv"}, "network": "placement"}
JSON
run run "$tmp/mig.json" -o "$tmp/mig" --no-report --quiet --audit
check "an instance has its share of a device's speed" equal \
    "$(json "$tmp/mig/summary.json" models.resnet50.samples_per_s) $(json "$tmp/mig/summary.json" models.bert.samples_per_s)" \
    "$(awk 'BEGIN { printf "%.3f %.3f", 800 / (0.76869 * 108 / 14 + 0.005), 48 / (0.33678 * 108 / 42 + 0.005) }')"
check "and that is what the job asked for" equal "$(json "$tmp/mig/summary.json" gpu_hours.lost.slowdown)" 0
sed -i 's/P100/H100X/' "$tmp/nodes.csv"
run run "$tmp/list.json" -o "$tmp/list" --no-report --quiet --audit
check "a list of nodes: unknown types have no power" equal "$(json "$tmp/list/summary.json" cost.energy_kwh)" null

run run "$tmp/s.json" -o "$tmp/none" --set network=on --quiet
check "an unknown network" eval "status_is 2 && says err 'off|placement|contention'"

finish
