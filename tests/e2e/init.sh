#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# init: scenarios for logs whose fleet, quotas and policy were worked out by hand; they run as
# written; and refusals.
# shellcheck disable=SC2016,SC2317 # checks are texts and names of functions
set -u
. tests/e2e/lib/tap.sh

made=$tmp/made.json

propose() {
    rm -f "$made"
    log=$1
    shift
    run init --from "$log" -o "$made" "$@"
}
runs() {
    run run "$made" -o "$tmp/run" --no-report --quiet --audit && status_is 0
}
# The scenario without comments, on one line.
plain() { sed '/^\/\//d' "$made" | tr -d '\n'; }

# --- a log of Slurm ------------------------------------------------------------------------------

# Busy GPUs: 16 from 0 h, 24 from 5 h (vision joins), 12 from 10 h, 4 from 15 h to 20 h: 24 GPUs are
# three nodes of eight. GPU-hours: language 16 x 10 + 4 x 10 = 200, vision 8 x 10 = 80, so the quotas
# are 24 x 200/280 = 17.14 and 6.86, rounded to 17 and 7.
fields=$("$BIN" init --how | sed -n 's/.* -o \([A-Za-z,]*\) > sacct.txt/\1/p')
check "--how gives a command for sacct" [ -n "$fields" ]
{
    echo "$fields" | tr , '|'
    cat <<'END'
11|ann|language|gpu|normal|COMPLETED|2026-01-05T00:00:00|2026-01-05T00:00:00|2026-01-05T00:00:00|2026-01-05T10:00:00|36000|1440|2|cpu=64,gres/gpu:h100=16,node=2|cpu=64,gres/gpu:h100=16,node=2|0
12|bob|vision|gpu|normal|COMPLETED|2026-01-05T05:00:00|2026-01-05T05:00:00|2026-01-05T05:00:00|2026-01-05T15:00:00|36000|1440|1|cpu=32,gres/gpu:h100=8,node=1|cpu=32,gres/gpu:h100=8,node=1|0
13|ann|language|gpu|normal|COMPLETED|2026-01-05T05:00:00|2026-01-05T05:00:00|2026-01-05T10:00:00|2026-01-05T20:00:00|36000|1440|1|cpu=16,gres/gpu:h100=4,node=1|cpu=16,gres/gpu:h100=4,node=1|0
END
} >"$tmp/sacct.txt"
propose "$tmp/sacct.txt" --option queue=account
check "a log with exactly these fields is read" status_is 0
check "the pool is a node of the catalogue, as often as GPUs were busy" \
    eval 'plain | grep -qF "{\"name\": \"h100\", \"node\": \"dgx-h100\", \"count\": 3}"'
check "quotas divide the GPUs by GPU time" \
    eval 'plain | grep -q "\"language\", \"gpu\": {\"quota\": 17}}.*\"vision\", \"gpu\": {\"quota\": 7}}"'
check "time limits: backfill" eval 'plain | grep -qF "\"policy\": {\"name\": \"easy\"}"'
check "guesses are notes" says err "guess: pools have as many GPUs as were busy at one time"
check "and comments" eval 'grep -q "^//  - pools have as many GPUs" "$made"'
check "the next steps are shown" says err "next: fauxfleet run $made -o out"
check "options of the log are written down" eval 'plain | grep -qF "\"options\": {\"queue\": \"account\"}"'
check "it runs as it is" runs
check "and waits as in the log: 13 for five hours" \
    equal "$(awk -F, 'NR > 1 { print $1 ":" $9 }' "$tmp/run/jobs.csv" | sort | tr '\n' ' ')" "11:0 12:0 13:18000 "

# --- a log without starts, types and tasks -------------------------------------------------------

# 24 GPUs are wanted at 0, for an hour; the last job comes at 10 h. GPU time 24.1 GPU-hours in 10
# hours, 2.41 GPUs, fills 80 % of 3.01: 4 GPUs, but the largest job wants 8.
cat >"$tmp/jobs.csv" <<'END'
job_id,submit_s,duration_s,gpus,queue
a,0,3600,8,x
b,0,3600,8,x
c,0,3600,8,y
d,36000,360,1,y
END
propose "$tmp/jobs.csv"
check "GPU time fills the pool, and the largest job fits" \
    eval 'plain | grep -qF "{\"name\": \"gpu\", \"node\": {\"gpus\": 8}, \"count\": 1}"'
check "x 16 of 24.1 GPU-hours of 8: 5.31, y 2.69" eval 'plain | grep -q "\"x\", \"gpu\": {\"quota\": 5}}.*\"y\", \"gpu\": {\"quota\": 3}}"'
check "no limits: fifo without blocking" eval 'plain | grep -qF "{\"name\": \"fifo\", \"options\": {\"blocking\": \"skip\"}}"'
check "a tenth of ten hours is the warm-up" eval 'plain | grep -qF "\"warmup\": \"1h\""'
check "that runs, too" runs

