#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Fabrics from the command line: the list, and the levels that a pool's fabric gives to the policy,
# as a snapshot shows them. Expected domains are the node's number divided by the nodes of a domain.
# Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# --- list -----------------------------------------------------------------------------------------

run list fabrics
check "list fabrics" eval 'status_is 0 && silent err'
while IFS='|' read -r name part; do
    line=$(grep "^$name " "$tmp/out")
    check "list fabrics: $name: $part" eval 'case $line in *"$part"*) true ;; *) false ;; esac'
done <<'ROWS'
basepod|units of 20 nodes
superpod-a100|units of 20 nodes, rails 8, switches of 40 ports
superpod-h100|nodes in one leaf 32
superpod-b200|1:1
superpod-gb200|nvlink 18
meta-24k|pod 384; 7:1 above pod
flat|every node
single-leaf|switches of 64 ports
ROWS
run list fabrics --json
check "list fabrics --json" eval 'status_is 0 && is_json "$tmp/out"'
check "levels, nodes of a unit and oversubscription are in it" \
    eval 'says out "\"unit_nodes\": 32" && says out "\"rack\": 4" && says out "\"pod\": 7"'

# --- levels of a scenario -------------------------------------------------------------------------

# scenario FABRIC: 70 nodes of one device with that fabric, and 40 trays of NVLink racks.
scenario() {
    cat <<JSON
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "a", "node": {"gpus": 1, "gpu_type": "t"}, "count": 70, "fabric": $1},
                     {"name": "b", "node": "gb200-nvl72", "count": 40, "fabric": "superpod-gb200"}]},
 "workload": {"generate": {"profile": "batch", "jobs": 20}}, "policy": {"name": "runai"}}
JSON
}

# labels FILE NODE: the levels and domains of a node, "core=a-core-0 ..."; nothing without python3.
labels() {
    command -v python3 >/dev/null || return 0
    python3 -c '
import json, sys
snapshot = json.load(open(sys.argv[1]))
levels = snapshot["topologies"][0]["levels"]
node = next(n for n in snapshot["nodes"] if n["name"] == sys.argv[2])
print(" ".join("%s=%s" % (level, node["labels"][level]) for level in levels))' "$1" "$2"
}

scenario '"superpod-h100"' >"$tmp/s.json"
run run --check "$tmp/s.json"
check "a scenario with a fabric is accepted" status_is 0
check "the resolved one names it" says out '"fabric": "superpod-h100"'
run run "$tmp/s.json" -o "$tmp/run" --snapshot-at 1h --no-report --audit
check "it runs" status_is 0
if command -v python3 >/dev/null; then
    while read -r node expected; do
        check "labels of $node" equal "$(labels "$tmp/run/snapshot.json" "$node")" "$expected node=$node"
    done <<'ROWS'
a-0 core=a-core-0 pod=a-pod-0 leaf=a-leaf-0 rack=a-rack-0 nvlink=a-nvlink-0
a-31 core=a-core-0 pod=a-pod-0 leaf=a-leaf-0 rack=a-rack-7 nvlink=a-nvlink-31
a-32 core=a-core-0 pod=a-pod-0 leaf=a-leaf-1 rack=a-rack-8 nvlink=a-nvlink-32
a-69 core=a-core-0 pod=a-pod-0 leaf=a-leaf-2 rack=a-rack-17 nvlink=a-nvlink-69
b-17 core=b-core-0 pod=b-pod-0 leaf=b-leaf-0 rack=b-rack-0 nvlink=b-nvlink-0
b-39 core=b-core-0 pod=b-pod-0 leaf=b-leaf-2 rack=b-rack-2 nvlink=b-nvlink-2
ROWS
else
    skip "labels of nodes" "no python3"
fi
run decide "$tmp/run/snapshot.json"
check "decide takes the snapshot" status_is 0

