#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sweep and merge: a sweep over the demo scenario gives the same bytes on any number of threads and
# in any number of shards; each point equals a `run`; a killed sweep resumes where it was; merge
# refuses incomplete or mismatched results.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

plan=$PWD/tests/e2e/data/sweep.json
demo=$PWD/scenarios/examples/demo.json

# sweep NAME ARGUMENT...: runs the plan into $tmp/NAME.
sweep() {
    into=$tmp/$1
    shift
    run sweep "$plan" -o "$into" --quiet "$@"
}

lines() { wc -l <"$1" | tr -d ' '; }
files() { find "$1" -type f | wc -l | tr -d ' '; }

# cell FILE COLUMN ROW: of a CSV whose cells before the column have no comma; the header is row 0.
cell() { awk -F, -v column="$2" -v row="$3" 'NR == row + 1 { print $column }' "$1"; }

# --- one machine ---------------------------------------------------------------------------------

sweep one -j 1
check "a sweep ends well and prints nothing" eval 'status_is 0 && silent out && silent err'
check "24 points: a row each, and the header" equal "$(lines "$tmp/one/results.csv")" 25
check "a result each" equal "$(files "$tmp/one/points")" 24
check "no temporary files" equal "$(find "$tmp/one" -name '*.tmp' | wc -l | tr -d ' ')" 0
check "columns are keys, then metrics, then the point" equal "$(head -n 1 "$tmp/one/results.csv")" \
    "policy,policy.cycle_s,workload.generate.load,faults,seed,jobs.completed,wait_s.mean,wait_s.p95,utilization.fleet_goodput,reliability.ettr,engine.journal_sha256,point"
