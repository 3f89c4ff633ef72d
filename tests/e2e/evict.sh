#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The quota policy in the simulator, from outside: what is reclaimed, what that costs and what
# resumes, on a trace of six jobs whose times were worked out by hand; snapshots of a run; what
# queueing policies refuse. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

data=tests/e2e/data

# schedule DIR: "job:first start-end" of all jobs, in order of their names.
schedule() { sed 1d "$1/jobs.csv" | awk -F, '{ print $1 ":" $7 "-" $8 }' | sort | tr '\n' ' ' | sed 's/ $//'; }
# column DIR JOB N: one field of a job's row.
column() { awk -F, -v job="$2" -v n="$3" '$1 == job { print $n }' "$1/jobs.csv"; }
# taken DIR: the starts and evictions of the journal, without the hashes.
taken() { sed -n -E '/"kind": "(start|evict)"/s/, "hash".*//p' "$1/journal.jsonl"; }

simulate() {
    rm -rf "$tmp/run"
    scenario=$1
    shift
    run run "$scenario" -o "$tmp/run" --no-report --quiet --audit "$@"
}

# --- reclaimed jobs come back --------------------------------------------------------------------

# `alone` has all 8 GPUs of two nodes, 4 over x's quota. At 100 `owner` of y wants its 4, and
# `elastic`, 1 to 4 tasks of x, fits x's quota as well: the gang gets 30 s of notice. At 130 both
# start; elastic wanted 200 s with two tasks and is done in 100 with four. `saves` has five writes
# of 5 s in its 600 s. `near` waits for the node that `session` is on. At 1025 both nodes are free:
# the gang has 900 s to go.
simulate "$data/quota.json"
check "the quota policy runs" status_is 0
check "times" equal "$(schedule "$tmp/run")" \
    "alone:0-1925 elastic:130-230 near:510-560 owner:130-430 saves:400-1025 session:450-510"
check "queue_s of what was evicted" equal "$(column "$tmp/run" alone 10)" 895
check "run_s is all its run time" equal "$(column "$tmp/run" alone 11)" 1000
check "nothing was lost" equal "$(column "$tmp/run" alone 13)" 0
check "it was evicted once" equal "$(column "$tmp/run" alone 14)" 1
check "tasks of one job on one node" equal "$(column "$tmp/run" elastic 17)" "p-0:1;p-0:1;p-0:1;p-0:1"
while read -r line; do
    check "journal: $line" grep -qF -- "$line" "$tmp/run/journal.jsonl"
done <<'ROWS'
{"t_ms": 100000, "kind": "evict", "job": "alone", "task": 0, "node": "p-0", "devices": [0, 1, 2, 3], "gpu_milli": 4000, "action": "reclaim", "for_job": "owner", "reason": "RECLAIM_OVER_QUOTA"
{"t_ms": 130000, "kind": "start", "job": "owner", "task": 0, "node": "p-1"
{"t_ms": 1025000, "kind": "start", "job": "alone", "task": 1, "node": "p-1"
ROWS
while read -r line; do
    check "summary: $line" grep -qF -- "$line" "$tmp/run/summary.json"
done <<'ROWS'
"evictions": 1
"tasks": 2
"reclaim": 1
"checkpoint": 0.027778
"startup": 0.066667
ROWS
cp -r "$tmp/run" "$tmp/first"

simulate "$data/quota.json"
check "equal runs have equal bytes" same "$tmp/run/jobs.csv" "$tmp/first/jobs.csv"
check "and take the same decisions" same "$tmp/run/journal.jsonl" "$tmp/first/journal.jsonl"
simulate "$data/quota.json" --set policy.skip_idle_cycles=false
check "asking at every cycle decides the same" equal "$(taken "$tmp/run")" "$(taken "$tmp/first")"

# Past use decays for a day after the last job has ended; the run does not wait for that.
history='policy.options={"usage_window": "sliding", "usage_window_s": "86400"}'
simulate "$data/quota.json" --set "$history"
check "a run with a history of use ends" status_is 0
check "with its last job" equal "$(json "$tmp/run/summary.json" window.end_s)" 1925

# Checkpoints for all training jobs: every 1000 s, 40 s to write, 60 s to restart. 30 s of notice
# are too short to write one, so the first 100 s of `alone` are lost; with a minute they are kept,
# and the nodes change hands later.
checkpoints='checkpoint={"interval": 1000, "write": 40, "restart": 60}'
simulate "$data/quota.json" --set "$checkpoints"
check "too little notice: work is lost" equal "$(column "$tmp/run" alone 13)" 100
check "and done again after a restart" equal "$(column "$tmp/run" alone 7)-$(column "$tmp/run" alone 8)" 0-2085
simulate "$data/quota.json" --set "$checkpoints" --set policy.grace_s=1m
check "enough notice: nothing is lost" equal "$(column "$tmp/run" alone 13)" 0
check "what waits for it starts later" equal "$(column "$tmp/run" owner 7)" 160
simulate "$data/quota.json" --set "$checkpoints" --set policy.grace_s=1m --set checkpoint.on_evict=false
check "unless none is written on eviction" equal "$(column "$tmp/run" alone 13)" 100

# --- snapshots -----------------------------------------------------------------------------------

# At 99 s no decision has been made for `owner` yet; one second later, the policy evicts what the
# run evicted.
simulate "$data/quota.json" --snapshot-at 100
check "a snapshot is written beside the run" [ -s "$tmp/run/snapshot.json" ]
check "which stays the same" same "$tmp/run/journal.jsonl" "$tmp/first/journal.jsonl"
run decide "$tmp/run/snapshot.json"
check "decide reads it" status_is 0
check "and promises what is being released" says out '{"kind": "nominate", "job": "owner", "task": "owner-0", "node": "p-1"'
simulate "$data/quota.json" --snapshot-at 99
run decide "$tmp/run/snapshot.json" --actions reclaim
check "decide sees the state before" says out '"decisions": []'
simulate "$data/quota.json" --snapshot-at 2m
check "a time since the first submission" grep -qF '"now_ms": 120000' "$tmp/run/snapshot.json"
check "racks are made of nodes" grep -qF '"labels": {"rack": "p-rack-0", "node": "p-1"}' "$tmp/run/snapshot.json"
check "where tasks are released" grep -qF '"state": "releasing"' "$tmp/run/snapshot.json"
simulate "$data/quota.json" --snapshot-at soon
check "not any text is a time" status_is 2
check "said by name" says err "--snapshot-at 'soon': expected seconds"
simulate "$data/quota.json"
check "a run without one leaves none behind" absent "$tmp/run/snapshot.json"

# According to its history a has had all eight devices for 600 s; it waits for more, as does b: free
# devices are b's.
simulate "$data/past.json" --snapshot-at 600
run decide "$tmp/run/snapshot.json"
check "a snapshot continues with the history of use" says out '{"name": "b", "fair_share": {"gpu": 8000'
run explain "$tmp/run/snapshot.json" b1
check "so does explain" status_is 0

# --- impossible where devices are only counted ---------------------------------------------------

simulate "$data/quota.json" --policy fifo --set policy.options.placement=count
check "with job, row and reason" eval 'status_is 2 && says err "quota.csv:" && says err "policy '"'fifo'"' cannot meet its request: "'

finish
