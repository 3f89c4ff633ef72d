#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Pools that grow and shrink: bills by hand, laws, and the studies. Checks are given as text and
# function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# scenario NAME ELASTIC [TRACE [POLICY]]: one elastic pool `cloud` of 8-GPU nodes, for a day.
scenario() {
    cat >"$tmp/$1.json" <<JSON
{"fauxfleet_scenario": 1, "queues": "from-trace", "workload": {"trace": "${3:-one}.csv"},
 "fleet": {"pools": [{"name": "cloud", "node": {"gpus": 8, "gpu_type": "any"}, "elastic": {$2}}]},
 "policy": ${4:-{\"name\": \"fifo\", \"options\": {\"provision\": \"reactive\"\}\}},
 "window": {"horizon": "1d"}, "outputs": {"timeline_s": 0, "journal": "facts"}}
JSON
}

# bill NAME: runs it, audited; sets $usd to the bill.
bill() {
    run run "$tmp/$1.json" -o "$tmp/$1" --quiet --no-report --audit
    usd=$(json "$tmp/$1/summary.json" elastic.usd 2>/dev/null)
    status_is 0
}

# near A B: true if they differ by less than 0.00001.
near() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(d < 1e-5 && d > -1e-5) }' || { echo "# got '$1', expected '$2'" && false; }; }

# The cost in USD according to nodes.csv, at $2 an hour, up to $3 seconds; $4 initial nodes.
integral() {
    awk -F, -v price="$2" -v end="$3" -v held="${4:-0}" '
        NR > 1 { sum += held * ($1 - at); at = $1; held = $5 }
        END { printf "%.6f", (sum + held * (end - at)) / 3600 * price }' "$1/nodes.csv"
}

printf 'job_id,submit_s,duration_s,gpus\na,0,3600,8\n' >"$tmp/one.csv"

# --- bills by hand -------------------------------------------------------------------------------

# 300 s until the node is ready, 3,600 s of work, 600 s idle.
scenario one '"max": 2, "delay": "5m", "idle_down": "10m", "price": 10'
check "one job" bill one
check "costs (delay + run + idle_down) x price" near "$usd" "$(awk 'BEGIN { print (300 + 3600 + 600) / 3600 * 10 }')"
check "so does the fleet" near "$(json "$tmp/one/summary.json" cost.usd)" "$usd"
check "installed is what was paid for" near "$(json "$tmp/one/summary.json" gpu_hours.installed)" 10
check "the job waits for the node" equal "$(awk -F, 'NR == 2 { for (i = 1; i <= NF; i++) if (n[i] == "first_start_s") print $i } NR == 1 { split($0, n, ",") }' "$tmp/one/jobs.csv")" 300
check "nodes.csv says when" equal "$(tr '\n' ' ' <"$tmp/one/nodes.csv")" "time_s,pool,node,event,paid_nodes 0,cloud,cloud-0,ordered,1 300,cloud,cloud-0,there,1 4500,cloud,cloud-0,off,0 "
run replay "$tmp/one/journal.jsonl"
check "its journal replays" eval 'status_is 0 && says out "the same decisions"'

scenario least '"max": 2, "delay": "5m", "idle_down": "10m", "price": 10, "min_billing": "2h"'
check "an order is at least as long as min_billing" eval 'bill least && near "$usd" 20'
scenario warm '"max": 2, "delay": "5m", "idle_down": "10m", "warmup": "15m", "price": 10'
check "warm-up is paid for, too" eval 'bill warm && near "$usd" 15'

# Two pools of equal nodes: on demand for 40 USD an hour, reserved for 10. The order goes to the one
# that is billed cheaper: (300 + 3,600 + 600) s at 10.
cat >"$tmp/billed.json" <<'JSON'
{"fauxfleet_scenario": 1, "queues": "from-trace", "workload": {"trace": "one.csv"},
 "fleet": {"pools": [
  {"name": "a", "node": {"gpus": 8, "rent_usd_per_hour": 40, "reserved_usd_per_hour": 10}, "elastic": {"max": 2, "delay": "5m", "idle_down": "10m"}},
  {"name": "b", "node": {"gpus": 8, "rent_usd_per_hour": 40, "reserved_usd_per_hour": 10}, "billing": "reserved", "elastic": {"max": 2, "delay": "5m", "idle_down": "10m"}}]},
 "cost": {"basis": "rent"}, "policy": {"name": "fifo", "options": {"provision": "reactive"}}, "window": {"horizon": "1d"}}
JSON
check "what is billed as reserved is ordered at that price" eval 'bill billed && near "$usd" 12.5'
check "and is the cheaper pool" equal "$(awk -F, 'NR > 1 && $4 == "ordered" { print $2 }' "$tmp/billed/nodes.csv")" b
run run "$tmp/billed.json" -o "$tmp/spared" --quiet --no-report --set 'faults={"profile":"h100","spares":1}'
check "an elastic pool keeps no spares" eval 'status_is 2 && says err "is elastic"'

# Three nodes for a day, whatever happens.
scenario least3 '"min": 3, "max": 5, "price": 10'
check "min nodes cost min x price x time" eval 'bill least3 && near "$usd" 720'
scenario static '"min": 3, "max": 3, "provider": "on-prem", "price": 10' one '{"name": "fifo"}'
check "and need no policy that provisions" eval 'bill static && near "$usd" 720'
scenario never '"min": 1, "max": 3, "price": 10' one '{"name": "fifo"}'
check "a policy that provisions nothing keeps min" eval 'bill never && near "$usd" 240'

# A random delay between 5 and 15 minutes, the same each time.
scenario drawn '"max": 2, "delay": {"from": "5m", "to": "15m"}, "idle_down": "10m", "price": 10'
check "a drawn delay" eval 'bill drawn && awk -v usd="$usd" "BEGIN { exit !(usd >= 12.5 && usd <= 12.5 + 10 / 6 && usd != 12.5) }"'

# --- a budget, and protection from scaling down --------------------------------------------------

# Three jobs of an hour cost 12.50 USD each. When the third comes 25 USD are spent, and an hour more
# would be 35: it waits for the next 30 days.
printf 'job_id,submit_s,duration_s,gpus\na,0,3600,8\nb,10000,3600,8\nc,20000,3600,8\n' >"$tmp/three.csv"
starts() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { print $1 "@" $at["first_start_s"] }' "$1/jobs.csv" | tr '\n' ' '; }
limited() { echo "{\"name\": \"fifo\", \"options\": {\"provision\": \"reactive\", $1}}"; }
terms='"max": 2, "delay": "5m", "idle_down": "10m", "price": 10'
scenario budget "$terms" three "$(limited '"provision_budget_usd": 25')"
sed -i 's/"horizon": "1d"/"horizon": "31d"/' "$tmp/budget.json"
check "a budget of 25 USD: two jobs this month, the third in the next" eval 'bill budget && near "$usd" 37.5 && equal "$(starts "$tmp/budget")" "a@300 b@10300 c@2592300 "'
sed -i 's/_usd": 25/_usd": 35/' "$tmp/budget.json"
check "of 35 USD: all three at once" eval 'bill budget && near "$usd" 37.5 && equal "$(starts "$tmp/budget")" "a@300 b@10300 c@20300 "'
run replay "$tmp/budget/journal.jsonl"
check "its journal replays" eval 'status_is 0 && says out "the same decisions"'

# 5 USD are not enough for an hour: the job is never ordered for, and the run ends.
sed -i 's/_usd": 35/_usd": 5/; s/, "window": {[^}]*}//; s/ "window": {[^}]*},//' "$tmp/budget.json"
check "of 5 USD: nothing is ordered, and the run ends" eval 'bill budget && near "$usd" 0 && equal "$(starts "$tmp/budget")" "a@ b@ c@ "'

# Nothing else runs, and the job has to wait for half an hour before a node is ordered.
scenario patient "$terms, \"after\": \"30m\""
check "a job that waits alone is a reason to order after 30 minutes" eval 'bill patient && near "$usd" 12.5 && equal "$(starts "$tmp/patient")" "a@2100 "'

# 300 s until the node is there, a minute of work, and released a minute later, or two hours after
# the order.
printf 'job_id,submit_s,duration_s,gpus\na,0,60,8\n' >"$tmp/short.csv"
short='"max": 2, "delay": "5m", "idle_down": "1m", "price": 10'
scenario unprotected "$short" short "$(limited '"provision_protect_s": 0')"
check "without protection a node goes when it has been idle" eval 'bill unprotected && near "$usd" "$(awk "BEGIN { print 420 / 360 }")"'
scenario protected "$short" short "$(limited '"provision_protect_s": 7200')"
check "protected for two hours after an order" eval 'bill protected && near "$usd" 20'
for wrong in budget_usd:-1 protect_s:-1; do
    scenario wrong "$terms" three "$(limited "\"provision_${wrong%:*}\": ${wrong#*:}")"
    run run "$tmp/wrong.json" --check
    check "${wrong%:*} below 0" eval 'status_is 2 && says err "provision_${wrong%:*}" && says err "expected"'
