#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The gate: its verdicts and exit codes, the first different decision, baselines, reports for other
# programs, the command that reproduces a verdict; neither threads nor reruns change a byte.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

examples=${B:-build/release}/policies/examples
quota=$PWD/scenarios/ci/quota.json
data=tests/e2e/data/regressions

# suite NAME KEYS: a suite on the quota scenario.
suite() {
    printf '{"fauxfleet_gate": 1, "name": "%s", "scenarios": [{"scenario": "%s", "set": {"workload.generate.horizon": "4d", "window.horizon": "4d"}}],\n%s}\n' \
        "$1" "$quota" "$2" >"$tmp/$1.json"
}
metrics='"metrics": [{"metric": "wait_s.mean", "margin": 0.5}, {"metric": "jct_s.mean", "margin": 0.3},
 {"metric": "wait_s.p95", "class": "distributed", "margin": 0.5, "role": "guard"}]'
suite small "$metrics, \"looks\": [6, 12], \"audit\": 2"

# --- verdicts ------------------------------------------------------------------------------------

run gate "$tmp/small.json" --base runai --candidate $data/quota-base.json
check "the same policy under another name passes" status_is 0
check "because no decision changed" says out "PASS: No decision changed: the journals of all 6 pairs"

run gate "$tmp/small.json" --base $data/line-base.json --candidate $data/line-backfill-off.json -j 2
check "without backfill it fails" status_is 1
check "and says in what" says out "FAIL: Worse by more than the margin: jct_s.mean in 'quota'"
check "the first different decision has its time, its words" \
    eval 'grep -qE "^  base +at [0-9.]+ s start job .t[0-9]+. .*\((allocate|backfill)\)$" "$tmp/out"'
check "and what became of the job on the other side, with the reason" \
    eval 'grep -qE "^ +with the candidate that job waits: BEHIND: " "$tmp/out"'

run gate "$tmp/small.json" --base $data/line-backfill-off.json --candidate $data/line-base.json
check "the other way round it passes: better is no harm" eval 'status_is 0 && says out "no primary metric is worse"'

# --- it resumes ----------------------------------------------------------------------------------

# sides DIR: a gate of both, whose replicas are kept in DIR.
sides() {
    run gate "$tmp/small.json" --base $data/line-base.json --candidate $data/line-backfill-off.json -j 2 -o "$@"
}
kept() { find "$1/replicas" -name '*.json' 2>/dev/null | wc -l | tr -d ' '; }
sides "$tmp/gate"
cp "$tmp/out" "$tmp/whole.txt"
check "the page has the verdict, and metrics in words" eval 'grep -q "<h1>small</h1>" "$tmp/gate/gate.html" && grep -q "title=\"jct_s.mean: [^\"]*\">Time to completion, mean</th>" "$tmp/gate/gate.html" && ! sed -n "/<main/,/id=.difference/p" "$tmp/gate/gate.html" | sed "s/<[^>]*>//g" | grep -q "wait_s"'
check "-o DIR: the report json and the replicas" eval 'status_is 1 && [ "$(kept "$tmp/gate")" -ge 14 ] && grep -q "\"fauxfleet_gate\|\"gate\|\"verdict\"" "$tmp/gate/gate.json"'
sides "$tmp/gate"
check "complete replicas are not simulated again" eval 'status_is 1 && says err "note: 0 replicas simulated, $(kept "$tmp/gate") were complete" && same "$tmp/out" "$tmp/whole.txt"'
"$BIN" gate "$tmp/small.json" --base $data/line-base.json --candidate $data/line-backfill-off.json -o "$tmp/stopped" >"$tmp/out" 2>"$tmp/err" &
pid=$!
while kill -0 "$pid" 2>/dev/null && [ "$(kept "$tmp/stopped")" -lt 3 ]; do :; done
kill -INT "$pid" 2>/dev/null
wait "$pid"
status=$?
check "Ctrl-C keeps complete replicas" eval 'status_is 130 && says err "the same command resumes" && [ ! -s "$tmp/out" ] && [ "$(kept "$tmp/stopped")" -lt "$(kept "$tmp/gate")" ]'
before=$(kept "$tmp/stopped")
sides "$tmp/stopped"
check "the same command does the rest" eval 'status_is 1 && says err " were complete" && ! says err ", 0 were complete" && [ "$before" -ge 3 ]'
check "with the same bytes" eval 'same "$tmp/out" "$tmp/whole.txt" && same "$tmp/stopped/gate.json" "$tmp/gate/gate.json"'
run gate "$tmp/small.json" --base $data/line-base.json --candidate $data/line-base.json -o "$tmp/gate"
check "another candidate shares the base alone" eval 'status_is 0 && says out "No decision changed" && ! says err "note: 0 replicas simulated"'
run gate "$tmp/small.json" --base $data/line-base.json --candidate $data/line-backfill-off.json -o "$tmp/gate" --seed 99
check "another seed shares nothing" says err ", 0 were complete"

