#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# plan --method compaction: cells whose smallest size is known by arithmetic, tasks that may stay
# out, jobs larger than half the cell, cells that are too small; never below the bound; the same
# bytes for any -j.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# snapshot NODES GPUS JOBS GPUS_A_JOB [MORE_JOBS]: nodes in racks of four, jobs of one task.
snapshot() {
    awk -v nodes="$1" -v gpus="$2" -v jobs="$3" -v each="$4" -v more="${5:-}" 'BEGIN {
        print "{\"fauxfleet_snapshot\": 1, \"now_ms\": 0, \"topologies\": [{\"name\": \"f\", \"levels\": [\"rack\"]}], \"nodes\": ["
        for (i = 0; i < nodes; i++)
            printf "%s{\"name\": \"n%d\", \"gpus\": %d, \"gpu_type\": \"a\", \"labels\": {\"rack\": \"r%d\"}}\n", i ? "," : "", i, gpus, i / 4
        print "], \"queues\": [{\"name\": \"q\", \"gpu\": {\"quota\": -1}}], \"jobs\": ["
        for (i = 0; i < jobs; i++)
            printf "%s{\"id\": \"j%d\", \"queue\": \"q\", \"submit_ms\": -%d, \"tasks\": [{\"id\": \"j%d-0\", \"gpus\": %d}]}\n", i ? "," : "", i, 1000 + i, i, each
        print more "]}"
    }' >"$tmp/cell.json"
}

# compact: compacts the snapshot; sets $nodes, $least, $most, $bound.
compact() {
    run plan "$tmp/cell.json" --method compaction --json "$@"
    nodes=$(json "$tmp/out" nodes) least=$(json "$tmp/out" least) most=$(json "$tmp/out" most) bound=$(json "$tmp/out" bound)
}

snapshot 10 8 25 2
compact
check "25 jobs of 2 GPUs, 4 on a node: 7 nodes, whichever they are" equal "$status $nodes $least $most $bound" "0 7 7 7 7"
compact --policy fifo
check "by another policy too" equal "$status $nodes" "0 7"
snapshot 10 8 9 5
compact
check "jobs of 5 GPUs fit one a node: 9 nodes, where 6 have GPUs enough" equal "$nodes $bound" "9 6"
run plan "$tmp/cell.json" --method compaction -o "$tmp/dir"
check "a table, and files" eval 'says out "9 nodes (9..9 over 11 trials" && is_json "$tmp/dir/plan.json" && equal "$(wc -l <"$tmp/dir/trials.csv" | tr -d " ")" 12'
snapshot 10 8 25 5
compact
check "a cell that is too small is copied: 25 nodes of 40" equal "$nodes $(json "$tmp/out" copies)" "25 4"

absent=',{"id": "odd", "queue": "q", "submit_ms": 0, "tasks": [{"id": "odd-0", "gpus": 1, "gpu_types": "b"}]}'
snapshot 80 8 499 1 "$absent"
compact
check "one of 500 tasks may stay out: 499 GPUs, 63 nodes" equal "$status $nodes" "0 63"
snapshot 80 8 498 1 "$absent"
compact
check "one of 499 may not: no answer, and why" eval 'equal "$status $nodes" "3 null" && equal "$(json "$tmp/out" why)" NODE_MISMATCH'

# A gang of 5 nodes in one rack: racks have four nodes, and it is larger than half of 8 nodes, so it
# may go anywhere.
gang=',{"id": "gang", "queue": "q", "submit_ms": 0, "topology": {"topology": "f", "required": "rack"}, "roles": [{"name": "w", "min_tasks": 5}], "tasks": ['
for i in 0 1 2 3 4; do gang="$gang$([ $i = 0 ] || echo ,){\"id\": \"g$i\", \"role\": \"w\", \"gpus\": 8}"; done
snapshot 8 8 8 1 "$gang]}"
compact
check "a job larger than half the cell is not bound to a rack" equal "$status $nodes $(json "$tmp/out" work.soft_jobs)" "0 6 1"
snapshot 16 8 8 1 "$gang]}"
compact
check "a smaller one is" equal "$status $(json "$tmp/out" why)" "3 NEVER_FITS"

