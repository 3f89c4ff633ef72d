#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmark: `make bench`. Makes a trace of a million jobs, simulates it on 1,024 nodes of 8
# devices, replays Venus September 2020 and fills the cluster of the FGD paper if those traces are
# present ($FAUXFLEET_SHARED or ../shared), and prints one table. Times are process CPU time (user
# and system), the best and the median of several runs; a missed bar is reported, but is never an
# error.
#
# Environment: BIN the program, B the build folder, BENCH_JOBS (1000000), BENCH_RUNS (5),
# BENCH_CALIBRATION the output of tests/bench/calibrate, if already known.
set -eu

BIN=${BIN:-build/fauxfleet}
B=${B:-build/release}
jobs=${BENCH_JOBS:-1000000}
runs=${BENCH_RUNS:-5}
shared=${FAUXFLEET_SHARED:-../shared}
venus_trace=$shared/traces/venus-sept/jobs.csv.gz
work=$B/bench
LC_ALL=C
export LC_ALL
mkdir -p "$work"

calibration=${BENCH_CALIBRATION:-$("$B/tests/bench/calibrate")}
hold_1k=$(echo "$calibration" | awk '$1 == 1000 { print $2 }')
hold_100k=$(echo "$calibration" | awk '$1 == 100000 { print $2 }')
cat <<END
Calibration of this machine, a hold (pop and push) on the event queue: $hold_1k ns with 1,000 events pending,
$hold_100k ns with 100,000. Load when starting: $(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || echo unknown). Compiler: $("${CC:-cc}" --version | head -n 1).

END

# header: the column titles; row NAME CPU_BAR MEMORY_BAR ARGUMENT...: measures `run` with the
# arguments. CPU_BAR is "1000000/s" (jobs per CPU-second, at least) or "0.1 s" (CPU time, at most),
# "-" for none.
header() {
    printf '%-34s %9s %7s %7s %10s %10s %9s %11s %9s %8s  %s\n' workload jobs 'best s' 'med. s' 'jobs/s' 'events/s' 'ns/event' \
        'decisions/s' 'holds/job' 'peak MiB' bar
}

