#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Who used what and what it cost, from outside: the study by hand, and the law that the parts and
# the idle rest add up to the bill to the micro-dollar. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# column FILE KEY NAME: of the row that begins with KEY.
column() {
    awk -F, -v key="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i }
        $1 == key { print $c }' "$1"
}
of() { json "$tmp/study/summary.json" "$1"; }
queue() { column "$tmp/study/queues.csv" "$1" "$2"; }

run run scenarios/studies/showback.json -o "$tmp/study" --audit
check "the study runs" status_is 0

# 8 h of two nodes at 16 USD and one at 4. 8 GPUs for 4 h; half a GPU for 8 h and 4 for 2 h.
check "the bill" equal "$(of cost.usd) $(of cost.nodes_usd)" "288 288"
check "queues of GPUs" equal "$(queue research cost_usd) $(queue product cost_usd)" "64 24"
# A job with half of the cores costs 2 USD an hour: two of data for 4 h, one of reports for 2 h.
check "queues of cores" equal "$(queue data cost_usd) $(queue reports cost_usd)" "16 4"
check "the idle rest" equal "$(of cost.idle_usd) $(of cost.idle_cpu_usd)" "168 12"
check "users" equal "$(for u in ann bob cyd eve; do column "$tmp/study/users.csv" $u cost_usd; done | xargs)" "64 12 16 16"
check "classes" equal "$(of cost.by_class.build.usd) $(of cost.by_class.train.usd) $(of cost.by_class.batch.usd)" "8 80 20"
check "models" equal "$(of cost.by_model.bert.usd) $(of cost.by_model.resnet50.usd) $(of cost.by_model.none.usd)" "64 16 28"
check "jobs" equal "$(for j in pretrain notebook tune etl-1 etl-2 report; do column "$tmp/study/jobs.csv" $j cost_usd; done | xargs)" "64 8 16 8 8 4"

# From 1 h to 3 h data has 32 of its 64 cores, its entitlement; reports has the others.
check "the reclaim of cores" equal "$(of fairness.queues.data.used_core_h) $(of fairness.queues.data.entitled_core_h)" "256 256"
check "for the other queue" equal "$(queue reports used_core_h) $(queue reports entitled_core_h)" "64 64"
check "one job was evicted for it" equal "$(column "$tmp/study/jobs.csv" etl-2 preemptions)" 1
# All of the cores for 2 h (0-1, 3-4) and half of them for 4 (1-3, 4-6), of 8.
check "dominant shares" equal "$(of fairness.queues.data.dominant_share) $(of fairness.queues.reports.dominant_share)" "0.5 0.125"
check "use of nodes without GPUs" equal "$(of hosts.on_cpu_nodes.held_core_h) $(of hosts.on_cpu_nodes.use)" "320 0.625"
check "memory" equal "$(queue research used_gib_h) $(of hosts.mem.held_gib_h)" "2048 4352"
check "the page has the tables and the chart" eval 'grep -q "id=\"bill\"" "$tmp/study/report.html" && grep -q "id=\"hosts-by-queue\"" "$tmp/study/report.html" && [ -s "$tmp/study/figures/bill.svg" ]'
check "and the terminal the cores" grep -q '^data  *256  *256 ' "$tmp/out"

# A fleet without GPUs: a has all 64 cores of the node, b comes after an hour and is entitled to half
# of them, which it gets after the grace of 30 s and keeps for two hours. It is owed 32 cores for 30 s.
# By cores a holds 1, 1/2 from 3,600 s and 1 again from 10,830 s, b 1/2 for 7,200 s, of 14,400 s.
cat >"$tmp/cores.json" <<'JSON'
{"fauxfleet_scenario": 1, "name": "cores", "policy": {"name": "runai"}, "workload": {"trace": "cores.csv"}, "window": {"horizon": "4h", "drain": false},
 "fleet": {"pools": [{"name": "etl", "count": 1, "node": {"gpus": 0, "cpus": 64, "mem_mib": 262144, "usd_per_hour": 4}}]},
 "queues": [{"name": "a", "cpu": {"quota": 32}}, {"name": "b", "cpu": {"quota": 32}}]}
JSON
printf 'job_id,submit_s,duration_s,gpus,cpus_per_task,queue,preemptible\na1,0,14400,0,32,a,1\na2,0,14400,0,32,a,1\nb1,3600,7200,0,32,b,1\n' >"$tmp/cores.csv"
run run "$tmp/cores.json" -o "$tmp/cores" --audit
cores() { json "$tmp/cores/summary.json" "fairness.$1"; }
check "without GPUs: used and entitled" equal "$(column "$tmp/cores/queues.csv" a used_core_h) $(cores queues.b.used_core_h) $(cores queues.b.entitled_core_h)" \
    "$(awk 'BEGIN { printf "%.6f %g %.6f", (64 * 3600 + 32 * 7230 + 64 * 3570) / 3600, 64, 32 * 7230 / 3600 }')"
check "what b was owed" equal "$(cores queues.b.share_deficit_core_h) $(cores queues.a.share_deficit_core_h) $(cores share_deficit_core_h) $(cores share_deficit_gib_h)" \
    "0.266667 0 0.266667 0"
