#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of a whole run beside a yardstick that every machine has: `make bench-csv` simulates a
# million jobs from a CSV with twenty queues, all outputs on, and compares its CPU time with that of
# sorting the same file by its third column, one thread: the goal is 2.5 times as much. Below, the
# same run with one output less at a time: the difference of two lines is the cost of that output.
#
# Environment: BIN, B; BENCH_JOBS (1000000), BENCH_RUNS (5). The locale is the caller's: it
# determines the cost of a comparison in sort.
set -eu

BIN=${BIN:-build/fauxfleet}
B=${B:-build/release}
jobs=${BENCH_JOBS:-1000000}
runs=${BENCH_RUNS:-5}
mkdir -p "$B/bench"
work=$(mktemp -d "$B/bench/csv-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Five columns: job_id, submit_s, duration_s, gpus, queue. Users are spread over the queues.
"$BIN" trace generate batch --set "jobs=$jobs" --set gpus=8192 --set load=0.85 --set user_slope=0 -o "$work/batch.csv"
awk -F, -v OFS=, 'NR == 1 { print $1, $2, $3, $4, $5; next }
    { sub(/.*-u/, "", $6); print $1, $2, $3, $4, sprintf("q%02d", (NR * 7 + $6) % 20) }' "$work/batch.csv" >"$work/jobs.csv"
rm "$work/batch.csv"
cat >"$work/csv.json" <<END
{"fauxfleet_scenario": 1, "name": "csv", "fleet": {"pools": [{"name": "c", "node": {"gpus": 8}, "count": 1024}]},
 "queues": "from-trace", "workload": {"trace": "jobs.csv"}, "window": {"warmup": 0, "drain": true}}
END

# row NAME COMMAND...: best and median CPU time, and the best as a multiple of the first row's.
row() {
    name=$1
    shift
    if ! cost=$("$B/tests/bench/measure" "$runs" "$@" 2>"$work/err"); then
        echo "bench-csv: $name failed: $(tail -n 1 "$work/err")" >&2
        exit 1
    fi
    first=${first:-${cost%% *}}
    echo "$cost $first" | awk -v name="$name" '{ printf "%-34s %8.3f %8.3f %8.2f %9.1f\n", name, $1, $2, ($4 > 0 ? $1 / $4 : 0), $3 }'
}

printf '%-34s %8s %8s %8s %9s\n' "$jobs jobs, CPU seconds" best median 'x sort' MiB
row "sort -t, -k3,3n" sort --parallel=1 -t, -k3,3n "$work/jobs.csv"
set -- "$BIN" run "$work/csv.json" -o "$work/out" --quiet
row "all outputs" "$@"
set -- "$@" --no-report
row "without report" "$@"
set -- "$@" --set outputs.journal=false
row "nor journal" "$@"
set -- "$@" --set outputs.timeline_s=0
row "nor timeline" "$@"
set -- "$@" --set outputs.jobs=false
row "nor jobs.csv" "$@"
