#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Jobs that follow others, arrays and closed runs, from the command line: results of arithmetic,
# where they are shown, what `explain` says of a held job, and refusals. Checks are given as text
# and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

# Preparation, then a sweep of five of which two run at a time, then a job that runs however they
# end; and one that needs a job that fails.
cat >"$tmp/jobs.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,after,array,array_limit,status,think_s
prepare,0,100,1,,,,completed,
s1,1,50,1,prepare,sweep,2,completed,
s2,1,10,1,prepare,sweep,2,cancelled,
s3,1,10,1,prepare,sweep,2,cancelled,
s4,1,40,1,prepare,sweep,2,completed,
s5,1,5,1,prepare,sweep,2,failed,
final,2,10,1,any:s1|any:s2|any:s3|any:s4|any:s5,,,completed,30
lost,2,10,1,s5,,,completed,
CSV
cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 1}]},
 "workload": {"trace": "jobs.csv"}, "policy": {"name": "fifo"}}
JSON

# Columns of jobs.csv by the job's name: first start, end, wait and state.
life() { awk -F, -v id="$2" '$1 == id { for (i = 7; i <= 9; i++) printf "%s ", $i == "" ? "-" : $i; print $19 }' "$tmp/$1/jobs.csv"; }

run run "$tmp/s.json" -o "$tmp/run" --audit --quiet
check "it runs" status_is 0
cp "$tmp/out" "$tmp/run.out"
# s1 100-150, s2 100-110, s3 110-120, s4 120-160, s5 150-155; final 30 s after the last of them.
while read -r id story; do
    check "$id" equal "$(life run "$id")" "$story"
done <<'ROWS'
prepare 0 100 0 completed
s1 100 150 0 completed
s2 100 110 0 cancelled
s3 110 120 0 cancelled
s4 120 160 0 completed
s5 150 155 0 failed
final 190 200 0 completed
lost - - - cancelled
ROWS
check "figures" equal \
    "$(for key in linked unknown cancelled arrays array_jobs capped still_held held_s.max; do
        printf '%s ' "$(json "$tmp/run/summary.json" "dependencies.$key")"; done)" "7 0 1 1 5 3 0 188 "
check "completion counts from the submission" equal "$(json "$tmp/run/summary.json" jct_s.max)" 198
check "the loss ledger adds up" eval 'awk -F": *" "{ gsub(/[,\" ]/, \"\", \$1) }
    \$1 == \"installed\" { i = \$2 + 0 } \$1 == \"productive\" { p = \$2 + 0 }
    \$1 == \"lost\" { on = 1 } on && /}/ { on = 0 } on { lost += \$2 + 0 }
    END { d = i - p - lost; exit !(d < 1e-5 && d > -1e-5) }" "$tmp/run/summary.json"'
check "shown" grep -q '^links .*cancelled' "$tmp/run.out"
check "shown in the report" grep -q 'Jobs that wait for jobs' "$tmp/run/report.html"
run explain "$tmp/run" final --at 180
check "explained: held, thinking" eval 'status_is 0 && says out "held for" && says out "its user thinks"'
run explain "$tmp/run" s5 --at 105
check "explained: held by its array" eval 'status_is 0 && says out "as many jobs of its array"'
run explain "$tmp/run" s5 --at 50 --json
check "explained: held by others" eval 'status_is 0 && says out "\"held\"" && says out "other jobs have to end first"'

# The same bytes again, and through the writer.
run run "$tmp/s.json" -o "$tmp/again" --quiet
check "again" cmp "$tmp/run/jobs.csv" "$tmp/again/jobs.csv"
run trace convert "$tmp/jobs.csv" -o "$tmp/copy.csv"
run run "$tmp/s.json" -o "$tmp/copy" --trace "$tmp/copy.csv" --quiet
check "written and read" cmp "$tmp/run/jobs.csv" "$tmp/copy/jobs.csv"

# No dependencies in the output if no job waits for another.
cut -d, -f1-4 "$tmp/jobs.csv" >"$tmp/plain.csv"
run run "$tmp/s.json" -o "$tmp/plain" --trace "$tmp/plain.csv" --quiet
check "absent elsewhere" eval '! grep -q "dependencies\|^links" "$tmp/plain/summary.json" "$tmp/out"'
run trace convert "$tmp/plain.csv" -o -
check "nor written" eval '! grep -q "array_limit" "$tmp/out"'

