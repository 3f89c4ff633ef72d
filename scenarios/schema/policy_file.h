/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways to name a policy: a preset; the path of a shared library (it has a slash, or ends in ".so");
 * and on the command line the name of a JSON file (it ends in ".json") with name and options:
 *
 *     {"name": "./smallest_first.so", "options": {"blocking": "skip"}}
 *
 * The path of a library inside a file is relative to that file.
 */
#ifndef SCENARIOS_SCHEMA_POLICY_FILE_H
#define SCENARIOS_SCHEMA_POLICY_FILE_H

#include "scenarios/json/source.h"
#include "scenarios/scenario.h"
#include "scenarios/schema/policy_name.h"
#include "sim/base/err.h"

/* A file as above, which owns everything here. */
struct policy_file {
    struct json_source source;
    char *name;           /* preset, or path to open if it is a library */
    const cJSON *options; /* as given, or NULL; and as text: */
    struct scen_option *option;
    char **texts; /* of numbers */
    size_t option_count;
};

bool policy_file_open(struct policy_file *, const char *path, struct err *err);
void policy_file_close(struct policy_file *); /* may be zeroed */

#endif
