#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Charts below the tables: on a terminal, or where --charts asks for them; elsewhere the tables'
# bytes do not change, whatever the environment says. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

demo=scenarios/examples/demo.json
block=$(printf '\342\226\210') # U+2588, full block

draw() { run run "$demo" -o "$tmp/run" --no-report --quiet "$@"; }

draw
check "runs" status_is 0
cp "$tmp/out" "$tmp/plain"
lines=$(wc -l <"$tmp/plain")
TERM=xterm LANG=C.UTF-8 COLUMNS=60 LC_ALL='' "$BIN" run "$demo" -o "$tmp/run" --no-report --quiet >"$tmp/out" 2>/dev/null
check "no charts in a pipe, and the same bytes" same "$tmp/out" "$tmp/plain"
draw --charts never
check "never" same "$tmp/out" "$tmp/plain"
draw --charts ascii
head -n "$lines" "$tmp/out" >"$tmp/head"
check "charts stand below the same table" same "$tmp/head" "$tmp/plain"
check "with GPUs over time" says out "fleet over 14d00h, up to 128 GPUs"
check "with waits" says out "share of the jobs that had started within a time"
check "ascii is ASCII" eval '! LC_ALL=C grep -q "[^ -~]" "$tmp/out"'
draw --charts unicode
check "unicode is not" says out "$block"
draw --charts unicode --json
check "JSON has no charts" eval '! grep -q "$block" "$tmp/out"'
draw --charts colour
check "another word is refused" eval 'status_is 2 && says err "expected auto, never, ascii or unicode"'

run run "$demo" -o "$tmp/a" --replicas 5 --no-report --quiet
run run "$demo" -o "$tmp/b" --replicas 5 --no-report --quiet --policy runai
run compare "$tmp/a" "$tmp/b"
cp "$tmp/out" "$tmp/plain"
run compare "$tmp/a" "$tmp/b" --charts ascii
check "a comparison has a forest" says out "B against A, 95% intervals"
check "the wait is to the left of zero" eval 'grep -q "^wait_s.mean  *<*-*o-*  *|" "$tmp/out"'
head -n "$(wc -l <"$tmp/plain")" "$tmp/out" >"$tmp/head"
check "below the same table" same "$tmp/head" "$tmp/plain"
run compare "$tmp/a" "$tmp/a" --charts ascii
check "equal runs have none" eval '! says out "intervals"'

run trace generate teams --set horizon_s=2d -o "$tmp/t.csv"
run trace stats "$tmp/t.csv" --charts ascii
check "a trace has its hours" eval 'says out "by hour" && says out "size (GPUs) of the jobs"'

cat >"$tmp/plan.json" <<END
{"fauxfleet_sweep": 1, "scenario": "$PWD/$demo", "grid": {"fleet.pools[0].count": [14, 18]}, "metrics": ["wait_s.mean"]}
END
run sweep "$tmp/plan.json" -o "$tmp/sweep" --quiet
check "a sweep prints nothing in a pipe" silent out
run sweep "$tmp/plan.json" -o "$tmp/sweep" --quiet --charts ascii
check "and bars where it is asked for them" eval 'says out "wait_s.mean by fleet.pools[0].count" && grep -q "^14 .*##" "$tmp/out"'

# --- a terminal ----------------------------------------------------------------------------------

if command -v script >/dev/null; then
    terminal() { env LC_ALL= "$@" script -qec "'$BIN' run $demo -o '$tmp/run' --no-report --quiet" /dev/null >"$tmp/out" </dev/null; }
    terminal TERM=xterm LANG=C.UTF-8
    check "a terminal has Unicode" says out "$block"
    terminal TERM=dumb LANG=C.UTF-8
    check "a dumb one ASCII" eval '! says out "$block" && says out "allocated"'
    terminal TERM=xterm LANG=C.UTF-8 NO_UNICODE=1
    check "and for users who want no Unicode" eval '! says out "$block" && says out "allocated"'
    terminal TERM=xterm LANG=C
    check "and another locale" eval '! says out "$block" && says out "allocated"'
else
    skip "a terminal" "script is not installed"
fi
finish
