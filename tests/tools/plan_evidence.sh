#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Are plans right about future demand? `make plan-evidence`.
#
# Each trial draws a trace of a population of users (superpopulation.awk) as the recorded one, lets
# `plan` find the smallest fleet at confidence 0.9 with resampled replicas, and tries it on a fresh
# draw of the same population. The truly smallest fleet is known here: it is searched for each fresh
# draw, too, and the 90th percentile is what a buyer who knows the population would choose.
#
# Prints the figures. Exit status 1 if fewer than 85 % of the plans meet the target on their fresh
# draw, or their median is more than 10 % above the smallest fleet that meets it on 90 % of the
# fresh draws. Equal TRIALS give equal figures.
#
# Environment: BIN the program, TRIALS (100), JOBS threads (all processors), USERS (400), WEEKS (8).
set -u

BIN=${BIN:-build/fauxfleet}
trials=${TRIALS:-100}
users=${USERS:-400}
weeks=${WEEKS:-8}
jobs=${JOBS:-$(nproc 2>/dev/null || echo 1)}
LC_ALL=C
export LC_ALL
tmp=$(mktemp -d "${TMPDIR:-/tmp}/fauxfleet-evidence-XXXXXX") || exit 2
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM
target='p95(wait) <= 1h' limit_s=3600

cat >"$tmp/scenario.json" <<JSON
{"fauxfleet_scenario": 1, "name": "evidence", "fleet": {"pools": [{"name": "p", "node": {"gpus": 1}, "count": 40}]},
 "workload": {"trace": "recorded.csv"}, "policy": {"name": "fifo", "options": {"scope": "fleet", "placement": "count"}},
 "outputs": {"jobs": false, "timeline_s": 0, "journal": false}}
JSON

# draw SEED FILE
draw() {
    echo "job_id,submit_s,duration_s,gpus,user" >"$2"
    awk -v seed="$1" -v users="$users" -v weeks="$weeks" -f tests/tools/superpopulation.awk | sort -t, -k2,2n -k1,1 >>"$2"
}
# planned FILE OPTION...: the answer for that trace; "none" without one.
planned() {
    trace=$1
    shift
    "$BIN" plan "$tmp/scenario.json" --trace "$trace" --target "$target" --json --quiet -j "$jobs" "$@" >"$tmp/out" 2>"$tmp/err"
    case $? in
    0) sed -n 's/^ "answer_nodes": \([0-9]*\),*$/\1/p' "$tmp/out" ;;
    3) echo none ;;
    *) cat "$tmp/err" >&2 && exit 2 ;;
    esac
}
# p95_of FILE NODES: the 95th percentile of the waits on so many nodes, in seconds.
p95_of() {
    "$BIN" run "$tmp/scenario.json" --trace "$1" --set "fleet.pools[0].count=$2" -o "$tmp/run" --quiet --no-report >/dev/null 2>"$tmp/err" ||
        { cat "$tmp/err" >&2 && exit 2; }
    awk '/^ "wait_s": /{ on = 1 } on && match($0, /"p95": [0-9.]+/) { print substr($0, RSTART + 7, RLENGTH - 7); exit }' "$tmp/run/summary.json"
}

# Trial K: the recorded trace has seed 2K, the fresh one 2K + 1.
for k in $(seq "$trials"); do
    draw $((2 * k)) "$tmp/recorded.csv"
    draw $((2 * k + 1)) "$tmp/fresh.csv"
    answer=$(planned "$tmp/recorded.csv" --seed "$((1000 * k))") || exit 2
    least=$(planned "$tmp/fresh.csv" --replicas 2 --set workload.replicate=none) || exit 2
    p95=$(p95_of "$tmp/fresh.csv" "$answer") || exit 2
    echo "$answer $least $p95" >>"$tmp/trials"
done

# column N: sorted; quantile N SHARE: the smallest value with at least that share of the values at
# or below it.
column() { cut -d' ' -f"$1" "$tmp/trials" | sort -n; }
quantile() { column "$1" | awk -v p="$2" '{ v[NR] = $1 } END { k = int(p * NR); print v[k < p * NR ? k + 1 : k] }'; }
known=$(quantile 2 0.9) median=$(quantile 1 0.5)
awk -v limit="$limit_s" -v known="$known" -v median="$median" -v middle="$(quantile 2 0.5)" '
    { answer[NR] = $1; least[NR] = $2; met += $3 <= limit }
    END {
        for (i = 1; i <= NR; i++)
            for (k = 1; k <= NR; k++)
                pairs += answer[i] >= least[k]
        printf "trials                                              %d\n", NR
        printf "plans that meet the target on their fresh draw      %d (%.0f %%)\n", met, 100 * met / NR
        printf "plans that do on all fresh draws, in the mean       %.1f %%\n", 100 * pairs / NR / NR
        printf "median of the plans, nodes                          %d\n", median
        printf "smallest fleet for 90 %% of the fresh draws, nodes   %d (the plans: %+.1f %%)\n", known, 100 * (median / known - 1)
        printf "median of the smallest fleets, nodes                %d (the plans: %+.1f %%)\n", middle, 100 * (median / middle - 1)
        exit met < 0.85 * NR || median > 1.1 * known
    }' "$tmp/trials"
