/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is forgotten at a start; see start_memory.h. */
#include "sim/cli/start_memory.h"

#include "sim/cli/command.h"

#include <string.h>

static const struct {
    const char *policy;
    const char *option, *value; /* only with this option; NULL: always */
    const char *what;
} rows[] = {
    {"las",          NULL,       NULL,   "the service that jobs had attained: all begin in the first queue"       },
    {"conservative", NULL,       NULL,   "the times that were promised to those who wait: they are planned afresh"},
    {"slurm",        NULL,       NULL,   "what queues and users had used: all begin with nothing"                 },
    {"runai",        "backfill", "true", "the reservation of the first job in order: it is made afresh"           },
    {"random",       NULL,       NULL,   "the draws that were made: others follow"                                },
};

static bool is_chosen(const struct scen_policy *policy, const char *name, const char *value)
{
    for (size_t i = 0; i < policy->option_count; i++)
        if (strcmp(policy->options[i].name, name) == 0)
            return strcmp(policy->options[i].value, value) == 0;
    return false;
}

const char *start_memory(const struct scenario *sc)
{
    for (size_t i = 0; sc->start.snapshot != NULL && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].policy, sc->policy.name) == 0 &&
            (rows[i].option == NULL || is_chosen(&sc->policy, rows[i].option, rows[i].value)))
            return rows[i].what;
    return NULL;
}

void start_memory_note(const struct scenario *sc)
{
    const char *what = start_memory(sc);
    if (what != NULL)
        cli_note("policy %s: a snapshot does not carry %s", sc->policy.name, what);
}
