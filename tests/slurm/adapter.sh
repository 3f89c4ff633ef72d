#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The adapter schedules a real Slurm: a mixed load from a trace, of 1 to 32 GPUs in two queues, runs
# where the policy says; limits and gangs hold; a node goes down, the adapter is killed and started
# again, and no job is lost. What happened is judged by what Slurm and the jobs themselves say.
# shellcheck disable=SC2016,SC2034,SC2154,SC2317
set -u
. tests/slurm/lib.sh

slurm_adapter
mkdir -p "$tmp/slurm"
sed "s/^local releasers = .*/local releasers = {[$(id -u)] = true}/" policies/adapters/slurm/job_submit.lua >"$tmp/slurm/job_submit.lua"
slurm_start "JobSubmitPlugins=lua"

# What a job does: says where it is, sleeps, and says that it has ended.
cat >"$tmp/work" <<END
#!/bin/sh
id=\$SLURM_JOB_ID
[ -z "\${SLURM_ARRAY_JOB_ID:-}" ] || id=\${SLURM_ARRAY_JOB_ID}_\$SLURM_ARRAY_TASK_ID
echo "start \$id \$SLURM_JOB_NODELIST" >>"$tmp/record"
sleep "\$1"
echo "end \$id" >>"$tmp/record"
END
chmod +x "$tmp/work"
: >"$tmp/record"

# job SECONDS OPTION...: submits; leaves $id. The name of a job, "n4", is on how many nodes it has
# to run.
job() {
    seconds=$1
    shift
    id=$(sbatch --parsable -o /dev/null "$@" "$tmp/work" "$seconds" 2>"$tmp/err")
}
# field JOB NAME: of scontrol show job.
field() { scontrol show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1; }
waiting() { squeue -h -t PD,R,CG,CF -o %i | wc -l | tr -d ' '; }
none_left() { [ "$(waiting)" -eq 0 ]; }
# on NODE: jobs that run there, or are being cleaned up.
on() { squeue -h -w "$1" -t R,CG,CF -o %i; }

# adapter LOG OPTION...: in the background; leaves $adapter. It is the only one that starts jobs.
adapter() {
    log=$tmp/$1
    shift
    "$ADAPTER" --config "$tmp/config.json" "$@" >"$log.out" 2>"$log" </dev/null &
    adapter=$!
    slurm_pids="$slurm_pids $adapter"
}

# places LOG...: "job node,node" of all decisions to start, nodes sorted; record_places: of what
# jobs said themselves.
places() {
    sed -n 's/^[^ ]* job \([0-9_]*\): start on \([^ ]*\) .*/\1 \2/p' "$@" | sorted_nodes
}
sorted_nodes() {
    while read -r who nodes; do
        echo "$who $(echo "$nodes" | tr ',' '\n' | sort | paste -sd, -)"
    done | sort
}
record_places() {
    sed -n 's/^start //p' "$tmp/record" | while read -r who nodes; do
        echo "$who $(scontrol show hostnames "$nodes" | sort | paste -sd, -)"
    done | sort
}

# Every fifth of a second what runs, a line a job: time, id, partition, name, nodes, GPUs a node,
# list of nodes, state.
sampler() {
    while :; do
        squeue -h -t R,CG -o "$(date +%s%N) %i %P %j %D %b %N %t" 2>/dev/null
        sleep 0.2
    done >>"$tmp/samples"
}

cat >"$tmp/config.json" <<END
{"fauxfleet_slurm": 1,
 "policy": {"name": "runai", "options": {"gpu_placement": "binpack"}},
 "queues": [{"name": "all", "gpu": {"quota": 128}},
            {"name": "train", "parent": "all", "gpu": {"quota": 64}},
            {"name": "build", "parent": "all", "gpu": {"quota": 64, "limit": 6}}],
 "jobs": [{"partition": "build", "class": "build"}]}
END

# --- command line --------------------------------------------------------------------------------

