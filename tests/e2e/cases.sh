#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Recorded decisions and fair-share divisions of a Run:ai-class scheduler. They are not part of the
# repository: they are looked for in $FAUXFLEET_SHARED (../shared), and skipped if missing.
set -u
. tests/e2e/lib/tap.sh

# cases FOLDER WHAT: all cases of the folder, reported as one line of totals.
cases() {
    checker=$shared/cases/check_decisions.py
    if [ -z "$shared" ] || [ ! -r "$checker" ] || [ ! -d "$shared/cases/$1" ]; then
        skip "recorded cases: $2" "no cases/$1"
        return
    fi
    if ! command -v python3 >/dev/null; then
        skip "recorded cases: $2" "no python3"
        return
    fi
    python3 "$checker" --bin "$BIN" "$shared/cases/$1" >"$tmp/out" 2>"$tmp/err"
    status=$?
    grep -E '^(total|all cases|[0-9]+ passed)' "$tmp/out" | sed 's/^/# /'
    check "recorded cases: $2" status_is 0
}

cases scheduling "decisions on cluster snapshots"
cases shares "fair-share divisions"
finish
