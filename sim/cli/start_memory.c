/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is forgotten at a start; see start_memory.h. */
#include "sim/cli/start_memory.h"

#include "policies/plugin.h"
#include "scenarios/snapshot.h"
#include "sim/cli/command.h"
#include "sim/cli/simulate.h"

#include <string.h>

/* ---- who remembers what ---- */

static bool is_order(const struct policy_config *config, const char *name)
{
    return config->plugin == NULL && config->quota.actions == 0 &&
           strcmp(policy_order_row((size_t)config->order)->name, name) == 0;
}

static bool counts_service(const struct policy_config *config)
{
    return is_order(config, "attained");
}

static bool counts_use(const struct policy_config *config)
{
    return is_order(config, "multifactor");
}

static bool promises(const struct policy_config *config)
{
    return config->quota.actions == 0 && config->backfill == POLICY_CONSERVATIVE;
}

static bool freezes(const struct policy_config *config)
{
    return config->quota.actions == 0 && config->backfill == POLICY_EASY &&
           config->easy_variant == POLICY_EASY_FROZEN;
}

static bool reserves(const struct policy_config *config)
{
    return config->quota.actions != 0 && config->quota.backfill;
}

static bool keeps_window(const struct policy_config *config)
{
    return config->quota.actions != 0 && config->quota.usage_window != POLICY_USAGE_GIVEN;
}

static bool draws(const struct policy_config *config)
{
    return config->plugin == NULL && config->quota.actions == 0 &&
           strcmp(policy_placement_row((size_t)config->placement)->name, "random") == 0;
}

static bool has_state(const struct policy_config *config)
{
    return config->plugin != NULL && config->plugin->create != NULL;
}

static const struct {
    bool (*remembers)(const struct policy_config *);
    int32_t kind; /* of history, in which a snapshot tells it; 0: none does */
    const char *what;
} rows[] = {
    {counts_service, POLICY_HISTORY_JOB,     "the service that jobs had attained: all begin in the first queue"},
    {promises,       POLICY_HISTORY_PROMISE,
     "the times that were promised to those who wait: they are planned afresh"                                 },
    {freezes,        POLICY_HISTORY_PROMISE, "the time found for the first job of a line: it is found afresh"  },
    {counts_use,     POLICY_HISTORY_USER,    "what queues and users had used: all begin with nothing"          },
    {reserves,       POLICY_HISTORY_PROMISE, "the reservation of the first job in order: it is made afresh"    },
    {keeps_window,   POLICY_HISTORY_USAGE,   "when queues had used what they had: it counts as used evenly"    },
    {draws,          POLICY_HISTORY_DRAWS,   "the draws that were made: others follow"                         },
    {has_state,      0,                      "what the library of the policy itself remembers"                 },
};

/* ---- what the snapshot tells ---- */

/* The policy that it is a snapshot of has told all that it remembered; another one may have remembered the same. */
static bool tells(const struct scenario *sc, int32_t kind)
{
    const struct snapshot *s = sc->start.snapshot;
    bool found = kind != 0 && s->has_history && strcmp(s->policy.name, sc->policy.name) == 0;
    for (size_t i = 0; i < s->history_count && !found; i++)
        found = kind != 0 && s->history[i].record.kind == kind;
    return found;
}

const char *start_memory(const struct scenario *sc)
{
    struct policy_config config;
    struct err unused = {0};
    if (sc->start.snapshot == NULL || !simulation_policy(sc, &config, &unused))
        return NULL;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].remembers(&config) && !tells(sc, rows[i].kind))
            return rows[i].what;
    return NULL;
}

void start_memory_note(const struct scenario *sc)
{
    const char *what = start_memory(sc);
    if (what != NULL)
        cli_note("policy %s: the snapshot does not carry %s", sc->policy.name, what);
}
