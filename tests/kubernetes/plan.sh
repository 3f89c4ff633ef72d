#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Snapshots of a real control plane, and plans that are carried out there: what is bound is what was
# decided, gangs are whole, limits hold, reclaim goes by eviction, and a plan whose cluster has
# changed does nothing. Four nodes of 8 GPUs: a department of two teams, a with a quota of 24, b
# with 8 and a limit of 16.
# shellcheck disable=SC2016,SC2317
set -u
. tests/kubernetes/lib.sh

kube_start
for node in n1 n2 n3 n4; do kube_node "$node" 8; done
kube_create <<'END'
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: dept}
spec: {resources: {gpu: {quota: 32, limit: -1, overQuotaWeight: 1}, cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}}}
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: a}
spec: {parentQueue: dept, reclaimMinRuntime: 0s, resources: {gpu: {quota: 24, limit: -1, overQuotaWeight: 1}, cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}}}
---
apiVersion: scheduling.run.ai/v2
kind: Queue
metadata: {name: b}
spec: {parentQueue: dept, resources: {gpu: {quota: 8, limit: 16, overQuotaWeight: 1}, cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}}}
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: train}
value: 50
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: build}
value: 100
END

# group NAME MINIMUM [FIELDS]: a pod group of team a.
group() {
    kube_create <<END
{"apiVersion": "scheduling.run.ai/v2alpha2", "kind": "PodGroup", "metadata": {"name": "$1", "namespace": "default"},
 "spec": {"minMember": $2, "queue": "a", "priorityClassName": "train"$3}}
END
}
pods_of() { on_nodes | grep -c "default/$1-"; }
# as_decided BEFORE: on nodes is what was there before and what was to start, less what was to be
# evicted.
as_decided() {
    decided evict | cut -d ' ' -f 1 >"$tmp/evicted"
    { grep -vwFf "$tmp/evicted" "$1" || true; decided start; } | sort >"$tmp/expected"
    on_nodes >"$tmp/after"
    diff "$tmp/expected" "$tmp/after" | sed 's/^/# /'
    same "$tmp/expected" "$tmp/after"
}
# cycle: a snapshot, a plan, and what was done.
cycle() {
    import && on_nodes >"$tmp/before" && plan "$@" && apply && status_is 0 && within 20 running
}

# --- limits --------------------------------------------------------------------------------------

for i in 1 2 3 4 5 6; do kube_pod "b-$i" 4 queue=b class=train; done
check "six pods of 4 GPUs, of which the limit of 16 lets four start" cycle
check "objects of an API server leave nothing to note" eval 'run snapshot "$tmp/cluster.json" -o "$tmp/again.json" && silent err'
check "four are on nodes" equal "$(pods_of b)" 4
check "as was decided" as_decided "$tmp/before"
check "another plan, from a new snapshot, starts nothing" eval 'cycle && equal "$(decided start | wc -l)" 0 && equal "$(pods_of b)" 4'

# --- gangs, reclaim ------------------------------------------------------------------------------

group wide 3 ', "stalenessGracePeriod": "5m"'
for i in 1 2 3; do kube_pod "wide-$i" 8 queue=a group=wide class=train; done
check "a gang of three nodes, of which two are free: none of it starts" eval 'cycle --actions allocate && equal "$(pods_of wide)" 0'
check "what is not imported is noted by object and field" eval \
    'run snapshot "$tmp/cluster.json" -o "$tmp/again.json" && says err "note: podgroup default/wide: spec.stalenessGracePeriod: not imported"'
# Without its controller a budget has no status, and forbids every eviction that it covers.
kube_create <<'END'
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: all}
spec: {minAvailable: 100%, selector: {matchLabels: {kai.scheduler/queue: b}}}
END
on_nodes >"$tmp/before"
check "what a budget forbids is refused, and the plan ends there" eval 'import && plan && apply && status_is 1 && on_nodes >"$tmp/after" && same "$tmp/before" "$tmp/after"'
check "it says so, and how far it came" says err "was refused; 0 of 2 requests before it are done"
kubectl delete poddisruptionbudgets --all >/dev/null 2>&1
check "team a is owed 24: a plan evicts" cycle
check "two pods of b make room" equal "$(decided evict | grep -c '/b-')" 2
check "and nothing else happened" as_decided "$tmp/before"
check "then all of the gang starts" eval 'cycle && equal "$(pods_of wide)" 3'
check "on the nodes that were decided" as_decided "$tmp/before"
check "team b keeps its 8" equal "$(pods_of b)" 2

