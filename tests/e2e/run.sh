#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `run`, `explain` and `report` from outside, on traces of six jobs whose schedules were worked out
# by hand: what is in a run directory, the effect of options, what is refused and how, and what an
# interruption leaves behind. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

data=tests/e2e/data

# schedule DIR: "job:start-end" of all jobs, in order of their names; placed DIR: "job@placement".
schedule() { sed 1d "$1/jobs.csv" | awk -F, '{ print $1 ":" $7 "-" $8 }' | sort | tr '\n' ' ' | sed 's/ $//'; }
placed() { sed 1d "$1/jobs.csv" | awk -F, '{ print $1 "@" $17 }' | sort | tr '\n' ' ' | sed 's/ $//'; }

# simulate SCENARIO ARGUMENT...: an audited run without a report, into $tmp/run.
simulate() {
    rm -rf "$tmp/run"
    scenario=$1
    shift
    run run "$scenario" -o "$tmp/run" --no-report --quiet --audit "$@"
}

# --- schedules worked out by hand ----------------------------------------------------------------

# One node of four devices. Strict: jobs behind one that cannot start wait, too.
while IFS='|' read -r order blocking expected; do
    simulate "$data/node.json" --policy "$order" --set "policy.options.blocking=$blocking"
    check "$order, $blocking" equal "$status $(schedule "$tmp/run")" "0 $expected"
done <<'ROWS'
fifo|strict|a:0-10 b:10-18 c:10-15 d:15-17 e:18-22 f:22-42
fifo|skip|a:0-10 b:10-18 c:2-7 d:7-9 e:29-33 f:9-29
sjf|strict|a:0-10 b:14-22 c:2-7 d:7-9 e:10-14 f:14-34
sjf|skip|a:0-10 b:10-18 c:2-7 d:7-9 e:29-33 f:9-29
ROWS

# A decision every seven seconds: what could start at 10 starts at 14, what could start at 22 starts
# at 28.
simulate "$data/node.json" --set policy.cycle_s=7
check "a policy cycle of 7 s" equal "$(schedule "$tmp/run")" "a:0-10 b:14-22 c:14-19 d:21-23 e:28-32 f:35-55"

# Three nodes of four devices. The gang of six needs a whole node and two devices more; where the
# first five jobs went decides when it gets them, and best-fit and consolidated differ in where its
# remainder goes.
while IFS='|' read -r placement places gang; do
    simulate "$data/pieces.json" --set "policy.options.placement=$placement"
    check "$placement: nodes" equal "$status $(placed "$tmp/run")" "0 $places"
    check "$placement: times" equal "$(schedule "$tmp/run")" \
        "j1:0-100 j2:1-101 j3:2-102 j4:3-103 j5:4.125-104.625 j6:$gang"
done <<'ROWS'
count|j1@p:2 j2@p:3 j3@p:1 j4@p:2 j5@p:1 j6@p:6|101-111
first-fit|j1@p-0:2 j2@p-1:3 j3@p-0:1 j4@p-2:2 j5@p-0:1 j6@p-1:4;p-0:2|101-111
best-fit|j1@p-0:2 j2@p-1:3 j3@p-1:1 j4@p-0:2 j5@p-2:1 j6@p-1:4;p-0:2|102-112
consolidated|j1@p-0:2 j2@p-1:3 j3@p-1:1 j4@p-0:2 j5@p-2:1 j6@p-1:4;p-2:2|102-112
binpack|j1@p-0:2 j2@p-1:3 j3@p-1:1 j4@p-0:2 j5@p-2:1 j6@p-1:4;p-0:2|102-112
spread|j1@p-0:2 j2@p-1:3 j3@p-2:1 j4@p-2:2 j5@p-0:1 j6@p-1:4;p-0:2|101-111
ROWS

# Queues bound to pools: x2 waits for A while B is free, x6 takes what either has.
simulate "$data/bound.json"
check "queues bound to pools" equal "$(schedule "$tmp/run") $(placed "$tmp/run")" \
    "x1:0-10 x2:10-20 x3:2-7 x4:3-7 x5:7-10 x6:10-12 x1@A-0:2 x2@A-0:1 x3@B-0:1 x4@B-0:1 x5@B-0:2 x6@A-0:1"
