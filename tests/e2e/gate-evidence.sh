#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The evidence for the gate in small: on the suite for CI, one A/A gate and one gate for each
# planted regression. `make gate-evidence` does many.
set -u
. tests/e2e/lib/tap.sh

rows() { grep -cE "^$1.* 1 +$2 +$3 " "$tmp/table"; }

if [ "${VARIANT:-release}" = release ]; then
    BROAD_ONLY=1 AA_POLICIES=line-base AA_SEEDS=1 REGRESSION_SEEDS=1 PLANTED_SEEDS=0 sh tests/tools/gate_evidence.sh >"$tmp/table" 2>"$tmp/err"
    status=$?
    check "no gate is wrong" status_is 0
    check "a policy against itself does not fail" equal "$(rows "A/A: " '[01]' 0)" 1
    check "each of six regressions does" equal "$(rows "regression: " 0 1)" 6
    sed 's/^/# /' "$tmp/table"
    AA_SEEDS=0 REGRESSION_SEEDS=0 PLANTED_SEEDS=0 sh tests/tools/gate_evidence.sh >"$tmp/table" 2>"$tmp/err"
    status=$?
    check "without seeds it does not fail" eval 'status_is 0 && silent err && says table "0 of 0 A/A gates"'
else
    skip "the evidence for the gate" "its verdicts are those of the release build"
fi

finish
