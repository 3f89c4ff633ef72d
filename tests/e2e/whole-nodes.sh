#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Nodes that take only tasks that want all of them (whole_only), under every policy: jobs that ask
# for less are set aside by name, and others run. Checks are given as text and function names.
# shellcheck disable=SC2016,SC2034,SC2317
set -u
. tests/e2e/lib/tap.sh

cat >"$tmp/s.json" <<'JSON'
{"fauxfleet_scenario": 1,
 "fleet": {"pools": [{"name": "n", "count": 2, "whole_only": true, "node": {"gpus": 8, "cpus": 64}}]},
 "queues": [{"name": "default", "gpu": {"quota": 16}}],
 "workload": {"trace": "jobs.csv"}, "policy": {"name": "fifo"}, "window": {"horizon": "1h"}}
JSON
printf 'job_id,submit_s,duration_s,gpus,cpus_per_task\nsmall,0,100,1,\nwhole,0,100,8,\ntwo,0,100,16,\nhost,0,100,0,1\nodd,0,100,12,\n' >"$tmp/jobs.csv"
started() { awk -F, 'NR > 1 && $7 != "" { print $1 }' "$tmp/$1/jobs.csv" | sort | tr '\n' ' '; }
run list policies
policies=$(awk '{ print $1 }' "$tmp/out")
for policy in $policies; do
    run run "$tmp/s.json" --policy "$policy" -o "$tmp/$policy" --audit --no-report --quiet
    check "$policy: jobs of whole nodes run, three others never fit" eval \
        'status_is 0 && equal "$(started "$policy")" "two whole " && equal "$(json "$tmp/$policy/summary.json" jobs.never_fits)" 3'
done
run explain "$tmp/fifo" small --at 10
check "explain says why" says out NEVER_FITS
finish
