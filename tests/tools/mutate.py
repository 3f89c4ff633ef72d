#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Mutation testing of the policy core: make mutation [MUTANTS=200] [SEED=1] [FILES='policies/act/*.c'] [JOBS=2]

Plants small faults in policies/, one at a time: a comparison moved by one or turned around, `&&` for `||`, a sum for a
difference, a constant off by one, a wrong boolean, a statement or a `continue` left out. Each mutant is compiled alone and
linked with the rest into a shared library that all test programs use, and tests run, those of the same source file first,
until one fails: the mutant is dead. A mutant that does not compile is not counted. Survivors are printed with their lines;
some of them are equivalent to the original (a tie that cannot happen, a bound that is only a shortcut), the others show
what no test checks.

Equal seeds choose equal mutants of equal sources. Exit status 2 when a test fails without a mutant.
"""

import argparse
import concurrent.futures
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import time

OPERATORS = [
    (re.compile(r" < "), " <= "),
    (re.compile(r" <= "), " < "),
    (re.compile(r" > "), " >= "),
    (re.compile(r" >= "), " > "),
    (re.compile(r" < "), " > "),
    (re.compile(r" == "), " != "),
    (re.compile(r" != "), " == "),
    (re.compile(r" && "), " || "),
    (re.compile(r" \|\| "), " && "),
    (re.compile(r"(?<=[\w)\]]) \+ (?=[\w(])"), " - "),
    (re.compile(r"(?<=[\w)\]]) - (?=[\w(])"), " + "),
    (re.compile(r" \+= "), " -= "),
    (re.compile(r" -= "), " += "),
    (re.compile(r"\btrue\b"), "false"),
    (re.compile(r"\bfalse\b"), "true"),
    (re.compile(r"(?<=[ (])0(?=[;,)])"), "1"),
    (re.compile(r"(?<=[ (])1(?=[;,)])"), "2"),
    (re.compile(r"if \(!"), "if ("),
    (re.compile(r"\bcontinue;"), ";"),
    (re.compile(r"\bbreak;"), ";"),
    # A statement that is an assignment or a call, on a line of its own.
    (re.compile(r"^( +)(?!return|case|goto|else|if|for|while|do|const |struct |static |u?int\d|bool )[\w>.\[\]()*&-]+( [-+|&]?= [^;{]+|\([^;{]*\));$"), r"\1;"),
]
SKIPPED = re.compile(r"^\s*(#|//|/\*|\*)")


def code_of(line):
    """The line with comments and strings replaced by blanks."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', lambda m: " " * len(m.group()), line)
    line = re.sub(r"/\*.*?\*/", lambda m: " " * len(m.group()), line)
    return re.sub(r"//.*|/\*.*", lambda m: " " * len(m.group()), line)


def mutants_of(path):
    found = []
    comment = body = False
    with open(path, encoding="utf-8") as source:
        lines = source.read().split("\n")
    for number, line in enumerate(lines):
        if line.startswith("{"):
            body = True
        elif line.startswith("}"):
            body = False
        if not comment and body and not SKIPPED.match(line):
            code = code_of(line)
            for pattern, replacement in OPERATORS:
                for match in pattern.finditer(code):
                    changed = line[: match.start()] + match.expand(replacement) + line[match.end() :]
                    if changed != line:
                        found.append((path, number, changed))
        if "/*" in line:
            comment = "*/" not in line[line.rindex("/*") :]
        elif "*/" in line:
            comment = False
    return found