suite narrow '"metrics": [{"metric": "wait_s.mean", "margin": 0.001, "floor": 0}], "looks": [5, 6], "audit": 0'
run gate "$tmp/narrow.json" --base runai --candidate $data/quota-reclaim-off.json
check "a margin below what can be seen is inconclusive" eval 'status_is 3 && says out "INCONCLUSIVE"'
check "and the number of replicas needed is given" eval 'grep -qE "about [0-9]+ replicas would decide it|no number of replicas" "$tmp/out"'
run gate "$tmp/narrow.json" --base runai --candidate $data/quota-reclaim-off.json --replicas 4
check "four pairs have no interval, and the output says so" eval 'status_is 3 && says out "needs at least 5 pairs"'
run gate "$tmp/narrow.json" --base $data/line-base.json --candidate $data/line-backfill-off.json --replicas 12
check "a narrow margin is decided all the same: the interval lies beyond it" eval 'status_is 1 && says out "FAIL: Worse by more than the margin"'
run gate "$tmp/narrow.json" --base runai --candidate $data/quota-reclaim-off.json --inconclusive pass
check "--inconclusive pass" status_is 0
run gate "$tmp/narrow.json" --base runai --candidate $data/quota-reclaim-off.json --inconclusive fail
check "--inconclusive fail" status_is 1

suite queues '"metrics": [{"metric": "jct_s.mean", "queue": "*", "margin": 0.02, "floor": 1}, {"metric": "jct_s.mean", "margin": 0.02, "floor": 1, "role": "guard"},
 {"metric": "fairness.quota_satisfaction", "queue": "steady", "margin": 0.9, "role": "guard"}], "looks": [12], "audit": 0'
run gate "$tmp/queues.json" --base $data/line-base.json --candidate $data/line-backfill-off.json -j 2
check "a metric of each queue: the queue that loses is named" \
    eval 'status_is 1 && grep -qE "^FAIL: Worse by more than the margin: .*mean completion time of queue .[a-z]+. in .quota." "$tmp/out"'
check "each queue has a row, and one that is named its own" \
    eval '[ "$(grep -c "^by_queue\.[a-z]*\.jct_s.mean  *quota " "$tmp/out")" -eq 4 ] && [ "$(grep -c "^fairness\.queues\.steady\.quota_satisfaction (guard)  *quota " "$tmp/out")" -eq 1 ]'
check "guards that warn are in the first line" eval 'head -n 1 "$tmp/out" | grep -q "Guards warn, worse by more than the margin: jct_s.mean in"'
suite both '"metrics": [{"metric": "jct_s.mean", "queue": "small", "class": "build"}]'
run gate "$tmp/both.json" --base runai --candidate runai
check "a class and a queue at once" refused "expected a class or a queue, not both"

suite starve "$metrics, \"looks\": [4], \"starvation\": \"1h\""
run gate "$tmp/starve.json" --base runai --candidate $data/quota-reclaim-off.json
check "a job that waits too long is a violation" eval 'status_is 4 && says out "INVARIANT VIOLATED: Starvation: with the candidate"'

cat >"$tmp/part.c" <<'END'
#include "plugin.h"
static void decide(void *self, struct policy_plan *plan) { (void)self; plan->start(plan, plan->jobs, 0, 0); }
const struct policy_plugin fauxpolicy_plugin = {POLICY_PLUGIN_HEAD("part", "starts gangs in part"), .decide = decide};
END
check "a candidate that starts gangs in part" ${CC:-cc} -std=c17 -shared -fPIC -Ipolicies -o "$tmp/part.so" "$tmp/part.c"
run gate "$tmp/small.json" --base runai --candidate "$tmp/part.so" --report "junit=$tmp/part.xml" -j 2
cp "$tmp/out" "$tmp/part.txt"
check "is a violation, with side, replica and job" \
    eval 'status_is 4 && says out "scenario '"'quota'"': candidate: replica 1: " && says out "starts a gang in part"'
check "which the reports have too" eval 'grep -q "<error message=.*starts a gang in part" "$tmp/part.xml" && says out "To reproduce: "'
run gate "$tmp/small.json" --base runai --candidate "$tmp/part.so" --report "junit=$tmp/part2.xml"
check "and the same bytes on one thread" eval 'same "$tmp/out" "$tmp/part.txt" && same "$tmp/part.xml" "$tmp/part2.xml"'

