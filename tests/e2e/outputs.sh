#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Outputs in folders that others can write to: links planted under the names of temporary files,
# links in place of outputs, leftovers of killed runs, two programs with one target.
# shellcheck disable=SC2012,SC2016,SC2154,SC2317 # $tmp is of tap.sh; checks are texts
set -u
. tests/e2e/lib/tap.sh

trace=$tmp/trace.csv
"$BIN" trace generate batch --set jobs=500 -o "$trace"
mkdir "$tmp/at"
victim=$tmp/victim
untouched() { [ "$(cat "$victim")" = precious ]; }

# --- links ---------------------------------------------------------------------------------------

echo precious >"$victim"
for name in X.csv jobs.csv summary.json journal.jsonl scenario.json timeline.rows reasons.rows report.html plan.json results.csv \
    results.db; do
    ln -s "$victim" "$tmp/at/$name.tmp"
done
run trace convert "$trace" -o "$tmp/at/X.csv"
check "a link under an old temporary name is not written through" eval 'status_is 0 && untouched'
check "and the output is whole" same "$tmp/at/X.csv" "$trace"
run run tests/e2e/data/node.json --trace tests/e2e/data/node.csv -o "$tmp/at" --quiet
check "nor by a run" eval 'status_is 0 && untouched'
run sweep tests/e2e/data/sweep.json -o "$tmp/at" --quiet
check "nor by a sweep" eval 'status_is 0 && untouched'
run merge "$tmp/at" -o "$tmp/at/results.db"
check "nor by a merge" untouched
rm -f "$tmp/at/X.csv"
ln -s "$victim" "$tmp/at/X.csv"
run trace convert "$trace" -o "$tmp/at/X.csv"
check "a link in the place of an output is replaced by it" \
    eval 'status_is 0 && untouched && [ ! -L "$tmp/at/X.csv" ] && same "$tmp/at/X.csv" "$trace"'
# Not /dev/stdout: a program that fails here would replace that link for the whole machine.
if [ -e /dev/fd/1 ]; then
    "$BIN" trace convert "$trace" -o /dev/fd/1 >"$tmp/here" 2>"$tmp/err"
    status=$?
    check "/dev/fd/1 is written to where it leads" eval 'status_is 0 && same "$tmp/here" "$trace"'
fi
(umask 077 && exec "$BIN" trace convert "$trace" -o "$tmp/at/private.csv")
check "the mode is as umask says" equal "$(ls -l "$tmp/at/private.csv" | cut -c 1-10)" -rw-------

# --- leftovers of killed runs --------------------------------------------------------------------

left() { find "$1" -name '*.fauxfleet-*.tmp' | wc -l | tr -d ' '; }
"$BIN" run scenarios/examples/bench.json -o "$tmp/killed" --quiet 2>"$tmp/err" \
    --set 'workload.generate={"profile":"batch","jobs":1000000000}' &
pid=$!
while [ ! -d "$tmp/killed" ] || [ "$(left "$tmp/killed")" -eq 0 ]; do kill -0 "$pid" 2>/dev/null || break; done
# The run is alive: no other may remove its files.
run run tests/e2e/data/node.json --trace tests/e2e/data/node.csv -o "$tmp/killed" --quiet
check "a run beside one that lives leaves its temporary files alone" eval 'status_is 0 && [ "$(left "$tmp/killed")" -gt 0 ]'
kill -KILL "$pid"
wait "$pid" 2>/dev/null
check "a killed run leaves temporary files" eval '[ "$(left "$tmp/killed")" -gt 0 ]'
echo mine >"$tmp/killed/mine.tmp"
run run tests/e2e/data/node.json --trace tests/e2e/data/node.csv -o "$tmp/killed" --quiet
check "which the next run into the folder removes" eval 'status_is 0 && equal "$(left "$tmp/killed")" 0'
check "and no other file" test -e "$tmp/killed/mine.tmp"

# --- one target, two programs --------------------------------------------------------------------

i=0
while [ "$i" -lt 10 ]; do
    "$BIN" trace generate batch --set jobs=2000 --seed 1 -o "$tmp/at/both.csv" 2>"$tmp/err1" &
    pid=$!
    "$BIN" trace generate batch --set jobs=2000 --seed 2 -o "$tmp/at/both.csv" 2>"$tmp/err2" || status=1
    wait "$pid" || status=1
    i=$((i + 1))
done
check "two programs with one target both succeed" eval 'status_is 0 && empty "$tmp/err1" && empty "$tmp/err2"'
"$BIN" trace generate batch --set jobs=2000 --seed 1 -o "$tmp/1.csv"
"$BIN" trace generate batch --set jobs=2000 --seed 2 -o "$tmp/2.csv"
check "and leave one whole file" eval 'same "$tmp/at/both.csv" "$tmp/1.csv" || same "$tmp/at/both.csv" "$tmp/2.csv"'
check "and nothing else" equal "$(left "$tmp/at")" 0

finish
