/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of policies that are files; see policy_name.h. */
#include "scenarios/schema/policy_name.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <string.h>

bool policy_name_is_file(const char *name)
{
    return text_ends_in(name, ".json");
}

bool policy_name_is_library(const char *name)
{
    return !policy_name_is_file(name) && (strchr(name, '/') != NULL || text_ends_in(name, ".so"));
}

char *policy_name_beside(const char *file, const char *name)
{
    const char *slash = strrchr(file, '/');
    if (!policy_name_is_library(name) || name[0] == '/' || slash == NULL)
        return mem_text(name);
    return mem_format("%.*s/%s", (int)(slash - file), file, name);
}