# --- priorities ----------------------------------------------------------------------------------

kube_pod later 8 queue=a class=train
kube_pod urgent 8 queue=a class=build
check "in a full cluster the urgent pod of the queue preempts" eval 'cycle && grep -q "\"action\": \"preempt\"" "$tmp/decided.json"'
check "and is started when there is room, not the other" eval 'cycle && on_nodes | grep -q default/urgent'
check "as was decided, too" as_decided "$tmp/before"

# --- subgroups -----------------------------------------------------------------------------------

kubectl delete pods --all --grace-period=0 --force >/dev/null 2>&1
kubectl delete podgroups.scheduling.run.ai --all >/dev/null 2>&1
group tree 0 ', "subGroups": [{"name": "workers", "parent": "all", "minMember": 2}, {"name": "head", "parent": "all", "minMember": 1}, {"name": "all"}, {"name": "spare"}]'
kube_pod tree-head 1 queue=a group=tree subgroup=head
for i in 1 2 3; do kube_pod "tree-w$i" 8 queue=a group=tree subgroup=workers; done
check "subgroups in a subgroup: two of three workers and the head are the gang" eval 'cycle && equal "$(pods_of tree)" 4'
check "as was decided, of subgroups" as_decided "$tmp/before"

# --- a world that moves --------------------------------------------------------------------------

kubectl delete pods --all --grace-period=0 --force >/dev/null 2>&1
kubectl delete podgroups.scheduling.run.ai --all >/dev/null 2>&1
group pair 2 ''
for i in 1 2; do kube_pod "pair-$i" 8 queue=a group=pair class=train; done
kube_pod stray 4 queue=b class=train
# stale WHAT MESSAGE: the plan that was made before does nothing.
stale() {
    on_nodes >"$tmp/before"
    apply
    check "$1: the plan does nothing" eval 'status_is 1 && on_nodes >"$tmp/after" && same "$tmp/before" "$tmp/after"'
    check "$1: and says why" says err "fauxfleet: $2"
}
check "a gang of two and a pod of the other team" eval 'import && plan && equal "$(decided start | wc -l)" 3'
echo '{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "stray", "namespace": "default"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "n4"}}' |
    kubectl create --raw /api/v1/namespaces/default/pods/stray/binding -f - >/dev/null
stale "another scheduler bound a pod" "pod default/stray: runs on n4"
check "a new plan" eval 'import && plan && equal "$(decided start | wc -l)" 2'
kubectl patch queues.scheduling.run.ai a --type merge -p '{"spec": {"resources": {"gpu": {"limit": 8}}}}' >/dev/null
stale "a limit was lowered" "queues.scheduling.run.ai a: has changed"
kubectl patch queues.scheduling.run.ai a --type merge -p '{"spec": {"resources": {"gpu": {"limit": -1}}}}' >/dev/null
check "a new plan after that" eval 'import && plan && equal "$(decided start | wc -l)" 2'
target=$(decided start | head -n 1 | cut -d ' ' -f 2)
kubectl patch node "$target" -p '{"spec": {"unschedulable": true}}' >/dev/null
stale "a node was cordoned" "node $target: is cordoned"
kubectl patch node "$target" -p '{"spec": {"unschedulable": false}}' >/dev/null
check "a last one" eval 'import && plan && equal "$(decided start | wc -l)" 2'
kubectl delete pod pair-1 --grace-period=0 --force >/dev/null 2>&1
kube_pod pair-1 8 queue=a group=pair class=train
stale "a pod was made anew" "pod default/pair-1: another one has that name"
check "of the gang nothing ran in all that time" equal "$(pods_of pair)" 0
check "with a new snapshot it starts" eval 'cycle && equal "$(pods_of pair)" 2'

finish