"$ADAPTER" --config "$tmp/config.json" --check >"$tmp/out" 2>"$tmp/err"
status=$?
check "the configuration is fine" eval 'status_is 0 && silent out && silent err'
echo '{"fauxfleet_slurm": 1, "queues": [{"name": "a", "gpus": {}}]}' >"$tmp/wrong.json"
"$ADAPTER" --config "$tmp/wrong.json" --check >"$tmp/out" 2>"$tmp/err"
status=$?
check "a wrong one is refused by its path" refused "wrong.json: queues[0]: unknown key 'gpus'"
"$ADAPTER" --policy nonsense --check >"$tmp/out" 2>"$tmp/err"
status=$?
check "so is a policy that does not exist" refused "nonsense"
"$ADAPTER" --sync sometimes --check >"$tmp/out" 2>"$tmp/err"
status=$?
check "and a journal that is brought to the disk sometimes" refused "--sync 'sometimes': expected seconds from 0"
SLURM_CONF=$tmp/nothing "$ADAPTER" --once >"$tmp/out" 2>"$tmp/err"
status=$?
check "without a Slurm it says so" eval '[ "$status" -ne 0 ] && ! silent err'

# --- shadow --------------------------------------------------------------------------------------

job 2 -J n1 --gpus-per-node=8
first=$id
job 2 -J n4 -N4 --gpus-per-node=8
check "jobs are held as they are submitted" equal "$(field "$first" Priority)" 0
"$ADAPTER" --config "$tmp/config.json" --once --journal "$tmp/shadow.jsonl" >"$tmp/out" 2>"$tmp/err"
status=$?
check "in shadow it decides" eval 'status_is 0 && silent out && says err "job $first: start on dgx01 (allocate)" && says err "job $id: start on dgx02,dgx03,dgx04,dgx05 (allocate)"'
sleep 1
check "and does nothing" equal "$(state "$first") $(field "$first" Reason)" "PENDING JobHeldUser"
check "its journal has facts and decisions" eval 'grep -q "\"fact\": \"job_add\"" "$tmp/shadow.jsonl" && [ "$(grep -c "\"decision\": \"start\"" "$tmp/shadow.jsonl")" -eq 5 ]'

# --- a mixed load --------------------------------------------------------------------------------

# Sizes and order of a made trace of Helios, with a gang of 32 GPUs for each tenth job; run times of
# seconds by the logarithm of those of the trace.
run trace generate helios --seed 3
check "a trace" status_is 0
awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    NR > 61 { exit }
    {
        gpus = NR % 10 == 0 ? 32 : $at["gpus"]
        seconds = 1 + int(log(1 + $at["duration_s"]) / 2)
        if (gpus <= 2 && NR % 3 == 0) queue = "build"; else queue = "train"
        print seconds, queue, gpus <= 8 ? 1 : gpus / 8, gpus <= 8 ? gpus : 8
    }' "$tmp/out" >"$tmp/load"
: >"$tmp/out"
check "sixty jobs of all sizes" eval '[ "$(wc -l <"$tmp/load")" -eq 60 ] && [ "$(cut -d" " -f3,4 "$tmp/load" | sort -u | wc -l)" -ge 5 ]'
sampler &
sampler=$!
slurm_pids="$slurm_pids $sampler"
adapter first.log --act --interval 0.5 --journal "$tmp/journal.jsonl"
ids=
while read -r seconds queue nodes gpus; do
    job "$seconds" -p "$queue" -J "n$nodes" -N "$nodes" --gpus-per-node="$gpus"
    ids="$ids $id"
done <"$tmp/load"
job 3 -J n4 --gpus=32
ids="$ids $id"
job 2 -p build -J n1 -N1 --gpus-per-node=1 --array=1-4%2
array=$id
job 1 -J n1 -N1 --gpus-per-node=1 --dependency="afterok:$array"
after=$id
job 1 -J n16 -N16 --gpus-per-node=8
held=$id
slurm_wait 10 eval 'scontrol show job "$held" | grep -q "fauxfleet submit="'
scontrol uhold "$held"
job 1 --hold
check "users cannot hold jobs themselves" eval '[ -z "$id" ] && says err "--hold is not possible here"'
job 1 -J n2 --gpus=12
unclear=$id

