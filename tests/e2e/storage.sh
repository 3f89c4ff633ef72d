#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Startups, checkpoints and storage from outside: published loading times, and values worked out by
# hand. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# field FILE JOB COLUMN: of jobs.csv.
field() {
    awk -F, -v job="$2" -v name="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i; next }
        $1 == job { print $column }' "$1"
}

# --- startup -------------------------------------------------------------------------------------

cat >"$tmp/one.csv" <<'CSV'
job_id,submit_s,duration_s,gpus
a,0,100,1
CSV
cat >"$tmp/load.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "one.csv"},
 "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 1, "gpu_type": "a10g"}}]},
 "startup": {"model_gb": 15, "storage": "gp3"}}
JSON
# Storage, loader, and published seconds until the engine is ready; then the job runs for 100 s.
while IFS='|' read -r store loader ready; do
    run run "$tmp/load.json" --set "startup.storage=$store" --set "startup.loader=$loader" -o "$tmp/load" --quiet --audit
    check "$store, $loader: the engine is ready after $ready s" equal "$(field "$tmp/load/jobs.csv" a run_s)" \
        "$(awk -v r="$ready" 'BEGIN { print r + 100 }')"
done <<'ROWS'
gp3|default|66.13
gp3|streamer|35.08
gp3|tensorizer|36.19
io2|default|62.69
io2|streamer|28.28
io2|tensorizer|30.88
s3|streamer|23.18
s3|tensorizer|65.18
ROWS
check "the time is lost to startups" equal "$(json "$tmp/load/summary.json" gpu_hours.lost.startup)" 0.018106
check "and none to waiting" equal "$(json "$tmp/load/summary.json" startup.hold_gpu_h)" 0
run run "$tmp/load.json" --check --set startup.storage=null
check "a model comes from somewhere" status_is 2
check "the message says so" grep -q 'startup.model_gb: a model comes from somewhere' "$tmp/err"
run list storage streamr
check "list storage knows no such storage" status_is 2
run list storage io2 --json
check "list storage, as JSON" grep -q '"streamer": 1.992032' "$tmp/out"

# --- checkpoints ---------------------------------------------------------------------------------

# 100 h on two nodes, a write of 36 s after every hour but the last.
printf 'job_id,submit_s,duration_s,gpus\na,0,360000,16\n' >"$tmp/long.csv"
cat >"$tmp/long.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "long.csv"}, "outputs": {"timeline_s": 0},
 "fleet": {"pools": [{"name": "p", "count": 2, "node": {"gpus": 8}}]},
 "checkpoint": {"interval": "1h", "write": 36}}
JSON
run run "$tmp/long.json" -o "$tmp/long" --quiet --audit
check "without faults ETTR is 1 / (1 + write / interval), but for the last interval" \
    equal "$(json "$tmp/long/summary.json" reliability.ettr)" "$(awk 'BEGIN { printf "%.6f", 100 / (100 + 99 * 0.01) }')"
run run "$tmp/long.json" --set 'checkpoint.async={"stall": 6}' -o "$tmp/long" --quiet --audit
check "an asynchronous write costs its stall" \
    equal "$(json "$tmp/long/summary.json" reliability.ettr)" "$(awk 'BEGIN { printf "%.6f", 100 / (100 + 99 / 600) }')"
run run "$tmp/long.json" --set 'checkpoint.async={"stall": 40}' --check
check "a stall longer than the write is refused" status_is 2
check "the message says why" grep -q 'checkpoint.async.stall: expected at most checkpoint.write (36 s)' "$tmp/err"
run run "$tmp/long.json" --set checkpoint.interval=daly --check
check "an interval by formula needs faults" status_is 2
check "the message says why" grep -q "checkpoint.interval: 'daly' is worked out from how often" "$tmp/err"
run run "$tmp/long.json" --set checkpoint.interval=dally --check
check "there is no such formula" status_is 2
run run "$tmp/long.json" --set 'faults={"profile": "h100"}' --set checkpoint.interval=young --set checkpoint.write=0 --check
check "nor is a write for nothing to be weighed" status_is 2
check "the message says what it needs" grep -q "checkpoint.interval: 'young' weighs how long a write takes" "$tmp/err"

# A node stops once in 2,000 days, so the job once in M = 1,000 days; w = 36 s. Young: sqrt(2 w M) =
# 21.9089 h, so four writes in 100 h; six times the rate: 8.9443 h, eleven. Daly's is shorter by w
# and longer by a little: as many.
for scale in 1 6; do
    for rule in young daly; do
        run run "$tmp/long.json" --set 'faults={"profile": {"hbm_gb": 80, "classes": {"host": {"rate": 0.5}}}, "only": ["host"]}' \
            --set "faults.scale=$scale" --set "checkpoint.interval=$rule" -o "$tmp/long" --quiet --audit
        check "$rule, faults x $scale: nothing fails" equal "$(json "$tmp/long/summary.json" reliability.faults)" 0
        check "so many writes" equal "$(json "$tmp/long/summary.json" gpu_hours.lost.checkpoint)" \
            "$(awk -v s="$scale" 'BEGIN { tau = sqrt(2 * 0.01 * 24000 / s); print int(100 / tau) * 0.16 }')"
    done
