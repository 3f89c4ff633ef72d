#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The scheduler extender over HTTP: recorded requests by curl, a state that changes, clients that are wrong, large, slow or
# gone, and its end. What the answers have to be is tested without HTTP, in test_extender.c.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

EXTENDER=${EXTENDER:-build/fauxfleet-extender}
if [ ! -x "$EXTENDER" ]; then
    echo "SKIP: $EXTENDER is not built: it needs libmicrohttpd-dev"
    exit 77
fi
if ! command -v curl >/dev/null; then
    echo "SKIP: curl is not there"
    exit 77
fi
data=tests/e2e/data
pid=
trap '[ -z "$pid" ] || kill "$pid" 2>/dev/null; rm -rf "$tmp"' EXIT

# start OPTION...: the extender on a free port; leaves $pid and $url.
start() {
    "$EXTENDER" --port 0 "$@" 2>"$tmp/log" &
    pid=$!
    tries=0
    until grep -q 'listening on' "$tmp/log" || [ $tries -ge 100 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
    url=http://$(sed -n 's/.*listening on //p' "$tmp/log")
}
# stop SIGNAL: leaves the exit code in $status.
stop() {
    kill -"$1" "$pid"
    wait "$pid"
    status=$?
    pid=
}
# post PATH FILE [CURL OPTION...]: leaves $tmp/out and the status of HTTP in $code.
post() {
    path=$1
    file=$2
    shift 2
    code=$(curl -s -o "$tmp/out" -w '%{http_code}' --noproxy '*' "$@" --data-binary @"$file" "$url$path")
}
codes() { equal "$code" "$1"; }
answers() { codes 200 && says out "$1"; }

cp "$data/extender-cluster.json" "$tmp/state.json"
start --snapshot "$tmp/state.json" --bindings "$tmp/bindings" --max-body 1
check "it listens on this machine alone" eval 'case $url in http://127.0.0.1:*) ;; *) false ;; esac'
check "it is healthy" equal "$(curl -s --noproxy '*' "$url/healthz")" ok

post /filter $data/extender-filter.json
check "filter" answers '{"NodeNames":["n3","n1","n2"],"FailedNodes":{"n4":"NODES_DOWN: not on this node now, but on n1"}'
post /prioritize $data/extender-prioritize.json
check "prioritize" answers '[{"Host":"n3","Score":3},{"Host":"n1","Score":10},{"Host":"n4","Score":0},{"Host":"n2","Score":6}]'
check "an answer is JSON, and says so" eval 'is_json "$tmp/out" && curl -s --noproxy "*" -D - -o /dev/null --data-binary @$data/extender-filter.json "$url/filter" | grep -qi "^content-type: application/json"'

# --- the state changes ----------------------------------------------------------------------------

cp $data/extender-gangs.json "$tmp/new" && mv "$tmp/new" "$tmp/state.json"
post /filter $data/extender-gang.json
check "a file that has changed is read again" answers '{"NodeNames":["n1","n2"]'
post /bind $data/extender-bind.json
check "bind" answers '{"Error":""}'
check "a binding is a line of the file" eval 'grep -q "\"kind\": \"Binding\".*\"u-g-0\".*\"n2\"" "$tmp/bindings" && equal "$(wc -l <"$tmp/bindings")" 1'
post /filter $data/extender-gang-rest.json
check "what was bound counts" answers '{"NodeNames":["n1"]'
echo '{"apiVersion": "v1", "kind": "List", "items": [' >"$tmp/new" && mv "$tmp/new" "$tmp/state.json"
post /filter $data/extender-gang-rest.json
check "a file that is cut off changes nothing" answers '{"NodeNames":["n1"]'
check "but is said" grep -q 'state.json' "$tmp/log"
post /snapshot $data/kube-cluster.json
check "a state that is posted" answers '{}'
post /preempt $data/extender-preempt.json
check "preempt" answers '{"NodeNameToMetaVictims":{"n1":{"Pods":[{"UID":"u-b-1"}],"NumPDBViolations":2}}}'

# --- clients --------------------------------------------------------------------------------------

echo '{"Pod": ' >"$tmp/wrong"
post /filter "$tmp/wrong"
check "half a request" eval 'codes 400 && says out "request:"'
post /filters $data/extender-filter.json
check "an unknown verb" codes 404
code=$(curl -s -o "$tmp/out" -w '%{http_code}' --noproxy '*' "$url/filter")
check "GET" codes 405
head -c 2000000 /dev/zero | tr '\0' ' ' >"$tmp/large"
post /filter "$tmp/large"
check "two MiB where one is allowed" codes 413
post /filter "$tmp/large" -H 'Transfer-Encoding: chunked'
check "and without saying how much will come" codes 413
head -c 100000 /dev/zero | tr '\0' '[' >"$tmp/deep"
post /filter "$tmp/deep"
check "brackets in brackets" codes 400
head -c 3000 /dev/urandom >"$tmp/noise"
post /snapshot "$tmp/noise"
check "noise" codes 400
# Clients that send slowly, or go away, keep nobody waiting.
for i in 1 2 3 4 5 6 7 8; do
    curl -s -o /dev/null --noproxy '*' --limit-rate 10 -m 2 --data-binary @$data/extender-filter.json "$url/filter?$i" &
    eval "slow_$i=\$!"
done
post /preempt $data/extender-preempt.json -m 2
check "a fast client among slow ones" answers u-b-1
for i in 1 2 3 4 5 6 7 8; do
    eval "wait \$slow_$i"
done
post /preempt $data/extender-preempt.json
check "and when these have gone" answers u-b-1
stop TERM
check "it ends by a signal, and says which" status_is 143

# --- a disk that is full --------------------------------------------------------------------------

printf '#!/bin/sh\nulimit -f 1\nexec "%s" "$@"\n' "$EXTENDER" >"$tmp/limited"
chmod +x "$tmp/limited"
whole=$EXTENDER
EXTENDER=$tmp/limited
start --bindings "$tmp/few"
EXTENDER=$whole
for i in 1 2 3 4 5 6 7; do
    post /bind $data/extender-bind.json
done
check "a binding that cannot be written is an error" answers 'File too large'
check "of which nothing stays in the file" eval '[ -s "$tmp/few" ] && ! grep -qv "}$" "$tmp/few" && equal "$(tail -c 1 "$tmp/few" | od -An -c | tr -d " ")" "\n"'
stop TERM

# --- the command line -----------------------------------------------------------------------------

start --policy kube-default
post /filter $data/extender-filter.json
check "without a snapshot" answers 'there is no snapshot of the cluster yet'
post /snapshot $data/extender-cluster.json
post /prioritize $data/extender-prioritize.json
check "another policy" answers '{"Host":"n3","Score":10}'
port=${url##*:}
"$EXTENDER" --port "$port" >"$tmp/out" 2>"$tmp/err"
status=$?
check "a port that is taken" refused "cannot listen on 127.0.0.1:$port"
stop INT
check "interrupted" status_is 130
try() {
    "$EXTENDER" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
    status=$?
}
try --port 65536
check "a port that is none" refused "--port: '65536', expected a whole number from 0 to 65535"
try --listen localhost
check "an address that is none" refused "--listen: 'localhost', expected an IPv4 address"
try --snapshot "$tmp/absent.json"
check "a snapshot that is not there" refused "absent.json"
echo '{"fauxfleet_snapshot": 1, "nodes": [{"name": "n"}]}' >"$tmp/s.json"
try --snapshot "$tmp/s.json" --policy runnai
check "a policy that is none, with a snapshot" refused "runnai"
try --policy runnai
check "a policy that is none" refused "runnai"
try now
check "operands" refused "'now': expected options only"
try --help
check "--help" eval 'status_is 0 && says out "urlPrefix: http://127.0.0.1:8912" && silent err'
try --version
check "--version" eval 'status_is 0 && says out "fauxfleet-extender "'

finish
