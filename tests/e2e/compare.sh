#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# `compare` from outside, on the demo: a planted difference is found, equal runs are called equal,
# runs that do not pair are refused, one replica gets no verdict; edge cases on summaries edited by
# hand. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2317
set -u
. tests/e2e/lib/tap.sh

demo=scenarios/examples/demo.json

# simulate DIR ARGUMENT...
simulate() {
    dir=$tmp/$1
    shift
    "$BIN" run "$demo" -o "$dir" --no-report --quiet "$@" >/dev/null 2>"$tmp/err" || echo "# run failed: $*"
}
compare() { run compare "$@"; }

# metric NAME KEY: from the JSON on stdout, a top-level key of a metric.
metric() {
    awk -v want="$1" -v key="$2" '
        $1 == "\"metric\":" { gsub(/[",]/, "", $2); here = $2 == want }
        here && $1 == "\"" key "\":" { gsub(/[",]/, "", $2); print $2; exit }' "$tmp/out"
}

simulate best --replicas 20 --set policy.options.placement=best-fit
simulate spread --replicas 20 --set policy.options.placement=spread
simulate again --replicas 20 --set policy.options.placement=best-fit

# --- a planted difference ------------------------------------------------------------------------

compare "$tmp/best" "$tmp/spread" -o "$tmp/page.html"
check "compare succeeds" status_is 0
check "says what differs" says out 'policy.options.placement: "best-fit" -> "spread"'
check "spread is worse" says out "B is better in 0 and worse in 6"
check "the page is there" test -s "$tmp/page.html"
check "its figures have data and scripts" test -s "$tmp/page-figures/forest.dat" -a -s "$tmp/page-figures/waits.gp"
check "nothing comes from the network" eval '! grep -q "src=\"http\|href=\"http\|<script" "$tmp/page.html"'
compare "$tmp/best" "$tmp/spread" --json
check "JSON" eval 'status_is 0 && is_json "$tmp/out"'
check "wait is worse" equal "$(metric wait_s.mean verdict)" worse
check "by the change of the means" equal "$(metric wait_s.mean scale)" change
check "without intervals that do not cover" eval '! says out bootstrap'
check "goodput is worse" equal "$(metric utilization.fleet_goodput verdict)" worse
check "that, too" equal "$(metric utilization.fleet_goodput scale)" change
check "fragmentation is worse" equal "$(metric gpu_hours.lost.idle_fragmented verdict)" worse
check "what cannot differ is equal" equal "$(metric gpu_hours.installed verdict)" equal
compare "$tmp/spread" "$tmp/best" --json
check "the other way round it is better" equal "$(metric wait_s.mean verdict)" better
cp "$tmp/out" "$tmp/first"
compare "$tmp/spread" "$tmp/best" --json
check "the same bytes twice" same "$tmp/first" "$tmp/out"

compare "$tmp/best" "$tmp/spread" --fail-on-diff
check "--fail-on-diff" status_is 1
compare "$tmp/best" "$tmp/spread" -o "$tmp/page.md"
check "Markdown has a table" grep -q '^| wait\\_s.mean | ' "$tmp/page.md"

# --- the change is that of the means -------------------------------------------------------------

# shown FILE: A, B, the change and its interval of the mean wait, as in the table.
shown() { awk '$1 == "wait_s.mean" { print $2, $3, $4, $5, $6, $7; exit }' "$1"; }

# of_means: true if a change such as -87.8% follows from the durations beside it, which are shown to
# the minute (from a day on, to the hour).
of_means() {
    shown "$tmp/out" | awk '
        function seconds(text) {
            gsub("d", " 86400 ", text); gsub("h", " 3600 ", text); gsub("m", " 60 ", text); gsub("s", " 1 ", text)
            n = split(text, part, " ")
            for (sum = 0; n > 1; n -= 2) sum += part[n - 1] * part[n]
            return sum
        }
        function half(text) { return text ~ /d/ ? 1800 : 30 }
        { a = seconds($1); b = seconds($2); change = $3 + 0; found = 1
          low = 100 * ((b - half($2)) / (a + half($1)) - 1) - 0.06; high = 100 * ((b + half($2)) / (a - half($1)) - 1) + 0.06
          if (change < low || change > high) { print "# " $0 ": expected " low " to " high; exit 1 } }
        END { exit !found }'
}
compare "$tmp/best" "$tmp/spread" -o "$tmp/means.md"
cp "$tmp/out" "$tmp/means.txt"
check "the change beside two means is that of the means" of_means
# flat FILE: Markdown or HTML as one line of words.
flat() { tr '\n|' '  ' <"$1" | sed 's/\\//g; s/<[^>]*>/ /g' | tr -s ' '; }
check "Markdown has the same change and interval" eval 'flat "$tmp/means.md" | grep -qF "wait_s.mean $(shown "$tmp/means.txt")"'
compare "$tmp/best" "$tmp/spread" -o "$tmp/means.html"
check "and so has the page" eval 'flat "$tmp/means.html" | grep -qF "Wait, mean $(shown "$tmp/means.txt")"'
check "which begins with the question and both options" eval 'flat "$tmp/means.html" | grep -qF "What if we change the policy option placement from best-fit to spread?" && [ "$(grep -c "<article class=" "$tmp/means.html")" -eq 2 ]'
check "on the sheet no metric has a code name" eval '! sed -n "/<main/,/>Details</p" "$tmp/means.html" | sed "s/title=\"[^\"]*\"//g" | grep -Eq "wait_s|jct_s|fleet_goodput"'
check "nor in the tables below, but in tooltips" eval 'grep -q "title=.wait_s.mean: " "$tmp/means.html" && ! flat "$tmp/means.html" | grep -q "wait_s.mean"'
compare "$tmp/spread" "$tmp/best"
check "the other way round, too" of_means
compare "$tmp/best" "$tmp/spread" --json
if command -v python3 >/dev/null; then
    check "in JSON of every metric, and verdicts follow from intervals" python3 - "$tmp/out" <<'END'
import json, sys
found = 0
for m in json.load(open(sys.argv[1]))["metrics"]:
    a, b, change, difference = m["a"]["mean"], m["b"]["mean"], m["change"], m["difference"]
    if change["mean"] is not None:
        assert abs(change["mean"] - (b / a - 1)) < 2e-6 * (1 + abs(b / a)) * (1 + 1 / abs(a)), m["metric"]
    shown = m.get(m["scale"])
    if not shown or shown["low"] is None:
        continue
    off = shown["low"] > 0 or shown["high"] < 0
    assert off or m["verdict"] in ("no_difference_seen", "equal"), m["metric"]
    if min(abs(shown["low"]), abs(shown["high"])) > 1e-6: # not rounded to 0
        assert off == (m["p"] <= 0.05), m["metric"]
        assert shown["low"] < shown["mean"] < shown["high"], m["metric"]
        found += 1
assert found > 20, found
END
else
    skip "in JSON of every metric, and verdicts follow from intervals" "no python3"
fi

# --- equal runs -----------------------------------------------------------------------------------

compare "$tmp/best" "$tmp/again" --fail-on-diff
check "equal runs" eval 'status_is 0 && says out "No decision differs"'
compare "$tmp/best" "$tmp/again" --json
check "equal outputs" says out '"same_outputs": true'
simulate costly --replicas 20 --set policy.options.placement=best-fit --set 'fleet.pools[0].usd_per_hour=20'
compare "$tmp/best" "$tmp/costly" --fail-on-diff
check "equal decisions at another price" eval 'status_is 1 && says out "No decision differs" && says out "other reasons"'

# --- chosen metrics -------------------------------------------------------------------------------

compare "$tmp/best" "$tmp/spread" --metric wait_s.p95 --metric 'by_class.*.wait_s.p95'
check "chosen metrics only" eval 'status_is 0 && says out by_class.train.wait_s.p95 && ! says out jct_s && ! says out wait_s.p90'
compare "$tmp/best" "$tmp/spread" --metric wait_s.p96
check "an unknown metric" refused "did you mean 'wait_s.p9"
compare "$tmp/best" "$tmp/spread" --metric fairness.rho
check "a metric without values" refused "neither run has a value of it"
for alpha in 0 1 x -0.1; do
    compare "$tmp/best" "$tmp/spread" --alpha "$alpha"
    check "--alpha $alpha" refused "expected a probability"
done
compare "$tmp/best" "$tmp/spread" -o "$tmp/page.txt"
check "an unknown kind of page" refused ".html or .md"
compare "$tmp/best"
check "one operand" refused "operand missing"
compare "$tmp/best" "$tmp/nowhere"
check "no such run" refused "summary.json"

# --- runs that do not pair ------------------------------------------------------------------------

unpaired() { status_is 5 && silent out && says err "do not pair" && says err "$1"; }
simulate few --replicas 4 --set policy.options.placement=best-fit
simulate few-spread --replicas 4 --set policy.options.placement=spread
compare "$tmp/few" "$tmp/few-spread"
check "four pairs: no interval and no verdict, in words" \
    eval 'status_is 0 && says out "needs at least 5 pairs" && says out "too few to judge by" && ! grep -qE "(better|worse|no difference seen)$" "$tmp/out"'
simulate fewer --replicas 10
simulate seed --replicas 20 --seed 2
simulate load --replicas 20 --set workload.generate.load=0.5
simulate window --replicas 20 --set window.warmup=1d
compare "$tmp/best" "$tmp/fewer"
check "another number of replicas" unpaired "20 replicas"
compare "$tmp/best" "$tmp/seed"
check "other seeds" unpaired "seed 1 in"
compare "$tmp/best" "$tmp/load"
check "another workload" unpaired "trace"
compare "$tmp/best" "$tmp/window"
check "another window" unpaired "window"
rm "$tmp/again/rep-1/scenario.json"
sed -i 's/"scenario_digest": "sha256:./"scenario_digest": "sha256:x/' "$tmp/again/summary.json"
compare "$tmp/best" "$tmp/again"
check "scenarios that differ and are not there" unpaired "no scenario.json"

# --- one replica, and edges -----------------------------------------------------------------------

# In a packing study nothing waits; a smaller fleet drops more.
for nodes in 1 2; do
    "$BIN" run tests/e2e/data/node.json -o "$tmp/fill$nodes" --no-report --quiet --replicas 5 \
        --set workload.mode=fill --policy best-fit --set "fleet.pools.0.count=$nodes" >/dev/null 2>"$tmp/err"
done
compare "$tmp/fill1" "$tmp/fill2" --json
check "packing studies" equal "$status $(metric fill.failed_tasks verdict) $(metric wait_s.mean verdict)" "0 better "
compare "$tmp/fill1" "$tmp/best"
check "a packing study and a replay" status_is 5

simulate one
simulate two --policy sjf
compare "$tmp/one" "$tmp/two"
check "one replica: no verdict" eval 'status_is 0 && says out "one sample" && ! says out better && ! says out worse'

# If a p95 is only known as a lower bound, all twenty directions are certain if only B's are bounds.
sed 's/"p95": \([0-9.]*\),/"p95": null, "p95_at_least": \1,/' "$tmp/spread/summary.json" >"$tmp/bounded"
cp "$tmp/bounded" "$tmp/spread/summary.json"
compare "$tmp/best" "$tmp/spread" --json --metric wait_s.p95
check "lower bounds are judged by signs" equal "$(metric wait_s.p95 scale)" signs
check "and can be worse" equal "$(metric wait_s.p95 verdict)" worse
compare "$tmp/spread" "$tmp/best" --json --metric wait_s.p95
check "and better the other way round" equal "$(metric wait_s.p95 verdict)" better
compare "$tmp/best" "$tmp/spread"
check "they are printed as such" says out ">="
sed 's/"p95": null, "p95_at_least": [0-9.]*,/"p95": null,/' "$tmp/bounded" >"$tmp/spread/summary.json"
compare "$tmp/best" "$tmp/spread" --json --metric wait_s.p95
check "what one side lacks is undefined" equal "$(metric wait_s.p95 verdict)" undefined

finish
