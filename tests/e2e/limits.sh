#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Inputs that never end, or unpack to lines too large for memory: each reader refuses them with
# file, line and limit, in little memory. The limit is on address space, so there is none if a build
# needs more than that by itself (ASan).
# shellcheck disable=SC2016,SC2154,SC2317 # $tmp is of tap.sh; checks are texts
set -u
. tests/e2e/lib/tap.sh

megabytes=400
(ulimit -v $((megabytes * 1024)) && exec "$BIN" --version) >/dev/null 2>&1 || megabytes=unlimited

# bounded ARGUMENT...: runs the program in that much memory, for a minute at most.
bounded() {
    (
        [ "$megabytes" = unlimited ] || ulimit -v $((megabytes * 1024))
        exec timeout 60 "$BIN" "$@"
    ) >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}
node=tests/e2e/data/node.json
to="-o $tmp/run --quiet"

# --- endless devices: the error names the place, and the limit or that it is not text ------------

while IFS='|' read -r expected arguments; do
    # shellcheck disable=SC2086
    bounded $arguments
    check "refused in bounded memory: $arguments" refused "$expected"
done <<ROWS
/dev/zero:1:1: line longer than 64 MiB|replay /dev/zero
/dev/zero:1:1: line longer than 16 MiB|trace stats --format swf /dev/zero
/dev/zero:1:1: unknown format|trace stats /dev/zero
/dev/zero:1:1: unknown format|trace convert /dev/zero
/dev/zero:1:1: unknown format|run $node --trace /dev/zero $to
/dev/zero:1:1: row longer than 16 MiB|run $node --set queues_file=/dev/zero $to
/dev/zero:1:1: row longer than 16 MiB|run $node --set fleet.pools_file=/dev/zero $to
/dev/zero:1:1: row longer than 16 MiB|run $node --set fleet.nodes_file=/dev/zero $to
/dev/zero:1:1: line longer than 16 MiB|run $node --set workload.node_rank=/dev/zero $to
'/dev/zero' is not a regular file|run $node --policy /dev/zero $to
/dev/zero:1:1: a NUL byte|run /dev/zero $to
/dev/zero:1:1: a NUL byte|run $node --set start.snapshot=/dev/zero $to
/dev/zero:1:1: a NUL byte|decide /dev/zero
/dev/zero:1:1: a NUL byte|shares /dev/zero
/dev/zero:1:1: a NUL byte|snapshot /dev/zero
/dev/zero:1:1: a NUL byte|explain /dev/zero a
/dev/zero:1:1: a NUL byte|sweep /dev/zero -o $tmp/sweep
expected a regular file|gate /dev/zero --base fifo --candidate sjf
ROWS

# --- an endless line through a fifo --------------------------------------------------------------

# endless ARGUMENT...: FIFO stands for a fifo that yields x for ever.
mkfifo "$tmp/fifo"
endless() {
    yes x 2>/dev/null | tr -d '\n' >"$tmp/fifo" 2>/dev/null &
    bounded "$@"
    wait
}
endless replay "$tmp/fifo"
check "a journal whose line never ends" refused "$tmp/fifo:1:1: line longer than 64 MiB"
endless run "$node" --set "queues_file=$tmp/fifo" -o "$tmp/run"
check "a CSV file whose row never ends" refused "$tmp/fifo:1:1: row longer than 16 MiB"
endless trace stats --format swf "$tmp/fifo"
check "a trace whose line never ends" refused "$tmp/fifo:1:1: line longer than 16 MiB"
endless run "$tmp/fifo" -o "$tmp/run"
check "a scenario that never ends" refused "$tmp/fifo: larger than 8 MiB"

# --- files that unpack to a line of 300 MiB ------------------------------------------------------

if command -v gzip >/dev/null; then
    {
        printf 'job_id,submit_s,duration_s,gpus\na,0,1,1\n'
        dd if=/dev/zero bs=1048576 count=300 2>/dev/null | tr '\0' x
    } | gzip -1 >"$tmp/bomb.csv.gz"
    bounded trace stats "$tmp/bomb.csv.gz"
    check "a bomb of gzip as a trace" refused "$tmp/bomb.csv.gz:3:1: row longer than 16 MiB"
    bounded replay "$tmp/bomb.csv.gz"
    check "and as a journal" refused "$tmp/bomb.csv.gz:1: "
fi
if command -v zstd >/dev/null; then
    dd if=/dev/zero bs=1048576 count=300 2>/dev/null | tr '\0' x | zstd -q -1 >"$tmp/bomb.zst"
    bounded replay "$tmp/bomb.zst"
    check "a bomb of zstd as a journal" refused "$tmp/bomb.zst:1:1: line longer than 64 MiB"
fi

# --- long lines within the limits are read -------------------------------------------------------

awk 'BEGIN {
    printf "job_id,submit_s,duration_s,gpus,user\n1,0,1,1,"
    for (i = 0; i < 200000; i++) printf "0123456789"
    print ""
}' >"$tmp/long.csv"
bounded trace convert "$tmp/long.csv" -o "$tmp/native.csv"
check "a row of 2 MB is read" status_is 0

finish
