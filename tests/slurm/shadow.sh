#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The adapter beside a Slurm that schedules by itself: in shadow it follows everything that happens,
# says what the policy would do, and changes nothing. Then it takes over, with jobs at work and
# without job_submit.lua; the slurmctld is stopped and started again meanwhile.
# shellcheck disable=SC2016,SC2034,SC2154,SC2317
set -u
. tests/slurm/lib.sh

slurm_adapter
slurm_start

job() {
    seconds=$1
    shift
    id=$(sbatch --parsable -o /dev/null "$@" --wrap "sleep $seconds" 2>"$tmp/err")
}
running() { squeue -h -t R -o %i | wc -l | tr -d ' '; }
none_left() { [ -z "$(squeue -h -t PD,R,CG,CF -o %i)" ]; }
# unchanged JOB: nobody held it, chose its nodes or marked it.
unchanged() { scontrol show job "$1" | grep -q "ReqNodeList=(null)" && ! scontrol show job "$1" | grep -q "AdminComment\|Priority=0 "; }

"$ADAPTER" --policy fifo --interval 0.3 --journal "$tmp/shadow.jsonl" >"$tmp/out" 2>"$tmp/shadow" &
adapter=$!
slurm_pids="$slurm_pids $adapter"
ids=
for options in "--gpus=1" "--gpus=12" "--gpus-per-node=8 -N4" "--gpus-per-node=2 -N3" "-c 16" "--gpus=3 --array=1-6%3" "--gpus=8 --exclusive"; do
    # shellcheck disable=SC2086
    job 3 $options
    ids="$ids $id"
done
slurm_wait 20 eval '[ "$(running)" -ge 7 ]'
job 4 -N16 --gpus-per-node=8
check "Slurm has work of all kinds" is "$id" PENDING
sleep 1
check "the policy would have that one wait too" eval 'grep -q "job $id waits: " "$tmp/shadow"'
check "all of it ends" slurm_wait 60 none_left
check "well" equal "$(for j in $ids $id; do state "$j"; done | sort -u)" COMPLETED
check "and as if nobody had looked" eval 'for j in $ids $id; do unchanged "$j" || exit 1; done'
kill -INT "$adapter"
wait "$adapter"
status=$?
check "a signal ends it" status_is 130
check "the core could follow everything" eval '! grep "refuses\|cannot have" "$tmp/shadow"'
check "with its decisions in the journal" eval 'grep -q "\"fact\": \"task_running\"" "$tmp/shadow.jsonl" && grep -q "\"decision\": \"start\"" "$tmp/shadow.jsonl"'
check "a line is said once" equal "$(grep -c "job $id waits: DEVICES_BUSY" "$tmp/shadow")" 1

# --- taking over ---------------------------------------------------------------------------------

n16=
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
    job 8 -N1 --gpus-per-node=8
    n16="$n16 $id"
done
slurm_wait 20 eval '[ "$(running)" -eq 16 ]'
job 1 -N2 --gpus-per-node=8
waits=$id
"$ADAPTER" --policy fifo --act --interval 0.3 >"$tmp/out" 2>"$tmp/act" &
adapter=$!
slurm_pids="$slurm_pids $adapter"
taken() { scontrol show job "$waits" | grep -q "JobHeldAdmin" && scontrol show job "$waits" | grep -q "AdminComment=fauxfleet submit="; }
check "what waits is held from now on" slurm_wait 10 taken
kept() { scontrol show job "${n16##* }" | grep -q "Priority=0 "; }
check "what runs will be, when it is requeued" slurm_wait 10 kept
slurm_stop_controller
check "the slurmctld goes" eval 'slurm_wait 60 grep -q "Slurm does not answer" "$tmp/act"'
sleep 1
slurm_controller
check "and comes back" eval 'slurm_wait 60 grep -q "Slurm answers again" "$tmp/act"'
check "what waited runs when there is room" slurm_wait 60 is "$waits" COMPLETED
check "where the policy said" eval 'grep -q "job $waits: start on $(scontrol show hostnames "$(scontrol show job "$waits" | sed -n "s/^ *NodeList=//p")" | paste -sd, -) " "$tmp/act"'
check "nothing was lost" eval 'slurm_wait 30 none_left; equal "$(for j in $n16; do state "$j"; done | sort -u)" COMPLETED'
check "nor refused" eval '! grep "refuses\|cannot" "$tmp/act"'
kill -TERM "$adapter"
wait "$adapter"

finish
