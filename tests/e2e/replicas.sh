#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What varies between replicas: users and weeks of a recorded trace, arrivals, or the generator's
# draws; both sides of a pair get the same; and what outputs say about it. And load of a real trace,
# if present.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# Four weeks of 24 users, a job of 1 to 3 GPUs every 5 hours each.
awk 'BEGIN { print "job_id,submit_s,duration_s,gpus,user,queue"
    for (t = 0; t < 28 * 86400; t += 750) { u = i % 24; print "j" i++ "," t ",3600," 1 + u % 3 ",u" u ",q" u % 2 } }' >"$tmp/month.csv"
cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1, "name": "month", "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 2}]}, "queues": "from-trace",
 "workload": {"trace": "month.csv"}, "policy": {"name": "fifo"}}
JSON

jobs() { sed 1d "$1" | cut -d, -f1,3,6 | sort; }
run run "$tmp/s.json" -o "$tmp/a" --replicas 3 --set workload.replicate=resample --quiet --no-report
check "resampled replicas" status_is 0
run run "$tmp/s.json" -o "$tmp/b" --replicas 3 --set workload.replicate=resample --quiet --no-report --policy sjf
for k in 1 2 3; do
    jobs "$tmp/a/rep-$k/jobs.csv" >"$tmp/a-$k"
    jobs "$tmp/b/rep-$k/jobs.csv" >"$tmp/b-$k"
    check "replica $k: the same jobs under another policy" same "$tmp/a-$k" "$tmp/b-$k"
    check "replica $k: each job id once" equal "$(cut -d, -f1 "$tmp/a-$k" | sort | uniq -d)" ""
    check "replica $k: 24 users, not the same ones" eval '[ "$(cut -d, -f2 "$tmp/a-$k" | sort -u | wc -l)" -eq 24 ] && [ "$(cut -d, -f2 "$tmp/a-$k" | sort -u | sed "s/#.*//" | sort -u | wc -l)" -lt 24 ]'
done
check "other draws in each replica" eval '! same "$tmp/a-1" "$tmp/a-2" && ! same "$tmp/a-2" "$tmp/a-3"'
run run "$tmp/s.json" -o "$tmp/g" --replicas 2 --set workload.replicate=resample --set workload.growth=1.5 --quiet --no-report
check "growth: half as many users again" equal "$(jobs "$tmp/g/rep-1/jobs.csv" | cut -d, -f2 | sort -u | wc -l)" 36
check "of which the first 24 are those without growth" eval 'jobs "$tmp/g/rep-1/jobs.csv" >"$tmp/g-1" && [ -z "$(comm -23 "$tmp/a-1" "$tmp/g-1")" ]'
run run "$tmp/s.json" -o "$tmp/j" --replicas 2 --quiet --no-report
check "jitter: all jobs as recorded" equal "$(sed 1d "$tmp/j/rep-1/jobs.csv" | cut -d, -f1 | sort | sha256sum)" "$(sed 1d "$tmp/month.csv" | cut -d, -f1 | sort | sha256sum)"
run run "$tmp/s.json" -o "$tmp/n" --replicas 2 --set workload.replicate=none --quiet --no-report
check "none: replicas are equal" same "$tmp/n/rep-1/jobs.csv" "$tmp/n/rep-2/jobs.csv"

# --- what outputs say ----------------------------------------------------------------------------

