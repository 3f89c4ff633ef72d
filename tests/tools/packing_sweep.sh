#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The whole packing study against the published results: every list and seed whose arrival order is
# known, all six policies. Combinations without published figures are run and printed. Half a
# minute; part of it is in tests/e2e/packing.sh.
#
#     FAUXFLEET_SHARED=../shared BIN=build/fauxfleet sh tests/tools/packing_sweep.sh
#
# Prints TAP, and a line "# LIST POLICY: bucket, seeds, mean, sd of the allocation" for each list
# and policy.
# shellcheck disable=SC2317
set -u
. tests/e2e/lib/tap.sh
. tests/e2e/lib/packing.sh

if [ ! -d "$openb/orders" ] || [ ! -r "$fgd/verification.csv" ]; then
    skip "the packing study against the published results" "no traces/alibaba-gpu-2023, expected/fgd"
    finish
fi

# matches LIST SEED POLICY: cells and final state, if published.
matches() {
    grep -q "^$1,$(paper "$3"),$2," "$fgd/verification.csv" || return 0
    end_matches "$1" "$2" "$3" && row_matches "$1" "$2" "$3" && { [ "$1" != default ] || curve_matches "$2" "$3"; }
}

for pods in "$openb"/openb_pod_list_*.csv; do
    list=${pods##*openb_pod_list_}
    list=${list%.csv}
    for policy in $published random; do
        : >"$tmp/all"
        for order in "$openb/orders/$list"-s*-arrivals.txt; do
            [ -r "$order" ] || continue
            seed=${order##*-s}
            seed=${seed%-arrivals.txt}
            check "$list, $policy, seed $seed runs" fill "$list" "$seed" "$policy"
            check "$list, $policy, seed $seed: what is published of it" matches "$list" "$seed" "$policy"
            curve "$tmp/fill/summary.json" | awk '$1 == 100 || $1 == 120 || $1 == 130' >>"$tmp/all"
        done
        spread_of "$tmp/all" 2>/dev/null | sed "s/^/# $list $policy: /"
    done
done
finish
