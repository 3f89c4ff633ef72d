#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes docs/reference/ from the tables of the program: reference.py PROGRAM FOLDER."""
import json
import pathlib
import re
import subprocess
import sys

program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
HEAD = "<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n<!-- Made by `make reference`: do not edit. -->\n"


def say(*words):
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def rows(topic):
    return json.loads(say("list", topic, "--json"))


def cell(text):
    return str(text).replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def table(*columns):
    """columns: (title, function of a row, ...) after the rows."""
    items, columns = columns[0], columns[1:]
    lines = ["| " + " | ".join(title for title, _ in columns) + " |", "| " + " | ".join("---" for _ in columns) + " |"]
    for item in items:
        lines.append("| " + " | ".join(cell(of(item)) for _, of in columns) + " |")
    return "\n".join(lines) + "\n"


def named(items):
    return table(items, ("name", lambda r: "`%s`" % r["name"]), ("what it is", lambda r: r["description"]))


def page(name, title, *parts):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(HEAD + "# " + title + "\n\n" + "\n".join(parts).rstrip("\n") + "\n")


def commands():
    parts = ["Every option of every command, as `fauxfleet COMMAND --help` prints it.\n"]
    names = [row["name"] for row in rows("commands")]
    below = say("trace", "--help")
    below = below[below.index("Subcommands:"):].split("\n\n")[0]
    names += ["trace " + word for word in re.findall(r"^  ([a-z]+) ", below, re.M)]
    for name in names:
        parts.append("## %s\n\n```text\n%s```\n" % (name, say(*name.split(), "--help")))
    return parts


def metrics():
    groups = {}
    for row in rows("metrics"):
        groups.setdefault(row["name"].split(".")[0], []).append(row)
    parts = ["Keys of `summary.json`. W is the window, I installed, V available, A allocated, R running GPU-hours.\n"]
    for group, items in groups.items():
        parts.append("## %s\n" % group)
        parts.append(table(items, ("key", lambda r: "`%s`" % r["name"]), ("unit", lambda r: r["unit"]),
                           ("better", lambda r: r["better"]), ("definition", lambda r: r["description"])))
    return parts


def policies():
    parts = ["## Policies\n", named(rows("policies")), "## Orders\n", named(rows("orders")), "## Placements\n",
             named(rows("placements")), "## Options\n", "Set by `--set policy.options.NAME=VALUE`.\n", named(rows("options"))]
    for row in rows("policies"):
        parts.append("### Options of `%s`\n" % row["name"])
        parts.append(", ".join("`%s`" % o["name"] for o in json.loads(say("list", "options", row["name"], "--json"))) + "\n")
    return parts


def keys():
    return ["Keys of a scenario. `[]` stands for each element of a list, `*` for any name.\n",
            table(rows("keys"), ("key", lambda r: "`%s`" % r["name"]), ("type", lambda r: r["type"]),
                  ("default", lambda r: "`%s`" % r["default"] if r["default"] else ""), ("meaning", lambda r: r["description"]))]


def formats():
    return [named(rows("formats")), "## Options of formats\n",
            "Set by `--option NAME=VALUE`, or `workload.options` in a scenario.\n", named(rows("trace-options")),
            "## Profiles of generated traces\n", named(rows("profiles"))]


def catalogue():
    parts = ["What is built in. `fauxfleet list TOPIC NAME` shows each figure with its source.\n"]
    for topic in ("nodes", "fabrics", "faults", "spot", "models", "speeds", "storage"):
        parts.append("## %s\n\n```text\n%s```\n" % (topic.capitalize(), say("list", topic)))
    return parts


def codes():
    help_text = say("--help")
    start = help_text.index("Exit codes:")
    return ["## Exit codes\n", "```text\n%s```\n" % help_text[start:help_text.index("\n'fauxfleet COMMAND", start)],
            "## Reasons\n", "Why a job is pending, or was evicted.\n", named(rows("reasons"))]


page("commands.md", "Commands", *commands())
page("policies.md", "Policies and options", *policies())
page("metrics.md", "Metrics", *metrics())
page("keys.md", "Scenario keys", *keys())
page("formats.md", "Trace formats", *formats())
page("catalogue.md", "Catalogue", *catalogue())
page("codes.md", "Exit codes and reasons", *codes())
