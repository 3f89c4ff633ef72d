#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# calibrate: a log made by the simulator itself is matched exactly, a changed one up to the change;
# and refusals.
# shellcheck disable=SC2016,SC2317 # checks are texts and names of functions
set -u
. tests/e2e/lib/tap.sh

# One node of 8 GPUs, jobs of 8 GPUs and 600 s, submitted at once: they wait 0, 600, 1200, ... s.
scenario() {
    cat >"$tmp/$1.json" <<END
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "a", "node": {"gpus": 8}, "count": $2}]},
 "queues": [{"name": "x", "gpu": {"quota": 8}}, {"name": "y", "gpu": {"quota": 0}}],
 "workload": {"trace": "log.csv"},
 "policy": {"name": "fifo"}}
END
}
# log SECONDS: the simulation's log, with starts that much later.
log() {
    awk -v late="$1" 'BEGIN {
        print "job_id,queue,submit_s,start_s,duration_s,gpus"
        for (i = 0; i < 20; i++)
            printf "j%d,%s,0,%d,600,8\n", i, i % 2 ? "y" : "x", 600 * i + late
        print "k,x,90000,90000,600,8"
    }'
}
# value KEY...: a number of the JSON just printed.
value() {
    python3 -c 'import json, sys
v = json.load(open(sys.argv[1]))
for k in sys.argv[2:]:
    v = v[int(k) if isinstance(v, list) else k]
print(v)' "$tmp/out" "$@"
}

scenario one 1
log 0 >"$tmp/log.csv"
run calibrate "$tmp/one.json" --quiet
check "the simulator's own log" eval 'status_is 0 && says out "verdict  the simulation agrees with the log"'
check "no job starts at another time" says out "within 0s of the log, 90% within 0s; 100.0% of them in the same order"
run calibrate "$tmp/one.json" --quiet --json
check "all jobs are compared" equal "$(value jobs compared) $(value agrees)" "21 True"
# Waits 0, 600, ... 11,400 s and 0: mean 114,000 / 21, nearest rank 20 of 21 is 10,800 s.
check "waits as worked out" equal "$(value all recorded_s mean) $(value all recorded_s p95) $(value all recorded_s max)" "5428.571429 10800 11400"
check "and as simulated" equal "$(value all simulated_s mean) $(value all simulated_s p95) $(value all simulated_s max)" "5428.571429 10800 11400"
# The window has 25 hours; 8 GPUs are busy for 20 times 600 s, 3 h 20 min.
check "GPUs are busy in both" equal "$(value gpus hours 0 recorded) $(value gpus hours 3 recorded) $(value gpus hours 3 simulated) $(value gpus hours 4 simulated)" "8 2.666667 2.666667 0"

# Every job five minutes later: 300 s more for each of 21 jobs.
log 300 >"$tmp/late.csv"
run calibrate "$tmp/one.json" "$tmp/late.csv" --quiet --json
check "a log given beside the scenario" equal "$(value all difference_s)" 6000
run calibrate "$tmp/one.json" "$tmp/late.csv" --quiet
check "late starts are in waits" says out "half of the jobs start within 5m00s of the log"

# A scenario with many replicas: the log is replayed as it is.
run calibrate "$tmp/one.json" --quiet --json --set replicas=20 --set workload.shake_s=600
check "arrivals are not moved" equal "$(value all difference_s) $(value starts in_order)" "0 21"
run calibrate "$tmp/one.json" --quiet --json --set replicas=20 --set workload.replicate=resample
check "nor jobs drawn again" equal "$(value all difference_s) $(value jobs compared)" "0 21"

# With two nodes no job waits longer than half as long.
scenario two 2
run calibrate "$tmp/two.json" --quiet
check "another fleet differs" eval 'status_is 0 && says out "the simulation differs from the log" && says out "jobs that wait in both"'
run calibrate "$tmp/one.json" --quiet --set fleet.pools.a.count=2 --json
check "--set changes the scenario" equal "$(value agrees) $(value gpus installed) $(value gpus recorded_peak)" "False 16 8"

