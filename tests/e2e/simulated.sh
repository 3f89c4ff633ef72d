#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A journal of facts as a scenario: simulating a simulation's own journal gives the same result,
# start by start; outages, restarts of the recorder and jobs that already run are part of the world;
# and the world is files that other commands take. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh
. tests/e2e/lib/record.sh

data=tests/e2e/data

simulated() { run replay "$journal" --simulate -o "$tmp/sim" --quiet --json "$@"; }
# is FIELD VALUE: checks the JSON just printed.
is() { equal "$(json "$tmp/out" "$1")" "$2"; }

# --- what was simulated is simulated again -------------------------------------------------------

# Gangs, queues and sessions. Evicted jobs resume where they were, as in the recorded run. Left out:
# kube-default, under which gangs start in parts, and a journal does not say that they wait for each
# other; random, which draws by the scenario's seed; fgd, whose typical tasks are those of the
# trace, which here lacks the jobs present at the first decision.
comes_out_the_same() {
    record scenarios/examples/demo.json --set window.horizon=3d --seed 4 "$@" && status_is 0 &&
        simulated --evicted go-on && status_is 0 && is difference_s.max 0 && is only_recorded 0 &&
        [ "$(json "$tmp/out" compared)" -gt 200 ] && is in_order "$(json "$tmp/out" compared)"
}
"$BIN" list policies >"$tmp/policies"
while read -r policy _; do
    case $policy in kube-default | random | fgd*) continue ;; esac
    check "$policy, start by start" comes_out_the_same --policy "$policy"
done <"$tmp/policies"

# --- shares, elastic jobs, quotas ----------------------------------------------------------------

same_of() {
    record "$@" && status_is 0 && simulated --evicted go-on && status_is 0 && is difference_s.max 0 &&
        is only_recorded 0 && ! [ "$(json "$tmp/out" compared)" -eq 0 ]
}
check "a queue tree with quotas" same_of "$data/preempt.json"
check "shares of devices, packed on nodes" same_of "$data/node.json"

# --- the recorded world --------------------------------------------------------------------------

cat >"$tmp/small.json" <<END
{"fauxfleet_scenario": 1, "name": "small", "fleet": {"pools": [{"name": "n", "node": {"gpus": 8}, "count": 2}]},
 "workload": {"trace": "small.csv"}, "outages_file": "outages.csv",
 "checkpoint": {"interval": 0, "restart": 0, "on_evict": false}}
END
printf 'job_id,submit_s,duration_s,gpus,user\na,0,100,8,ann\nb,0,100,8,\nc,20,5,8,ann\nd,30,300,4,ben\n' >"$tmp/small.csv"
printf 'node,down_s,up_s\nn-0,50,80\nn-1,300,\n' >"$tmp/outages.csv"
# a starts anew at 80 s, when its node is back; b ends at 100, c follows, d takes what c leaves.
record "$tmp/small.json"
check "a run with recorded outages" eval 'status_is 0 && grep -q "^a,.*,180,.*,1,0,n-0:8," "$tmp/run/jobs.csv"'
simulated
check "simulated from its journal" eval 'status_is 0 && is difference_s.max 0 && is compared 4 && is outages 2'
check "with the same outages" eval 'grep -q "^n-0,50,80$" "$tmp/sim/recorded/outages.csv" && grep -q "^n-1,300,$" "$tmp/sim/recorded/outages.csv"'
check "and the same ends" equal "$(cut -d, -f1,8 "$tmp/sim/jobs.csv" | sort)" "$(cut -d, -f1,8 "$tmp/run/jobs.csv" | sort)"
check "starts are listed" eval 'grep -q "^c,20,20,100,100,100,0$" "$tmp/sim/starts.csv"'
run run "$tmp/sim/recorded/scenario.json" -o "$tmp/again" --no-report --quiet
check "the world is a scenario" eval 'status_is 0 && same "$tmp/again/jobs.csv" "$tmp/sim/jobs.csv"'
run explain "$tmp/sim" c --at 60
check "the run is one that explains itself" eval 'status_is 0 && says out "DEVICES_BUSY"'
run report "$tmp/sim" -o "$tmp/page.html"
check "and has a report" eval 'status_is 0 && [ -s "$tmp/page.html" ]'
run whatif "$tmp/sim/recorded/scenario.json" --set policy.name=sjf --replicas 1 --quiet
check "of which one may ask what if" status_is 0
# Each run takes 10 s longer: a and b work 10 s later, c, behind b, 20 s and d, behind c, 30 s.
simulated --set startup.image=10
check "a change of the scenario" eval 'status_is 0 && is difference_s.max 30 && is difference_s.median_signed -20'
run replay "$journal" --simulate -o "$tmp/sim" --policy sjf --quiet
check "another policy" eval 'status_is 0 && says out "policy sjf"'
run replay "$journal" --simulate -o "$tmp/sim"
check "a table" eval 'status_is 0 && says out "4 of 4 jobs" && says out "4 of 4 jobs (100.0 %) start in the same order" && says out "farthest"'
simulated
cp "$tmp/out" "$tmp/first"
"$BIN" replay - --simulate -o "$tmp/sim" --quiet --json <"$journal" | sed "s|\"-\"|\"$journal\"|" >"$tmp/second"
check "the same bytes twice, from standard input, too" eval '[ -s "$tmp/first" ] && same "$tmp/first" "$tmp/second"'

