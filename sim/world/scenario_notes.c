/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes about scenarios; see scenario_notes.h. */
#include "sim/world/scenario_notes.h"

#include "scenarios/load/quotas.h"
#include "sim/program/command.h"

#include <stdlib.h>
#include <string.h>

static bool says(const struct scenario *sc, const char *text)
{
    size_t count;
    bool found = false;
    struct quota_excess *excesses = quota_excesses(sc, &count);
    for (size_t i = 0; i < count; i++) {
        char *own = quota_excess_text(&excesses[i]);
        found |= strcmp(own, text) == 0;
        free(own);
    }
    free(excesses);
    return found;
}

/* A generator without "gpus" makes work for the fleet that it is given: another fleet gets other
 * jobs. */
static void note_following(const struct scenario *sc, const struct scenario *first)
{
    int64_t now = quota_fleet_milli(sc), then = quota_fleet_milli(first);
    bool follows = false;
    for (size_t i = 0; i < sc->source_count; i++)
        follows |= sc->sources[i].trace == NULL && !sc->sources[i].generate.gpus_given;
    if (follows && now != then)
        cli_note("the workload follows the fleet: it is generated for %.10g GPUs, and with the "
                 "changes for %.10g; --both workload.generate.gpus=%.10g keeps it",
                 (double)then / 1000, (double)now / 1000, (double)then / 1000);
}

void scenario_notes_beside(const struct scenario *sc, const struct scenario *first)
{
    size_t count;
    struct quota_excess *excesses = quota_excesses(sc, &count);
    for (size_t i = 0; i < count; i++) {
        char *text = quota_excess_text(&excesses[i]);
        if (first == NULL || !says(first, text))
            cli_note("%s%s", first != NULL ? "with the changes, " : "", text);
        free(text);
    }
    free(excesses);
    if (first != NULL)
        note_following(sc, first);
}

void scenario_notes(const struct scenario *sc)
{
    scenario_notes_beside(sc, NULL);
}