# The same at twice the speed: half the GPUs do not suffice for the hour, but for the day they do.
propose "$tmp/jobs.csv" --node hgx-a100-4 --nodes 6
check "what the user knows is taken" eval 'status_is 0 && plain | grep -qF "\"node\": \"hgx-a100-4\", \"count\": 6}"'
check "and not called a guess" eval '! says err "--node there are" && ! says err "80 %"'
check "x 16 of 24.1 GPU-hours of 24: 15.93, y 8.07" eval 'plain | grep -q "\"x\", \"gpu\": {\"quota\": 16}}.*\"y\", \"gpu\": {\"quota\": 8}}"'

# --- several types, an unknown one, and jobs that take any ---------------------------------------

# h100 (most GPU time): 4 wanted, and 2 by the job without a type: one node of 4. mystery: 3 GPUs.
cat >"$tmp/types.csv" <<'END'
job_id,submit_s,start_s,duration_s,gpus_per_task,tasks,gpu_type,queue
a,0,0,7200,4,1,h100,"q ""x"""
b,0,0,60,2,1,,"q ""x"""
c,0,0,60,3,1,mystery,z
END
propose "$tmp/types.csv"
check "a type that is not in the catalogue is described in place" \
    eval 'status_is 0 && plain | grep -qF "{\"name\": \"mystery\", \"node\": {\"gpus\": 4, \"gpu_type\": \"mystery\"}, \"count\": 1}"'
check "jobs of any type go to the largest pool" eval 'plain | grep -q "\"name\": \"h100\", \"node\": {\"gpus\": 4, \"gpu_type\": \"h100\"}, \"count\": 2}"'
check "names are quoted" eval 'plain | grep -qF "{\"name\": \"q \\\"x\\\"\", "'
check "types of the log run on their nodes" runs

# --- the cluster's own output --------------------------------------------------------------------

# Nodes: 3 of 8 H100, 2 of 4 A100, and one without GPUs: 32 GPUs. language used 200 and vision 80 of
# 280 GPU-hours: 22.86 and 9.14 GPUs, rounded to 23 and 9.
cat >"$tmp/nodes.txt" <<'END'
NodeName=g1 Arch=x86_64 CoresPerSocket=56
   Gres=gpu:h100:8(S:0-1)
   State=IDLE
NodeName=g2 Gres=gpu:h100:8 State=DRAIN Reason=Gres=gpu:h100:1 lost
NodeName=g3 Gres=gpu:h100:8
NodeName=a1 Gres=gpu:a100:4
NodeName=c1 Gres=(null)
END
printf 'NODELIST GRES STATE\ng3 gpu:h100:8 idle\na1 gpu:a100:4 idle\na2 gpu:a100:4 down\n' >"$tmp/sinfo.txt"
cat >"$tmp/config.txt" <<'END'
Configuration data as of 2026-01-05T10:00:00
PriorityDecayHalfLife   = 14-00:00:00
PriorityCalcPeriod      = 00:05:00
PriorityFavorSmall      = No
PriorityMaxAge          = 7-00:00:00
PriorityType            = priority/multifactor
PriorityWeightAge       = 1000
PriorityWeightFairShare = 20000
END
propose "$tmp/sacct.txt" --option queue=account --cluster "$tmp/nodes.txt" --cluster "$tmp/sinfo.txt" --cluster "$tmp/config.txt"
check "the fleet is what scontrol and sinfo say, each node once" \
    eval 'status_is 0 && plain | grep -qF "{\"name\": \"h100\", \"node\": \"dgx-h100\", \"count\": 3},  {\"name\": \"a100\", \"node\": \"hgx-a100-4\", \"count\": 2} ]"'
check "quotas divide its GPUs" \
    eval 'plain | grep -q "\"language\", \"gpu\": {\"quota\": 23}}.*\"vision\", \"gpu\": {\"quota\": 9}}"'
check "the policy has the weights of the configuration" \
    eval 'plain | tr -s " " | grep -q "\"slurm\", \"options\": {.*\"priority_decay_half_life_s\": 1209600,.*\"priority_favor_small\": false,.*\"priority_weight_fairshare\": 20000}"'
check "nodes without GPUs are mentioned" says err "guess: nodes without GPUs are left out: 1"
check "the size of the fleet is no guess" eval '! says err "busy at one time"'
check "it runs as it is" runs
# All jobs ask for H100s: the A100s are of no use to job 13, which waits for five hours again.
check "jobs wait for their GPU type" equal "$(awk -F, 'NR > 1 { s += $9 } END { print s }' "$tmp/run/jobs.csv")" 18000