# --- the recorder restarts -----------------------------------------------------------------------

# In two halves through the service, with another seed, so that a section begins; running jobs go
# on.
sed 's/, "chain": "[0-9a-f]*"}$/}/' "$journal" | sed 1d | sed -n '/"fact"/p' |
    sed 's/^{"t_ms": \([^,]*\), "fact": "decide".*/{"do": "decide", "t_ms": \1}/' >"$tmp/all"
half=$(($(wc -l <"$tmp/all") / 2))
head -n "$half" "$tmp/all" | "$BIN" serve --sync never --policy fifo --journal "$tmp/two.jsonl" --state "$tmp/state" >"$tmp/out" 2>"$tmp/err"
sed "1,${half}d" "$tmp/all" | "$BIN" serve --sync never --policy fifo --seed 1 --journal "$tmp/two.jsonl" --state "$tmp/state" >"$tmp/out" 2>"$tmp/err"
cp "$tmp/two.jsonl" "$journal"
simulated
check "two sections are one world" eval 'status_is 0 && is sections 2 && is difference_s.max 0 && is compared 4'

# --- a job that may not begin at once ------------------------------------------------------------

# serve_lines POLICY: records $tmp/in through the service, and simulates it.
serve_lines() {
    rm -f "$journal"
    "$BIN" serve --policy "$1" --journal "$journal" <"$tmp/in" >"$tmp/out" 2>"$tmp/err" && ! says out '"ok": false' && simulated
}
cat >"$tmp/in" <<'END'
{"t_ms": 0, "fact": "node_add", "node": 0, "name": "m", "rank": 0, "devices": 4}
{"t_ms": 0, "fact": "queue_add", "queue": 0, "name": "q", "rank": 0}
{"do": "decide", "t_ms": 0}
{"t_ms": 1000, "fact": "job_add", "job": 0, "name": "later", "queue": 0, "rank": "0", "submitted_ms": 1000, "eligible_ms": 60000, "roles": [{"request": {"devices": 4}}]}
{"do": "decide", "t_ms": 1000}
{"do": "decide", "t_ms": 60000}
{"t_ms": 60000, "fact": "task_started", "job": 0}
{"t_ms": 90000, "fact": "task_ended", "job": 0, "outcome": "succeeded"}
{"do": "decide", "t_ms": 90000}
END
serve_lines fifo
check "a begin time is kept" equal "$(sed 1d "$tmp/sim/starts.csv")" "later,1,1,60,60,60,0"

# --- pod sets ------------------------------------------------------------------------------------

# One set with two kinds of tasks, all of which have to run; and a job none of whose tasks has to
# start with the others.
cat >"$tmp/in" <<'END'
{"t_ms": 0, "fact": "node_add", "node": 0, "name": "m", "rank": 0, "devices": 4}
{"t_ms": 0, "fact": "queue_add", "queue": 0, "name": "q", "rank": 0, "gpu": {"quota": 8000, "limit": -1, "weight": 1000}}
{"t_ms": 0, "fact": "job_add", "job": 0, "name": "set", "queue": 0, "rank": "0", "submitted_ms": 0, "roles": [{"tasks": 2, "min_tasks": 3, "request": {"devices": 1}}, {"tasks": 1, "min_tasks": 0, "joined": true, "request": {"devices": 2}}]}
{"do": "decide", "t_ms": 0}
{"t_ms": 0, "fact": "task_started", "job": 0}
{"t_ms": 1000, "fact": "job_add", "job": 1, "name": "free", "queue": 0, "rank": "1", "submitted_ms": 1000, "roles": [{"tasks": 1, "min_tasks": 0, "request": {"devices": 4}}]}
{"t_ms": 9000, "fact": "task_ended", "job": 0, "outcome": "succeeded"}
{"do": "decide", "t_ms": 9000}
{"t_ms": 9000, "fact": "task_started", "job": 1}
{"t_ms": 19000, "fact": "task_ended", "job": 1, "outcome": "succeeded"}
{"do": "decide", "t_ms": 19000}
END
serve_lines runai
check "a set of two roles, and no least number" eval 'status_is 0 && is compared 2 && is difference_s.max 0'
check "is one role" equal "$(grep -c '"min_tasks": 3' "$tmp/sim/recorded/cluster.json") $(grep -c '"role": "role-0"' "$tmp/sim/recorded/cluster.json")$(grep -c 'role-1' "$tmp/sim/recorded/cluster.json")" "1 30"

