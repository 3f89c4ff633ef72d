#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How often do the printed intervals contain the truth? `make coverage-study`. Writes the page that
# it prints.
#
# Most of it is tests/bench/coverage.c, which draws the queues itself. One row of each size uses the
# whole program: `run` simulates 400 jobs of the profile `queue` on one GPU and on two, `compare
# --json` gives the intervals, and the truth is that of one run with many replicas.
#
# Exit status 1 if an interval of nominally 95 % covers less than 93 %, of the whole program less
# than 90 % (with so few trials the same within chance). Equal arguments, equal bytes.
#
# Environment: BIN the program, B the folder of the build, PAGE the file (tests/bench/coverage.md),
# TRIALS (10000), REPLICAS (100000) of the population, RUN_TRIALS (300) and RUN_REPLICAS (10000) of
# the whole program, JOBS threads.
set -eu

BIN=${BIN:-build/fauxfleet}
B=${B:-build/release}
PAGE=${PAGE:-tests/bench/coverage.md}
trials=${TRIALS:-10000} replicas=${REPLICAS:-100000}
run_trials=${RUN_TRIALS:-300} run_replicas=${RUN_REPLICAS:-10000}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
LC_ALL=C
export LC_ALL
work=$(mktemp -d "${TMPDIR:-/tmp}/fauxfleet-coverage-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

cat >"$work/queue.json" <<'END'
{"fauxfleet_scenario": 1, "name": "queue", "queues": "from-trace", "policy": {"name": "fifo"}, "network": "off",
 "fleet": {"pools": [{"name": "c", "node": {"gpus": 1, "gpu_type": "any"}, "count": 1}]},
 "workload": {"generate": {"profile": "queue", "jobs": 400, "load": 0.8, "gpus": 1, "mean_s": 1000}},
 "window": {"warmup": 0, "drain": true}, "outputs": {"jobs": false, "journal": false, "timeline_s": 0}}
END

# ends SEED REPLICAS: mean, low and high of the change and of the difference of the mean wait, on
# one line.
ends() {
    rm -rf "$work/one" "$work/two"
    for gpus in one two; do
        "$BIN" run "$work/queue.json" -o "$work/$gpus" --seed "$1" --replicas "$2" -j "$jobs" --no-report --quiet \
            --set "fleet.pools[0].count=$([ $gpus = one ] && echo 1 || echo 2)" >"$work/log" 2>&1 || { cat "$work/log" >&2 && exit 2; }
    done
    "$BIN" compare "$work/one" "$work/two" --json --metric wait_s.mean >"$work/compared"
    for key in change difference; do
        sed -n "/\"$key\": {/,/}/s/^ *\"\(mean\|low\|high\)\": \([^,]*\),*\$/\2/p" "$work/compared"
    done | tr '\n' ' '
    echo
}

whole_program() {
    ends 100000000 "$run_replicas" >"$work/truth"
    for n in 5 10 20; do
        trial=0
        while [ "$trial" -lt "$run_trials" ]; do
            ends "$((trial * 100 + 1))" "$n"
            trial=$((trial + 1))
        done >"$work/trials"
        awk -v n="$n" 'NR == FNR { truth[1] = $1; truth[2] = $4; next }
            { for (k = 1; k <= 2; k++) { low = $(3 * k - 1); high = $(3 * k); if (low == "null") continue
                given[k]++; above[k] += low > truth[k]; below[k] += high < truth[k] } }
            END { name[1] = "change"; name[2] = "difference"
                for (k = 1; k <= 2; k++) {
                    held = 100 * (given[k] - above[k] - below[k]) / given[k]; if (held < 90) bad = 1
                    printf "| compare: %s | mean wait, a second GPU | %d | 95.0 %% | %.1f %% | %.1f %% | %.1f %% | %.1f %% |\n", name[k],
                        n, held, 100 * above[k] / given[k], 100 * below[k] / given[k], 100 * given[k] / (NR - 1) }
                exit bad }' "$work/truth" "$work/trials" || echo "$n" >>"$work/bad"
    done
}

bad=0
{
    cat <<END
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
# Coverage of intervals

How often do the intervals that fauxfleet prints hold the truth? Written by \`make coverage-study\`.

The same 400 jobs (Poisson arrivals, exponential run times of mean 1, load 0.8 of one GPU, first come first served, empty at the
beginning) are served by A, one GPU (M/M/1), and by B: *a second GPU* (M/M/2 on the same jobs), or *two slow GPUs* that take twice
as long (M/M/2 at the same load). A replica is one draw of the jobs, a pair both queues on it. The truth is the mean of
$replicas replicas of the same 400 jobs, not that of an endless queue. $trials trials a row; each draws so many pairs.

*Covers*: share of the intervals given that hold the truth; what prints 95 % has to reach 93 %. *Too high*, *too low*: share that
lies wholly above or below it. *Width*: median, against an oracle who knows how the estimate scatters: the middle 95 % of the
estimates of all trials. *Given*: share of the trials that got an interval; below 5 pairs none does.

END
    "$B/tests/bench/coverage" "$trials" "$replicas" || echo study >>"$work/bad"
    cat <<END

The band of a metric's mean in \`plan\` is Student's and nominally of 80 %; from 9 replicas on misses are counted instead. The times of
\`explain --replicas\` are the 10th and 90th percentile of the replicas, of 20 the 2nd and the 18th: a fresh one lies between them
with probability 16/21 = 76 %. Intervals of speed (\`make bench-compare\`) are those of compare's difference, of logarithms of
times. No other output has intervals: curves of waits are drawn without bands, and summaries have standard deviations.

The whole program: \`run\` and \`compare --json\` on the profile \`queue\`, $run_trials trials a row, the truth from $run_replicas
replicas.

| interval | of | pairs | nominal | covers | too high | too low | given |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
END
    whole_program
} >"$work/page"
[ ! -s "$work/bad" ] || bad=1
cp "$work/page" "$PAGE.tmp" && mv "$PAGE.tmp" "$PAGE"
cat "$PAGE"
exit "$bad"
