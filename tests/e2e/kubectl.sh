#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `decide --emit` on what kubectl prints. The cluster: n1 with two GPUs, both in use by queue blue, whose quota is one; n2
# with one that is free. red has a quota of one and a pod that wants n1, green one that wants n2. So green's pod starts, and
# of blue's pods the one that began last has to go for red's.
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
check "what is nominated is said" says err "note: 1 tasks are nominated to what is being released"
check "that victims do not come back by themselves, too" says err "note: 1 pods are evicted"

run decide "$tmp/now.json" --actions allocate --emit kubectl
check "without evictions all is for 'kubectl create'" eval 'status_is 0 && says out Binding && ! says out Eviction && silent err'

run decide "$tmp/now.json" --emit kubectl-sh
check "a script is a script" eval 'status_is 0 && sh -n "$tmp/out"'

# A kubectl that writes down what it is asked for.
mkdir "$tmp/bin"
cat >"$tmp/bin/kubectl" <<'END'
#!/bin/sh
{ echo "$*"; cat; } >>"$LOG"
END
chmod +x "$tmp/bin/kubectl"
LOG="$tmp/log" PATH="$tmp/bin:$PATH" sh "$tmp/out" 2>"$tmp/err"
status=$?
cat >"$tmp/posted" <<'END'
create --raw /api/v1/namespaces/green/pods/g-0/binding -f -
{"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "g-0", "namespace": "green", "uid": "u-g-0"}, "target": {"apiVersion": "v1", "kind": "Node", "name": "n2"}}
create --raw /api/v1/namespaces/blue/pods/b-1/eviction -f -
{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "b-1", "namespace": "blue"}, "deleteOptions": {"preconditions": {"uid": "u-b-1"}}}
END
check "the script posts both" eval 'status_is 0 && same "$tmp/log" "$tmp/posted"'

printf '#!/bin/sh\necho "$*" >>"$LOG"\ncat >/dev/null\nexit 1\n' >"$tmp/bin/kubectl"
: >"$tmp/log"
LOG="$tmp/log" PATH="$tmp/bin:$PATH" sh "$tmp/out" 2>"$tmp/err"
status=$?
check "it ends at the first that is refused" eval 'status_is 1 && equal "$(wc -l <"$tmp/log")" 1'

# --- what has no plan -----------------------------------------------------------------------------

run decide tests/e2e/data/cluster.json --emit kubectl
check "jobs without a namespace" refused "has no namespace: expected NAMESPACE/NAME"
sed 's/"g-0"/"g;0"/' "$tmp/now.json" >"$tmp/bad.json"
run decide "$tmp/bad.json" --emit kubectl-sh
check "names that Kubernetes does not have" refused "not allow, expected lower-case letters"
# Letters that a name may have, but a path would take for more.
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
