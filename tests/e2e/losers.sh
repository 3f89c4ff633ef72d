#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Who loses: `compare`, `whatif` and `gate` on a world worked out by hand, and comparisons of a
# world with itself, which may name a loser in at most one of twenty cases. LOSERS_TRIALS sets the
# number of those (make losers-evidence: 200).
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

# --- by hand -------------------------------------------------------------------------------------
# 8 GPUs, and each queue owns its quota. Every two hours come three jobs of b (2 GPUs, 50 minutes),
# then two of a (2 GPUs, 25 minutes). With 4 GPUs each, a's jobs all start at once, and b's third
# one waits 50 minutes. With 2 and 6, a's second job waits 25 minutes for the first, and b's start
# at once: a loses, b and the class as a whole gain.
awk 'BEGIN { print "job_id,submit_s,duration_s,gpus,queue"
    for (r = 0; r < 24; r++) {
        for (i = 0; i < 3; i++) printf "b%d-%d,%d,3000,2,b\n", r, i, r * 7200 + 100
        for (i = 0; i < 2; i++) printf "a%d-%d,%d,1500,2,a\n", r, i, r * 7200 + 300
    } }' >"$tmp/two.csv"
cat >"$tmp/two.json" <<'END'
{"fauxfleet_scenario": 1, "name": "two", "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 1}]},
 "queues": [{"name": "a", "gpu": {"quota": 4}}, {"name": "b", "gpu": {"quota": 4, "weight": 1}}],
 "workload": {"trace": "two.csv", "shake_s": 30}, "policy": {"name": "static"}}
END
move="--set queues.a.gpu.quota-=2 --set queues.b.gpu.quota+=2"

# loser FILE: only a is named, with its wait.
loser() {
    grep -q 'Who loses: 1 queue is certainly worse\.' "$1" &&
        grep -Eq '(^|[> *-])a waits 2[45]m[0-9]+s longer at p95 \(0s to 2[45]m[0-9]+s\)' "$1" &&
        ! grep -Eq '(^|[> -])b (waits|takes|is|has)' "$1"
}
# before FILE FIRST SECOND: the first line with the one text is above the first one with the other.
before() {
    first=$(grep -nF -- "$2" "$1" | head -n 1 | cut -d: -f1)
    second=$(grep -nF -- "$3" "$1" | head -n 1 | cut -d: -f1)
    [ -n "$first" ] && [ -n "$second" ] && [ "$first" -lt "$second" ]
}

# shellcheck disable=SC2086
run whatif "$tmp/two.json" $move --replicas 20 --quiet -o "$tmp/two.html"
check "whatif names the losers" eval 'status_is 0 && loser "$tmp/out"'
check "before everything else that is judged" before "$tmp/out" "Who loses" "primary metrics B is better"
check "above the tables of its page, too" eval 'loser "$tmp/two.html" && before "$tmp/two.html" "<h2>Who loses</h2>" "Is B better?"'
check "what changed is named by queue" says out "   queues.a.gpu.quota: 4 -> 2"
check "a weight that was not given follows the quota" says out "   queues.a.gpu.weight: 4 -> 2 (follows the quota unless a weight is given)"
check "one that was given does not change" eval 'says out "   queues.b.gpu.quota: 4 -> 6" && ! says out "queues.b.gpu.weight"'
# shellcheck disable=SC2086
run whatif "$tmp/two.json" $move --replicas 20 --quiet --json -o "$tmp/two.md"
check "Markdown has it" loser "$tmp/two.md"
check "JSON has losers" eval 'is_json "$tmp/out" && sed "1,/\"losers\": \[/d" "$tmp/out" | grep -q "\"path\": \"by_queue.a.wait_s.p95\""'
check "and no observed harms beside them" says out '"observed_harms": []'
check "no other queues" eval '! sed "1,/\"losers\": \[/d" "$tmp/out" | grep -q "\"path\": \"by_queue.b"'

# shellcheck disable=SC2086
for side in base moved; do
    [ $side = base ] && changes= || changes=$move
    "$BIN" run "$tmp/two.json" $changes --replicas 20 --no-report --quiet -o "$tmp/$side" >/dev/null 2>"$tmp/err"
