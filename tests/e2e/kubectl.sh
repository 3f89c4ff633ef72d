#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `decide --emit` on kubectl's output. The cluster: n1 with two GPUs, both in use by queue blue,
# whose quota is one; n2 with one free. red has a quota of one and a pod that wants n1, green one
# that wants n2. So green's pod starts, and blue's most recently started pod has to make room for
# red's.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

run snapshot tests/e2e/data/kube-cluster.json -o "$tmp/now.json"
check "the cluster is a snapshot, and nothing is left out" eval 'status_is 0 && silent out && silent err'

run decide "$tmp/now.json" --emit kubectl
check "a plan is printed" status_is 0
check "a plan is JSON" is_json "$tmp/out"
cat >"$tmp/list" <<'END'
{
 "apiVersion": "v1",
 "kind": "List",
 "items": [
  {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "g-0", "namespace": "green", "uid": "u-g-0"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "n2"}},
  {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "b-1", "namespace": "blue"}, "deleteOptions": {"preconditions": {"uid": "u-b-1"}}}
 ]
}
END
check "a Binding, then an Eviction" same "$tmp/out" "$tmp/list"
check "nominations are noted" says err "note: 1 tasks are nominated to devices that are being released"
check "that victims do not come back by themselves, too" says err "note: 1 pods are evicted"

run decide "$tmp/now.json" --actions allocate --emit kubectl
check "without evictions all is for 'kubectl create'" eval 'status_is 0 && says out Binding && ! says out Eviction && silent err'

run decide "$tmp/now.json" --emit kubectl-sh
check "a script is a script" eval 'status_is 0 && sh -n "$tmp/out"'

# --- the script ----------------------------------------------------------------------------------

# A kubectl that answers from files, as columns, and logs the requests.
mkdir "$tmp/bin"
cat >"$tmp/bin/kubectl" <<'END'
#!/bin/sh
case "$*" in
'get pods '*) cat "$WORLD/pods" ;;
'get nodes '*) cat "$WORLD/nodes" ;;
'get --raw /api/v1') cat "$WORLD/api" ;;
'get '*) cat "$WORLD/objects" ;;
*) { echo "$*"; cat; } >>"$WORLD/log" && [ ! -e "$WORLD/refuses" ] ;;
esac
END
chmod +x "$tmp/bin/kubectl"
# world: the cluster as it was when the policy decided.
world() {
    rm -rf "$tmp/world" && mkdir "$tmp/world"
    : >"$tmp/world/log"
    echo '{"name": "pods/eviction", "group": "policy", "version": "v1", "kind": "Eviction"}' >"$tmp/world/api"
    cat >"$tmp/world/pods" <<'END'
blue    b-0   u-b-0   n1       Running   <none>   2026-03-01T08:00:00Z
blue    b-1   u-b-1   n1       Running   <none>   2026-03-01T09:00:00Z
red     r-0   u-r-0   <none>   Pending   <none>   <none>
green   g-0   u-g-0   <none>   Pending   <none>   <none>
green   old   u-old   n1       Succeeded   <none>   2026-03-01T09:00:00Z
other   far   u-far   n9       Running   <none>   2026-03-01T09:30:00Z
END
    cat >"$tmp/world/nodes" <<'END'
n1   <none>   True   2   <none>   <none>   <none>
n2   <none>   True   1   <none>   <none>   <none>
END
    printf '<none> green 3\n<none> red 1\n' >"$tmp/world/objects"
}
# apply: runs the script in that world.
apply() {
    WORLD="$tmp/world" PATH="$tmp/bin:$PATH" sh "$tmp/script" >"$tmp/out" 2>"$tmp/err"
    status=$?
}
posted() { grep -c '^create' "$tmp/world/log" || true; }
cp "$tmp/out" "$tmp/script"
world
apply
cat >"$tmp/posted" <<'END'
create --raw /api/v1/namespaces/green/pods/g-0/binding -f -
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "g-0", "namespace": "green", "uid": "u-g-0"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "n2"}}
create --raw /api/v1/namespaces/blue/pods/b-1/eviction -f -
{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "b-1", "namespace": "blue"}, "deleteOptions": {"preconditions": {"uid": "u-b-1"}}}
END
check "the script posts both" eval 'status_is 0 && same "$tmp/world/log" "$tmp/posted"'
check "and says so" equal "$(cat "$tmp/err")" "fauxfleet: 1 pods bound, 1 evicted"

world
echo '{"name": "pods/eviction", "group": "policy", "version": "v1beta1", "kind": "Eviction"}' >"$tmp/world/api"
apply
check "an older API server gets the Eviction that it knows" eval 'status_is 0 && grep -q "\"policy/v1beta1\", \"kind\": \"Eviction\"" "$tmp/world/log"'

world
: >"$tmp/world/refuses"
apply
check "it ends at the first that is refused" eval 'status_is 1 && equal "$(posted)" 1'
check "and says how far it came" says err "the binding of pod green/g-0 was refused; 0 of 2 requests before it are done"

