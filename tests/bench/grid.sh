#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The grid of measurements behind the page of numbers: `make bench`. Prints a line a cell, words
# separated by tabs:
#
#     run      POLICY NODES JOBS     JOBS_PER_S US_PER_DECISION MIB
#     pending  POLICY NODES PENDING  US_PER_DECISION MIB STEPS
#     beside   WORKLOAD POLICY JOBS  JOBS_PER_S MIB
#
# "run": a whole run of the program on a generated trace, load 0.85 of the fleet, reading the trace
# and writing jobs.csv included, the best of several runs; "pending": the policy core alone on a
# full fleet (tests/bench/pending.c); "beside": the workloads on which other simulators were
# measured. All by process CPU time. A cell that exceeds its limit of CPU time is stopped there, and
# has "over" and the limit instead of its figures: every cell ends.
#
# Environment: BIN the program, B the build folder; BENCH_POLICIES (all of `list policies`),
# BENCH_FLEETS (128 1024 12500) nodes of 8 devices, BENCH_PENDING (100 1000 10000 100000),
# BENCH_GRID_JOBS (100000) in a run, BENCH_GRID_RUNS (3), BENCH_RUN_LIMIT (30) seconds of CPU time
# for all runs of one cell (with fewer runs if they would not fit); BENCH_PENDING_LIMIT (10),
# BENCH_BESIDE (10000 100000) jobs.
set -eu

BIN=${BIN:-build/fauxfleet}
B=${B:-build/release}
policies=${BENCH_POLICIES:-$("$BIN" list policies | sed 's/ .*//')}
jobs=${BENCH_GRID_JOBS:-100000}
runs=${BENCH_GRID_RUNS:-3}
run_limit=${BENCH_RUN_LIMIT:-30}
pending_limit=${BENCH_PENDING_LIMIT:-10}
shared=${FAUXFLEET_SHARED:-../shared}
LC_ALL=C
export LC_ALL
mkdir -p "$B/bench"
work=$(mktemp -d "$B/bench/grid-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# scenario NODES DEVICES: the fleet, owned by its one queue.
scenario() {
    cat <<END
{"fauxfleet_scenario": 1, "name": "grid", "fleet": {"pools": [{"name": "grid", "node": {"gpus": $2}, "count": $1}]},
 "queues": [{"name": "default", "gpu": {"quota": $(($1 * $2))}}], "workload": {"mode": "replay"},
 "window": {"warmup": 0, "drain": true}, "outputs": {"jobs": true, "journal": false, "timeline_s": 0}}
END
}

# simulate POLICY SCENARIO TRACE: sets $cost to "JOBS DECISIONS SECONDS MIB", or "over".
simulate() {
    cost=$("$B/tests/bench/measure" -t "$run_limit" "$runs" "$BIN" run "$2" --trace "$3" --policy "$1" -o "$work/out" \
        --no-report --quiet 2>"$work/err") || {
        echo "bench: policy $1: $(tail -n 1 "$work/err")" >&2
        exit 1
    }
    [ "$cost" = over ] || cost=$(awk -v cost="$cost" '
        { gsub(/[",]/, "") }
        $1 == "submitted:" && !seen++ { jobs = $2 }
        $1 == "decisions:" { decisions = $2 }
        END { split(cost, c, " "); print jobs, decisions, (c[1] > 0 ? c[1] : 0.0005), c[3] }' "$work/out/summary.json")
    rm -rf "$work/out"
}

# line FORMAT WORD...: prints the words, and the figures of $cost by FORMAT; or that it was over $1.
line() {
    format=$1
    shift
    printf '%s\t' "$@"
    echo "$cost" | awk -v format="$format" -v limit="$run_limit" '
        $1 == "over" { print "over\t" limit; next }
        { speed = sprintf("%.1f", $1 / $3) }
        format == "run" { printf "%s\t%.3f\t%.1f\n", speed, $3 / $2 * 1e6, $4 }
        format == "beside" { printf "%s\t%.1f\n", speed, $4 }'
}

for nodes in ${BENCH_FLEETS:-128 1024 12500}; do
    scenario "$nodes" 8 >"$work/fleet.json"
    "$BIN" trace generate batch --set "jobs=$jobs" --set "gpus=$((nodes * 8))" --set load=0.85 -o "$work/jobs.csv"
    for policy in $policies; do
        simulate "$policy" "$work/fleet.json" "$work/jobs.csv"
        line run run "$policy" "$nodes" "$jobs"
    done
    for policy in $policies; do
        for pending in ${BENCH_PENDING:-100 1000 10000 100000}; do
            cell=$("$B/tests/bench/pending" "$policy" "$nodes" "$pending" "$pending_limit")
            [ "$cell" != over ] || cell="over $pending_limit"
            printf 'pending\t%s\t%s\t%s\t' "$policy" "$nodes" "$pending"
            echo "$cell" | awk '{ if ($1 == "over") print $1 "\t" $2; else printf "%.3f\t%.1f\t%d\n", $1 / 1000, $2, $3 }'
        done
    done
done

# The workload on which other simulators were measured, and a log of 1996 on its machine of 100
# processors.
for beside_jobs in ${BENCH_BESIDE:-10000 100000}; do
    scenario 128 8 >"$work/fleet.json"
    "$BIN" trace generate batch --set "jobs=$beside_jobs" --set gpus=1024 --set load=0.85 -o "$work/jobs.csv"
    for policy in fifo easy; do
        simulate "$policy" "$work/fleet.json" "$work/jobs.csv"
        line beside beside batch "$policy" "$beside_jobs"
    done
done
log=$shared/traces/swf-pwa/KTH-SP2-1996-2.swf.gz
if [ -r "$log" ]; then
    scenario 100 1 >"$work/fleet.json"
    for policy in fifo easy; do
        simulate "$policy" "$work/fleet.json" "$log"
        line beside beside KTH-SP2 "$policy" "${cost%% *}"
    done
fi
