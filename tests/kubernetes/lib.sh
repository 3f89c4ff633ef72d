# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# A real control plane of Kubernetes on this machine: etcd, kube-apiserver, and a program that plays
# the kubelets. What builds and starts it lies in $KUBERNETES_KIT (../shared/kubernetes); it is
# built once, which takes 5 CPU-minutes, 2 GB and root for apt-get, and kept in $KUBERNETES_CACHE.
# Tests source this from the root of the repository:
#
#     . tests/kubernetes/lib.sh
#     kube_start               starts it, or ends the test as skipped; kubectl finds it
#     kube_node NAME GPUS      a node that is ready
#     kube_pod NAME GPUS [FIELD=VALUE...]   a pending pod: queue= group= subgroup= class=
#     import                   what kubectl prints of the cluster becomes $tmp/now.json
#     plan [OPTION...]         what the policy decides on it: $tmp/decided.json, $tmp/plan.sh
#     apply                    runs the plan; leaves $status, $tmp/out and $tmp/err behind
#     on_nodes                 "NAMESPACE/NAME NODE" of the pods that are on nodes
#     finish
#
# Everything listens on loopback, on ports of its own, and is gone when the test has ended.
. tests/e2e/lib/tap.sh

KUBERNETES_KIT=${KUBERNETES_KIT:-${shared:+$shared/kubernetes}}
KUBERNETES_CACHE=${KUBERNETES_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/fauxfleet/kubernetes}
PATH=$PATH:/usr/sbin:/sbin
kube_run=$tmp/kubernetes
kube_pids=

