#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the data of an explorer page independently, and compares them with the run directory:

    explore_check.py PAGE.html DIR...      DIR: the run directories in the page's order

  - bars in one row never overlap, except for shares, which never exceed the device together;
  - bars in the measurement window add up to the allocated GPU-hours of summary.json;
  - bars of a job that was never stopped add up to the GPUs of its placement times its run time;
  - slots add up to the ladder of summary.json, and their demand to the pending GPU time of waits;
  - jobs have the ids, queues, starts and ends of jobs.csv; percentiles of waits are the summary's.

Prints one line for each broken law and exits with 1 then; `grid` pages have fewer laws.
"""

import base64
import csv
import html
import json
import math
import re
import sys
from collections import defaultdict


class Packed:
    def __init__(self, text):
        self.bytes = base64.b64decode(text, validate=True)
        self.at = 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.bytes[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return (value >> 1) ^ -(value & 1)

    def text(self):
        n = self.number()
        self.at += n
        return self.bytes[self.at - n:self.at].decode()

    def texts(self):
        return [self.text() for _ in range(self.number())]

    def rows(self, width):
        return [[self.number() for _ in range(width)] for _ in range(self.number())]


SUMS = ("installed", "down", "burn_in", "reclaimed", "drained", "idle_no_demand", "idle_fragmented", "idle_blocked", "allocated",
        "wanted", "pending")


def read(text):
    p = Packed(text)
    run = {key: p.text() if key in ("title", "policy") else p.number() for key in
           ("format", "title", "policy", "dated", "begin", "end", "from", "to")}
    for key in ("queues", "users", "classes", "reasons", "actions", "faults", "states"):
        run[key] = p.texts()
    run["groups"] = [(p.text(), p.number()) for _ in range(p.number())]
    run["rows"] = p.number()
    run["slot"] = p.number()
    run["slots"] = [[p.number() for _ in SUMS] for _ in range(p.number())]
    run["jobs"] = []
    submit = run["begin"]
    for _ in range(p.number()):
        job = [p.text()] + [p.number() for _ in range(13)]
        submit += job[1]
        run["jobs"].append([job[0], submit] + job[2:])
    run["bars"] = []
    at, job, row = run["begin"], 0, 0
    for start, length, next_job, next_row, rows, offset, milli in p.rows(7):
        at, job, row = at + start, job + next_job, row + next_row
        run["bars"].append((at, at + length, job, row, rows, offset, milli))
    run["grid"] = p.number()
    if run["grid"]:
        per_cell = p.number()
        cells = run["grid"] * -(-run["rows"] // per_cell)
        for _ in range(4):
            n = 0
            while n < cells:
                p.number()
                n += p.number()
    p.rows(4), p.rows(4), p.rows(3)
    run["starts"] = p.rows(4)
    assert p.at == len(p.bytes), "bytes are left"
    return run


def near(a, b, tolerance=1e-6):
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))


def check_bars(run, summary, wrong):
    held = defaultdict(list)
    total = 0
    begin, end = run["begin"] + run["from"], run["begin"] + run["to"]
    for start, stop, _, row, rows, offset, milli in run["bars"]:
        total += max(0, min(stop, end) - max(start, begin)) * rows * milli
        for r in range(row, row + rows):
            held[r].append((start, 1, milli))
            held[r].append((stop, 0, -milli))
    for row, changes in held.items():
        now = 0
        for _, _, milli in sorted(changes):
            now += milli
            if now > 1000:
                wrong.append(f"row {row} holds {now} thousandths")
                break
    allocated = summary["gpu_hours"]["allocated"]
    if not near(total / 3.6e9, allocated):
        wrong.append(f"bars come to {total / 3.6e9} GPU-hours, allocated are {allocated}")


def check_ladder(run, summary, wrong):
    lost = summary["gpu_hours"]["lost"]
    for i, name in enumerate(SUMS[:9]):
        total = sum(slot[i] for slot in run["slots"]) / 3.6e9
        expected = lost.get(name, 0) if name in lost or i in (1, 2, 3, 4) else summary["gpu_hours"].get(name)
        if not near(total, expected):
            wrong.append(f"{name}: slots come to {total}, the summary has {expected}")


def check_jobs(run, table, wrong):
    kept = {row["job_id"]: row for row in table}
    for job in run["jobs"]:
        ident, submit, eligible, wait, rest = job[:5]
        row = kept.get(ident)
        if row is None:
            continue
        start = submit + eligible + wait if wait >= 0 else None
        expected = (float(row["submit_s"]), float(row["first_start_s"]) if row["first_start_s"] else None)
        if (submit / 1000, start / 1000 if start is not None else None) != expected:
            wrong.append(f"{ident}: {submit / 1000}, {start}, jobs.csv has {expected}")
        if row["end_s"] and start is not None and start + rest != round(1000 * float(row["end_s"])):
            wrong.append(f"{ident}: ends at {start + rest}, jobs.csv has {row['end_s']}")
        if run["queues"][job[7]] != row["queue"] or job[5] != round(1000 * float(row["gpus"])):
            wrong.append(f"{ident}: queue or GPUs differ")
    missing = len(kept.keys() - {job[0] for job in run["jobs"]})
    if not run["grid"] and missing:
        wrong.append(f"{missing} jobs of jobs.csv are missing")


def check_job_time(run, table, wrong):
    """From jobs.csv alone: GPUs of the placement * (end - first start), if nothing stops or resizes a job."""
    held, spans, checked = defaultdict(int), {}, 0
    for start, stop, job, _, rows, _, milli in run["bars"]:
        held[job] += (stop - start) * rows * milli
        first, last, pieces = spans.get(job, (start, stop, set()))
        spans[job] = (min(first, start), max(last, stop), pieces | {(start, stop)})
    kept = {row["job_id"]: row for row in table}
    for i, job in enumerate(run["jobs"]):
        row = kept.get(job[0])
        if row is None or not row["end_s"] or not row["first_start_s"] or i not in spans:
            continue
        begin, end = (round(1000 * float(row[key])) for key in ("first_start_s", "end_s"))
        first, last, pieces = spans[i]
        if first != begin or last < end:
            wrong.append(f"{job[0]}: bars from {first} to {last}, jobs.csv has {begin} to {end}")
        stopped = any(row[key] not in ("", "0") for key in ("preemptions", "failures", "moves"))
        placed = sum(float(part.rsplit(":", 1)[1]) for part in row["placement"].split(";") if ":" in part)
        if stopped or len(pieces) > 1:
            continue
        checked += 1
        if not near(held[i], 1000 * placed * (last - begin), 1e-6):
            wrong.append(f"{job[0]}: bars come to {held[i] / 3.6e9} GPU-hours, jobs.csv to "
                         f"{placed * (last - begin) / 3.6e6}")
    return checked


def check_waits(run, summary, wrong):
    waits = sorted([job[3] for job in run["jobs"] if job[11] and job[3] >= 0] + [1000 * s[1] for s in run["starts"]])
    if not waits or summary["wait_s"].get("censored"):
        return
    p95 = waits[max(0, math.ceil(0.95 * len(waits)) - 1)] / 1000
    if abs(p95 - summary["wait_s"]["p95"]) > (1 if run["starts"] else 1e-3):
        wrong.append(f"p95 of {len(waits)} waits is {p95} s, the summary has {summary['wait_s']['p95']}")


def main():
    page = open(sys.argv[1], encoding="utf-8").read()
    blobs = re.findall(r'<script type="application/octet-stream" class="run">([^<]*)</script>', page)
    wrong = []
    if len(blobs) != len(sys.argv) - 2:
        wrong.append(f"{len(blobs)} runs")
    for blob, folder in zip(blobs, sys.argv[2:]):
        run = read(html.unescape(blob))
        summary = json.load(open(f"{folder}/summary.json"))
        if not run["grid"]:
            check_bars(run, summary, wrong)
        check_ladder(run, summary, wrong)
        with open(f"{folder}/jobs.csv", newline="") as f:
            table = list(csv.DictReader(f))
        check_jobs(run, table, wrong)
        by_job = 0 if run["grid"] else check_job_time(run, table, wrong)
        check_waits(run, summary, wrong)
        print(f"# {run['title']}: {len(run['jobs'])} jobs, {len(run['bars'])} bars, {len(run['slots'])} slots; GPU time of {by_job} jobs checked")
    print("\n".join(wrong[:20]))
    sys.exit(1 if wrong else 0)


main()
