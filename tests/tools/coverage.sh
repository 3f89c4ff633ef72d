#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints how many of each source's lines were run, and the total: coverage.sh BUILD_FOLDER
set -eu

find "$1" -name '*.gcda' ! -path '*/tests/*' ! -path '*/gen/*' | LC_ALL=C sort | while read -r data; do
    gcov -n -o "${data%/*}" "${data%.gcda}.o" 2>/dev/null || true
done | awk -F"'" '
    /^File / { file = $2 }
    /^Lines executed:/ {
        if (file ~ /\.c$/ && file !~ /^\//) {
            split($0, part, /[:% ]+/)
            share[file] = part[3]; lines[file] = part[5]
        }
        file = ""
    }
    END {
        for (file in lines) {
            printf "%6.1f%% of %5d  %s\n", share[file], lines[file], file | "LC_ALL=C sort -k4"
            run += share[file] * lines[file] / 100; all += lines[file]
        }
        close("LC_ALL=C sort -k4")
        if (all > 0) printf "%6.1f%% of %5d  total\n", 100 * run / all, all
    }'