check "the last key varies fastest" equal "$(sed 's/,"[^"]*""[^,]*"".*"//' "$tmp/one/results.csv" | cut -d, -f1,3 | tail -n +2 | uniq -c | awk '{ print $1 "x" $2 }' | tr '\n' ' ')" \
    "6xfifo,0.6 6xfifo,0.9 6xsjf,0.6 6xsjf,0.9 "
for threads in 2 5; do
    sweep "threads-$threads" -j "$threads"
    check "-j $threads: the same files, the same bytes" alike "$tmp/one" "$tmp/threads-$threads"
done

# Point 2: fifo, load 0.6, no faults, seed 2.
id=$(cell "$tmp/one/results.csv" 12 2)
point=$tmp/one/points/$id.json
check "the point lists its changes" grep -qF '"changes": {"policy": "fifo", "workload.generate.load": 0.6, "faults": null, "seed": 2}' "$point"
run run "$demo" --policy fifo --set workload.generate.load=0.6 --set faults=null --seed 2 -o "$tmp/run" --no-report --quiet
sed -n 's/^ //; /^"summary": {/,$p' "$point" | sed '1s/.*/{/; $d' >"$tmp/summary.json"
check "and has the summary that run writes for it" same "$tmp/summary.json" "$tmp/run/summary.json"
check "so does its row" equal "$(cell "$tmp/one/results.csv" 11 2)" "$(json "$tmp/run/summary.json" engine.journal_sha256)"

# --- its page --------------------------------------------------------------------------------------

page=$tmp/one/report.html
check "a page: small heat maps of two of the three keys that vary" eval '[ "$(grep -c "<table class=\"heat\">" "$page")" = 10 ]'
check "one for each policy, whose cycle interval is no axis" eval 'grep -q "policy</span>: sjf" "$page" && ! grep -q "policy.cycle_s" "$page"'
check "metrics in words, their names in tooltips" eval 'grep -q "title=\"wait_s.p95: [^\"]*\">Wait, p95</span>" "$page"'
check "no name of a metric is in the text" equal "$(sed 's/<[^>]*>//g' "$page" | grep -c '[a-z]_[a-z]')" 0
run report "$tmp/one" -o "$tmp/again.html"
check "report makes it again" eval 'status_is 0 && same "$page" "$tmp/again.html"'
sweep without --no-report
check "--no-report leaves it out" absent "$tmp/without/report.html"
cat >"$tmp/loads.json" <<END
{"fauxfleet_sweep": 1, "scenario": "$demo", "grid": {"workload.generate.load": [0.9, 0.6, 0.7]}, "seeds": 5, "metrics": ["wait_s.mean", "cost.usd_per_year"]}
END
run sweep "$tmp/loads.json" -o "$tmp/loads" --quiet
check "one key: a line" eval 'status_is 0 && grep -q "What is the effect of the offered load?" "$tmp/loads/report.html"'
check "over rising values" equal "$(awk '!/^#/ { print $1 }' "$tmp/loads/figures/metric_1.dat" | tr '\n' ' ')" "0.6 0.7 0.9 "
mean=$(awk -F, 'NR > 1 && $1 == 0.7 { sum += $3 } END { printf "%.4f", sum / 5 / 3600 }' "$tmp/loads/results.csv")
check "of means over the seeds" equal "$(awk '$1 == 0.7 { printf "%.4f", $2 }' "$tmp/loads/figures/metric_1.dat")" "$mean"

# --- resuming ------------------------------------------------------------------------------------

cp -r "$tmp/one" "$tmp/part"
rm "$tmp/part/results.csv" "$tmp/part/points/$id.json"
other=$(cell "$tmp/one/results.csv" 12 1)
printf '{"fauxfleet_point": 1' >"$tmp/part/points/$other.json"
run sweep "$plan" -o "$tmp/part"
check "only missing or damaged points are simulated" eval 'status_is 0 && says err "24 points: 2 simulated, 22 were complete" && says err "simulated again"'
check "and everything is as before" alike "$tmp/one" "$tmp/part"
run sweep "$plan" -o "$tmp/part"
check "a sweep that is complete simulates nothing" says err "24 points: 0 simulated, 24 were complete"

# Killed in the middle, again and again: every time with some results, all of them whole.
cat >"$tmp/many.json" <<END
{"fauxfleet_sweep": 1, "scenario": "$demo", "seeds": 150, "metrics": ["wait_s.mean"]}
END
run sweep "$tmp/many.json" -o "$tmp/whole" -j 2 --quiet
check "150 seeds" status_is 0
check "chance alone: a table" grep -q "How much does chance change?" "$tmp/whole/report.html"
kills=0
while [ "$kills" -lt 4 ]; do
    before=$(files "$tmp/killed/points" 2>/dev/null || echo 0)
    "$BIN" sweep "$tmp/many.json" -o "$tmp/killed" -j 2 --quiet 2>"$tmp/err" &
    pid=$!
    while kill -0 "$pid" 2>/dev/null && [ "$(files "$tmp/killed/points" 2>/dev/null || echo 0)" -le $((before + 10)) ]; do :; done
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    kills=$((kills + 1))
done
check "it was killed before its end" absent "$tmp/killed/results.csv"
whole=0
for result in "$tmp"/killed/points/*.json; do
    cmp -s "$result" "$tmp/whole/points/${result##*/}" && whole=$((whole + 1))
done
done_before=$(find "$tmp/killed/points" -name '*.json' | wc -l | tr -d ' ')
check "every existing result is whole" eval '[ "$whole" -gt 0 ] && equal "$whole" "$done_before"'
run sweep "$tmp/many.json" -o "$tmp/killed" -j 2
check "the same command does the rest" eval 'status_is 0 && says err "150 points: $((150 - done_before)) simulated, $done_before were complete"'
check "and ends with the same bytes" alike "$tmp/whole" "$tmp/killed"

"$BIN" sweep "$tmp/many.json" -o "$tmp/stopped" 2>"$tmp/err" >"$tmp/out" &
pid=$!
while kill -0 "$pid" 2>/dev/null && [ "$(files "$tmp/stopped/points" 2>/dev/null || echo 0)" -le 5 ]; do :; done
kill -INT "$pid" 2>/dev/null
wait "$pid"
status=$?
check "Ctrl-C ends it in good order" eval 'status_is 130 && says err "interrupted" && [ ! -s "$tmp/out" ]'
check "without a page" absent "$tmp/stopped/report.html"
check "with the table of complete points" equal "$(lines "$tmp/stopped/results.csv")" "$(($(files "$tmp/stopped/points") + 1))"

# --- shards --------------------------------------------------------------------------------------

