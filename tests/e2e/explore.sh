#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# report --explore: the page's data against the run directory, by an independent reader
# (tests/tools/explore_check.py); two runs; a run too large for single bars; refusals.
# shellcheck disable=SC2016,SC2317 # checks are texts and names of functions
set -u
. tests/e2e/lib/tap.sh

demo=scenarios/examples/demo.json
if ! command -v python3 >/dev/null; then
    skip "explorer pages are read by a script" "no python3"
    finish
fi

# make NAME SCENARIO ARGUMENT...: makes a run directory $tmp/NAME.
make_run() {
    name=$1
    shift
    run run "$@" -o "$tmp/$name" --no-report --quiet
}
# agrees PAGE DIR...: the laws of tests/tools/explore_check.py hold.
agrees() { python3 tests/tools/explore_check.py "$@" >"$tmp/out" 2>"$tmp/err"; }

explore() {
    make_run "$@"
    run report "$tmp/$1" --explore
    check "$1: the page is written" status_is 0
    check "$1: its data are those of the run" agrees "$tmp/$1/explorer.html" "$tmp/$1"
}

explore plain $demo
explore evicted $demo --policy runai --set 'faults.profile="h100"' --set 'checkpoint={}'
explore shares scenarios/ci/kinds.json --policy runai
explore services scenarios/studies/services.json

run report "$tmp/plain" "$tmp/evicted" --explore -o "$tmp/both.html"
check "two runs share a page" status_is 0
check "the page has both" agrees "$tmp/both.html" "$tmp/plain" "$tmp/evicted"
cp "$tmp/both.html" "$tmp/first.html"
run report "$tmp/plain" "$tmp/evicted" --explore -o "$tmp/both.html"
check "the same runs give the same bytes" cmp "$tmp/first.html" "$tmp/both.html"
check "nothing comes from a network" sh -c '! grep -q "https*:" "$1"' sh "$tmp/both.html"
check "without scripts there are tables" grep -q '<noscript>' "$tmp/both.html"
hash=$(python3 - "$tmp/both.html" <<'END'
import base64, hashlib, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
script = re.search(r"<script>(.*?)</script>\n</body>", page, re.S).group(1)
print(base64.b64encode(hashlib.sha256(script.encode()).digest()).decode())
END
)
check "the policy of the page admits its script alone" grep -q "script-src 'sha256-$hash'" "$tmp/both.html"
if command -v node >/dev/null; then
    check "the script is valid" sh -c 'for file in report/explore/script/*.js; do node --check "$file" || exit 1; done'
    for name in plain evicted shares services; do
        check "$name: spans come to what the summary has" node tests/tools/explore_spans.js "$tmp/$name/explorer.html" "$tmp/$name"
    done
else
    skip "the script is valid, and its spans are right" "no node"
fi

# 250,000 jobs are too many to list: cells, and the 20,000 longest waits.
if [ -n "${FAUXFLEET_THIN:-}" ]; then
    skip "a large run has a page below 20 MB" "few repetitions"
else
    run trace generate philly --set jobs=250000 -o "$tmp/many.csv"
    cat >"$tmp/many.json" <<'END'
{"fauxfleet_scenario": 1, "name": "many", "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 200}]},
 "workload": {"trace": "many.csv"}, "policy": {"name": "fifo"}}
END
    explore many "$tmp/many.json"
    size=$(wc -c <"$tmp/many/explorer.html")
    check "a large run has a page below 20 MB" [ "$size" -lt 20000000 ]
fi

run report "$tmp/plain" "$tmp/evicted"
check "two directories need --explore" status_is 2
check "the message names it" says err 'two run directories go with --explore'
run report "$tmp/plain" --trace x.csv
check "--trace needs --explore" status_is 2
printf 'job_id,submit_s,duration_s,gpus\na,0,1,1\n' >"$tmp/one.csv"
cat >"$tmp/packing.json" <<'END'
{"fauxfleet_scenario": 1, "name": "packing", "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 2}]},
 "workload": {"trace": "one.csv", "mode": "fill", "tune": 1.3}, "policy": {"name": "best-fit"}}
END
make_run packing "$tmp/packing.json"
run report "$tmp/packing" --explore
check "a packing study is refused" status_is 2
check "the message says why" says err 'a packing study has no time'
run sweep tests/e2e/data/sweep.json --no-report --quiet -o "$tmp/sweep"
run report "$tmp/sweep" --explore
check "so is a sweep" status_is 2
check "the message says which directories are accepted" says err 'a sweep keeps no single runs'
run report "$tmp/nothing" --explore
check "a missing directory is an error" status_is 2
run report "$tmp/plain" --explore -o "$tmp/no/such/page.html"
check "so is a page that cannot be written" status_is 2
finish
