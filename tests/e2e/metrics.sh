#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `list metrics` lists nothing that is always null: every row has a number in some run. One run has
# every feature that a fleet can have; others have jobs that wait for others, a packing study and a
# plan. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

cat >"$tmp/fleet.json" <<'JSON'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "own", "node": "dgx-a100", "count": 6, "fabric": "superpod-a100"},
                     {"name": "spot", "node": "dgx-a100", "count": 3, "spot": "aws-a100"}]},
 "queues": [{"name": "a", "gpu": {"quota": 24}}, {"name": "b", "gpu": {"quota": 16}}, {"name": "serving", "gpu": {"quota": 8}}],
 "workload": {"generate": {"profile": "teams", "load": 1.1, "horizon": "3d", "teams": [{"queue": "a"}, {"queue": "b"}]}},
 "events": [{"at": "1d", "until": "2d", "queue": "a", "gpu": {"quota": 4}}],
 "services": [{"name": "chat", "queue": "serving", "max": 8, "rps_per_replica": 10, "load": {"base_rps": 20, "peak_rps": 60}, "slo": {"percent": 99, "within": "10s"}}],
 "policy": {"name": "runai"}, "network": "contention",
 "faults": {"profile": "h100", "scale": 60, "spares": 1, "burn_in": {"time": "4h", "reject": 0.1, "new": ["own"]}}, "checkpoint": {"interval": "1h", "write": "30s", "restart": "5m", "gb_per_gpu": 2},
 "startup": {"image": "30s", "model_gb": 15, "storage": "gp3", "classes": ["train", "distributed", "inference"]},
 "storage": {"name": "nfs-b200", "data_gb_per_gpu_s": 0.02, "tiers": [{"name": "hot", "tb": 9, "usd_per_tb_month": 80, "hit": 0.9}, {"name": "cold", "tb": 90, "usd_per_tb_month": 5, "usd_per_tb_read": 10}]}, "gpu_memory": {"mode": "wait"},
 "cost": {"usd_per_kwh": 0.1, "pue": 1.3}, "metrics": {"rho": true}, "window": {"horizon": "3d", "warmup": "2h"}}
JSON
# Jobs of named models that wait for one another, with a deadline each; an array whose losers stop
# early.
cat >"$tmp/linked.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,user,after,array,array_limit,rungs_s,eta,model,think_s
one,0,3600,8,ann,,,,,,gpt3-5b,
two,0,3600,16,ann,one,,,,,gpt3-5b,60
three,100,600,1,bob,gone,,,,,vgg16,
x1,200,9000,1,bob,,x,2,600|1800,2,,
x2,200,8000,1,bob,,x,2,600|1800,2,,
x3,200,7000,1,bob,,x,2,600|1800,2,,
x4,200,6000,1,bob,,x,2,600|1800,2,,
CSV
run list metrics
if says out 'deadlines.'; then
    awk '{ print $0 (NR == 1 ? ",deadline_s" : ",5000") }' "$tmp/linked.csv" >"$tmp/dated.csv" && mv "$tmp/dated.csv" "$tmp/linked.csv"
fi
cat >"$tmp/linked.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 2, "node": {"gpus": 8, "gpu_type": "a100", "usd_per_hour": 20, "idle_w": 900, "peak_w": 6500}}]},
 "workload": {"trace": "linked.csv", "mode": "closed"}, "policy": {"name": "fifo"}, "network": "placement", "cost": {"basis": "rent"},
 "storage": {"data_gb_per_gpu_s": 0.02, "tb": 10, "usd_per_tb_month": 20}}
JSON
cat >"$tmp/fill.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 4, "node": {"gpus": 8, "cpus": 64}}]},
 "workload": {"trace": "linked.csv", "mode": "fill", "tune": 1.3}, "policy": {"name": "best-fit"}}
JSON
sed 's/,after.*//; s/\(,[a-z]*\),\([a-z]*\),.*/\1/' "$tmp/linked.csv" | cut -d, -f1-4 >"$tmp/plain.csv"
sed -i 's/linked.csv/plain.csv/' "$tmp/fill.json"

# Recorded on other hardware, with quotas beyond the fleet, and nodes to be ordered.
cat >"$tmp/other.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 2, "node": "dgx-h100"}, {"name": "c", "node": "dgx-h100", "elastic": {"max": 1}}]},
 "queues": [{"name": "default", "gpu": {"by_pool": {"p": 99}}}],
 "workload": {"trace": "linked.csv", "recorded_on": "dgx-a100"}, "policy": {"name": "fifo"}, "network": "placement"}
JSON
for scenario in fleet linked fill other; do
    run run "$tmp/$scenario.json" -o "$tmp/$scenario" --no-report --quiet
    check "$scenario runs" eval 'status_is 0'