done
run compare "$tmp/base" "$tmp/moved"
check "compare names the losers" eval 'status_is 0 && loser "$tmp/out"'
run compare "$tmp/moved" "$tmp/base"
check "the other way round it is b" eval 'grep -Eq "^  b waits (49|50)m[0-9]+s longer at p95 \(0s to" "$tmp/out" && ! grep -q "^  a " "$tmp/out"'
run compare "$tmp/base" "$tmp/base"
check "the same run twice" says out "No queue, class or size is certainly worse."
run compare "$tmp/base" "$tmp/moved" --metric 'p95(wait){queue=a}' --metric 'gpu_hours.productive{queue=b}'
check "a metric of a queue by its short name" eval 'grep -Eq "^by_queue.a.wait_s.p95 .* worse$" "$tmp/out" && says out "by_queue.b.gpu_hours.productive"'
run compare "$tmp/base" "$tmp/moved" --metric 'p95(wiat){queue=a}'
check "a short name that is wrong" eval 'status_is 2 && says err "--metric: metric '\''p95(wiat){queue=a}'\'', column 5: no measure is named '\''wiat'\'', did you mean '\''wait'\''?"'

# First come, first served: a's second job waits for the first, as above; b's three start before it.
cat >"$tmp/suite.json" <<'END'
{"fauxfleet_gate": 1, "scenarios": [{"scenario": "two.json"}], "looks": [20], "audit": 0,
 "metrics": [{"metric": "wait_s.mean", "margin": 0.1}, {"metric": "p95(wait){queue=b}", "margin": 0.1}]}
END
run gate "$tmp/suite.json" --base static --candidate fifo --quiet --report "md=$tmp/gate.md" --report "json=$tmp/gate.json"
check "a gate that passes names the losers all the same" eval 'status_is 0 && says out "PASS" && loser "$tmp/out" && loser "$tmp/gate.md"'
check "before its table" before "$tmp/out" "Who loses" "tolerated"
check "its suite may name a metric of a queue by its short name" says out "by_queue.b.wait_s.p95"
check "and its JSON has the losers" eval 'is_json "$tmp/gate.json" && sed "1,/\"losers\": \[/d" "$tmp/gate.json" | grep -q "\"words\": \"a waits 2"'
run gate "$tmp/suite.json" --base static --save-baseline "$tmp/kept.json" --quiet
run gate "$tmp/suite.json" --baseline "$tmp/kept.json" --candidate fifo --quiet
check "so does a gate with a baseline" eval 'status_is 0 && loser "$tmp/out"'

# A day and more: all of the 72 jobs of b end, whichever goes first.
cat >"$tmp/plan.json" <<'END'
{"fauxfleet_sweep": 1, "scenario": "two.json", "grid": {"policy": ["static", "fifo"]}, "metrics": ["p95(wait){queue=a}", "completed{queue=b}"]}
END
run sweep "$tmp/plan.json" -o "$tmp/sweep" --quiet
check "a plan of sweep names metrics of queues in the same way" eval 'status_is 0 && grep -q "^policy,by_queue.a.wait_s.p95,by_queue.b.completed,point$" "$tmp/sweep/results.csv" && grep -q "^static,0,72," "$tmp/sweep/results.csv"'

# shellcheck disable=SC2086
run whatif "$tmp/two.json" $move --replicas 1 --quiet
check "one replica is too few" says out "Nobody can be called a loser: one replica on each side is too few for a verdict. The largest harms observed (one replica):"
check "but the observed harm is named" eval 'grep -q "^  a waits 2" "$tmp/out"'
# shellcheck disable=SC2086
run whatif "$tmp/two.json" $move --replicas 1 --quiet --json
check "without calling anybody a loser" eval 'says out "\"losers\": []" && sed "1,/\"observed_harms\": \[/d" "$tmp/out" | grep -q "by_queue.a.wait_s.p95"'

# --- quotas beyond the fleet ---------------------------------------------------------------------

