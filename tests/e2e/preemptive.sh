#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Policies that evict jobs that have fallen behind (srtf, las), and the order by predicted GPU time
# (qssf): jobs whose times were worked out by hand, refusals, and the published simulators' results
# job by job. Those are not part of the repository; they are looked for in $FAUXFLEET_SHARED
# (../shared), and skipped if missing. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

data=tests/e2e/data

# schedule DIR: "job:first start-end" of all jobs, in order of their names.
schedule() { sed 1d "$1/jobs.csv" | awk -F, '{ print $1 ":" $7 "-" $8 }' | sort | tr '\n' ' ' | sed 's/ $//'; }
# column DIR JOB N: one field of a job's row.
column() { awk -F, -v job="$2" -v n="$3" '$1 == job { print $n }' "$1/jobs.csv"; }

simulate() {
    rm -rf "$tmp/run"
    scenario=$1
    shift
    run run "$scenario" -o "$tmp/run" --no-report --quiet --audit "$@"
}

# --- by hand -------------------------------------------------------------------------------------

# Each job works one second more. At 50 `a` has 51 s left: it comes after `b` (31 s) and before `c`
# (61 s), but it does not fit beside `b`, and `c` does. It owes 40 s then, and resumes with 91 s to
# go when both have ended.
simulate "$data/preempt.json"
check "srtf runs" status_is 0
check "srtf: times" equal "$(schedule "$tmp/run")" "a:0-202 b:50-81 c:50-111"
check "srtf: queue_s has all pending time" equal "$(column "$tmp/run" a 10)" 61
check "srtf: wait_s is up to the first start" equal "$(column "$tmp/run" a 9)" 0
check "srtf: run_s" equal "$(column "$tmp/run" a 11)" 141
check "srtf: preempted once" equal "$(column "$tmp/run" a 14)" 1
while read -r line; do
    check "srtf: journal: $line" grep -qF -- "$line" "$tmp/run/journal.jsonl"
