#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A full fleet under quotas: `make bench-fleet` runs scenarios/studies/full-fleet.json (10 million
# jobs, 100,000 GPUs) and prints CPU time and memory beside their bars, 10 CPU-minutes and 2 GB.
#
# Environment: BIN, B; BENCH_NODES (12500), BENCH_JOBS (10000000): a smaller fleet with the same
# shares, to which the bars do not apply; BENCH_POLICY (runai).
set -eu

BIN=${BIN:-build/fauxfleet}
B=${B:-build/release}
nodes=${BENCH_NODES:-12500}
jobs=${BENCH_JOBS:-10000000}
policy=${BENCH_POLICY:-runai}
scenario=scenarios/studies/full-fleet.json
mkdir -p "$B/bench"
out=$(mktemp -d "$B/bench/fleet-XXXXXX")
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM

# Shares of the teams in percent of the fleet, as in the scenario.
set -- --policy "$policy" --set "fleet.pools.main.count=$nodes" --set "workload.generate.gpus=$((8 * nodes))" \
    --set "workload.generate.jobs=$jobs"
for share in language:40 vision:30 ranking:20 robotics:10; do
    set -- "$@" --set "queues.${share%:*}.gpu.quota=$((8 * nodes * ${share#*:} / 100))"
done

if ! cost=$("$B/tests/bench/measure" 1 "$BIN" run "$scenario" "$@" -o "$out/run" --no-report --quiet 2>"$out/err"); then
    cat "$out/err" >&2
    exit 1
fi
whole=0
[ "$nodes" -ne 12500 ] || [ "$jobs" -ne 10000000 ] || whole=1
awk -v cost="$cost" -v nodes="$nodes" -v whole="$whole" '
    function bar(met, text) { return whole ? sprintf("  %s: %s", met ? "met" : "MISSED", text) : "" }
    { gsub(/[",]/, "") }
    $1 == "submitted:" && !seen++ { jobs = $2 }
    $1 == "decisions:" { decisions = $2 }
    $1 == "allocation:" && !held++ { allocation = $2 }
    END {
        split(cost, c, " ")
        printf "jobs        %12d on %d GPUs, %.1f %% of them allocated\n", jobs, 8 * nodes, 100 * allocation
        printf "decisions   %12d\n", decisions
        printf "CPU time    %12.1f s%s\n", c[1], bar(c[1] <= 600, "600 s")
        printf "a decision  %12.1f us\n", (decisions > 0 ? c[1] / decisions * 1e6 : 0)
        printf "memory      %12.1f MiB%s\n", c[3], bar(c[3] * 1.048576 < 2000, "2 GB")
    }' "$out/run/summary.json"
