#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reports of runs with faults, energy and cost, from outside: figures worked out by hand, files that
# agree with each other, and what is left out because it is unknown. Checks are given as text and
# function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

lacks() { ! grep -q "$2" "$1"; }

# sum_of FILE COLUMN: sums a column of a CSV file whose fields have no commas up to there.
sum_of() {
    awk -F, -v name="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
        { sum += $column }
        END { print sum + 0 }' "$1"
}

# classes_sum FILE KEY: of reliability.by_class in a summary.
classes_sum() {
    awk -v key="\"$2\":" '
        /^  "by_class": / { inside = NR > 1 && section ~ /reliability/ }
        /^ "/ { section = $1; inside = 0 }
        inside && $1 == key { sum += $2 }
        END { printf "%.0f\n", sum }' "$1"
}

# --- energy and cost by hand ---------------------------------------------------------------------

# A node of 1,000 W idle and 0.80 x 6,250 = 5,000 W at full load, at 8 USD an hour: one hour with 8
# GPUs at work, one with 2 at half load (250 W each), and two idle ones in a window of four: 5 + 1.5
# + 2 kWh.
cat >"$tmp/known.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,sm_util
a,0,3600,8,
b,3600,3600,2,0.5
CSV
cat >"$tmp/known.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "known.csv"}, "window": {"horizon": "4h"}, "outputs": {"timeline_s": 3600},
 "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 8, "idle_w": 1000, "peak_w": 6250, "usd_per_hour": 8}}]},
 "cost": {"pue": 1.5, "usd_per_kwh": 0.2}}
JSON
run run "$tmp/known.json" -o "$tmp/known" --quiet --audit
check "a run on a node of known watts and price" status_is 0
while IFS='|' read -r key expected; do
    check "summary.json: $key" equal "$(json "$tmp/known/summary.json" "$key")" "$expected"
done <<'ROWS'
cost.energy_kwh|12.75
cost.usd|34.55
cost.usd_per_productive_gpu_h|3.455
cost.idle_usd|22
reliability.faults|0
ROWS
check "timeline.csv has the power" equal "$(cut -d, -f10 "$tmp/known/timeline.csv" | tr '\n' ' ')" \
    "power_w 5000 1500 1000 1000 1000 "
check "the summary says it" grep -q '^cost  *energy kWh 12.8  USD 34.5  USD per productive GPU-h 3.4[56]  idle USD 22.0$' "$tmp/out"
check "and says nothing of faults" lacks "$tmp/out" '^faults'
check "nor does the report" lacks "$tmp/known/report.html" 'faults.csv'
check "there is no faults.csv" [ ! -e "$tmp/known/faults.csv" ]

run run "$tmp/known.json" -o "$tmp/unknown" --quiet --no-report --set 'fleet.pools=[{"name":"p","count":1,"node":{"gpus":8}}]'
check "without watts and prices there is no cost" equal \
    "$(json "$tmp/unknown/summary.json" cost.usd) $(json "$tmp/unknown/summary.json" cost.energy_kwh)" "null null"
check "and no power" equal "$(sed 1d "$tmp/unknown/timeline.csv" | cut -d, -f10 | tr -d '\n')" ""
for run in known unknown; do sed "s/,[^,]*$//" "$tmp/$run/jobs.csv" >"$tmp/$run.jobs"; done
check "nothing else differs" same "$tmp/unknown.jobs" "$tmp/known.jobs"

# --- a run with faults ---------------------------------------------------------------------------

cat >"$tmp/faulty.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": "dgx-h100", "count": 16}]},
 "workload": {"generate": {"profile": "batch", "jobs": 600, "load": 0.7}}, "outputs": {"timeline_s": 600},
 "window": {"horizon": "all"}, "faults": {"profile": "h100", "scale": 60}, "cost": {"pue": 1.3, "usd_per_kwh": 0.1}}
