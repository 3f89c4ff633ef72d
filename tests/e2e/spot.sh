#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Spot capacity from outside: the catalogue, what a reclaim leaves in the files of a run, cost by
# hand, and the study of the savings beside the published claims. Checks are given as text and
# function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# --- the catalogue -------------------------------------------------------------------------------

run list spot
check "list spot" eval 'status_is 0 && silent err && grep -q "^aws-h100  .*notice 120 s, 17.5% a month" "$tmp/out"'
run list spot gcp
check "list spot NAME has sources, and marks unverified values" \
    eval 'status_is 0 && grep -q "notice  *30s  *Google Cloud" "$tmp/out" && grep -q "monthly_interruption  *0.075  *? " "$tmp/out"'
run list spot --json
check "list spot --json" eval 'status_is 0 && is_json "$tmp/out"'
run list spot gpc
check "an unknown offer" eval 'status_is 2 && says err "unknown offer of spot capacity"'

# --- a run ---------------------------------------------------------------------------------------

# Nodes at 8 USD an hour; on spot capacity at 2.
cat >"$tmp/own.json" <<'JSON'
{"fauxfleet_scenario": 1, "policy": {"name": "runai"}, "outputs": {"timeline_s": 3600},
 "fleet": {"pools": [{"name": "p", "count": 32, "node": {"gpus": 8, "usd_per_hour": 8}}]},
 "workload": {"generate": {"profile": "batch", "load": 0.6, "horizon_s": "20d", "median_s": "2h"}},
 "checkpoint": {"interval": "1h", "write": "30s", "restart": "5m"}, "window": {"horizon": "20d", "drain": false}}
JSON
cat >"$tmp/spot.json" <<'JSON'
{"fauxfleet_scenario": 1, "extends": "own.json",
 "fleet": {"pools": [{"name": "p", "count": 32, "node": {"gpus": 8, "usd_per_hour": 8},
  "spot": {"notice": "2m", "monthly_interruption": 0.9, "correlated": 0.3, "correlated_nodes": 5, "away": "6h", "usd_per_gpu_hour": 0.25}}]}}
JSON
run run "$tmp/own.json" -o "$tmp/own" --quiet --audit
check "a run on nodes that stay" status_is 0
check "says nothing of reclaims" eval '! grep -q "\"reclaimed\"" "$tmp/own/summary.json" && ! grep -q "spot capacity, reclaimed" "$tmp/own/report.html"'
run run "$tmp/spot.json" -o "$tmp/spot" --quiet --audit
check "a run on spot capacity" status_is 0
dir=$tmp/spot
faults=$(json "$dir/summary.json" reliability.faults)
check "nodes were reclaimed" [ "$faults" -gt 10 ]
check "all faults are of the class" equal "$(json "$dir/summary.json" reliability.by_class.spot.faults)" "$faults"
check "faults.csv has them, with notice and time away" \
    equal "$(awk -F, 'NR > 1 && $2 == "spot" && $3 == "drains" && $8 == 21600 && sprintf("%.0f", $7 - $1) == 120' "$dir/faults.csv" | wc -l | tr -d ' ')" "$faults"
# Except for work done after a checkpoint that was already being written when the last one was due.
check "checkpoints fit: next to nothing was undone" awk -v lost="$(json "$dir/summary.json" gpu_hours.lost.failure)" 'BEGIN { exit !(lost < 0.01) }'
# 6 hours of 8 devices a node; those at the end of the window are cut.
check "the ledger has what was away" awk -F, -v end="$(json "$dir/summary.json" window.end_s)" \
    -v lost="$(json "$dir/summary.json" gpu_hours.lost.reclaimed)" '
    NR > 1 { away = end - $7; sum += $4 * 8 * (away < $8 ? (away > 0 ? away : 0) : $8) / 3600 }
    END { exit !(sum - lost < 1e-3 && lost - sum < 1e-3) }' "$dir/faults.csv"
