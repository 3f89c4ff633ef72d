#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Device memory that tasks share, from the command line: two tenants of 10 GiB that want 30 GiB all
# the time on a device of 40 GiB, in every mode, against arithmetic; the study; and refusals. Checks
# are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,priority,gpu_mem_mib,gpu_mem_limit_mib
a,0,3600,50,10240,30720
b,0,3600,50,10240,30720
CSV
cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "p", "node": {"gpus": 1, "gpu_mem_mib": 40960}, "count": 1}]},
 "queues": [{"name": "default", "gpu": {"quota": 1}}],
 "workload": {"trace": "jobs.csv"}, "policy": {"name": "runai"}, "checkpoint": {"interval": 0, "write": 0, "restart": 0},
 "gpu_memory": {"grow_share": 1, "grow_least": 1}}
JSON

# The last end, and the events, of a run in a mode.
story() {
    for key in makespan_s gpu_memory.collisions gpu_memory.waits gpu_memory.oom_kills gpu_memory.wait_gpu_h; do
        printf '%s ' "$(json "$tmp/$1/summary.json" "$key")"
    done
}

# Stalling costs a quarter of a GPU for an hour. The killed task is killed at 0, 10, 30, ... 3510 s
# (tests/sim), having done nothing by then, so all it loses is the time until it has memory at 3830
# s: 0.25 x 3830 / 3600 GPU-h. Turns of a minute with 2 x 20 GiB over 25 GB/s in between leave
# 0.972163 of the speed.
while read -r mode makespan collisions waits kills hours; do
    run run "$tmp/s.json" -o "$tmp/$mode" --set "gpu_memory.mode=$mode" --quiet --audit
    check "$mode runs" status_is 0
    cp "$tmp/out" "$tmp/$mode.out"
    check "$mode" equal "$(story "$mode")" "$makespan $collisions $waits $kills $hours "
    check "$mode: shown" grep -q '^memory ' "$tmp/$mode.out"
    check "$mode: shown in the report" grep -q 'Memory of shared devices' "$tmp/$mode/report.html"
done <<'ROWS'
static 7200 0 0 0 0
none 7430 16 0 16 0.265972
wait 7200 1 1 0 0.25
priority 7200 1 1 0 0.25
swap 3703.083 1 0 0 0
ROWS
# 100 W idle and up to 0.80 x 625 W; each job half of a device: 200 W more, also while both are
# there and one stalls.
run run "$tmp/s.json" -o "$tmp/watts" --set 'fleet.pools[0].node={"gpus":1,"gpu_mem_mib":40960,"idle_w":100,"peak_w":625}' \
    --set outputs.timeline_s=900 --no-report --quiet --audit
power() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "power_w") column = i; next } $1 == 900 { print $column }' "$1/timeline.csv"
}
check "a stalled job draws no power" equal "$(power "$tmp/watts")" \
    "$(awk -v kwh="$(json "$tmp/watts/summary.json" cost.energy_kwh)" 'BEGIN { print kwh * 1000 / 2 }')"
check "kills are interruptions by memory" \
    equal "$(json "$tmp/none/summary.json" reliability.by_class.memory.interruptions)" 16
check "swap fills the device" equal "$(json "$tmp/swap/summary.json" gpu_memory.mean_use)" 1
lost_to_swap() { # GPU-h: two quarters of 3703.083 s, at 1 - 0.972163 of the speed
    awk -v got="$(json "$tmp/swap/summary.json" gpu_memory.swap_lost_gpu_h)" \
        'BEGIN { d = got - 0.5 * 3703.083 / 3600 * (1 - 0.972163); exit !(d < 1e-5 && d > -1e-5) }'
}
check "and costs what the formula says" lost_to_swap
sed 's/^b,0,3600,50/b,0,3600,60/' "$tmp/jobs.csv" >"$tmp/urgent.csv"
run run "$tmp/s.json" -o "$tmp/urgent" --set gpu_memory.mode=priority --trace "$tmp/urgent.csv" --no-report --quiet --audit
check "the more urgent one ends the other" equal "$(json "$tmp/urgent/summary.json" gpu_memory.evicted_priority)" 1

run run "$tmp/s.json" -o "$tmp/off" --set gpu_memory=null --quiet
check "without it both run at once" equal "$(json "$tmp/off/summary.json" makespan_s)" 3600
check "and memory is not mentioned" eval '! grep -q gpu_memory "$tmp/off/summary.json" && ! grep -q "^memory" "$tmp/out"'

# --- the study: more tasks on a device than under worst-case shares, and the cost --------------

for mode in static none wait priority swap; do
    run run scenarios/studies/gpu-memory.json -o "$tmp/study-$mode" --set gpu_memory.mode=$mode --no-report --quiet
    check "study, $mode" status_is 0
    json "$tmp/study-$mode/summary.json" gpu_memory.mean_tenants >"$tmp/tenants-$mode"
    check "study, $mode: all end" equal "$(json "$tmp/study-$mode/summary.json" jobs.pending)" 0
done
more() { awk 'FNR == 1 { v[++n] = $1 } END { exit !(v[2] > 1.5 * v[1]) }' "$tmp/tenants-static" "$tmp/tenants-$1"; }
for mode in none wait priority swap; do
    check "study, $mode: half as many tasks more on a device" more $mode
done
check "study, static: nothing collides" equal "$(json "$tmp/study-static/summary.json" gpu_memory.collisions)" 0

# --- refusals ------------------------------------------------------------------------------------

sed 's/30720/50000/' "$tmp/jobs.csv" >"$tmp/large.csv"
run run "$tmp/s.json" -o "$tmp/no" --trace "$tmp/large.csv" --quiet
check "more than any device has" eval 'status_is 2 && says err "expected at most the memory of the largest device, 40960"'
sed 's/30720/5000/' "$tmp/jobs.csv" >"$tmp/small.csv"
run run "$tmp/s.json" -o "$tmp/no" --trace "$tmp/small.csv" --quiet
check "less than the request" eval 'status_is 2 && says err "gpu_mem_limit_mib is 5000, below gpu_mem_mib 10240"'
run run "$tmp/s.json" -o "$tmp/no" --set gpu_memory.mode=swapp --quiet
check "an unknown mode" eval "status_is 2 && says err \"did you mean 'swap'\""
run run "$tmp/s.json" -o "$tmp/no" --set gpu_memory.turn=0 --quiet
check "no time for a turn" eval 'status_is 2 && says err "gpu_memory.turn: expected a time above 0"'

finish