# A user who reacts: on one device a ends at 200, not at 100, so the next job comes that much later.
cat >"$tmp/users.csv" <<'CSV'
job_id,submit_s,duration_s,gpus,user
b,0,100,1,bob
a,0,100,1,ann
c,110,50,1,ann
CSV
run run "$tmp/s.json" -o "$tmp/closed" --trace "$tmp/users.csv" --set workload.mode=closed --audit --quiet \
    --set 'fleet.pools=[{"name": "p", "node": {"gpus": 1}, "count": 1}]'
check "closed: runs" status_is 0
check "closed: comes 10 s after the end of a" equal "$(life closed c)" "210 260 0 completed"
run run "$tmp/s.json" -o "$tmp/closed2" --trace "$tmp/users.csv" --set workload.mode=closed --audit --quiet \
    --set 'fleet.pools=[{"name": "p", "node": {"gpus": 1}, "count": 1}]' --set workload.think_max_s=5s
check "closed: after a break he comes when he came" equal "$(life closed2 c)" "200 250 90 completed"
check "closed: reactions" equal "$(json "$tmp/closed/summary.json" dependencies.reactions)" 1
check "closed: none" equal "$(json "$tmp/closed2/summary.json" dependencies.reactions)" 0

# Early stopping: one job in three of a sweep continues from each rung; a stopped job has done
# exactly that much work, counts as completed, and lets the next one of its array in. Same winners
# under any policy, with evictions and faults.
{
    echo "job_id,submit_s,duration_s,gpus,array,array_limit,rungs_s,eta,after"
    for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do
        echo "t$i,0,900,1,sweep,4,100|300.5,3,"
    done
    echo "best,1,60,8,,,,,t1|t2|t3|t24"
} >"$tmp/sweep.csv"
run run "$tmp/s.json" -o "$tmp/sweep" --trace "$tmp/sweep.csv" --audit --quiet
check "a sweep runs" status_is 0
cp "$tmp/out" "$tmp/sweep.out"
count_of() { awk -F, -v s="$2" 'NR > 1 && $19 == s' "$tmp/$1/jobs.csv" | wc -l; }
stopped=$(count_of sweep stopped)
check "some are stopped, some get to the end" eval '[ "$stopped" -gt 8 ] && [ "$stopped" -lt 24 ]'
check "completed or stopped, all of them" equal "$(($(count_of sweep completed) + stopped))" 25
check "a stopped job has done as much work as its rung says" eval \
    '! awk -F, "NR > 1 && \$19 == \"stopped\"" "$tmp/sweep/jobs.csv" | cut -d, -f12 | grep -qvx "100\|300.5"'
check "a job that waits for them comes" grep -q '^best,.*,completed,' "$tmp/sweep/jobs.csv"
check "its figures" equal "$(json "$tmp/sweep/summary.json" jobs.stopped) $(json "$tmp/sweep/summary.json" dependencies.stopped)" \
    "$stopped $stopped"
check "what they did counts as productive" eval '[ "$(json "$tmp/sweep/summary.json" gpu_hours.lost.user)" = 0 ]'
check "shown with the jobs" grep -q "stopped $stopped" "$tmp/sweep.out"
run trace convert "$tmp/sweep.csv" -o "$tmp/sweep2.csv"
run run "$tmp/s.json" -o "$tmp/sweep2" --trace "$tmp/sweep2.csv" --quiet
check "converted and run again" same "$tmp/sweep/jobs.csv" "$tmp/sweep2/jobs.csv"
run run "$tmp/s.json" -o "$tmp/sweep3" --trace "$tmp/sweep.csv" --seed 2 --quiet
check "another seed, other winners" eval '! same "$tmp/sweep/jobs.csv" "$tmp/sweep3/jobs.csv"'
for policy in las srtf runai; do
    run run "$tmp/s.json" -o "$tmp/sweep3" --trace "$tmp/sweep.csv" --policy $policy --audit --quiet \
        --set 'faults={"profile": "h100", "scale": 2000}' --set 'checkpoint={"interval": "2m", "write": "10s", "restart": "20s"}' \
        --set 'network=contention'
    check "with $policy, faults and checkpoints" eval 'status_is 0 && [ "$(count_of sweep3 stopped)" -gt 4 ] &&
        ! awk -F, "NR > 1 && \$19 == \"stopped\"" "$tmp/sweep3/jobs.csv" | cut -d, -f12 | grep -qvx "100\|300.5"'
