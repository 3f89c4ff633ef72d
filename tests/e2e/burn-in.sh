#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes are tested before they take jobs. Checks are given as text and as names of functions.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh
holds() { awk "BEGIN { exit !($1) }" || { echo "# $1 does not hold" && false; }; }

# 40 nodes of 8 GPUs; hosts break 10 times in 1,000 days, a part takes 10 h, a test 24 h.
cat >"$tmp/burn.json" <<'JSON'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "a", "count": 20, "node": {"gpus": 8}}, {"name": "b", "count": 20, "node": {"gpus": 8}}]},
 "workload": {"trace": "long.csv"}, "policy": {"name": "fifo"}, "window": {"horizon": "400d", "drain": false},
 "faults": {"profile": {"hbm_gb": 80, "exponential": true, "classes": {"host": {"rate": 10, "transient_share": 0, "hardware": {"fixed": "10h"}}}},
            "only": ["host"], "burn_in": {"time": "24h", "reject": 0.2}}}
JSON
printf 'job_id,submit_s,duration_s,gpus\nx,0,345600000,8\n' >"$tmp/long.csv"
run run "$tmp/burn.json" -o "$tmp/burn" --audit --no-report --quiet
check "it runs" status_is 0
check "the summary says so" says out 'burn-in'
check "each repair is a number of repairs with a test, each of 34 h" eval \
    'equal "$(awk -F, "NR > 1 && \$8 % 122400 != 0" "$tmp/burn/faults.csv" | wc -l)" 0'
# Means of about 149 faults: 1.25 tests, five standard errors are 5 x 0.56 / 12.2.
check "1 / (1 - 0.2) tests in the mean" holds "$(awk -F, 'NR > 1 { n++; k += $8 / 122400 } END { print "(" k / n " - 1.25) ^ 2 < 0.23 ^ 2 && " n " > 100" }' "$tmp/burn/faults.csv")"
# down OUT: GPU-hours of its repairs up to the end of the window. Those of one node may overlap.
down() {
    awk -F, 'NR > 1 { end = $7 + $8 < 34560000 ? $7 + $8 : 34560000; from = $7 > back[$5] ? $7 : back[$5]
        if (end > from) { sum += end - from; back[$5] = end } } END { printf "%.3f", sum * 8 / 3600 }' "$1/faults.csv"
}
check "nodes are down for all of it" holds "($(json "$tmp/burn/summary.json" gpu_hours.lost.down) - $(down "$tmp/burn")) ^ 2 < 1"
# 24 of 34 h of what ended in the window; tests that go on at its end are not counted.
tests=$(json "$tmp/burn/summary.json" reliability.burn_in.tests)
check "each test takes 24 h of 8 GPUs" eval 'equal "$(json "$tmp/burn/summary.json" reliability.burn_in.gpu_h)" "$((tests * 192))"'
run run "$tmp/burn.json" -o "$tmp/none" --audit --no-report --quiet --set faults.burn_in=null
check "without it the same faults take 10 h" eval \
    'status_is 0 && equal "$(cut -d, -f1-7 "$tmp/none/faults.csv")" "$(cut -d, -f1-7 "$tmp/burn/faults.csv")" && equal "$(awk -F, "NR > 1 && \$8 != 36000" "$tmp/none/faults.csv" | wc -l)" 0'
check "and no summary has tests" equal "$(json "$tmp/none/summary.json" reliability.burn_in.tests)" ""

# New nodes. Without rejects all of b is tested from 0 to 24 h: a job of 21 nodes starts then.
printf 'job_id,submit_s,duration_s,gpus\nwide,0,100,168\n' >"$tmp/wide.csv"
wide() { awk -F, 'NR > 1 { print $7 }' "$tmp/$1/jobs.csv"; }
run run "$tmp/burn.json" -o "$tmp/new" --audit --no-report --quiet --trace "$tmp/wide.csv" --set faults.scale=0 --set faults.burn_in.reject=0 --set 'faults.burn_in.new=["b"]'
check "new nodes take jobs when their test is over" eval 'status_is 0 && equal "$(wide new)" 86400'
check "a test is no fault" equal "$(json "$tmp/new/summary.json" reliability.faults) $(json "$tmp/new/summary.json" reliability.burn_in.tests)" "0 20"
run run "$tmp/burn.json" -o "$tmp/again" --audit --no-report --quiet --trace "$tmp/wide.csv" --set faults.scale=0 --set faults.burn_in.reject=0.5 --set 'faults.burn_in.new=["b","a"]'
check "with rejects they take n tests and n - 1 repairs" eval \
    'status_is 0 && equal "$(awk -F, "NR > 1 && (\$8 + 36000) % 122400 != 0" "$tmp/again/faults.csv" | wc -l)" 0'
check "and the job starts with the 21st that is through" equal "$(wide again)" "$(awk -F, 'NR > 1 { print $8 }' "$tmp/again/faults.csv" | sort -n | sed -n 21p)"
run run "$tmp/burn.json" -o "$tmp/bad" --no-report --quiet --set 'faults.burn_in.new=["bb"]'
refused_as() { status_is 2 && says err "$1"; }
check "an unknown pool is refused" refused_as "faults.burn_in.new: unknown pool 'bb'"
finish
