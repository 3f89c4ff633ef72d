#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes are tested before they take jobs. Checks are given as text and function names.
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
# down OUT: GPU-hours of its repairs up to the end of the window. Repairs of one node may overlap.
down() {
    awk -F, 'NR > 1 { end = $7 + $8 < 34560000 ? $7 + $8 : 34560000; from = $7 > back[$5] ? $7 : back[$5]
        if (end > from) { sum += end - from; back[$5] = end } } END { printf "%.3f", sum * 8 / 3600 }' "$1/faults.csv"
}
lost() { json "$tmp/$1/summary.json" "gpu_hours.lost.$2"; }
check "nodes are down or under test for all of it" holds "($(lost burn down) + $(lost burn burn_in) - $(down "$tmp/burn")) ^ 2 < 1"
# tested OUT: GPU-hours in which a node is away for tests alone: of each fault, 10 h are repair, 24
# h test, 10 h repair, ... Between two such times the node's state is that at their midpoint.
tested() {
    awk -F, 'NR > 1 { n = ++faults[$5]; from[$5, n] = $7; to[$5, n] = $7 + $8 }
    function state(node, at,   i, is) { # 0 there, 1 tested, 2 repaired
        for (i = 1; i <= faults[node]; i++)
            if (at > from[node, i] && at < to[node, i])
                is = (at - from[node, i]) % 122400 < 36000 ? 2 : is < 1 ? 1 : is
        return is + 0
    }
    END {
        for (node in faults) {
            n = 0
            for (i = 1; i <= faults[node]; i++)
                for (t = from[node, i]; t <= to[node, i]; t += 122400) { cut[++n] = t; cut[++n] = t + 36000 }
            for (i = 2; i <= n; i++)
                for (k = i; k > 1 && cut[k - 1] > cut[k]; k--) { swap = cut[k]; cut[k] = cut[k - 1]; cut[k - 1] = swap }
            for (i = 2; i <= n; i++) {
                end = cut[i] < 34560000 ? cut[i] : 34560000
                if (end > cut[i - 1] && state(node, (cut[i - 1] + cut[i]) / 2) == 1) sum += end - cut[i - 1]
            }
        }
        printf "%.3f", sum * 8 / 3600
    }' "$1/faults.csv"
}
check "tests are apart from repairs" holds "($(lost burn burn_in) - $(tested "$tmp/burn")) ^ 2 < 1 && $(lost burn burn_in) > 1000"
check "the share of rejected tests" equal "$(json "$tmp/burn/summary.json" reliability.burn_in.rejected_share)" \
    "$(awk -v r="$(json "$tmp/burn/summary.json" reliability.burn_in.rejected)" -v n="$(json "$tmp/burn/summary.json" reliability.burn_in.tests)" 'BEGIN { printf "%.6f", r / n }')"
# 24 of the 34 h of what ended in the window; tests still going on at its end are not counted.
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
# 20 nodes of 8 GPUs for 24 h; in the picture each has a bar of 86,400 s, in the snapshot a mark.
run run "$tmp/burn.json" -o "$tmp/seen" --audit --trace "$tmp/wide.csv" --set faults.scale=0 --set faults.burn_in.reject=0 \
    --set 'faults.burn_in.new=["b"]' --set outputs.timeline_s=43200 --trace-events "$tmp/events.json" --snapshot-at 2h
check "page and terminal name them" eval 'grep -q "burn-in" "$tmp/seen/report.html" && grep -q "^lost .*  burn-in [0-9.]*%" "$tmp/out" && grep -q "^burn-in  tests 20  rejected 0  of them 0.0%  GPU-h 3,840" "$tmp/out"'
check "tests are a rung of the ladder" equal "$(lost seen burn_in) $(lost seen down)" "3840 0"
check "and a state over time" equal "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "burn_in") c = i } NR > 1 && NR < 5 { print $c }' "$tmp/seen/timeline.csv" | xargs)" "160 160 0"
check "the trace of events has a bar for each" equal "$(grep -c '"ph": "X".*"name": "burn-in", "ts": 0, "dur": 86400000000' "$tmp/events.json")" 20
check "the snapshot marks them" equal "$(tr -d ' \n' <"$tmp/seen/snapshot.json" | grep -o '"state":"down","burn_in":true' | wc -l)" 20
run decide "$tmp/seen/snapshot.json"
check "and is read" status_is 0
run report "$tmp/seen" --explore
check "so does the explorer" eval 'status_is 0 && grep -q ">burn-in<" "$tmp/seen/explorer.html"'
run run "$tmp/burn.json" -o "$tmp/again" --audit --no-report --quiet --trace "$tmp/wide.csv" --set faults.scale=0 --set faults.burn_in.reject=0.5 --set 'faults.burn_in.new=["b","a"]'
check "with rejects they take n tests and n - 1 repairs" eval \
    'status_is 0 && equal "$(awk -F, "NR > 1 && (\$8 + 36000) % 122400 != 0" "$tmp/again/faults.csv" | wc -l)" 0'
check "and the job starts with the 21st that is through" equal "$(wide again)" "$(awk -F, 'NR > 1 { print $8 }' "$tmp/again/faults.csv" | sort -n | sed -n 21p)"
run run "$tmp/burn.json" -o "$tmp/bad" --no-report --quiet --set 'faults.burn_in.new=["bb"]'
refused_as() { status_is 2 && says err "$1"; }
check "an unknown pool is refused" refused_as "faults.burn_in.new: unknown pool 'bb'"
finish
