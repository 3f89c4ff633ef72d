#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Queues prefer pools in the order of their list, under every policy: which pool fills first, by
# hand; `strict`; an elastic pool as second choice; snapshots and journals keep the order. Checks
# are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# Five jobs of one GPU arrive, a second apart, and run for 1,000 s.
{
    echo job_id,submit_s,duration_s,gpus,queue
    for i in 0 1 2 3 4; do echo "j$i,$i,1000,1,q"; done
} >"$tmp/jobs.csv"
# scenario KEYS [QUEUE]: three pools of one node of two GPUs; queue q has these keys.
scenario() {
    node='"count": 1, "node": {"gpus": 2, "gpu_type": "x"}'
    cat >"$tmp/s.json" <<END
{"fauxfleet_scenario": 1, "workload": {"trace": "jobs.csv"}, "policy": {"name": "fifo"},
 "fleet": {"pools": [{"name": "a", $node}, {"name": "b", $node}, {"name": "c", $node}]},
 "queues": [{"name": "q", "gpu": {"quota": 4}, $1}${2:+, $2}], "outputs": {"journal": "facts"}}
END
}
# pools_of DIR: the pool of each job, in the order of the jobs.
pools_of() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "placement") at = i } NR > 1 { printf "%s", substr($at, 1, 1) }' "$1/jobs.csv"; }
# fills [ARGUMENT...]: the same after a run.
fills() {
    run run "$tmp/s.json" -o "$tmp/r" --no-report --quiet --audit "$@"
    pools_of "$tmp/r"
}

for policy in fifo sjf easy conservative srtf las slurm kube-default best-fit fgd runai static edf quota-conservative; do
    scenario '"pools": ["b", "a"]'
    check "$policy: the list's first pool fills first" equal "$(fills --policy "$policy")" bbaab
    scenario '"pools": ["a", "b"]'
    check "$policy: and the other one where the list is reversed" equal "$(fills --policy "$policy")" aabba
    scenario '"pools": ["c"], "strict": false'
    check "$policy: not strict, all other pools follow" equal "$(fills --policy "$policy" --set 'queues[0].gpu.quota=6')" ccaab
done

# Under quotas q leaves b to a queue that can run nowhere else, unless its order is strict.
scenario '"pools": ["b", "a"]' '{"name": "p", "gpu": {"quota": 2}, "pools": ["b"]}'
check "quotas leave a pool to the queue that depends on it" equal "$(fills --policy runai)" aabba
scenario '"pools": ["b", "a"], "strict": true' '{"name": "p", "gpu": {"quota": 2}, "pools": ["b"]}'
check "a strict order goes before that" equal "$(fills --policy runai)" bbaab

run run "$tmp/s.json" -o "$tmp/r" --no-report --quiet --policy runai --snapshot-at 3
check "a snapshot keeps the order" eval 'grep -q "\"strict_order\": true" "$tmp/r/snapshot.json"'
run run "$tmp/s.json" -o "$tmp/rest" --no-report --quiet --policy runai --set "start.snapshot=\"$tmp/r/snapshot.json\""
check "and a run that begins with it ends as the whole run" equal "$(pools_of "$tmp/rest")" bbaab
run replay "$tmp/r/journal.jsonl"
check "the journal repeats it" status_is 0

# Two jobs find room on the node that is there; for the third a node is ordered.
cat >"$tmp/s.json" <<'END'
{"fauxfleet_scenario": 1, "workload": {"trace": "jobs.csv"},
 "policy": {"name": "fifo", "options": {"provision": "reactive"}},
 "fleet": {"pools": [{"name": "a", "node": {"gpus": 2, "gpu_type": "x"}, "elastic": {"min": 0, "max": 1, "delay": "60s", "price": 1}},
                     {"name": "b", "count": 1, "node": {"gpus": 2, "gpu_type": "x"}}]},
 "queues": [{"name": "q", "pools": ["b", "a"]}]}
END
check "an elastic pool as second choice is used when the first is full" equal "$(fills)" bbaab

scenario '"strict": true'
run run "$tmp/s.json" -o "$tmp/x"
check "strict without pools is refused" eval 'status_is 2 && says err "queues[0]: \`strict\` goes with \`pools\`"'

finish
