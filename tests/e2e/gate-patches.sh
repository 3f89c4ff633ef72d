#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The planted changes of tests/gate still apply to policies/, and say which rule they break and
# which policy has it. `make gate-evidence` counts which of them the gate finds.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# Without fuzz, so that a patch never lands elsewhere.
applies() { patch --dry-run -s -f -F0 -p1 <"$1" >"$tmp/out" 2>"$tmp/err"; }
says_rule() { grep -q '^Rule: [A-Z].*\.$' "$1" && grep -q '^Policy: [a-z-]*$' "$1"; }

if command -v patch >"$tmp/which"; then
    for file in tests/gate/mutants/*.patch tests/gate/neutral/*.patch; do
        check "$file applies" applies "$file"
        check "$file says what it is" says_rule "$file"
    done
    for kind in mutants neutral; do
        check "their number is what the evidence is about: $kind" \
            eval '[ "$(ls tests/gate/$kind/*.patch | wc -l)" -eq "$([ $kind = mutants ] && echo 40 || echo 20)" ]'
    done
else
    skip "planted changes" "patch is not installed"
fi

finish
