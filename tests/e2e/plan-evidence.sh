#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The evidence for plans in small: two trials of `make plan-evidence`, in which nothing is counted,
# and its population: the same bytes for a seed, others for another, users with few and with many
# jobs, and three times as many by day.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

draw() { awk -v seed="$1" -v users=400 -v weeks=8 -f tests/tools/superpopulation.awk | sort; }
draw 1 >"$tmp/one"
draw 1 >"$tmp/again"
draw 2 >"$tmp/two"
check "equal seeds, equal jobs" same "$tmp/one" "$tmp/again"
check "other seeds, other jobs" eval '! same "$tmp/one" "$tmp/two"'
check "some users have many times the jobs of others" eval 'cut -d, -f5 "$tmp/one" | sort | uniq -c | awk "{ n += \$1; if (\$1 > most) most = \$1 } END { exit !(most > 5 * n / NR) }"'
# Of 168 hours of the week 60 are busy: 180 of 288 sessions. Of jobs, which come in sessions, a
# little more or less.
check "busy by day" eval 'awk -F, "{ h = int(\$2 / 3600) % 168; busy += h % 24 >= 8 && h % 24 < 20 && int(h / 24) < 5 }
    END { exit !(busy / NR > 0.59 && busy / NR < 0.66) }" "$tmp/one"'

TRIALS=2 USERS=120 WEEKS=4 JOBS=2 BIN=$BIN sh tests/tools/plan_evidence.sh >"$tmp/out" 2>"$tmp/err"
status=$?
check "two trials" eval '[ "$status" -le 1 ] && silent err && says out "trials                                              2"'
nodes() { sed -n "s/^$1, nodes *\([0-9]*\).*/\1/p" "$tmp/out"; }
check "plans are of the size of the demand" eval '[ "$(nodes "median of the plans")" -ge 15 ] && [ "$(nodes "median of the plans")" -le 150 ]'
check "and so are the fleets that fresh draws need" eval '[ "$(nodes "median of the smallest fleets")" -ge 15 ] && [ "$(nodes "median of the smallest fleets")" -le 150 ]'
finish
