#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Studies that combine presets and options: quotas with shortest job first, FGD under quotas, Slurm
# with MIG and required topology, EASY with an elastic job. All times are worked out by hand. And
# compositions by option, or why they are refused. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

studies=scenarios/studies

# schedule STUDY POLICY: "job:first start-end" of all jobs, in order of their names.
schedule() {
    rm -rf "$tmp/run"
    run run "$studies/$1.json" -o "$tmp/run" --no-report --quiet --audit --policy "$2"
    [ "$status" -eq 0 ] && sed 1d "$tmp/run/jobs.csv" | awk -F, '{ print $1 ":" $7 "-" $8 }' | sort | tr '\n' ' ' | sed 's/ $//'
}

# research has its four GPUs free at 3600 s. By age long-2 is next (3600 to 7200), and short runs
# after it, to 7800. By run time short is next (to 4200), then long-2, to 7800. The mean wait in
# research is (0 + 3540 + 7080) / 3 = 3540 s, or (0 + 4140 + 3480) / 3 = 2540 s. batch keeps its own
# half in both.
check "quotas by age" equal "$(schedule quota-sjf runai)" "batch:0-7200 long-1:0-3600 long-2:3600-7200 short:7200-7800"
check "quotas with the shortest job first" equal "$(schedule quota-sjf quota-sjf)" \
    "batch:0-7200 long-1:0-3600 long-2:4200-7800 short:3600-4200"

# Two of three kinds of task want two GPUs. On the node of two, the task of one leaves one GPU that
# these cannot use; on the node of three it leaves two that they can: no fragment. Both pairs start
# on arrival. Packed on the node of two, the task is in the way at 120 s: it is moved to the node of
# three, stopped for the 30 s of grace, and ends 30 s later.
check "FGD under quotas: no job waits" equal "$(schedule quota-fgd quota-fgd)" "one:0-3600 pair-1:60-3660 pair-2:120-3720"
check "packed under quotas: one is moved" equal "$(schedule quota-fgd runai)" "one:0-3630 pair-1:60-3660 pair-2:150-3750"

# a and b take rack 1 (to 1800 and 601 s), c half of rack 2 (to 1202). Two nodes of one rack are
# free at 1202 s first: that is the reservation of gang. early ends at 920 on its other half. late
# (an hour) may not go there; at 601 s it gets the node of b, which gang does not need. A device has
# 7 compute slices: one 4g fits, the second waits until 1040 s.
check "Slurm with MIG and racks" equal "$(schedule slurm-racks slurm)" \
    "a:0-1800 b:1-601 c:2-1202 early:20-920 gang:1202-1802 late:601-4201 slice-1:40-1040 slice-2:1040-1540"

# wide-2 has all eight GPUs reserved for 3600 s. grow declares 1800 s and goes ahead at 120 s with
# its minimum of two workers, and at once with two more, which end with it: four are free. Its 1200
# s are for four, so it ends at 1320 s. slow declares 7200 s, and waits until wide-2 has ended at
# 4200 s; then it takes six workers, and runs for 1200 x 4 / 6 = 800 s.
check "EASY with elastic jobs" equal "$(schedule easy-elastic easy)" \
    "grow:120-1320 slow:4200-5000 wide-1:0-3600 wide-2:3600-4200"
check "conservative with elastic jobs" equal "$(schedule easy-elastic conservative)" \
    "grow:120-1320 slow:4200-5000 wide-1:0-3600 wide-2:3600-4200"

# --- by option -----------------------------------------------------------------------------------

# runs POLICY OPTION=VALUE...
runs() {
    policy=$1
    shift
    for setting in "$@"; do
        set -- "$@" --set "policy.options.$setting"
        shift
    done
    rm -rf "$tmp/run"
    run run "$studies/quota-sjf.json" -o "$tmp/run" --no-report --quiet --audit --policy "$policy" "$@"
    [ "$status" -eq 0 ]
}
# The order of the settings does not matter.
check "slurm under quotas" runs slurm actions=allocate,reclaim,limits queue_order=fair-share
check "easy under quotas" runs easy queue_order=fair-share
check "runai without quotas" runs runai queue_order=none
check "kube-default by age, packed" runs kube-default order=fifo placement=binpack
check "fifo task by task" runs fifo unit=task
refused() {
    runs "$@"
    [ "$status" -ne 0 ]
}
check "unit task knows no quotas" refused runai unit=task
check "and says what to set" says err "set queue_order to 'none', or unit to 'gang'"
check "single needs a queue order" refused easy backfill=single
check "and says what to set" says err "set backfill to 'easy', or queue_order to 'fair-share'"
finish