check "the fairness of dominant shares" equal "$(cores jain_dominant)" \
    "$(awk 'BEGIN { a = (3600 + 7230 / 2 + 3570) / 14400; b = 0.25; printf "%.6f", (a + b) ^ 2 / (2 * (a * a + b * b)) }')"
check "and the terminal has both" eval 'grep -q "^fairness .*owed core-h 0.27" "$tmp/out" && grep -q "index of dominant shares 0.800" "$tmp/out"'
check "nobody was owed cores in the study" equal "$(of fairness.share_deficit_core_h)" 0

# The law, on the demo: sums of micro-dollars.
run run scenarios/examples/demo.json -o "$tmp/demo" --quiet --no-report \
    --set 'cost={"basis":"own","pue":1.3,"usd_per_kwh":0.1}'
micro() { awk '{ s += $1 * 1e6 >= 0 ? int($1 * 1e6 + 0.5) : 0 } END { printf "%.0f\n", s }'; }
rest() { for key in idle_usd idle_cpu_usd idle_energy_usd unused_storage_usd; do json "$tmp/demo/summary.json" cost.$key; done; }
bill=$(json "$tmp/demo/summary.json" cost.usd | micro)
cut_last() { sed 1d "$1" | while IFS= read -r row; do echo "${row##*,}"; done; }
check "users and the rest are the bill" equal "$({ cut_last "$tmp/demo/users.csv"; rest; } | micro)" "$bill"
column_of() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }' "$1"; }
check "queues and the rest are the bill" equal "$({ column_of "$tmp/demo/queues.csv" cost_usd; rest; } | micro)" "$bill"
check "energy is a part of it" eval '[ "$(json "$tmp/demo/summary.json" cost.energy_usd | micro)" -gt 0 ]'

# --- which price applies ---------------------------------------------------------------------------

