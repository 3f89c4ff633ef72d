/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is forgotten at a start; see start_memory.h. */
#include "sim/world/start_memory.h"

#include "scenarios/snapshot/snapshot.h"
#include "sim/program/command.h"
#include "sim/world/simulate.h"

#include <string.h>

/* The policy that it is a snapshot of has told all that it remembered; another one may have
 * remembered the same. */
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
    struct policy_error error;
    if (sc->start.snapshot == NULL || !simulation_policy(sc, &config, &unused))
        return NULL;
    struct policy *policy = policy_create(&config, &error);
    const char *lost = NULL;
    int32_t kind;
    for (size_t i = 0; policy != NULL && (lost = policy_forgets(policy, i, &kind)) != NULL; i++)
        if (!tells(sc, kind))
            break;
    policy_destroy(policy);
    return lost;
}

void start_memory_note(const struct scenario *sc)
{
    const char *what = start_memory(sc);
    if (what != NULL)
        cli_note("policy %s: the snapshot does not carry %s", sc->policy.name, what);
}