# --- random cells --------------------------------------------------------------------------------

wrong=
for seed in 1 2 3 4 5 6; do
    awk -v seed="$seed" 'BEGIN {
        srand(seed)
        print "{\"fauxfleet_snapshot\": 1, \"now_ms\": 0, \"nodes\": ["
        for (i = 0; i < 30; i++)
            printf "%s{\"name\": \"n%d\", \"gpus\": %d, \"gpu_type\": \"%s\"}\n", i ? "," : "", i, 2 ^ int(rand() * 4), rand() < 0.5 ? "a" : "b"
        print "], \"queues\": [{\"name\": \"q\", \"gpu\": {\"quota\": -1}}], \"jobs\": ["
        for (i = 0; i < 40; i++)
            printf "%s{\"id\": \"j%d\", \"queue\": \"q\", \"submit_ms\": -%d, \"tasks\": [{\"id\": \"j%d-0\", \"gpus\": %d, \"gpu_types\": \"%s\"}]}\n", i ? "," : "", i, 1000 + i, i, 1 + int(rand() * 4), rand() < 0.3 ? "a" : ""
        print "]}"
    }' >"$tmp/cell.json"
    compact -j 1
    cp "$tmp/out" "$tmp/one"
    [ "$status" = 0 ] && [ "$bound" -le "$least" ] && [ "$least" -le "$nodes" ] && [ "$nodes" -le "$most" ] || wrong="$wrong $seed"
    compact -j 3
    cmp -s "$tmp/one" "$tmp/out" || wrong="$wrong threads-$seed"
done
check "random cells: never below the bound, the same for any -j" equal "$wrong" ""
check "orders differ" [ "$least" -lt "$most" ]

# --- a moment of a run ---------------------------------------------------------------------------

demo=scenarios/examples/demo.json
run plan $demo --method compaction --json
check "of a run: when its jobs want most" eval 'status_is 0 && equal "$(json "$tmp/out" at_s)" 1039256'
run run $demo -o "$tmp/run" --snapshot-at 2d --no-report --quiet
run plan "$tmp/run/snapshot.json" --method compaction --json
sed '/"source"/d; /"at_s"/d' "$tmp/out" >"$tmp/snapshot"
run plan $demo --method compaction --json --at 2d
sed '/"source"/d; /"at_s"/d' "$tmp/out" >"$tmp/moment"
check "at a time: as of the snapshot of that time" eval 'status_is 0 && same "$tmp/snapshot" "$tmp/moment"'

# An unsorted log: c came before a, which shows only once all of it has been read; they want a node
# each until b arrives.
printf 'job_id,submit_s,duration_s,gpus\na,100,400,8\nb,9000,60,1\nc,0,6000,8\n' >"$tmp/log.csv"
echo '{"fauxfleet_scenario": 1, "name": "log", "workload": {"trace": "log.csv"}, "policy": {"name": "fifo"},
    "fleet": {"pools": [{"name": "main", "count": 4, "node": {"gpus": 8}}]}}' >"$tmp/log.json"
log() {
    run plan "$tmp/log.json" --method compaction --json "$@"
    equal "$status $(json "$tmp/out" at_s) $(json "$tmp/out" nodes)" "0 100 2"
}
check "a log that is not sorted: when its jobs want most" log
check "a log that is not sorted: at a time" log --at 100s

run plan $demo --method compaction --target 'p95(wait) <= 1h'
check "a target has no place here" refused "--target: not with --method compaction"
run plan "$tmp/run/snapshot.json" --method compaction --at 2d
check "nor a time in a snapshot" refused "--at, --trace and --set are for scenarios"
run plan "$tmp/run/snapshot.json" --target 'p95(wait) <= 1h'
check "and a snapshot has no waits" eval 'status_is 2 && silent out'
finish