varied() { run whatif "$tmp/s.json" --set 'fleet.pools[0].count=3' --replicas 3 --quiet "$@"; }
varied
check "whatif resamples" eval 'status_is 0 && says out "Replicas resample 24 users and 4 weeks of the trace."'
varied --json
check "as JSON" equal "$(json "$tmp/out" varied)" "replicas resample 24 users and 4 weeks of the trace"
varied -o "$tmp/page.md"
check "in reports" grep -q "Replicas resample 24 users and 4 weeks of the trace." "$tmp/page.md"
varied --both workload.replicate=jitter
check "jitter is an option" says out "Replicas jitter arrivals by up to 30 s."
varied --both workload.shake_s=60
check "and what a scenario with shake_s means" says out "Replicas jitter arrivals by up to 60 s."
varied --both workload.shake_s=0
check "without jitter" says out "Replicas keep the arrivals as recorded."
varied --both workload.shake_s=0 --both workload.growth=1.5
check "growing demand draws the users whose jobs are repeated" says out "Replicas draw the users whose jobs are repeated."
varied --both workload.replicate=jitter --both workload.growth=0.5
check "or are dropped" says out "Replicas draw the users whose jobs are dropped and jitter arrivals by up to 30 s."
varied --both workload.growth=1.5
check "resampled users grow as they are drawn" says out "Replicas resample 24 users and 4 weeks of the trace."
varied --both 'workload={"generate": {"profile": "batch", "horizon_s": "2d"}}'
check "a generator draws anew" says out "Replicas draw the generator again."
varied --both 'workload=[{"trace": "'"$tmp"'/month.csv"}, {"generate": {"profile": "batch", "horizon_s": "2d"}}]'
check "both" says out "Replicas resample 24 users and 4 weeks of the trace and draw the generator again."
sed 's/,u[0-9]*,/,,/' "$tmp/month.csv" >"$tmp/nameless.csv"
varied --both "workload.trace=$tmp/nameless.csv"
check "without users: bursts" says out "Replicas resample 3,226 bursts of jobs (too few users are named) and 4 weeks of the trace."
varied --set workload.replicate=jitter
check "both worlds vary alike" refused "--set workload.replicate"
run whatif "$tmp/s.json" --set 'fleet.pools[0].count=3' --replicas 1 --quiet
check "one replica is the trace as recorded" eval 'status_is 0 && ! grep -q "^Replicas" "$tmp/out"'
run run "$tmp/s.json" --check --set workload.replicate=resampel
check "an unknown way" refused "resample"

planned() { run plan "$tmp/s.json" --target 'p95(wait) <= 2h' --replicas 3 --range 1..4 --quiet "$@"; }
planned
check "plan resamples, too" says out "Replicas resample 24 users and 4 weeks of the trace."
planned --json --set workload.shake_s=30
check "unless jitter is asked for" equal "$(json "$tmp/out" varied)" "replicas jitter arrivals by up to 30 s"

run run "$tmp/s.json" -o "$tmp/said" --replicas 2 --no-report --quiet --set workload.replicate=resample
check "run says it below the table" equal "$(grep "^Replicas" "$tmp/out")" "Replicas resample 24 users and 4 weeks of the trace."
run run "$tmp/s.json" -o "$tmp/said" --replicas 2 --no-report --quiet
check "jitter, its default" equal "$(grep "^Replicas" "$tmp/out")" "Replicas jitter arrivals by up to 30 s."
run run "$tmp/s.json" -o "$tmp/said" --no-report --quiet
check "nothing of one replica" eval 'status_is 0 && ! grep -q "^Replicas" "$tmp/out"'

# Replicas of a generator are draws of their own, not one with jitter.
run run "$tmp/s.json" -o "$tmp/made" --replicas 2 --quiet --no-report --set 'workload={"generate": {"profile": "batch", "horizon_s": "2d"}, "shake_s": 0}'
check "replicas of a generator have other jobs" eval '! same "$tmp/made/rep-1/jobs.csv" "$tmp/made/rep-2/jobs.csv"'

# --- parts of one workload -----------------------------------------------------------------------

