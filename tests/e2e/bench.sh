#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The benchmark's scripts on a grid so small that it takes seconds: every cell finishes, and the
# page and the comparison have all rows. Times are not judged. Checks are given as text and function
# names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

B=${B:-build/release}
export BIN B
if [ ! -x "$B/tests/bench/pending" ] || [ ! -x "$B/tests/bench/ratio" ]; then
    skip "the benchmark" "its programs are not built"
    finish
fi

if command -v shellcheck >/dev/null; then
    check "shellcheck finds nothing" shellcheck tests/bench/*.sh
else
    skip "shellcheck finds nothing" "it is not installed"
fi

# tool NAME ARGUMENT...: a program of the benchmark; leaves $status, $tmp/out and $tmp/err behind.
tool() {
    name=$1
    shift
    "$B/tests/bench/$name" "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}

# measure: limits, failures.
tool measure -t 1 3 sh -c 'while :; do :; done'
check "what takes too long is over" equal "$status $(cat "$tmp/out")" "0 over"
tool measure 2 true
check "what does not has three figures" equal "$status $(wc -w <"$tmp/out")" "0 3"
tool measure 1 false
check "what fails fails" equal "$status" 1
tool measure -t 0 1 true
check "a limit is a number" equal "$status" 2

# Every policy decides on a full fleet, and does the same work each time.
for policy in $("$BIN" list policies | sed 's/ .*//'); do
    tool pending "$policy" 128 40 100 60
    first=$(cat "$tmp/out")
    check "$policy has decided" eval 'status_is 0 && [ "${first%% *}" -gt 60 ]'
    tool pending "$policy" 128 40 100 60
    check "$policy decides the same again" equal "$(cat "$tmp/out")" "$first"
done
tool pending nobody 128 40 100
check "an unknown policy is named" eval '[ "$status" -eq 1 ] && says err nobody'
tool pending fifo 64 40 100
check "a fleet too small is refused" eval '[ "$status" -eq 2 ] && says err 64'

# The grid and its page.
BENCH_POLICIES="fifo conservative" BENCH_FLEETS=128 BENCH_PENDING="2 8000" BENCH_GRID_JOBS=300 BENCH_GRID_RUNS=1 BENCH_BESIDE=100 \
    BENCH_PENDING_LIMIT=1 FAUXFLEET_SHARED=/nonexistent sh tests/bench/grid.sh >"$tmp/cells" 2>"$tmp/err"
status=$?
check "the grid is measured" status_is 0
check "it has all cells" equal "$(cut -f 1-4 "$tmp/cells" | tr '\t\n' ' ,')" \
    "run fifo 128 300,run conservative 128 300,pending fifo 128 2,pending fifo 128 8000,pending conservative 128 2,pending conservative 128 8000,beside batch fifo 100,beside batch easy 100,"
check "one is over its limit" grep -qx "pending	conservative	128	8000	over	1" "$tmp/cells"
check "all others have figures above 0" equal "$(awk -F '\t' '$5 != "over" && $5 > 0 && $6 > 0' "$tmp/cells" | wc -l)" 7
echo "a table" >"$tmp/table"
BENCH_CALIBRATION="1000 40.0
100000 90.0" sh tests/bench/page.sh "$tmp/cells" "$tmp/table" >"$tmp/page" 2>"$tmp/err"
status=$?
check "the page is written" eval 'status_is 0 && empty "$tmp/err"'
check "it knows the machine" says page "40.0 ns with 1000, 90.0 ns with 100000 events pending"
check "with a row of whole runs" grep -qE '^\| `conservative` \| [0-9.,]+ \| [0-9.,]+ \| [0-9.]+ \|$' "$tmp/page"
check "with a row of pending jobs" grep -qE '^\| `fifo` \| [0-9.,]+ \| [0-9.,]+ \| [0-9.]+ \|$' "$tmp/page"
check "and one that was over" grep -qE '^\| `conservative` \| ~?[0-9.,]+ \| over 1 s \| [0-9.]+ \|$' "$tmp/page"
check "beside others" grep -qE '^\| fauxfleet \| generated \| 100 \| `easy` \| [0-9.,]+ \| [0-9.]+ \|$' "$tmp/page"
check "and with the table" grep -qx "a table" "$tmp/page"
check "the page of the repository has the same sections" equal "$(grep '^## ' tests/bench/numbers.md)" "$(grep '^## ' "$tmp/page")"

