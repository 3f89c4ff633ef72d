#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A golden journal of each policy guards against silent change: tests/golden/POLICY.jsonl.gz has every fact and decision of
# tests/golden/world.json under that policy (gangs, shares, sessions, two types of devices, a tree of queues with quotas, nodes
# that go down; for the quota policies elastic jobs, too). A run has to make the same bytes, and the stored journal has to be
# decided the same again. slurm-adapter.jsonl.gz is what the adapter recorded at a real Slurm of 16 nodes (make check-slurm):
# two sections, a node that goes down under jobs, reclaimed quotas.
#
# A change that was meant: look at what it does, then make them anew with
#
#     UPDATE=1 BIN=build/fauxfleet sh tests/e2e/golden.sh
#
# Checks are given as text and as names of functions.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

golden=tests/golden
journal=$tmp/run/journal.jsonl

# record POLICY: a run of the world.
record() {
    policy=$1
    set --
    case $policy in runai | static) set -- --set "workload=[{\"trace\": \"$golden/jobs.csv\"}, {\"trace\": \"$golden/elastic.csv\"}]" ;; esac
    rm -rf "$tmp/run"
    run run "$golden/world.json" -o "$tmp/run" --no-report --quiet --policy "$policy" "$@"
}
# first_other: where the run and the golden journal part, without what only counts lines.
first_other() {
    plain="s/, \"chain\": \"[0-9a-f]*\"}\$/}/"
    sed "$plain" "$tmp/golden" >"$tmp/golden.plain"
    sed "$plain" "$journal" >"$tmp/run.plain"
    diff "$tmp/golden.plain" "$tmp/run.plain" | head -n 6 | cut -c1-300 | sed 's/^/# /'
    echo "# if this was meant: UPDATE=1 BIN=$BIN sh tests/e2e/golden.sh"
}
the_golden_bytes() {
    record "$1" && status_is 0 && gzip -dc "$golden/$1.jsonl.gz" >"$tmp/golden" || return 1
    same "$tmp/golden" "$journal" || { first_other && false; }
}
decides_as_stored() {
    run replay "$golden/$1.jsonl.gz" && status_is 0 && says out "the same decisions" && ! says out " 0 decisions"
}
has() { [ "$(gzip -dc "$golden/$1.jsonl.gz" | grep -c -- "$2")" -ge "$3" ]; }

"$BIN" list policies >"$tmp/policies"
if [ -n "${UPDATE:-}" ]; then
    while read -r policy _; do
        record "$policy" && [ "$status" -eq 0 ] && gzip -9nc "$journal" >"$golden/$policy.jsonl.gz" || exit 1
    done <"$tmp/policies"
fi
while read -r policy _; do
    check "$policy makes its golden journal" the_golden_bytes "$policy"
    check "$policy decides it again" decides_as_stored "$policy"
    check "$policy had gangs, shares and nodes that went down" eval \
        'has "$policy" "\"task\": 1, " 10 && has "$policy" "\"device_milli\": 500" 5 && has "$policy" "\"state\": \"down\"" 3'
done <"$tmp/policies"
for policy in srtf las runai kube-default; do
    check "$policy evicted" has "$policy" '"decision": "evict"' 5
done
check "the quota policies had elastic jobs" eval 'has runai "\"min_tasks\": 2" 1 && has static "\"min_tasks\": 2" 1'
check "nothing else is there" equal "$(find "$golden" -name '*.gz' | sed 's|.*/||; s|\.jsonl\.gz$||' | sort | tr '\n' ' ')" \
    "$({ cut -d' ' -f1 "$tmp/policies" && echo slurm-adapter; } | sort | tr '\n' ' ')"
check "all of it is small" [ "$(cat "$golden"/*.gz | wc -c)" -lt 400000 ]

# --- what the adapter recorded at a real Slurm -------------------------------------------------------

check "what the adapter recorded is decided again" decides_as_stored slurm-adapter
run replay "$golden/slurm-adapter.jsonl.gz" --simulate -o "$tmp/sim" --json --quiet
check "and simulated" eval 'status_is 0 && equal "$(json "$tmp/out" compared) $(json "$tmp/out" only_recorded) $(json "$tmp/out" sections) $(json "$tmp/out" outages)" "87 0 2 1"'
# The adapter looked every half second, or later, and was dead for 2 s; Slurm took half a second to start a job, or longer.
# What is recorded here comes out the same on any machine.
at_most() { awk -v value="$(json "$tmp/out" "$1")" -v most="$2" 'BEGIN { exit value == "" || value + 0 > most }'; }
check "within what the simulation does not have" eval 'at_most difference_s.median 0.1 && at_most difference_s.p90 4.2'
finish