# Shares 1 and 3 of 32 GPUs: 8 and 24.
printf 'Account|User|Share|GrpTRES\nroot||1|\nlanguage||1|gres/gpu=16\nlanguage|ann|9|\nvision||3|\n' >"$tmp/accounts.txt"
propose "$tmp/sacct.txt" --option queue=account --cluster "$tmp/nodes.txt" --cluster "$tmp/sinfo.txt" --cluster "$tmp/accounts.txt"
check "accounts have their shares and limits" \
    eval 'plain | grep -q "\"language\", \"gpu\": {\"quota\": 8, \"limit\": 16}}.*\"vision\", \"gpu\": {\"quota\": 24}}" && says err "by the shares of the accounts"'
printf 'Account|User|Share\nlanguage||1\n' >"$tmp/accounts.txt"
propose "$tmp/sacct.txt" --option queue=account --cluster "$tmp/nodes.txt" --cluster "$tmp/sinfo.txt" --cluster "$tmp/accounts.txt"
check "without the share of one GPU time decides" \
    eval 'plain | grep -q "\"quota\": 23}}.*\"quota\": 9}}" && says err "by the GPU time of each queue"'

printf 'job_id,submit_s,duration_s,gpus,gpu_type\na,0,60,8,NVIDIA-H100-80GB-HBM3\nb,0,60,1,v100\n' >"$tmp/product.csv"
cat >"$tmp/nodes.json" <<'END'
{"kind": "List", "apiVersion": "v1", "items": [
 {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "a", "labels": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}},
  "status": {"allocatable": {"nvidia.com/gpu": "8", "cpu": "96"}}},
 {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "b", "labels": {"nvidia.com/gpu.product": "NVIDIA-A100-SXM4-40GB"}},
  "status": {"allocatable": {"nvidia.com/gpu": "8", "cpu": "96"}}}]}
END
propose "$tmp/product.csv" --cluster "$tmp/nodes.json"
check "a type that jobs ask for keeps its name; memory tells the nodes of a type apart" \
    eval 'status_is 0 && plain | grep -qF "\"node\": {\"gpus\": 8, \"gpu_type\": \"NVIDIA-H100-80GB-HBM3\"}, \"count\": 1},  {\"name\": \"NVIDIA-A100-SXM4-40GB\", \"node\": \"dgx-a100-40\", \"count\": 1}"'
check "types that the cluster does not have" says err "no node has, and are rejected: 1"
rm -f "$made"
run init --cluster "$tmp/nodes.json" -o "$made"
check "without a log the fleet is that of the cluster" \
    eval 'status_is 0 && plain | grep -qF "{\"name\": \"NVIDIA-H100-80GB-HBM3\", \"node\": \"dgx-h100\", \"count\": 1}" && plain | grep -q "\"gpus\": 16, \"horizon\""'
run run "$made" -o "$tmp/run" --no-report --quiet
check "and its jobs are generated" status_is 0
printf 'NodeName=x Gres=gpu:8\nNodeName=y Gres=gpu:8\n' >"$tmp/plain.txt"
propose "$tmp/jobs.csv" --cluster "$tmp/plain.txt" --node dgx-b200
check "--node says what nodes without a type are" \
    eval 'status_is 0 && plain | grep -qF "\"node\": \"dgx-b200\", \"count\": 2}"'

# --- where the scenario is written ---------------------------------------------------------------

(cd "$tmp" && "$(cd "$OLDPWD" && cd "$(dirname "$BIN")" && pwd)/fauxfleet" init --from jobs.csv 2>"$tmp/err")
check "scenario.json is the default, and names the log beside it" eval 'grep -qF "{\"trace\": \"jobs.csv\"}" "$tmp/scenario.json"'
(cd "$tmp" && mkdir there && "$(cd "$OLDPWD" && cd "$(dirname "$BIN")" && pwd)/fauxfleet" init --from jobs.csv -o there/s.json 2>"$tmp/err")
run run "$tmp/there/s.json" -o "$tmp/run" --no-report --quiet
check "a scenario in another folder finds the log" status_is 0
run init --from "$tmp/jobs.csv" -o "$tmp/scenario.json"
check "an existing file is not replaced" eval 'status_is 2 && says err "is there already: name another file with -o"'
run init --from "$tmp/jobs.csv" -o -
check "- is standard output" eval 'status_is 0 && says out "\"fauxfleet_scenario\": 1"'
gzip -k "$tmp/jobs.csv"
propose "$tmp/jobs.csv.gz" --format native
check "a format that is given is written down" eval 'plain | grep -qF "\"format\": \"native\"}" && runs'

# --- without a log -------------------------------------------------------------------------------