sed 's/,600,8$/,600,9/' "$tmp/log.csv" >"$tmp/large.csv"
run calibrate "$tmp/one.json" "$tmp/large.csv" --quiet
check "nothing starts" eval 'status_is 3 && says err "no job of the log that counts started"'
{ cat "$tmp/log.csv"; echo "never,x,0,,600,8"; echo "early,x,100,50,600,8"; } >"$tmp/odd.csv"
run calibrate "$tmp/two.json" "$tmp/odd.csv" --quiet
check "jobs that are left out are counted" eval 'says out "left out, as the log does not say when they started" && says out "as they started before they were eligible: 1 jobs" && says out "jobs     23 in the log, 21 compared"'

# --- a page, and parameters that reconcile -------------------------------------------------------

run calibrate "$tmp/one.json" "$tmp/late.csv" --quiet -o "$tmp/page.html"
check "a page with the verdict" eval 'status_is 0 && grep -qF "The simulation differs from the log" "$tmp/page.html" || grep -qF "The simulation agrees with the log" "$tmp/page.html"'
check "and the waits, recorded beside simulated" eval 'tr -d "\n" <"$tmp/page.html" | sed "s/<[^>]*>/ /g" | tr -s " " | grep -q " all 21 1h35m 1h30m "'
check "and a figure of busy GPUs" [ -f "$tmp/page-figures/busy.dat" ]

# Cycles every 45 s: a job that ends after 600 s is followed at 630 s, the next multiple of 45.
run run "$tmp/one.json" --set policy.cycle_s=45 -o "$tmp/cycles" --no-report --quiet
awk -F, 'NR == FNR { if (FNR > 1) start[$1] = $7; next } FNR == 1 { print } FNR > 1 { OFS = ","; $4 = start[$1]; print }' \
    "$tmp/cycles/jobs.csv" "$tmp/log.csv" >"$tmp/cycles.csv"
run calibrate "$tmp/one.json" "$tmp/cycles.csv" --quiet --json --fit policy.cycle_s --fit policy.options.seed=0..99
check "the interval of the log is found" eval 'status_is 0 && equal "$(value fit keys 0 value) $(value fit distance) $(value all difference_s)" "45 0 0"'
check "what has no influence is not identified" equal "$(value fit keys 1 value) $(value fit keys 1 identified)" "None False"
run calibrate "$tmp/one.json" "$tmp/cycles.csv" --quiet --fit policy.cycle_s
check "in words, to be used" eval 'says out "--set policy.cycle_s=45" && ! says out "remains"'

# --- refusals ------------------------------------------------------------------------------------

cut -d, -f1-3,5- "$tmp/log.csv" >"$tmp/bare.csv"
run calibrate "$tmp/one.json" "$tmp/bare.csv" --quiet
check "a log without starts" eval 'status_is 2 && says err "does not say when its jobs started"'
run calibrate "$tmp/one.json" "$tmp/none.csv" --quiet
check "a log that is not there" eval 'status_is 2 && says err "none.csv"'
run calibrate scenarios/examples/fill.json --quiet
check "a scenario without a log" eval '[ "$status" -eq 2 ]'
run calibrate "$tmp/one.json" --fit policy.cycle --quiet
check "a key without a known range" eval 'status_is 2 && says err "did you mean" && says err "policy.cycle_s"'
run calibrate "$tmp/one.json" --fit policy.cicle_s=0..9 --quiet
check "a key that is not there" eval 'status_is 2 && says err "policy.cicle_s"'
run calibrate "$tmp/one.json" -o "$tmp/page.txt" --quiet
check "another kind of file" eval 'status_is 2 && says err "expected a name that ends in .html"'
run calibrate
check "no scenario" status_is 2

finish
