#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The library that makes the n-th call fail (tests/preload/faults.h), tested on a program whose
# calls are known. Words of the tables are split.
# shellcheck disable=SC2034,SC2086,SC2154
set -u
. tests/e2e/lib/tap.sh

lib=$(realpath -m "${B:-build/release}/tests/preload/faults.so")
probe=$(dirname "$lib")/probe
if [ ! -e "$lib" ]; then
    skip "the fault library" "this variant takes no LD_PRELOAD"
    finish
fi

# faults CALLS AT DO WORD...: runs the probe with faults; sets $status, and leaves $tmp/out,
# $tmp/err and the count.
faults() {
    rm -f "$tmp/count" "$tmp/log"
    FAULTS_CALLS=$1 FAULTS_AT=$2 FAULTS_DO=$3 FAULTS_ONLY="${only:-}" FAULTS_STICKY="${sticky:-0}" \
        FAULTS_COUNT=$tmp/count FAULTS_LOG=$tmp/log
    export FAULTS_CALLS FAULTS_AT FAULTS_DO FAULTS_ONLY FAULTS_STICKY FAULTS_COUNT FAULTS_LOG
    shift 3
    LD_PRELOAD=$lib "$probe" "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}
counted() { od -An -td8 "$tmp/count" | tr -d ' '; }

# The probe's own messages on stderr are writes as well; the calls meant here are those on the file.
while IFS='|' read -r calls count words; do
    only="*/file*"
    faults "$calls" 0 "" $words "$tmp/file"
    check "probe $words: $count calls of $calls" equal "$(counted) $(cat "$tmp/err") $status" "$count ok 0"
done <<'ROWS'
open|2|file
read|1|file
write|1|file
fsync|1|file
close|2|file
rename|1|file
unlink|1|file
open,read,write,fsync,close,rename,unlink|9|file
open|2|stream
write|1|stream
read|2|stream
close|2|stream
ROWS

while IFS='|' read -r calls at act words message; do
    only="*/file*"
    faults "$calls" "$at" "$act" $words "$tmp/file"
    check "probe $words: $act at call $at of $calls" equal "$(cat "$tmp/err") $status" "$message 1"
done <<'ROWS'
open|1|EMFILE|file|open: Too many open files
write|1|ENOSPC|file|write: No space left on device
write|1|partial|file|write: half
fsync|1|EIO|file|fsync: Input/output error
close|1|EIO|file|close: failed, closed
rename|1|EXDEV|file|rename: Invalid cross-device link
read|1|EIO|file|read: Input/output error
unlink|1|EACCES|file|unlink: Permission denied
open|1|EACCES|stream|fopen: Permission denied
open|2|EMFILE|stream|fopen: Too many open files
write|1|ENOSPC|stream|fclose: No space left on device
close|1|EIO|stream|fclose: Input/output error
read|1|EIO|stream|getc: Input/output error
ROWS
only="*/file*"
faults write 1 partial stream "$tmp/file"
check "stdio continues after a partial write" equal "$(cat "$tmp/file") $(counted)" "12345678 2"

# Exit codes: 137 is 128 and SIGKILL.
faults write 1 kill file "$tmp/file"
check "kill: before the write" equal "$status $(cat "$tmp/file")" "137 "
faults write 1 kill-after file "$tmp/file"
check "kill-after: after it" equal "$status $(cat "$tmp/file")" "137 12345678"
faults write 1 short file "$tmp/file"
check "short: in its middle" equal "$status $(cat "$tmp/file")" "137 1234"
faults rename 1 SIGTERM file "$tmp/file"
check "a signal: 143 is 128 and SIGTERM" equal "$status" 143

# One counter for all processes; faults hit children as well.
only=
faults fork 0 "" child
check "three forks" equal "$(counted) $status" "3 0"
faults fork 3 ENOMEM child
check "the third fails" equal "$(tail -n 1 "$tmp/err") $status" "popen: Cannot allocate memory 1"
only="*/out"
faults write 2 ENOSPC child
check "the second write to stdout is that of a shell" equal "$(tail -n 1 "$tmp/err") $status $(cat "$tmp/out")" \
    "posix_spawnp: failed inside 1 a"
check "the log names it" grep -q "^[0-9]* write $tmp/out\$" "$tmp/log"
faults write 1 ENOSPC print
check "what exit() flushes is a write" equal "$(counted) $(cat "$tmp/out")" "1 "

only="*/file*"
sticky=1
faults open 2 EMFILE file "$tmp/file"
check "sticky: all from the second on" equal "$(cat "$tmp/err")" "read: Too many open files"
faults open,read,close 1 none file "$tmp/file"
check "none: the log has all calls in order" equal "$(cut -d' ' -f2 "$tmp/log" | tr '\n' ' ')$status" "open close open read close 0"
faults nothing 1 EIO print
check "an unknown family is refused" equal "$status $(cat "$tmp/err")" "125 faults.so: FAULTS_CALLS 'nothing' is unknown"
faults write 1 ENOSUCH print
check "an unknown act is refused" equal "$status $(cat "$tmp/err")" "125 faults.so: FAULTS_DO 'ENOSUCH' is unknown"
finish
