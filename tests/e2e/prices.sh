#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prices and speeds of the catalogue from outside: one basis at a time, sums by hand, and the mark
# of unverified values in every output that shows money. Checks are given as text and function
# names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# An hour of one node, one job on all its GPUs; EXTRA for the scenario, NODE, COUNT.
scenario() {
    cat <<JSON
{"fauxfleet_scenario": 1, "name": "hour", "policy": {"name": "fifo"}, ${1}"workload": {"trace": "$tmp/hour.csv"},
 "window": {"horizon": "1h"}, "fleet": {"pools": [{"name": "main", "node": ${2:-\"dgx-a100\"}, "count": ${3:-1}}]}}
JSON
}
printf 'job_id,submit_s,duration_s,gpus\na,0,3600,8\nb,1,3600,8\n' >"$tmp/hour.csv"
near() { awk -v x="$1" -v y="$2" 'BEGIN { exit !(x - y < 0.001 * y && y - x < 0.001 * y) }'; }
cost() { json "$tmp/$1/summary.json" "cost.$2"; }

# --- the catalogue -------------------------------------------------------------------------------

# Capex 300,000 x 1.15 x 0.2638 + hosting 10.2 kW x 2,160: 12.90; with 0.835 of energy 13.74, or
# 1.72 a GPU-hour.
run list nodes dgx-h100
check "list nodes: both bases" says out 'costs USD an hour: rent 28 (21.52 to 98.32); own 12.9 (8.911 to 17.99), 13.74 with energy'
run list nodes pcie-8x-a40
check "list nodes: missing prices are noted" says out 'rent not known; own not known'
for node in dgx-b300 gb300-nvl72 mi300x-8x mi325x-8x mi355x-8x pcie-8x-rtx-pro-6000; do
    run list nodes $node
    check "list nodes $node" eval 'status_is 0 && grep -q "rent_usd_per_hour .* ?  " "$tmp/out"'
done
run list speeds
check "list speeds: classes" eval 'status_is 0 && grep -q "^llm .*a 0.58, b 0.51, p 0.84" "$tmp/out"'
run list speeds 'NVIDIA B200'
check "list speeds GPU, by any name" eval 'status_is 0 && grep -q "^  llm  *4.6  d  *2.7 .. 5 " "$tmp/out"'
run list speeds t4
check "list speeds: by the rule" eval 'grep -q "^  llm  *0.1[0-9]*  r " "$tmp/out"'
run list speeds vision
check "list speeds CLASS" eval 'grep -q "^  v100  *0.45  m  *0.4 .. 0.49" "$tmp/out"'
run list speeds --json
check "list speeds --json" eval 'status_is 0 && is_json "$tmp/out"'
run list speeds visoin
check "list speeds: an unknown one" eval "status_is 2 && says err \"did you mean 'vision'?\""

run list models gpt3-5b
check "list models NAME: speeds and how sure they are" eval 'status_is 0 && grep -q "speed on a100 1, .*h100 2.25 m, .*b200 4.6 d, .*t4 0.1[0-9]* r" "$tmp/out"'
run list models bert
check "list models NAME: figures of the model itself" says out 't4 0.09 own'

# --- one basis -----------------------------------------------------------------------------------

scenario '' >"$tmp/rent.json"
run run "$tmp/rent.json" -o "$tmp/rent" --audit
cp "$tmp/out" "$tmp/rent.out"
check "rent: 16 USD an hour" equal "$(cost rent usd) $(cost rent basis) $(cost rent usd_per_year)" '16 rent 140160'
check "rent: energy is in it" eval 'run run "$tmp/rent.json" -o "$tmp/tariff" --quiet --set cost.usd_per_kwh=9 && equal "$(cost tariff usd)" 16'
scenario '"cost": {"basis": "own"}, ' >"$tmp/own.json"
run run "$tmp/own.json" -o "$tmp/own" --quiet
# 110,000 x 1.15 x 0.263797 + 6.5 x 2,160 over 8,760 h are 5.412; 0.8 x 6.5 kW for an hour x 1.3 x
# 0.09 are 0.608.
check "own: capex, hosting and the energy that was drawn" near "$(cost own usd)" 6.0204
check "own: it says so" equal "$(cost own basis)" own
run run "$tmp/own.json" -o "$tmp/years" --quiet --set cost.depreciation_years=4 --set cost.interest=0 --set cost.network_share=0 \
    --set cost.hosting_usd_kw_month=0 --set cost.usd_per_kwh=0
check "own: a straight line over 4 years" near "$(cost years usd)" 3.1393
run run "$tmp/rent.json" -o "$tmp/none" --quiet --set cost.basis=rent --set cost.depreciation_years=4
check "years of a rent are refused" eval 'status_is 2 && says err "cost.depreciation_years: says nothing about rents"'
scenario '' '"pcie-8x-a40"' >"$tmp/unpriced.json"
run run "$tmp/unpriced.json" -o "$tmp/unpriced"
check "no rent: null, with the node's name" eval 'equal "$(cost unpriced usd)" null && says out "prices: rent; unknown: pcie-8x-a40"'
scenario '"cost": {"basis": "own"}, ' '{"gpus": 8, "rent_usd_per_hour": 20, "peak_w": 5000}' >"$tmp/rented.json"
run run "$tmp/rented.json" -o "$tmp/rented" --quiet
check "a rent does not stand in for what owning costs" equal "$(cost rented usd)" null
run run "$tmp/own.json" -o "$tmp/given" --set 'fleet.pools[0].usd_per_hour=7'
check "an explicit price overrides both bases, and is marked" \
    eval 'equal "$(cost given usd)" 7 && says out "prices: own; your own: dgx-a100"'
run run "$tmp/rent.json" -o "$tmp/b200" --quiet --set 'fleet.pools[0].node=dgx-b200'
check "B200 costs more than A100 (it was less, owned against rented)" equal "$(cost b200 usd)" 51.2
check "an invalid range is refused" eval \
    'run run "$tmp/rent.json" --check --set "fleet.pools[0].node={\"gpus\": 8, \"usd\": 5, \"usd_range\": [6, 7]}"; status_is 2 && says err "usd_range: expected low and high around"'

# --- the mark, everywhere ------------------------------------------------------------------------

note='prices: rent; unverified (?): dgx-a100'
check "terminal" grep -qF "$note" "$tmp/rent.out"
check "summary.json" eval 'tr -d " \n" <"$tmp/rent/summary.json" | grep -qF "\"unverified\":[\"dgx-a100\"]"' 
check "report.html" grep -qF "$note" "$tmp/rent/report.html"
run plan "$tmp/rent.json" --target 'p95(wait) <= 2h' --replicas 3 --confidence 0.6 -o "$tmp/plan" --quiet
check "plan" eval 'says out "$note" && says out "USD/year (?)" && grep -qF "unverified (?)" "$tmp/plan/plan.html"'
run whatif "$tmp/rent.json" --replicas 3 --set 'fleet.pools[0].count=2' -o "$tmp/whatif.html" --quiet
check "whatif: cost rows of both fleets, a year too" eval \
    'grep -q "^cost.usd  *16.0  *32.0 " "$tmp/out" && grep -q "^cost.usd_per_year  *140,160  *280,320" "$tmp/out" && grep -q "^cost.usd_per_productive_gpu_h" "$tmp/out"'
check "whatif: the mark" eval 'says out "cost (?)" && says out "$note" && grep -qF "$note" "$tmp/whatif.html"'
run whatif "$tmp/rent.json" --replicas 3 --set 'fleet.pools[0].node=dgx-b200' --json --quiet
check "whatif --json: the marks of both sides" says out 'unverified (?): dgx-a100, dgx-b200'
run compare "$tmp/rent" "$tmp/own" -o "$tmp/compare.md"
check "compare: money on two bases is not compared" eval \
    'says out "different bases (cost.basis)" && ! grep -q "^cost.usd" "$tmp/out" && grep -q "different bases" "$tmp/compare.md"'
run whatif "$tmp/rent.json" --set cost.basis=own --replicas 5 --quiet
check "nor is energy, with the site's or without, a harm" eval 'grep -q "^cost.energy_kwh .* higher$" "$tmp/out" && ! grep -q " worse$" "$tmp/out"'
run compare "$tmp/rent" "$tmp/b200"
check "compare: cost rows" eval 'grep -q "^cost.usd " "$tmp/out" && says out "dgx-b200"'
printf '{"fauxfleet_sweep": 1, "scenario": "rent.json", "grid": {"policy": ["fifo", "sjf"]}, "metrics": ["cost.usd"]}' >"$tmp/sweep.json"
run sweep "$tmp/sweep.json" -o "$tmp/sweep"
check "sweep" says err "$note"
printf '{"fauxfleet_gate": 1, "scenarios": ["rent.json"], "metrics": [{"metric": "cost.usd_per_productive_gpu_h", "margin": 0.05}]}' >"$tmp/suite.json"
run gate "$tmp/suite.json" --base fifo --candidate sjf --report md="$tmp/gate.md"
check "gate" eval 'status_is 0 || says out "prices: rent"'

finish
