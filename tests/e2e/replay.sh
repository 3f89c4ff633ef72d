#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Journals with facts: from them every policy makes the same decisions again; torn journals are cut,
# changed ones are detected; and another policy can be run on the recorded facts. Checks are given
# as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh
. tests/e2e/lib/record.sh

data=tests/e2e/data
examples=${B:-build/release}/policies/examples

digest() { sed -n 's/.*"journal_sha256": "\([0-9a-f]*\)".*/\1/p' "$1/summary.json"; }

# --- every policy decides the same again ---------------------------------------------------------

again() {
    record "$@" && status_is 0 && run replay "$journal" && status_is 0 && says out "the same decisions" &&
        ! says out " 0 decisions"
}
"$BIN" list policies >"$tmp/policies"
while read -r policy _; do
    check "$policy, with failures" again scenarios/examples/demo.json --policy "$policy" --set window.horizon=4d \
        --set 'faults={"profile":"h100","scale":40}' --seed 7
done <"$tmp/policies"
check "quotas, sessions, MIG" again "$data/quota.json"
check "devices that are only counted" again "$data/pieces.json" --set policy.options.placement=count
check "a packing study" again "$data/node.json" --set workload.mode=fill
check "a policy of its own" again "$data/node.json" --policy "$examples/smallest_first.so"

# --- recording facts changes nothing else --------------------------------------------------------

record "$data/node.json"
cp "$journal" "$tmp/facts"
facts=$(digest "$tmp/run")
record "$data/node.json" --set outputs.journal=decisions
check "the same decisions with and without facts" equal "$(digest "$tmp/run")" "$facts"
run replay "$journal"
check "a journal of decisions alone is refused" eval 'status_is 2 && says err "outputs.journal=facts"'

# --- torn and changed ----------------------------------------------------------------------------

head -n 20 "$tmp/facts" >"$journal"
whole=$(wc -c <"$journal")
last=$(tail -n 1 "$journal" | wc -c)
torn_everywhere() {
    cut=1
    while [ "$cut" -lt "$last" ]; do
        head -c $((whole - cut)) "$tmp/facts" >"$journal"
        run replay "$journal" --json
        status_is 0 && says out "\"torn_bytes\": $((last - cut))," && says err "the last line is incomplete" || return 1
        cut=$((cut + 1))
    done
}
check "torn at every byte of its last line" torn_everywhere
head -n 3 "$tmp/facts" | sed '2s/"node": 0/"node": 1/' >"$journal"
run replay "$journal"
check "a changed line" eval 'status_is 2 && says err "journal.jsonl:2: the chain is broken"'
sed 5d "$tmp/facts" >"$journal"
run replay "$journal"
check "a missing line" eval 'status_is 2 && says err "journal.jsonl:5: the chain is broken"'
sed '4s/, "chain".*/}/' "$tmp/facts" >"$journal"
run replay "$journal"
check "a line without the chain" eval 'status_is 2 && says err "journal.jsonl:4: expected '"'chain'"'"'
: >"$journal"
run replay "$journal"
check "nothing at all" eval 'status_is 2 && says err "empty file"'
run replay - <"$tmp/facts"
check "not from standard input, which is empty here" status_is 2
check "standard input" eval '"$BIN" replay - <"$tmp/facts" | grep -q "the same decisions"'
gzip -c "$tmp/facts" >"$tmp/facts.gz"
run replay "$tmp/facts.gz"
check "compressed" eval 'status_is 0 && says out "the same decisions"'
head -c 300 "$tmp/facts.gz" >"$tmp/cut.gz"
run replay "$tmp/cut.gz"
check "compressed and cut" eval 'status_is 2 && says err "truncated gzip data"'
run replay "$tmp/none"
check "no such file" eval 'status_is 2 && says err "cannot read"'

# --- another policy ------------------------------------------------------------------------------

# Schedules of run.sh: at 10 s fifo starts b, while sjf continues with d.
run replay "$tmp/facts" --policy fifo
check "the recorded policy as another one" eval 'status_is 0 && says out "the same decisions"'
run replay "$tmp/facts" --policy sjf
check "another policy" eval 'status_is 1 && says out "\"name\": \"d\"" && says out "recorded policy   d: it waits" &&
    says out "not taken    0 facts"'
run replay "$tmp/facts" --policy sjf --json
check "in JSON" eval 'status_is 1 && says out "\"equal\": false" && says out "\"refused_facts\": 0"'
run replay "$tmp/facts" --policy sjff
check "an unknown policy" eval 'status_is 2 && says err "did you mean '"'sjf'"'"'
printf '{"name": "fifo", "options": {"blocking": "skip"}}' >"$tmp/skip.json"
run replay "$tmp/facts" --policy "$tmp/skip.json"
check "a policy file" status_is 1
record "$data/pieces.json" --set policy.options.placement=count
run replay "$journal" --policy sjf
check "from counted devices to nodes" eval 'status_is 2 && says err "only counts devices"'

# Facts recorded under one family of policies replay under the others, whatever these would have
# done.
told() {
    record scenarios/examples/demo.json --policy "$1" --set window.horizon=2d --seed 3 && status_is 0 || return 1
    for other in sjf srtf easy slurm runai kube-default; do
        run replay "$journal" --policy "$other" --json
        [ "$status" -le 1 ] && ! says out '"recorded_decisions": 0,' || return 1
        [ "$other" != "$1" ] || { status_is 0 && says out '"refused_facts": 0,'; } || return 1
    done
}
for policy in easy srtf slurm runai kube-default; do
    check "others asked about what $policy did" told "$policy"
done
finish