for shards in 1 3 7; do
    i=1
    dirs=
    while [ "$i" -le "$shards" ]; do
        sweep "shard-$i-of-$shards" --shard "$i/$shards"
        status_is 0 || check "shard $i of $shards" false
        dirs="$tmp/shard-$i-of-$shards $dirs"
        sweep "together-$shards" --shard "$i/$shards"
        i=$((i + 1))
    done
    # shellcheck disable=SC2086
    run merge $dirs -o "$tmp/merged-$shards.csv"
    check "$shards shards merge into the same bytes" eval 'status_is 0 && silent err && same "$tmp/merged-$shards.csv" "$tmp/one/results.csv"'
    run report "$tmp/together-$shards"
    check "$shards shards have the page of the whole" eval 'status_is 0 && same "$tmp/together-$shards/report.html" "$tmp/one/report.html"'
    run merge "$tmp/together-$shards"
    check "$shards shards in one folder too, on standard output" eval 'status_is 0 && same "$tmp/out" "$tmp/one/results.csv"'
done
total=$(cat "$tmp"/shard-*-of-7/points/*.json | grep -c '"fauxfleet_point"')
check "no point is in two shards" equal "$total" 24
check "shards are even" equal "$(for d in "$tmp"/shard-*-of-7/points; do files "$d"; done | sort -n | tr '\n' ' ')" "3 3 3 3 4 4 4 "
run merge "$tmp/shard-1-of-3" "$tmp/one" "$tmp/shard-2-of-3" "$tmp/one" -o "$tmp/merged.csv"
check "a point that is in several folders counts once" eval 'status_is 0 && same "$tmp/merged.csv" "$tmp/one/results.csv"'

for i in 1 2 3 4; do
    (cd "$tmp" && SLURM_ARRAY_TASK_ID=$((10 + i)) SLURM_ARRAY_TASK_MIN=11 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=4 \
        "$BIN" sweep "$plan" -o array --quiet --shard auto) || check "shard $i of an array" false
done
run merge "$tmp/array" -o "$tmp/merged.csv"
check "a Slurm array does it" eval 'status_is 0 && same "$tmp/merged.csv" "$tmp/one/results.csv"'
(unset SLURM_ARRAY_TASK_ID SLURM_PROCID OMPI_COMM_WORLD_RANK PMI_RANK JOB_COMPLETION_INDEX PARALLEL_SEQ FAUXFLEET_SHARD_INDEX
    "$BIN" sweep "$plan" -o "$tmp/nobody" --shard auto >"$tmp/out" 2>"$tmp/err")
status=$?
check "auto without an engine is an error" refused "nothing says which part this is"

# --- scripts for engines -------------------------------------------------------------------------

mkdir "$tmp/a b"
PATH=$tmp/bin:$PATH
mkdir "$tmp/bin"
ln -s "$BIN" "$tmp/bin/fauxfleet"
run sweep "$plan" -o "$tmp/a b/it's" -j 2 --shard auto/3 --emit slurm --set 'description={"a": "$HOME"}' --set 'cost={}'
check "the value of an option is checked before" refused "description"
run sweep "$plan" -o "$tmp/a b/it's" -j 2 --shard auto/3 --emit slurm --set 'description=$HOME "q"' --set 'cost={}'
cp "$tmp/out" "$tmp/sweep.sh"
check "a script for Slurm" eval 'status_is 0 && grep -qx "#SBATCH --array=1-3" "$tmp/sweep.sh" && grep -qx "#SBATCH --cpus-per-task=2" "$tmp/sweep.sh"'
for i in 1 2 3; do
    SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=3 SLURM_PROCID=0 SLURM_NTASKS=1 sh "$tmp/sweep.sh" ||
        check "the script runs" false
done
run merge "$tmp/a b/it's"
check "does the whole sweep" eval 'status_is 0 && equal "$(lines "$tmp/out")" 25'
cp "$tmp/out" "$tmp/emitted.csv"
run sweep "$plan" -o "$tmp/parallel" --shard auto/3 --emit parallel --set 'description=$HOME "q"' --set 'cost={}'
cp "$tmp/out" "$tmp/parallel.sh"
check "a script for GNU parallel" eval 'status_is 0 && sh -n "$tmp/parallel.sh" && says out "parallel "'
if command -v parallel >/dev/null; then
    (cd "$tmp" && JOBS=2 sh ./parallel.sh >parallel.log 2>&1)
    check "does the whole sweep" same "$tmp/results.csv" "$tmp/emitted.csv"
else
    skip "the script for GNU parallel does the whole sweep" "no parallel"
fi
run sweep "$plan" -o out --shard auto/3 --emit k8s
check "a manifest for Kubernetes" eval 'status_is 0 && says out "completionMode: Indexed" && says out "completions: 3" && says out "{name: JOB_COMPLETIONS, value: \"3\"}"'
check "with a name that Kubernetes takes" says out "name: sweep-demo-by-policy--load-and-seed"
run sweep "$plan" -o out --emit slrm
check "an unknown engine is an error" refused "did you mean 'slurm'?"
check "nothing was made" absent out

# --- refusals of merge ---------------------------------------------------------------------------

run merge "$tmp/shard-2-of-3" "$tmp/shard-3-of-3" -o "$tmp/incomplete.csv"
check "an incomplete merge" status_is 3
check "names every point that is missing" equal "$(grep -c 'missing: point' "$tmp/err")" 8
check "with its changes" eval 'grep -q "missing: point [0-9]* [0-9a-f]\{64\} (policy=[a-z]* .*seed=" "$tmp/err"'
check "and writes nothing" absent "$tmp/incomplete.csv"

cp -r "$tmp/one" "$tmp/forged"
sed 's/"makespan_s": [0-9.]*/"makespan_s": 1/' "$point" >"$tmp/forged/points/$id.json"
run merge "$tmp/one" "$tmp/forged" -o "$tmp/forged.csv"
check "results of one point that differ" eval 'refused "point 2 (policy=fifo" && says err "differ" && absent "$tmp/forged.csv"'
run merge "$tmp/one" "$tmp/whole" -o "$tmp/mixed.csv"
check "folders of two sweeps" refused "hold different sweeps"
run merge "$tmp/run"
check "a folder of no sweep" refused "is not the folder of a sweep"
sweep others --set 'policy.options.placement=spread'
run merge "$tmp/one" "$tmp/others"
check "the same plan with another option is another sweep" refused "hold different sweeps"

if "$BIN" --version | grep -q 'no SQLite'; then
    run merge "$tmp/one" -o "$tmp/merged.db"
    check "without SQLite a database is refused" refused "built without SQLite"
else
    run merge "$tmp/one" -o "$tmp/one.db"
    check "a database" status_is 0
    run merge "$tmp/shard-3-of-3" "$tmp/shard-1-of-3" "$tmp/shard-2-of-3" -o "$tmp/three.db"
    check "of shards the same bytes" eval 'status_is 0 && same "$tmp/one.db" "$tmp/three.db"'
    if command -v sqlite3 >/dev/null; then
        check "a row a point" equal "$(sqlite3 "$tmp/one.db" 'select count(*), count(distinct point) from results')" "24|24"
        check "with its metrics" equal "$(sqlite3 "$tmp/one.db" "select \"engine.journal_sha256\" from results where point = '$id'")" "$(json "$tmp/run/summary.json" engine.journal_sha256)"
        check "and all numbers of its summary" equal "$(sqlite3 "$tmp/one.db" "select value from metrics where point = '$id' and metric = 'by_class.train.wait_s.p95'")" "$(json "$tmp/run/summary.json" by_class.train.wait_s.p95)"
    else
        skip "what is in the database" "no sqlite3"
    fi
