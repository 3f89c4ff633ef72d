#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Unreadable rows of a scenario's trace: left out and listed if few, an error if many, and all of
# them named by check.
# shellcheck disable=SC2016,SC2317 # checks are texts and names of functions
set -u
. tests/e2e/lib/tap.sh

# log ROWS BAD: rows of one-GPU jobs; the first BAD have no number of GPUs.
log() {
    awk -v rows="$1" -v bad="$2" 'BEGIN {
        print "job_id,submit_s,duration_s,gpus"
        for (i = 1; i <= rows; i++)
            printf "j%d,%d,60,%s\n", i, i, i <= bad ? "many" : "1"
    }' >"$tmp/log.csv"
}
cat >"$tmp/s.json" <<'E'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "a", "node": {"gpus": 8}, "count": 1}]},
 "workload": {"trace": "log.csv"},
 "policy": {"name": "fifo"}}
E
simulate() {
    rm -rf "$tmp/run"
    run run "$tmp/s.json" -o "$tmp/run" --no-report "$@"
}
summary() { sed -n "s/^ *\"$1\": \([0-9]*\),\{0,1\}$/\1/p" "$tmp/run/summary.json" | head -n 1; }

# --- few -----------------------------------------------------------------------------------------

log 100 5
simulate
check "5 of 100 rows are left out" eval 'status_is 0 && says err "5 of 100 rows cannot be read and are left out; first" && says err "log.csv:2:4: column"'
check "and listed with their reasons" equal "$(head -n 2 "$tmp/run/rejected.csv"; wc -l <"$tmp/run/rejected.csv")" \
    "line,column,reason
2,4,\"column 'gpus': 'many' is not valid, expected a number from 0 to 1e12\"
6"
check "and counted in the summary" equal "$(summary rejected_rows) $(summary submitted)" "5 95"
sed '2,6d' "$tmp/log.csv" >"$tmp/good.csv"
cp "$tmp/run/jobs.csv" "$tmp/jobs.csv"
simulate --trace "$tmp/good.csv" --quiet
check "the rest is simulated as if they were not there" same "$tmp/jobs.csv" "$tmp/run/jobs.csv"
check "nothing is listed when nothing was left out" eval 'absent "$tmp/run/rejected.csv" && ! grep -q rejected "$tmp/run/summary.json"'
simulate --quiet --set replicas=2
check "each replica has its own list" eval 'status_is 0 && same "$tmp/run/rep-1/rejected.csv" "$tmp/run/rep-2/rejected.csv"'
{ head -n 1 "$tmp/log.csv"; sed 1d "$tmp/log.csv" | sort -t, -k2,2nr; } >"$tmp/backwards.csv"
simulate --quiet --trace "$tmp/backwards.csv"
check "rows that are read twice, to be sorted, are listed once" eval 'status_is 0 && equal "$(wc -l <"$tmp/run/rejected.csv")" 6'
simulate --quiet
simulate_again() { run run "$tmp/s.json" -o "$tmp/run" --no-report --quiet --trace "$tmp/good.csv"; }
simulate_again
check "a run in the same folder removes the list of the one before" absent "$tmp/run/rejected.csv"

cp "$tmp/s.json" "$tmp/two.json"
sed -i 's|{"trace": "log.csv"}|[{"trace": "good.csv"}, {"trace": "log.csv"}]|' "$tmp/two.json"
awk -F, 'BEGIN { OFS = "," } NR > 1 { $1 = "g" $1 } { print }' "$tmp/good.csv" >"$tmp/g.csv" && mv "$tmp/g.csv" "$tmp/good.csv"
run run "$tmp/two.json" -o "$tmp/run" --no-report --quiet
check "of several traces the list names the one" eval 'status_is 0 && equal "$(head -n 1 "$tmp/run/rejected.csv")" trace,line,column,reason && grep -q "log.csv,2,4," "$tmp/run/rejected.csv"'

# --- many ----------------------------------------------------------------------------------------

log 100 6
simulate --quiet
check "6 of 100 are too many" eval 'status_is 2 && says err "log.csv:2:4: column" && says err "(6 of 100 rows cannot be read, more than the 5 % that are left out"'
simulate --quiet --set workload.options.rejected=0.06
check "unless the option allows them" eval 'status_is 0 && equal "$(summary rejected_rows)" 6'
log 100 1
simulate --quiet --set workload.options.rejected=0
check "0: the first ends it, in its own words" eval 'status_is 2 && says err "log.csv:2:4: column" && ! says err "rows cannot be read"'
simulate --quiet --set workload.options.rejected=2
check "a share above 1" eval 'status_is 2 && says err "expected a share between 0 and 1"'

# --- other commands ------------------------------------------------------------------------------

log 100 3
run check "$tmp/s.json"
check "check names all of them" eval 'status_is 2 && equal "$(grep -c "column .gpus.: .many. is not valid" "$tmp/err")" 3'
run init --from "$tmp/log.csv" -o "$tmp/made.json"
check "init takes the rest" eval 'status_is 0 && says err "3 of 100 rows cannot be read and are left out" && grep -qF "(jobs: 97, " "$tmp/made.json"'
run trace stats "$tmp/log.csv"
check "trace stats and convert stay strict" eval 'status_is 2 && says err "log.csv:2:4"'
run trace convert "$tmp/log.csv" --rejected "$tmp/list.csv" -o "$tmp/out.csv"
check "but for --rejected" eval 'status_is 0 && equal "$(wc -l <"$tmp/list.csv")" 4'

finish
