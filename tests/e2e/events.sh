#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A calendar of planned changes: when they take effect, what they do to running jobs, what snapshots
# and journals keep of them. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# Eight GPUs are a's by day; from 1 h to 2 h they are b's.
cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,queue
a1,0,10000,4,a
a2,0,10000,4,a
b1,100,2000,4,b
b2,100,2000,4,b
CSV
scenario() { # scenario EVENTS: s.json with these
    cat >"$tmp/s.json" <<JSON
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 8}}]},
 "queues": [{"name": "a", "gpu": {"quota": 8, "weight": 1}}, {"name": "b", "gpu": {"quota": 0, "weight": 1}}],
 "events": [$1],
 "workload": {"trace": "jobs.csv"}, "policy": {"name": "runai", "grace_s": "0s"}, "window": {"horizon": "6h"}}
JSON
}
starts() { awk -F, 'NR > 1 { print $1 "@" $7 }' "$1/jobs.csv" | sort | tr '\n' ' '; }

scenario ''
run run "$tmp/s.json" -o "$tmp/none" --audit --no-report --quiet
check "without changes b waits" equal "$(starts "$tmp/none")" "a1@0 a2@0 b1@10000 b2@10000 "
scenario '{"at": "1h", "until": "2h", "queue": "a", "gpu": {"quota": 0}}, {"at": "1h", "until": "2h", "queue": "b", "gpu": {"quota": 8}}'
run run "$tmp/s.json" -o "$tmp/day" --audit --no-report --quiet --set outputs.journal=facts
check "at 3600 s the quota changes hands, and so do the GPUs" eval 'status_is 0 && equal "$(starts "$tmp/day")" "a1@0 a2@0 b1@3600 b2@3600 "'
check "four changes took effect, two of them cuts" equal "$(json "$tmp/day/summary.json" changes.applied) $(json "$tmp/day/summary.json" changes.quota_cuts)" "4 2"
check "the facts of the journal have them" equal "$(grep -c '"fact": "queue_set"' "$tmp/day/journal.jsonl")" 4
run replay "$tmp/day/journal.jsonl"
check "and are decided again" status_is 0

# Build sessions may not be preempted: those above the cut quota go on until they end, 4 GPUs x 6400
# s.
sed 's/queue$/queue,class,preemptible/; s/,a$/,a,build,0/; s/,b$/,b,train,1/' "$tmp/jobs.csv" | grep -v '^a2' >"$tmp/sessions.csv"
scenario '{"at": "1h", "queue": "a", "gpu": {"quota": 0}}'
run run "$tmp/s.json" --trace "$tmp/sessions.csv" -o "$tmp/cut" --audit --no-report --quiet
check "what may not be preempted stays above the cut quota until it ends" equal \
    "$(json "$tmp/cut/summary.json" changes.over_cut_quota_gpu_h) $(json "$tmp/cut/summary.json" changes.back_within_quota_s.mean)" "7.111111 6400"

# A change and its reversal at one instant.
scenario '{"at": "1h", "queue": "a", "gpu": {"quota": 0}}, {"at": "1h", "queue": "a", "gpu": {"quota": 8}}'
run run "$tmp/s.json" -o "$tmp/back" --no-report --quiet
check "a change and its opposite at one instant change no byte of jobs.csv" same "$tmp/none/jobs.csv" "$tmp/back/jobs.csv"
check "and no decision" equal "$(json "$tmp/back/summary.json" engine.journal_sha256)" "$(json "$tmp/none/summary.json" engine.journal_sha256)"