fi

# --- plans ---------------------------------------------------------------------------------------

# planned WHAT EXPECTED JSON [ARGUMENT...]: the plan is refused with this text.
planned() {
    what=$1
    expected=$2
    printf '%s\n' "$3" | sed "s|DEMO|$demo|" >"$tmp/plan.json"
    shift 3
    run sweep "$tmp/plan.json" -o "$tmp/refused" "$@"
    check "$what" eval 'refused "$expected" && absent "$tmp/refused"'
}
planned "a key that there is not" "plan.json:2: policy.cycle_z: unknown key" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "grid": {
 "policy.cycle_z": [1]}}'
planned "a value that does not fit" "plan.json: points[1]: replicas: expected an integer" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "points": [{"replicas": 2}, {"replicas": -2}]}'
planned "a policy that there is not" "no policy is named 'fifi', did you mean 'fifo'?" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "grid": {"policy": ["sjf", "fifi"]}}'
printf '{"fauxfleet_sweep": 1, "scenario": "%s", "metrics": ["wait_s.meen", "wait_s.mean"]}' "$demo" >"$tmp/misspelt.json"
run sweep "$tmp/misspelt.json" -o "$tmp/misspelt"
check "a metric without a value in any point is noted" eval 'status_is 0 && says err "no point has a value of the metric '"'wait_s.meen'"'" && ! says err "'"'wait_s.mean'"'"'
planned "a metric that there is not" "no metric is named 'wait'" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "metrics": ["wait"]}'
planned "points that are the same" "points 1 and 3 are the same: seed=1" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "grid": {"seed": [1, 2, 1]}}'
planned "a key that varies twice" "'seed' is varied twice" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "grid": {"seed": [1, 2]}, "seeds": 3}'
planned "an empty list" "expected a list of at least one value, got an empty list" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "grid": {"seed": []}}'
planned "too many points" "more than 1000000 points" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "grid": {"policy.cycle_s": [1, 2]}, "seeds": 1000000}'
planned "an option that the plan overrules" "--seed: the plan varies 'seed' itself" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "seeds": 3}' --seed 4
planned "the same with --set" "the plan varies this key itself" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "grid": {"policy.cycle_s": [1, 2]}}' --set policy.cycle_s=3
planned "no such scenario" "cannot open" '{"fauxfleet_sweep": 1, "scenario": "none.json"}'
planned "jobs from standard input" "standard input" '{"fauxfleet_sweep": 1, "scenario": "DEMO", "grid": {"trace": ["-"]}}'
cat >"$tmp/plan.json" <<END
{"fauxfleet_sweep": 1, "scenario": "$demo", "metrics": ["wait_s"]}
END
run sweep "$tmp/plan.json" -o "$tmp/family" --quiet
check "a metric that is an object is found out" refused "metric 'wait_s' is an object: name one value in it, such as 'wait_s.mean'"