done

# --- max 0 ---------------------------------------------------------------------------------------

for max in none zero; do
    pool=
    [ "$max" = none ] || pool=', {"name": "cloud", "node": "dgx-h100", "elastic": {"max": 0}}'
    cat >"$tmp/$max.json" <<JSON
{"fauxfleet_scenario": 1, "queues": "from-trace", "policy": {"name": "runai", "options": {"provision": "reactive"}},
 "fleet": {"pools": [{"name": "own", "node": "dgx-h100", "count": 4}$pool]},
 "workload": {"generate": {"profile": "batch", "load": 0.9, "horizon_s": "2d"}}, "outputs": {"timeline_s": 0}}
JSON
    run run "$tmp/$max.json" -o "$tmp/$max" --quiet --no-report --audit
done
check "with max 0 every decision and every job are as without the pool" eval 'same "$tmp/none/journal.jsonl" "$tmp/zero/journal.jsonl" && same "$tmp/none/jobs.csv" "$tmp/zero/jobs.csv"'

# --- laws, for each kind of policy ---------------------------------------------------------------

cat >"$tmp/many.json" <<'JSON'
{"fauxfleet_scenario": 1, "queues": "from-trace", "policy": {"name": "fifo", "options": {"provision": "reactive"}},
 "fleet": {"pools": [{"name": "own", "node": {"gpus": 8, "gpu_type": "any"}, "count": 2},
  {"name": "cloud", "node": {"gpus": 8, "gpu_type": "any"},
   "elastic": {"min": 1, "max": 12, "delay": {"from": "3m", "to": "9m"}, "idle_down": "10m", "after": "5m", "price": 10, "min_billing": 0}}]},
 "workload": {"generate": {"profile": "batch", "load": 0.5, "horizon_s": "3d", "median_s": "1h", "max_gpus": 32}},
 "window": {"horizon": "3d", "drain": false}, "outputs": {"timeline_s": 0, "journal": "facts"}}
