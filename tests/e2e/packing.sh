#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The packing study of the FGD paper. First on four nodes that are part of this test: every policy
# places as its rules say. Then against the published results, cell by cell: curves, failed tasks,
# final states, and the node of every task of a small case. Traces and results are not part of the
# repository; they are looked for in $FAUXFLEET_SHARED (../shared), and skipped if missing. All
# seeds of all policies: tests/tools/packing_sweep.sh. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh
. tests/e2e/lib/packing.sh

# --- four nodes ----------------------------------------------------------------------------------

mkdir "$tmp/small"
cat >"$tmp/small/nodes.csv" <<END
sn,cpu_milli,memory_mib,gpu,model
a,32000,262144,2,T4
b,64000,262144,4,G2
c,96000,262144,8,V100M32
d,96000,262144,8,P100
END
cat >"$tmp/small/pods.csv" <<END
name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec
half,4000,1000,1,500,
one,8000,1000,1,1000,
four,32000,1000,4,1000,G2|V100M32
none,8000,1000,0,0,
small,2000,1000,1,300,
END
# Two halves, one, four (which only b and c may take), small, none, one, half; then four, eight
# times.
printf '%s\n' 0 0 1 2 4 3 1 0 2 2 2 2 2 2 2 2 >"$tmp/small/order"
small() {
    policy=$1
    shift
    run run scenarios/studies/openb-fill.json --set "fleet.nodes_file=$tmp/small/nodes.csv" --trace "$tmp/small/pods.csv" \
        --set "workload.arrivals=$tmp/small/order" -o "$tmp/small/$policy" --no-report --quiet --audit --policy "$policy" "$@"
    status_is 0
}
# starts POLICY: "job@node" of each start, in order.
starts() {
    sed -n 's/.*"kind": "start", "job": "\([^"]*\)",.* "node": "\([^"]*\)",.*/\1@\2/p' "$tmp/small/$1/journal.jsonl" |
        sed 's/#[0-9]*//' | tr '\n' ' ' | sed 's/ $//'
}
for policy in $published random fgd-exact; do
    check "four nodes, $policy runs, audited" small "$policy"
    check "four nodes, $policy: three of nine tasks of four devices fit, or fewer" \
        eval '[ "$(json "$tmp/small/$policy/summary.json" fill.failed_tasks)" -ge 6 ]'
    check "four nodes, $policy: nothing of type G2 or V100M32 on a or d" \
        eval '! starts "$policy" | grep -q "four@[ad]"'
done

# Replaying reads ahead for the typical tasks: the policy may also run with times. Standard input
# cannot be read ahead.
cat >"$tmp/small/jobs.csv" <<END
job_id,submit_s,duration_s,gpus_per_task,gpu_milli,cpus_per_task
1,0,100,1,500,4
2,1,100,1,,8
3,2,100,2,,8
4,3,100,1,500,4
5,50,100,1,500,4
END
cat >"$tmp/small/replay.json" <<END
{"fauxfleet_scenario": 1, "name": "replay", "fleet": {"pools": [{"name": "p", "node": {"gpus": 4}, "count": 3}]},
 "policy": {"name": "fgd"}}
END
run run "$tmp/small/replay.json" --trace "$tmp/small/jobs.csv" -o "$tmp/small/replay" --no-report --quiet --audit
check "a replay with fgd runs, audited" eval 'status_is 0 && [ "$(json "$tmp/small/replay/summary.json" jobs.completed)" = 5 ]'
"$BIN" run "$tmp/small/replay.json" --trace - -o "$tmp/small/stdin" --no-report --quiet <"$tmp/small/jobs.csv" >"$tmp/out" 2>"$tmp/err"
status=$?
check "fgd cannot read standard input ahead" refused "needs to read the whole workload first, which standard input does not allow"

