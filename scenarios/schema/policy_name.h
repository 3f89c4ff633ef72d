/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ways to name a policy: a preset, a shared library, or a file with name and options
 * (policy_file.h).
 */
#ifndef SCENARIOS_SCHEMA_POLICY_NAME_H
#define SCENARIOS_SCHEMA_POLICY_NAME_H

#include <stdbool.h>

bool policy_name_is_library(const char *name);
bool policy_name_is_file(const char *name);

/*
 * Returns the path to open for a policy named in a file; built-in names are unchanged. The caller
 * frees it.
 */
char *policy_name_beside(const char *file, const char *name);

#endif
