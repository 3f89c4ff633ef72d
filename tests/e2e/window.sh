#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The window of a run's measurements: from the first to the last submission unless window.horizon
# says otherwise, apart from the drain. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# Two GPUs at 3,600 USD an hour (1 USD a second) for both; tests/report/measure/test_drain.c has a
# drawing of the events.
cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,gpus
a,0,100,1
b,40,100,2
c,80,10,1
CSV
cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 2, "usd_per_hour": 3600}}]},
 "workload": {"trace": "jobs.csv"}, "policy": {"name": "fifo"}, "outputs": {"timeline_s": 10}}
JSON
figures() { for key in window.end_s utilization.allocation cost.usd cost.idle_usd drain.length_s drain.jobs wait_s.max; do json "$1/summary.json" $key; done | tr '\n' ' '; }

run run "$tmp/s.json" -o "$tmp/default"
check "by default up to the last submission" equal "$(figures "$tmp/default")" "80 0.5 80 40 130 3 120 "
check "the terminal says what follows" grep -q '^drain    2m10s after the window  jobs ended in it 3  allocated 88.5%$' "$tmp/out"
check "so does the report" grep -q '2m10s after the window: 3 jobs ended in it, 88.5% allocated' "$tmp/default/report.html"
check "the resolved scenario states it" grep -q '"horizon": "last-submission"' "$tmp/default/scenario.json"
run run "$tmp/s.json" -o "$tmp/all" --set window.horizon=all --no-report
check "all: up to the last end" equal "$(figures "$tmp/all")" "210 0.738095 210 55 0 0 120 "
check "without a drain" eval '! grep -q "^drain" "$tmp/out"'
# except for their cost, which is that in the window
for run in all default; do sed "s/,[^,]*$//" "$tmp/$run/jobs.csv" >"$tmp/$run.jobs"; done
check "jobs are the same" same "$tmp/all.jobs" "$tmp/default.jobs"
run run "$tmp/s.json" -o "$tmp/cut" --set window.drain=false --no-report
check "drain false: nothing after the window" equal "$(figures "$tmp/cut")" "80 0.5 80 40 0 0 null "
run run "$tmp/s.json" -o "$tmp/no" --set window.horizon=al
check "another word is refused" refused "did you mean 'all'?"
run run "$tmp/s.json" -o "$tmp/two" --replicas 2 --set workload.shake_s=5 --no-report --quiet
check "replicas have the key" equal "$(json "$tmp/two/summary.json" window.ends_with)" "last submission"

# Completion times are 100, 160 and 130 s, of 100, 100 and 10 s of work: with 60 s for the last 1,
# 1.6 and 2.167.
check "tau is a minute" equal "$(json "$tmp/default/summary.json" bounded_slowdown.p95) $(json "$tmp/default/summary.json" bounded_slowdown.tau_s)" "2.167 60"
run run "$tmp/s.json" -o "$tmp/tau" --set metrics.tau=20s --no-report
check "or what metrics.tau says" equal "$(json "$tmp/tau/summary.json" bounded_slowdown.p95) $(json "$tmp/tau/summary.json" bounded_slowdown.tau_s)" "6.5 20"
check "in jobs.csv too" grep -q '^c,.*,6.5,completed,' "$tmp/tau/jobs.csv"

# One instant has no length.
head -2 "$tmp/jobs.csv" >"$tmp/one.csv"
run run "$tmp/s.json" -o "$tmp/one" --trace "$tmp/one.csv" --no-report
check "a single submission: up to the last end" equal "$(figures "$tmp/one")" "100 0.5 100 50 0 0 0 "
check "with a note" says err "window.horizon: no job is submitted after the window begins, so it ends with the last job"

# A warm-up longer than the run leaves nothing to measure.
run run "$tmp/s.json" -o "$tmp/none" --trace "$tmp/one.csv" --set window.warmup=100 --no-report
check "a warm-up as long as the run is refused" eval 'status_is 2 && says err "window.warmup: expected less than the run lasts (100 s), got 100 s"'
run run "$tmp/s.json" -o "$tmp/none" --trace "$tmp/one.csv" --set window.warmup=10h --set window.horizon=all --no-report
check "and a longer one" eval 'status_is 2 && says err "window.warmup: expected less than the run lasts (100 s), got 36000 s"'
run run "$tmp/s.json" -o "$tmp/less" --trace "$tmp/one.csv" --set window.warmup=99.5 --no-report --quiet
check "not a shorter one" equal "$(json "$tmp/less/summary.json" gpu_hours.installed)" 0.000278

# Venus on 133 DGX A100. Allocation follows from starts and ends of jobs.csv, idle devices from the
# rest.
trace=$shared/traces/venus-sept/jobs.csv.gz
if [ -z "$shared" ] || [ ! -r "$trace" ]; then
    skip "Venus: the tail is not idle time" "no traces/venus-sept"
else
    cat >"$tmp/venus.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": "dgx-a100", "count": 133}]}, "policy": {"name": "fifo"},
 "outputs": {"journal": false, "timeline_s": 0}}
JSON
    run run "$tmp/venus.json" --trace "$trace" -o "$tmp/venus" --no-report --quiet
    check "Venus: the tail is not idle time" eval 'awk -F, -v gpus=1064 -v got="$(json "$tmp/venus/summary.json" utilization.allocation)" \
        -v idle="$(json "$tmp/venus/summary.json" cost.idle_usd)" -v usd="$(json "$tmp/venus/summary.json" cost.usd)" "
        NR == 2 { first = \$6 }
        NR > 1 { n++; gpu[n] = \$5; start[n] = \$7; end[n] = \$8; if (\$6 < first) first = \$6; if (\$6 > last) last = \$6 }
        function near(a, b) { return a - b < b * 1e-5 && b - a < b * 1e-5 }
        END {
            for (i = 1; i <= n; i++) { e = end[i] < last ? end[i] : last; if (e > start[i]) held += gpu[i] * (e - start[i]) }
            share = held / (gpus * (last - first))
            exit !(near(got, share) && share > 0.8455 && share < 0.8465 && near(idle, usd * (1 - share)))
        }" "$tmp/venus/jobs.csv"'
fi
finish
