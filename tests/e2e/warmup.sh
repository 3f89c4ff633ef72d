#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# "warmup": "auto" from the command line: the time given by arithmetic, where it is written, which
# commands use it, and which runs may be compared. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# A hundred jobs of a second at once on one device, then one every two seconds, until 1000 s: no
# queue from 99 s on.
{
    echo "job_id,submit_s,duration_s,gpus"
    i=0
    while [ $i -lt 100 ]; do echo "b$i,0,1,1" && i=$((i + 1)); done
    i=200
    while [ $i -le 1000 ]; do echo "s$i,$i,1,1" && i=$((i + 2)); done
} >"$tmp/jobs.csv"
cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": {"gpus": 1}, "count": 1}]},
 "workload": {"trace": "jobs.csv"}, "policy": {"name": "fifo"}, "window": {"warmup": "auto"}}
JSON

run run "$tmp/s.json" -o "$tmp/auto" --audit --no-report
check "it runs" status_is 0
check "it reports the warm-up found" says err "measured from 1m39s after the first submission on (99 s; MSER-5)"
check "in the summary" equal "$(json "$tmp/auto/summary.json" window.warmup_s) $(json "$tmp/auto/summary.json" window.start_s)" "99 99"
check "jobs before it do not count" equal "$(json "$tmp/auto/summary.json" jobs.submitted)" 401
check "no job waits after it" equal "$(json "$tmp/auto/summary.json" wait_s.max)" 0
check "in the scenario" grep -q '"warmup": 99,' "$tmp/auto/scenario.json"
run run "$tmp/s.json" -o "$tmp/said" --set window.warmup=99 --quiet --no-report
for file in summary.json scenario.json jobs.csv journal.jsonl timeline.csv; do
    check "as if the time had been said: $file" same "$tmp/auto/$file" "$tmp/said/$file"
done
cp "$tmp/auto/scenario.json" "$tmp/again.json"
run run "$tmp/again.json" -o "$tmp/again" --quiet --no-report
check "its scenario runs again to the same" same "$tmp/auto/summary.json" "$tmp/again/summary.json"
run explain "$tmp/auto" b50 --at 20
check "it can be asked" eval 'status_is 0 && says out "Job b50"'
run run "$tmp/s.json" --check
check "nothing is simulated to check it" eval 'status_is 0 && says out "\"warmup\": \"auto\""'
run run "$tmp/s.json" -o "$tmp/quiet" --quiet --no-report
check "quiet" eval 'status_is 0 && silent err && same "$tmp/auto/summary.json" "$tmp/quiet/summary.json"'

# A queue that only grows has no steady state.
awk -F, 'BEGIN { OFS = "," } NR == 1 || NR > 101 { $3 = NR == 1 ? $3 : 1 + (NR - 101); print }' "$tmp/jobs.csv" >"$tmp/grows.csv"
run run "$tmp/s.json" -o "$tmp/grows" --trace "$tmp/grows.csv" --no-report
check "a missing steady state is reported" says err "no steady state was found"

# An unsorted log is detected and sorted; all replicas have the window of the first one.
{ head -1 "$tmp/jobs.csv" && tail -n +2 "$tmp/jobs.csv" | sort -t, -k1,1r; } >"$tmp/shuffled.csv"
run run "$tmp/s.json" -o "$tmp/sorted" --trace "$tmp/shuffled.csv" --quiet --no-report
check "sorted first" equal "$(json "$tmp/sorted/summary.json" window.warmup_s)" 99
run run "$tmp/s.json" -o "$tmp/three" --replicas 3 --set workload.shake_s=2 --quiet --no-report -j 2
run run "$tmp/s.json" -o "$tmp/three1" --replicas 3 --set workload.shake_s=2 --quiet --no-report
check "replicas" eval 'status_is 0 && same "$tmp/three/summary.json" "$tmp/three1/summary.json"'
windows_of() { for k in 1 2 3; do json "$tmp/three/rep-$k/summary.json" window.warmup_s; done | sort -u | wc -l; }
check "replicas have one window" equal "$(windows_of)" 1