# Something runs on the node when it goes down.
job 12 -J n1 -N1 --gpus-per-node=8
slurm_wait 60 eval '[ -n "$(on dgx05)" ]'
scontrol update nodename=dgx05 state=down reason=test
down=$(date +%s%N)
check "a node goes down under jobs" eval 'slurm_wait 10 grep -q "node dgx05 is down" "$tmp/first.log"'
kill -KILL "$adapter"
sleep 2
adapter second.log --act --interval 0.5 --journal "$tmp/journal.jsonl"
sleep 3
check "nothing runs there" equal "$(on dgx05)" ""
scontrol update nodename=dgx05 state=resume
up=$(date +%s%N)
only_these_left() { [ "$(waiting)" -eq 2 ]; }
check "all that may run ends" slurm_wait 120 only_these_left
check "a job that an administrator took from it is left alone" equal "$(state "$held") $(field "$held" Reason)" "PENDING JobHeldUser"
check "so is one that does not say how many GPUs a node has" eval 'is "$unclear" PENDING && grep -q "job $unclear is left alone: its GPUs do not say" "$tmp/second.log"'
scontrol hold "$held"
check "until it is given back" slurm_wait 30 is "$held" COMPLETED
check "no job is lost" equal "$(for id in $ids $array $after; do state "$id"; done | sort | uniq -c | tr -s ' ')" " 66 COMPLETED"
check "the job that depends on an array comes after it" eval '[ "$(grep -n "start $after " "$tmp/record" | cut -d: -f1)" -gt "$(grep -n "end ${array}_" "$tmp/record" | tail -n 1 | cut -d: -f1)" ]'
places "$tmp/first.log" "$tmp/second.log" >"$tmp/decided"
record_places >"$tmp/ran"
comm -13 "$tmp/decided" "$tmp/ran" | sed 's/^/# not decided: /' >"$tmp/strange"
check "every start was decided, node by node ($(wc -l <"$tmp/ran" | tr -d ' ') starts)" eval 'cat "$tmp/strange"; [ ! -s "$tmp/strange" ] && [ "$(wc -l <"$tmp/ran")" -ge 68 ]'
check "and every decision was carried out" eval '! grep -q "did not start" "$tmp/first.log" "$tmp/second.log"'

# --- what Slurm said meanwhile -------------------------------------------------------------------

check "gangs were whole at all times" awk '
    { sub(/^n/, "", $4) } $4 != $5 && $8 == "R" { print "# " $0; bad = 1 } END { exit bad || NR < 100 }' "$tmp/samples"
check "the limit of a queue was kept, and reached" awk '
    $3 == "build" { g = $6; sub(/.*:/, "", g); sum[$1] += $5 * g }
    END { for (t in sum) { if (sum[t] > most) most = sum[t] }; if (most != 6) print "# at most " most; exit most != 6 }' "$tmp/samples"
check "tasks of the array were never more than two" awk -v array="$array" '
    index($2, array "_") == 1 { n[$1]++ } END { for (t in n) if (n[t] > 2) bad = 1; exit bad }' "$tmp/samples"
check "nothing ran on the node while it was down" awk -v down="$down" -v up="$up" '
    $1 > down + 2000000000 && $1 < up && $7 ~ /dgx05/ { print "# " $0; bad = 1 } END { exit bad }' "$tmp/samples"

# --- what is over its quota gives way ------------------------------------------------------------

train=
count=0
while [ "$count" -lt 16 ]; do
    job 300 -J n1 -N1 --gpus-per-node=8
    train="$train $id"
    count=$((count + 1))