# Two parts of one profile, a trace and itself: no user is another's twin, and no id occurs twice.
parts() {
    run run "$tmp/s.json" -o "$tmp/parts" --quiet --no-report --set "workload=$1"
    sed 1d "$tmp/parts/jobs.csv" >"$tmp/parts.jobs"
}
teams='{"generate": {"profile": "teams", "horizon": "2d"}}'
parts "[$teams]"
cp "$tmp/parts.jobs" "$tmp/one.jobs"
parts "[$teams, $teams]"
check "two parts of one profile: ids of their own" equal "$(cut -d, -f1 "$tmp/parts.jobs" | sort | uniq -d)" ""
grep '^2[.]' "$tmp/parts.jobs" | cut -d, -f6,11 | sort >"$tmp/second"
grep -v '^2[.]' "$tmp/parts.jobs" | cut -d, -f6,11 | sort >"$tmp/first"
check "jobs of their own" eval '[ "$(wc -l <"$tmp/second")" -gt 20 ] && [ -z "$(comm -12 "$tmp/first" "$tmp/second")" ]'
check "the first part is the same as alone" equal "$(cut -d, -f1,6,11 "$tmp/one.jobs" | sort | sha256sum)" "$(grep -v '^2[.]' "$tmp/parts.jobs" | cut -d, -f1,6,11 | sort | sha256sum)"
run explain "$tmp/parts" 2.t17
check "explain knows which one is meant" eval 'status_is 0 && says out "Job 2.t17"'
printf 'job_id,submit_s,duration_s,gpus,after\nt0,0,60,1,\nt1,9,60,1,any:t0\n' >"$tmp/chain.csv"
sed 's/t\([01]\)/u\1/g' "$tmp/chain.csv" >"$tmp/other.csv"
parts "[{\"trace\": \"$tmp/chain.csv\"}, {\"trace\": \"$tmp/other.csv\"}, $teams]"
check "jobs of traces keep their ids, a generator behind them has its own" eval 'status_is 0 && grep -q "^t1," "$tmp/parts.jobs" && grep -q "^u1," "$tmp/parts.jobs" && grep -q "^3.t1," "$tmp/parts.jobs"'
check "each job follows that of its own part" equal "$(json "$tmp/parts/summary.json" dependencies.linked)" 2
run run "$tmp/s.json" -o "$tmp/no" --quiet --set "workload=[{\"trace\": \"$tmp/chain.csv\"}, {\"trace\": \"$tmp/chain.csv\"}]"
check "two traces with the same ids" refused "the job id 't0' is in parts 1 and 2 of the workload"
printf 'job_id,submit_s,duration_s,gpus\n2.t0,0,60,1\n' >"$tmp/like.csv"
run run "$tmp/s.json" -o "$tmp/no" --quiet --set "workload=[{\"trace\": \"$tmp/like.csv\"}, $teams]"
check "an id of the first part that looks like one of the second" refused "the job id '2.t0' is in parts 1 and 2 of the workload"
printf 'job_id,submit_s,duration_s,gpus\na,0,60,1\nb,1,60,1\na,2,60,1\n' >"$tmp/twice.csv"
run trace stats "$tmp/twice.csv"
check "an id twice in a trace: both lines" refused "twice.csv:4:1: the job id 'a' is that of line 2 too"
{ sed 1q "$tmp/twice.csv"; printf 'a,9,60,1\nb,1,60,1\na,2,60,1\n'; } >"$tmp/unsorted.csv"
run trace stats "$tmp/unsorted.csv"
check "of an unsorted one, too" refused "unsorted.csv:4:1: the job id 'a' is that of line 2 too"
printf 'JobID|Submit|Start|End|State|ElapsedRaw|AllocTRES|ReqTRES|User|Partition|Timelimit\n' >"$tmp/sacct.txt"
for k in 1 2; do echo "7|2024-01-01T00:0$k:00|2024-01-01T00:0$k:30|2024-01-01T01:00:00|COMPLETED|3600|gres/gpu=1|gres/gpu=1|eva|gpu|01:00:00" >>"$tmp/sacct.txt"; done
run trace convert "$tmp/sacct.txt" -o "$tmp/runs.csv"
check "Slurm has the runs of a requeued job in rows of their own" eval 'status_is 0 && grep -q "^7," "$tmp/runs.csv" && grep -q "^7#2," "$tmp/runs.csv" && says err "further runs are ID#2"'

# --- load of a real trace ------------------------------------------------------------------------

venus=${FAUXFLEET_SHARED:-../shared}/traces/venus-sept/jobs.csv.gz
if [ ! -r "$venus" ]; then
    skip "load of Venus" "no traces/venus-sept"
    finish
fi
figures() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
    { t = $c["submit_s"]; if (NR == 2) first = t; last = t; s += $c["gpus"] * $c["duration_s"]; ids += !seen[$c["job_id"]]++ }
    END { printf "%.0f %s %s %d\n", s, first, last, ids == NR - 1 }' "$1"; }
run trace convert "$venus" -o "$tmp/venus.csv"
set -- $(figures "$tmp/venus.csv")
gpu_s=$1 first=$2 last=$3
for load in 0.5 0.9 1.1 1.3 2.0; do
    run trace perturb "$venus" --set "load=$load" -o "$tmp/more.csv"
    check "Venus, load x $load: within 0.5 %, from the same first to the same last submission, no id twice" eval '
        figures "$tmp/more.csv" | awk -v s="$gpu_s" -v a="$first" -v b="$last" -v f="$load" \
            "{ r = \$1 / s / f; exit !(r > 0.995 && r < 1.005 && \$2 == a && \$3 == b && \$4 == 1) }"'
done

finish
