#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs test programs and scripts, one more at a time than there are processors, as scripts also
# wait, and closes with one line of totals:
#
#     tests/tools/run_tests.sh PROGRAM|SCRIPT.sh ...
#
# A program counts the cases that check reports ("100%: Checks: 5, Failures: 0, Errors: 0"), a
# script its TAP lines ("ok", "not ok"), or itself as one case by its exit status (77: skipped). A
# line that starts with "SKIP:" (or "skipped:") is a case that could not run here. The output of
# failed tests is shown. Exit status 1 if anything failed.
#
# Tests begin in the order given, so the longest should be first; a line is printed when a test has
# ended, with its duration if that is ten seconds or more.
#
# A test that runs for longer than TEST_SECONDS (1,200) is killed and has failed, so that one
# endless loop does not hide the results of all other tests.
#
# Environment: JOBS is how many run at a time; WRAP is put before each program (valgrind ...); BIN
# is the program that scripts drive.
set -u

CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-300}
export CK_DEFAULT_TIMEOUT

# count OUTPUT STATUS: prints "passed failed skipped" of a test.
count() {
    awk -v status="$2" '
        BEGIN { seen = checks = failed = taps = skips = tapskips = 0 }
        /^[0-9]+%: Checks: / {
            line = $0
            gsub(/[^0-9 ]/, "", line)
            split(line, n, " ")
            seen += 1; checks += n[2]; failed += n[3] + n[4]
        }
        /^ok( |$)/ { taps += 1; if (tolower($0) ~ /# skip/) tapskips += 1 }
        /^not ok( |$)/ { taps += 1; failed += 1 }
        /^(SKIP|skipped):/ { skips += 1 }
        END {
            total = checks + taps
            if (seen == 0 && taps == 0) total = 1
            if (status == 77 && failed == 0) { print 0, 0, 1; exit }
            if (status != 0 && failed == 0) { failed = 1; if (total == 0) total = 1 }
            if (failed > total) total = failed
            skipped = skips + tapskips
            if (skipped > total - failed) skipped = total - failed
            print total - failed - skipped, failed, skipped
        }' "$1"
}

# run_one FOLDER TEST: runs a test, prints its result and adds its counts to FOLDER/counts.
run_one() {
    out=$1/out.$$
    limit="-k 10 ${TEST_SECONDS:-1200}" # of the whole process group
    begin=$(date +%s)
    [ ! -t 2 ] || limit="--foreground $limit" # on a terminal, Ctrl-C has to reach the test
    case $2 in
    *.sh) timeout $limit sh "$2" >"$out" 2>&1 ;;
    *) timeout $limit ${WRAP:-} "$2" >"$out" 2>&1 ;;
    esac
    status=$?
    seconds=$(($(date +%s) - begin))
    took=
    [ "$seconds" -lt 10 ] || took="  $seconds s"
    [ "$status" -ne 124 ] || echo "ended after ${TEST_SECONDS:-1200} s" >>"$out"
    counts=$(count "$out" "$status")
    echo "$counts" >>"$1/counts"
    echo "$counts" | {
        read -r passed failed skipped
        if [ "$failed" -gt 0 ]; then
            sed 's/^/       | /' "$out"
            printf '  FAIL %4d  %s (%d failed, exit status %d)%s\n' "$passed" "$2" "$failed" "$status" "$took"
        elif [ "$skipped" -gt 0 ]; then
            printf '  ok   %4d  %s  (%d skipped)%s\n' "$passed" "$2" "$skipped" "$took"
        else
            printf '  ok   %4d  %s%s\n' "$passed" "$2" "$took"
        fi
    } >"$out.said"
    cat "$out.said" # at once, so that the lines of two tests do not mix
    rm -f "$out" "$out.said"
}

if [ "${1:-}" = --one ]; then # this script, called by itself
    run_one "$2" "$3"
    exit
fi

folder=$(mktemp -d "${TMPDIR:-/tmp}/fauxfleet-run-XXXXXX") || exit 2
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
: >"$folder/counts"
printf '%s\n' "$@" | xargs -r -n 1 -P "${JOBS:-$(($(nproc 2>/dev/null || echo 1) + 1))}" sh "$0" --one "$folder"
awk -v tests="$#" '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        if (NR < tests) failed += tests - NR # did not come to their end
        printf "%d passed, %d failed", passed, failed
        if (skipped > 0) printf ", %d skipped", skipped
        print ""
        exit failed > 0
    }' "$folder/counts"
