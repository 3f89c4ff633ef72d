#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A snapshot becomes a case: it gives the same answer again, and differences are shown.
# shellcheck disable=SC2016,SC2317,SC2154
set -u
. tests/e2e/lib/tap.sh

snapshot=scenarios/examples/snapshot.json
run decide "$snapshot"
cp "$tmp/out" "$tmp/plain"
run decide "$snapshot" --save-case "$tmp/joe.json"
check "it prints what it always does" eval 'status_is 0 && same "$tmp/out" "$tmp/plain"'
run decide --check-case "$tmp/joe.json"
check "the same again" eval 'status_is 0 && says out "2 decisions, as expected"'
check "outcomes of tasks" eval 'tr -d "[:space:]" <"$tmp/joe.json" >"$tmp/flat" &&
    says flat "\"susan-4-0\":{\"outcome\":\"evict\"}" && says flat "\"joe-notebook-0\":{\"outcome\":\"nominate\",\"node\":\"dgx-0\"}" &&
    says flat "\"max_starts\":0,\"max_evictions\":1,\"max_nominations\":1"'

sed '/"decisions"/,/"tasks"/s/"susan-4\(.*\)"/"susan-3\1"/' "$tmp/joe.json" >"$tmp/wrong.json"
run decide --check-case "$tmp/wrong.json"
check "another expectation" eval 'status_is 1 && says out "decision 1 of 2" && says out "expected   {\"kind\":\"evict\",\"job\":\"susan-3\"" &&
    says out "decided    {\"kind\":\"evict\",\"job\":\"susan-4\""'
run decide --check-case "$tmp/joe.json" --policy fifo
check "another policy" eval 'status_is 1 && says out "decided    nothing (more)"'
run decide "$snapshot" --actions allocate --save-case "$tmp/allocate.json"
run decide --check-case "$tmp/allocate.json"
check "actions are part of a case" eval 'status_is 0 && says out "0 decisions, as expected"'
run decide "$snapshot" --policy fifo --save-case "$tmp/fifo.json"
run decide --check-case "$tmp/fifo.json"
check "so is the policy" status_is 0

run decide --check-case "$snapshot"
check "a snapshot is no case" eval 'status_is 2 && says err "save-case writes it"'
sed 's/"dgx-0"/7/' "$tmp/joe.json" >"$tmp/broken.json"
run decide --check-case "$tmp/broken.json"
check "a case that is broken" eval 'status_is 2 && says err "broken.json"'
run decide "$snapshot" --save-case "$tmp/x.json" --cycles 2
check "a case has one cycle" eval 'status_is 2 && says err "one cycle" && absent "$tmp/x.json"'
run decide "$snapshot" --save-case /nowhere/x.json
check "a file that cannot be written" status_is 2
finish
