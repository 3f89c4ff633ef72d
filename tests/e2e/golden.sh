#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A golden journal of each policy guards against silent change: tests/golden/POLICY.jsonl.gz has
# every fact and decision of tests/golden/world.json under that policy (gangs, shares, sessions, two
# types of devices, a tree of queues with quotas, nodes that go down; for the quota policies elastic
# jobs, too). A run must produce the same bytes, and replaying the stored journal must give the same
# decisions. More journals, of other worlds and options, are listed in the table below.
# slurm-adapter.jsonl.gz is what the adapter recorded at a real Slurm of 16 nodes (make
# check-slurm): two sections, a node that goes down under jobs, reclaimed quotas.
#
# After an intended change, look at its effect, then make them anew with
#
#     UPDATE=1 BIN=build/fauxfleet sh tests/e2e/golden.sh
#
# Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

golden=$PWD/tests/golden
journal=$tmp/run/journal.jsonl
mkdir "$tmp/here" # a journal names its plugin by the path that was given
cp "${B:-build/release}"/policies/examples/*.so "$tmp/here"
ln -s "$golden" "$tmp/here/golden"

# record POLICY: a run of the world.
record() {
    policy=$1
    set --
    case $policy in runai | static | quota-*) set -- --set "workload=[{\"trace\": \"$golden/jobs.csv\"}, {\"trace\": \"$golden/elastic.csv\"}]" ;; esac
    rm -rf "$tmp/run"
    run run "$golden/world.json" -o "$tmp/run" --no-report --quiet --policy "$policy" "$@"
}
# record_row WORLD POLICY KEY=VALUE...: a row of the table. A world of requests goes to the decision
# service.
record_row() {
    world=$golden/$1
    policy=$2
    shift 2
    for setting in "$@"; do
        set -- "$@" --set "$setting"
        shift
    done
    rm -rf "$tmp/run"
    cd "$tmp/here" || return 1
    case $world in
        *.json) run run "$world" -o "$tmp/run" --no-report --quiet --audit --policy "$policy" "$@" ;;
        *)
            mkdir "$tmp/run"
            "$BIN" serve --sync never --policy "$policy" --journal "$journal" <"$world" >"$tmp/out" 2>"$tmp/err"
            status=$?
            ;;
    esac
    cd "$OLDPWD" || return 1
}
# first_other: the first difference between the run and the golden journal, not counting line
# numbers.
first_other() {
    plain="s/, \"chain\": \"[0-9a-f]*\"}\$/}/"
    sed "$plain" "$tmp/golden" >"$tmp/golden.plain"
    sed "$plain" "$journal" >"$tmp/run.plain"
    diff "$tmp/golden.plain" "$tmp/run.plain" | head -n 6 | cut -c1-300 | sed 's/^/# /'
    echo "# if this was meant: UPDATE=1 BIN=$BIN sh tests/e2e/golden.sh"
}
# the_golden_bytes NAME COMMAND...: the command makes the golden journal's bytes.
the_golden_bytes() {
    name=$1
    shift
    "$@" && status_is 0 && gzip -dc "$golden/$name.jsonl.gz" >"$tmp/golden" || return 1
    same "$tmp/golden" "$journal" || { first_other && false; }
}
decides_as_stored() {
    cd "$tmp/here" || return 1
    run replay "$golden/$1.jsonl.gz"
    cd "$OLDPWD" || return 1
    status_is 0 && says out "the same decisions" && ! says out " 0 decisions"
}
# has NAME PATTERN COUNT: at least that many lines match.
has() { [ "$(gzip -dc "$golden/$1.jsonl.gz" | grep -c -- "$2")" -ge "$3" ]; }

"$BIN" list policies >"$tmp/policies"
if [ -n "${UPDATE:-}" ]; then
    while read -r policy _; do
        record "$policy" && [ "$status" -eq 0 ] && gzip -9nc "$journal" >"$golden/$policy.jsonl.gz" || exit 1
    done <"$tmp/policies"
fi
while read -r policy _; do
    check "$policy makes its golden journal" the_golden_bytes "$policy" record "$policy"
    check "$policy decides it again" decides_as_stored "$policy"
    check "$policy had gangs, shares and nodes that went down" eval \
        'has "$policy" "\"task\": 1, " 10 && has "$policy" "\"device_milli\": 500" 5 && has "$policy" "\"state\": \"down\"" 3'
done <"$tmp/policies"
for policy in srtf las runai kube-default; do
    check "$policy evicted" has "$policy" '"decision": "evict"' 5
done
check "quota-conservative had jobs that went ahead" has quota-conservative '"action": "backfill"' 20
check "the quota policies had elastic jobs" eval 'has runai "\"min_tasks\": 2" 1 && has static "\"min_tasks\": 2" 1'

# --- other worlds and options: NAME|WORLD|POLICY|SETTINGS|what the journal has to have: COUNT
# PATTERN; ... ------------------
#
# pools.json: queues bound to pools, nodes for whole tasks only, limits of queues. kinds.json: every
# kind of request, devices kept for sessions, minimum run times. devices.jsonl: devices that fail,
# nodes that drain and leave, starts that fail.

o=policy.options
start='"decision": "start".*'
elastic='workload=[{"trace":"golden/jobs.csv"},{"trace":"golden/limits.csv"},{"trace":"golden/elastic.csv"}]'
cat >"$tmp/rows" <<ROWS
qssf-pools|pools.json|qssf||5 $start"pool": 2; 5 $start"pool": 1; 3 "pools": \\[
fifo-queue|pools.json|fifo|$o.scope=queue|10 "decisions": [2-9]; 5 $start"pool": 2
fifo-skip|pools.json|fifo|$o.scope=queue $o.blocking=skip $o.placement=first-fit|5 $start"pool": 2
sjf-skip|pools.json|sjf|$o.blocking=skip|5 $start"pool": 2
slurm-limits|pools.json|slurm|$o.priority_weight_qos=1000 $o.priority_calc_period_s=60|5 "TIME_LIMIT"; 10 "action": "backfill"; 2 "limit": 16000
slurm-queue|pools.json|slurm|$o.scope=queue $o.priority_favor_small=true $o.priority_decay_half_life_s=600|5 "TIME_LIMIT"; 10 "action": "backfill"
fgd-pools|pools.json|fgd||5 $start"pool": 2
random-pools|pools.json|random|$o.seed=7|5 $start"pool": 2
clustering-pools|pools.json|gpu-clustering||5 $start"pool": 2
srtf-queue|pools.json|srtf|$o.scope=queue|20 "decision": "evict"; 5 $start"pool": 2
srtf-waiting|pools.json|srtf|$o.order=remaining-gpu $o.ties=waiting policy.grace_s=0|20 "decision": "evict"
las-previous|pools.json|las|$o.threshold_gpu_s=[300,1200,4800] $o.ties=previous|20 "decision": "evict"; 5 $start"pool": 2
las-published|world.json|las|$o.demotion=published $o.threshold_gpu_s=[600,3000]|50 "decision": "evict"; 3 "state": "down"
easy-frozen|world.json|easy|$o.easy_variant=frozen|10 "action": "backfill"; 3 "state": "down"
easy-queue|pools.json|easy|$o.scope=queue $o.order=sjf|10 "action": "backfill"; 5 $start"pool": 2
conservative-pools|pools.json|conservative||10 "action": "backfill"; 5 $start"pool": 2; 20 "limit_ms"
conservative-spread|pools.json|conservative|$o.placement=spread $o.time_limits=true|10 "action": "backfill"; 5 "TIME_LIMIT"
fifo-count|world.json|fifo|$o.placement=count outages_file=null|40 $start"name": "[^"]*", "gpu_milli"
easy-count|world.json|easy|$o.placement=count outages_file=null|10 "action": "backfill"; 10 $start"name": "[^"]*", "gpu_milli"
conservative-count|pools.json|conservative|$o.placement=count outages_file=null $o.scope=queue|10 "action": "backfill"
srtf-refill|world.json|srtf|$o.placement=count $o.refill=true outages_file=null|10 "decision": "evict"
fifo-topology|pools.json|fifo|$o.placement=topology|5 $start"pool": 2; 1 "fact": "topology"
easy-topology|pools.json|easy|$o.placement=topology $o.blocking=strict|5 "action": "backfill"; 1 "fact": "topology"
fifo-consolidated|pools.json|fifo|$o.placement=consolidated $o.blocking=skip|5 $start"pool": 2
fifo-binpack|world.json|fifo|$o.placement=binpack $o.blocking=skip|3 "state": "down"
researcher|world.json|./researcher.so||5 "decision": "evict"; 3 "state": "down"
smallest-first|pools.json|./smallest_first.so||50 "decision": "start"
least-waste|pools.json|./least_waste.so||50 "decision": "start"
fifo-devices|devices.jsonl|fifo||9 "device_health"; 1 "start_failed"; 10 $start; 1 "node_remove"
sjf-devices|devices.jsonl|sjf||9 "device_health"; 1 "start_failed"; 7 $start
conservative-devices|devices.jsonl|conservative||9 "device_health"; 1 "start_failed"; 9 $start
srtf-devices|devices.jsonl|srtf||9 "device_health"; 1 "start_failed"; 8 $start
fgd-devices|devices.jsonl|fgd||9 "device_health"; 1 "start_failed"; 9 $start
random-devices|devices.jsonl|random||9 "device_health"; 1 "start_failed"; 9 $start
runai-devices|devices.jsonl|runai||9 "device_health"; 1 "start_failed"; 9 $start
kube-devices|devices.jsonl|kube-default||9 "device_health"; 1 "start_failed"; 9 $start
runai-pools|pools.json|runai||20 "action": "consolidate"; 20 "action": "reclaim"; 5 $start"pool": 2
runai-kinds|kinds.json|runai||3 "mig":; 3 "device_mem_mib": [0-9]*}; 4 "required": ; 1 "preferred"; 10 "action": "reclaim"; 1 "fixed_milli"
static-kinds|kinds.json|static||3 "mig":; 20 $start
kube-kinds|kinds.json|kube-default|$o.score=most-allocated $o.pod_order=turns $o.victims=preemptible|3 "mig":; 10 "action": "preempt"
runai-backfill|kinds.json|runai|$o.backfill=true $o.device_placement=spread $o.full_hierarchy=false|3 "mig":; 3 "action": "backfill"
runai-window|kinds.json|runai|$o.usage_window=sliding $o.usage_window_s=1800 $o.usage_half_life_s=600|10 "action": "reclaim"
runai-reversal|pools.json|runai|$o.reversal_s=300 $elastic|20 "action": "consolidate"; 1 "min_tasks": 2
ROWS
# each_row COMMAND...: the command with the columns of each row.
each_row() {
    while IFS='|' read -r name world policy settings wants; do
        "$@" </dev/null || return 1
    done <"$tmp/rows"
}
# shellcheck disable=SC2086
row() {
    set -f # settings have brackets
    record_row "$world" "$policy" $settings
    set +f
}
store_row() { row && [ "$status" -eq 0 ] && gzip -9nc "$journal" >"$golden/$name.jsonl.gz"; }
hits() {
    printf '%s\n' "$wants" | tr ';' '\n' | sed 's/^ *//' | while read -r count pattern; do
        has "$name" "$pattern" "$count" || { echo "# less than $count of $pattern" && exit 1; }
    done
}
check_row() {
    check "$name makes its golden journal" the_golden_bytes "$name" row
    check "$name decides it again" decides_as_stored "$name"
    check "$name covers what it is for" hits
}
[ -z "${UPDATE:-}" ] || each_row store_row || exit 1
each_row check_row