row() {
    name=$1
    cpu_bar=$2
    memory_bar=$3
    shift 3
    if ! cost=$("$B/tests/bench/measure" "$runs" "$BIN" run "$@" -o "$work/out" --no-report --quiet 2>"$work/err"); then
        printf '%-34s failed: %s\n' "$name" "$(tail -n 1 "$work/err")"
        failed=1
        return 0
    fi
    awk -v name="$name" -v cpu_bar="$cpu_bar" -v memory_bar="$memory_bar" -v hold="$hold_1k" -v cost="$cost" '
        { gsub(/[",]/, "") }
        $1 == "submitted:" && !seen++ { jobs = $2 }
        $1 == "events:" { events = $2 }
        $1 == "decisions:" { decisions = $2 }
        END {
            split(cost, c, " ")
            best = c[1] > 0 ? c[1] : 0.0005
            bar = "-"
            if (cpu_bar ~ /\/s$/) bar = sprintf("%s %s jobs/s", jobs / best >= cpu_bar + 0 ? "met:" : "MISSED:", cpu_bar + 0 "")
            else if (cpu_bar != "-") bar = sprintf("%s %s", best <= cpu_bar + 0 ? "met:" : "MISSED:", cpu_bar)
            if (memory_bar != "-") bar = sprintf("%s, %s < %d MB", bar, c[3] * 1.048576 < memory_bar ? "met:" : "MISSED:", memory_bar)
            printf "%-34s %9d %7.3f %7.3f %10.0f %10.0f %9.0f %11.0f %9.1f %8.1f  %s\n", name, jobs, best, c[2], jobs / best, \
                events / best, best / events * 1e9, decisions / best, best / jobs * 1e9 / hold, c[3], bar
        }' "$work/out/summary.json"
}

failed=0
"$BIN" trace generate batch --set "jobs=$jobs" --set gpus=8192 --set load=0.85 -o "$work/full.csv"
cut -d, -f1-4 "$work/full.csv" >"$work/four.csv"
[ "$(head -n 1 "$work/four.csv")" = job_id,submit_s,duration_s,gpus ]

# The bars are for a million jobs only.
count_bar=1000000/s best_fit_bar=400000/s memory_bar=250
[ "$jobs" -eq 1000000 ] || count_bar=- best_fit_bar=- memory_bar=-

header
bench=scenarios/examples/bench.json
row "fifo, count" "$count_bar" "$memory_bar" $bench --trace "$work/four.csv" --set policy.options.placement=count
row "fifo, best-fit" "$best_fit_bar" "$memory_bar" $bench --trace "$work/four.csv"
row "fifo, count, all 33 columns" - - $bench --trace "$work/full.csv" --set policy.options.placement=count
row "fifo, best-fit, all 33 columns" - - $bench --trace "$work/full.csv"
row "sjf, best-fit, skipping" - - $bench --trace "$work/four.csv" --policy sjf --set policy.options.blocking=skip
if [ -r "$venus_trace" ]; then
    venus=scenarios/studies/venus-sept.json
    row "venus fifo, jobs.csv" "0.1 s" - $venus --trace "$venus_trace" --set outputs.journal=false --set outputs.timeline_s=0
    row "venus fifo, timeline too" "0.1 s" - $venus --trace "$venus_trace" --set outputs.journal=false
    row "venus fifo, all outputs" "0.1 s" - $venus --trace "$venus_trace"
    row "venus fifo, jobs.csv, faults" "0.12 s" - $venus --trace "$venus_trace" --set outputs.journal=false --set outputs.timeline_s=0 \
        --set 'faults={"profile":"a100_busy"}'
else
    echo "venus fifo: skipped, no $venus_trace"
fi

# A packing study: 10,866 tasks of one to eight devices and of shares arrive at 1,213 nodes; none
# leaves.
openb=$shared/traces/alibaba-gpu-2023
if [ -r "$openb/orders/default-s42-arrivals.txt" ]; then
    for policy in fgd best-fit; do
        row "openb fill, $policy" "1 s" - scenarios/studies/openb-fill.json --policy "$policy" \
            --set "fleet.nodes_file=$openb/openb_node_list_gpu_node.csv" --trace "$openb/openb_pod_list_default.csv" \
            --set "workload.arrivals=$openb/orders/default-s42-arrivals.txt" \
            --set "workload.node_rank=$openb/orders/default-s42-noderank.txt" --set outputs.journal=false
    done
else
    echo "openb fill: skipped, no $openb/orders"
fi
# A hundred jobs of up to 20 nodes that never end, on 2,048 nodes for a year with every kind of
# fault.
year=$work/year
mkdir -p "$year"
awk 'BEGIN { print "job_id,submit_s,duration_s,gpus"; for (i = 0; i < 100; i++) print "j" i ",0,40000000," 8 * (1 + i % 20) }' >"$year/year.csv"
cat >"$year/year.json" <<END
{"fauxfleet_scenario": 1, "name": "year", "network": "contention",
 "fleet": {"pools": [{"name": "p", "node": "dgx-b200", "count": 2048, "fabric": "superpod-b200"}]},
 "workload": {"trace": "year.csv"}, "faults": {"profile": "h100", "spares": 0.02},
 "window": {"horizon": "365d", "drain": false}, "outputs": {"journal": false, "timeline_s": 0}}
END
row "a year of faults on 2,048 nodes" "5 s" - "$year/year.json"

# A month under the quota policy: 300,000 jobs, cycles of a second, 100 queues in three levels.
# Users are spread over the 80 leaves.
month=$work/month
mkdir -p "$month"
"$BIN" trace generate batch --set "jobs=$((jobs * 3 / 10))" --set gpus=8192 --set load=0.88 --set median_s=3330 |
    awk -F, -v OFS=, 'NR == 1 { print $1, $2, $3, $4, "queue", $6, $9; next }
        { sub(/.*-u/, "", $6); print $1, $2, $3, $4, sprintf("p%02d", $6 * 37 % 80), $6, $9 }' >"$month/month.csv"
awk 'BEGIN {
    print "name,parent,gpu_quota,gpu_limit,gpu_weight"
    for (d = 0; d < 5; d++) printf "d%d,,1600,-1,1\n", d
    for (t = 0; t < 15; t++) printf "t%d,d%d,533,-1,1\n", t, t % 5
    for (p = 0; p < 80; p++) printf "p%02d,t%d,100,-1,1\n", p, p % 15
}' >"$month/queues.csv"
cat >"$month/month.json" <<END
{"fauxfleet_scenario": 1, "name": "month",
 "fleet": {"pools": [{"name": "m", "node": {"gpus": 8}, "count": 1024}]}, "queues_file": "queues.csv",
 "workload": {"trace": "month.csv"}, "policy": {"name": "runai", "cycle_s": 1},
 "outputs": {"jobs": true, "journal": false, "timeline_s": 0}}
END
month_bar="30 s"
[ "$jobs" -eq 1000000 ] || month_bar=-
runs=1 row "runai, a month at 1 s cycles" "$month_bar" - "$month/month.json"

"$B/tests/bench/quota" 2>/dev/null | awk '{
    printf "\nThe quota policy on 1,024 nodes x 8, 100 queues in three levels, 10,000 jobs pending, the fleet full:\n"
    printf "  a cycle when nothing happened        %10.3f us  %s: 50 us\n", $1 / 1000, $1 <= 50000 ? "met" : "MISSED"
    printf "  a whole cycle that finds nothing     %10.3f us  %s: 50 us\n", $2 / 1000, $2 <= 50000 ? "met" : "MISSED"
    printf "  a decision while jobs end and arrive %10.3f us  %s: 20 us\n", $3 / 1000, $3 <= 20000 ? "met" : "MISSED"
}'

"$B/tests/bench/perf" | awk '
    function line(name, ns) { printf "  %-44s %7.1f ns  %s: 200 ns\n", name, ns, ns <= 200 ? "met" : "MISSED" }
    {
        printf "\nThe speed of a job by its placement, the mean over 1 to 16 nodes that are all different:\n"
        line("data parallel on DGX A100", $1)
        line("the same with latency, cores and uplinks", $2)
        line("tensor groups of four on DGX A100", $3)
        line("data parallel on DGX-1V, devices scattered", $4)
    }'

"$B/tests/bench/faults" | awk '
    NR == 1 { printf "\nThe faults of a year, all classes, profile h100, memory that the process has:\n" }
    { printf "  %6d nodes: %8.1f ms to set up, %7.0f ns a fault, %8d faults, %6d KiB\n", $1, $2, $3, $4, $5 }'

cat <<END

jobs/s, events/s, decisions/s: per second of process CPU time of the best of $runs runs, reading the CSV and writing
jobs.csv included. An event is an arrival or an end, two a job; a decision is the start of a task. holds/job: time of
one job in units of the hold with 1,000 events, for comparing machines. MB is 10^6 bytes, MiB 2^20.
The trace is "trace generate batch --set jobs=$jobs --set gpus=8192 --set load=0.85", cut to job_id, submit_s,
duration_s and gpus: its other columns are empty or not used here (one queue, no declared limits); the rows with all 33
show what reading them costs. For scale: a C program of 50 lines that reads such a trace, schedules it on a counter
and writes a row a job took 0.38 s for a million jobs where a hold was 41 and 88 ns.
END
rm -rf "$work/out"
exit $failed
