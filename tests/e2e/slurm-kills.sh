#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The adapter for Slurm is killed at its writes, fsyncs, renames and other calls that change files,
# or these calls fail; then it is restarted on the same mock Slurm (tests/lib/slurm/life_main.c).
# Every time all jobs end, no released job is released again, and replaying the journal gives the
# same decisions. A full disk is always reported. KILLS=all kills it at every call (make
# slurm-kills); otherwise at some of them.
# shellcheck disable=SC2016,SC2317,SC2154
set -u
. tests/e2e/lib/tap.sh

life=${B:-build/release}/tests/lib/slurm/life
faults=$PWD/${B:-build/release}/tests/preload/faults.so
if [ ! -x "$life" ] || [ ! -e "$faults" ]; then
    skip "the adapter is ended anywhere" "no $life or no preload library in this build"
    finish
fi
here=$tmp
[ ! -w /dev/shm ] || here=$(mktemp -d /dev/shm/fauxfleet-kills-XXXXXX)
trap 'rm -rf "$tmp" "$here"' EXIT
at=$here/at

# begin: a new world. go FILES SEED [NAME=VALUE ...]: runs the adapter until it ends.
begin() {
    rm -rf "$at"
    mkdir -p "$at/files"
}
go() {
    files=$1 seed=$2
    shift 2
    env "$@" "$life" "$at" "$policy" "$files" "$seed" >"$tmp/out" 2>"$tmp/err"
    status=$?
}
faulty() {
    go "$1" "$2" FAULTS_CALLS=write,fsync,rename,link,truncate,unlink,open,close "FAULTS_ONLY=*/files/*" "FAULTS_COUNT=$at/count" \
        "LD_PRELOAD=$faults" "$3" "$4" "$5"
}

# ended FILES SEED CALL FAULT: the fault at the call, and a second run after it. Prints what is
# wrong.
ended() {
    begin
    case $4 in
    kill*) faulty "$1" "$2" "FAULTS_AT=$3" "FAULTS_DO=$4" FAULTS_STICKY=0 ;;
    *) faulty "$1" "$2" "FAULTS_AT=$3" "FAULTS_DO=$4" FAULTS_STICKY=1 ;;
    esac
    first=$status
    case $4:$first in
    kill*:137 | short:137) ;;
    E*:70) [ -s "$tmp/err" ] || echo "$policy $1 $3 $4: nothing was said" ;;
    *:0) missed=$((missed + 1)) ;; # its work was done, and what failed was a close, or it would have been behind the last call
    *) echo "$policy $1 $3 $4: exit code $first" && cat "$tmp/err" ;;
    esac
    go "$1" "$2" X=
    [ "$status" -eq 0 ] || { echo "$policy $1 $3 $4, then: exit code $status" && cat "$tmp/err"; }
    [ "$1" != journal ] || "$BIN" replay --quiet "$at/files/journal" >"$tmp/replayed" 2>&1 ||
        { echo "$policy $1 $3 $4: the journal decides otherwise" && cat "$tmp/replayed"; }
}

lives=0
missed=0
sweep() {
    policy=$1
    begin
    faulty "$2" 1 FAULTS_AT= FAULTS_DO= FAULTS_STICKY=0
    calls=$(od -An -td8 "$at/count" | tr -d ' ')
    step=$((calls / ${3:-8} + 1))
    [ "${KILLS:-}" != all ] || step=1
    : >"$tmp/wrong"
    for fault in kill kill-after short ENOSPC EIO; do
        call=$((1 + lives % step))
        while [ "$call" -le "$calls" ]; do
            ended "$2" 1 "$call" "$fault" >>"$tmp/wrong"
            lives=$((lives + 1))
            call=$((call + step))
        done
    done
    cp "$tmp/wrong" "$tmp/out"
    check "$policy with a $2: ended at $calls calls, every $step" empty "$tmp/wrong"
}

sweep las journal
sweep las state
sweep "runai backfill=true" state
sweep slurm journal 4
[ "${KILLS:-}" != all ] || for policy in srtf random conservative "runai usage_window=sliding"; do sweep "$policy" state; done
echo "# $lives lives, $missed of which ended by themselves"
check "nearly all were ended" [ $((missed * 10)) -le "$lives" ]
finish