# Two runs joined by a snapshot at 2000 s equal the single one with a change after it; likewise at
# 5000 s, in the middle of the changes.
scenario '{"at": "1h", "until": "2h", "queue": "a", "gpu": {"quota": 0}}, {"at": "1h", "until": "2h", "queue": "b", "gpu": {"quota": 8}}'
for at in 2000 5000; do
    run run "$tmp/s.json" -o "$tmp/first" --snapshot-at $at --no-report --quiet
    sed "s|\"workload\"|\"start\": {\"snapshot\": \"$tmp/first/snapshot.json\"}, \"workload\"|; s|\"1h\"|\"$((3600 - at))s\"|g; s|\"2h\"|\"$((7200 - at))s\"|g" "$tmp/s.json" >"$tmp/rest.json"
    [ $at -gt 3600 ] && sed -i "s|\"at\": \"-[0-9]*s\"|\"at\": 0|g" "$tmp/rest.json"
    run run "$tmp/rest.json" -o "$tmp/rest" --audit --no-report --quiet
    check "glued at $at s: every job ends as in the whole run" eval 'status_is 0 && equal "$(cut -d, -f1,8 "$tmp/rest/jobs.csv" | sort)" "$(awk -F, -v at=$at "NR == 1 || \$8 > at" "$tmp/day/jobs.csv" | cut -d, -f1,8 | sort)"'
done
check "the snapshot has the quotas of its time" grep -q '"name": "b".*"quota": 8000' "$tmp/first/snapshot.json"

# A queue that opens on Mondays at 09:00. Jobs of 20 h: one a week.
printf 'job_id,submit_s,duration_s,gpus,queue\nx,0,72000,8,a\ny,0,72000,8,a\nz,0,72000,8,a\n' >"$tmp/weekly.csv"
scenario '{"at": "mon 10:00", "until": "mon 09:00", "queue": "a", "suspended": true}'
run run "$tmp/s.json" --trace "$tmp/weekly.csv" --set window.horizon=4w -o "$tmp/weekly" --audit --no-report --quiet
check "a weekly change repeats after 604,800 s" eval 'status_is 0 && equal "$(starts "$tmp/weekly")" "x@32400 y@637200 z@1242000 "'
scenario '{"at": 0, "queue": "a", "suspended": true}'
for policy in fifo easy srtf slurm runai kube-default; do
    run run "$tmp/s.json" --policy $policy -o "$tmp/shut" --audit --no-report --quiet
    check "$policy: a suspended queue starts nothing, others go on" eval 'status_is 0 && equal "$(awk -F, "NR > 1 && \$7 != \"\" { print \$1 }" "$tmp/shut/jobs.csv" | sort | tr "\n" " ")" "b1 b2 "'
done
run explain "$tmp/shut" a1 --at 3000
check "explain says so" eval 'says out SUSPENDED'

# ---- refusals ----

refused_as() { status_is 2 && says err "$1"; }
refused() { # refused TEXT EVENT
    scenario "$2"
    run run "$tmp/s.json" -o "$tmp/bad" --no-report --quiet
    check "refused: $1" refused_as "$1"
}
refused "unknown queue 'aa'" '{"at": 0, "queue": "aa", "priority": 1}'
refused "got 'mon-fry 09:00'" '{"at": "mon-fry 09:00", "queue": "a", "priority": 1}'
refused "got 'mon 24:30'" '{"at": "mon 24:30", "queue": "a", "priority": 1}'
refused 'expected the same kind of time' '{"at": "mon 09:00", "until": "2h", "queue": "a", "priority": 1}'
refused 'expected a time after' '{"at": "2h", "until": "2h", "queue": "a", "priority": 1}'
refused 'something that changes' '{"at": "2h", "queue": "a"}'
refused 'do not count from 1970' '{"at": "2026-11-23 09:00", "queue": "a", "priority": 1}'

# ---- dates, on a clock that has them ----

awk -F, 'NR > 1 { $2 += 1795392000 } { print $1 "," $2 "," $3 "," $4 "," $5 }' "$tmp/jobs.csv" >"$tmp/dated.csv"
scenario '{"at": "2026-11-23 01:00", "queue": "a", "gpu": {"quota": 0}}, {"at": "mon 01:00", "until": "mon 02:00", "queue": "b", "gpu": {"quota": 8}}'
run run "$tmp/s.json" --trace "$tmp/dated.csv" -o "$tmp/dates" --audit --no-report --quiet
check "2026-11-23 is a Monday" eval 'status_is 0 && equal "$(starts "$tmp/dates")" "a1@1795392000 a2@1795392000 b1@1795395600 b2@1795395600 "'