JSON
run run "$tmp/faulty.json" -o "$tmp/faulty" --quiet --audit
check "a run with faults" status_is 0
dir=$tmp/faulty
faults=$(json "$dir/summary.json" reliability.faults)
check "faults struck" [ "$faults" -gt 50 ]
check "faults.csv has one row for each" equal "$(sed 1d "$dir/faults.csv" | wc -l | tr -d ' ')" "$faults"
check "the classes add up to them" equal "$(classes_sum "$dir/summary.json" faults)" "$faults"
interruptions=$(json "$dir/summary.json" reliability.job_interruptions)
check "jobs were stopped" [ "$interruptions" -gt 0 ]
check "jobs.csv has as many" equal "$(sum_of "$dir/jobs.csv" failures)" "$interruptions"
check "so have the classes" equal "$(classes_sum "$dir/summary.json" interruptions)" "$interruptions"
check "the summary says it" grep -q "^faults  *struck $faults  nodes out [0-9]*  interrupted $interruptions  lost GPU-h" "$tmp/out"
check "nodes that are down are not available" awk -F, '
    NR > 1 { short += $3 < $2; bad += $3 > $2 || $4 > $3 }
    END { exit !(short > 0 && bad == 0) }' "$dir/timeline.csv"
check "and are seen in the heat map" grep -q ',-1' "$dir/heatmap.csv"
for id in faults by-fault reliability cost; do
    check "the report has the part '$id'" grep -q "id=\"$id\"" "$dir/report.html"
done
# Means of availability and power over the samples are those of the run, except for sampling error.
check "timeline.csv and summary.json agree on availability and energy" awk -F, \
    -v availability="$(json "$dir/summary.json" utilization.availability)" \
    -v kwh="$(json "$dir/summary.json" cost.energy_kwh)" '
    NR > 1 { installed += $2; available += $3; kw += $10 / 1000; n++ }
    function near(a, b) { return a / b < 1.005 && a / b > 0.995 }
    END { exit !(near(available / installed, availability) && near(kw * 600 / 3600 * 1.3, kwh)) }' "$dir/timeline.csv"

# --- spare nodes and failures of users -----------------------------------------------------------

run run "$tmp/faulty.json" -o "$tmp/spared" --quiet --audit --set faults.spares=0.1 --set faults.swap=10m --set faults.user_failures=true
check "a run with spare nodes and users that fail" status_is 0
dir=$tmp/spared
check "a tenth of 16 nodes, rounded up, is kept apart" equal "$(json "$dir/summary.json" reliability.spares.total)" 2
check "the summary says it" grep -q '^spares  *nodes 2  in use [0-9.]*  peak 2  exhausted [0-9.]*%$' "$tmp/out"
check "so does the report" grep -q '<code>reliability.spares.exhausted</code>' "$dir/report.html"
check "spares are drained" [ "$(json "$dir/summary.json" gpu_hours.lost.drained | cut -d. -f1)" -gt 0 ]
own=$(json "$dir/summary.json" reliability.by_class.user.interruptions)
check "jobs failed by their own doing" [ "$own" -gt 20 ]
check "and so they ended" equal "$(json "$dir/summary.json" jobs.failed)" "$own"
check "faults.csv has a row for each" equal "$(grep -c ',user,kills,1,' "$dir/faults.csv")" "$own"
check "what they did is the users' loss" equal "$(json "$dir/summary.json" reliability.by_class.user.lost_gpu_h | cut -c1-6)" \
    "$(json "$dir/summary.json" gpu_hours.lost.user | cut -c1-6)"
check "without these keys the output has none of it" equal "$(grep -c spares "$tmp/faulty/summary.json") $(json "$tmp/faulty/summary.json" jobs.failed)" "0 0"
is_refused() {
    run run "$tmp/faulty.json" -o "$tmp/no" --quiet --check --set "$1"
    status_is 2 && grep -q "$2" "$tmp/err"
}
check "all nodes spare is an error" is_refused faults.spares=16 "faults.spares: 16 are 16 of the 16 nodes of pool 'p'"
check "so is a pool that is not there" is_refused 'faults.spares={"q":1}' "faults.spares.q: unknown pool 'q'"
check "and half a node" is_refused faults.spares=1.5 'expected a number of nodes, or a share below 1, not 1.5'
check "and users that cannot fail" is_refused 'faults={"profile":"h100","user_failures":true,"only":["gpu"]}' "the class 'user' never strikes"