run gate "$tmp/small.json" --base runai --candidate $data/quota-reclaim-off.json --require-identical
check "--require-identical" eval 'status_is 1 && says out "DECISIONS DIFFER: Decisions differ in 6 of 6 pairs" && says out "First different decision"'
run gate "$tmp/small.json" --base runai --candidate runai --require-identical
check "and identical ones pass it" status_is 0

run gate "$tmp/small.json" --base runai --candidate runai --aa
check "A/A: other shakes of the same jobs give other decisions, and pass" \
    eval 'status_is 0 && { says out "6 replicas, 0 with the same decisions" || says out "12 replicas, 0 with the same decisions"; }'

# shaken NAME ARGUMENT...: the quota scenario with jitter; leaves $tmp/NAME.jobs without the arrival
# times.
shaken() {
    name=$1
    shift
    run run "$quota" --no-report --quiet -o "$tmp/$name" --set workload.shake_s=30 "$@"
    status_is 0 && cut -d , -f 1-5 "$tmp/$name/jobs.csv" | sort >"$tmp/$name.jobs"
}
check "shakes with a seed of their own" eval 'shaken s1 && shaken s2 --set workload.shake_seed=1 && shaken s3 --set workload.shake_seed=2'
check "are those of the scenario's seed when it is the same" same "$tmp/s1/jobs.csv" "$tmp/s2/jobs.csv"
check "and else others, of the same jobs" eval '! same "$tmp/s1/jobs.csv" "$tmp/s3/jobs.csv" && [ -s "$tmp/s1.jobs" ] && same "$tmp/s1.jobs" "$tmp/s3.jobs"'
run run "$quota" --check --set workload.shake_seed=-1
check "an invalid seed" refused workload.shake_seed

# --- libraries, traces, seeds --------------------------------------------------------------------

run gate "$tmp/small.json" --base "$examples/smallest_first.so" --candidate "$examples/least_waste.so" --replicas 4 --json
cp "$tmp/out" "$tmp/libraries.json"
check "two shared libraries at once" eval 'is_json "$tmp/libraries.json" && [ "$(json "$tmp/libraries.json" looks_done)" = 1 ]'
check "they are told apart" eval 'grep -q "\"replicas_with_same_decisions\": 0," "$tmp/libraries.json"'
run gate "$tmp/small.json" --base "$examples/least_waste.so" --candidate "$examples/least_waste.so" --replicas 2
check "a library against itself" eval 'status_is 0 && says out "No decision changed"'
run gate "$tmp/small.json" --base runai --candidate runai --seed 77 --replicas 2 --json
check "--seed is that of the first replica" eval 'tr -d " \n" <"$tmp/out" | grep -q "\"seeds\":\[\"77\",\"78\"\]"'
run gate "$tmp/small.json" --base runai --candidate runai --set policy.cycle_s=60 --replicas 2
check "--set" status_is 0

# --- the same bytes ------------------------------------------------------------------------------

reports() {
    run gate "$tmp/small.json" --base $data/line-base.json --candidate $data/line-backfill-off.json --report "json=$tmp/$1.json" \
        --report "md=$tmp/$1.md" --report "junit=$tmp/$1.xml" --report "github=$tmp/$1.github" --report "tap=$tmp/$1.tap" \
        --report "csv=$tmp/$1.csv" --report "sarif=$tmp/$1.sarif" -j "$2"
    mv "$tmp/out" "$tmp/$1.txt"
    status_is 1
}
check "all reports" reports a 1
check "and again on three threads" reports b 3
for kind in txt json md xml github tap csv sarif; do
    check "$kind has the same bytes" eval '[ -s "$tmp/a.$kind" ] && same "$tmp/a.$kind" "$tmp/b.$kind"'
done

# --- reports for other programs ------------------------------------------------------------------

if command -v python3 >/dev/null; then
    check "XML, JSON and CSV as a library reads them" python3 - "$tmp" <<'END'