# 47 of 80 device-seconds; waits 0 0 0 3 5 9; x2 ends last.
while IFS='|' read -r key expected; do
    check "summary.json: $key" equal "$(json "$tmp/run/summary.json" "$key")" "$expected"
done <<'ROWS'
scenario|bound
policy|fifo
jobs.submitted|6
jobs.completed|6
jobs.pending|0
makespan_s|20
utilization.availability|1
utilization.allocation|0.5875
utilization.goodput_ratio|1
utilization.fleet_goodput|0.5875
wait_s.mean|2.833
wait_s.p50|0
wait_s.p90|9
wait_s.p99|9
wait_s.max|9
wait_s.censored|0
jct_s.mean|8.5
jct_s.p50|6
by_class.build.jobs|2
by_class.build.wait_s.mean|1.5
by_class.train.jobs|4
by_class.train.wait_s.mean|3.5
by_size.1.jobs|4
by_size.2-7.jobs|2
by_size.8.jobs|0
bounded_slowdown.tau_s|60
engine.events|12
engine.decisions|6
cost.usd|null
ROWS
simulate "$data/bound.json" --set policy.options.scope=fleet
check "scope fleet: all wait behind x2, later behind x5" equal "$(schedule "$tmp/run")" \
    "x1:0-10 x2:10-20 x3:10-15 x4:10-14 x5:15-18 x6:15-17"

# Jobs that can never run, cannot run yet, or are cut off by the window.
sed 's/^d,3,2,1/d,3,2,9/' "$data/node.csv" >"$tmp/large.csv"
simulate "$data/node.json" --trace "$tmp/large.csv"
check "a job larger than the fleet delays no other" equal "$(schedule "$tmp/run")" \
    "a:0-10 b:10-18 c:10-15 d:- e:18-22 f:22-42"
check "and is counted" equal "$(json "$tmp/run/summary.json" jobs.never_fits)" 1
check "and its row says so" grep -q '^d,.*,never_fits,' "$tmp/run/jobs.csv"
awk -F, 'NR == 1 { print $0 ",eligible_s" } NR > 1 { print $0 "," ($1 == "a" ? 6 : "") }' "$data/node.csv" >"$tmp/later.csv"
simulate "$data/node.json" --trace "$tmp/later.csv"
check "a job is started when it is eligible, others in the meantime" equal "$(schedule "$tmp/run")" \
    "a:9-19 b:1-9 c:2-7 d:9-11 e:19-23 f:23-43"
simulate "$data/node.json" --set window.horizon=16 --set window.drain=false
check "without draining the run stops at the horizon" equal "$(schedule "$tmp/run")" \
    "a:0-10 b:10- c:10-15 d:15- e:- f:-"
check "with two running and two pending" equal \
    "$(json "$tmp/run/summary.json" jobs.running) $(json "$tmp/run/summary.json" jobs.pending)" "2 2"

# --- the run directory ---------------------------------------------------------------------------

rm -rf "$tmp/dir"
run run "$data/bound.json" -o "$tmp/dir/deep" --quiet
check "run makes the directories it needs" status_is 0
check "run prints the summary table" grep -q '^jobs  *submitted 6' "$tmp/out"
dir=$tmp/dir/deep
for file in summary.json jobs.csv timeline.csv queues.csv reasons.csv journal.jsonl scenario.json report.html timing.json; do
    check "the run directory has $file" [ -s "$dir/$file" ]
