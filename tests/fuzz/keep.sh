#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the corpus of a fuzz target small again after it ran: keep.sh TARGET CORPUS FOUND Files with
# telling names are seeds and stay. Those named by a hash were found; they and what is in the folder
# FOUND are chosen from anew: as few and as short ones as reach all branches that the seeds do not.
# How often a branch is taken and what was compared (which the fuzzer remembers, too) is no reason
# to keep a file for ever.
set -eu
target=$1 corpus=$2 found=$3
work=$(mktemp -d "${TMPDIR:-/tmp}/fauxfleet-corpus-XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$work/seeds" "$work/found" "$corpus"
is_hash() { expr "${1##*/}" : '[0-9a-f]\{40\}$' >/dev/null; }
for file in "$corpus"/*; do
    [ -f "$file" ] || continue
    if is_hash "$file"; then cp "$file" "$work/found"; else cp "$file" "$work/seeds"; fi
done
# What is longer than 8 KiB is slow in every run to come, and reaches next to nothing that something
# shorter does not.
[ ! -d "$found" ] || find "$found" -type f -exec cp {} "$work/found" \;
find "$work/found" -type f -size +16 -exec rm {} \;
cp -R "$work/seeds" "$work/kept"
"$target" -set_cover_merge=1 -use_counters=0 -rss_limit_mb=2048 -timeout=10 -close_fd_mask=1 "$work/kept" "$work/found" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
}
for file in "$corpus"/*; do
    [ ! -f "$file" ] || ! is_hash "$file" || rm "$file"
done
for file in "$work/kept"/*; do
    ! is_hash "$file" || cp "$file" "$corpus"
done
printf '  KEEP %s: %d files, %d bytes\n' "${corpus##*/}" "$(find "$corpus" -type f | wc -l)" "$(cat "$corpus"/* | wc -c)"
