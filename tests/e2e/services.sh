#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Inference services from outside: a step of the load by hand, the files of a run, refusals, and an
# autoscaler that remembers previous days and serves more than one that does not. Checks are given
# as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# --- by hand -------------------------------------------------------------------------------------

# 10 requests a second, from 1,800 s on 30; a replica serves 10 and starts up in a minute. The
# window begins at 600 s. The 600 requests of the first minute wait all the time, for no replica has
# time for them; from 1,860 s on 1,800 do: (600 x 1,200 s + 1,200 x 60 s + 1,800 x 1,740 s) /
# 64,800.
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
services.by_name.chat.requests_waiting|1800
services.by_name.chat.requests_rejected|0
services.by_name.chat.queue_wait_mean_s|60.555556
services.total.requests_over_capacity|1200
jobs.submitted|1
jobs.completed|1
by_class.inference.jobs|0
gpu_hours.lost.startup|0.033333
ROWS
done
check "services.csv has the state every five minutes" equal \
    "$(sed -n '2p;7,9p' "$tmp/runai/services.csv" | tr '\n' ' ')" "0,10,0,0,0,10,0,0,0 1500,10,10,1,600,10,10,1,600 1800,30,10,1,600,30,10,1,600 2100,30,30,3,1800,30,30,3,1800 "
check "the summary has a line for it" grep -q '^chat  *66,000  *98.2%  *1,200  *2  *1m00s  *1m00s' "$tmp/out"
check "the report has table and figure" eval 'grep -q "id=\"services\"" "$tmp/runai/report.html" && [ -s "$tmp/runai/figures/services.dat" ]'
run run "$tmp/step.json" -o "$tmp/again" --quiet --audit
cp "$tmp/out" "$tmp/no-slo"
check "the same again: the same bytes" alike "$tmp/runai" "$tmp/again"
run run "$tmp/step.json" -o "$tmp/again" --quiet --set services=null
check "without services the output mentions none" eval '! grep -q services "$tmp/again/summary.json" && [ ! -e "$tmp/again/services.csv" ] && [ ! -e "$tmp/again/figures/services.dat" ]'

# --- requests that wait ---------------------------------------------------------------------------

# Five minutes of half the load, in which those of the cold start are served, change this: now
# nothing waits at 600 s.
printf 'time_s,rps\n0,5\n300,10\n1800,30\n' >"$tmp/load.csv"
# From 1,800 s on 30 requests a second meet one replica for a minute, then three: the 1,200 that wait
# then stay. Those that come in the first 15 s of that minute, and all before, wait 30 s at most.
# Arrivals until 3,570 s count: 12,000 + 53,100, of which 12,450 are in time.
serve() { run run "$tmp/step.json" -o "$tmp/wait" --quiet --audit "$@"; }
of_chat() { json "$tmp/wait/summary.json" "services.by_name.chat.$1"; }
serve --set 'services[0].slo={"percent": 90, "within": "32s"}' --set 'services[0].requests.latency=2'
check "an SLO" status_is 0
while read -r key expected; do
    check "$key" equal "$(of_chat "$key")" "$expected"
done <<'ROWS'
slo.objective 0.9
slo.in_time_share 0.191244
slo.late_requests 52650
slo.error_budget_requests 6510
slo.error_budget_left -7.087558
slo.burn_rate 8.087558
slo.worst_hour_burn_rate 8.087558
ROWS
check "the summary has the error budget" grep -q '^chat  *90.0%  *19.1%  *52,650  *-708.8%  *8.09  *8.09' "$tmp/out"
check "a service without an SLO has none" eval '! grep -q "budget left" "$tmp/no-slo"'
serve --set 'services[0].requests.queue=0'
check "without a queue they are rejected" \
    equal "$(of_chat requests_rejected) $(of_chat requests_waiting) $(of_chat queue_wait_mean_s)" "1200 0 0"
serve --set 'services[0].requests.queue=500'
check "a queue of 500" equal "$(of_chat requests_rejected) $(of_chat requests_waiting)" "700 500"
# At 1,860 s 1,200 wait: four replicas by 300 each. The fourth serves a minute later, and drains
# them at 10 a second until 2,040 s.
serve --set 'services[0].autoscaler.signals=[{"of":"load"},{"of":"queue","target":300}]'
check "a scaler that looks at the queue drains it" \
    equal "$(of_chat requests_waiting) $(of_chat replicas_peak) $(of_chat requests_served)" "0 4 66000"
# Nothing until 600 s, then 5 requests a second for a minute. At 615 s 75 wait: a replica, which
# serves from 675 s and has served all 300 at 705 s; 5 minutes later it goes.
printf 'time_s,rps\n0,0\n600,5\n660,0\n' >"$tmp/load.csv"
serve --set 'services[0].min=0' --set 'services[0].autoscaler.signals=[{"of":"queue","target":1000}]'
check "to zero and back" equal \
    "$(of_chat requests_served) $(of_chat cold_starts) $(of_chat replica_hours) $(of_chat ready_hours)" "300 1 0.108333 0.091667"