# Ratios. Four blocks of 1 and one of 2: logarithms 0, 0, 0, 0, ln 2, whose interval is that of
# tests/report/stats/test_skewed.c: exp(0.2 ln 2), exp(-0.521876 ln 2) and exp(2.344708 ln 2).
# Equal blocks of 2 leave no doubt.
{
    printf 'doubt\t1 1 1 1\nsure\t1 2 2 1\n%.0s' 1 2 3 4
    printf 'doubt\t1 2 2 1\nsure\t3 6 6 3\none\t1 2 8 1\n'
} >"$tmp/times"
"$B/tests/bench/ratio" <"$tmp/times" >"$tmp/out" 2>"$tmp/err"
status=$?
check "ratios" eval 'status_is 0 && empty "$tmp/err"'
check "with their interval" grep -qE '^doubt +1\.000 +1\.149 +1\.149 +0\.696 \.\. 5\.080 +5  no difference seen$' "$tmp/out"
check "without doubt" grep -qE '^sure +1\.246 +2\.491 +2\.000 +2\.000 \.\. 2\.000 +5  slower$' "$tmp/out"
check "of one block" grep -qE '^one +1\.000 +4\.000 +4\.000 +- +1  needs at least 5 blocks$' "$tmp/out"
echo "no tab" | "$B/tests/bench/ratio" >"$tmp/out" 2>"$tmp/err"
status=$?
check "an invalid line is refused" refused "line 1"

# Builds: this one against itself, and builds that cannot be compared.
compare() {
    OLD=$1 BENCH_BLOCKS=1 BENCH_SIZE=1 CC="${CC:-cc}" sh tests/bench/compare.sh >"$tmp/out" 2>"$tmp/err"
    status=$?
}
mkdir "$tmp/old"
cp "$BIN" "$tmp/old/fauxfleet"
compare "$tmp/old"
check "a build is compared with itself" eval 'status_is 0 && says err "without rows for the policy core alone"'
check "in all whole runs" equal "$(grep -c '^run .*needs at least 5 blocks' "$tmp/out")" 5
check "which take the same decisions" eval '! says out "other schedules"'
if [ "${VARIANT:-release}" = release ]; then
    cp "$B/libfauxpolicy.a" "$tmp/old"
    objects="tests/bench/pending tests/bench/churn tests/bench/bench sim/kernel/events sim/base/mem sim/base/err"
    PENDING_O=$(for object in $objects; do echo "$B/$object.o"; done) compare "$tmp/old"
    check "with its policy core" eval 'status_is 0 && silent err'
    check "in all rows" equal "$(grep -c '^[rd].*needs at least 5 blocks' "$tmp/out")" 12
    check "which decide the same" eval '! says out "other schedules"'
fi
compare no-such-revision
check "an unknown revision is named" refused no-such-revision
mkdir "$tmp/empty"
compare "$tmp/empty"
check "a folder without a build, too" refused "$tmp/empty"
compare ""
check "one has to be named" refused OLD=

# A small version of the full fleet, and the run beside sort.
BENCH_NODES=125 BENCH_JOBS=2000 sh tests/bench/fleet.sh >"$tmp/out" 2>"$tmp/err"
status=$?
check "a hundredth of the full fleet is simulated" eval 'status_is 0 && says out "2000 on 1000 GPUs" && silent err'
check "the bars are those of the whole" eval '! says out "met" && ! says out MISSED'
BENCH_NODES=125 BENCH_JOBS=2000 BENCH_POLICY=none sh tests/bench/fleet.sh >"$tmp/out" 2>"$tmp/err"
status=$?
check "an unknown policy ends it" eval '[ "$status" -eq 1 ] && says err "none"'
BENCH_JOBS=200 BENCH_RUNS=1 sh tests/bench/csv.sh >"$tmp/out" 2>"$tmp/err"
status=$?
check "a run from CSV is compared with sort" eval 'status_is 0 && silent err && says out "x sort"'
check "with all outputs and without each" equal "$(grep -c '^[a-z].* [0-9.]* *[0-9.]* *[0-9.]* *[0-9.]*$' "$tmp/out")" 6

finish