import csv, json, sys, xml.etree.ElementTree as tree
folder = sys.argv[1]
report = json.load(open(folder + "/a.json"))
assert report["verdict"] == "fail" and report["stage"] == "statistics", report["verdict"]
suite = tree.parse(folder + "/a.xml").getroot().find("testsuite")
cases = suite.findall("testcase")
assert len(cases) == int(suite.get("tests")) == 5 + len(report["metrics"]) + 3 * len(report["scenarios"])
failures = [c for c in cases if c.find("failure") is not None]
assert len(failures) == int(suite.get("failures")) == sum(m["verdict"] == "fail" for m in report["metrics"]) > 0
assert all(report["command"] in c.find("failure").text for c in failures)
rows = list(csv.DictReader(open(folder + "/a.csv")))
assert [r["verdict"] for r in rows] == [m["verdict"] for m in report["metrics"]]
for r, m in zip(rows, report["metrics"]):
    assert abs(float(r["base"]) - sum(m["base"]["values"]) / m["replicas"]) < 1e-6
    base, harm = m["base"]["mean"], m["harm"]
    assert abs(harm["mean"] - (m["candidate"]["mean"] / base - 1)) < 1e-6, m["metric"]
    assert (m["verdict"] == "pass") == (harm["high"] < harm["margin"]), m["metric"]
    assert m["verdict"] not in ("fail", "warn") or harm["low"] > harm["margin"], m["metric"]
sarif = json.load(open(folder + "/a.sarif"))["runs"][0]
rules = [r["id"] for r in sarif["tool"]["driver"]["rules"]]
for r in sarif["results"]:
    assert rules[r["ruleIndex"]] == r["ruleId"] and (r["kind"] == "fail") == (r["level"] != "none"), r
assert [r["ruleId"] for r in sarif["results"] if r["level"] == "error"] == [m["metric"] for m in report["metrics"] if m["verdict"] == "fail"]
END
else
    skip "XML, JSON and CSV as a library reads them" "no python3"
fi
if command -v xmllint >/dev/null; then
    check "xmllint takes the XML" xmllint --noout "$tmp/a.xml"
else
    skip "xmllint takes the XML" "no xmllint"
fi
check "tolerances are given in words" grep -qF "may grow by at most 50% or 30s, whichever is more: a job that waited 1h00m may wait 1h30m" "$tmp/a.txt"
check "GitHub: an error at the line of the metric" eval 'grep -q "^::error file=.*small.json,line=2,title=quota%3A jct_s.mean::" "$tmp/a.github"'
run gate "$tmp/small.json" --base runai --candidate runai --replicas 2 --report tap=-
check "a report on standard output is alone there" eval 'status_is 0 && [ "$(head -n 1 "$tmp/out")" = "TAP version 13" ] && ! says out PASS:'

# --- the printed command reproduces it -----------------------------------------------------------

mkdir "$tmp/bin"
ln -s "$BIN" "$tmp/bin/fauxfleet"
cp $data/line-base.json "$tmp/it's base.json"
run gate "$tmp/small.json" --base "$tmp/it's base.json" --candidate $data/line-backfill-off.json --set 'policy.grace_s=31' --replicas 12
cp "$tmp/out" "$tmp/first"
sed -n 's/^To reproduce: //p' "$tmp/first" >"$tmp/command"
check "the command works as printed, and says the same" \
    eval 'PATH=$tmp/bin:$PATH sh "$tmp/command" >"$tmp/second" 2>/dev/null; [ $? -eq 1 ] && same "$tmp/first" "$tmp/second"'

# --- baselines -----------------------------------------------------------------------------------

run gate "$tmp/small.json" --base $data/line-base.json --save-baseline "$tmp/kept.json" -j 2
check "a baseline" eval 'status_is 0 && is_json "$tmp/kept.json" && says err "baseline: $tmp/kept.json"'
run gate "$tmp/small.json" --baseline "$tmp/kept.json" --candidate $data/line-base.json
check "the base passes against it" eval 'status_is 0 && says out "No decision changed"'
run gate "$tmp/small.json" --baseline "$tmp/kept.json" --candidate $data/line-backfill-off.json
cp "$tmp/out" "$tmp/by-baseline"
check "a regression fails against it" status_is 1
check "the first different decision is the same without the base's policy" \
    eval 'grep -E "^First different|^  (base|candidate) +at |with the candidate that job" "$tmp/a.txt" >"$tmp/x"
        grep -E "^First different|^  (base|candidate) +at |with the candidate that job" "$tmp/by-baseline" >"$tmp/y"
        [ "$(wc -l <"$tmp/x")" -eq 4 ] && same "$tmp/x" "$tmp/y"'
check "and says what the baseline has of the candidate's job" \
    eval 'grep -qE "^ +with the base that job (was last|is first|is never) decided on" "$tmp/by-baseline"'
check "the same queues lose" \
    eval 'sed -n "/Who loses/,/^$/p" "$tmp/a.txt" >"$tmp/x"; sed -n "/Who loses/,/^$/p" "$tmp/by-baseline" >"$tmp/y"; [ "$(wc -l <"$tmp/x")" -gt 3 ] && same "$tmp/x" "$tmp/y"'