cat >"$tmp/tree.json" <<'END'
{"fauxfleet_scenario": 1, "name": "tree", "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 1}, {"name": "q", "node": {"gpus": 4}, "count": 1}]},
 "queues": [{"name": "dept", "gpu": {"quota": 8}}, {"name": "x", "parent": "dept", "gpu": {"quota": 6}}, {"name": "y", "parent": "dept", "gpu": {"quota": 3}},
            {"name": "bound", "gpu": {"quota": 5}, "pools": ["q"]}],
 "workload": {"generate": {"profile": "teams", "gpus": 12, "horizon": "6h", "load": 0.5, "distributed_share": 0, "teams": [{"queue": "x"}]}}, "policy": {"name": "runai"}, "window": {"horizon": "6h"}}
END
cat >"$tmp/expected" <<'END'
note: quotas exceed the fleet: the top-level queues are promised 13 GPUs in all, and it has 12
note: quotas exceed that of queue 'dept': the queues below it are promised 9 GPUs in all, and it is promised 8
note: the quota of queue 'bound' exceeds its pools: it is promised 5 GPUs, and q has 4
END
run run "$tmp/tree.json" --check
check "run --check warns of quotas beyond what there is" eval 'status_is 0 && same "$tmp/err" "$tmp/expected"'
run run "$tmp/tree.json" -o "$tmp/tree"
check "run does, too" eval 'status_is 0 && head -n 3 "$tmp/err" | cmp -s - "$tmp/expected"'
check "and its report" grep -q "Quotas exceed the fleet: the top-level queues are promised 13 GPUs in all, and it has 12. Quotas exceed that of queue" "$tmp/tree/report.html"
run plan "$tmp/tree.json" --target 'p95(wait){queue=x} <= 9h' --range 1..1 --replicas 2
check "plan does" eval '[ "$status" != 2 ] && says err "$(sed -n 2p "$tmp/expected")"'
run whatif "$tmp/two.json" --set queues.b.gpu.quota+=1 --replicas 2
check "whatif says what the changes make of quotas" equal "$(head -n 1 "$tmp/err")" "note: with the changes, quotas exceed the fleet: the top-level queues are promised 9 GPUs in all, and it has 8"
run run "$tmp/two.json" --check
check "quotas that fit are no matter" silent err

# --- a world and itself --------------------------------------------------------------------------
# Both sides are the same world; B has other jitter of arrivals. Naming a loser is then a mistake.
# No two trials share a replica.
cat >"$tmp/self.json" <<'END'
{"fauxfleet_scenario": 1, "name": "self", "fleet": {"pools": [{"name": "main", "node": {"gpus": 8}, "count": 6}]},
 "queues": [{"name": "a", "gpu": {"quota": 24}}, {"name": "b", "gpu": {"quota": 16}}, {"name": "c", "gpu": {"quota": 8}}],
 "workload": {"generate": {"profile": "teams", "gpus": 48, "horizon": "2d", "load": 0.9,
  "teams": [{"queue": "a", "weight": 3, "users": 6}, {"queue": "b", "weight": 2, "users": 4}, {"queue": "c", "weight": 1, "users": 3}]},
  "shake_s": 3600}, "policy": {"name": "runai"}, "window": {"horizon": "2d"}}
END
trials=${LOSERS_TRIALS:-20}
mistakes=0
wrong=0
i=0
while [ "$i" -lt "$trials" ]; do
    i=$((i + 1))
    run whatif "$tmp/self.json" --quiet --seed $((1000 * i)) --replicas 20 --set workload.shake_seed=$((1000 * i + 10000000))
    says out "Who loses" && mistakes=$((mistakes + 1))
    { status_is 0 && { says out "Who loses" || says out "No queue, class or size is certainly worse."; }; } || wrong=$((wrong + 1))
done
echo "# $mistakes losers in $trials comparisons of a world with itself"
check "a comparison of a world with itself names a loser in one of twenty at most" eval '[ "$wrong" -eq 0 ] && [ $((20 * mistakes)) -le "$trials" ]'

finish
