#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The adapter is killed twenty times while it schedules a real Slurm under `slurm`, which remembers
# what users have used and stops no job: every job runs once, what was used before a kill is
# remembered after it, and the journal decides the same again.
# shellcheck disable=SC2016,SC2034,SC2154,SC2317
set -u
. tests/slurm/lib.sh

slurm_adapter
mkdir -p "$tmp/slurm"
sed "s/^local releasers = .*/local releasers = {[$(id -u)] = true}/" policies/adapters/slurm/job_submit.lua >"$tmp/slurm/job_submit.lua"
slurm_start "JobSubmitPlugins=lua"

cat >"$tmp/work" <<END
#!/bin/sh
echo "start \$SLURM_JOB_ID" >>"$tmp/record"
sleep "\$1"
echo "end \$SLURM_JOB_ID" >>"$tmp/record"
END
chmod +x "$tmp/work"
: >"$tmp/record"
echo '{"fauxfleet_slurm": 1, "policy": {"name": "slurm"}}' >"$tmp/config.json"

jobs=40
i=0
while [ "$i" -lt "$jobs" ]; do
    sbatch -o /dev/null -t 10 -N1 --gpus-per-node=$((i % 8 + 1)) "$tmp/work" $((i % 6 + 1)) >/dev/null 2>"$tmp/err" || echo "# $(cat "$tmp/err")"
    i=$((i + 1))
done
ended() { grep -c '^end' "$tmp/record"; }

kills=0
while [ "$kills" -lt 20 ]; do
    "$ADAPTER" --config "$tmp/config.json" --act --interval 0.2 --state "$tmp/state" --journal "$tmp/journal.jsonl" 2>>"$tmp/log" &
    pid=$!
    sleep "0.$((kills % 5 + 3))"
    kill -KILL "$pid" 2>/dev/null || break
    wait "$pid" 2>/dev/null
    kills=$((kills + 1))
done
check "it never ends by itself" [ "$kills" -eq 20 ]
check "and not when all is done" [ "$(ended)" -lt "$jobs" ]
"$ADAPTER" --config "$tmp/config.json" --act --interval 0.5 --state "$tmp/state" --journal "$tmp/journal.jsonl" 2>>"$tmp/log" &
pid=$!
slurm_pids="$slurm_pids $pid"
all_ended() { [ "$(ended)" -eq "$jobs" ]; }
check "all jobs come to their end" slurm_wait 120 all_ended
sleep 2
kill -TERM "$pid"
wait "$pid"
check "it ends when it is told" [ $? -eq 143 ]
check "no job has started twice" equal "$(grep '^start' "$tmp/record" | sort | uniq -d)" ""
check "Slurm has requeued none" equal "$(squeue -h -t all -o '%i %r' | grep -ci requeue)" 0
# Nothing was saved before the end: what a life remembers it was told from the journal of the one
# before.
check "what was used is remembered" [ "$(grep -c '"fact": "history"' "$tmp/journal.jsonl")" -gt 0 ]
check "nothing was refused" eval '! grep -E "refuses|is not taken|ends:" "$tmp/log"'
run replay "$tmp/journal.jsonl"
check "the journal decides the same again" eval 'status_is 0 && says out "the same decisions"'
finish
