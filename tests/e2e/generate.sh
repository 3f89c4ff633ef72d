#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Generated traces from the command line: every built-in mix, the same bytes for the same seed, one
# fitted to another trace, and a scenario that runs one. Checks are given as text and function
# names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

for profile in philly helios pai acme-seren acme-kalos rsc case-study; do
    run trace generate "$profile" --set jobs=2000 -o "$tmp/$profile.csv"
    check "$profile" status_is 0
    check "$profile: 2000 jobs" equal "$(wc -l <"$tmp/$profile.csv")" 2001
    run trace generate "$profile" --set jobs=2000 -o "$tmp/again.csv"
    check "$profile: equal seeds, equal bytes" cmp "$tmp/$profile.csv" "$tmp/again.csv"
    run trace stats "$tmp/$profile.csv"
    check "$profile: is read" status_is 0
done
run trace generate philly --set jobs=2000 --seed 2 -o "$tmp/other.csv"
check "another seed, another trace" eval '! cmp -s "$tmp/philly.csv" "$tmp/other.csv"'

run trace generate --like "$tmp/philly.csv" --seed 3 -o "$tmp/like.csv"
check "one like another" status_is 0
check "as many jobs" equal "$(wc -l <"$tmp/like.csv")" 2001
check "how like it is" eval 'says out "2000 jobs made like the 2000 of" && grep -q "^duration_s .* 0\.0[0-9]*$" "$tmp/out"'
run trace generate --like "$tmp/philly.csv" --seed 3
check "on standard output nothing but the trace" eval 'status_is 0 && cmp "$tmp/out" "$tmp/like.csv"'
run trace generate --like "$tmp/philly.csv" philly
check "a profile and --like" eval 'status_is 2 && says err "expected a profile"'
run trace generate
check "neither" eval 'status_is 2 && says err "expected a profile"'
run trace generate --like "$tmp/none.csv"
check "like nothing" refused "none.csv"
run trace generate phily
check "an unknown profile" refused "did you mean 'philly'?"

gpu_s() { awk -F, 'NR > 1 { s += $4 * $3 } END { printf "%.0f", s }' "$1"; }
run trace perturb "$tmp/philly.csv" --set load=1.5 -o "$tmp/more.csv"
check "half as much load again" eval 'status_is 0 && awk -v a="$(gpu_s "$tmp/philly.csv")" -v b="$(gpu_s "$tmp/more.csv")" \
    "BEGIN { exit !(b / a > 1.49 && b / a < 1.51) }"'
run trace perturb "$tmp/philly.csv" "$tmp/like.csv" --set block_s=1d --set resample=1 --set shake_s=30 -o "$tmp/spliced.csv"
check "spliced, resampled, with jitter" status_is 0
run trace stats "$tmp/spliced.csv"
check "and read" status_is 0
run trace perturb "$tmp/philly.csv" --set lod=2
check "an unknown key" refused "there is no 'lod'"
run trace perturb "$tmp/philly.csv" --set load=0
check "no load" refused "load is 0, expected a number from 0.001"

cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 8}]},
 "workload": {"generate": {"profile": "case-study", "horizon_s": "7d", "load": 0.6, "retry_share": 0.5}}, "policy": {"name": "easy"}}
JSON
run run "$tmp/s.json" -o "$tmp/run" --audit --quiet
check "a scenario of one" status_is 0
check "with its sweeps" eval '[ "$(json "$tmp/run/summary.json" dependencies.arrays)" -gt 0 ]'
check "and retries" eval '[ "$(json "$tmp/run/summary.json" dependencies.linked)" -gt 0 ]'
check "all jobs end" equal "$(json "$tmp/run/summary.json" dependencies.still_held)" 0

run run "$tmp/s.json" -o "$tmp/double" --quiet --set workload.users_scale=2 --set workload.resample_users=true
check "with twice the users" eval '[ "$(json "$tmp/double/summary.json" jobs.submitted)" -gt "$(json "$tmp/run/summary.json" jobs.submitted)" ]'
run run "$tmp/s.json" -o "$tmp/no" --quiet --set workload.users_scale=0
check "with none" refused "workload.users_scale"

# Demand grows over the same span. Closed forms: expected GPU-seconds are load x gpus x horizon, of
# a given number of jobs that number; the scatter of 4,000 jobs of exponential run time is 1 /
# sqrt(4000) = 1.6 %.
cat >"$tmp/queue.json" <<'JSON'
{"fauxfleet_scenario": 1, "fleet": {"pools": [{"name": "p", "node": {"gpus": 8}, "count": 8}]},
 "workload": {"generate": {"profile": "queue", "jobs": 4000, "load": 0.4}}, "policy": {"name": "fifo"}}
JSON
run run "$tmp/queue.json" -o "$tmp/plain" --quiet --no-report
run run "$tmp/queue.json" -o "$tmp/grown" --quiet --no-report --set workload.growth=1.5
check "growth of a generator: so many more jobs" equal "$(json "$tmp/grown/summary.json" jobs.submitted)" 6000
last() { sed 1d "$1" | awk -F, '{ if ($6 > last) last = $6 } END { print last }'; }
check "in the same time" eval 'awk -v a="$(last "$tmp/plain/jobs.csv")" -v b="$(last "$tmp/grown/jobs.csv")" \
    "BEGIN { exit !(b / a > 0.93 && b / a < 1.07) }"'
run run "$tmp/s.json" -o "$tmp/traced" --quiet --no-report --trace "$tmp/philly.csv" --set workload.growth=1.5 --set 'fleet.pools[0].count=400'
check "growth of a trace: so much more GPU time" eval 'status_is 0 && awk -v a="$(gpu_s "$tmp/philly.csv")" -v b="$(
    awk -F, "NR > 1 { s += \$5 * \$12 } END { printf \"%.0f\", s }" "$tmp/traced/jobs.csv")" "BEGIN { exit !(b / a > 1.49 && b / a < 1.51) }"'
run run "$tmp/s.json" --check --set workload.growth=-1
check "negative growth" refused "workload.growth"

finish
