#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs test programs and scripts one after the other and closes with one line of totals:
#
#     tests/tools/run_tests.sh PROGRAM|SCRIPT.sh ...
#
# A program counts the cases that check reports ("100%: Checks: 5, Failures: 0, Errors: 0"), a script its TAP lines
# ("ok", "not ok"), or itself as one case by its exit status (77: skipped). A line that starts with "SKIP:" (or
# "skipped:") is a case that could not run here. What fails shows its output. Exit status 1 when anything failed.
#
# Environment: WRAP is put before each program (valgrind ...); BIN is the program that scripts drive.
set -u

CK_DEFAULT_TIMEOUT=${CK_DEFAULT_TIMEOUT:-300}
export CK_DEFAULT_TIMEOUT
out=$(mktemp "${TMPDIR:-/tmp}/fauxfleet-run-XXXXXX") || exit 2
trap 'rm -f "$out"' EXIT
trap 'exit 130' INT TERM

# Prints "passed failed skipped" of the output of a test that ended with the status.
count() {
    awk -v status="$1" '
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
        }' "$out"
}

passed=0
failed=0
skipped=0
for test in "$@"; do
    case $test in
    *.sh) sh "$test" >"$out" 2>&1 ;;
    *) ${WRAP:-} "$test" >"$out" 2>&1 ;;
    esac
    status=$?
    # shellcheck disable=SC2046
    set -- $(count "$status")
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
    note=
    [ "$3" -eq 0 ] || note="  ($3 skipped)"
    if [ "$2" -eq 0 ]; then
        printf '  ok   %4d  %s%s\n' "$1" "$test" "$note"
    else
        sed 's/^/       | /' "$out"
        printf '  FAIL %4d  %s (%d failed, exit status %d)\n' "$1" "$test" "$2" "$status"
    fi
done
if [ "$skipped" -gt 0 ]; then
    echo "$passed passed, $failed failed, $skipped skipped"
else
    echo "$passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]