printf 'time_s,rps\n0,10\n1800,30\n' >"$tmp/load.csv"
# One replica in all 3,000 s, and two more from 1,260 s on.
serve --set 'services[0].autoscaler.signals=[{"of":"schedule","from":"mon 00:20","to":"mon 02:20","replicas":3}]'
check "by the hour of the week" equal "$(of_chat replicas_peak) $(of_chat ready_hours)" "3 2.133333"

# --- each signal by hand ---------------------------------------------------------------------------

# Nothing until 300 s, then 10 requests a second, from 1,800 s on 25. A request is in service for 2 s.
printf 'time_s,rps\n0,0\n300,10\n1800,25\n' >"$tmp/load.csv"
replicas() { awk -F, -v at="$1" '$1 == at { print $4 }' "$tmp/wait/services.csv"; }
hours() { awk "BEGIN { printf \"%.6f\", ($1) / 3600 }"; } # of seconds

# Concurrency, 10 a replica: 20 in service at 10 a second, so two replicas from 360 s on. At 1,800 s
# they hold 40: four, which serve from 1,860 s; from 1,815 s on five, the most allowed, from 1,875 s.
# 300 wait at 1,860 s, 75 at 1,875 s, none 3 s later. With 5 s to wait those are late that arrive
# from 20 s (20 x 25 = 25 x 20) to 66 2/3 s (1,200 + 40 x (66 2/3 - 55) = 25 x 66 2/3) after 1,800 s.
serve --set 'services[0].autoscaler.signals=[{"of":"concurrency","target":10}]' --set 'services[0].max=5' \
    --set 'services[0].requests.latency=2' --set 'services[0].slo={"percent": 95, "within": "7s"}'
check "concurrency: replicas" equal "$(replicas 1500) $(replicas 2100) $(of_chat replicas_peak) $(of_chat ready_hours)" \
    "2 5 5 $(hours '2 * 3000 + 2 * 1740 + 1725' | sed 's/0*$//')"
check "what waits" equal "$(of_chat queue_wait_mean_s)" \
    "$(awk 'BEGIN { printf "%.6f", (300 * 60 / 2 + (300 + 75) / 2 * 15 + 75 * 3 / 2) / (10 * 1200 + 25 * 1800) }')"
check "the error budget of concurrency" equal "$(of_chat slo.error_budget_requests) $(of_chat slo.in_time_share) $(of_chat slo.burn_rate)" \
    "2843.75 $(awk 'BEGIN { late = 25 * (66 + 2 / 3 - 20) / (12000 + 25 * 1795); printf "%.6f %.6f", 1 - late, late / 0.05 }')"
check "the page has it" grep -q 'id="error-budgets"' "$tmp/wait/report.html"

# Utilization, a half: two replicas from 361 s on; at 1,800 s both are full: four, from 1,861 s. At
# 1,875 s requests still wait, so all four are full: eight, six at most, from 1,936 s. From 1,890 s on
# 25 of 40 are used, of 60 later: five, but only when the six are 300 s old.
serve --set 'services[0].autoscaler.signals=[{"of":"utilization","target":0.5}]' --set 'services[0].max=6' --set 'services[0].startup=61'
check "utilization: replicas" equal "$(for t in 1500 1800 2100 2400; do replicas $t; done | xargs) $(of_chat replicas_peak) $(of_chat ready_hours)" \
    "2 2 6 5 6 $(hours '2 * 3000 + 2 * 1739 + 2 * 254 + 1410')"

# GPU memory, 0.6 of 80 GiB: the model takes 40 and a request 1. One replica holds 20: 0.75, so two;
# they have 0.625, within a tenth. Full at 1,800 s, 2 x 0.75 / 0.6: three, from 1,861 s; full still at
# 1,875 s: four, from 1,936 s. These have 0.656 each, within a tenth.
serve --set 'services[0].autoscaler.signals=[{"of":"memory","target":0.6}]' --set 'services[0].startup=61' \
    --set 'services[0].requests={"latency": 2, "memory_gib": 1, "model_gib": 40, "replica_gib": 80}'
check "GPU memory: replicas" equal "$(replicas 1500) $(replicas 2100) $(of_chat replicas_peak) $(of_chat ready_hours)" \
    "2 4 4 $(hours '2 * 3000 + 1739 + 1664')"

# A headroom of 1.5 from 0:20 to 0:40: three replicas for 10 requests a second, from 1,260 s to 2,700 s.
printf 'time_s,rps\n0,10\n' >"$tmp/load.csv"
serve --set 'services[0].autoscaler.headroom_hours=[{"from":"mon 00:20","to":"mon 00:40","headroom":1.5}]'
check "headroom by the hour" equal "$(for t in 1200 1500 2400 3000; do replicas $t; done | xargs) $(of_chat ready_hours)" \
    "1 3 3 1 $(hours '3000 + 2 * 1440')"

