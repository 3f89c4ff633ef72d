#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks JSON files against the schema that `fauxfleet schema` prints: validate.py SCHEMA FILE...

Prints one line per file that does not match; the exit status is 1 if there is one.
"""
import json
import sys

import jsonschema


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        schema = json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    bad = 0
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as f:
            errors = sorted(validator.iter_errors(json.load(f)), key=str)
        if errors:
            bad = 1
            print(f"{name}: {errors[0].json_path}: {errors[0].message}"[:300])
    return bad


sys.exit(main())