JSON
for policy in fifo runai kube-default srtf conservative slurm; do
    run run "$tmp/many.json" -o "$tmp/many-$policy" --quiet --no-report --audit --policy "$policy" --set "policies.$policy.provision=reactive"
    check "$policy: grows and shrinks, audited" eval 'status_is 0 && [ "$(json "$tmp/many-$policy/summary.json" elastic.orders)" -gt 20 ]'
    end=$(json "$tmp/many-$policy/summary.json" window.end_s)
    begin=$(json "$tmp/many-$policy/summary.json" window.start_s)
    usd=$(json "$tmp/many-$policy/summary.json" elastic.usd)
    check "$policy: the bill is the integral of nodes x price" near "$usd" \
        "$(awk -F, -v from="$begin" -v end="$end" 'BEGIN { held = 1; at = from } NR > 1 { sum += held * ($1 - at); at = $1; held = $5 }
            END { printf "%.6f", (sum + held * (end - at)) / 360 }' "$tmp/many-$policy/nodes.csv")"
    check "$policy: installed is own nodes and those" near "$(json "$tmp/many-$policy/summary.json" gpu_hours.installed)" \
        "$(awk -v usd="$usd" -v from="$begin" -v end="$end" 'BEGIN { printf "%.6f", 8 * usd / 10 + 16 * (end - from) / 3600 }')"
    run replay "$tmp/many-$policy/journal.jsonl"
    check "$policy: its journal replays" eval 'status_is 0 && says out "the same decisions"'