done
check "nothing is left under a temporary name" eval '[ -z "$(find "$dir" -name "*.tmp*")" ]'
while IFS='|' read -r file header; do
    check "columns of $file" equal "$(head -n 1 "$dir/$file" | cut -c "1-${#header}")" "$header"
done <<'ROWS'
jobs.csv|job_id,queue,user,class,gpus,submit_s,first_start_s,end_s,wait_s,queue_s,run_s,ideal_s,lost_s,preemptions,failures,moves,placement,slowdown,state,cost_usd
timeline.csv|time_s,installed,available,allocated,running,productive,pending_jobs,pending_gpus,frag,power_w
reasons.csv|time_s
queues.csv|queue
ROWS
check "a row of jobs.csv" grep -qx 'x2,qa,u2,train,1,1,10,20,9,9,10,10,0,0,0,0,A-0:1,1,completed,' "$dir/jobs.csv"
check "timeline.csv: a column group for each queue" eval 'head -n 1 "$dir/timeline.csv" | grep -q "qa:.*qb:.*qc:"'
# At 5 s x1, x3 and x4 run, x2, x5 and x6 wait for four devices.
check "timeline.csv at 5 s" equal "$(grep '^5,' "$dir/timeline.csv" | cut -d, -f1-8)" "5,4,4,4,4,4,3,4"
check "journal.jsonl: a start of each job" equal "$(grep -c '"kind": "start"' "$dir/journal.jsonl")" 6
for name in summary.json scenario.json timing.json; do
    check "$name is JSON" is_json "$dir/$name"
done
head -n 2 "$dir/journal.jsonl" | tail -n 1 >"$tmp/line.json"
check "a line of journal.jsonl is JSON" is_json "$tmp/line.json"
for key in fauxfleet_summary scenario scenario_digest trace_digest policy seed version jobs makespan_s utilization gpu_hours \
    wait_s queue_s jct_s bounded_slowdown by_class by_size fairness preemption fragmentation reliability cost fill engine; do
    check "summary.json has $key" grep -q "^ \"$key\": " "$dir/summary.json"
done
check "trace_digest is that of the trace" equal "$(json "$dir/summary.json" trace_digest)" \
    "sha256:$(sha256sum <"$data/bound.csv" | cut -d ' ' -f 1)"
check "the page needs nothing from elsewhere" eval '! grep -Eiq "(src|href)=\"(https?:)?//|<script[^>]+src|@import|url\(" "$dir/report.html"'

if command -v gnuplot >/dev/null; then
    check "figures have pictures, data and scripts" eval \
        '[ "$(ls "$dir/figures"/*.svg | wc -l)" -ge 3 ] && ls "$dir/figures"/*.dat "$dir/figures"/*.gp >"$tmp/out"'
    check "the page holds its pictures" eval '[ "$(grep -c "<svg" "$dir/report.html")" -ge 3 ]'
    cp "$dir/report.html" "$tmp/page.html"
    cp -r "$dir/figures" "$tmp/figures"
    rm -rf "$dir/figures" "$dir/report.html"
    run report "$dir"
    check "report makes the same page again" eval 'status_is 0 && same "$dir/report.html" "$tmp/page.html"'
    check "and the same figures" alike "$dir/figures" "$tmp/figures"
    run report "$dir" -o "$tmp/again.html"
    sed 's/href="[^"]*"//g' "$tmp/page.html" >"$tmp/page-without-links"
    sed 's/href="[^"]*"//g' "$tmp/again.html" >"$tmp/again-without-links"
    check "the page may be elsewhere: only its links change" eval \
        'status_is 0 && same "$tmp/again-without-links" "$tmp/page-without-links"'
    check "and lead to the files" [ -e "$tmp/$(sed -n 's/.*href="\([^"]*summary\.json\)".*/\1/p' "$tmp/again.html" | head -n 1)" ]
else
    skip "figures have pictures, data and scripts" "no gnuplot"
fi
mkdir "$tmp/no-path"
PATH=$tmp/no-path "$BIN" report "$dir" -o "$tmp/bare.html" >"$tmp/out" 2>"$tmp/err"
status=$?
check "without gnuplot there is a page that says so" eval 'status_is 0 && grep -q gnuplot "$tmp/bare.html"'

# --- options -------------------------------------------------------------------------------------

run run --check "$data/bound.json"
check "--check succeeds and writes nothing but the scenario" eval 'status_is 0 && silent err && is_json "$tmp/out"'
cp "$tmp/out" "$tmp/resolved.json"
cp "$data/bound.csv" "$tmp/bound.csv"
run run --check "$tmp/resolved.json"
check "what it prints loads again, unchanged" eval 'status_is 0 && same "$tmp/out" "$tmp/resolved.json"'
simulate "$tmp/resolved.json"
check "and runs the same way" eval 'status_is 0 && same "$tmp/run/jobs.csv" "$dir/jobs.csv"'
check "scenario.json is what --check prints" same "$tmp/run/scenario.json" "$tmp/resolved.json"

simulate "$data/node.json" --set fleet.pools.0.count=2 --set name=two --seed 9
check "--set changes the fleet" equal "$(schedule "$tmp/run")" "a:0-10 b:1-9 c:2-7 d:3-5 e:9-13 f:9-29"
check "--set and --seed show in the summary" equal \
    "$(json "$tmp/run/summary.json" scenario) $(json "$tmp/run/summary.json" seed)" "two 9"
simulate "$data/node.json" --set outputs.jobs=false --set outputs.journal=false --set outputs.timeline_s=0
check "outputs can be switched off" eval 'status_is 0 && absent "$tmp/run/jobs.csv" && absent "$tmp/run/journal.jsonl" &&
    absent "$tmp/run/timeline.csv"'
hash=$(json "$tmp/run/summary.json" engine.journal_sha256)
simulate "$data/node.json"
check "the hash of the journal does not depend on the file" equal "$hash" "$(json "$tmp/run/summary.json" engine.journal_sha256)"
simulate "$data/node.json" --policy sjf
check "other decisions have another hash" eval '[ "$hash" != "$(json "$tmp/run/summary.json" engine.journal_sha256)" ]'
run run "$data/node.json" -o "$tmp/json" --json --no-report --quiet
check "--json prints summary.json" eval 'status_is 0 && same "$tmp/out" "$tmp/json/summary.json"'
"$BIN" run "$data/node.json" --trace - -o "$tmp/stdin" --no-report --quiet <"$data/node.csv" >"$tmp/out" 2>"$tmp/err"
status=$?
check "--trace - reads standard input" eval 'status_is 0 && same "$tmp/stdin/jobs.csv" "$tmp/json/jobs.csv"'
for command in "run -o $tmp/again --replicas 2" "whatif --set policy.name=sjf" "plan --target max(wait)<=1"; do
    # shellcheck disable=SC2086
    "$BIN" ${command%% *} "$data/node.json" --trace - ${command#* } <"$data/node.csv" >"$tmp/out" 2>"$tmp/err"
    status=$?
    check "${command%% *} cannot read it several times, and says so" refused "several times, which standard input cannot be"
done

# --- the same trace in other formats -------------------------------------------------------------

# b and c are submitted at one time and keep their order, however the rest is shuffled.
printf 'job_id,submit_s,duration_s,gpus\na,0,10,3\nb,1,8,3\nc,1,5,1\nd,3,2,1\ne,4,4,4\n' >"$tmp/sorted.csv"
printf 'job_id,submit_s,duration_s,gpus\ne,4,4,4\nb,1,8,3\nd,3,2,1\nc,1,5,1\na,0,10,3\n' >"$tmp/shuffled.csv"
cp "$tmp/sorted.csv" "$tmp/trace.csv"
simulate "$data/node.json" --trace "$tmp/trace.csv"
check "two jobs of one time run in the order of the file" equal "$(schedule "$tmp/run")" "a:0-10 b:10-18 c:10-15 d:15-17 e:18-22"
mv "$tmp/run" "$tmp/in-order"
cp "$tmp/shuffled.csv" "$tmp/trace.csv"
simulate "$data/node.json" --trace "$tmp/trace.csv"
check "an unsorted trace is sorted" status_is 0
sed -i '/"trace_digest"/d' "$tmp/run/summary.json" "$tmp/in-order/summary.json"
check "and gives what the sorted one gives" alike "$tmp/run" "$tmp/in-order"
cp "$data/node.csv" "$tmp/trace.csv"
simulate "$data/node.json" --trace "$tmp/trace.csv"
rm -rf "$tmp/plain"
mv "$tmp/run" "$tmp/plain"
for packer in gzip zstd; do
    if ! command -v "$packer" >/dev/null; then
        skip "a trace packed by $packer gives the same bytes" "no $packer"
        continue
    fi
    "$packer" -c <"$data/node.csv" >"$tmp/trace.csv"
    simulate "$data/node.json" --trace "$tmp/trace.csv"
    check "a trace packed by $packer gives the same bytes" eval 'status_is 0 && alike "$tmp/run" "$tmp/plain"'
done

# --- replicas ------------------------------------------------------------------------------------

for threads in 1 2; do
    run run "$data/node.json" --replicas 3 -j "$threads" -o "$tmp/replicas-$threads" --quiet
    check "three replicas, -j $threads" status_is 0
done
check "results do not depend on -j" alike "$tmp/replicas-1" "$tmp/replicas-2"
check "the files of each are in rep-K" eval \
    '[ -s "$tmp/replicas-1/rep-1/jobs.csv" ] && [ -s "$tmp/replicas-1/rep-3/summary.json" ] && absent "$tmp/replicas-1/rep-4"'
check "the summary has sd and replicas" eval \
    'grep -q "^ \"sd\": {" "$tmp/replicas-1/summary.json" && grep -q "^ \"replicas\": \[" "$tmp/replicas-1/summary.json"'
check "the summary is JSON" is_json "$tmp/replicas-1/summary.json"
mean=$(for k in 1 2 3; do json "$tmp/replicas-1/rep-$k/summary.json" wait_s.mean; done |
    awk '{ sum += $1; square += $1 * $1 } END { printf "%.3f %.3f", sum / 3, sqrt((square - sum * sum / 3) / 2) }')
check "mean and sd of the mean waits" equal \
    "$(json "$tmp/replicas-1/summary.json" wait_s.mean | xargs printf %.3f) $(json "$tmp/replicas-1/summary.json" sd.wait_s.mean | xargs printf %.3f)" "$mean"
check "replicas have jitter: they differ" eval '! same "$tmp/replicas-1/rep-1/jobs.csv" "$tmp/replicas-1/rep-2/jobs.csv"'
run run "$data/node.json" --replicas 2 --set workload.shake_s=0 -o "$tmp/still" --quiet --no-report
check "unless shake_s is 0" same "$tmp/still/rep-1/jobs.csv" "$tmp/still/rep-2/jobs.csv"

# --- a directory that a previous run used --------------------------------------------------------

# files DIR: the names of its files, those of figures without their stems.
files() { (cd "$1" && find . -type f | sed 's|figures/[a-z_]*\.|figures/*.|' | sort -u | tr '\n' ' '); }

run run "$data/node.json" --replicas 3 -o "$tmp/reused" --quiet
echo mine >"$tmp/reused/notes.txt"
echo mine >"$tmp/reused/rep-2/notes.txt"
check "three replicas and a report" eval 'status_is 0 && [ -d "$tmp/reused/figures" ] && [ -s "$tmp/reused/report.html" ]'
run run "$data/node.json" -o "$tmp/reused" --quiet --no-report
check "of a run with replicas and a report one without leaves nothing but what others put there" equal "$status $(files "$tmp/reused")" \
    "0 ./heatmap.csv ./jobs.csv ./journal.jsonl ./notes.txt ./queues.csv ./reasons.csv ./rep-2/notes.txt ./scenario.json ./summary.json ./timeline.csv ./timing.json ./users.csv "
check "and folders go when they are empty" eval 'absent "$tmp/reused/rep-1" && absent "$tmp/reused/figures" && [ -d "$tmp/reused/rep-2" ]'
run run "$data/node.json" -o "$tmp/reused" --quiet --no-report --set outputs.journal=false --set outputs.jobs=false
check "files that are switched off go" eval 'status_is 0 && absent "$tmp/reused/jobs.csv" && absent "$tmp/reused/journal.jsonl" &&
    [ -s "$tmp/reused/queues.csv" ]'
run run "$data/node.json" -o "$tmp/reused" --quiet --set outputs.jobs=false
run run "$data/node.json" -o "$tmp/fresh" --quiet --set outputs.jobs=false
rm -r "$tmp/reused/notes.txt" "$tmp/reused/rep-2"
check "the same run gives the same directory there as elsewhere" alike "$tmp/reused" "$tmp/fresh"
run run "$data/node.json" --replicas 2 -o "$tmp/reused" --quiet
run run "$data/node.json" --replicas 2 -o "$tmp/fresh-replicas" --quiet
check "so do replicas after one" alike "$tmp/reused" "$tmp/fresh-replicas"
mkdir "$tmp/own"
cp "$data/node.csv" "$tmp/own/jobs.csv"
run run "$data/node.json" --trace "$tmp/own/jobs.csv" -o "$tmp/own" --quiet --no-report --set outputs.jobs=false
check "where no run has been files stay, whatever their names" eval 'status_is 0 && same "$tmp/own/jobs.csv" "$data/node.csv"'

# --- explain -------------------------------------------------------------------------------------

run run "$data/node.json" -o "$tmp/why" --no-report --quiet
while IFS='|' read -r arguments expected; do
    # shellcheck disable=SC2086
    run explain "$tmp/why" $arguments
    check "explain $arguments: $expected" eval 'status_is 0 && says out "$expected"'
done <<'ROWS'
b --at 5|DEVICES_BUSY
b --at 5|pending for  4s of 9s
b --at 5|wants 3 GPUs
d --at 5|BEHIND
d --at 5|behind       job b: DEVICES_BUSY
d --at 5|2 pending jobs are ahead of it
d|Job d at 6.5 s
d --at 14.999|Job d at 14.999 s
e --at 17 --json|"reason": "DEVICES_BUSY"
e --at 17 --json|"waited_s": 13
e --at 17 --json|"free_gpus": 1
a --at 5|it runs
a --at 10|it has ended
b --at 0|not submitted yet
ROWS
run explain "$tmp/why" e --at 17 --json
check "explain --json is JSON" is_json "$tmp/out"
run explain "$tmp/why" zz
check "explain of an unknown job is refused" refused "no job 'zz'"
simulate "$data/pieces.json"
run explain "$tmp/run" j6 --at 100.5 --json
check "explain: five devices free, but no whole node" says out '"reason": "DEVICES_BUSY"'
run explain "$tmp/run" j6 --at 101.5 --json
check "explain: eight devices free in pieces of two and three" says out '"reason": "FRAGMENTED"'
run explain "$tmp/run" j6 --at 101.5
check "explain: tasks that are not alike are tried too" eval 'silent err && says out "  alternative  starts now with "'
simulate "$data/node.json" --trace "$tmp/large.csv"
run explain "$tmp/run" d
check "explain: a job that never fits" says out NEVER_FITS

# A replica has its own seed and its own jitter: explain agrees with its jobs.csv.
run run "$data/node.json" --replicas 3 --seed 9007199254740993 -o "$tmp/shaken" --quiet --no-report --trace "$data/node.csv"
for k in 1 2 3; do
    sed 1d "$tmp/shaken/rep-$k/jobs.csv" >"$tmp/rows"
    while IFS=, read -r job _ _ _ _ submit start end wait _; do
        # Its whole wait, and a time when it was pending; in the millisecond before its submission
        # it did not exist.
        run explain "$tmp/shaken/rep-$k" "$job" --json
        if [ "$wait" = 0 ]; then
            check "explain, replica $k: $job started at once, at $start s" eval \
                'status_is 0 && equal "$(json "$tmp/out" at_s) $(json "$tmp/out" state)" "$start running"'
        else
            inside=$(awk -v t="$(json "$tmp/out" at_s)" -v a="$submit" -v b="$start" 'BEGIN { print (t >= a && t < b) }')
            check "explain, replica $k: $job waits from $submit to $start s" eval \
                'status_is 0 && equal "$(json "$tmp/out" waited_s) $(json "$tmp/out" state) $inside" "$wait pending 1"'
        fi
        run explain "$tmp/shaken/rep-$k" "$job" --at "$end"
        check "explain, replica $k: $job has ended at $end s" says out "it has ended"
    done <"$tmp/rows"
done
check "all replicas differ" eval '! same "$tmp/shaken/rep-1/jobs.csv" "$tmp/shaken/rep-2/jobs.csv" &&
    ! same "$tmp/shaken/rep-2/jobs.csv" "$tmp/shaken/rep-3/jobs.csv"'
run explain "$tmp/shaken" f --json
cp "$tmp/out" "$tmp/first"
run explain "$tmp/shaken/rep-1" f --json
check "the directory of all replicas is explained by the first" eval 'status_is 0 && same "$tmp/out" "$tmp/first"'
sed 's/"seed": 9007199254740993/"seed": 5/' "$tmp/shaken/rep-1/summary.json" >"$tmp/shaken/rep-2/summary.json"
run explain "$tmp/shaken/rep-2" a
check "a summary of another run is refused" refused "not of one run"

# --- refusals: exit code 2, a message that names the place, no half-written files ----------------

gzip -c "$data/node.csv" | head -c 40 >"$tmp/cut.csv.gz"
sed 's/,qc,/,qd,/' "$data/bound.csv" >"$tmp/queue.csv"
sed 's/^d,3,2,1/d,3,2,one/' "$data/node.csv" >"$tmp/value.csv"
sed 's/^d,3,2,1/d,3,-2,1/' "$data/node.csv" >"$tmp/negative.csv"
sed 's/^d,3,2,1/d,3,2/' "$data/node.csv" >"$tmp/short.csv"
sed 's/^d,3,2,1/d,99999999999999999999,2,1/' "$data/node.csv" >"$tmp/huge.csv"
sed '1s/gpus/gpuss/' "$data/node.csv" >"$tmp/column.csv"
sed 1q "$data/node.csv" >"$tmp/header.csv"
: >"$tmp/empty.csv"
head -c 2000 "$BIN" >"$tmp/binary.csv"
printf '{"fauxfleet_scenario": 1,\n "name": "x",\n' >"$tmp/cut.json"
printf '{"fauxfleet_scenario": 1,\n "fleat": {}}\n' >"$tmp/key.json"
printf '{"fauxfleet_scenario": 1,\n "name": 5}\n' >"$tmp/type.json"
: >"$tmp/file"
mkdir -p "$tmp/taken/jobs.csv"
cp -r "$tmp/why" "$tmp/kept"
while IFS='|' read -r scenario arguments expected; do
    case $scenario in
    node | bound) scenario=$data/$scenario.json ;;
    *) scenario=$tmp/$scenario.json ;;
    esac
    rm -rf "$tmp/bad"
    # shellcheck disable=SC2046
    run run "$scenario" -o "$tmp/bad" --quiet $(echo "$arguments" | sed "s|@|$tmp/|g")
    check "refused: ${scenario##*/} $arguments" refused "$expected"
    check "and nothing is written" eval '[ -z "$(find "$tmp/bad" -type f 2>/dev/null)" ]'
done <<'ROWS'
node|--trace @cut.csv.gz|cut.csv.gz:1:1: truncated gzip data
node|--trace @value.csv|value.csv:5:4: column 'gpus': 'one'
node|--trace @negative.csv|negative.csv:5:3: column 'duration_s': '-2'
node|--trace @short.csv|short.csv:5:4: the row has 3 fields, the header has 4
node|--trace @huge.csv|huge.csv:5:2: column 'submit_s'
node|--trace @column.csv|column.csv:1:4: column 4: unknown name 'gpuss', did you mean 'gpus'?
node|--trace @header.csv|header.csv:2:1: the trace has no jobs
node|--trace @empty.csv|empty.csv:1:1: the file is empty
node|--trace @binary.csv|binary.csv:1:1: unknown format
node|--trace @missing.csv|missing.csv
node|--trace @taken|is a directory
bound|--trace @queue.csv|queue 'qd'
bound|--trace @queue.csv|did you mean 'qa'?
node|--policy fifoo|no policy is named 'fifoo', did you mean 'fifo'?
node|--set policy.options.blockin=skip|no policy option is named 'blockin', did you mean 'blocking'?
node|--set policy.options.blocking=maybe|'maybe' is not valid, expected strict or skip
node|--set policy.options.blocking=skp|expected strict or skip, did you mean 'skip'?
node|--policy fof|did you mean 'fifo'?
node|--set faults.profile=h10|unknown profile of faults 'h10', did you mean 'h100'?
node|--policy static|queues have to be listed with their quotas
bound|--policy static|has no quota, and with policy 'static' no queue has more
node|--set policy.options.placement=best-fits|did you mean 'best-fit'?
node|--set polcy.name=fifo|unknown key 'polcy', did you mean 'policy'?
node|--set fleet.pools.0.count=0|fleet.pools.0.count
node|--set fleet.pools.0.node=dgx-h10|did you mean 'dgx-h100'?
node|--set workload.format=swff|did you mean 'swf'?
node|--set seed=-1|seed
missing||missing.json
cut||cut.json:3
key||key.json:2
key||did you mean 'fleet'?
type||type.json:2
ROWS
run run "$data/node.json"
check "refused: no output directory" refused "-o DIR"
run run "$data/node.json" -o "$tmp/file/x" --quiet
check "refused: an output directory below a file" refused "$tmp/file"
run run "$data/node.json" -o "$tmp/file" --quiet
check "refused: a file for an output directory" refused "$tmp/file"
run run "$data/node.json" -o "$tmp/taken" --quiet
check "refused: a directory in the place of jobs.csv" refused "jobs.csv"
check "and no temporary file is left" eval '[ -z "$(find "$tmp/taken" -type f)" ]'
run run "$data/node.json" --trace "$tmp/value.csv" -o "$tmp/kept" --quiet
check "a run that fails leaves the previous run as it was" eval 'status_is 2 && alike "$tmp/kept" "$tmp/why"'
(
    ulimit -f 64
    "$BIN" run scenarios/examples/demo.json -o "$tmp/full" --quiet
) >"$tmp/out" 2>"$tmp/err"
status=$?
check "a write that fails is an error that names the file" eval '[ "$status" -ne 0 ] && says err "$tmp/full/"'
check "and leaves no short file" eval '[ -z "$(find "$tmp/full" -name "*.tmp*" -o -name jobs.csv)" ]'
run report "$tmp/taken"
check "report of a directory without a run is refused" refused "summary.json"
run explain "$tmp/taken" a
check "explain of neither run directory nor snapshot is refused" refused "$tmp/taken"

# --- interruption --------------------------------------------------------------------------------

# Far more jobs than it has time to simulate. The temporary file of jobs.csv shows that it has
# begun. Shells start background programs with SIGINT ignored, so the default is restored; the limit
# ends programs that do not react.
if env --default-signal=INT true 2>/dev/null; then
    (
        ulimit -f 1000000
        exec env --default-signal=INT "$BIN" run scenarios/examples/bench.json -o "$tmp/stopped" --quiet \
            --set outputs.journal=true --set 'workload.generate={"profile":"batch","jobs":1000000000}'
    ) >"$tmp/out" 2>"$tmp/err" </dev/null &
    pid=$!
    while ! ls "$tmp/stopped/jobs.csv".*.tmp >/dev/null 2>&1 && kill -0 "$pid" 2>/dev/null; do :; done
    kill -INT "$pid"
    wait "$pid"
    status=$?
    check "SIGINT is exit code 130" status_is 130
    check "complete files are there, whole" eval \
        '[ -s "$tmp/stopped/summary.json" ] && [ -s "$tmp/stopped/jobs.csv" ] && is_json "$tmp/stopped/summary.json"'
    check "and no temporary file" eval '[ -z "$(find "$tmp/stopped" -name "*.tmp*")" ]'
else
    skip "SIGINT is exit code 130" "env cannot reset signals"
fi

finish