done <<'ROWS'
{"t_ms": 50000, "kind": "evict", "job": "a", "task": 0, "node": "p-0", "devices": [0, 1, 2, 3, 4, 5, 6, 7], "gpu_milli": 8000, "action": "preempt", "for_job": "b", "reason": "OUTRANKED"
{"t_ms": 50000, "kind": "start", "job": "b"
{"t_ms": 111000, "kind": "start", "job": "a"
ROWS
# In GPU-hours: 800 + 120 + 240 GPU-s of work, 8 x 40 of overhead, 8 + 4 + 4 of launches.
while read -r line; do
    check "srtf: summary: $line" grep -qF -- "$line" "$tmp/run/summary.json"
done <<'ROWS'
"productive": 0.322222
"restart": 0.088889
"startup": 0.004444
"evictions": 1
"preempt": 1
ROWS
check "srtf: all GPU time is accounted for" eval 'awk "/^  \"(installed|productive)\"/ { gsub(/[^0-9.]/, \"\", \$2); v[n++] = \$2 }
    /^  \"lost\": \{/ { lost = 1; next } lost && /\}/ { lost = 0 } lost { gsub(/[^0-9.]/, \"\", \$2); sum += \$2 }
    END { d = v[0] - v[1] - sum; exit !(n == 2 && d < 1e-5 && d > -1e-5) }" "$tmp/run/summary.json"'
# The journals of these runs are as they were when their times were worked out.
golden() {
    check "$1: the journal is the golden one" equal "$(json "$tmp/run/summary.json" engine.journal_sha256)" "$2"
}
golden srtf 90a1043f81976601b4eff11009992cfa54050c21bde8cfa7b5df46d22b6284cd
cp -r "$tmp/run" "$tmp/first"
simulate "$data/preempt.json"
check "equal runs have equal bytes" same "$tmp/run/journal.jsonl" "$tmp/first/journal.jsonl"

run explain "$tmp/first" a --at 90
check "explain: why it waits" says out "because      OUTRANKED: higher-ranked jobs take the devices"
check "explain: behind which job" says out "behind       job c, which comes before it"

# With 30 s of notice the devices are free at 80.
simulate "$data/preempt.json" --set policy.grace_s=30
check "with a grace: times" equal "$(schedule "$tmp/run")" "a:0-232 b:80-111 c:80-141"

# las, thresholds 80 and 400 GPU-s, decisions every 10 s: at 50 `a` has had 400 GPU-s and is in the
# second queue; b and c come into the first. At 80 b ends; c has had 120 GPU-s, and in the second
# queue a was submitted earlier. At 90 a has had 480 and is in the third: c has its last 30 s, then
# a its last 40.
simulate "$data/preempt.json" --policy las
check "las: times" equal "$(schedule "$tmp/run")" "a:0-160 b:50-80 c:50-120"
check "las: preempted" equal "$(column "$tmp/run" a 14) $(column "$tmp/run" c 14)" "2 1"
golden las 260d106a9b2512eea4b2bdcd7a31d74a6e14f9befda967e2bf25617f196c63c6

# qssf: at 10 `wide` (10 s x 8 GPUs) comes before `long` (100 s x 1); a job without an estimate is
# last but not overtaken.
simulate "$data/preempt.json" --policy qssf --trace "$data/predicted.csv"
check "qssf: times" equal "$(schedule "$tmp/run")" "first:0-10 long:30-70 unknown:70-75 wide:10-30"
run run "$data/preempt.json" --policy qssf --trace "$data/predicted.csv" -o "$tmp/told" --no-report
check "qssf: jobs without an estimate are noted" \
    says err "policy 'qssf' orders by estimate_s: 2 jobs have none and come last, in order of submission"
golden qssf 50eaa7c248db76a73e5661988ab02824d3ddcffe05461853fff0b3ec76ef1e40

# --- refusals ------------------------------------------------------------------------------------

refuses() {
    what=$1
    message=$2
    shift 2
    run run "$data/preempt.json" --check "$@"
    check "$what is refused" refused "$message"
}
refuses "refill with nodes" "policy.options: refill 'true' needs placement 'count'" --set policy.options.refill=true
refuses "strict blocking" "policy.options: blocking 'strict' cannot be combined with a preemptive order" \
    --set policy.options.blocking=strict
refuses "thresholds of srtf" "policy.options: threshold_gpu_s and demotion need the order 'attained'" \
    --set policy.options.threshold_gpu_s=5
refuses "a gap in the sizes" 'policy.options.preempt_overhead_s: expected at most 16 ranges that follow one another from 1 on, got "3+"' \
    --set 'policy.options.preempt_overhead_s={"1": 1, "3+": 2}'
refuses "falling thresholds" "policy.options.threshold_gpu_s: '5,4' is not valid, expected 1 to 4 ascending numbers of GPU-seconds" \
    --policy las --set 'policy.options.threshold_gpu_s=[5, 4]'
refuses "an unknown word" "'never' is not valid, expected exact or published" --policy las --set policy.options.demotion=never

# --- the published simulators, job by job --------------------------------------------------------

# differences EXPECTED.csv.gz JOBS.csv: jobs, and how many of them differ in start, end, time in the
# queue, preemptions or nodes, as far as the published table has these columns.
differences() {
    zcat "$1" >"$tmp/expected.csv"
    awk -F, '
        FNR == 1 {
            file++
            for (i = 1; i <= NF; i++) column[file, $i] = i
            next
        }
        function of(name) { return $column[file, name] }
        function has(name) { return (1, name) in column }
        file == 1 {
            id = of("job_id")
            expected[id] = of("start_s") " " of("end_s") " " (has("queue_s") ? of("queue_s") : "") " " \
                (has("preempts") ? of("preempts") : "") " " (has("last_nodes") ? of("last_nodes") : "")
            next
        }
        {
            jobs++
            place = of("placement")
            gsub(of("queue") "-", "", place)
            got = of("first_start_s") " " of("end_s") " " (has("queue_s") ? of("queue_s") : "") " " \
                (has("preempts") ? of("preemptions") : "") " " (has("last_nodes") ? place : "")
            if (got != expected[of("job_id")] && differ++ < 5)
                print "# job " of("job_id") ": " got ", expected " expected[of("job_id")] >"/dev/stderr"
        }
        END { print jobs + 0, differ + 0 }' "$tmp/expected.csv" "$2"
}

trace=$shared/traces/venus-sept/jobs.csv.gz
expected=$shared/expected/venus-sept/srtf.csv.gz
if [ -z "$shared" ] || [ ! -r "$trace" ] || [ ! -r "$expected" ]; then
    skip "venus-sept: srtf and las of Lucid" "no traces/venus-sept, expected/venus-sept"
else
    venus() { run run scenarios/studies/venus-sept.json --trace "$trace" -o "$tmp/venus" --no-report --quiet "$@"; }
    mean() { json "$tmp/venus/summary.json" "$1" | sed 's/\(\.[0-9]\).*/\1/'; }
    venus --policy srtf
    check "venus-sept, srtf: start, end, queue, preemptions and nodes of all 23,859 jobs" \
        equal "$(differences "$expected" "$tmp/venus/jobs.csv")" "23859 0"
    check "venus-sept, srtf: 5,507 preemptions" equal "$(json "$tmp/venus/summary.json" preemption.evictions)" 5507
    rm -rf "$tmp/venus"
    venus --policy srtf --set 'policy.options.preempt_overhead_s={"1": 7, "2-8": 30, "9+": 60}'
    check "venus-sept, srtf with the overheads of Helios: mean JCT 12,622.9 s, queue 845.5 s, 6,501 preemptions" \
        equal "$(mean jct_s.mean) $(mean queue_s.mean) $(json "$tmp/venus/summary.json" preemption.evictions)" \
        "12622.8 845.5 6501"
    rm -rf "$tmp/venus"
    venus --policy las
    check "venus-sept, las as Lucid's Tiresias: mean JCT 14,700.0 s, queue 2,916.0 s, 7,466 preemptions" \
        equal "$(mean jct_s.mean) $(mean queue_s.mean) $(json "$tmp/venus/summary.json" preemption.evictions)" \
        "14700.0 2915.9 7466"
    rm -rf "$tmp/venus"
    venus --policy srtf --audit --set workload.jobs=2000
    check "venus-sept, srtf: the first 2,000 jobs keep all invariants" status_is 0
fi

trace=$shared/traces/small-sims/tiresias_60_job.csv
expected=$shared/expected/tiresias-60
# tiresias NAME ARGUMENT...
tiresias() {
    name=$1
    shift
    if [ -z "$shared" ] || [ ! -r "$trace" ] || [ ! -r "$expected/$name-count.csv.gz" ]; then
        skip "tiresias-60, $name" "no traces/small-sims, expected/tiresias-60"
        return
    fi
    rm -rf "$tmp/tiresias"
    run run scenarios/studies/tiresias-60.json --trace "$trace" -o "$tmp/tiresias" --no-report --quiet --audit "$@"
    check "tiresias-60, $name: all 60 jobs" \
        equal "$(differences "$expected/$name-count.csv.gz" "$tmp/tiresias/jobs.csv")" "60 0"
}
tiresias fifo
tiresias fjf --set policy.options.blocking=skip
tiresias shortest --policy srtf
tiresias shortest-gpu --policy srtf --set policy.options.order=remaining-gpu
tiresias dlas-gpu --policy las

# Elastic jobs by remaining time, counted with all tasks: a job that starts with its minimum stays
# first. On 4 GPUs r has two until 500, a runs with two at half speed. At 500 the minimum of b comes
# before what a wants above its own. a has 750 s of its 1,000 left then, at half speed until 2000; b
# has done 750 by then and ends with all four tasks at 2250.
cat >"$tmp/elastic.csv" <<'CSV'
job_id,submit_s,duration_s,gpus_per_task,tasks,min_tasks,max_tasks
r,0,500,1,2,,
a,0,1000,1,4,2,4
b,1,1000,1,4,2,4
CSV
cat >"$tmp/elastic.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": {"gpus": 4}, "count": 1}]},
 "workload": {"trace": "elastic.csv"}, "policy": {"name": "srtf", "grace_s": 0}, "window": {"horizon": "all"}}
JSON
run run "$tmp/elastic.json" -o "$tmp/elastic" --no-report --quiet
check "srtf, elastic jobs: none is evicted for one of its kind" equal \
    "$(awk -F, 'NR > 1 { print $1, $7, $8, $14 }' "$tmp/elastic/jobs.csv" | tr '\n' ';')" "r 0 500 0;a 0 2000 0;b 500 2250 0;"

trace=$shared/traces/alibaba-sim-5k/jobs.csv.gz
expected=$shared/expected/pai-5k/fifo.csv.gz
if [ -z "$shared" ] || [ ! -r "$trace" ] || [ ! -r "$expected" ]; then
    skip "pai-5k, fifo" "no traces/alibaba-sim-5k, expected/pai-5k"
else
    run run scenarios/studies/pai-5k.json --trace "$trace" -o "$tmp/pai" --no-report --quiet
    check "pai-5k, fifo: all 5,000 jobs" equal "$(differences "$expected" "$tmp/pai/jobs.csv")" "5000 0"
fi

finish
