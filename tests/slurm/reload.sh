#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The adapter as a daemon reads its configuration again on SIGHUP: a suspended queue is resumed, a
# limit is lowered, and a file with an error changes nothing. On a terminal it would end.
# shellcheck disable=SC2016,SC2034,SC2154,SC2317
set -u
. tests/slurm/lib.sh

slurm_adapter
# Jobs are held as they are submitted, or Slurm may start one before the adapter sees it.
mkdir -p "$tmp/slurm"
sed "s/^local releasers = .*/local releasers = {[$(id -u)] = true}/" policies/adapters/slurm/job_submit.lua >"$tmp/slurm/job_submit.lua"
slurm_start "JobSubmitPlugins=lua"

# config TEXT: of the queue "build".
config() {
    cat >"$tmp/config.json" <<END
{"fauxfleet_slurm": 1,
 "queues": [{"name": "train", "gpu": {"quota": 64}},
            {"name": "build", $1}]}
END
}
job() {
    id=$(sbatch --parsable -o /dev/null "$@" --wrap "sleep 300" 2>"$tmp/err")
}
reloads() { grep -c "read the configuration again" "$tmp/log"; }
refusals() { grep -c "the configuration stays as it was" "$tmp/log"; }

config '"gpu": {"quota": 16}, "suspended": true'
setsid "$ADAPTER" --config "$tmp/config.json" --act --interval 0.3 --journal "$tmp/journal.jsonl" 2>"$tmp/log" >"$tmp/out" </dev/null &
adapter=$!
slurm_pids="$slurm_pids $adapter"
job -p build --gpus=8 -N1
build=$id
job -p train --gpus=8 -N1
check "a job of another queue starts" slurm_wait 20 is "$id" RUNNING
check "the suspended queue starts nothing" is "$build" PENDING

config '"gpu": {"quotas": 16}'
kill -HUP "$adapter"
check "a file with an error changes nothing" slurm_wait 10 eval '[ "$(refusals)" -eq 1 ] && is "$build" PENDING'
check "its error is named" eval 'grep -q "config.json: queues\[1\].gpu: unknown key .quotas" "$tmp/log"'
config '"gpu": {"quota": 16}, "parent": "train"'
kill -HUP "$adapter"
check "nor does another parent" slurm_wait 10 eval '[ "$(refusals)" -eq 2 ] && grep -q "queue .build.: a changed parent takes effect at the next start" "$tmp/log"'

config '"gpu": {"quota": 16, "limit": 16}'
kill -HUP "$adapter"
check "the queue is resumed" slurm_wait 20 is "$build" RUNNING
job -p build --gpus=8 -N1
second=$id
check "its limit leaves room for a second job" slurm_wait 20 is "$second" RUNNING
config '"gpu": {"quota": 16, "limit": 8}'
kill -HUP "$adapter"
check "a lower limit is read" slurm_wait 10 eval '[ "$(reloads)" -eq 2 ]'
scancel "$second"
job -p build --gpus=8 -N1
check "running jobs go on" is "$build" RUNNING
sleep 2
check "above it nothing starts" is "$id" PENDING

kill -TERM "$adapter"
wait "$adapter"
status=$?
check "a signal ends it" status_is 143
check "each change is in the journal" eval '[ "$(grep -c "\"fact\": \"queue_set\"" "$tmp/journal.jsonl")" -eq 4 ]'
run replay "$tmp/journal.jsonl"
check "and the journal decides the same when it is replayed" eval 'status_is 0 && says out "the same decisions"'
scancel -u "$(id -un)" 2>/dev/null

finish
