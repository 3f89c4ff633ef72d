#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Quotas by pool in scenarios: the study by hand, gangs, what is refused and what gets a note.
# Checks are given as text and as names of functions.
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

# refused TEXT SETTING...: an input error that says so.
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
finish
