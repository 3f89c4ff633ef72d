#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# kubectl's output about Jobs and pods as a log: the jobs as worked out, a proposal that runs, and
# calibrate, which finds that the simulator's own rules explain the log's waits.
# shellcheck disable=SC2016,SC2317 # checks are texts and names of functions
set -u
. tests/e2e/lib/tap.sh

python3 - "$tmp" <<'E'
import json, sys, time
at = lambda s: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(1767600000 + s))
def pod_spec(gpus):
    return {"containers": [{"name": "c", "resources": {"limits": {"nvidia.com/gpu": str(gpus)}}}],
            "nodeSelector": {"nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3"}}
def meta(name, created, **more):
    return {"name": name, "namespace": "nlp", "creationTimestamp": at(created), **more}
def job(name, created, start, end, gpus, pods=1, **status):
    times = {k: at(v) for k, v in (("startTime", start), ("completionTime", end)) if v is not None}
    return {"apiVersion": "batch/v1", "kind": "Job",
            "metadata": meta(name, created, labels={"kai.scheduler/queue": "team-a", "user": "ann"}),
            "spec": {"parallelism": pods, "activeDeadlineSeconds": 7200,
                     "template": {"spec": pod_spec(gpus)}}, "status": {**times, **status}}
def pod(name, created, start, end, gpus, phase, owner=None):
    state = {"terminated": {"finishedAt": at(end)}} if end is not None else {"running": {}}
    m = meta(name, created)
    if owner:
        m["ownerReferences"] = [{"kind": "Job", "name": owner}]
    return {"kind": "Pod", "apiVersion": "v1", "metadata": m, "spec": pod_spec(gpus),
            "status": {"phase": phase, "containerStatuses": [{"state": state}],
                       "conditions": [{"type": "PodScheduled", "status": "True",
                                       "lastTransitionTime": at(start)}]}}
# One node of 8 GPUs: jobs of 8 follow one another, each 600 s.
rows = [job("j%d" % i, i, 600 * i, 600 * i + 600, 4, 2) for i in range(20)]
rows += [pod("j0-x", 0, 0, 600, 4, "Succeeded", "j0"), pod("note", 20000, 20000, 20300, 1, "Failed"),
         pod("now", 20400, 20400, None, 1, "Running"),
         job("lost", 20500, 20500, None, 2, conditions=[
             {"type": "Failed", "status": "True", "lastTransitionTime": at(20560)}]),
         {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n"}}]
doc = {"apiVersion": "v1", "items": rows, "kind": "List", "metadata": {"resourceVersion": ""}}
json.dump(doc, open(sys.argv[1] + "/log.json", "w"), indent=4)
json.dump(doc, open(sys.argv[1] + "/short.json", "w"), separators=(",", ":"))
E

run trace convert "$tmp/log.json"
check "Jobs, and a pod of its own" eval 'status_is 0 && equal "$(wc -l <"$tmp/out")" 23'
cp "$tmp/out" "$tmp/want"
row() { grep "^$1," "$tmp/want" | cut -d, -f1-3,5-6,8-9,11,19,35-36; }
check "a Job of two pods" equal "$(row nlp/j3)" "nlp/j3,1767600003,600,team-a,ann,completed,7200,4,2,1767601800,1767602400"
check "a pod without a Job" equal "$(row nlp/note)" "nlp/note,1767620000,300,nlp,,failed,,1,,1767620000,1767620300"
check "a Job that failed ends then" equal "$(row nlp/lost)" "nlp/lost,1767620500,60,team-a,ann,failed,7200,2,,1767620500,1767620560"
check "rows left out are counted" eval 'says err "1 row: pod of a Job, which is listed itself" && says err "1 row: neither a Job nor a pod" && says err "1 row: still running when the log ends, run time not known"'
run trace convert "$tmp/short.json"
check "the same without blanks" eval 'status_is 0 && same "$tmp/want" "$tmp/out"'
run init --from "$tmp/log.json" -o "$tmp/made.json"
check "init proposes the 8 GPUs that were busy" eval 'status_is 0 && grep -qF "\"gpu_type\": \"NVIDIA-H100-80GB-HBM3\"}, \"count\": 2" "$tmp/made.json"'
run calibrate "$tmp/made.json" --quiet --set window.warmup=0h --set policy.name=fifo
check "and its simulation agrees with the log" eval 'status_is 0 && says out "jobs     22 in the log, 22 compared" && says out "verdict  the simulation agrees with the log"'
sed 's/"creationTimestamp": "2026-01-05T08:00:03Z"/"creationTimestamp": "soon"/' "$tmp/log.json" >"$tmp/bad.json"
run trace convert "$tmp/bad.json"
check "an invalid time" eval 'status_is 2 && says err "metadata.creationTimestamp: expected a time"'

finish
