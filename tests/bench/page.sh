#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of measured numbers, as Markdown on standard output:
#
#     page.sh CELLS TABLE
#
# CELLS is the output of grid.sh, TABLE that of bench.sh. Names the machine it runs on. The meaning
# of a figure is given above it.
#
# Environment: B the build folder, BIN the program, CC; BENCH_LOAD the load of the machine when the
# measurements began, BENCH_TOOK how long they took, in seconds; BENCH_CALIBRATION as in bench.sh.
set -eu

BIN=${BIN:-build/fauxfleet}
B=${B:-build/release}
cells=$1
table=$2
LC_ALL=C
export LC_ALL

# of FILE PATTERN: the value of the first such line "KEY : VALUE".
of() { sed -n "s/^$2[^:]*: *//p" "$1" 2>/dev/null | head -n 1; }
load() { cut -d ' ' -f 1-3 /proc/loadavg 2>/dev/null || echo unknown; }

cpu=$(of /proc/cpuinfo 'model name')
memory=$(of /proc/meminfo MemTotal | awk '{ printf "%.0f GB", $1 * 1024 / 1e9 }')
revision=$(git describe --always --dirty 2>/dev/null) || revision=$("$BIN" --version | head -n 1)
holds=$(echo "${BENCH_CALIBRATION:-$("$B/tests/bench/calibrate")}" | awk '{ printf "%s%s ns with %d", (NR > 1 ? ", " : ""), $2, $1 }')

cat <<END
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<!-- Written by \`make bench\`; do not edit: the words are in tests/bench/page.sh and tests/bench/beside.md. -->
# Measured numbers

\`make bench\` writes this page for the machine it runs on, as \`build/release/bench/numbers.md\`; the one in the repository is a copy.

| | |
| --- | --- |
| measured | $(date -u +%Y-%m-%d), revision $revision, in $((${BENCH_TOOK:-0} / 60)) min $((${BENCH_TOOK:-0} % 60)) s |
| machine | ${cpu:-unknown}, $(nproc 2>/dev/null || echo '?') processors, ${memory:-?}, $(uname -sr) |
| compiler | $("${CC:-cc}" --version | head -n 1) |
| load | ${BENCH_LOAD:-unknown} when it began, $(load) at the end |
| event queue | a pop and a push take $holds events pending: to compare machines |

All times are CPU time of the process, user and system, of one thread. On a machine that does other work they are up to twice as
long. "over 30 s" is a cell that was given up after so much CPU time. A decision is the start, the nomination or the eviction of a
task. MiB is 2^20 bytes.

END

awk -F '\t' '
    # Three digits, with thousands separators.
    function figure(x,    text, out) {
        if (x <= 0) return "0"
        text = x < 10 ? sprintf("%.2f", x) : x < 100 ? sprintf("%.1f", x) : sprintf("%.0f", x)
        if (x < 1000) return text
        scale = 10 ^ (length(text) - 3)
        text = sprintf("%.0f", int(x / scale + 0.5) * scale)
        return apart(text)
    }
    function apart(text,    out) {
        for (out = ""; length(text) > 3; text = substr(text, 1, length(text) - 3))
            out = "," substr(text, length(text) - 2) out
        return text out
    }
    function once(list, count, value,    i) {
        for (i = 1; i <= count; i++) if (list[i] == value) return count
        list[count + 1] = value
        return count + 1
    }
    function rule(columns,    i) {
        printf "\n| --- |"
        for (i = 1; i <= columns; i++) printf " ---: |"
        print ""
    }
    $1 == "run" {
        policies = once(policy, policies, $2); fleets = once(fleet, fleets, $3); jobs = $4
        speed[$2, $3] = $5 == "over" ? "over " $6 " s" : figure($5)
        each[$2, $3] = $5 == "over" ? "" : figure($6)
        size[$2, $3] = $5 == "over" ? "" : figure($7)
    }
    $1 == "pending" {
        waits = once(wait, waits, $4)
        cost[$2, $3, $4] = $5 == "over" ? "over " $6 " s" : ($7 < 5000 ? "~" : "") figure($5)
        core[$2, $3, $4] = $5 == "over" ? "" : figure($6)
    }
    $1 == "beside" {
        besides++
        beside[besides] = sprintf("| fauxfleet | %s | %s | `%s` | %s | %s |", $2 == "batch" ? "generated" : $2, apart($4), $3, \
            $5 == "over" ? "over " $6 " s" : figure($5), $5 == "over" ? "" : figure($6 * 1.048576))
    }
    END {
        printf "## Whole runs\n\n%s jobs of the profile `batch` (1 to 128 GPUs, with time limits) on so many nodes of 8 GPUs, at a load\n", apart(jobs)
        print "of 0.85 of the fleet, each policy with its defaults; reading the trace and writing `jobs.csv` included. On 128 nodes jobs"
        print "wait for hours, on 12,500 hardly at all. One queue owns the fleet. The best of three runs, or of those that fit into 30 s."
        print "us: all CPU time divided by the decisions; MiB: of the process."
        printf "\n| policy |"
        for (f = 1; f <= fleets; f++) printf " %s nodes: jobs/s | us | MiB |", apart(fleet[f])
        rule(3 * fleets)
        for (p = 1; p <= policies; p++) {
            printf "| `%s` |", policy[p]
            for (f = 1; f <= fleets; f++)
                printf " %s | %s | %s |", speed[policy[p], fleet[f]], each[policy[p], fleet[f]], size[policy[p], fleet[f]]
            print ""
        }
        print "\n## A full fleet with jobs pending"
        print "\nThe policy core alone, without the simulator: the fleet is full and so many jobs are pending whenever it decides. Jobs end,"
        print "others arrive; 16 teams in 4 departments own a sixteenth of the fleet each; 1 to 8 GPUs, and one job in twenty is a gang of up"
        print "to 8 nodes. Over 5,000 ends, from the filled fleet on; ~: over fewer, what 2 s are enough for. us: all CPU time in the core"
        print "(jobs that arrive, end and start included) divided by the decisions, the median of three or more such passes, of fewer where"
        print "they take seconds (below 10 ms: the best, on the wall). MiB: what the policy has asked for, with the most jobs pending that were"
        print "reached. Preemptive policies decide more often; of those that pass over what does not fit more and more of the pending jobs"
        print "are gangs."
        for (f = 1; f <= fleets; f++) {
            printf "\n| %s nodes; us with pending |", apart(fleet[f])
            for (w = 1; w <= waits; w++) printf " %s |", apart(wait[w])
            printf " MiB |"
            rule(waits + 1)
            for (p = 1; p <= policies; p++) {
                printf "| `%s` |", policy[p]
                most = ""
                for (w = 1; w <= waits; w++) {
                    printf " %s |", cost[policy[p], fleet[f], wait[w]]
                    if (core[policy[p], fleet[f], wait[w]] != "") most = core[policy[p], fleet[f], wait[w]]
                }
                printf " %s |\n", most
            }
        }
        print "\n## Beside other simulators\n"
        print "fauxfleet on the machine of this page, the nodes of each task chosen and `jobs.csv` written:\n"
        print "| simulator | workload | jobs | policy | jobs per CPU-second | memory, MB |"
        print "| --- | --- | ---: | --- | ---: | ---: |"
        for (i = 1; i <= besides; i++) print beside[i]
        print ""
    }' "$cells"

cat tests/bench/beside.md

cat <<END

## Workloads

What \`tests/bench/bench.sh\` printed in the same run, with the bars that are aimed at:

\`\`\`
$(cat "$table")
\`\`\`
END
