#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No failed call goes unnoticed: outputs are complete, or the exit code is an error and the message
# names the file. Failures that once went unnoticed, one by one, then the short form of the sweep
# over all commands (make io-sweep). Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2086,SC2154,SC2317
set -u
. tests/e2e/lib/tap.sh

lib=$(realpath -m "${B:-build/release}/tests/preload/faults.so")
if [ ! -e "$lib" ]; then
    skip "failing calls" "this variant takes no LD_PRELOAD"
    finish
fi

# failing CALLS PATHS AT ACT WORD...: runs the program in $tmp while one call fails; "+" after the
# act: that call and all later ones.
failing() {
    FAULTS_CALLS=$1 FAULTS_ONLY=$2 FAULTS_AT=$3 FAULTS_DO=${4%+} FAULTS_STICKY=0
    [ "$4" = "${4%+}" ] || FAULTS_STICKY=1
    FAULTS_COUNT=$tmp/count
    export FAULTS_CALLS FAULTS_ONLY FAULTS_AT FAULTS_DO FAULTS_STICKY FAULTS_COUNT
    rm -f "$tmp/count"
    shift 4
    (cd "$tmp" && LD_PRELOAD=$lib "$BIN" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null)
    status=$?
}
# fails CODE TEXT
fails() { status_is "$1" && says err "$2"; }
leftovers() { find "$tmp" -name '*.tmp' | wc -l | tr -d ' '; }

cp tests/e2e/data/io/*.json tests/golden/jobs.csv tests/golden/outages.csv scenarios/examples/snapshot.json "$tmp"
(cd "$tmp" && "$BIN" run world.json -o was --quiet --no-report && "$BIN" run world.json -o other --quiet --no-report --policy easy) >"$tmp/out"

# --- a report ------------------------------------------------------------------------------------

for file in timeline.csv jobs.csv queues.csv faults.csv scenario.json summary.json; do
    failing open "*/was/$file" 1 EMFILE report was
    check "report: $file cannot be opened" eval 'fails 2 "was/$file" && says err "Too many open files" && absent "$tmp/was/report.html"'
done
failing read "*/was/timeline.csv" 1 EIO report was
check "report: timeline.csv cannot be read" eval 'fails 2 "was/timeline.csv" && absent "$tmp/was/report.html"'
failing unlink "*ladder.svg" 1 EACCES report was
check "report: an old figure cannot be removed" eval 'fails 2 "was/figures/ladder.svg" && absent "$tmp/was/report.html"'

if command -v gnuplot >/dev/null; then
    # The first writes to a pipe are gnuplot's messages about its locale on stderr.
    while IFS='|' read -r calls paths at act message; do
        failing "$calls" "$paths" "$at" "$act" report was
        check "report: gnuplot and $act at $calls" eval 'fails 2 "was/figures/" && says err "$message" && absent "$tmp/was/report.html"'
    done <<'ROWS'
fork||1|EAGAIN+|ladder.svg: cannot draw: cannot start gnuplot: Resource temporarily unavailable
fork||2|ENOMEM+|cannot start gnuplot: Cannot allocate memory
pipe||1|EMFILE+|cannot start gnuplot: Too many open files
dup||2|EMFILE+|cannot start gnuplot: Too many open files
exec||1|ENOMEM+|cannot start gnuplot: Cannot allocate memory
chdir||1|EACCES+|cannot start gnuplot: Permission denied
write|pipe:*|30|ENOSPC+|cannot draw: gnuplot
open|ladder.dat|1|EACCES+|cannot draw: gnuplot failed
read|*/ladder.gp|1|EIO+|cannot draw: gnuplot
read|*/ladder.dat|1|EIO+|cannot draw: gnuplot
ROWS
    # A single failure fails all figures together; then each is drawn by itself.
    (cd "$tmp" && "$BIN" report was) >"$tmp/out"
    cp -r "$tmp/was/figures" "$tmp/figures"
    while IFS='|' read -r calls paths at act; do
        failing "$calls" "$paths" "$at" "$act" report was
        check "report: gnuplot and $act at $calls, once" eval 'status_is 0 && diff -r "$tmp/figures" "$tmp/was/figures"'
    done <<'ROWS'
fork||1|EAGAIN
fork||2|ENOMEM
pipe||1|EMFILE
dup||2|EMFILE
exec||1|ENOMEM
chdir||1|EACCES
write|pipe:*|30|ENOSPC
open|ladder.dat|1|EACCES
read|*/ladder.gp|1|EIO
read|*/ladder.dat|1|EIO
ROWS
    failing exec "" 1 ENOENT+ report was
    check "report: without gnuplot there is a page, and it says so" eval 'status_is 0 && grep -q "gnuplot is not installed" "$tmp/was/report.html"'
    rm -f "$tmp/was/report.html"