# File names are relative to the plan, and their bytes are part of the ids.
mkdir -p "$tmp/plans/traces"
printf 'job_id,submit_s,duration_s,gpus\na,0,3600,8\nb,10,1800,16\n' >"$tmp/plans/traces/x.csv"
printf 'job_id,submit_s,duration_s,gpus\na,0,3600,8\n' >"$tmp/plans/traces/y.csv"
cp "$demo" "$tmp/plans/demo.json"
cat >"$tmp/plans/plan.json" <<'END'
{"fauxfleet_sweep": 1, "scenario": "demo.json", "replicas": 2,
 "points": [{"trace": "traces/x.csv"}, {"workload.trace": "traces/y.csv"}],
 "metrics": ["jobs.submitted", "sd.jobs.submitted", "wait_s.mean"]}
END
(cd / && "$BIN" sweep "$tmp/plans/plan.json" -o "$tmp/files" --quiet --set 'queues="from-trace"' >"$tmp/out" 2>"$tmp/err")
status=$?
check "traces beside the plan" eval 'status_is 0 && equal "$(cut -d, -f1-5 "$tmp/files/results.csv" | tail -n +2 | tr "\n" " ")" "traces/x.csv,,2,0,0 ,traces/y.csv,1,0,0 "'
cp "$tmp/files/results.csv" "$tmp/before.csv"
printf 'c,20,60,1\n' >>"$tmp/plans/traces/y.csv"
run sweep "$tmp/plans/plan.json" -o "$tmp/files" --set 'queues="from-trace"'
check "another trace by the same name is another point" eval 'status_is 0 && says err "2 points: 1 simulated, 1 were complete"'
check "and the other one is the same" equal "$(sed -n 2p "$tmp/files/results.csv")" "$(sed -n 2p "$tmp/before.csv")"

finish