# --- a journal that begins with running jobs -----------------------------------------------------

cat >"$tmp/in" <<'END'
{"t_ms": 9000, "fact": "node_add", "node": 0, "name": "m", "rank": 0, "devices": 4}
{"t_ms": 9000, "fact": "queue_add", "queue": 0, "name": "q", "rank": 0}
{"t_ms": 9000, "fact": "job_add", "job": 0, "name": "old", "queue": 0, "rank": "0", "submitted_ms": 1000, "roles": [{"request": {"devices": 4}}]}
{"t_ms": 9000, "fact": "task_running", "job": 0, "task": 0, "node": 0, "devices": "15", "since_ms": 4000}
{"t_ms": 9000, "fact": "job_add", "job": 1, "name": "young", "queue": 0, "rank": "1", "submitted_ms": 2000, "roles": [{"request": {"devices": 2, "device_milli": 500}}]}
{"do": "decide", "t_ms": 9000}
{"t_ms": 14000, "fact": "task_ended", "job": 0, "outcome": "succeeded"}
{"do": "decide", "t_ms": 14000}
{"t_ms": 16000, "fact": "task_started", "job": 1}
{"t_ms": 20000, "fact": "job_add", "job": 2, "name": "late", "queue": 0, "rank": "2", "submitted_ms": 19000, "roles": [{"request": {"devices": 1}}]}
{"t_ms": 20500, "fact": "job_add", "job": 3, "name": "never", "queue": 0, "rank": "3", "submitted_ms": 19000, "roles": [{"request": {"devices": 4}}]}
{"do": "decide", "t_ms": 21000}
{"t_ms": 23000, "fact": "task_started", "job": 2}
{"t_ms": 30000, "fact": "task_ended", "job": 1, "outcome": "failed"}
{"t_ms": 30000, "fact": "job_cancel", "job": 3}
{"do": "decide", "t_ms": 30000}
END
rm -f "$journal"
"$BIN" serve --policy fifo --journal "$journal" <"$tmp/in" >"$tmp/out" 2>"$tmp/err"
check "it was recorded" eval '[ "$(wc -l <"$tmp/out")" -eq 16 ] && ! says out "\"ok\": false"'
# old frees the node at 14 s in both; young works 2 s later, as always here; late is reported at 20
# s, decided at 21 s and works at 23 s, in the simulation at 22 s.
simulated
check "its world" eval 'status_is 0 && is compared 2 && is never_started 1 && is difference_s.max 1 && is started_after_decision_s.median 2'
check "start by start" equal "$(sed 1d "$tmp/sim/starts.csv" | tr '\n' ' ')" "young,2,9,14,16,16,0 late,19,20,21,23,22,1 "
check "jobs that were there are in the world" eval 'grep -q "\"last_start_ms\": 4000" "$tmp/sim/recorded/cluster.json" && grep -q "\"gpu_milli\": 500" "$tmp/sim/recorded/cluster.json"'

# --- refusals ------------------------------------------------------------------------------------

run replay "$journal" --simulate
check "without a directory" eval 'status_is 2 && says err "no output directory"'
run replay "$journal" -o "$tmp/sim"
check "a directory without a simulation" eval 'status_is 2 && says err "--output goes with --simulate"'
run replay "$journal" --simulate -o "$tmp/sim" --evicted away
check "an eviction of its own" eval 'status_is 2 && says err "expected anew or go-on"'
sed 3d "$journal" >"$tmp/cut"
run replay "$tmp/cut" --simulate -o "$tmp/sim"
check "a journal that was changed" eval 'status_is 2 && says err "cut:3: the chain is broken"'
head -n 5 "$journal" >"$tmp/cut"
run replay "$tmp/cut" --simulate -o "$tmp/sim"
check "one in which nothing was decided" eval 'status_is 2 && says err "nothing was decided"'
printf 'node,down_s,up_s\nn-2,50,80\n' >"$tmp/outages.csv"
run run "$tmp/small.json" -o "$tmp/x" --no-report
check "an outage of a node that is not there" eval 'status_is 2 && says err "outages.csv:2: the fleet has no node '"'n-2'"'"'
finish
