#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The gate's sides as processes: a candidate that crashes, hangs, exits, takes all memory, decides
# at random, is slow or leaks fails the gate, with all reports; a base that does so is not held
# against the candidate; an interrupted gate leaves nothing behind.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

cat >"$tmp/suite.json" <<END
{"fauxfleet_gate": 1, "name": "small", "looks": [6], "audit": 0, "metrics": [{"metric": "wait_s.mean", "margin": 0.5}],
 "scenarios": [{"scenario": "$PWD/scenarios/ci/quota.json", "set": {"workload.generate.horizon": "4d", "window.horizon": "4d"}}]}
END

# planted NAME: builds the plugin with that bug.
planted() {
    ${CC:-cc} -std=c17 -O1 -shared -fPIC -Ipolicies "-DPLANT_$1" -o "$tmp/$1.so" tests/e2e/data/regressions/planted.c
}
# gate BASE CANDIDATE ARGUMENT...
gate() {
    base=$1 candidate=$2
    shift 2
    run gate "$tmp/suite.json" --base "$tmp/$base.so" --candidate "$tmp/$candidate.so" "$@"
}
# against NAME ARGUMENT...: a candidate against the baseline.
against() {
    candidate=$1
    shift
    run gate "$tmp/suite.json" --baseline "$tmp/kept.json" --candidate "$tmp/$candidate.so" "$@"
}
# Signals, memory and time are as expected only without sanitizers.
plain() { [ "${VARIANT:-release}" = release ]; }

for plant in NONE CRASH ABORT LOOP SLEEP STOP GONE TALK EXIT EAT LEAK LEAKLET SLOW CHANCE SALT PICKY; do
    check "the plugin $plant" planted $plant
done
gate NONE NONE --quiet
check "one with nothing wrong passes" eval 'status_is 0 && says out "No decision changed" && ! says out Finding'

# --- how processes end ---------------------------------------------------------------------------

# wrong PLANT KIND WORDS ARGUMENT...: as the candidate it fails the gate, and all reports name side,
# scenario and replica.
wrong() {
    plant=$1 kind=$2 words=$3
    shift 3
    gate NONE "$plant" --quiet --report "json=$tmp/r.json" --report "md=$tmp/r.md" --report "junit=$tmp/r.xml" \
        --report "github=$tmp/r.github" --report "tap=$tmp/r.tap" --report "csv=$tmp/r.csv" --report "timing=$tmp/r.timing" "$@"
    status_is 1 && says out "FAIL: The candidate $words in scenario 'quota', replica 1: " &&
        says out "Finding $kind: candidate, scenario 'quota', replica 1: " && says out "$plant.so: " && says out "To reproduce: " &&
        is_json "$tmp/r.json" && [ "$(json "$tmp/r.json" verdict)" = fail ] && grep -q "\"kind\": \"$kind\"" "$tmp/r.json" &&
        grep -q "Finding $kind" "$tmp/r.md" && grep -q "<failure message=\"Finding $kind" "$tmp/r.xml" &&
        grep -q "^::error .*$words" "$tmp/r.github" && grep -q "^not ok .* processes" "$tmp/r.tap" && [ -s "$tmp/r.csv" ] && is_json "$tmp/r.timing"
}
if plain; then
    check "a crash is a verdict" wrong CRASH crash crashed
    check "with the signal, the plugin and the job" eval 'says out "signal 11 (SIGSEGV" && says out "the plugin '"'planted'"' was asked" && says out "of job "'
    check "so is abort()" wrong ABORT crash crashed
    cp "$tmp/out" "$tmp/one"
    check "the same on two threads" eval 'wrong ABORT crash crashed -j 2 && same "$tmp/out" "$tmp/one"'
    check "one that takes all memory" wrong EAT memory-limit "ran out of memory" --side-memory 300
else
    skip "crashes and memory" "sanitizers have their own ends"