# --- request by request ----------------------------------------------------------------------------

# Three replicas that serve 10 a second each, and a load of random steps. The replay has single
# requests, evenly spaced within a step, and three servers that take 0.1 s each: the first that is
# free takes the first that waits. Arrivals in the window count; the fluid differs by 0.1 s at most.
awk 'BEGIN { srand(7); print "time_s,rps"; for (t = 0; t < 3600; t += 60) printf "%d,%d\n", t, t < 120 ? 0 : 5 + int(rand() * 49) }' >"$tmp/load.csv"
serve --set 'services[0].min=3' --set 'services[0].max=3' --set 'services[0].slo={"percent": 90, "within": "20s"}'
awk -F, '
NR > 1 { at[++n] = $1; rate[n] = $2 }
END {
    at[n + 1] = 3600; free[1] = free[2] = free[3] = 60
    for (i = 1; i <= n; i++)
        for (k = 0; k < rate[i] * (at[i + 1] - at[i]); k++) {
            t = at[i] + (k + 0.5) / rate[i]; s = 1
            for (j = 2; j <= 3; j++) if (free[j] < free[s]) s = j
            start = free[s] > t ? free[s] : t
            free[s] = start + 0.1
            if (start >= 600 && start < 3600) served++
            from = t > 600 ? t : 600; to = start < 3600 ? start : 3600
            if (to > from) waited += to - from
            if (t >= 600 && t < 3580) { judged++; late += start > t + 20 }
        }
    printf "%.6f %.6f %.6f\n", served, waited / served, 1 - late / judged
}' "$tmp/load.csv" >"$tmp/replay"
near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { d = a - b; exit !(d < by && d > -by && a != 0) }' || { echo "# $1 and $2" && false; }; }
read -r served wait in_time <"$tmp/replay"
check "as many are served, one by one" near "$(of_chat requests_served)" "$served" 4
check "they wait as long" near "$(of_chat queue_wait_mean_s)" "$wait" 0.1
check "as many are in time" near "$(of_chat slo.in_time_share)" "$in_time" 0.005
check "some are not" awk -v s="$in_time" 'BEGIN { exit !(s > 0.1 && s < 0.9) }'
printf 'time_s,rps\n0,10\n1800,30\n' >"$tmp/load.csv"

# --- refusals ------------------------------------------------------------------------------------

is_refused() { run run "$tmp/step.json" -o "$tmp/no" --quiet --set "$1" && false || { status_is 2 && says err "$2"; }; }
check "no end" is_refused window.horizon=null "services never end"
check "more GPUs than a node has" is_refused 'services[0].gpus_per_replica=9' "no node of the fleet has 9 GPUs for a replica"
check "an unknown queue" is_refused 'services[0].queue=servin' "unknown queue 'servin', did you mean 'serving'?"
check "more at least than at most" is_refused 'services[0].min=10' "services[0].min: expected at most max, 9"
check "a signal without a target" is_refused 'services[0].autoscaler.signals=[{"of":"queue"}]' \
    "services[0].autoscaler.signals[0]: expected a target above 0, in requests per replica"
check "a share above 1" is_refused 'services[0].autoscaler.signals=[{"of":"utilization","target":80}]' "expected a target above 0 and at most 1"
check "a schedule without a time" is_refused 'services[0].autoscaler.signals=[{"of":"schedule","replicas":2}]' \
    "a schedule needs 'from', 'to' and 'replicas'"
check "an invalid time" is_refused 'services[0].autoscaler.signals=[{"of":"schedule","from":"9:00","to":"tue 10:00","replicas":2}]' \
    'signals[0].from: expected a time of the week such as "mon 09:00", got "9:00"'
check "memory without a size" is_refused 'services[0].autoscaler.signals=[{"of":"memory","target":0.5}]' "needs requests.replica_gib"
check "a model beyond the target" is_refused 'services[0]={"name":"chat","max":2,"rps_per_replica":10,"load":{"peak_rps":5},"requests":{"replica_gib":80,"model_gib":60},"autoscaler":{"signals":[{"of":"memory","target":0.5}]}}' \
    "no number of replicas is enough"
check "an SLO without a budget" is_refused 'services[0].slo={"percent":100,"within":1}' "services[0].slo.percent: expected less than 100"
check "an SLO below the latency" is_refused 'services[0]={"name":"chat","max":2,"rps_per_replica":10,"load":{"peak_rps":5},"requests":{"latency":2},"slo":{"percent":99,"within":1}}' \
    "services[0].slo.within: expected at least requests.latency, 2000 ms"
check "no load" is_refused 'services[0].load.file=null' "services[0].load: no load: give peak_rps, or a file"
check "a season that is shorter than the lead" is_refused \
    'services[0].autoscaler={"mode":"predictive","season":60}' "services[0].autoscaler.season: expected more than the look-ahead, 75 s"
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