check "nothing else is there" equal "$(find "$golden" -name '*.gz' | sed 's|.*/||; s|\.jsonl\.gz$||' | sort | tr '\n' ' ')" \
    "$({ cut -d' ' -f1 "$tmp/policies" && cut -d'|' -f1 "$tmp/rows" && echo slurm-adapter; } | sort | tr '\n' ' ')"
check "all files are small" [ "$(cat "$golden"/*.gz | wc -c)" -lt 700000 ]

# --- recordings of the adapter at a real Slurm ---------------------------------------------------

check "what the adapter recorded is decided again" decides_as_stored slurm-adapter
run replay "$golden/slurm-adapter.jsonl.gz" --simulate -o "$tmp/sim" --json --quiet
check "and simulated" eval 'status_is 0 && equal "$(json "$tmp/out" compared) $(json "$tmp/out" only_recorded) $(json "$tmp/out" sections) $(json "$tmp/out" outages)" "87 0 2 1"'
# The adapter looked every half second, or later, and was down for 2 s; Slurm took half a second or
# more to start a job. The recording replays the same on any machine.
at_most() { awk -v value="$(json "$tmp/out" "$1")" -v most="$2" 'BEGIN { exit value == "" || value + 0 > most }'; }
check "within what the simulation does not have" eval 'at_most difference_s.median 0.1 && at_most difference_s.p90 4.2'
finish