done

# --- spot: reclaimed nodes are not paid for, and others replace them -----------------------------

cat >"$tmp/spot.json" <<'JSON'
{"fauxfleet_scenario": 1, "queues": "from-trace", "policy": {"name": "fifo", "options": {"provision": "reactive"}},
 "fleet": {"pools": [{"name": "dear", "node": {"gpus": 8, "gpu_type": "any"}, "elastic": {"max": 4, "delay": "5m", "idle_down": "10m", "price": 30}},
  {"name": "spot", "node": {"gpus": 8, "gpu_type": "any"}, "elastic": {"max": 4, "provider": "spot", "delay": "5m", "idle_down": "10m"},
   "spot": {"notice": "2m", "monthly_interruption": 0.99, "correlated": 0.5, "correlated_nodes": 4, "away": "12h", "usd_per_gpu_hour": 1}}]},
 "workload": {"generate": {"profile": "batch", "load": 0.3, "horizon_s": "20d", "median_s": "1h", "max_gpus": 8}},
 "checkpoint": {"interval": "30m", "write": "30s", "restart": "5m"},
 "window": {"horizon": "20d", "drain": false}, "outputs": {"timeline_s": 0, "journal": false}}
JSON
run run "$tmp/spot.json" -o "$tmp/spot" --quiet --no-report --audit
sum=$tmp/spot/summary.json
check "spot first: nodes were reclaimed" eval 'status_is 0 && [ "$(json "$sum" elastic.pools.spot.reclaims)" -gt 3 ]'
check "most hours were on spot capacity, and some on the other" awk -v s="$(json "$sum" elastic.pools.spot.node_h)" -v d="$(json "$sum" elastic.pools.dear.node_h)" 'BEGIN { exit !(s > d && d > 0) }'
check "the fleet costs both bills" near "$(json "$sum" cost.usd)" "$(awk -v s="$(json "$sum" elastic.pools.spot.node_h)" -v d="$(json "$sum" elastic.pools.dear.node_h)" 'BEGIN { printf "%.6f", 8 * s + 30 * d }')"

# --- a snapshot in between -----------------------------------------------------------------------

run run "$tmp/one.json" -o "$tmp/cut" --quiet --no-report --snapshot-at 1m
check "a snapshot has offers, and nodes by state" eval 'grep -q "\"state\": \"ordered\"" "$tmp/cut/snapshot.json" && grep -q "\"offers\": \[" "$tmp/cut/snapshot.json" && grep -q "\"state\": \"off\"" "$tmp/cut/snapshot.json"'
sed 's/"ordered"/"off"/' "$tmp/cut/snapshot.json" >"$tmp/again.json"
run decide "$tmp/again.json"
check "decide orders missing nodes" eval 'status_is 0 && says out "{\"kind\": \"order\", \"node\": \"cloud-0\", \"action\": \"provision\"}"'

# --- refusals ------------------------------------------------------------------------------------

scenario wrong '"min": 3, "max": 2'
run run "$tmp/wrong.json" --check
check "min above max" refused "elastic.min: expected at most \`max\`"
scenario wrong '"max": 2, "provider": "spot"'
run run "$tmp/wrong.json" --check
check "spot without the pool's spot" refused "elastic.provider"
scenario wrong '"max": 2, "dealy": 3'
run run "$tmp/wrong.json" --check
check "an unknown key" refused "did you mean 'delay'"
scenario wrong '"max": 2' one '{"name": "fifo", "options": {"provision": "reactve"}}'
run run "$tmp/wrong.json" --check
check "an unknown way to provision" refused "expected none or reactive or predictive"
scenario wrong '"max": 2' one '{"name": "fifo", "options": {"provision": "reactive", "provision_hours": "mon-fir 08-18"}}'
run run "$tmp/wrong.json" --check
check "invalid hours" refused "mon-fri"

finish
