#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Deadlines from the trace to the report: kept by conversion and shifts, met or missed, in every
# output. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# One GPU, 100 s each: the first ends at its deadline, the second 50 s later, the third has none.
cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,deadline_s
a,0,100,1,100
b,0,100,1,150
c,10,100,1,
CSV
cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 1}}]},
 "workload": {"trace": "jobs.csv"}, "policy": {"name": "fifo"}}
JSON
figures() { for key in jobs met missed met_share lateness_s.mean lateness_s.max; do json "$1/summary.json" deadlines.$key; done | tr '\n' ' '; }
run run "$tmp/s.json" -o "$tmp/out-a"
check "met and missed" equal "$(figures "$tmp/out-a")" "2 1 1 0.5 25 50 "
check "on the terminal" grep -q '^due      jobs 2  met 50.0%  late mean 25s  p95 50s  max 50s$' "$tmp/out"
check "in the report" grep -q 'jobs with a deadline' "$tmp/out-a/report.html"
check "in jobs.csv" equal "$(cut -d, -f1,19,20 "$tmp/out-a/jobs.csv" | tr '\n' ' ')" "job_id,state,deadline_s a,completed,100 b,completed,150 c,completed, "
run list metrics
check "list metrics" eval 'says out deadlines.met_share && says out deadlines.lateness_s'
run trace convert "$tmp/jobs.csv" -o "$tmp/again.csv"
run run "$tmp/s.json" --trace "$tmp/again.csv" -o "$tmp/out-b" --no-report --quiet
check "trace convert keeps them" same "$tmp/out-a/jobs.csv" "$tmp/out-b/jobs.csv"
# Half as dense: b comes at 0 as before, c at 20.
run run "$tmp/s.json" --set workload.time_scale=2 -o "$tmp/out-c" --no-report --quiet
check "a job that comes later has as much time" equal "$(figures "$tmp/out-c")" "2 1 1 0.5 25 50 "
cut -d, -f1-4 "$tmp/jobs.csv" >"$tmp/plain.csv"
run run "$tmp/s.json" --trace "$tmp/plain.csv" -o "$tmp/out-d" --no-report --quiet
check "without deadlines there is no column" equal "$(head -1 "$tmp/out-d/jobs.csv" | grep -c deadline)" 0

run trace convert "$tmp/plain.csv"
check "nor in a converted trace" equal "$(head -1 "$tmp/out" | grep -c deadline)" 0

# A trace with deadlines (Chronus): as many as there are jobs that are not best effort; with a GPU
# each, all are met.
trace=$shared/traces/deadline-chronus-philly/trace_job_Philly_MIX1.csv.gz
if [ -z "$shared" ] || [ ! -r "$trace" ]; then
    skip "Chronus, MIX1: 21,724 deadlines, all of which an empty fleet meets" "no traces/deadline-chronus-philly"
else
    run run "$tmp/s.json" --trace "$trace" --set 'fleet.pools=[{"name":"p","count":20000,"node":{"gpus":32}}]' --set policy.options.placement=count \
        --set outputs.timeline_s=0 --set outputs.journal=false -o "$tmp/chronus" --no-report --quiet
    check "Chronus, MIX1: 21,724 deadlines, all of which an empty fleet meets" equal \
        "$(json "$tmp/chronus/summary.json" deadlines.jobs) $(json "$tmp/chronus/summary.json" deadlines.met_share)" "21724 1"
fi
finish