# An hour of one node that is rented for 16 USD, reserved for 10, spot for 6.
printf 'job_id,submit_s,duration_s,gpus,class\na,0,3600,8,train\n' >"$tmp/hour.csv"
cat >"$tmp/hour.json" <<'JSON'
{"fauxfleet_scenario": 1, "name": "hour", "policy": {"name": "fifo"}, "workload": {"trace": "hour.csv"}, "window": {"horizon": "1h"},
 "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 8, "usd": 70080, "peak_w": 1000, "rent_usd_per_hour": 16, "reserved_usd_per_hour": 10, "spot_usd_per_hour": 6}}]}}
JSON
hour() {
    run run "$tmp/hour.json" -o "$tmp/hour" --quiet --no-report "$@"
    json "$tmp/hour/summary.json" cost.usd
}
check "on demand" equal "$(hour)" 16
check "reserved" equal "$(hour --set 'fleet.pools[0].billing=reserved')" 10
check "spot" equal "$(hour --set 'fleet.pools[0].billing=spot')" 6
check "on any basis" equal "$(hour --set 'fleet.pools[0].billing=on-demand' --set cost.basis=own)" 16
check "a price in place" equal "$(hour --set 'fleet.pools[0].prices={"rent_usd_per_hour":20.5}')" 20.5
check "of the billing" equal "$(hour --set 'fleet.pools[0].billing=reserved' --set 'fleet.pools[0].prices={"rent_usd_per_hour":20,"reserved_usd_per_hour":9}')" 9
check "of a node of the catalogue, verified by you" eval 'equal "$(hour --set "fleet.pools[0].node=dgx-a100" --set "fleet.pools[0].prices={\"rent_usd_per_hour\":12}") $(json "$tmp/hour/summary.json" cost.unverified)" "12 []"'
check "your own price goes before all" equal "$(hour --set 'fleet.pools[0].billing=reserved' --set 'fleet.pools[0].usd_per_hour=3')" 3
check "without a price there is no bill" equal "$(hour --set 'fleet.pools[0].billing=reserved' --set 'fleet.pools[0].node.reserved_usd_per_hour=null')" null
run run "$tmp/hour.json" -o "$tmp/no" --set 'fleet.pools[0].billing=reserved' --set 'fleet.pools[0].spot=aws-a100'
check "reclaimable nodes cannot be billed as reserved" eval 'status_is 2 && says err "billed as spot"'

# --- storage ---------------------------------------------------------------------------------------

# 8 GPUs read 0.8 GB/s for an hour: 2.88 TB, of which 0.576 from warm and 0.144 from cold. Kept for a
# month of 730 h: 10 x 80 + 20 x 25 + 100 x 4 USD; moved: 0.576 x 10 + 0.144 x (30 + 5).
sed 's/"horizon": "1h"/"horizon": "730h"/; s/^ "fleet"/ "storage": {"data_gb_per_gpu_s": 0.1, "tiers": [{"name": "hot", "tb": 10, "usd_per_tb_month": 80, "hit": 0.75, "read_gbps": 0.6}, {"name": "warm", "tb": 20, "usd_per_tb_month": 25, "hit": 0.2, "usd_per_tb_read": 10}, {"name": "cold", "tb": 100, "usd_per_tb_month": 4, "usd_per_tb_read": 30, "usd_per_tb_written": 5}]},\n "fleet"/' "$tmp/hour.json" >"$tmp/tiers.json"
run run "$tmp/tiers.json" -o "$tmp/tiers" --quiet --no-report
tier() { json "$tmp/tiers/summary.json" "cost.$1"; }
check "tiers: kept and moved data" equal "$(tier storage.kept_usd) $(tier storage.moved_usd) $(tier storage_usd)" "1700 10.8 1710.8"
check "by tier" equal "$(tier storage.tiers.hot.read_tb) $(tier storage.tiers.warm.read_tb) $(tier storage.tiers.cold.written_tb) $(tier storage.tiers.cold.moved_usd)" "2.16 0.576 0.144 5.04"
check "it is on the bill" equal "$(tier usd) $(tier nodes_usd)" "13390.8 11680"
check "at 0.6 GB/s for 3 of 4 reads the job has all its data" equal "$(column "$tmp/tiers/jobs.csv" a run_s)" 3600
sed 's/"read_gbps": 0.6/"read_gbps": 0.3/' "$tmp/tiers.json" >"$tmp/slow.json"
run run "$tmp/slow.json" -o "$tmp/slow" --quiet --no-report
check "at half of that it takes twice as long" equal "$(column "$tmp/slow/jobs.csv" a run_s)" 7200
sed 's/"tiers": .*$/"tb": 100, "usd_per_tb_month": 23},/' "$tmp/tiers.json" >"$tmp/flat.json"
run run "$tmp/flat.json" -o "$tmp/flat" --quiet --no-report
check "storage without tiers" equal "$(json "$tmp/flat/summary.json" cost.storage_usd)" 2300
check "the job pays for it" equal "$(tier by_queue.default.storage_usd) $(tier unused_storage_usd) $(column "$tmp/tiers/users.csv" '' storage_usd)" "1710.8 0 1710.8"
run run "$tmp/flat.json" -o "$tmp/flat" --quiet --no-report --set storage.data_gb_per_gpu_s=0
check "storage that no job uses is of nobody" equal "$(json "$tmp/flat/summary.json" cost.storage_usd) $(json "$tmp/flat/summary.json" cost.unused_storage_usd) $(column "$tmp/flat/queues.csv" default cost_usd)" "2300 2300 16"

# Two queues: left reads 2.88 TB and writes three checkpoints of 0.5 TB at 100 USD a TB, right, on 4
# GPUs for as long, reads 1.44 TB and writes nothing there. By what they move left has 4.38 of 5.82 TB.
printf 'job_id,submit_s,duration_s,gpus,class,queue,user,checkpoint_write_s\na,0,3600,8,train,left,ann,\nb,7200,3600,4,train,right,bob,0\n' >"$tmp/two.csv"
sed 's/hour.csv/two.csv/; s/"data_gb_per_gpu_s"/"write_gbps": 1000, "data_gb_per_gpu_s"/; s/"hit": 0.75/"hit": 0.75, "usd_per_tb_written": 100/; s/"name": "hour"/"name": "two", "checkpoint": {"interval": "1000s", "gb": 500}/' "$tmp/tiers.json" >"$tmp/two.json"
run run "$tmp/two.json" -o "$tmp/two" --quiet --audit
two() { json "$tmp/two/summary.json" "cost.$1"; }
check "what queues read and write" equal "$(two by_queue.left.read_tb) $(two by_queue.left.written_tb) $(two by_queue.right.read_tb) $(two by_queue.right.written_tb)" "2.88 1.5 1.44 0"
check "kept storage by all of it, fees by each" equal "$(two by_queue.left.storage_usd) $(two by_queue.right.storage_usd)" \
    "$(awk 'BEGIN { read = (0.2 * 10 + 0.05 * 35); printf "%.6f %.6f", 1700 * 4.38 / 5.82 + 2.88 * read + 1.5 * 100, 1700 * 1.44 / 5.82 + 1.44 * read }')"
check "in the tables too" equal "$(column "$tmp/two/queues.csv" left storage_usd) $(column "$tmp/two/users.csv" bob storage_usd)" \
    "$(two by_queue.left.storage_usd) $(two by_queue.right.storage_usd)"
check "and on the page" grep -q 'storage, USD' "$tmp/two/report.html"

sed 's/"hit": 0.2/"hit": 0.3/' "$tmp/tiers.json" >"$tmp/much.json"
run run "$tmp/much.json" -o "$tmp/no"
check "more than all reads" eval 'status_is 2 && says err "more than all reads"'
sed 's/"hit": 0.2, //' "$tmp/tiers.json" >"$tmp/none.json"
run run "$tmp/none.json" -o "$tmp/no"
check "a hit rate is missing" eval 'status_is 2 && says err "storage.tiers[1].hit"'
sed 's/"warm"/"hot"/' "$tmp/tiers.json" >"$tmp/twice.json"
run run "$tmp/twice.json" -o "$tmp/no"
check "two tiers of a name" eval 'status_is 2 && says err "two tiers"'
finish