kube_end() {
    # shellcheck disable=SC2086
    [ -z "$kube_pids" ] || kill $kube_pids 2>/dev/null
    for file in "$kube_run"/*.pid; do
        [ ! -s "$file" ] || kill "$(cat "$file")" 2>/dev/null
    done
    chmod -R u+w "$tmp"
    rm -rf "$tmp" 2>/dev/null || { sleep 1 && rm -rf "$tmp"; }
}

kube_skip() {
    echo "1..0 # SKIP $1"
    echo "SKIP: $1"
    trap kube_end EXIT
    exit 77
}

# kube_ports: the first of four ports in a row that nobody listens on.
kube_ports() {
    port=$((20000 + $$ % 5000 * 8))
    while ss -ltn 2>/dev/null | awk -v port="$port" '{ n = split($4, at, ":") } at[n] >= port && at[n] < port + 4 { taken = 1 } END { exit !taken }'; do
        port=$(((port - 20000 + 8) % 40000 + 20000))
    done
    echo "$port"
}

kube_start() {
    if [ ! -x "$KUBERNETES_CACHE/bin/kube-apiserver" ]; then
        [ -n "$KUBERNETES_KIT" ] && [ -f "$KUBERNETES_KIT/build-control-plane.sh" ] ||
            kube_skip "no control plane: KUBERNETES_KIT (../shared/kubernetes) is not there"
        [ "$(id -u)" = 0 ] || kube_skip "no control plane: building one needs root, for apt-get"
        nice -n 15 bash "$KUBERNETES_KIT/build-control-plane.sh" "$KUBERNETES_CACHE" >"$tmp/build" 2>&1 ||
            kube_skip "no control plane: it could not be built: $(tail -n 1 "$tmp/build")"
        # Two gigabytes of which two programs are needed.
        rm -rf "$KUBERNETES_CACHE/gocache" "$KUBERNETES_CACHE/gopath" "$KUBERNETES_CACHE/violations" "$KUBERNETES_CACHE"/kubernetes[-_]1.*
    fi
    for program in etcd kubectl openssl python3 bash setsid; do
        command -v "$program" >/dev/null || kube_skip "no control plane: $program is not installed"
    done
    [ -n "$KUBERNETES_KIT" ] && [ -f "$KUBERNETES_KIT/start-control-plane.sh" ] ||
        kube_skip "no control plane: KUBERNETES_KIT (../shared/kubernetes) is not there"
    trap kube_end EXIT
    port=$(kube_ports)
    ETCD_PORT=$port API_PORT=$((port + 2)) bash "$KUBERNETES_KIT/start-control-plane.sh" "$KUBERNETES_CACHE" "$kube_run" >"$tmp/start" 2>&1 ||
        kube_skip "no control plane: it does not start: $(tail -n 1 "$tmp/start")"
    KUBECONFIG=$kube_run/kubeconfig
    export KUBECONFIG
    GRACE=0 python3 "$KUBERNETES_KIT/fake_kubelet.py" "$kube_run" 600 >"$kube_run/kubelet.log" 2>&1 &
    kube_pids=$!
    for resource in queue podgroup; do
        [ "$resource" = queue ] && scope=Cluster version=v2 kind=Queue || { scope=Namespaced version=v2alpha2 kind=PodGroup; }
        cat <<END
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${resource}s.scheduling.run.ai}
spec:
  group: scheduling.run.ai
  scope: $scope
  names: {plural: ${resource}s, singular: $resource, kind: $kind, listKind: ${kind}List}
  versions: [{name: $version, served: true, storage: true, schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}}]
END
    done | kubectl create -f - >"$tmp/start" 2>&1 || kube_skip "no control plane: it takes no custom resources: $(tail -n 1 "$tmp/start")"
    within 30 kubectl get queues.scheduling.run.ai,podgroups.scheduling.run.ai -A >/dev/null 2>&1
}

kube_create() { kubectl create -f - >"$tmp/created" 2>&1 || { sed 's/^/# /' "$tmp/created" && false; }; }

kube_node() {
    kube_create <<END
{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "$1", "labels": {"kubernetes.io/hostname": "$1"}},
 "status": {"capacity": {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "$2"},
            "allocatable": {"cpu": "64", "memory": "512Gi", "pods": "110", "nvidia.com/gpu": "$2"},
            "conditions": [{"type": "Ready", "status": "True"}]}}
END
}

kube_pod() {
    name=$1
    gpus=$2
    queue='' group='' subgroup='' class=''
    shift 2
    for pair in "$@"; do
        eval "${pair%%=*}=\${pair#*=}"
    done
    kube_create <<END
apiVersion: v1
kind: Pod
metadata:
  name: $name
  labels:
    kai.scheduler/queue: "$queue"
    ${subgroup:+kai.scheduler/subgroup-name: "$subgroup"}
  annotations:
    test: "true"
    ${group:+pod-group-name: "$group"}
spec:
  schedulerName: fauxfleet
  ${class:+priorityClassName: $class}
  containers: [{name: c, image: none, resources: {limits: {cpu: 1, memory: 1Gi, nvidia.com/gpu: $gpus}}}]
END
}

import() {
    kubectl get nodes,pods,podgroups.scheduling.run.ai,queues.scheduling.run.ai,priorityclasses -A -o json >"$tmp/cluster.json" &&
        run snapshot "$tmp/cluster.json" -o "$tmp/now.json" && status_is 0
}

plan() {
    run decide "$tmp/now.json" "$@"
    [ "$status" -eq 0 ] && cp "$tmp/out" "$tmp/decided.json" || return 1
    run decide "$tmp/now.json" --emit kubectl-sh "$@"
    [ "$status" -eq 0 ] && cp "$tmp/out" "$tmp/plan.sh"
}

apply() {
    sh "$tmp/plan.sh" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}

on_nodes() {
    kubectl get pods -A --no-headers -o custom-columns=S:.metadata.namespace,P:.metadata.name,N:.spec.nodeName 2>/dev/null |
        awk '$3 != "<none>" { print $1 "/" $2, $3 }' | sort
}

# decided KIND: "NAMESPACE/NAME NODE" of the decisions of a kind.
decided() {
    sed -n "s/.*\"kind\": \"$1\", *\"job\": \"\\([^\"/]*\\)[^\"]*\", \"task\": \"\\([^\"]*\\)\", \"node\": \"\\([^\"]*\\)\".*/\\1\\/\\2 \\3/p" "$tmp/decided.json" | sort
}

running() { [ -z "$(kubectl get pods -A --no-headers -o custom-columns=N:.spec.nodeName,F:.status.phase,D:.metadata.deletionTimestamp | awk '$1 != "<none>" && ($2 != "Running" || $3 != "<none>")')" ]; }