done
run run "$tmp/linked.json" --set workload.mode=replay -o "$tmp/replay" --no-report --quiet
check "the same without users who react" status_is 0
run run scenarios/studies/showback.json -o "$tmp/cores" --no-report --quiet
check "one with nodes without GPUs" status_is 0
run plan "$tmp/linked.json" --set workload.mode=replay --target 'mean(wait) <= 1d' --range 2..3 --replicas 3 -o "$tmp/plan" --quiet
check "a plan" eval '[ -s "$tmp/plan/plan.json" ]'

# flat FILE: a line "path value" for each value that is not null; members of objects in a list are
# one level deeper, below the last name there.
flat() {
    awk 'match($0, /^ *"[^"]*": /) {
            line = $0
            depth = match(line, /"/) - 1
            line = substr(line, depth + 2)
            key = substr(line, 1, index(line, "\"") - 1)
            value = substr(line, length(key) + 4)
            sub(/,$/, "", value)
            names[depth] = key
            path = names[1]
            for (i = 2; i <= depth; i++) path = path "." names[i]
            if (value !~ /^({|null|\[\]?$)/) print path, value
        }' "$1"
}
run list metrics --json
sed -n 's/^ *"name": "\(.*\)",$/\1/p' "$tmp/out" >"$tmp/names"
for scenario in fleet linked replay fill other cores; do flat "$tmp/$scenario/summary.json"; done >"$tmp/values"
flat "$tmp/plan/plan.json" | sed 's/^\([^ ]*[.]\)*/plan./' >>"$tmp/values" # wherever they stand there
# For compare and gate: two orders of the same three jobs.
printf 'job_id,submit_s,duration_s,gpus\na,0,3000,1\nb,9,4000,1\nc,99,1000,1\n' >"$tmp/orders.csv"
printf '{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 1}}]}, "workload": {"trace": "orders.csv"}}' >"$tmp/orders.json"
printf '{"fauxfleet_gate": 1, "scenarios": ["orders.json"], "metrics": [{"metric": "wait_s.mean"}], "looks": [5]}' >"$tmp/suite.json"
for policy in fifo sjf; do "$BIN" run "$tmp/orders.json" -o "$tmp/$policy" --policy $policy --replicas 5 --no-report --quiet >"$tmp/out" 2>"$tmp/err"; done
"$BIN" compare "$tmp/fifo" "$tmp/sjf" --json --metric wait_s.mean >"$tmp/compared.json"
"$BIN" gate "$tmp/suite.json" --base fifo --candidate sjf --json --quiet >"$tmp/gated.json" 2>"$tmp/err"
flat "$tmp/compared.json" | sed -n 's/^.*[.]\(change\|difference\)[.]/compare.\1./p' >>"$tmp/values"
flat "$tmp/gated.json" | sed -n 's/^.*[.]harm[.]/gate.harm./p' >>"$tmp/values"
awk 'FNR == NR { names[++n] = $1; next }
    { have[$1] }
    END {
        for (i = 1; i <= n; i++) {
            row = names[i]
            gsub(/[.]/, "[.]", row)
            gsub(/[*]/, "[^.]+", row)
            found = 0
            for (path in have) if (path ~ "^" row "([.]|$)") { found = 1; break }
            if (!found) print names[i]
        }
    }' "$tmp/names" "$tmp/values" >"$tmp/out"
: >"$tmp/err"
check "there are such rows" [ "$(wc -l <"$tmp/names")" -gt 200 ]
check "every metric that list metrics has is a number in some run" silent out

# By hand: one device, a job of 10 s and one of 30 s that waits for it: 30 x 10 / (10 + 30) s.
printf 'job_id,submit_s,duration_s,gpus\na,0,10,1\nb,0,30,1\n' >"$tmp/two.csv"
printf '{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 1}}]}, "workload": {"trace": "two.csv"}, "policy": {"name": "fifo"}}' >"$tmp/two.json"
run run "$tmp/two.json" -o "$tmp/two" --no-report --quiet
check "waits weighted by GPU-hours" equal "$(json "$tmp/two/summary.json" wait_gpu_h_weighted_s.mean) $(json "$tmp/two/summary.json" wait_s.mean)" "7.5 5"
run run "$tmp/two.json" -o "$tmp/two" --no-report --quiet --set window.drain=false --set window.horizon=5
check "waits that are not over are bounds" \
    equal "$(json "$tmp/two/summary.json" wait_gpu_h_weighted_s.mean) $(json "$tmp/two/summary.json" wait_gpu_h_weighted_s.mean_at_least)" "null 3.75"
finish