# ---- snapshots ----

cat >"$tmp/held.json" <<'JSON'
{"fauxfleet_snapshot": 1, "nodes": [{"name": "n", "gpus": 4}],
 "queues": [{"name": "q", "gpu": {"quota": 4}}, {"name": "shut", "gpu": {"quota": 4}, "suspended": true}],
 "jobs": [{"id": "held", "queue": "q", "suspended": true, "duration_s": 100, "tasks": [{"id": "t", "gpus": 1}]},
          {"id": "inside", "queue": "shut", "duration_s": 100, "tasks": [{"id": "t", "gpus": 1}]},
          {"id": "free", "queue": "q", "duration_s": 100, "tasks": [{"id": "t", "gpus": 1}]}]}
JSON
run decide "$tmp/held.json"
check "decide starts neither a suspended job nor one of a suspended queue" eval 'status_is 0 && equal "$(grep -c "\"reason\": \"SUSPENDED\"" "$tmp/out") $(grep -c "\"kind\": \"start\"\|\"start\"" "$tmp/out")" "2 1"'
run explain "$tmp/held.json" inside
check "explain names the queue" eval "says out \"queue 'shut' is suspended\""
cat >"$tmp/on.json" <<'JSON'
{"fauxfleet_scenario": 1, "start": {"snapshot": "held.json"}, "window": {"horizon": "1h"}}
JSON
run run "$tmp/on.json" -o "$tmp/on" --snapshot-at 600 --audit --no-report --quiet
check "a run that begins with it leaves them alone" eval 'status_is 0 && [ "$(grep -c "\"suspended\": true" "$tmp/on/snapshot.json")" -eq 2 ] && equal "$(grep -o "\"id\": \"[a-z]*\", \"queue\"" "$tmp/on/snapshot.json" | sort | tr "\n" " ")" "\"id\": \"held\", \"queue\" \"id\": \"inside\", \"queue\" "'

# ---- deadlines as an order ----

# Known by hand: one GPU, jobs of 100 s. In order of submission b is 100 s late; by deadlines none
# is.
printf 'job_id,submit_s,duration_s,gpus,queue,deadline_s\na,0,100,1,q,\nb,0,100,1,q,300\nc,0,100,1,q,200\nd,0,100,1,q,100\n' >"$tmp/due.csv"
cat >"$tmp/due.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 1}}]},
 "workload": {"trace": "due.csv"}, "policy": {"name": "edf"}}
JSON
for policy in edf edf-preemptive quota-edf; do
    run run "$tmp/due.json" --policy $policy -o "$tmp/due" --audit --no-report --quiet
    check "$policy: by deadlines, those without one last" eval 'status_is 0 && equal "$(starts "$tmp/due") $(json "$tmp/due/summary.json" deadlines.missed)" "a@300 b@200 c@100 d@0  0"'
done
run run "$tmp/due.json" --policy fifo -o "$tmp/due" --no-report --quiet
check "in the order of submission two are late" equal "$(json "$tmp/due/summary.json" deadlines.missed)" 2

# ---- the study ----

study=scenarios/studies/trading-hours.json
run run $study -o "$tmp/study" --audit --no-report --quiet
check "trading-hours: risk has its 680 GPU-h, and waits for the notice of 30 s" equal \
    "$(json "$tmp/study/summary.json" by_queue.risk.gpu_hours.allocated) $(json "$tmp/study/summary.json" by_queue.risk.wait_s.max)" "680 30"
check "trading-hours: 16 GPUs for 30 s on five evenings are above the quota" equal "$(json "$tmp/study/summary.json" changes.over_cut_quota_gpu_h)" 0.666667
run run $study -o "$tmp/study" --no-report --quiet --set 'events=[]' --set queues.risk.gpu.quota=8 --set queues.batch.gpu.quota=8
check "trading-hours: with quotas that stay, half of risk waits 8.5 h and two notices" equal "$(json "$tmp/study/summary.json" by_queue.risk.wait_s.max)" 30630
finish