check "nothing was down" equal "$(json "$dir/summary.json" gpu_hours.lost.down)" 0
check "the ledger adds up" awk '
    /^  "installed":/ { left = $2 } /^  "productive":/ { left -= $2 } /^  "lost"/ { inside = 1 } /^  }/ { inside = 0 }
    inside && /^   "/ { left -= $2 } END { exit !(left < 1e-3 && left > -1e-3) }' "$dir/summary.json"
# 0.25 USD for each available GPU-hour.
check "only available nodes are paid for" awk -v usd="$(json "$dir/summary.json" cost.usd)" \
    -v installed="$(json "$dir/summary.json" gpu_hours.installed)" -v lost="$(json "$dir/summary.json" gpu_hours.lost.reclaimed)" \
    'BEGIN { d = usd - 0.25 * (installed - lost); exit !(d < 1e-3 && d > -1e-3) }'
check "the summary says it" eval 'grep -q "reclaimed [0-9.]*%" "$tmp/out" && grep -q "^faults  *struck $faults " "$tmp/out"'
check "so does the report" grep -q "spot capacity, reclaimed" "$dir/report.html"
run run "$tmp/spot.json" -o "$tmp/again" --quiet --audit
check "the same again: the same bytes" alike "$dir" "$tmp/again"

# A job that cannot write within the notice loses work; the policy has no influence on reclaims.
run run "$tmp/spot.json" -o "$tmp/slow" --quiet --no-report --audit --policy fifo --set checkpoint.write=3m
check "another policy and slower checkpoints" status_is 0
check "the same reclaims" same "$tmp/slow/faults.csv" "$dir/faults.csv"
check "work is lost" awk -v lost="$(json "$tmp/slow/summary.json" gpu_hours.lost.failure)" 'BEGIN { exit !(lost > 0) }'
check "all by reclaims" equal "$(json "$tmp/slow/summary.json" reliability.by_class.spot.lost_gpu_h)" \
    "$(json "$tmp/slow/summary.json" gpu_hours.lost.failure)"

# Reclaims and other faults do not change each other's times.
run run "$tmp/spot.json" -o "$tmp/both" --quiet --no-report --audit --set faults.profile=h100 --set faults.scale=3
check "spot capacity that also fails" status_is 0
grep -v ',spot,' "$tmp/both/faults.csv" >"$tmp/others.csv"
run run "$tmp/own.json" -o "$tmp/failing" --quiet --no-report --set faults.profile=h100 --set faults.scale=3
check "the other faults are those of nodes that stay" same "$tmp/others.csv" "$tmp/failing/faults.csv"
{ head -n 1 "$tmp/both/faults.csv" && grep ',spot,' "$tmp/both/faults.csv"; } >"$tmp/reclaims.csv"
check "and the reclaims those of nodes that do not fail" same "$tmp/reclaims.csv" "$dir/faults.csv"

# --- the study -----------------------------------------------------------------------------------

run run scenarios/studies/spot-on-demand.json -o "$tmp/on-demand" --quiet --no-report
check "study spot-on-demand" status_is 0
own=$(json "$tmp/on-demand/summary.json" cost.usd_per_productive_gpu_h)
run run scenarios/studies/spot.json -o "$tmp/study" --quiet --no-report
check "study spot" status_is 0
check "prints the claim beside it" grep -q '^cost.usd_per_productive_gpu_h .*0.526 to 1.053' "$tmp/out"
check "the claim is 20 to 40 % of what the other study costs" awk -v own="$own" 'BEGIN { exit !(0.4 * own / 1.053 < 1.01 && 0.4 * own / 1.053 > 0.99) }'
check "savings are the price difference, to within a percent" awk -v own="$own" \
    -v spot="$(json "$tmp/study/summary.json" cost.usd_per_productive_gpu_h)" \
    'BEGIN { saved = 1 - spot / own; exit !(saved > 0.56 && saved < 0.5701) }'
finish
