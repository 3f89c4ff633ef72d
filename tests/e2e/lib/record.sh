# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Runs whose journal has the facts, too; sourced after tap.sh. The journal is $journal, and the
# run's folder $tmp/run.
# shellcheck disable=SC2154

journal=$tmp/run/journal.jsonl

# record SCENARIO ARGUMENT...: a run with facts.
record() {
    rm -rf "$tmp/run"
    scenario=$1
    shift
    run run "$scenario" -o "$tmp/run" --no-report --quiet --set outputs.journal=facts "$@"
}
