#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The files of a service: their names, their neighbours, and a log that is renewed while the disk
# fails. Words of the checks are evaluated.
# shellcheck disable=SC2034,SC2154
set -u
. tests/e2e/lib/tap.sh

lib=$(realpath -m "${B:-build/release}/tests/preload/faults.so")
dir=$tmp/dir
mkdir "$dir"
node='{"t_ms": 0, "fact": "node_add", "node": 1, "rank": 1, "devices": 8}'
question='{"do": "status"}'

# ask LINE...: sends the lines to a service that has only a state.
ask() {
    printf '%s\n' "$@" >"$tmp/in"
    "$BIN" serve --policy fifo --sync never --state "$dir/s" <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
    status_was=$?
}

# --- neighbouring files --------------------------------------------------------------------------

for name in s.new s.log.new; do echo mine >"$dir/$name"; done
left=$dir/s.fauxfleet-0123456789ab.tmp
: >"$left"
ask "$node" '{"do": "snapshot"}'
check "files of the user are left alone" equal "$(cat "$dir/s.new" "$dir/s.log.new")" "mine
mine"
check "what a killed writer left is removed" eval '[ ! -e "$left" ] && [ -s "$dir/s" ]'
check "modes" equal "$(stat -c %a "$dir/s" "$dir/s.log" | tr '\n' ' ')" "600 600 "

# --- a missing state -----------------------------------------------------------------------------

rm "$dir/s"
ask "$question"
check "without its state the log suffices" eval '[ "$status_was" = 0 ] && says out "\"records\": 2," && says err "decided again"'

# --- renewing the log ----------------------------------------------------------------------------

{
    echo "$node"
    seq 1 10000 | sed 's/.*/{"t_ms": &, "fact": "queue_add", "queue": &, "rank": &}/'
    echo '{"do": "snapshot"}'
} >"$tmp/many"
last='{"t_ms": 20000, "fact": "queue_add", "queue": 20000, "rank": 20000}'

# renewed N: the N-th fsync of the folder fails; restarts from what was on the disk when the last
# fact was answered.
renewed() {
    rm -f "$dir"/* "$tmp/out"
    {
        cat "$tmp/many"
        echo "$last"
        for i in $(seq 200); do
            [ "$(grep -c '"ok"' "$tmp/out")" -lt 10003 ] || break
            sleep 0.05
        done
        mkdir "$dir/then" && cp "$dir/s" "$dir/s.log" "$dir/then"
    } | FAULTS_CALLS=fsync FAULTS_ONLY="*/dir" FAULTS_AT=$1 FAULTS_DO=EIO LD_PRELOAD=$lib \
        "$BIN" serve --policy fifo --sync never --state "$dir/s" >"$tmp/out" 2>"$tmp/err"
    answered=$(tail -n 1 "$tmp/out")
    mv "$dir/then"/* "$dir" && rmdir "$dir/then"
    ask "$last"
    case $answered in
    *'"ok": true'*) says out '"repeated": true' ;;
    *) ! says out '"ok": false' ;;
    esac
}
if [ -e "$lib" ]; then
    for at in 3 4 5; do
        check "an answered fact is in the log when fsync $at of its folder fails" renewed "$at"
    done
else
    skip "a folder that cannot be synced" "this variant takes no LD_PRELOAD"
fi
finish
