#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A sweep as a job array of a real Slurm: what the shards leave behind merges into the bytes that
# one machine writes, also when a shard was cancelled in its middle and submitted again.
# shellcheck disable=SC2016,SC2034,SC2154,SC2317
set -u
. tests/slurm/lib.sh

mkdir "$tmp/bin" "$tmp/shared"
ln -s "$BIN" "$tmp/bin/fauxfleet"
PATH=$tmp/bin:$PATH
demo=$PWD/scenarios/examples/demo.json

files() { find "$1" -type f -name '*.json' 2>/dev/null | wc -l | tr -d ' '; }
# ended ID: nothing of the job is pending or at work any more; states ID: how its tasks ended,
# sorted.
ended() { [ -z "$(squeue -h -j "$1" -t PD,R,CG,S,CF)" ]; }
states() { squeue -h -r -t all -j "$1" -o %T | sort | uniq -c | awk '{ printf "%s%s %s", sep, $1, $2; sep = " " }'; }
# submit ARGUMENT...: sbatch in the shared folder; leaves $id.
submit() { id=$(cd "$tmp/shared" && sbatch --parsable "$@" 2>"$tmp/err"); }

slurm_start
check "sixteen nodes of eight GPUs are there" equal "$(sinfo -h -N -p train -o '%G %T' | sort | uniq -c | tr -s ' ')" " 16 gpu:h100:8 idle"

# --- a sweep in four shards ----------------------------------------------------------------------

cp tests/e2e/data/sweep.json "$tmp/shared/plan.json"
sed "s|\"\.\./[^\"]*demo.json\"|\"$demo\"|" tests/e2e/data/sweep.json >"$tmp/shared/plan.json"
run sweep "$tmp/shared/plan.json" -o "$tmp/one" -j 2 --quiet
check "on one machine it ends well" status_is 0
(cd "$tmp/shared" && "$BIN" sweep plan.json -o points -j 1 --shard auto/4 --emit slurm >sweep.sh)
status=$?
check "the script for Slurm is written" status_is 0
submit sweep.sh
array=$id
check "Slurm takes it" eval '[ -n "$array" ]'
submit --dependency="afterok:$array" --output=merge.log --wrap "fauxfleet merge points -o results.csv"
slurm_wait 120 ended "$array,$id"
check "four tasks ran to their end" equal "$(states "$array")" "4 COMPLETED"
check "each did a share" equal "$(cat "$tmp"/shared/sweep-*-"${array}"_*.log | wc -l | tr -d ' ')" 0
check "the dependent job merged them" equal "$(states "$id")" "1 COMPLETED"
check "into the bytes of one machine" same "$tmp/shared/results.csv" "$tmp/one/results.csv"

# --- a shard is cancelled ------------------------------------------------------------------------

cat >"$tmp/shared/many.json" <<END
{"fauxfleet_sweep": 1, "name": "many", "scenario": "$demo", "seeds": 300, "metrics": ["wait_s.mean", "engine.journal_sha256"]}
END
run sweep "$tmp/shared/many.json" -o "$tmp/whole" -j 2 --quiet
check "300 seeds on one machine" status_is 0
(cd "$tmp/shared" && "$BIN" sweep many.json -o cut -j 1 --shard auto/3 --emit slurm >many.sh)
submit many.sh
array=$id
slurm_wait 60 eval '[ "$(files "$tmp/shared/cut/points")" -ge 8 ]'
scancel "${array}_2"
slurm_wait 120 ended "$array"
check "one task of three was cancelled in its middle" equal "$(states "$array")" "1 CANCELLED 2 COMPLETED"
done_before=$(files "$tmp/shared/cut/points")
check "its points are not all there" eval '[ "$done_before" -gt 100 ] && [ "$done_before" -lt 300 ]'
run merge "$tmp/shared/cut" -o "$tmp/cut.csv"
check "so they do not merge" eval 'status_is 3 && absent "$tmp/cut.csv"'
submit --array=2 many.sh
slurm_wait 120 ended "$id"
check "that task alone is submitted again" equal "$(states "$id")" "1 COMPLETED"
run merge "$tmp/shared/cut" -o "$tmp/cut.csv"
check "and give the bytes of one machine" eval 'status_is 0 && same "$tmp/cut.csv" "$tmp/whole/results.csv"'
check "point by point" alike "$tmp/whole/points" "$tmp/shared/cut/points"

finish