fi
check "an endless loop, by its CPU time" wrong LOOP time-limit "did not finish in time" --side-time 1s
check "and by that of a decision" wrong LOOP time-limit "did not finish in time" --decision-limit 1s
check "one that waits for ever" wrong SLEEP blocked "stopped making progress" --side-time 1s
check "one that stops itself" wrong STOP blocked "stopped making progress" --side-time 1s
check "one whose first thread is gone" wrong GONE blocked "stopped making progress" --side-time 1s
check "one that never stops writing, with the end of its output" \
    eval 'wrong TALK time-limit "did not finish in time" --side-time 1s && says out "still at it"'
check "one that exits, with its output" eval 'wrong EXIT exit "ended without an answer" && says out "all jobs are scheduled"'

export PLANT_PICKY=yes
gate NONE PICKY --quiet
check "one that reports an error, but not where the base does" \
    eval 'status_is 1 && says out "FAIL: The candidate ended without an answer in scenario" && says out "memory"'
unset PLANT_PICKY
run gate /dev/stdin --base fifo --candidate fifo <"$tmp/suite.json"
check "a suite that its processes cannot read again" refused "expected a regular file"
run @gate-side run,0,1,1,0 gate "$tmp/suite.json" --base fifo --candidate fifo
check "the word for its processes is the program's own" refused "is for the program's own use"

gate EXIT NONE --quiet --report "json=$tmp/base.json"
check "of the base it is no verdict on the candidate" \
    eval 'status_is 2 && says out "BASE FAILED: There is nothing to compare with. The base ended" && [ "$(json "$tmp/base.json" verdict)" = base-failed ]'
gate EXIT EXIT --quiet -j 2
check "of both it says so" eval 'status_is 2 && says out "Both sides fail. The base ended" && says out " The candidate ended"'
run gate "$tmp/suite.json" --base "$tmp/EXIT.so" --save-baseline "$tmp/none.json" --quiet
check "such a base gives no baseline" eval 'status_is 2 && absent "$tmp/none.json" && says out "BASE FAILED"'
run gate "$tmp/suite.json" --base "$tmp/NONE.so" --candidate "$tmp/absent.so" --quiet
check "a candidate that is not there is a mistake, as before" refused "absent.so"

# --- randomness, time, memory --------------------------------------------------------------------

chance() {
    status_is 1 && says out "FAIL: The candidate does not decide the same twice in scenario 'quota', replica 1: " &&
        grep -qE "^ +First different decision: number [0-9]+$" "$tmp/out" && grep -qE "^ +one run +at [0-9.]+ s [a-z]+ job" "$tmp/out" &&
        grep -qE "^ +another run +at [0-9.]+ s [a-z]+ job" "$tmp/out"
}
gate NONE CHANCE --quiet
check "decisions by the clock" chance
gate NONE SALT --quiet --report "junit=$tmp/r.xml"
check "decisions salted from the environment" eval 'chance && grep -q "<failure message=\"Finding random-decisions" "$tmp/r.xml"'
gate SALT NONE --quiet
check "of the base: nothing to compare with" eval 'status_is 2 && says out "BASE FAILED" && says out "does not decide the same twice"'

found() {
    status_is 1 && says out "FAIL: The candidate $2 in scenario 'quota': " && says out "Finding $1: candidate, scenario 'quota': "
}
if plain; then
    gate NONE SLOW --quiet --report "timing=$tmp/slow.json" --report "tap=$tmp/slow.tap"
    check "slower decisions, though all are the same" \
        eval 'found slower "takes longer to decide" && says out "6 replicas, 6 with the same decisions" && grep -q "^not ok .*decision_time" "$tmp/slow.tap"'
    check "with the values of all replicas" \
        eval 'is_json "$tmp/slow.json" && [ "$(tr -d " \n" <"$tmp/slow.json" | grep -o "\"decision_us\":\[[0-9.,]*\]" | head -n 1 | tr , "\n" | wc -l)" = 6 ]'
    gate NONE LEAK --quiet
    check "a leak of 130 KiB for each job" eval 'status_is 1 && says out "Finding memory: candidate" && says out "Finding leak: candidate"'
    gate NONE LEAKLET --quiet
    check "one of 600 bytes" eval 'found leak "leaks memory" && ! says out "Finding memory"'
    sed 's|"looks"|"resources": {"memory_growth": {"role": "guard"}}, "looks"|' "$tmp/suite.json" >"$tmp/guard.json"
    run gate "$tmp/guard.json" --base "$tmp/NONE.so" --candidate "$tmp/LEAKLET.so" --quiet
    check "as a guard it warns" eval 'status_is 0 && says out "Warning leak: candidate"'
    sed 's|"looks"|"resources": {"memory_growth": {"floor": 2000}}, "looks"|' "$tmp/suite.json" >"$tmp/wide.json"
    run gate "$tmp/wide.json" --base "$tmp/NONE.so" --candidate "$tmp/LEAKLET.so" --quiet
    check "below the suite's margin it passes" eval 'status_is 0 && ! says out leak:'