done
sed 's/t7,0,900,1,sweep,4,100|300.5,3/t7,0,900,1,sweep,4,100|301,3/' "$tmp/sweep.csv" >"$tmp/bad.csv"
run run "$tmp/s.json" -o "$tmp/no" --trace "$tmp/bad.csv" --quiet
check "two ladders of one array" refused "rungs_s or eta are others than of jobs of array 'sweep'"

# SWF: preceding jobs and think times are reported, and honoured when asked for: 2 waits for 1
# (0-100) and 30 s more, 3 for 2, which fails; 4 for a job that comes later.
cat >"$tmp/log.swf" <<'SWF'
; Version: 2.2
1 0 -1 100 1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1
2 5 -1 50 1 -1 -1 1 -1 -1 0 1 -1 -1 1 -1 1 30
3 6 -1 10 1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 2 -1
4 7 -1 10 1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 5 -1
5 8 -1 10 1 -1 -1 1 -1 -1 1 1 -1 -1 1 -1 -1 -1
SWF
run run "$tmp/s.json" -o "$tmp/swf" --trace "$tmp/log.swf" --no-report
check "SWF: not waited for unless asked for" eval 'equal "$(life swf 2)" "5 55 0 failed" &&
    says err "3 rows: preceding job (field 17) is not waited for"'
run run "$tmp/s.json" -o "$tmp/swf" --trace "$tmp/log.swf" --set workload.options.dependencies=honour --audit --no-report
while read -r id story; do
    check "SWF: job $id" equal "$(life swf "$id")" "$story"
done <<'ROWS'
1 0 100 0 completed
2 130 180 0 failed
3 180 190 0 completed
4 7 17 0 completed
ROWS
check "SWF: an unknown preceding job is noted" says err "1 row: preceding job is unknown or comes later"
run trace stats "$tmp/log.swf" --option dependencies=honour
check "SWF: counted" eval 'says out "dependencies 2 jobs wait for others, 2 in all" && says out "think times  1 jobs, mean 30"'
run trace stats "$tmp/log.swf" --option dependencies=honour --json
check "SWF: counted in JSON" says out '"dependencies": 2'
run trace convert "$tmp/log.swf" --option dependencies=honour -o "$tmp/log.csv"
check "SWF: read" grep -q '^2,5,.*,any:1,30,' "$tmp/log.csv"
run trace convert "$tmp/log.csv" -o "$tmp/back.swf"
links_of() { grep -v '^;' "$1" | cut -d' ' -f1-4,17,18; }
links_of "$tmp/log.swf" | sed 's/ 5 -1$/ -1 -1/' >"$tmp/want.txt"
links_of "$tmp/back.swf" >"$tmp/got.txt"
check "SWF: written" same "$tmp/got.txt" "$tmp/want.txt"
run trace convert "$tmp/jobs.csv" -o "$tmp/lost.swf"
check "SWF: dependencies that it cannot express are counted" eval 'says err "1 jobs that depend on several others" &&
    says err "6 jobs that depend on another" && says err "5 jobs of arrays"'

run run "$tmp/s.json" -o "$tmp/no" --set workload.think_max_s=5s --quiet
check "think_max_s of an open run" refused 'workload.think_max_s: is only used where workload.mode is "closed"'
run run "$tmp/s.json" -o "$tmp/no" --set workload.mode=fill --quiet
check "a packing study" refused 'waits for jobs to end (after)'
sed 's/sweep,2,failed/sweep,3,failed/' "$tmp/jobs.csv" >"$tmp/limits.csv"
run run "$tmp/s.json" -o "$tmp/no" --trace "$tmp/limits.csv" --quiet
check "two limits of one array" refused "array_limit is 3, but 2 for jobs of array 'sweep'"
sed 's/,sweep,2,failed/,,2,failed/' "$tmp/jobs.csv" >"$tmp/nameless.csv"
run run "$tmp/s.json" -o "$tmp/no" --trace "$tmp/nameless.csv" --quiet
check "a limit of no array" refused "array_limit is 2 without array"

finish