# A gang that wants one leaf switch: 40 of 32 nodes never fit, 30 do, all below one.
cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,tasks,gpus_per_task,gpu_type,topology_required
large,0,3600,40,1,t,leaf
small,0,3600,30,1,t,leaf
CSV
sed 's/"generate": {[^}]*}/"trace": "jobs.csv"/' "$tmp/s.json" >"$tmp/gang.json"
run run "$tmp/gang.json" -o "$tmp/gang" --snapshot-at 60s --no-report --audit
check "gangs: it runs" status_is 0
check "gangs: 30 tasks below one leaf run" grep -q '^small,.*,completed,' "$tmp/gang/jobs.csv"
check "gangs: 40 below one leaf of 32 do not" eval '! grep -q "^large,.*,completed," "$tmp/gang/jobs.csv"'
if command -v python3 >/dev/null; then
    leaves=$(python3 -c '
import json, sys
snapshot = json.load(open(sys.argv[1]))
leaf = {n["name"]: n["labels"]["leaf"] for n in snapshot["nodes"]}
job = next(j for j in snapshot["jobs"] if j["id"] == "small")
print(len({leaf[t["node"]] for t in job["tasks"]}), len({t["node"] for t in job["tasks"]}))' "$tmp/gang/snapshot.json")
    check "gangs: on 30 nodes of one leaf" equal "$leaves" "1 30"
fi

# A level that the fleet does not have is an error with file and line, also for generated or merged
# jobs.
sed 's/^small\(.*\)leaf$/small\1lief/' "$tmp/jobs.csv" >"$tmp/wrong.csv"
printf 'job_id,submit_s,duration_s,gpus\nfirst,0,60,1\nsecond,1,60,1\n' >"$tmp/other.csv"
wrong="{\"trace\":\"$tmp/wrong.csv\"}"
while read -r how workload; do
    run run "$tmp/gang.json" -o "$tmp/none" --set workload="$workload" --replicas 2 --no-report
    check "an unknown level, trace $how" eval 'status_is 2 && says err "/wrong.csv:3: job" && says err "small" && says err "no level '"'lief'"', expected" && says err "did you mean '"'leaf'"'"'
done <<ROWS
alone $wrong
merged [{"trace":"$tmp/other.csv"},$wrong]
drawn {"trace":"$tmp/wrong.csv","replicate":"resample"}
ROWS

# A fabric as `list` prints it can be read as a fabric.
if command -v python3 >/dev/null; then
    run list fabrics --json
    python3 -c '
import json, sys
print(json.dumps(next(f["fabric"] for f in json.load(open(sys.argv[1])) if f["name"] == "superpod-h100")))' \
        "$tmp/out" >"$tmp/fabric.json"
    scenario "$(cat "$tmp/fabric.json")" >"$tmp/inline.json"
    run run "$tmp/inline.json" -o "$tmp/inline" --snapshot-at 1h --no-report
    check "a fabric copied from the list is accepted" status_is 0
    check "and gives the same levels" equal "$(labels "$tmp/inline/snapshot.json" a-69)" \
        "$(labels "$tmp/run/snapshot.json" a-69)"
fi

# --- gangs under a queueing policy ----------------------------------------------------------------

# Three tasks of 2 devices fit no node. Rack r1 has 6 free and r0 has 8, so they go to n1 (2 free)
# and n3; with best-fit to n1 and n0. The racks are the domains, though no job names them.
cat >"$tmp/racks.json" <<'JSON'
{"fauxfleet_snapshot": 1, "now_ms": 0, "topologies": [{"name": "fabric", "levels": ["pod", "rack"]}],
 "nodes": [{"name": "n0", "gpus": 4, "labels": {"pod": "p0", "rack": "r0"}},
           {"name": "n1", "gpus": 2, "labels": {"pod": "p1", "rack": "r1"}},
           {"name": "n2", "gpus": 4, "labels": {"pod": "p0", "rack": "r0"}},
           {"name": "n3", "gpus": 4, "labels": {"pod": "p1", "rack": "r1"}}],
 "queues": [{"name": "q"}], "policy": {"name": "fifo", "options": {"placement": "PLACEMENT"}},
 "jobs": [{"id": "j", "queue": "q", "submit_ms": -1, "roles": [{"name": "w", "min_tasks": 3}], "tasks": [
           {"id": "j-0", "role": "w", "state": "pending", "gpus": 2},
           {"id": "j-1", "role": "w", "state": "pending", "gpus": 2},
           {"id": "j-2", "role": "w", "state": "pending", "gpus": 2}]}]}
JSON
while IFS='|' read -r placement expected; do
    sed "s/PLACEMENT/$placement/" "$tmp/racks.json" >"$tmp/line.json"
    run decide "$tmp/line.json"
    check "a gang of fifo with placement $placement" \
        equal "$(tr -d ' \n' <"$tmp/out" | grep -o '"node":"n[0-9]"' | tr -dc '0-9')" "$expected"
done <<'ROWS'
best-fit|100
topology|133
ROWS

# Nodes 0 to 31 of the fabric are one leaf, 4 of them a rack; node a-0 is taken, so racks of 4 begin
# at a-4.
cat >"$tmp/line.csv" <<'CSV'
job_id,submit_s,duration_s,tasks,gpus_per_task,gpu_type
one,0,100,1,1,t
four,1,100,4,1,t
three,2,100,3,1,t
CSV
sed 's/"generate": {[^}]*}/"trace": "line.csv"/; s/"runai"/"fifo", "options": {"placement": "topology"}/' \
    "$tmp/s.json" >"$tmp/line.json"
run run "$tmp/line.json" -o "$tmp/line" --no-report --audit
check "a line with placement topology runs" status_is 0
check "four tasks fill a free rack" grep -q '^four,.*,a-4:1;a-5:1;a-6:1;a-7:1,' "$tmp/line/jobs.csv"
check "three take the rest of the first one" grep -q '^three,.*,a-1:1;a-2:1;a-3:1,' "$tmp/line/jobs.csv"

# --- refusals -------------------------------------------------------------------------------------

scenario '"superpod-h10"' >"$tmp/bad.json"
run run --check "$tmp/bad.json"
check "an unknown fabric" refused "bad.json:2: fleet.pools[0].fabric: unknown fabric 'superpod-h10', did you mean 'superpod-h100'?"
scenario '"single-leaf"' >"$tmp/bad.json"
run run --check "$tmp/bad.json"
check "too many nodes for it" refused "fleet.pools[0].fabric: 70 nodes are too many: 1 tier of switches with 64 ports"
sed 's/"superpod-h10*"/"superpod-h100", "nodes_per": {"leaf": 16}/' "$tmp/s.json" >"$tmp/bad.json"
run run --check "$tmp/bad.json"
check "nodes_per that says otherwise" \
    refused "fleet.pools[0].fabric: the fabric has 32 nodes in one 'leaf', and nodes_per says 16"

finish