# refuses WHAT MESSAGE FILE EXPRESSION: after that change of the world nothing is posted.
moved() {
    world
    sed "$4" "$tmp/world/$3" >"$tmp/changed" && cp "$tmp/changed" "$tmp/world/$3"
    apply
    check "$1" eval 'status_is 1 && equal "$(posted)" 0'
    check "$1: the message says so" says err "fauxfleet: $2"
    check "$1: and what to do" says err "nothing was done: make a new one and decide again"
}
moved "a pod was started by others" "pod red/r-0: runs on n2, and did not" pods '/r-0/s/<none>/n2/'
moved "the pod was bound by others" "pod green/g-0: runs on n1" pods '/g-0/s/<none>/n1/'
moved "the pod is another one" "pod green/g-0: another one has that name" pods 's/u-g-0/u-new/'
moved "the pod is being deleted" "pod green/g-0: is being deleted" pods '/g-0/s/Pending   <none>/Pending 2026-03-01T10:00:05Z/'
moved "the pod has ended" "pod green/g-0: has ended" pods '/g-0/s/Pending/Failed/'
moved "the pod is gone" "pod green/g-0: is gone" pods /g-0/d
moved "the victim is gone" "pod blue/b-1: is gone" pods /b-1/d
moved "the victim is another one, elsewhere" "pod blue/b-1: another one has that name" pods 's/u-b-1 /u-b-9 /'
moved "a pod has begun on a node that was not looked at" "pod other/far: runs on n9, and did not" pods '/far/s/09:30/10:30/'
moved "the node is cordoned" "node n2: is cordoned" nodes '/n2/s/<none>/true/'
moved "the node is not ready" "node n2: is not ready" nodes '/n2/s/True/Unknown/'
moved "the node has lost its GPU" "node n2: has 0 GPUs, and had 1" nodes '/n2/s/   1   /   0   /'
moved "the node is gone" "node n2: is gone" nodes /n2/d
moved "the node has a taint" "node n2: has the taint nvidia.com/ill" nodes '/n2/s/<none>   <none>$/a,nvidia.com\/ill   PreferNoSchedule,NoExecute/'
for change in '/far/s/n9/n8/' '/b-0/d' '/r-0/d' '/old/d'; do
    world
    sed "$change" "$tmp/world/pods" >"$tmp/changed" && cp "$tmp/changed" "$tmp/world/pods"
    apply
    check "what takes nothing from the plan is no reason: $change" eval 'status_is 0 && equal "$(posted)" 2'
done

# Queues by generation; of jobs the group of the starting one.
sed 's/"metadata": {"name": "\(red\|green\)"}/"metadata": {"name": "\1", "generation": 3}/' tests/e2e/data/kube-cluster.json >"$tmp/dated.json"
run snapshot "$tmp/dated.json" -o "$tmp/dated-now.json"
run decide "$tmp/dated-now.json" --emit kubectl-sh
cp "$tmp/out" "$tmp/script"
moved "the limit of a queue was changed" "queues.scheduling.run.ai red: has changed" objects ''
moved "a queue is gone" "queues.scheduling.run.ai <none> red: is gone" objects '/red/d'
world
printf '<none> green 3\n<none> red 3\n' >"$tmp/world/objects"
apply
check "queues as they were are no reason" eval 'status_is 0 && equal "$(posted)" 2'

# A pod that others start while the script runs is found at the end.
world
sed -i 's/^/<none> /' "$tmp/world/objects"
printf '#!/bin/sh\nsh "%s/kubectl-then" "$@" || exit 1\ncase "$*" in *binding*) sed "/r-0/s/<none>/n1/" "$WORLD/pods" >"$WORLD/p" && mv "$WORLD/p" "$WORLD/pods" ;; esac\n' "$tmp/bin" >"$tmp/bin/kubectl-moving"
mv "$tmp/bin/kubectl" "$tmp/bin/kubectl-then" && mv "$tmp/bin/kubectl-moving" "$tmp/bin/kubectl" && chmod +x "$tmp/bin/kubectl"
run decide "$tmp/now.json" --emit kubectl-sh
cp "$tmp/out" "$tmp/script"
apply
check "a pod that others start meanwhile is found in the end" eval 'status_is 1 && says err "pod red/r-0: runs on n1, and did not" && says err "limits may be exceeded"'

# --- no plan possible -----------------------------------------------------------------------------

run decide tests/e2e/data/cluster.json --emit kubectl
check "jobs without a namespace" refused "has no namespace: expected NAMESPACE/NAME"
sed 's/"g-0"/"g;0"/' "$tmp/now.json" >"$tmp/bad.json"
run decide "$tmp/bad.json" --emit kubectl-sh
check "names that Kubernetes does not have" refused "not allow, expected lower-case letters"
# Characters that a name may have, but that are special in a path.
for name in .. a..b -a a- .a 'a b'; do
    sed "s/\"g-0\"/\"$name\"/" "$tmp/now.json" >"$tmp/other.json"
    run decide "$tmp/other.json" --emit kubectl-sh
    check "nor the name '$name'" refused "not allow, expected lower-case letters"
done
run decide "$tmp/now.json" --emit kubctl
check "an unknown form" refused "--emit: 'kubctl', expected kubectl or kubectl-sh, did you mean 'kubectl'?"
run decide "$tmp/now.json" --emit kubectl --cycles 2
check "one cycle" refused "--emit prints the plan of one cycle"

finish
