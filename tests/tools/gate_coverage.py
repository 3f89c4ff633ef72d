#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which lines of policies/ the default suite of the gate reaches: make gate-coverage [POLICIES="runai easy ..."]

    gate_coverage.py BUILD_FOLDER

The folder holds a build for gcov. Every scenario of scenarios/ci/suite.json is run once under every policy (all presets, unless
POLICIES says which). Prints by file the share of lines that were run, the functions that were never called, and the
lines of other functions that were never run. Code reached only by queries, plugins and checks (query/, adapters/,
facts/, plugins) is left out: the gate judges decisions.
"""

import json
import os
import re
import subprocess
import sys
import tempfile

SUITE = "scenarios/ci/suite.json"
ROOMS = ("base", "state", "pending", "order", "place", "act")
OTHER = re.compile(r"plugin|/check")  # plugins, and what only the auditor of the policy core calls


def scenarios():
    with open(SUITE, encoding="utf-8") as text:
        for entry in json.load(text)["scenarios"]:
            entry = {"scenario": entry} if isinstance(entry, str) else entry
            yield os.path.join(os.path.dirname(SUITE), entry["scenario"]), entry.get("set", {})


def run_all(program, policies):
    for path, changes in scenarios():
        for policy in policies:
            with tempfile.TemporaryDirectory() as out:
                command = [program, "run", path, "--policy", policy, "--quiet", "--output", out]
                for key, value in changes.items():
                    command += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
                done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
                if done.returncode != 0:
                    print(f"note: {path} under {policy}: exit status {done.returncode}: {done.stderr.strip()[:200]}")


def of_interest(path):
    room = path.split("/")
    return len(room) > 2 and room[0] == "policies" and room[1] in ROOMS and not OTHER.search(path)


def measure(folder):
    """By source: {line: count}, and {function: (first line, last line, calls)}."""
    lines, functions = {}, {}
    for where, _, names in os.walk(os.path.join(folder, "policies")):
        for name in names:
            if not name.endswith(".gcno"):
                continue
            done = subprocess.run(["gcov", "--json-format", "--stdout", os.path.join(where, name)],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
            for text in done.stdout.decode().splitlines():
                for source in json.loads(text)["files"]:
                    if not of_interest(source["file"]):
                        continue
                    counts = lines.setdefault(source["file"], {})
                    for line in source["lines"]:
                        number = line["line_number"]
                        counts[number] = counts.get(number, 0) + line["count"]
                    for function in source["functions"]:
                        functions.setdefault(source["file"], {})[function["name"]] = (
                            function["start_line"], function["end_line"], function["execution_count"])
    return lines, functions


def as_ranges(numbers):
    ranges = []
    for number in sorted(numbers):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)


def report(lines, functions):
    print(f"{'file':<44} {'lines':>6} {'run':>7}")
    total = reached = 0
    for path, counts in sorted(lines.items()):
        hit = sum(count > 0 for count in counts.values())
        total, reached = total + len(counts), reached + hit
        print(f"{path:<44} {len(counts):>6} {100 * hit / len(counts) if counts else 100:>6.1f}%")
    print(f"{'all':<44} {total:>6} {100 * reached / total if total else 0:>6.1f}%")
    print("\nfunctions that are never called")
    inside = {}
    for path, named in sorted(functions.items()):
        for name, (first, last, calls) in sorted(named.items(), key=lambda item: item[1]):
            if calls == 0 and any(first <= line <= last for line in lines[path]):
                print(f"  {path}:{first} {name}")
                inside.setdefault(path, set()).update(range(first, last + 1))
    print("\nlines of other functions that are never run")
    for path, counts in sorted(lines.items()):
        missing = {line for line, count in counts.items() if count == 0} - inside.get(path, set())
        if missing:
            print(f"  {path}: {as_ranges(missing)}")


def main():
    folder = sys.argv[1]
    program = os.path.join(folder, "fauxfleet")
    listed = subprocess.run([program, "list", "policies"], stdout=subprocess.PIPE, text=True, check=True).stdout
    policies = os.environ.get("POLICIES", "").split() or [line.split()[0] for line in listed.splitlines() if line[:1].strip()]
    for where, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".gcda"):
                os.remove(os.path.join(where, name))
    run_all(program, policies)
    report(*measure(folder))


if __name__ == "__main__":
    main()
