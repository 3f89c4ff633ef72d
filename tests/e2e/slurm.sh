#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The policy slurm in the simulator: one node of 8 GPUs, and times worked out by hand. Multifactor
# priority is calculated at multiples of 300 s; the fair share outweighs everything else here.
set -u
. tests/e2e/lib/tap.sh

# schedule: "job:first start-end" of all jobs, in order of their names.
schedule() { sed 1d "$tmp/run/jobs.csv" | awk -F, '{ print $1 ":" $7 "-" $8 }' | sort | tr '\n' ' ' | sed 's/ $//'; }
state() { awk -F, -v job="$1" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "state") c = i } $1 == job { print $c }' "$tmp/run/jobs.csv"; }
value() { json "$tmp/run/summary.json" "$1"; }

# simulate POLICY: the trace of the standard input; further arguments are the program's.
simulate() {
    rm -rf "$tmp/run"
    cat >"$tmp/trace.csv"
    cat >"$tmp/scenario.json" <<JSON
{
  "fauxfleet_scenario": 1, "name": "slurm",
  "fleet": {"pools": [{"name": "p", "count": 1, "node": {"gpus": 8}}]},
  "queues": [{"name": "lab"},
             {"name": "bio", "parent": "lab", "gpu": {"limit": 4, "weight": 1}},
             {"name": "phy", "parent": "lab", "gpu": {"weight": 3}}],
  "workload": {"trace": "trace.csv"},
  "policy": {"name": "$1", "grace_s": 30},
  "window": {"drain": true}
}
JSON
    shift
    run run "$tmp/scenario.json" -o "$tmp/run" --no-report --quiet --audit "$@"
}

# --- fair share ----------------------------------------------------------------------------------

# At 900 ann has used 8 x 900, ben of the same queue nothing: ben's job goes first, though it came
# later.
fair() {
    cat <<'ROWS'
job_id,submit_s,duration_s,queue,user,gpus,time_limit_s
a1,0,1000,phy,ann,8,2000
a2,10,100,phy,ann,8,2000
b1,20,100,phy,ben,8,2000
ROWS
}
fair | simulate slurm
check "slurm runs, audited" status_is 0
check "jobs of users with less use come first" equal "$(schedule)" "a1:0-1000 a2:1100-1200 b1:1000-1100"
fair | simulate easy
check "first come, first served does not know that" equal "$(schedule)" "a1:0-1000 a2:1000-1100 b1:1100-1200"
fair | simulate slurm --set policy.options.priority_weight_fairshare=0
check "nor does slurm without that weight" equal "$(schedule)" "a1:0-1000 a2:1000-1100 b1:1100-1200"
fair | simulate slurm --set policy.options.priority_calc_period_s=5000
check "nor before priorities are calculated" equal "$(schedule)" "a1:0-1000 a2:1000-1100 b1:1100-1200"

# bio has a quarter of the shares and used half of everything: all jobs of phy go before all of bio.
simulate slurm <<'ROWS'
job_id,submit_s,duration_s,queue,user,gpus,time_limit_s
x,0,1000,bio,cay,4,2000
y,0,1000,phy,ann,4,2000
late-bio,10,100,bio,dee,4,2000
phy-ann,20,100,phy,ann,8,2000
ROWS
check "accounts come before users" equal "$(schedule)" "late-bio:1100-1200 phy-ann:1000-1100 x:0-1000 y:0-1000"

# --- backfill ------------------------------------------------------------------------------------

simulate slurm <<'ROWS'
job_id,submit_s,duration_s,queue,user,gpus,time_limit_s
s,0,1000,phy,ann,4,1000
big,10,100,phy,ann,8,1000
short,20,900,phy,ann,4,980
long,20,100,phy,ann,4,981
ROWS
check "jobs go ahead as far as they delay no other" equal "$(schedule)" \
    "big:1000-1100 long:1100-1200 s:0-1000 short:20-920"

# --- limits --------------------------------------------------------------------------------------

limits() {
    cat <<'ROWS'
job_id,submit_s,duration_s,queue,user,gpus,time_limit_s
one,0,100,bio,ann,4,1000
two,1,100,bio,ann,4,1000
other,2,100,phy,ben,4,1000
ROWS
}
limits | simulate slurm
check "a queue's limit holds back its own jobs only" equal "$(schedule)" "one:0-100 other:2-102 two:100-200"
check "explain names the limit" eval 'run explain "$tmp/run" two --at 50 && says out "OVER_LIMIT"'
limits | simulate slurm --set policy.options.queue_limits=false
check "without the option it does not" equal "$(schedule)" "one:0-100 other:100-200 two:1-101"

ends() {
    cat <<'ROWS'
job_id,submit_s,duration_s,queue,user,gpus,time_limit_s
long,0,5000,phy,ann,8,600
exact,10,600,phy,ann,8,600
free,20,700,phy,ben,8,
ROWS
}
ends | simulate slurm --set policy.options.priority_weight_fairshare=0
check "jobs end at their limits: after it they have the grace" equal "$(schedule)" \
    "exact:630-1230 free:1230-1930 long:0-630"
check "what was ended is cancelled" equal "$(state long) $(state exact)" "cancelled completed"
check "the journal says why" grep -q '"t_ms": 600000, "kind": "evict", "job": "long".*"action": "limits".*"TIME_LIMIT"' \
    "$tmp/run/journal.jsonl"
ends | simulate slurm --set policy.options.priority_weight_fairshare=0 --set policy.options.time_limits=false
check "without the option they do not" equal "$(schedule)" "exact:5000-5600 free:5600-6300 long:0-5000"
ends | simulate slurm --set policy.options.placement=count --set policy.options.priority_weight_fairshare=0
check "where devices are only counted, too" equal "$(schedule)" "exact:630-1230 free:1230-1930 long:0-630"
ends | simulate easy --set policy.options.time_limits=true
check "and with other lines" equal "$(schedule)" "exact:630-1230 free:1230-1930 long:0-630"

# --- the same twice ------------------------------------------------------------------------------

fair | simulate slurm
cp "$tmp/run/journal.jsonl" "$tmp/first"
fair | simulate slurm
check "a run is the same twice" cmp -s "$tmp/first" "$tmp/run/journal.jsonl"
cp "$tmp/run/jobs.csv" "$tmp/first"
fair | simulate slurm --set policy.skip_idle_cycles=false
check "and decides nothing more when it is asked at each millisecond" cmp -s "$tmp/first" "$tmp/run/jobs.csv"

finish