else
    skip "time and memory" "sanitizers have their own"
fi
sed 's|"looks"|"resources": {"decision_tiem": {}}, "looks"|' "$tmp/suite.json" >"$tmp/typo.json"
run gate "$tmp/typo.json" --base "$tmp/NONE.so" --candidate "$tmp/NONE.so"
check "an unknown resource" refused "did you mean 'decision_time'"
gate NONE NONE --side-time soon
check "an invalid time" refused "--side-time 'soon': expected a duration"
gate NONE NONE --side-memory 1
check "too little memory" refused "not a whole number from 16"

# --- baselines -----------------------------------------------------------------------------------

run gate "$tmp/suite.json" --base "$tmp/NONE.so" --save-baseline "$tmp/kept.json" --quiet
check "a baseline, and its cost beside it" eval 'status_is 0 && is_json "$tmp/kept.json" && is_json "$tmp/kept.timing.json"'
cp "$tmp/kept.json" "$tmp/first.json"
run gate "$tmp/suite.json" --base "$tmp/NONE.so" --save-baseline "$tmp/kept.json" --quiet -j 2
check "the baseline has the same bytes again: no time is in it" same "$tmp/kept.json" "$tmp/first.json"
against NONE
check "the base passes, and time and memory were compared" eval 'status_is 0 && says err "CPU time of a decision: "'
against EXIT --quiet
check "a candidate that exits fails against it" eval 'status_is 1 && says out "FAIL: The candidate ended without an answer"'
against LOOP --quiet --side-time 1s
check "so does a loop" eval 'status_is 1 && says out "did not finish in time"'
against CHANCE --quiet
check "so do decisions by the clock" chance
if plain; then
    against LEAK --quiet
    check "so does a leak" eval 'status_is 1 && says out "Finding leak"'
    sed 's/"machine": "/&not /' "$tmp/kept.timing.json" >"$tmp/x" && mv "$tmp/x" "$tmp/kept.timing.json"
    against LEAK
    check "but not with the costs of another machine, which a note says" eval 'status_is 0 && says err "made on another machine"'
fi
rm "$tmp/kept.timing.json"
against NONE
check "nor without them" eval 'status_is 0 && says err "there is no $tmp/kept.timing.json"'
echo '{"fauxfleet_gate_timing": 1}' >"$tmp/kept.timing.json"
against NONE
check "costs that are damaged" refused "kept.timing.json"

# --- interrupted ---------------------------------------------------------------------------------

running() { pgrep -f "@gate-side run.*$tmp/$1.so" >/dev/null; }
# interrupted SIGNAL PLANT: interrupts a gate whose candidate never ends; soon no child is left.
interrupted() {
    "$BIN" gate "$tmp/suite.json" --base "$tmp/NONE.so" --candidate "$tmp/$2.so" -j 2 --side-time 2m >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    for _ in $(seq 100); do
        sleep 0.1
        ! running "$2" || break
    done
    kill -"$1" "$pid"
    wait "$pid"
    status=$?
    for _ in $(seq 50); do
        running "$2" || return 0
        sleep 0.1
    done
    false
}
if command -v pgrep >/dev/null; then
    check "Ctrl-C ends a gate whose candidate loops" eval 'interrupted INT LOOP && status_is 130 && says err interrupted'
    check "TERM one whose candidate waits" eval 'interrupted TERM SLEEP && status_is 143'
    check "even KILL leaves no children" interrupted KILL LOOP
else
    skip "signals" "no pgrep"
fi
finish
