#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints the shares of lines and of branches (each direction of each condition) that were run:
# coverage.sh BUILD_FOLDER [WORST]. By folder and in total, then the WORST (20) files by branches
# not taken. A source that no test ran counts, too.
set -eu

worst=${2:-20}
find "$1" -name '*.gcno' ! -path "$1/tests/*" ! -path "$1/gen/*" ! -path "$1/policies/examples/*" | LC_ALL=C sort |
    xargs gcov -b -n 2>/dev/null | awk -F"'" '
    /^File / { file = $2 ~ /^[a-z].*\.c$/ ? $2 : "" }
    file == "" { next }
    /^Lines executed:/ { take(lines, run) }
    /^Taken at least once:/ { take(branches, taken) }
    # "Lines executed:95.24% of 42". A total follows the last file.
    function take(all, some,    part) {
        if (file in all) return
        split($0, part, /[:% ]+/)
        all[file] = part[length(part)]
        some[file] = int(part[length(part) - 2] * all[file] / 100 + 0.5)
    }
    END { for (file in lines) print file, lines[file], run[file], branches[file] + 0, taken[file] + 0 }' |
    LC_ALL=C sort | awk -v worst="$worst" '
    function show(what, lines, run, branches, taken) {
        printf "%6.1f%% of %6d", lines ? 100 * run / lines : 0, lines
        if (branches) printf "%7.1f%% of %6d", 100 * taken / branches, branches
        else printf "%17s", "-"
        printf "  %s\n", what
    }
    {
        folder = $1
        sub(/\/[^\/]*$/, "", folder)
        if (!(folder in L)) order[++folders] = folder
        L[folder] += $2; R[folder] += $3; B[folder] += $4; T[folder] += $5
        l += $2; r += $3; b += $4; t += $5
        file[NR] = $1; fl[NR] = $2; fr[NR] = $3; fb[NR] = $4; ft[NR] = $5
    }
    END {
        if (l == 0) { print "no coverage data" > "/dev/stderr"; exit 1 }
        printf "%17s%17s\n", "lines", "branches"
        for (i = 1; i <= folders; i++) show(order[i], L[order[i]], R[order[i]], B[order[i]], T[order[i]])
        show("total", l, r, b, t)
        printf "\n%17s%17s  files with the most branches not taken\n", "lines", "branches"
        for (k = 0; k < worst && k < NR; k++) {
            best = 0
            for (i = 1; i <= NR; i++)
                if (!(i in shown) && (!best || fb[i] - ft[i] > fb[best] - ft[best])) best = i
            shown[best] = 1
            show(file[best], fl[best], fr[best], fb[best], ft[best])
        }
    }'