done
all_run() { [ "$(squeue -h -t R -p train -o %i | wc -l)" -eq 16 ]; }
check "training fills the fleet, twice its quota" slurm_wait 30 all_run
sleep 1
job 5 -p build -J n1 -N1 --gpus-per-node=4
check "a session within its quota starts all the same" slurm_wait 30 is "$id" COMPLETED
check "because one was stopped" grep -q "stop on dgx.*RECLAIM_OVER_QUOTA" "$tmp/second.log"
again=$(for j in $train; do [ "$(field "$j" Restarts)" -eq 0 ] || echo "$j"; done)
check "which was requeued once" eval '[ -n "$again" ] && equal "$(field "$again" Restarts)" 1'
check "and runs again" slurm_wait 30 all_run
# Slurm dates it anew.
check "it is as old as before" eval '[ "$(scontrol show job "$again" | sed -n "s/.*AdminComment=fauxfleet submit=//p")" -lt "$(date -d "$(field "$again" SubmitTime)" +%s)" ]'

# --- the end -------------------------------------------------------------------------------------

kill -TERM "$adapter"
wait "$adapter"
status=$?
check "a signal ends it" status_is 143
scancel "$unclear"
# shellcheck disable=SC2086
scancel $train
slurm_wait 20 none_left
check "its journal is one JSON object a line" eval '[ "$(grep -cv "^{\"t_ms\": [0-9]*, \"\(fact\|decision\)\": .*}$" "$tmp/journal.jsonl")" -eq 0 ]'
run replay "$tmp/journal.jsonl"
check "and decides the same when it is replayed" eval 'status_is 0 && says out "the same decisions"'

# --- the same jobs in the simulator --------------------------------------------------------------

# Nodes, queues, the outage of dgx05 and the jobs of the journal, with their run times as recorded,
# under the same policy. The simulator decides at every event and starts each job after the median
# of the recorded overheads. So half of all starts may differ by what it does not have: the time
# between two looks of the adapter, and how much longer than usual Slurm took. For nine in ten there
# comes to it the time in which the adapter was dead. Who ran on the node that went down, and which
# of two jobs came first, follows from that, and is not the same for all.
run replay "$tmp/journal.jsonl" --simulate -o "$tmp/simulated" --json --quiet
check "the simulator starts all that Slurm has started" eval 'status_is 0 && equal "$(json "$tmp/out" only_recorded)" 0 && [ "$(json "$tmp/out" compared)" -ge 84 ]'
looks=$(json "$tmp/out" between_decisions_s.p90)
overhead=$(json "$tmp/out" started_after_decision_s.p90)
silence=$(json "$tmp/out" silent_s)
median=$(json "$tmp/out" difference_s.median)
p90=$(json "$tmp/out" difference_s.p90)
at_most() { awk -v value="$1" -v sum="$2" 'BEGIN { exit !(value <= sum) }'; }
check "half of the starts within a look and an overhead ($median s, $looks + $overhead)" at_most "$median" "$(echo "$looks $overhead" | awk '{ print $1 + $2 }')"
check "nine in ten within that and the silence ($p90 s, + $silence)" at_most "$p90" "$(echo "$looks $overhead $silence" | awk '{ print $1 + $2 + $3 }')"
check "most jobs in the same order" eval '[ "$(json "$tmp/out" in_order)" -ge $(($(json "$tmp/out" compared) * 6 / 10)) ]'
check "with the node down as it was" eval 'grep -q "^dgx05," "$tmp/simulated/recorded/outages.csv"'
check "start by start" equal "$(sed 1d "$tmp/simulated/starts.csv" | wc -l | tr -d ' ')" "$(json "$tmp/out" compared)"
run replay "$tmp/journal.jsonl" --simulate -o "$tmp/simulated"
sed 's/^/# /' "$tmp/err" "$tmp/out"
sed 's/^/# /' "$tmp/simulated/starts.csv"

grep -h "refuses\|cannot" "$tmp/first.log" "$tmp/second.log" | sed 's/^/# /'
check "and the policy core refused no fact" eval '! grep -q "refuses" "$tmp/first.log" "$tmp/second.log"'

finish
