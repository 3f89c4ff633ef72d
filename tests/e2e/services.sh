#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Inference services from outside: a step of the load by hand, what the files of a run say, what is
# refused, and that an autoscaler that remembers former days serves more than one that does not.
# Checks are given as text and as names of functions.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# --- by hand -------------------------------------------------------------------------------------

# 10 requests a second, from 1,800 s on 30; a replica serves 10 and starts up in a minute. The
# window begins at 600 s.
cat >"$tmp/load.csv" <<'CSV'
time_s,rps
0,10
1800,30
CSV
cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,queue
a,0,60,1,batch
b,700,60,2,batch
CSV
cat >"$tmp/step.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "jobs.csv"}, "window": {"warmup": 600, "horizon": "1h", "drain": false},
 "outputs": {"timeline_s": 300}, "policy": {"name": "runai"},
 "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 8}}]},
 "queues": [{"name": "batch"}, {"name": "serving", "gpu": {"quota": 6}}],
 "services": [{"name": "chat", "queue": "serving", "max": 9, "rps_per_replica": 10, "startup": "1m",
  "load": {"file": "load.csv"}, "autoscaler": {"headroom": 0}}]}
JSON
for policy in runai fifo; do
    run run "$tmp/step.json" -o "$tmp/$policy" --policy "$policy" --quiet --audit
    check "$policy: a run with a service" status_is 0
    while IFS='|' read -r key expected; do
        check "$policy: $key" equal "$(json "$tmp/$policy/summary.json" "$key")" "$expected"
    done <<'ROWS'
services.by_name.chat.requests_offered|66000
services.by_name.chat.requests_over_capacity|1200
services.by_name.chat.served_share|0.981818
services.by_name.chat.cold_starts|2
services.by_name.chat.ready_s.mean|60
services.by_name.chat.ready_s.p95|60
services.by_name.chat.replicas_peak|3
services.by_name.chat.replica_hours|1.833333
services.by_name.chat.gpu_hours|1.833333
services.by_name.chat.ready_hours|1.8
services.total.requests_over_capacity|1200
jobs.submitted|1
jobs.completed|1
by_class.inference.jobs|0
gpu_hours.lost.startup|0.033333
ROWS
done
check "services.csv has the state every five minutes" equal \
    "$(sed -n '2p;7,9p' "$tmp/runai/services.csv" | tr '\n' ' ')" "0,10,0,0,10,0,0 1500,10,10,1,10,10,1 1800,30,10,1,30,10,1 2100,30,30,3,30,30,3 "
check "the summary has a line for it" grep -q '^chat  *66,000  *98.2%  *1,200  *2  *1m00s  *1m00s' "$tmp/out"
check "the report has table and figure" eval 'grep -q "id=\"services\"" "$tmp/runai/report.html" && [ -s "$tmp/runai/figures/services.dat" ]'
run run "$tmp/step.json" -o "$tmp/again" --quiet --audit
check "the same again: the same bytes" alike "$tmp/runai" "$tmp/again"
run run "$tmp/step.json" -o "$tmp/again" --quiet --set services=null
check "without it nothing is said of services" eval '! grep -q services "$tmp/again/summary.json" && [ ! -e "$tmp/again/services.csv" ] && [ ! -e "$tmp/again/figures/services.dat" ]'

# --- what is refused -----------------------------------------------------------------------------

is_refused() { run run "$tmp/step.json" -o "$tmp/no" --quiet --set "$1" && false || { status_is 2 && says err "$2"; }; }
check "no end" is_refused window.horizon=null "services never end"
check "more GPUs than a node has" is_refused 'services[0].gpus_per_replica=9' "no node of the fleet has 9 GPUs for a replica"
check "an unknown queue" is_refused 'services[0].queue=servin' "unknown queue 'servin', did you mean 'serving'?"
check "more at least than at most" is_refused 'services[0].min=10' "services[0].min: expected at most max, 9"
check "no load" is_refused 'services[0].load.file=null' "services[0].load: no load: give peak_rps, or a file"
check "a season that is shorter than the lead" is_refused \
    'services[0].autoscaler={"mode":"predictive","season":60}' "services[0].autoscaler.season: expected more than what it looks ahead, 75 s"
printf 'time_s,rps\n0,1\n60,2\n60,3\n' >"$tmp/bad.csv"
check "times that do not rise" is_refused "services[0].load.file=$tmp/bad.csv" "bad.csv:4:1: expected a later time than in the row before"
printf 'time_s,rps\n5,1\n' >"$tmp/bad.csv"
check "a load that begins late" is_refused "services[0].load.file=$tmp/bad.csv" "bad.csv:2:1: the first step begins at 0"

# --- the study -----------------------------------------------------------------------------------

over() { json "$tmp/$1/summary.json" services.total.requests_over_capacity; }
run run scenarios/studies/services.json -o "$tmp/reactive" --quiet --no-report
check "study services" status_is 0
run run scenarios/studies/services.json -o "$tmp/predictive" --quiet --no-report \
    --set 'services[0].autoscaler.mode=predictive' --set 'services[1].autoscaler.mode=predictive'
check "the same, predictive" status_is 0
check "less than half is over capacity" awk -v a="$(over predictive)" -v b="$(over reactive)" 'BEGIN { exit !(a > 0 && a < b / 2) }'
check "for at most a twentieth more GPU-hours" awk -v a="$(json "$tmp/predictive/summary.json" services.total.gpu_hours)" \
    -v b="$(json "$tmp/reactive/summary.json" services.total.gpu_hours)" 'BEGIN { exit !(a > b && a < 1.05 * b) }'
check "both had the same load" equal "$(json "$tmp/predictive/summary.json" services.total.requests_offered)" \
    "$(json "$tmp/reactive/summary.json" services.total.requests_offered)"
finish