sed -e '/^ *"summaries": /d' -e '/^ *"decisions": /d' "$tmp/kept.json" | sed -e ':a' -e 'N;$!ba' -e 's/,\(\n *}\)/\1/g' >"$tmp/old.json"
run gate "$tmp/small.json" --baseline "$tmp/old.json" --candidate $data/line-backfill-off.json
check "a baseline from before is read, and what it lacks is said" \
    eval 'status_is 1 && says out "The losers are unknown: this older baseline keeps no summaries" && says out "First different decision: not known. The baseline keeps no decisions"'
sed 's/"summaries": "\([0-9]*\):[^"]*"/"summaries": "\1:AAAA"/' "$tmp/kept.json" >"$tmp/damaged.json"
run gate "$tmp/small.json" --baseline "$tmp/damaged.json" --candidate runai
check "damaged summaries are refused" eval 'status_is 5 && says out "the summaries are damaged: make the baseline again"'
check "with the same figures as against the base itself" \
    eval 'grep "^wait_s.mean " "$tmp/a.txt" >"$tmp/x"; grep "^wait_s.mean " "$tmp/by-baseline" >"$tmp/y"; [ -s "$tmp/x" ] && same "$tmp/x" "$tmp/y"'
run gate "$tmp/small.json" --baseline "$tmp/kept.json" --base $data/line-base.json --candidate $data/line-backfill-off.json
check "with --base as well the first different decision is shown" eval 'status_is 1 && says out "First different decision"'
run gate "$tmp/small.json" --baseline "$tmp/kept.json" --candidate runai --seed 5
check "other seeds: another scenario" eval 'status_is 5 && says out "BASELINE INCOMPATIBLE" && says out scenario_digest'
run gate "$tmp/small.json" --baseline "$tmp/kept.json" --candidate runai --set fleet.pools.0.count=9 --report "junit=$tmp/five.xml"
check "another fleet, and the report has it" eval 'status_is 5 && grep -q "<error " "$tmp/five.xml"'
run gate "$tmp/small.json" --baseline "$tmp/none.json" --candidate runai
check "a baseline that is not there" eval 'status_is 5 && silent out && says err "no such baseline"'
run gate "$tmp/small.json" --baseline "$tmp/kept.json" --candidate runai --replicas 50
check "a baseline with too few replicas" eval 'status_is 5 && says out "has 12 replicas"'

# --- mistakes ------------------------------------------------------------------------------------

run gate "$tmp/small.json" --candidate fifo
check "no base" refused "no base given"
run gate "$tmp/small.json" --base fifo
check "no candidate" refused "no candidate given"
run gate "$tmp/small.json" --base fifo --candidate sfj
check "no such policy" refused "--candidate: no policy is named 'sfj', did you mean 'sjf'"
run gate "$tmp/small.json" --base "$tmp/absent.json" --candidate sjf
check "no such file" refused "absent.json"
run gate "$tmp/small.json" --base fifo --candidate sjf --report junut=x
check "no such report" refused "did you mean 'junit'"
run gate "$tmp/small.json" --base runai --candidate runai --replicas 2 --report "tap=$tmp/nowhere/x.tap"
check "a report that cannot be written is an error, and the verdict is not lost" eval 'status_is 2 && says err "nowhere/x.tap: cannot write" && says out PASS:'
run gate "$tmp/small.json" --base fifo --candidate sjf --report tap=- --report md=-
check "two reports on standard output" refused "another report goes to standard output already"
run gate "$tmp/small.json" --base fifo --candidate sjf --report tap=- --json
check "nor beside --json" refused "another report goes to standard output already"
run gate "$tmp/small.json" --base fifo --candidate sjf --inconclusive maybe
check "--inconclusive" refused "expected pass or fail"
run gate "$tmp/small.json" --base fifo --candidate sjf --set workload.generate.horizon=2d
check "what the suite sets" refused "the suite sets this key itself"
suite unknown '"metrics": [{"metric": "wait_s.p59"}]'
run gate "$tmp/unknown.json" --base fifo --candidate sjf --replicas 2
check "a key that no summary has" refused "has no value of the metric 'wait_s.p59'"
suite typo '"metrics": [{"metric": "wiat_s.p95"}]'
run gate "$tmp/typo.json" --base fifo --candidate sjf
check "an unknown metric" refused "no metric is named 'wiat_s.p95'"
suite neutral '"metrics": [{"metric": "jobs.failed"}]'
run gate "$tmp/neutral.json" --base fifo --candidate sjf
check "a metric without a direction" refused 'expected a "direction"'
run gate "$tmp/absent.json" --base fifo --candidate sjf
check "no such suite" refused absent.json
run list reports
check "list reports" eval 'status_is 0 && says out junit && says out github'

finish
