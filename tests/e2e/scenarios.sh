#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Everything the shipped scenarios refer to exists: other scenarios, and the traces beside them.
# Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# Scenarios are named in texts, in `extends` and in suites: relative to the file, or to the root.
for file in scenarios/ci/*.json scenarios/examples/*.json scenarios/studies/*.json; do
    grep -o '[A-Za-z0-9_./-]*\.json' "$file" | sort -u >"$tmp/names"
    grep -o '"trace": *"[^"]*"' "$file" | sed 's/.*"\([^"]*\)"$/\1/' >>"$tmp/names"
    while read -r name; do
        check "$file: $name" [ -e "$(dirname "$file")/$name" -o -e "$name" ]
    done <"$tmp/names"
done
check "some are named" [ "$n" -gt 15 ]
finish