# 30 nodes of 4 GPUs: 120 GPUs, 30 a team.
rm -f "$made"
run init --node hgx-a100-4 --nodes 30 -o "$made"
check "a fleet of the catalogue" eval 'status_is 0 && plain | grep -qF "\"node\": \"hgx-a100-4\", \"count\": 30}"'
check "teams share it" equal "$(grep -c '"quota": 30}' "$made")" 4
run run "$made" -o "$tmp/run" --no-report --quiet
check "its jobs are generated" status_is 0

# Answers are typed on a terminal, made by script(1).
if command -v script >/dev/null; then
    bin=$(cd "$(dirname "$BIN")" && pwd)/$(basename "$BIN")
    rm -f "$made"
    printf 'dgx-h10\ndgx-h200\nmany\n5\n3\n' | script -qec "'$bin' init -o '$made'" /dev/null >"$tmp/out"
    check "an unknown node is asked for again" says out "did you mean 'dgx-h100'?"
    check "as is a non-number" says out "expected a whole number from 1"
    check "answers are taken" eval 'plain | grep -qF "\"node\": \"dgx-h200\", \"count\": 5}"'
    # 40 GPUs: 14, 13, 13.
    check "quotas add up to the GPUs" eval 'plain | grep -q "\"quota\": 14}.*\"quota\": 13}.*\"quota\": 13}"'
    rm -f "$made"
    printf '\n7\n' | script -qec "'$bin' init --from '$tmp/jobs.csv' -o '$made'" /dev/null >"$tmp/out"
    check "a log leaves the kind and number of nodes to ask for" \
        eval 'says out "Number of nodes [1]" && plain | grep -qF "\"node\": {\"gpus\": 8}, \"count\": 7}"'
else
    skip "questions on a terminal" "no script(1)"
fi

# --- refusals ------------------------------------------------------------------------------------

run init
check "no log" eval 'status_is 2 && says err "no log given (--from LOG; --how says how to get one)"'
run init --from - -o "$tmp/no.json"
check "standard input" eval 'status_is 2 && says err "expected a file that the scenario can name"'
run init --from "$tmp/none.csv" -o "$tmp/no.json"
check "a log that is not there" eval 'status_is 2 && says err "none.csv"'
printf 'job_id,submit_s,duration_s,gpus,cpus_per_task\na,0,10,0,4\n' >"$tmp/cpu.csv"
printf 'JobID           JobName  Partition    Account  AllocCPUS      State ExitCode\n------------ ---------- ---------- ---------- ---------- ---------- --------\n11              train        gpu   language         64  COMPLETED      0:0\n' >"$tmp/default.txt"
run init --from "$tmp/default.txt" -o "$tmp/no.json"
check "the default output of sacct, with the command that would have sufficed" eval 'status_is 2 && says err "write them with: sacct -a" && says err "$fields"'
run init --from "$tmp/cpu.csv" -o "$tmp/no.json"
check "a log without GPUs" eval 'status_is 2 && says err "no jobs with GPUs"'
run init --from "$tmp/jobs.csv" --node dgx-a10 -o "$tmp/no.json"
check "an unknown node" eval 'status_is 2 && says err "unknown node" && says err "did you mean"'
run init --from "$tmp/types.csv" --node dgx-a100 -o "$tmp/no.json"
check "a node beside types" eval 'status_is 2 && says err "the log names its GPU types (2)"'
run init --from "$tmp/types.csv" --nodes 3 -o "$tmp/no.json"
check "a number of nodes for two pools" eval 'status_is 2 && says err "2 GPU types"'
run init --from "$tmp/jobs.csv" --cluster "$tmp/jobs.csv" -o "$tmp/no.json"
check "a file that no cluster prints" eval 'status_is 2 && says err "jobs.csv: expected what" && says err "scontrol show nodes"'
run init --from "$tmp/jobs.csv" --cluster "$tmp/none.txt" -o "$tmp/no.json"
check "a cluster's file that is not there" eval 'status_is 2 && says err "none.txt"'
run init --from "$tmp/jobs.csv" --cluster "$tmp/plain.txt" --nodes 3 -o "$tmp/no.json"
check "a number of nodes beside the cluster" eval 'status_is 2 && says err "the cluster says how many"'
run init --from "$tmp/jobs.csv" --cluster "$tmp/plain.txt" --node hgx-a100-4 -o "$tmp/no.json"
check "a node of another size" eval 'status_is 2 && says err "hgx-a100-4 has 4 GPUs, the nodes of the cluster 8"'
run init --from "$tmp/sacct.txt" --cluster "$tmp/nodes.txt" --node dgx-a100 -o "$tmp/no.json"
check "a node beside several kinds" eval 'status_is 2 && says err "the cluster says which nodes"'
check "and nothing was written" absent "$tmp/no.json"

finish