else
    skip "gnuplot's failures" "no gnuplot"
fi

# --- streams -------------------------------------------------------------------------------------

for command in 'run world.json --check' 'list policies' '--help' '--man' 'compare was other --json'; do
    (cd "$tmp" && eval "\"$BIN\" $command" >/dev/full 2>"$tmp/err")
    status=$?
    check "a full stdout: $command" fails 70 "standard output"
    failing close "*/out" 1 EIO $command
    check "a stdout that cannot be closed: $command" fails 70 "standard output"
done
(cd "$tmp" && "$BIN" list policies >&-) 2>"$tmp/err"
status=$?
check "a closed stdout" fails 70 "standard output"
(cd "$tmp" && "$BIN" sweep sweep.json -o closed >"$tmp/out" 2>&-)
status=$?
check "a closed stderr that had something to say" status_is 70
failing write "*/err" 1 ENOSPC sweep sweep.json -o swept
check "messages that got lost are an error" eval '[ "$status" -ne 0 ]'

cp tests/e2e/data/service.jsonl "$tmp/facts.jsonl"
(cd "$tmp" && "$BIN" serve --policy fifo <facts.jsonl >/dev/full) 2>"$tmp/err"
status=$?
check "serve: a full stdout" fails 70 "standard output: cannot write: No space left on device"
export FAULTS_CALLS=read FAULTS_ONLY="*/facts.jsonl" FAULTS_AT=1 FAULTS_DO=EIO FAULTS_STICKY=0
rm -f "$tmp/count"
(cd "$tmp" && LD_PRELOAD=$lib "$BIN" serve --policy fifo <facts.jsonl) >"$tmp/out" 2>"$tmp/err"
status=$?
check "serve: requests that cannot be read" fails 70 "standard input: cannot read: Input/output error"

# --- files that a run reads back, and those of a previous run ------------------------------------

failing seek "*/r/*" 1 EIO run world.json -o r --quiet --no-report
check "run: the rows of the timeline cannot be read back" eval 'fails 2 "r/timeline.csv" && absent "$tmp/r/timeline.csv"'
failing unlink "*/r/timeline.csv*" 1 EACCES run world.json -o r --quiet --no-report
check "run: their file cannot lose its name" fails 2 "r/timeline.csv"
failing read "*/r/summary.json" 1 EIO run world.json -o r --quiet --no-report --json
check "run: the summary cannot be read back" eval 'fails 2 "r/summary.json" && silent out'
failing opendir "*r" 1 EACCES+ run world.json -o r --quiet --no-report
check "run: the folder cannot be listed" fails 2 "r: cannot see the files of a previous run"
failing stat "*/r/figures" 1 EIO run world.json -o r --quiet --no-report
check "run: a previous run's folder cannot be inspected" fails 2 "r/figures"

# --- studies -------------------------------------------------------------------------------------

failing open "*/other/scenario.json" 1 EMFILE compare was other
check "compare: a scenario cannot be opened" fails 2 "other/scenario.json"
(cd "$tmp" && "$BIN" sweep sweep.json -o swept --quiet)
failing open "*/swept/points/*" 8 EACCES merge swept -o table.csv
check "merge: a result cannot be opened" eval 'fails 2 "swept/points/" && says err "Permission denied" && absent "$tmp/table.csv"'
failing rename "*plan.json" 1 EXDEV sweep sweep.json -o second --quiet
check "sweep: its plan cannot be renamed" eval 'fails 2 "second/plan.json" && empty "$(find "$tmp/second" -type f)"'
(cd "$tmp" && "$BIN" gate suite.json --base fifo --save-baseline base.json --quiet) >"$tmp/out"
failing open "*base.json" 1 EACCES+ gate suite.json --baseline base.json --candidate fifo --quiet
check "gate: a baseline that cannot be opened is not a missing one" eval 'fails 2 "base.json" && says err "Permission denied"'
check "no temporary file is left" equal "$(leftovers)" 0

# --- all commands --------------------------------------------------------------------------------

# `serve` has tests of its own (serve.sh, and kills at every call); its journal grows, so its files
# are not whole or absent.
unlisted=$("$BIN" list commands | while read -r command _; do
    [ "$command" = serve ] || grep -q "^[^#]*: $command " tests/e2e/data/io-cases.txt || printf '%s ' "$command"
done)
check "every command is in the table of the sweep" equal "$unlisted" ""
if command -v python3 >/dev/null; then
    check "the short sweep" python3 tests/tools/io_sweep.py --bin "$BIN" --lib "$lib" --most 6
else
    skip "the short sweep" "no python3"
fi
finish
