#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Reservation and backfill of the quota policy in the simulator, on traces whose times were worked
# out by hand: one node of 8 GPUs, `s` has 4 of them from 0 to 1000, `big` wants all 8 from 10 on,
# and others want the 4 idle ones.
set -u
. tests/e2e/lib/tap.sh

# schedule: "job:first start-end" of all jobs, in order of their names.
schedule() { sed 1d "$tmp/run/jobs.csv" | awk -F, '{ print $1 ":" $7 "-" $8 }' | sort | tr '\n' ' ' | sed 's/ $//'; }

# simulate NODES RULES: runs the trace on standard input under runai, with these options beside
# `backfill`.
simulate() { simulate_under runai "$1" "\"backfill\": true$2"; }
# simulate_under POLICY NODES OPTIONS
simulate_under() {
    rm -rf "$tmp/run"
    cat >"$tmp/trace.csv"
    cat >"$tmp/scenario.json" <<EOF
{
  "fauxfleet_scenario": 1, "name": "backfill",
  "fleet": {"pools": [{"name": "p", "count": $2, "node": {"gpus": 8, "gpu_type": "h100", "gpu_mem_gb": 80}}]},
  "queues": [{"name": "q"}, {"name": "r"}],
  "workload": {"trace": "trace.csv"},
  "policy": {"name": "$1", "cycle_s": 1, "options": {$3}},
  "window": {"drain": true}
}
EOF
    run run "$tmp/scenario.json" -o "$tmp/run" --no-report --quiet --audit
}

# --- the reservation binds every action ----------------------------------------------------------

simulate 1 '' <<'ROWS'
job_id,submit_s,duration_s,queue,gpus,time_limit_s
s,0,1000,q,4,1000
big,10,1000,q,8,1000
late,30,5000,q,4,5000
ROWS
check "a run with a reservation" status_is 0
check "no job is placed where it would delay big" equal "$(schedule)" "big:1000-2000 late:2000-7000 s:0-1000"

# --- declared run times count, not real ones -----------------------------------------------------

simulate 1 '' <<'ROWS'
job_id,submit_s,duration_s,queue,gpus,time_limit_s
s,0,1000,q,4,1000
big,10,1000,q,8,1000
short,20,900,q,4,980
ROWS
check "a job that declares to end in time starts" equal "$(schedule)" "big:1000-2000 s:0-1000 short:20-920"
check "which is recorded as backfill" grep -q '"job": "short".*"action": "backfill"' "$tmp/run/journal.jsonl"

simulate 1 '' <<'ROWS'
job_id,submit_s,duration_s,queue,gpus,time_limit_s
s,0,1000,q,4,1000
big,10,1000,q,8,1000
short,20,900,q,4,981
ROWS
check "a second more is too much" equal "$(schedule)" "big:1000-2000 s:0-1000 short:2000-2900"

simulate 1 '' <<'ROWS'
job_id,submit_s,duration_s,queue,gpus,time_limit_s
s,0,1000,q,4,1000
big,10,1000,q,8,1000
short,20,900,q,4,
ROWS
check "a job without a declared run time waits, however short it will be" equal "$(schedule)" \
    "big:1000-2000 s:0-1000 short:2000-2900"

simulate 1 '' <<'ROWS'
job_id,submit_s,duration_s,queue,gpus,time_limit_s,estimate_s
s,0,1000,q,4,,1000
big,10,1000,q,8,,
other,20,900,q,4,981,900
short,30,900,q,4,,900
ROWS
check "an estimate counts where no limit is declared" equal "$(schedule)" \
    "big:1000-2000 other:2000-2900 s:0-1000 short:30-930"

# --- a gang does not wait for ever ---------------------------------------------------------------

# Of 16 GPUs on two nodes `big` of q wants 8, `long` of q has 4 for a month. r has 12, of which 8
# are freed at 1000, and submits another job of 4 every 400 s: the queue that has least relative to
# its share is now q, now r.
crowd() {
    echo job_id,submit_s,duration_s,queue,gpus,time_limit_s
    echo long,0,2592000,q,4,2592000
    echo r0,0,700,r,4,700
    echo r1,0,1000,r,4,1000
    echo r2,0,1000,r,4,1000
    echo big,1,1000,q,8,1000
    awk 'BEGIN { for (i = 0; i < 300; i++) printf "x%d,%d,1000,r,4,1000\n", i, 2 + 400 * i }'
}
crowd | simulate 2 ', "reclaim_min_runtime_s": 600'
check "big starts when a node is free, at 1000" equal "$(awk -F, '$1 == "big" { print $7 }' "$tmp/run/jobs.csv")" 1000

# --- no job delays an earlier one ----------------------------------------------------------------

# Of 8 GPUs s has 2 until 1000 and t 2 until 1500. big (5) is reserved for 1000, w (8) behind it and
# t for 1500. Of the jobs at 30, short (2) ends by 1000 as declared; toolong (2) does not, and would
# delay big: 2 + 2 + 5 > 8. long (1) fits beside big, but not beside w. With a single reservation w
# has none at 50, so long starts, and w waits for it until 5050; toolong goes ahead at 1500, when
# big and t end.
ahead() {
    cat <<'ROWS'
job_id,submit_s,duration_s,queue,gpus,time_limit_s
s,0,1000,q,2,1000
t,0,1500,r,2,1500
big,10,500,q,5,500
w,20,500,q,8,500
short,30,900,q,2,970
toolong,40,1200,q,2,1200
long,50,5000,q,1,5000
ROWS
}
ahead | simulate 1 ', "actions": "allocate"'
check "a single reservation: long delays w" equal "$(schedule)" \
    "big:1000-1500 long:50-5050 s:0-1000 short:30-930 t:0-1500 toolong:1500-2700 w:5050-5550"
ahead | simulate_under quota-conservative 1 ''
check "quota-conservative: it waits until w has run" equal "$(schedule)" \
    "big:1000-1500 long:2000-7000 s:0-1000 short:30-930 t:0-1500 toolong:2000-3200 w:1500-2000"
check "jobs that go ahead are recorded as backfill" grep -q '"job": "short".*"action": "backfill"' "$tmp/run/journal.jsonl"
ahead | simulate_under quota-conservative 1 '"backfill_depth": 1'
check "with a plan of one job long delays w again" equal "$(schedule)" \
    "big:1000-1500 long:50-5050 s:0-1000 short:30-930 t:0-1500 toolong:1500-2700 w:5050-5550"

finish
