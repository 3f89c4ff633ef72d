#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random hostile names through every output, each judged by an independent parser.

    hostile.py PROGRAM FOLDER SEED

Prints one TAP line a check, without the plan. Names are drawn from pieces that have a meaning in some output; any of them that is
executed makes a file 'CANARY' in the working folder.
"""
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

try:
    import yaml
except ImportError:
    yaml = None

PIECES = ["a", "b7", "node", " ", "\n", "\r\n", "\t", "\x1b[31m", "\x1b]0;t\x07", "\x7f", "\x9b1m", "\x85", "\u202e", "\u2066",
          "\u061c", "\u200b", "\u2028", "\ufeff", "\uffff", "\U0001fffe", "\u00e9", "\u4e16", "\U0001f600", "'", '"', "\\", "`touch CANARY`",
          "$(touch CANARY)", "\ntouch CANARY\n", "';touch CANARY;'", '";touch CANARY;"', "${X}", "$$", "|touch CANARY", "{#}", "{1}",
          '{= system("touch CANARY") =}', "{}", "_SHARD_", "%41", "100%", "#", "# ", ": ", "- ", "&amp;", "<script>alert(1)</script>",
          "<img src=x onerror=y>", "-->", "]]>", "::error::x", "::stop-commands::x", "##[add-mask]x", "=1+1", "@all", "|", "[x](y)", ",",
          "../", "--help", "%s", "%n", "\\n", "!x", "*", "&x", "?", "~", "null", "1e5"]
FORBIDDEN = set(range(0x20)) - {9, 10} | set(range(0x7F, 0xA0)) | {0x61C, 0xFEFF, 0xFFFF, 0x1FFFE} | set(range(0x200B, 0x2010)) \
    | set(range(0x2028, 0x202F)) | set(range(0x2060, 0x2070))
program, folder, seed = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
draw = random.Random(seed)
os.makedirs(folder)
os.chdir(folder)


def check(what, problem):
    print(("not ok" if problem else "ok") + " - " + what + (f"\n# seed {seed}: {ascii(problem)}" if problem else ""), flush=True)


def skip(what, why):
    print(f"ok - {what} # SKIP {why}", flush=True)


def names(count, path=False, but=""):
    """Different names; those of files have no '/', and none begins or ends with a blank, which CSV readers strip."""
    found = {}
    while len(found) < count:
        text = "".join(draw.choice(PIECES) for _ in range(draw.randint(1, 4))).strip(" \t")
        if path:
            text = text.replace("/", "")[:60]
        if text and text not in (".", "..") and not any(c in text for c in but):
            found[text] = True
    return list(found)


def run(*arguments, **more):
    result = subprocess.run([program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=120, **more)
    return result.returncode, result.stdout, result.stderr


def shown(data, is_file=False):
    """Its parts that a terminal (or, on standard output, GitHub's runner) would not take as plain text."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"no UTF-8: {error}"
    bad = [c for c in text if ord(c) in FORBIDDEN or (unicodedata.category(c) == "Cf" and c != "\u00ad")]
    if bad:
        at = text.index(bad[0])
        return f"{bad[0]!r} in {text[max(0, at - 60):at + 40]!r}"
    command = re.search(r"^[ \t]*::|##\[", text, re.MULTILINE)
    return f"a command: {text[command.start():command.start() + 60]!r}" if command and not is_file else None


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.seen = set()

    def handle_starttag(self, tag, attributes):
        self.seen.add((tag, tuple(sorted(name for name, _ in attributes))))


def tags(path):
    parser = Tags()
    with open(path, encoding="utf-8") as file:
        parser.feed(file.read())
    return parser.seen


def canary(what):
    check(f"{what}: no name is run", "CANARY" if os.path.exists("CANARY") else None)


def write_trace(path, ids, queues, users):
    with open(path, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["job_id", "queue", "user", "model", "submit_s", "duration_s", "gpus"])
        for i, name in enumerate(ids):
            out.writerow([name, queues[i % len(queues)], users[i % len(users)], users[-i % len(users)], i, 30 + i, 1 + i % 3])


def scenario(name, trace):
    return {"fauxfleet_scenario": 1, "name": name, "description": name, "fleet": {"pools": [{"name": name, "node": {"gpus": 4}, "count": 2}]},
            "queues": "from-trace", "workload": {"trace": trace}, "policy": {"name": "fifo"}, "network": "off",
            "window": {"horizon": "all", "drain": True}, "outputs": {"timeline_s": 5, "journal": True}}


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


# ---- traces ----

ids, queues, users = names(60), names(6), names(8)
tame = {text: f"name{i:03d}" for i, text in enumerate(ids + queues + users)}
write_trace("trace.csv", ids, queues, users)
write_trace("tame.csv", [tame[x] for x in ids], [tame[x] for x in queues], [tame[x] for x in users])
code, out, err = run("trace", "stats", "trace.csv")
check("trace stats shows", shown(out) or shown(err) or (code and err))
code, tame_out, _ = run("trace", "stats", "tame.csv")
check("trace stats has as many lines whatever the names", out.count(b"\n") - tame_out.count(b"\n"))
code, out, err = run("trace", "stats", "trace.csv", "--json")
groups = json.loads(out)
told = {row["name"] for row in groups["queues"]["top"]} if isinstance(groups.get("queues"), dict) and "top" in groups["queues"] else set(queues)
check("trace stats --json parses and has the queues", None if told <= set(queues) else told - set(queues))
run("trace", "convert", "trace.csv", "-o", "again.csv")
with open("again.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
check("trace convert keeps every name", None if [(r["job_id"], r["queue"], r["user"]) for r in rows] ==
      [(x, queues[i % len(queues)], users[i % len(users)]) for i, x in enumerate(ids)] else "names differ")

# ---- runs ----

title = names(1)[0]
write_json("hostile.json", scenario(title, "trace.csv"))
write_json("tame.json", scenario("title", "tame.csv"))
code, out, err = run("run", "hostile.json", "-o", "run")
check("run succeeds", err if code else None)
check("run shows", shown(out) or shown(err))
check("run has as many lines whatever the names",
      out.count(b"\n") - run("run", "tame.json", "-o", "tame")[1].count(b"\n"))
with open("run/jobs.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file))
check("jobs.csv keeps ids", None if {r["job_id"] for r in rows} == set(ids) else "ids differ")
check("and nodes", None if all(r["placement"].startswith(title + "-") for r in rows) else "nodes differ")
for name in ("summary.json", "scenario.json"):
    with open(f"run/{name}", encoding="utf-8") as file:
        text = file.read()
    check(f"{name} parses", None if json.loads(text) else "empty")
    check(f"{name} may go to a terminal", shown(text.encode(), True))
with open("run/journal.jsonl", encoding="utf-8") as file:
    told = {json.loads(line).get("job") for line in file} - {None}
check("journal.jsonl parses and has the ids", None if told <= set(ids) and told else told - set(ids))
check("report.html has the elements of a tame one", tags("run/report.html") - tags("tame/report.html"))
for name in sorted(os.listdir("run/figures")):
    if name.endswith(".svg"):
        ElementTree.parse(f"run/figures/{name}")
check("figures are XML", None)
canary("run")
code, out, err = run("explain", "run", ids[0])
check("explain shows", shown(out) or shown(err))
code, out, err = run("compare", "run", "tame")
check("compare shows", shown(out) or shown(err))
code, out, err = run("run", "hostile.json", "-o", "again", "--set", f"policy.name={names(1)[0]}")
check("an error shows", shown(err) or (code != 2 and "accepted"))
check("an error is one line", None if err.count(b"\n") <= 1 else err)
for words in (("whatif", "hostile.json", "--policy", "sjf"), ("plan", "hostile.json", "--target", "p95(wait) <= 2h"), ("run", "hostile.json", "--check"),
              ("trace", "generate", "--like", "trace.csv", "-o", "like.csv"), ("replay", "facts/journal.jsonl")):
    if words[0] == "replay":
        run("run", "hostile.json", "-o", "facts", "--quiet", "--set", "outputs.journal=facts")
    code, out, err = run(*words)
    check(f"{words[0]} shows", shown(out) or shown(err) or (code not in (0, 3) and err))
code, out, err = run(names(1)[0])
check("misuse shows", shown(err))

# ---- cluster states ----

nodes, tasks = names(3), names(12)
write_json("cluster.json", {
    "fauxfleet_snapshot": 1, "now_ms": 7200000, "policy": {"name": "runai"}, "nodes": [{"name": n, "gpus": 4} for n in nodes],
    "queues": [{"name": q, "gpu": {"quota": 4000}} for q in queues],
    "jobs": [{"id": t, "queue": queues[i % len(queues)], "submit_ms": i, "tasks": [{"id": t, "gpus": 1 + i % 3}]} for i, t in enumerate(tasks)]})
code, out, err = run("decide", "cluster.json")
made = json.loads(out)
check("decide has the names", None if {d["job"] for d in made["decisions"]} <= set(tasks) and {n["name"] for n in made["nodes"]} == set(nodes)
      else "names differ")
check("decide shows", shown(out) or shown(err))
for job in tasks[-3:]:
    code, out, err = run("explain", "cluster.json", job)
    check("explain of a snapshot shows", shown(out) or shown(err))
code, out, err = run("decide", "cluster.json", "--emit", "kubectl-sh")
check("kubectl-sh of names that Kubernetes does not allow is refused", shown(err) or (code != 2 and "accepted"))

# ---- the gate ----

write_json("suite.json", {"fauxfleet_gate": 1, "name": names(1)[0], "scenarios": [{"scenario": "hostile.json", "name": names(1)[0]}],
                          "metrics": [{"metric": "wait_s.mean", "margin": 0.5}], "looks": [5, 6], "audit": 0})
kinds = ("json", "junit", "tap", "github", "md")
code, out, err = run("gate", "suite.json", "--base", "fifo", "--candidate", "sjf", *(x for k in kinds for x in ("--report", f"{k}=gate.{k}")))
check("the gate shows", shown(out) or shown(err) or (code not in (0, 1, 3) and err))
for kind in kinds:
    if not os.path.exists(f"gate.{kind}"):
        continue
    with open(f"gate.{kind}", "rb") as file:
        data = file.read()
    problem = None
    if kind == "json":
        json.loads(data)
    elif kind == "junit":
        ElementTree.fromstring(data)
    elif kind == "tap":
        problem = [x for x in data.decode().splitlines() if not re.match(r"TAP version|1\.\.|ok |not ok |# |#$", x)] or None
    elif kind == "github":
        problem = [x for x in data.decode().splitlines() if not re.match(r"::(error|warning|notice) file=[^,:]*(,line=\d+)?,title=[^:,]*::", x)] or None
    elif kind == "md":
        blocks = re.sub(r"(?ms)^(`{3,})\n.*?^\1$", "", data.decode())
        problem = [x for x in blocks.splitlines() if re.search(r"(?<!\\)<(?!!-- -->)|`{3}", x)] or None
    check(f"gate report {kind} is one", problem)
    check(f"gate report {kind} shows", shown(data, True))

# ---- scripts ----

os.makedirs("bin")
RECORD = '#!/bin/sh\nfor word; do printf "%s\\0" "$word"; done >>"$RECORDED"\nprintf "\\1\\0" >>"$RECORDED"\n'
for name, body in (("fauxfleet", RECORD), ("sbatch", RECORD + "echo 17\n"),
                   ("parallel", '#!/bin/sh\nwhile [ "$1" != -I ]; do shift; done\nmark=$2\nwhile read -r i; do\n'
                    'RUN=$3 MARK=$mark I=$i python3 -c \'import os; print(os.environ["RUN"].replace(os.environ["MARK"], os.environ["I"]), end="")\' '
                    '>one.sh; /bin/sh one.sh; done\n')):
    with open(f"bin/{name}", "w", encoding="utf-8") as file:
        file.write(body)
    os.chmod(f"bin/{name}", 0o755)


def recorded(command):
    if os.path.exists("recorded"):
        os.remove("recorded")
    environment = dict(os.environ, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"], RECORDED=os.path.abspath("recorded"),
                       SLURM_ARRAY_TASK_ID="1")
    subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    if not os.path.exists("recorded"):
        return []
    with open("recorded", "rb") as file:
        return [[w.decode() for w in call.split(b"\0")[:-1]] for call in file.read().split(b"\1\0")[:-1]]


def as_path(text):
    return "./" + text if text.startswith("-") else text


write_json("plan.json", {"fauxfleet_sweep": 1, "name": title, "scenario": "tame.json", "points": [{"policy": "fifo"}, {"policy": "sjf"}],
                         "metrics": ["wait_s.mean"]})
for target in names(6, path=True):
    plan = names(1, path=True)[0] + ".json"
    shutil.copy("plan.json", plan)
    given = ["--set", f"description=d{names(1)[0]}"]
    words = ["sweep", as_path(plan), "-o", as_path(target), "-j", "1", "--shard"]
    for engine in ("slurm", "parallel", "k8s"):
        code, out, err = run("sweep", "--emit", engine, f"--output={target}", "-j", "1", "--shard", "auto/2", *given, "--", plan)
        if code:
            check(f"sweep --emit {engine}", err)
            continue
        with open("script", "wb") as file:
            file.write(out)
        merged = ["merge", as_path(target), "-o", "results.csv"]
        if engine == "k8s":
            if yaml is None:
                skip("the manifest is YAML", "no python3-yaml")
                continue
            command = yaml.safe_load(out)["spec"]["template"]["spec"]["containers"][0]["command"]
            command = [re.sub(r"\$\$|\$\(\w+\)", lambda m: "$" if m[0] == "$$" else "", word) for word in command]
            wanted = ["fauxfleet", *words, "auto", "--quiet", *given]
            check("the manifest runs what was asked for", None if command == wanted else (command, wanted))
            comment = [x for x in out.decode().splitlines() if x.startswith("#   ")]
            wanted = [merged]
        else:
            check(f"sh takes the script of {engine}", subprocess.run(["sh", "-n", "script"], capture_output=True).stderr or None)
            calls = recorded(["sh", "script"])
            wanted = [[*words, "auto", "--quiet", *given]] if engine == "slurm" else \
                [[*words, f"{i}/2", "--quiet", *given] for i in (1, 2)] + [merged]
            check(f"the script of {engine} runs what was asked for", None if calls == wanted else (calls, wanted))
            comment = [x for x in out.decode().splitlines() if x.startswith("#   ")]
            wanted = [merged]
        if engine != "parallel" and shutil.which("bash"):
            calls = recorded(["bash", "-c", comment[0].lstrip("# ")])
            if engine == "slurm":
                calls = recorded(["sh", "-c", calls[-1][-1]])
            check(f"and what the comment of {engine} says", None if calls == wanted else (calls, wanted, comment))
        canary(f"sweep --emit {engine}")