done

# A job that gives its own write time, ten times as long: sqrt(2 x 0.1 x 24000 / 6) = 28.28 h, three
# writes.
printf 'job_id,submit_s,duration_s,gpus,checkpoint_write_s\na,0,360000,16,360\n' >"$tmp/own.csv"
run run "$tmp/long.json" --set 'faults={"profile": {"hbm_gb": 80, "classes": {"host": {"rate": 0.5}}}, "only": ["host"], "scale": 6}' \
    --set checkpoint.interval=young --trace "$tmp/own.csv" -o "$tmp/long" --quiet --audit
check "a job's own write decides about its interval" equal "$(json "$tmp/long/summary.json" gpu_hours.lost.checkpoint)" 4.8

# --- storage that jobs share ---------------------------------------------------------------------

# A DGX-1 needs 7.8 GB/s for its 8 V100, and its own SSDs give 2.2 GB/s: training goes at 28.2 % of
# its speed.
cat >"$tmp/dgx1.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "dgx1.csv"}, "outputs": {"timeline_s": 0},
 "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 8, "gpu_type": "v100"}}]},
 "storage": {"name": "dgx-1-ssd", "data_gb_per_gpu_s": "high"}}
JSON
printf 'job_id,submit_s,duration_s,gpus\na,0,36000,8\n' >"$tmp/dgx1.csv"
run run "$tmp/dgx1.json" -o "$tmp/dgx1" --quiet --audit
check "DGX-1: 2.2 GB/s where 7.8 are needed" equal \
    "$(awk -v s="$(field "$tmp/dgx1/jobs.csv" a run_s)" 'BEGIN { printf "%.4f", 36000 / s }')" "$(awk 'BEGIN { printf "%.4f", 2.2 / 7.8 }')"
check "all that is lost is lost to input" equal "$(json "$tmp/dgx1/summary.json" storage.input_lost_gpu_h)" \
    "$(json "$tmp/dgx1/summary.json" gpu_hours.lost.slowdown)"
check "the data of 10 h at full speed" equal "$(json "$tmp/dgx1/summary.json" storage.data_gb | cut -c1-5)" 28080
check "the summary says it" grep -q '^storage  *data GB 280,8.*waiting for data GPU-h 204' "$tmp/out"
check "the report too" grep -q 'storage.input_lost_gpu_h' "$tmp/dgx1/report.html"

cat >"$tmp/two.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "two.csv"}, "outputs": {"timeline_s": 0},
 "fleet": {"pools": [{"name": "p", "count": 2, "node": {"gpus": 8}}]},
 "storage": {"write_gbps": 10}, "checkpoint": {"interval": 100, "gb": 100}}
JSON
printf 'job_id,submit_s,duration_s,gpus\na,0,250,8\n' >"$tmp/two.csv"
run run "$tmp/two.json" -o "$tmp/two" --quiet --audit
check "alone a write of 100 GB takes 10 s" equal "$(field "$tmp/two/jobs.csv" a run_s)" 270
printf 'b,0,250,8\n' >>"$tmp/two.csv"
run run "$tmp/two.json" -o "$tmp/two" --quiet --audit
check "two at once take 20 s each" equal "$(field "$tmp/two/jobs.csv" a run_s) $(field "$tmp/two/jobs.csv" b run_s)" "290 290"
check "all is counted" equal "$(json "$tmp/two/summary.json" storage.written_gb)" 400
check "and how much of the time the storage wrote" equal "$(json "$tmp/two/summary.json" storage.write_use)" 0.137931
run run "$tmp/two.json" --set 'checkpoint.gb=null' --set checkpoint.parameters=1e9 --set checkpoint.write=7 -o "$tmp/two" --quiet --audit
check "14 bytes a parameter" equal "$(json "$tmp/two/summary.json" storage.written_gb)" 56
# Models of both jobs come from one store: 30 GB at 2 GB/s in all, then the engines start as fast as
# was measured for the loader.
run run "$tmp/two.json" --set 'checkpoint=null' --set 'storage={"name": "s3", "read_gbps": 2, "write_gbps": null}' \
    --set 'startup={"model_gb": 15, "loader": "streamer"}' -o "$tmp/two" --quiet --audit