def run(command, limit=None, env=None):
    """True if it succeeds in time."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                              timeout=limit, env=env, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Bench:
    """The core as a shared library, with its test programs."""

    def __init__(self, options):
        self.options = options
        self.room = options.room
        self.core = options.core.split()
        self.flags = options.cflags.split() + ["-O1", "-fPIC", "-fvisibility=default", "-w"]
        os.makedirs(f"{self.room}/base", exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            if not all(pool.map(lambda s: self.compile(s, s, self.object(s)), self.core)):
                sys.exit("mutate: the policy core does not compile")
        self.link_core({}, f"{self.room}/base")
        self.tests = {t: self.link_test(t) for t in options.tests.split()}
        self.seconds = {}

    def object(self, source):
        return f"{self.room}/" + source.replace("/", "+")[:-2] + ".o"

    def compile(self, source, name, target):
        folder = os.path.dirname(name)
        return run([self.options.cc, *self.flags, f"-I{folder}", "-Ipolicies", "-I.", "-c", "-o", target, source])

    def link_core(self, replaced, folder):
        objects = [replaced.get(s, self.object(s)) for s in self.core]
        return run([self.options.cc, "-shared", "-o", f"{folder}/libmutant.so", *objects])

    def link_test(self, test):
        program = f"{self.room}/" + test.replace("/", "+")[:-2]
        command = [self.options.cc, "-o", program, test, *self.options.library.split(), f"-L{self.room}/base", "-lmutant",
                   *self.options.libs.split()]
        if not run(command):
            sys.exit(f"mutate: {test} does not link")
        return program

    def environment(self, folder):
        env = dict(os.environ, LD_LIBRARY_PATH=folder, CK_FORK="no", FAUXFLEET_THIN="10")
        env.pop("BIN", None)
        return env

    def check(self):
        """All tests pass without a mutant; how long each takes."""
        for test, program in self.tests.items():
            began = time.monotonic()
            if not run([program], 600, self.environment(f"{self.room}/base")):
                sys.exit(f"mutate: {test} fails without a mutant")
            self.seconds[test] = time.monotonic() - began

    def order_for(self, path):
        """Tests of the same file, of the same folder, then the quick ones."""
        room, name = path.split("/")[-2:]

        def rank(test):
            near = f"/{room}/test_{name[:-2]}.o" in test
            beside = f"/{room}/" in test
            return (not near, not beside, self.seconds[test], test)

        return sorted(self.tests, key=rank)

    def judge(self, job):
        """None if it does not compile; otherwise the first failing test, or the empty string."""
        number, (path, line, changed) = job
        folder = f"{self.room}/mutant{number}"
        os.makedirs(folder, exist_ok=True)
        with open(path, encoding="utf-8") as source:
            lines = source.read().split("\n")
        lines[line] = changed
        mutant = f"{folder}/mutant.c"
        with open(mutant, "w", encoding="utf-8") as target:
            target.write("\n".join(lines))
        verdict = None
        if self.compile(mutant, path, f"{folder}/mutant.o") and self.link_core({path: f"{folder}/mutant.o"}, folder):
            verdict = ""
            for test in self.order_for(path):
                if not run([self.tests[test]], 10 + 10 * self.seconds[test], self.environment(folder)):
                    verdict = test
                    break
        shutil.rmtree(folder)
        return verdict


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for name in ("core", "tests", "library", "libs", "cflags", "room"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--files", default="policies/*/*.c")
    parser.add_argument("--mutants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    core = set(options.core.split())
    chosen = sorted(p for pattern in options.files.split() for p in glob.glob(pattern) if p in core)
    mutants = [m for path in chosen for m in mutants_of(path)]
    random.Random(options.seed).shuffle(mutants)
    mutants = mutants[: options.mutants]
    bench = Bench(options)
    bench.check()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        verdicts = list(pool.map(bench.judge, enumerate(mutants)))
    totals = {}
    for (path, _, _), verdict in zip(mutants, verdicts):
        room = os.path.dirname(path)
        counted, killed = totals.get(room, (0, 0))
        totals[room] = (counted + (verdict is not None), killed + bool(verdict))
    print(f"{'folder':<24} mutants  killed")
    for room, (counted, killed) in sorted(totals.items()) + [("all", [sum(t) for t in zip(*totals.values())])]:
        print(f"{room:<24} {counted:>7} {killed:>7}  {100 * killed / counted if counted else 0:5.1f} %")
    for (path, line, changed), verdict in sorted(zip(mutants, verdicts)):
        if verdict == "":
            with open(path, encoding="utf-8") as source:
                before = source.read().split("\n")[line]
            print(f"survivor {path}:{line + 1}\n    - {before.strip()}\n    + {changed.strip()}")


if __name__ == "__main__":
    main()
