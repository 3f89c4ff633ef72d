#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# run --trace-events: a schedule worked out by hand, drawn bar by bar; laws that hold for every run;
# and refusals.
# shellcheck disable=SC2016,SC2317 # checks are texts and names of functions
set -u
. tests/e2e/lib/tap.sh

data=tests/e2e/data
events=$tmp/events.json

if ! command -v python3 >/dev/null; then
    skip "trace events are read by a script" "no python3"
    finish
fi

draw() {
    rm -rf "$tmp/run" "$events"
    scenario=$1
    shift
    run run "$scenario" -o "$tmp/run" --no-report --quiet --audit --trace-events "$events" "$@"
}

# bars: "process/thread job from-to" of all bars, in seconds, sorted.
cat >"$tmp/bars.py" <<'END'
import json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
process = {e["pid"]: e["args"]["name"] for e in events if e["name"] == "process_name"}
thread = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
for line in sorted(f'{process[e["pid"]]}/{thread[e["pid"], e["tid"]]} {e["name"]} '
                   f'{e["ts"] // 1000000}-{(e["ts"] + e["dur"]) // 1000000}' for e in events if e["ph"] == "X"):
    print(line)
END
bars() { python3 "$tmp/bars.py" "$events"; }

# laws.py EVENTS JOBS: bars of a thread do not overlap, the GPUs of all bars add up to the counter
# over time, and the bars of a job that was never evicted or hit by a fault go from its first start
# to its end. Tasks without a device of their own are left out of the sum.
cat >"$tmp/laws.py" <<'END'
import csv, json, sys
from collections import defaultdict
events = json.load(open(sys.argv[1]))["traceEvents"]
bars = [e for e in events if e["ph"] == "X" and "cat" in e]
threads = defaultdict(list)
for e in bars:
    threads[e["pid"], e["tid"]].append((e["ts"], e["ts"] + e["dur"]))
for key, spans in threads.items():
    spans.sort()
    assert all(a[1] <= b[0] for a, b in zip(spans, spans[1:])), f"bars of {key} overlap"
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
drawn = sum(e["dur"] * e["args"].get("gpus", e["args"].get("share", 1)) for e in bars
            if names[e["pid"], e["tid"]].startswith(("GPU", "alloc")))
steps = [(e["ts"], e["args"]["allocated"]) for e in events if e["ph"] == "C" and e["name"] == "GPUs"]
end = max(e["ts"] + e["dur"] for e in bars)
counted = sum(level * ((steps[i + 1][0] if i + 1 < len(steps) else end) - at) for i, (at, level) in enumerate(steps))
assert len(sys.argv) > 3 or abs(drawn - counted) <= 1e-9 * counted, f"{drawn} us drawn, {counted} us counted"
disturbed = {e["args"]["job"] for e in events if e["ph"] == "i" and "job" in e["args"]}
assert all(e["ph"] != "i" or "job" not in e["args"] or e["name"] in ("evicted", "interrupted") for e in events)
span = {}
for e in bars:
    first, last = span.get(e["name"], (e["ts"], 0))
    span[e["name"]] = min(first, e["ts"]), max(last, e["ts"] + e["dur"])
checked = 0
for row in csv.DictReader(open(sys.argv[2])):
    if row["job_id"] not in disturbed and row["end_s"] and row["first_start_s"] != row["end_s"]:
        times = tuple(round(float(row[name]) * 1e6) for name in ("first_start_s", "end_s"))
        assert span[row["job_id"]] == times, f'{row["job_id"]}: {span[row["job_id"]]}, jobs.csv has {times}'
        checked += 1
assert checked > 0
END
lawful() { python3 "$tmp/laws.py" "$events" "$tmp/run/jobs.csv" "$@"; }

# --- by hand -------------------------------------------------------------------------------------

