#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes that come and go by the calendar, and reservations: capacity, bills and starts by hand.
# Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# One node is busy for 4 h; 24 GPUs wait for a third node; from 5 h on 32 GPUs are held for 3 h.
cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,gpus
a,0,14400,8
big,0,7200,24
all,18000,10800,32
CSV
cat >"$tmp/held.csv" <<'CSV'
job_id,submit_s,duration_s,gpus
a,0,36000,8
b,0,3600,24
c,18000,7200,8
CSV
scenario() { # scenario EVENTS [POOL]: s.json with these; an own pool of two nodes at 10 USD
    cat >"$tmp/s.json" <<JSON
{"fauxfleet_scenario": 1, "queues": "from-trace", "workload": {"trace": "jobs.csv"},
 "fleet": {"pools": [${2:-{\"name\": \"p\", \"count\": 2, \"node\": {\"gpus\": 8\}, \"usd_per_hour\": 10\}}]},
 "events": [$1],
 "policy": {"name": "fifo"}, "window": {"horizon": "10h"}, "outputs": {"timeline_s": 0, "journal": "facts"}}
JSON
}
runs() {
    name=$1
    shift
    run run "$tmp/s.json" -o "$tmp/$name" --audit --no-report --quiet "$@"
}
spans() { awk -F, 'NR > 1 { print $1 "@" $7 "-" $8 }' "$1/jobs.csv" | sort | tr '\n' ' '; }
of() { json "$tmp/$1/summary.json" "$2"; }
# as NAME NODE_H USD INSTALLED: the three figures of the run
as() { equal "$(of "$1" elastic.node_h) $(of "$1" cost.usd) $(of "$1" gpu_hours.installed)" "$2 $3 $4"; }
nodes() { awk -F, 'NR > 1 { print $1 ":" $3 ":" $4 ":" $5 }' "$tmp/$1/nodes.csv" | tr '\n' ' '; }

# --- capacity, bill and starts -------------------------------------------------------------------

scenario '{"at": "2h", "pool": "p", "nodes": 4}, {"at": "6h", "pool": "p", "nodes": 1}'
runs drain
check "the job that waits for the added nodes starts with them; removed nodes finish their job" eval 'status_is 0 &&
    equal "$(spans "$tmp/drain")" "a@0-14400 all@18000-28800 big@7200-14400 "'
check "2 nodes x 2 h + 4 x 6 h + 1 x 2 h, at 10 USD" as drain 30 300 240
check "nodes.csv has them: the last nodes of the pool" equal "$(nodes drain)" \
    "7200:p-2:there:3 7200:p-3:there:4 28800:p-1:off:3 28800:p-2:off:2 28800:p-3:off:1 "
check "no queue changed" equal "$(grep -c '"changes"' "$tmp/drain/summary.json")" 0
run replay "$tmp/drain/journal.jsonl"
check "the journal replays" eval 'status_is 0 && says out "the same decisions"'
for policy in fifo easy conservative srtf slurm runai kube-default; do
    runs "by-$policy" --policy $policy
    check "$policy: the same capacity, audited" eval "status_is 0 && as by-$policy 30 300 240"
done

# Evicted at 6.5 h after 1.5 of 3 h; the nodes are back at 8 h and take jobs at 8 h 10 min.
scenario '{"at": "2h", "pool": "p", "nodes": 4}, {"at": "6h", "until": "8h", "pool": "p", "nodes": 1, "grace": "30m", "warmup": "10m"}'
runs grace
check "after the grace time jobs are evicted, and go on when the nodes are back and warm" eval 'status_is 0 &&
    equal "$(spans "$tmp/grace")" "a@0-14400 all@18000-34800 big@7200-14400 "'
check "2 x 2 + 4 x 4.5 + 1 x 1.5 + 4 x 2 node-hours" as grace 31.5 315 252
runs saved --set 'checkpoint={"interval": "10h", "write": "60s", "restart": "120s"}'
check "a last checkpoint fits into the grace time: 60 s to write, 120 s to restart" eval 'equal "$(spans "$tmp/saved")" "a@0-14400 all@18000-34980 big@7200-14400 "'
runs lost --set 'checkpoint={"interval": "10h", "write": "31m", "restart": "120s"}'
check "one of 31 minutes does not: all work is redone" eval 'equal "$(spans "$tmp/lost")" "a@0-14400 all@18000-40320 big@7200-14400 "'
run explain "$tmp/grace" all
check "explain names the cause" says out "planned removal"

# A node that leaves and is wanted again stays; with a grace time of 0 jobs stop at once.
scenario '{"at": "2h", "pool": "p", "nodes": 4}, {"at": "6h", "until": "7h", "pool": "p", "nodes": 1}'
runs back
check "a removal that is taken back in time moves nothing" eval 'as back 36 360 288 && equal "$(of back elastic.releases)" 0'
scenario '{"at": "2h", "pool": "p", "nodes": 4}, {"at": "6h", "until": "7h", "pool": "p", "nodes": 1, "grace": 0}'
runs at_once
check "with a grace time of 0 they leave at once" eval 'as at_once 33 330 264 && equal "$(spans "$tmp/at_once")" "a@0-14400 all@18000-32400 big@7200-14400 "'

# Every working day 3 more nodes for 10 hours; the first job ends long before the week does.
scenario '{"at": "mon-fri 08:00", "until": "mon-fri 18:00", "pool": "p", "nodes": 5}'
runs week --set window.horizon=7d
check "a week: 2 x 168 + 3 x 10 x 5 node-hours, also after the last job" eval 'status_is 0 && as week 486 4860 3888'
check "jobs wait for the morning, and 24 + 32 GPUs do not fit at once" equal "$(spans "$tmp/week")" "a@0-14400 all@36000-46800 big@28800-36000 "
runs sessions --set window.horizon=7d --set 'faults={"profile": "h100", "scale": 30}' --set 'checkpoint={"interval": "1h", "write": "30s", "restart": "1m"}'
check "beside faults, audited" eval 'status_is 0 && as sessions 486 4860 3888'
awk -F, 'NR == 1 { print } NR > 1 { print $1 "," $2 + 1795392000 "," $3 "," $4 }' "$tmp/jobs.csv" >"$tmp/dated.csv"
scenario '{"at": "2026-11-23 02:00", "pool": "p", "nodes": 4}'
runs dated --trace "$tmp/dated.csv"
check "a date" eval 'as dated 36 360 288'

# --- reservations --------------------------------------------------------------------------------

own='{"name": "own", "count": 1, "node": {"gpus": 8}, "usd_per_hour": 2}'
held() { scenario '' "$own, {\"name\": \"held\", \"node\": {\"gpus\": 8}, \"elastic\": {\"max\": 3, \"provider\": \"reserved\", \"price\": 10, $1}}"; }
held '"from": "2h", "until": "6h"'
runs held --trace "$tmp/held.csv"
check "3 nodes x 4 h x 10 USD, whatever runs, and 20 USD for the own node" eval 'status_is 0 && as held 12 140 176'
check "b starts with the reservation; c is evicted at its end and finishes on the own node" equal "$(spans "$tmp/held")" \
    "a@0-36000 b@7200-10800 c@18000-39600 "
held '"from": "2h", "until": "6h", "notice": "30m"'
runs noticed --trace "$tmp/held.csv" --set 'checkpoint={"interval": "10h", "write": "60s", "restart": 0}'
check "a notice is time for a checkpoint, and is paid for" eval 'as noticed 12 140 176 && equal "$(spans "$tmp/noticed")" "a@0-36000 b@7200-10800 c@18000-39660 "'
check "two empty nodes drain for half an hour" equal "$(of noticed gpu_hours.lost.drained)" 8
held '"until": "6h"'
runs from_start --trace "$tmp/held.csv"
check "without from it begins with the run" as from_start 18 200 224
held '"from": "2h"'
runs no_end --trace "$tmp/held.csv"
check "without an end it lasts for ever" as no_end 24 260 272
held '"from": "2h", "until": "6h"'
runs ordered --trace "$tmp/held.csv" --set policy.options.provision=reactive
check "a policy that orders nodes orders no reserved ones" eval 'status_is 0 && as ordered 12 140 176 && [ "$(grep -c "\"order\"" "$tmp/ordered/journal.jsonl")" -eq 0 ]'
sed -i 's/"price": 10, //; s/"gpus": 8}, "elastic"/"gpus": 8, "rent_usd_per_hour": 30, "reserved_usd_per_hour": 10}, "elastic"/' "$tmp/s.json"
runs priced --trace "$tmp/held.csv" --set cost.basis=rent
check "without a price it is the node's reserved one" as priced 12 140 176

# --- laws, for random jobs -----------------------------------------------------------------------

cat >"$tmp/many.json" <<'JSON'
{"fauxfleet_scenario": 1, "queues": "from-trace", "policy": {"name": "fifo"},
 "fleet": {"pools": [{"name": "p", "count": 3, "node": {"gpus": 8}, "usd_per_hour": 10},
  {"name": "r", "node": {"gpus": 8}, "elastic": {"max": 2, "provider": "reserved", "from": "1d", "until": "3d", "notice": "20m", "price": 10}}]},
 "events": [{"at": "mon-fri 08:00", "until": "mon-fri 18:00", "pool": "p", "nodes": 6, "grace": "30m", "warmup": "5m"},
  {"at": "4d", "until": "108h", "pool": "p", "nodes": 1, "grace": 0}],
 "workload": {"generate": {"profile": "teams", "load": 1, "horizon": "6d", "teams": [{"queue": "a"}, {"queue": "b"}]}},
 "checkpoint": {"interval": "1h", "write": "30s", "restart": "2m"},
 "window": {"horizon": "6d", "drain": false}, "outputs": {"timeline_s": 0}}
JSON
# Node-hours of the six days by nodes.csv.
integral() {
    awk -F, -v from="$(of "$1" window.start_s)" 'BEGIN { held["p"] = 3; held["r"] = 0; at["p"] = at["r"] = from }
        NR > 1 { sum += held[$2] * ($1 - at[$2]); at[$2] = $1; held[$2] = $5 }
        END { for (pool in held) sum += held[pool] * (from + 518400 - at[pool]); printf "%.6f", sum / 3600 }' "$tmp/$1/nodes.csv"
}
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d < 1e-4 && d > -1e-4) }' || { echo "# got '$1', expected '$2'" && false; }; }
for policy in fifo runai kube-default slurm; do
    run run "$tmp/many.json" -o "$tmp/many-$policy" --audit --no-report --quiet --policy $policy
    hours=$(of many-$policy elastic.node_h)
    check "$policy: audited, and 2 x 48 node-hours are reserved" eval 'status_is 0 && equal "$(of many-$policy elastic.pools.r.node_h)" 96'
    check "$policy: node-hours are the integral of nodes.csv" near "$hours" "$(integral many-$policy)"
    check "$policy: installed capacity and the bill follow them" eval 'near "$(of many-$policy gpu_hours.installed)" "$(awk "BEGIN { printf \"%.6f\", 8 * $hours }")" &&
        near "$(of many-$policy cost.usd)" "$(awk "BEGIN { printf \"%.6f\", 10 * $hours }")"'
done

# --- refusals ------------------------------------------------------------------------------------

refused_as() { status_is 2 && says err "$1"; }
refused() { # refused TEXT EVENT [POOL]
    scenario "$2" ${3:+"$3"}
    runs bad
    check "refused: $1" refused_as "$1"
}
scenario '{"at": "2h", "pool": "p", "nodes": 4}'
run run "$tmp/s.json" -o "$tmp/rho" --set metrics.rho=true
check "refused: rho where the calendar changes the fleet" refused_as "metrics.rho: expected false: pool 'p' changes its size by the calendar"
refused "unknown pool 'pp', did you mean 'p'?" '{"at": 0, "pool": "pp", "nodes": 1}'
refused 'events[0]: expected `queue` or `pool`' '{"at": 0, "nodes": 1}'
refused 'events[0]: expected `nodes`' '{"at": 0, "pool": "p"}'
refused 'events[0].priority: changes a queue' '{"at": 0, "pool": "p", "nodes": 1, "priority": 3}'
refused '`grace` changes a pool' '{"at": 0, "queue": "a", "priority": 3, "grace": 1}'
refused 'expected an integer from 0' '{"at": 0, "pool": "p", "nodes": -3}'
refused 'spot capacity' '{"at": 0, "pool": "p", "nodes": 3}' '{"name": "p", "count": 2, "node": {"gpus": 8}, "spot": "aws-a100"}'
refused 'ordered by the policy, reserved' '{"at": 0, "pool": "p", "nodes": 3}' '{"name": "p", "node": {"gpus": 8}, "elastic": {"max": 2}}'
refused 'do not count from 1970' '{"at": "2026-11-23", "pool": "p", "nodes": 3}'
scenario '{"at": 0, "pool": "p", "nodes": 3}'
runs bad --set policy.options.placement=count
check "refused: devices that are only counted" eval 'status_is 2 && says err "does not say on which nodes"'
held '"from": "2h", "until": "2h"'
runs bad
check "refused: no time between from and until" eval 'status_is 2 && says err "expected a time after \`from\`"'
held '"from": "mon 09:00"'
runs bad
check "refused: a reservation every week" eval 'status_is 2 && says err "expected a date or a time of the run"'
held '"min": 1, "from": "2h"'
runs bad
check "refused: part of a reservation" eval 'status_is 2 && says err "all there or none"'
held '"min": 0'
runs bad
check "refused: a reservation without dates" eval 'status_is 2 && says err "needs \`from\`, \`until\` or both"'
sed -i 's/"reserved"/"on-demand"/; s/"min": 0/"from": "2h"/' "$tmp/s.json"
runs bad
check "refused: dates of nodes by order" eval 'status_is 2 && says err "go with \"reserved\""'

finish