# A snapshot's unfinished tasks are its workload: three want a whole device, one a share, so the
# share goes where a device is already broken up, although that node is last.
cat >"$tmp/small/snapshot.json" <<END
{"fauxfleet_snapshot": 1, "now_ms": 1000, "policy": {"name": "fgd"},
 "nodes": [{"name": "n0", "gpus": 2}, {"name": "n1", "gpus": 2}, {"name": "n2", "gpus": 2}],
 "queues": [{"name": "q"}],
 "jobs": [
  {"id": "a", "queue": "q", "submit_ms": 0, "last_start_ms": 0,
   "tasks": [{"id": "a-0", "state": "running", "node": "n2", "devices": [0], "gpu_milli": 500}]},
  {"id": "share", "queue": "q", "submit_ms": 1, "tasks": [{"id": "share-0", "gpu_milli": 500}]},
  {"id": "w", "queue": "q", "submit_ms": 2, "tasks": [{"id": "w-0", "gpus": 1}, {"id": "w-1", "gpus": 1}, {"id": "w-2", "gpus": 1}]}]}
END
run decide "$tmp/small/snapshot.json"
check "a snapshot: fgd puts the share beside the other" \
    eval 'status_is 0 && says out "\"job\": \"share\", \"task\": \"share-0\", \"node\": \"n2\""'
run decide "$tmp/small/snapshot.json" --policy best-fit
check "a snapshot: another policy does not ask for typical tasks" status_is 0

# --- the published results -----------------------------------------------------------------------

if [ ! -d "$openb/orders" ] || [ ! -r "$fgd/verification.csv" ]; then
    skip "openb-fill: six policies against FGD's published curves" "no traces/alibaba-gpu-2023, expected/fgd"
    finish
fi

# FGD and BestFit at all seeds, the others at two.
for policy in $published; do
    case $policy in
    fgd | best-fit) seeds="42 43 44 45 46 47 48 49 50 51" ;;
    *) seeds="42 51" ;;
    esac
    for seed in $seeds; do
        check "openb-fill, $policy, seed $seed runs" fill default "$seed" "$policy"
        check "openb-fill, $policy, seed $seed: 81 cells of the curve" curve_matches "$seed" "$policy"
        check "openb-fill, $policy, seed $seed: failed tasks and final state" end_matches default "$seed" "$policy"
    done
    for list in gpushare40 gpushare100 cpu250; do
        check "openb-fill, $policy, $list runs" fill "$list" 42 "$policy"
        check "openb-fill, $policy, $list: nine cells of the published row" row_matches "$list" 42 "$policy"
        check "openb-fill, $policy, $list: failed tasks and final state" end_matches "$list" 42 "$policy"
    done
done
check "openb-fill, fgd-exact runs" fill default 42 fgd-exact
check "openb-fill: without truncated scores FGD allocates a point less" \
    eval 'curve "$tmp/fill/summary.json" | awk "\$1 == 100 && \$2 > 93.9 && \$2 < 94.3 { ok = 1 } END { exit !ok }"'

# Types that tasks are bound to, and lists with five columns.
for list in gpuspec33 multigpu50; do
    [ -r "$openb/orders/$list-s42-arrivals.txt" ] || continue
    for policy in fgd best-fit; do
        check "openb-fill, $policy, $list runs" fill "$list" 42 "$policy"
        json "$tmp/fill/summary.json" fill.allocated_gpus >"$tmp/$list-$policy"
    done
    check "openb-fill, $list: fgd allocates more than best-fit" \
        eval 'cat "$tmp/$list-fgd" "$tmp/$list-best-fit" | tr "\n" " " | awk "{ exit !(\$1 > \$2 && \$2 > 5000) }"'
done

# Random is a distribution: published 86.303 at 100 % (sd 0.332 over ten seeds), 87.470 at 130 %.
: >"$tmp/random"
for seed in 42 43 44 45 46 47 48 49 50 51; do
    check "openb-fill, random, seed $seed runs" fill default "$seed" random
    curve "$tmp/fill/summary.json" | awk '$1 == 100 || $1 == 130' >>"$tmp/random"