# Runs with the same window may be compared; otherwise the message says which key to set.
run run "$tmp/s.json" -o "$tmp/fast" --set 'fleet.pools[0].node.gpus=2' --quiet --no-report
check "a faster fleet is steady sooner" equal "$(json "$tmp/fast/summary.json" window.warmup_s)" 49
run compare "$tmp/auto" "$tmp/fast"
check "other windows do not pair" eval 'status_is 5 && says err "window"'
run run "$tmp/s.json" -o "$tmp/fast" --set 'fleet.pools[0].node.gpus=2' --set window.warmup=99 --quiet --no-report
run compare "$tmp/auto" "$tmp/fast"
check "the same window does" status_is 0

# Each point of a sweep finds its own.
cat >"$tmp/plan.json" <<'JSON'
{"fauxfleet_sweep": 1, "scenario": "s.json", "grid": {"fleet.pools[0].node.gpus": [1, 2]}, "metrics": ["jobs.submitted"]}
JSON
run sweep "$tmp/plan.json" -o "$tmp/sweep" --quiet
check "a sweep" eval 'status_is 0 && [ "$(grep -c "^[12],401," "$tmp/sweep/results.csv")" = 2 ]'

# A plan measures all fleets in the window of the given one: one node is enough once the first
# hundred jobs do not count.
run plan "$tmp/s.json" --target 'p95(wait) <= 1s' --range 1..4 --replicas 2 --set workload.shake_s=0 --quiet
check "a plan" eval 'status_is 0 && ! says err auto'
cp "$tmp/out" "$tmp/plan.out"
run plan "$tmp/s.json" --target 'p95(wait) <= 1s' --range 1..4 --replicas 2 --set workload.shake_s=0 --quiet --set window.warmup=99
check "as if it had been said" same "$tmp/out" "$tmp/plan.out"
run plan "$tmp/s.json" --target 'p95(wait) <= 1s' --range 1..4 --replicas 2 --set workload.shake_s=0 --quiet --set window.warmup=0
check "without a warm-up it is another plan" eval '! same "$tmp/out" "$tmp/plan.out"'

# Both worlds of a question have the window of the present one.
run whatif "$tmp/s.json" --set 'fleet.pools[0].node.gpus=2' --replicas 2 --json
check "what if" eval 'status_is 0 && says err "measured from 1m39s"'

# Both sides of a gate have the window of the base, which its baseline keeps: 99 s for one GPU, 49 s
# for two.
cat >"$tmp/suite.json" <<'JSON'
{"fauxfleet_gate": 1, "scenarios": [{"scenario": "s.json", "name": "one"},
  {"scenario": "s.json", "name": "two", "set": {"fleet.pools[0].node.gpus": 2}}],
 "metrics": [{"metric": "wait_s.mean", "margin": 0.1}], "looks": [3]}
JSON
windows() { echo $(tr -d ' \n' <"$1" | grep -oE '"'"$2"'":[0-9]+' | cut -d : -f 2); }
gate() { run gate "$tmp/suite.json" --set workload.shake_s=0 "$@"; }
gate --base fifo --candidate sjf --json
check "a gate" eval 'status_is 0 && grep -q "scenario .one.: window.warmup .auto.: measured from 1m39s" "$tmp/err" && [ "$(windows "$tmp/out" warmup_s)" = "99 49" ]'
gate --base fifo --save-baseline "$tmp/base.json" --quiet
check "a baseline has them" eval 'status_is 0 && silent err && [ "$(windows "$tmp/base.json" warmup_ms) $(windows "$tmp/base.json" window_start_s)" = "99000 49000 99 99 99 49 49 49" ]'
gate --baseline "$tmp/base.json" --candidate sjf --json
check "and the candidate is measured from there" eval 'status_is 0 && [ "$(windows "$tmp/out" warmup_s)" = "99 49" ]'
sed 's/"warmup_ms": 99000/"warmup_ms": 50000/' "$tmp/base.json" >"$tmp/moved.json"
gate --baseline "$tmp/moved.json" --candidate sjf
check "another window does not pair" eval 'status_is 5 && says out "begins at 99.000 s and at 50.000 s"'

run run "$tmp/s.json" -o "$tmp/no" --trace - --quiet <"$tmp/jobs.csv"
check "standard input" refused "'auto' reads the trace twice, which standard input cannot be"
run run "$tmp/s.json" -o "$tmp/no" --set workload.mode=fill --quiet
check "a packing study" refused "'auto', but a packing study has no time"
run run "$tmp/s.json" -o "$tmp/no" --set window.warmup=automatic --quiet
check "another word" refused "window.warmup"

finish
