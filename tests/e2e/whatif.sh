#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs that begin with a snapshot, and `whatif`, from outside. Times of start.json and
# start-quota.json were worked out by hand (see there); a run resumed from its own snapshot
# continues as the original did; changes in other worlds have the right direction. Checks are given
# as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

demo=scenarios/examples/demo.json
start=tests/e2e/data/start.json
quota=tests/e2e/data/start-quota.json

# field DIR JOB COLUMN: of jobs.csv.
field() {
    awk -F, -v job="$2" -v want="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == want) at = i }
        $1 == job { print $at }' "$tmp/$1/jobs.csv"
}
# metric NAME KEY: from the JSON on stdout, a number of a metric; for a side, a or b, its mean.
metric() {
    awk -v want="$1" -v key="$2" '
        $1 == "\"metric\":" { gsub(/[",]/, "", $2); here = $2 == want }
        here && $1 == "\"" key "\":" { side = 1 }
        here && side && $1 == "\"mean\":" { gsub(/[",]/, "", $2); print $2; exit }' "$tmp/out"
}
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && b != "" && a + 0 < b + 0) }'; }

# --- a run that begins with a snapshot -----------------------------------------------------------

# `long` has an hour of its two left, `short` half an hour of its limit; `next` takes the place of
# `short`.
run run "$start" --audit --no-report --quiet -o "$tmp/one"
check "a snapshot is a scenario" status_is 0
check "running jobs go on" equal "$(field one long end_s)" 3600
check "a limit says how long it takes" equal "$(field one short end_s)" 1800
check "a pending job's wait counts from its submission" equal "$(field one next wait_s)" 1860
check "and takes its time" equal "$(field one next end_s)" 3600
check "what ran before has waited before" equal "$(field one long wait_s)" 3600
run run "$start" --audit --no-report --quiet -o "$tmp/lost" --set 'fleet.lose=["rack=r1"]'
check "jobs on lost nodes wait, and go on where they were" equal "$(field lost long first_start_s),$(field lost long end_s)" "-3600,5400"
check "others wait behind them" equal "$(field lost next wait_s)" 5460
run run "$start" --audit --no-report --quiet -o "$tmp/drained" --set 'fleet.drain=["b*"]'
check "jobs on nodes that drain end there" equal "$(field drained short end_s),$(field drained next first_start_s)" "1800,3600"
run run "$start" --audit --no-report --quiet -o "$tmp/more" --set fleet.add.p=1
check "an added node is free" equal "$(field more next wait_s)" 60

printf 'job_id,submit_s,duration_s,gpus,queue\nold,-10,60,4,q\nnew,600,60,4,q\n' >"$tmp/later.csv"
run run "$start" --trace "$tmp/later.csv" --no-report --quiet -o "$tmp/later"
check "what came before the snapshot is left out" equal "$(field later old end_s)" ""
check "later jobs queue behind" equal "$(field later new first_start_s)" 3600
run run "$start" --trace "$tmp/later.csv" --set start.arrivals=from-now --no-report --quiet -o "$tmp/now"
check "or all of the trace comes from now on" equal "$(field now old submit_s),$(field now new submit_s)" "0.001,610.001"

while read -r key value message; do
    run run "$start" --no-report --quiet -o "$tmp/bad" --set "$key=$value"
    check "$key=$value is refused" eval 'status_is 2 && says err "$message"'
done <<'ROWS'
start.remaining exponental:4h 'exponental:4h', expected known, limits, exponential:MEAN
start.remaining lognormal:2h 'lognormal:2h', expected
start.remaining trace:/none.csv cannot open '/none.csv'
start.remaining limits job 'long' has no run time or limit
start.snapshot none.json none.json
fleet.lose ["c0"] 'c0' matches no node, did you mean 'a0'?
fleet.drain ["rack=r9"] 'rack=r9' matches no node, did you mean 'r1'? (rack is one of r1, r2)
fleet.drain ["rak=r1"] 'rak=r1' matches no node, did you mean 'rack'? (no label 'rak' has that value; levels: rack, node, pool)
fleet.add {"q":1} unknown pool 'q'
workload.mode closed 'closed' does not go with a run that begins with a snapshot
queues.r.gpu.quota 1 no element 'r': the list has 1, numbered from 0, and none of that name
ROWS

# --- a run resumes from its own snapshot ---------------------------------------------------------

# decisions FILE AFTER: starts and evictions later than so many ms, without the running hash.
decisions() {
    sed 's/, "hash": "[0-9a-f]*"//' "$1" | awk -F'[:,]' -v after="$2" '/"kind": "(start|evict|nominate)"/ && $2 + 0 > after'
}
cp -r scenarios/examples/demo.json "$tmp/demo.json"
# All policies of the program, and options with which they remember more. Past decisions are not
# made again.
"$BIN" list policies | awk '{ print $1, "8d" }' >"$tmp/policies"
cat >>"$tmp/policies" <<'ROWS'
las 8d demotion=published
las 691223.5 ties=previous scope=queue
srtf 8d ties=waiting scope=queue
easy 8d easy_variant=frozen scope=queue
slurm 691223.5 placement=random easy_variant=frozen
runai 8d backfill=true
runai 691223.5 usage_window=sliding usage_window_s=604800 usage_half_life_s=43200 usage_k=10
runai 8d usage_window=tumbling usage_window_s=86400
runai 691223.5 idle_limit_s=1800
ROWS
while read -r policy at options; do
    set --
    for option in $options; do
        set -- "$@" --set "policy.options.$option"
    done
    "$BIN" run "$demo" --policy "$policy" "$@" --snapshot-at "$at" --no-report --quiet -o "$tmp/whole" >"$tmp/out" 2>"$tmp/err"
    "$BIN" run "$demo" --policy "$policy" "$@" --set start.snapshot="$tmp/whole/snapshot.json" --no-report -o "$tmp/rest" \
        >"$tmp/out" 2>"$tmp/err"
    now=$(sed -n 's/.*"now_ms": \([0-9]*\).*/\1/p;q' "$tmp/whole/snapshot.json")
    decisions "$tmp/whole/journal.jsonl" "$now" >"$tmp/a"
    decisions "$tmp/rest/journal.jsonl" "$((now - 1))" >"$tmp/b"
    check "$policy $options: the same decisions after the snapshot" \
        eval '[ "$(wc -l <"$tmp/a")" -gt 500 ] && same "$tmp/a" "$tmp/b" && ! says err "does not carry"'
    rm -rf "$tmp/whole" "$tmp/rest"
done <"$tmp/policies"

# In another world than that of the snapshot nothing is settled: added nodes are used at once, and
# another policy works without the memory.
run run "$demo" --policy runai --set policy.options.usage_window=sliding --set workload.generate.load=1.2 --set window.horizon=4d \
    --snapshot-at 60h --no-report --quiet -o "$tmp/whole"
now=$(sed -n 's/.*"now_ms": \([0-9]*\).*/\1/p;q' "$tmp/whole/snapshot.json")
run run "$tmp/whole/snapshot.json" --set start.remaining=known --set fleet.add.main=4 --no-report --quiet -o "$tmp/rest"
check "an added node is used at once" eval 'status_is 0 && grep -q "\"t_ms\": $now,.*\"kind\": \"start\".*main-added" "$tmp/rest/journal.jsonl"'
for policy in fifo las slurm; do
    run whatif "$tmp/whole/snapshot.json" --both start.remaining=known --policy "$policy"
    check "$policy after runai" eval 'status_is 0 && { [ "$policy" = fifo ] || says err "policy $policy: the snapshot does not carry"; }'
done
rm -rf "$tmp/whole" "$tmp/rest"

# --- whatif --------------------------------------------------------------------------------------

# The name of a policy alone does not choose its options: the message says what to write instead,
# and that works.
run whatif "$demo" --both policy.name=runai --set queues.speech.gpu.quota+=8 --quiet
check "options of the previous policy on both sides" equal "$(cat "$tmp/err")" "fauxfleet: $demo:24: policy.options: the policy 'runai' has no options 'blocking', 'scope'; --both changed the name alone, and the options stayed those of the previous policy: write --both 'policy={\"name\":\"runai\",\"options\":{}}'"
run run "$demo" --set policy.name=runai --check
check "and on one" equal "$(cat "$tmp/err")" "fauxfleet: $demo:24: policy.options: the policy 'runai' has no options 'blocking', 'scope'; --set changed the name alone, and the options stayed those of the previous policy: write --policy runai, or --set 'policy={\"name\":\"runai\",\"options\":{}}'"
run run "$demo" --set 'policy={"name":"runai","options":{}}' --check
check "the suggested setting is accepted" eval 'status_is 0 && grep -q "\"options\": {}" "$tmp/out"'

run whatif "$start" --add-nodes p:1 --json --quiet
check "whatif succeeds" status_is 0
check "whatif prints JSON" is_json "$tmp/out"
check "with a node more the wait is what it was until now" equal "$(metric wait_s.mean a),$(metric wait_s.mean b)" "1860,60"
run whatif "$start" --lose rack=r1 --quiet
check "jobs that lose their nodes are listed" eval 'says out "Without their nodes in B when it begins: 1 job" && grep -q "^long " "$tmp/out"'
check "without randomness the differences are exact" says out "There is no randomness here"
check "so that longer waits are certain" eval 'grep -q "^wait_s.mean .* worse$" "$tmp/out" && says out "Queues that wait less in B: none; more: q"'
run whatif "$start" --lose rack=r1 --set 'fleet.drain=["a0"]' --json --quiet
check "later waits are longer" equal "$(metric wait_s.mean a),$(metric wait_s.mean b)" "1860,5460"

# With a quota of its own y1 is due four GPUs: the younger x2 goes, after its grace of 30 s.
run whatif "$quota" --set queues.y.gpu.quota=4 --set queues.x.gpu.quota-=4 --json --quiet
check "a quota gives a place" equal "$(metric wait_s.mean a),$(metric wait_s.mean b)" "3600,30"
check "and takes one" eval 'grep -A1 "\"newly_evicted\"" "$tmp/out" | grep -q . && grep -q "\"job\": \"x2\"" "$tmp/out" && ! grep -q "\"job\": \"x1\"" "$tmp/out"'
check "for a reason" says out '"reason": "RECLAIM_OVER_'
run whatif "$start" --policy las
check "state that a policy loses at the snapshot is noted" says err "policy las: the snapshot does not carry the attained service of jobs"
run whatif "$start" --policy srtf
check "and nothing where it forgets nothing" silent err
run run "$start" --set policy.name=runai --set policy.options.backfill=true --no-report -o "$tmp/forgot"
check "of a run too, by its options" says err "policy runai: the snapshot does not carry the reservation"
run whatif "$quota" --set queues.y.gpu.quota=0 --quiet
check "no change, no difference" says out "No decision differs"
run whatif "$demo" --set 'fleet.pools[0].count=4' --both window.drain=false --replicas 2 -j 2 --json --quiet
# With a fleet of 32 GPUs only the jobs of 64 are too large.
check "jobs that can never run are listed" eval 'sed "1,/newly_never_fits/d" "$tmp/out" | grep -q "\"gpus\": 64" && ! sed "1,/newly_never_fits/d" "$tmp/out" | grep -Eq "\"gpus\": ([0-9]|[12][0-9]|3[0-2])(\.|,|$)"'

run whatif "$demo" --add-nodes main:8 --replicas 5 -j 2 --json --quiet
cp "$tmp/out" "$tmp/two"
check "more nodes, shorter waits" less "$(metric wait_s.mean b)" "$(metric wait_s.mean a)"
run whatif "$demo" --add-nodes main:8 --replicas 5 --json --quiet
check "the same bytes for any -j" same "$tmp/out" "$tmp/two"
run whatif "$demo" --lose 'main-[0-3]' --replicas 5 -j 2 --json --quiet
check "fewer nodes, longer waits" less "$(metric wait_s.mean a)" "$(metric wait_s.mean b)"
check "lost nodes are away" equal "$(metric utilization.availability b)" 0.75
run whatif "$demo" --policy easy --replicas 2 -j 2 --quiet -o "$tmp/page.html"
check "another policy" says out "B  what if: demo, policy easy"
check "the page is there" test -s "$tmp/page.html"
run whatif "$quota" --set queues.y.gpu.quota=4 --set queues.x.gpu.quota-=4 --quiet -o "$tmp/page.md"
check "Markdown has the list" grep -q '^| x2 |' "$tmp/page.md"

for kind in kube slurm; do
    run snapshot "tests/fuzz/corpus/import/$kind.json"
    cp "$tmp/out" "$tmp/$kind.json"
    pool=$(sed -n 's/.*"pool": *"\([^"]*\)".*/\1/p' "$tmp/$kind.json" | head -n 1)
    run whatif "$tmp/$kind.json" --both start.remaining=exponential:4h --add-nodes "${pool:-all}:4" -j 2 --audit --json --quiet
    check "$kind: whatif succeeds" status_is 0
    check "$kind: nodes more do no harm" eval '! less "$(metric wait_s.mean a)" "$(metric wait_s.mean b)"'
done

run whatif "$start"
check "nothing changed is a mistake" eval 'status_is 2 && says err "nothing is changed"'
run whatif "$start" --add-nodes q:1
check "an unknown pool" eval 'status_is 2 && says err "unknown pool"'
run whatif "$start" --add-nodes p
check "nodes of no number" eval 'status_is 2 && says err "expected POOL:N"'
run whatif "$start" --drain nowhere
check "unknown nodes" eval 'status_is 2 && says err "matches no node"'
for change in seed=7 window.warmup=1d window.horizon=2d window.drain=false; do
    run whatif "$demo" --set "$change" --replicas 2
    check "not on one side alone: ${change%=*}" refused "--set ${change%=*}: both worlds have the same seed and window"
done
run whatif "$start" --policy nonesuch
check "an unknown policy" status_is 2
run whatif "$start" --add-nodes p:1 -o x.pdf
check "a page of no kind" status_is 2

# --- risks and files -------------------------------------------------------------------------------

# Waits of 6 replicas on each side, counted from the JSON.
run whatif "$demo" --policy sjf --replicas 6 --quiet --json --target 'p95(wait) <= 20h' --target 'utilization.allocation >= 70%' -o "$tmp/folder"
check "-o DIR: the page and the same JSON" eval 'status_is 0 && same "$tmp/out" "$tmp/folder/whatif.json" && [ -s "$tmp/folder/whatif.html" ]'
if command -v python3 >/dev/null; then
    check "misses are those of the replicas" python3 -c '
import json, sys
w = json.load(open(sys.argv[1]))
values = {m["metric"]: m for m in w["metrics"]}
def misses(side):
    wait = [v > 72000 for v in values["wait_s.p95"][side]["values"]]
    use = [v < 0.7 for v in values["utilization.allocation"][side]["values"]]
    return [sum(wait), sum(use), sum(a or b for a, b in zip(wait, use))]
for side in "a", "b":
    assert [t[side]["missed"] for t in w["targets"]] == misses(side), (side, misses(side))
    assert all(t[side]["replicas"] == 6 for t in w["targets"])
' "$tmp/folder/whatif.json"
fi
check "the cards have the risk, in words" equal "$(sed 's/<[^>]*>//g' "$tmp/folder/whatif.html" | grep -c '^Risk of missing: p95 wait at most 20h00m')" 2
run whatif "$demo" --policy sjf --replicas 2 --quiet -o "$tmp/plain.html"
check "without a target they say so" equal "$(grep -c 'no target given' "$tmp/plain.html")" 2
run whatif "$demo" --policy sjf --replicas 2 --quiet --target 'p95(wate) <= 2h'
check "an invalid target" refused "did you mean 'wait'?"

# --- the decision sheet --------------------------------------------------------------------------

# 16 nodes of 8 GPUs and 17: 128 and 136 GPUs; prices are those of the catalogue, per node.
run whatif scenarios/examples/demo.json --set fleet.pools.main.count+=1 --both replicas=6 --quiet --json -o "$tmp/sheet.html"
check "the sheet of more nodes" status_is 0
# dd NUMBER NAME: the figure of that name on the card.
dd() { grep -o "<dt>$2</dt><dd>[^<]*" "$tmp/sheet.html" | sed -n "$1{s/.*<dd>//; s/ *$//; p;}"; }
check "asks the question in words" grep -qF 'What if we change the nodes of pool main from 16 to 17?' "$tmp/sheet.html"
check "its cards have GPUs" equal "$(dd 1 GPUs) $(dd 2 GPUs)" "128 136"
if command -v python3 >/dev/null; then
    check "and the money of the JSON, as an estimate" equal "$(dd 1 'USD per year (?)') $(dd 2 'USD per year (?)')" \
        "$(python3 -c 'import json, sys
for m in json.load(open(sys.argv[1]))["metrics"]:
    if m["metric"] == "cost.usd_per_year":
        print("%.2f million %.2f million" % (m["a"]["mean"] / 1e6, m["b"]["mean"] / 1e6))' "$tmp/out")"
fi
check "prices are marked as estimates" eval 'sed -n "/id=.assumptions/,/<.section/p" "$tmp/sheet.html" | grep -q "estimate (?)"'
check "worse values are marked" eval 'grep -q "class=.harm.>+6\.2%, worse" "$tmp/sheet.html"'
printf '{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "<b>", "node": {"gpus": 8}, "count": 1}]}, "workload": {"trace": "w.csv"}, "policy": {"name": "fifo"}}' >"$tmp/tag.json"
printf 'job_id,submit_s,duration_s,gpus\na,0,60,8\n' >"$tmp/w.csv"
run whatif "$tmp/tag.json" --set 'fleet.pools.0.count+=1' --quiet -o "$tmp/tag.html"
check "names in the question are text" eval 'status_is 0 && grep -qF "the nodes of pool &lt;b&gt; from 1 to 2" "$tmp/tag.html"'

run run scenarios/examples/demo.json --snapshot-at 2d -o "$tmp/two-days" --no-report --quiet
run whatif "$tmp/two-days/snapshot.json" --both start.remaining=exponential:4h --lose main-3 --set policy.name=sjf --replicas 2 --quiet -o "$tmp/lost.html"
check "lost nodes and a policy are asked for in words" grep -qF '>What if we lose main-3 and change the policy from fifo to sjf?<' "$tmp/lost.html"
run whatif "$tmp/two-days/snapshot.json" --both start.remaining=exponential:4h --add-nodes main:8 --replicas 2 --quiet -o "$tmp/added.html"
check "so are new ones" grep -qF '>What if we add nodes main:8?<' "$tmp/added.html"
check "unknown prices are not called sourced" eval 'sed -n "/id=.assumptions/,/<.section/p" "$tmp/lost.html" | grep -q "not all known"'

finish