done
spread_of "$tmp/random" >"$tmp/spread"
sed 's/^/# random: bucket, seeds, mean, sd: /' "$tmp/spread"
check "openb-fill, random: mean of ten seeds at 100 % within 0.35 of 86.303" \
    awk '$1 == 100 && $2 == 10 && $3 > 85.953 && $3 < 86.653 { ok = 1 } END { exit !ok }' "$tmp/spread"
check "openb-fill, random: and their spread is between 0.1 and 0.8" \
    awk '$1 == 100 && $4 > 0.1 && $4 < 0.8 { ok = 1 } END { exit !ok }' "$tmp/spread"
check "openb-fill, random: a mean of 86.40 with sd 0.32, as README.md says" equal \
    "$(awk '$1 == 100 { printf "%.2f %.2f", $3, $4 }' "$tmp/spread")" "86.40 0.32"
check "openb-fill, random: mean at 130 % within 0.35 of 87.470" \
    awk '$1 == 130 && $2 == 10 && $3 > 87.12 && $3 < 87.82 { ok = 1 } END { exit !ok }' "$tmp/spread"

# The small case: every eighth node and task; the original simulator's node for each arrival.
awk 'NR == 1 || (NR - 2) % 8 == 0' "$openb/openb_node_list_gpu_node.csv" >"$tmp/nodes.csv"
awk 'NR == 1 || (NR - 2) % 8 == 0' "$openb/openb_pod_list_default.csv" >"$tmp/pods.csv"

# placed POLICY: pod and node of each task that the original placed, in order.
placed() {
    awk -F, -v policy="$(paper "$1")" '
        FNR == 1 { file++ }
        FNR == 1 && file < 3 { next }
        file == 1 { node[FNR - 2] = $1; next }
        file == 2 { pod[FNR - 2] = $1; next }
        FNR == 1 { for (i = 1; i <= NF; i++) if ($i == policy) at = i; next }
        $at >= 0 { print pod[$2], node[$at] }' "$tmp/nodes.csv" "$tmp/pods.csv" "$fgd/mini8_placements.csv"
}
# golden POLICY COLUMN: a number of mini8_golden.csv.
golden() { awk -F, -v policy="$(paper "$1")" -v column="$2" '$1 == policy { print $column }' "$fgd/mini8_golden.csv"; }

for policy in $published; do
    rm -rf "$tmp/mini"
    run run scenarios/studies/openb-fill.json --set "fleet.nodes_file=$tmp/nodes.csv" --trace "$tmp/pods.csv" \
        --set "workload.arrivals=$openb/orders/mini8-s42-arrivals.txt" --policy "$policy" \
        --set "workload.node_rank=$openb/orders/mini8-s42-noderank.txt" -o "$tmp/mini" --no-report --quiet --audit
    check "mini8, $policy runs, audited" status_is 0
    placed "$policy" >"$tmp/expected"
    sed -n 's/.*"kind": "start", "job": "\([^"]*\)",.* "node": "\([^"]*\)",.*/\1 \2/p' "$tmp/mini/journal.jsonl" >"$tmp/starts"
    check "mini8, $policy: $(golden "$policy" 3) tasks on the published nodes, in order" \
        eval '[ "$(wc -l <"$tmp/expected")" -eq "$(golden "$policy" 3)" ] && diff "$tmp/expected" "$tmp/starts" >"$tmp/out"'
    check "mini8, $policy: $(golden "$policy" 4) tasks fit nowhere, and as much is requested, used and fragmented" \
        equal "$(for key in failed_tasks arrived_gpus allocated_gpus fragment_gpus; do
            json "$tmp/mini/summary.json" "fill.$key"
        done | awk '{ printf NR == 1 ? "%d" : NR == 4 ? " %.2f" : " %.0f", NR == 1 ? $1 : 1000 * $1 }')" \
        "$(golden "$policy" 4) $(golden "$policy" 5) $(golden "$policy" 6) $(golden "$policy" 8)"
done

finish