# --- switches and NICs ---------------------------------------------------------------------------

# A job over four units of a SuperPOD, one within a unit; spines fail 2,000 times as often as known.
printf 'job_id,submit_s,duration_s,tasks,gpus_per_task,class,model\nwide,0,8640000,96,8,distributed,generic-high\n' >"$tmp/wide.csv"
cat >"$tmp/wide.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": "dgx-h100", "count": 127, "fabric": "superpod-h100"}]},
 "workload": {"trace": "wide.csv"}, "window": {"horizon": "10d", "drain": false}, "network": "placement",
 "faults": {"profile": "h100", "scale": 2000, "only": ["spine"]}}
JSON
slowdown() { json "$tmp/$1/summary.json" placement.mean_slowdown; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }
run run "$tmp/wide.json" -o "$tmp/wide" --quiet --no-report --audit
check "spines that fail" status_is 0
check "slow down jobs that use them" less 1 "$(slowdown wide)"
run run "$tmp/wide.json" -o "$tmp/map" --quiet --set network=contention
check "fabric.csv has leaves, racks and the uplinks of leaves" equal \
    "$(sed '1d; s/[-0-9].*,.*//; s/,.*//' "$tmp/map/fabric.csv" | sort -u | tr '\n' ' ')" "p uplinks p "
check "the report draws it" grep -q 'id="fabric"' "$tmp/map/report.html"
check "also as a file" grep -q '<svg' "$tmp/map/figures/fabric.svg"
run run "$tmp/wide.json" -o "$tmp/fixed" --quiet --no-report --audit --set faults.fixed_routing=true
check "more so where routes are fixed" less "$(slowdown wide)" "$(slowdown fixed)"
run run "$tmp/wide.json" -o "$tmp/blind" --quiet --no-report --audit --set network=off
check "without a model of the network there are none" equal "$(json "$tmp/blind/summary.json" reliability.faults)" 0
links='faults={"profile":"h100","scale":100,"only":["nic","link"]'
run run "$tmp/wide.json" -o "$tmp/hard" --quiet --no-report --audit --set "$links}"
check "NICs and links that fail stop jobs" less 0 "$(json "$tmp/hard/summary.json" reliability.job_interruptions)"
run run "$tmp/wide.json" -o "$tmp/soft" --quiet --no-report --audit --set "$links,\"nic_failover\":true,\"dual_homed\":true}"
check "with others to stand in for them they do not" equal "$(json "$tmp/soft/summary.json" reliability.job_interruptions)" 0
check "but slow down" less 1 "$(slowdown soft)"

dir=$tmp/faulty
run run "$tmp/faulty.json" -o "$tmp/again" --quiet --audit
check "the same again: the same bytes" alike "$dir" "$tmp/again"
run run "$tmp/faulty.json" -o "$tmp/two" --quiet --no-report --replicas 2
check "replicas have means of all classes" equal "$(json "$tmp/two/summary.json" reliability.by_class.gpu.faults)" \
    "$(awk -v a="$(json "$tmp/two/rep-1/summary.json" reliability.by_class.gpu.faults)" \
        -v b="$(json "$tmp/two/rep-2/summary.json" reliability.by_class.gpu.faults)" 'BEGIN { print (a + b) / 2 }')"
run run "$tmp/known.json" -o "$tmp/again" --quiet
check "a run without faults into the same folder leaves no faults.csv" [ ! -e "$tmp/again/faults.csv" ]
check "nor its figure" [ ! -e "$tmp/again/figures/faults.dat" ]
finish
