#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything measured by `make bench`: the workloads with bars (bench.sh), each policy by fleet and
# pending jobs (grid.sh), and from both the page $B/bench/numbers.md. Prints measurements as it
# goes. To renew the page of the repository, on an otherwise idle machine:
#
#     make bench && cp build/release/bench/numbers.md tests/bench/numbers.md
#
# Environment: that of bench.sh, grid.sh and page.sh.
set -eu

B=${B:-build/release}
out=$B/bench
mkdir -p "$out"
rm -f "$out/failed"
BENCH_LOAD=$(cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || echo unknown)
BENCH_CALIBRATION=$("$B/tests/bench/calibrate")
began=$(date +%s)
export BENCH_LOAD BENCH_CALIBRATION

{ sh tests/bench/bench.sh || echo "a workload failed" >"$out/failed"; } | tee "$out/workloads.txt"
echo
{ sh tests/bench/grid.sh || echo "a cell of the grid failed" >"$out/failed"; } | tee "$out/cells.txt"
if [ -s "$out/failed" ]; then
    echo "bench: $(cat "$out/failed"): no page is written" >&2
    exit 1
fi

BENCH_TOOK=$(($(date +%s) - began))
export BENCH_TOOK
sh tests/bench/page.sh "$out/cells.txt" "$out/workloads.txt" >"$out/numbers.md.tmp"
mv "$out/numbers.md.tmp" "$out/numbers.md"
echo
echo "$out/numbers.md"
