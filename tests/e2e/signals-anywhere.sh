#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A signal at any call on a temporary file, that is at any moment of writing: the exit code names
# it, no temporary file is left, existing files are whole, and a second run gives the bytes of an
# undisturbed one. Here at some of the calls; SIGNALS=all (make signal-sweep) at each of them, with
# each signal.
# shellcheck disable=SC2016,SC2086,SC2154,SC2317
set -u
. tests/e2e/lib/tap.sh

lib=$(realpath -m "${B:-build/release}/tests/preload/faults.so")
if [ ! -e "$lib" ]; then
    skip "signals anywhere" "this variant takes no LD_PRELOAD"
    finish
fi
demo=$PWD/scenarios/examples/demo.json
points=4 # of a command
signals=INT
if [ "${SIGNALS:-}" = all ]; then
    points=1000000
    signals="INT TERM HUP"
    trap - HUP
fi

# preloaded WORD...: runs the program in $tmp and counts its calls on temporary files.
preloaded() {
    rm -f "$tmp/count"
    (cd "$tmp" && FAULTS_CALLS=open,write,rename,close,unlink,fsync FAULTS_ONLY='*.tmp' FAULTS_COUNT=$tmp/count LD_PRELOAD=$lib \
        "$BIN" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null)
    status=$?
}
# at N SIGNAL WORD...: the signal comes before the N-th of them.
at() {
    FAULTS_AT=$1 FAULTS_DO=SIG$2
    export FAULTS_AT FAULTS_DO
    shift 2
    preloaded "$@"
    unset FAULTS_AT FAULTS_DO
}
calls() { od -An -td8 "$tmp/count" | tr -d ' '; }
code_of() { case $1 in INT) echo 130 ;; TERM) echo 143 ;; HUP) echo 129 ;; esac; }
no_leftovers() { [ -z "$(find "$tmp/out.d" -name '*.tmp')" ]; }
# all_whole: each JSON file has a proper end; out_close() is the only way for a file to get its
# name.
all_whole() { ! find "$tmp/out.d" -name '*.json' -exec sh -c 'tail -c 2 "$1" | grep -q "}" || echo "# cut: $1"' - {} \; | grep .; }

# interrupted WORD...: with -o out.d appended. Each point is checked separately.
interrupted() {
    rm -rf "$tmp/out.d" "$tmp/undisturbed"
    mkdir "$tmp/out.d"
    preloaded "$@"
    status_is 0 || return 1
    total=$(calls)
    mv "$tmp/out.d" "$tmp/undisturbed"
    step=$((total / points + 1))
    for signal in $signals; do
        at=1
        while [ "$at" -le "$total" ]; do
            rm -rf "$tmp/out.d"
            mkdir "$tmp/out.d"
            at "$at" "$signal" "$@"
            status_is "$(code_of "$signal")" && no_leftovers && all_whole && says err fauxfleet ||
                { echo "# $signal before call $at of $total" && return 1; }
            at=$((at + step))
        done
    done
    (cd "$tmp" && "$BIN" "$@" >"$tmp/out" 2>"$tmp/err") && whole="$(cd "$tmp/undisturbed" && find . -type f ! -name '*timing.json' | LC_ALL=C sort)" &&
        for file in $whole; do same "$tmp/undisturbed/$file" "$tmp/out.d/$file" || { echo "# $file differs" && return 1; }; done
}

cp tests/e2e/data/io/*.json tests/golden/jobs.csv tests/golden/outages.csv "$tmp"
printf '{"fauxfleet_sweep": 1, "scenario": "world.json", "grid": {"policy": ["fifo", "easy"]}, "seeds": [1, 2]}\n' >"$tmp/plan.json"
(cd "$tmp" && "$BIN" run world.json -o was --quiet --no-report && "$BIN" run world.json -o other --quiet --no-report --policy easy) >"$tmp/out" 2>"$tmp/err"

check "run, with its report" interrupted run world.json --quiet -o out.d
check "replicas on two threads" interrupted run world.json --quiet --replicas 3 -j 2 --no-report -o out.d
check "sweep" interrupted sweep plan.json --quiet -o out.d
check "plan" interrupted plan "$demo" --target "mean(wait) <= 1h" --replicas 5 --confidence 0.6 --quiet -o out.d
check "trace convert" interrupted trace convert jobs.csv -o out.d/converted.csv
check "compare" interrupted compare was other -o out.d/page.html
check "report" interrupted report was -o out.d/report.html
finish