# Four devices, strictly one after the other: a (3 devices, 10 s) runs, b (3) waits for it, c and d
# (1) are behind b; f (1) waits for e (4).
draw "$data/node.json"
check "a run is drawn" status_is 0
bars >"$tmp/bars"
check "bar by bar, as by hand" equal "$(cat "$tmp/bars")" "p-0/GPU 0 a 0-10
p-0/GPU 0 b 10-18
p-0/GPU 0 e 18-22
p-0/GPU 0 f 22-42
p-0/GPU 1 a 0-10
p-0/GPU 1 b 10-18
p-0/GPU 1 e 18-22
p-0/GPU 2 a 0-10
p-0/GPU 2 b 10-18
p-0/GPU 2 e 18-22
p-0/GPU 3 c 10-15
p-0/GPU 3 d 15-17
p-0/GPU 3 e 18-22"
check "by the laws" lawful
cp "$events" "$tmp/first.json"
cp "$tmp/run/jobs.csv" "$tmp/jobs.csv"
draw "$data/node.json"
check "equal runs have equal bytes" same "$events" "$tmp/first.json"
run run "$data/node.json" -o "$tmp/run" --no-report --quiet
check "drawing changes nothing" same "$tmp/run/jobs.csv" "$tmp/jobs.csv"

# Where devices are only counted there are no device threads.
draw "$data/node.json" --set policy.options.placement=count
check "counted devices have a process for their pool" equal "$(bars | sed -n '1p;4p')" "p/allocations 2 c 10-15
p/allocations b 10-18"
check "counted devices follow the laws" lawful

# a and b share the device from 0 to 10, then c joins b.
cat >"$tmp/shares.csv" <<'END'
job_id,submit_s,duration_s,gpus_per_task,gpu_milli,tasks
a,0,10,1,500,1
b,0,20,1,500,1
c,5,5,1,500,1
END
draw "$data/node.json" --trace "$tmp/shares.csv" --set 'fleet.pools[0].node.gpus=1'
check "tasks that share a device have threads of their own" equal "$(bars)" "p-0/GPU 0 a 0-10
p-0/GPU 0 c 10-15
p-0/GPU 0, share 2 b 0-20"
check "shares follow the laws" lawful

# `alone` is evicted at 100 s for `owner`, and holds its devices for 30 s of grace.
draw "$data/quota.json"
check "an evicted task is drawn to the end of its grace" eval 'bars | grep -q " alone 0-130$"'
check "and the eviction is marked" \
    eval 'grep -q "\"name\": \"evicted\", \"ts\": 100000000.*\"job\": \"alone\", \"action\": \"reclaim\"" "$events"'
check "evictions follow the laws" lawful

# --- laws, for jobs of every kind and with faults ------------------------------------------------

# MIG instances are sevenths of a device that only rounding makes thousandths: no sum there.
for policy in runai easy kube-default; do
    draw "$data/kinds.json" --policy $policy --set 'fleet.pools[0].count=16'
    check "$policy, jobs of every kind" eval 'status_is 0 && lawful nosum'
done
draw scenarios/examples/demo.json --set window.horizon=3d --set window.drain=false
check "the demo, ended early" eval 'status_is 0 && lawful'

# --- refusals ------------------------------------------------------------------------------------

run run "$data/node.json" -o "$tmp/no" --trace-events "$tmp/no.json" --replicas 2
check "several replicas" eval 'status_is 2 && says err "--trace-events: expected one replica, got 2"'
run run scenarios/studies/openb-fill.json -o "$tmp/no" --trace-events "$tmp/no.json"
check "a packing study" eval 'status_is 2 && absent "$tmp/no.json"'
run run "$data/node.json" -o "$tmp/no" --trace-events -
check "standard output" eval 'status_is 2 && says err "expected the name of a file"'
run run "$data/node.json" -o "$tmp/no" --trace-events "$tmp/nowhere/x.json"
check "a folder that is not there" eval 'status_is 2 && says err "nowhere/x.json"'

finish