check "models share what the storage reads" equal "$(field "$tmp/two/jobs.csv" a run_s)" "$(awk 'BEGIN { print 250 + 15 + 18.3 }')"
run run "$tmp/two.json" --set 'checkpoint.async={"stall": 8}' --set checkpoint.write=1 -o "$tmp/two" --quiet --audit
check "a stall is held against the write as storage makes it" equal "$(field "$tmp/two/jobs.csv" a run_s)" 266
run run "$tmp/two.json" --set storage=null --check
check "a size needs storage" status_is 2
check "the message says so" grep -q 'checkpoint.gb: how long that is written follows from' "$tmp/err"
run run "$tmp/two.json" --set storage.write_gbps=null --check
check "which has to say how fast it writes" status_is 2
run run "$tmp/two.json" --set policy.options.placement=count -o "$tmp/two" --quiet
check "with counted devices nobody knows where jobs are" status_is 2

more_than_half() { awk -v s="$1" 'BEGIN { exit !(s > 3600 && s < 7200) }'; }
# Four of eight tasks run: each loads its 10 GB, and reads as much for a sample as it would on
# eight.
cat >"$tmp/elastic.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "elastic.csv"}, "outputs": {"timeline_s": 0}, "policy": {"name": "runai"},
 "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 4}}]}, "startup": {"model_gb": 10},
 "storage": {"read_gbps": 10, "loaders": {"default": {"gb": 10, "load_s": 1}}}}
JSON
printf 'job_id,submit_s,duration_s,gpus_per_task,tasks,min_tasks,max_tasks,model\na,0,3600,1,8,2,8,gpt3-126m\n' >"$tmp/elastic.csv"
run run "$tmp/elastic.json" -o "$tmp/elastic" --quiet --audit
check "40 GB at 10, and twice the time" equal "$(field "$tmp/elastic/jobs.csv" a run_s)" 7204
run run "$tmp/elastic.json" --set startup=null --set network=placement --set storage.data_gb_per_gpu_s=0.01 -o "$tmp/elastic" \
    --quiet --audit
check "half of the devices do more than half of the work" more_than_half "$(field "$tmp/elastic/jobs.csv" a run_s)"
check "and as much is read" equal "$(json "$tmp/elastic/summary.json" storage.data_gb | cut -c1-5)" 288.0

# Half of a device wants 0.5 GB/s and gets 0.25: half of the speed for 2,000 s. For 100 of them b,
# of which nothing is known, leaves it 0.685 of the device: then data costs 0.185 only.
cat >"$tmp/beside.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "beside.csv"}, "outputs": {"timeline_s": 0},
 "window": {"horizon": "all"},
 "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 1}}]}, "network": "placement",
 "storage": {"read_gbps": 0.25, "data_gb_per_gpu_s": 1}}
JSON
printf 'job_id,submit_s,duration_s,gpu_milli,class\na,0,1000,500,train\nb,1000,100,500,build\n' >"$tmp/beside.csv"
run run "$tmp/beside.json" -o "$tmp/beside" --quiet --audit
check "the store binds all the time" equal "$(field "$tmp/beside/jobs.csv" a run_s)" 2000
check "what data costs goes by the speed of its time" equal "$(json "$tmp/beside/summary.json" storage.input_lost_gpu_h)" \
    "$(awk 'BEGIN { printf "%.6f", 0.5 * (1900 * 0.5 + 100 * 0.185) / 3600 }')"

# All of it at once, with faults, evictions and a network, under the auditor.
awk 'BEGIN { print "job_id,submit_s,duration_s,gpus"
    for (i = 0; i < 150; i++) printf "j%d,%d,%d,%d\n", i, i * 97, 300 + (i * 7919) % 30000, 2 ^ (i % 6) }' >"$tmp/mixed.csv"
cat >"$tmp/mixed.json" <<'JSON'
{"fauxfleet_scenario": 1, "workload": {"trace": "mixed.csv"}, "outputs": {"timeline_s": 0}, "policy": {"name": "runai"},
 "fleet": {"pools": [{"name": "p", "count": 8, "node": "dgx-h100", "fabric": "superpod-h100"}]},
 "faults": {"profile": "h100", "scale": 60}, "checkpoint": {"interval": "daly", "gb_per_gpu": 5, "async": {"stall": "2s"}},
 "storage": {"read_gbps": 4, "write_gbps": 20, "node_write_gbps": 5, "data_gb_per_gpu_s": 0.2, "cache_hit": 0.5, "cache_gbps": 1.5,
             "loaders": {"default": {"gb": 1, "load_s": 0.5, "ready_s": 0.6}}},
 "startup": {"image": 20, "model_gb": 15}}
JSON
for network in off contention; do
    run run "$tmp/mixed.json" --set network=$network -o "$tmp/mixed" --quiet --audit --no-report
    check "faults, evictions and storage, network $network: audited" status_is 0
    check "all jobs end" equal "$(json "$tmp/mixed/summary.json" jobs.completed)" 150
done
check "some jobs waited for data" [ "$(json "$tmp/mixed/summary.json" storage.input_lost_gpu_h | cut -d. -f1)" -gt 0 ]

finish
