#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Kills `fauxfleet serve` at its writes, syncs, renames and other calls on files: before the call,
# after it, and in the middle of a write. Each time the client continues with a new service. The
# journal, and the answers that the client got, must be those of an undisturbed session, and the
# client's own records must agree (tests/lib/serve). SWEEP_REQUESTS, SWEEP_STRIDE: how long a
# session is, and which calls are hit. SWEEP_POLICIES: presets, all unless given. Words are split.
# shellcheck disable=SC2086,SC2154
set -u
. tests/e2e/lib/tap.sh

B=${B:-build/release}
lib=$(realpath -m "$B/tests/preload/faults.so")
play=$(realpath -m "$B/tests/lib/serve/play")
if [ ! -e "$lib" ] || [ ! -e "$play" ]; then
    skip "kills of serve" "this variant takes no LD_PRELOAD"
    finish
fi
requests=${SWEEP_REQUESTS:-500}
stride=${SWEEP_STRIDE:-1}
policies=${SWEEP_POLICIES:-$("$BIN" list policies | awk '{ print $1 }')}
calls=write,fsync,rename,unlink,open,link,truncate
sum=0

# session POLICY FILES AT DO: plays one; sets $status.
session() {
    rm -rf "$tmp/run" && mkdir "$tmp/run"
    case $2 in
    both) files="--journal $tmp/run/j --state $tmp/run/s" ;;
    journal) files="--journal $tmp/run/j" ;;
    state) files="--state $tmp/run/s" ;;
    esac
    FAULTS_CALLS=$calls FAULTS_ONLY="$tmp/run*" FAULTS_COUNT=$tmp/count FAULTS_AT=$3 FAULTS_DO=$4
    export FAULTS_CALLS FAULTS_ONLY FAULTS_COUNT FAULTS_AT FAULTS_DO
    rm -f "$tmp/count"
    LD_PRELOAD=$lib "$play" "$BIN" "$1" 7 "$requests" "$tmp/heard" "$BIN" serve --policy "$1" $files >"$tmp/out" 2>"$tmp/err"
    status=$?
    return "$status"
}
# sweep POLICY FILES: all calls of its session; false at the first one that does harm.
sweep() {
    session "$1" "$2" 0 "" || { echo "# alone: $status" && return 1; }
    [ "$2" = state ] || cp "$tmp/run/j" "$tmp/alone.j"
    cp "$tmp/heard" "$tmp/alone.heard"
    count=$(od -An -td8 "$tmp/count" | tr -d ' ')
    at=$((1 + ${offset:-0} % stride))
    while [ "$at" -le "$count" ]; do
        for do in kill kill-after short; do
            sum=$((sum + 1))
            session "$1" "$2" "$at" "$do"
            if [ "$status" -ne 0 ] || ! same "$tmp/heard" "$tmp/alone.heard" ||
                { [ "$2" != state ] && ! same "$tmp/run/j" "$tmp/alone.j"; }; then
                echo "# $1, $2: $do at call $at of $count: status $status"
                return 1
            fi
        done
        at=$((at + stride))
    done
}
for policy in $policies; do
    for files in both journal state; do
        offset=$((${offset:-0} + 7))
        check "$policy, $files: killed at any call, the same journal and nothing lost or done twice" sweep "$policy" "$files"
    done
done
echo "# $sum kills"
finish
