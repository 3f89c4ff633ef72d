/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From names of nodes to nodes of the fleet; see outages.h. */
#include "sim/world/outages.h"

#include "sim/base/mem.h"
#include "sim/base/symbols.h"
#include "sim/base/text.h"
#include "traces/nodes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool unknown(const struct scenario *sc, const struct fleet *fleet,
                    const struct trace_outage *row, struct err *err)
{
    char hint[96], place[256];
    return err_set(err, EXIT_INPUT, "%s: %s:%" PRIu64 ": the fleet has no node '%.64s'%s",
                   scenario_where(sc, "outages_file", place, sizeof place), sc->outages.file,
                   row->origin.line, row->node,
                   text_suggest(hint, sizeof hint, row->node, &fleet->nodes[0].name,
                                fleet->node_count, sizeof *fleet->nodes));
}

/* The outages by number of the node; NULL with err set. */
static struct outage *numbered(const struct scenario *sc, const struct fleet *fleet,
                               struct err *err)
{
    struct symbols *names =
        symbols_create(); /* in the order of the fleet: their numbers are the nodes' */
    struct outage *outages = mem_alloc(sc->outages.count, sizeof *outages);
    const struct trace_outage *wrong = NULL;
    for (size_t i = 0; i < fleet->node_count; i++)
        (void)symbols_add(names, fleet->nodes[i].name, strlen(fleet->nodes[i].name));
    for (size_t i = 0; i < sc->outages.count && wrong == NULL; i++) {
        const struct trace_outage *row = &sc->outages.rows[i];
        outages[i] = (struct outage){.down_ms = row->down_ms,
                                     .up_ms = row->up_ms,
                                     .node = symbols_find(names, row->node, strlen(row->node))};
        wrong = outages[i].node == SYMBOL_NONE ? row : NULL;
    }
    symbols_destroy(names);
    if (wrong == NULL)
        return outages;
    free(outages);
    (void)unknown(sc, fleet, wrong, err);
    return NULL;
}

bool outages_open(struct outages *o, const struct scenario *sc, const struct fleet *fleet,
                  struct err *err)
{
    if (sc->outages.count == 0)
        return true;
    struct outage *outages = numbered(sc, fleet, err);
    if (outages == NULL)
        return false;
    o->source = outage_source_create(outages, sc->outages.count);
    free(outages);
    return true;
}

void outages_join(struct outages *o, struct sim_faults *faults)
{
    if (o->source == NULL)
        return;
    struct sim_faults own = outage_source_faults(o->source);
    if (faults->self != NULL) {
        o->merge = fault_merge_create(faults, &own);
        own = fault_merge_faults(o->merge);
    }
    *faults = own;
}

void outages_close(struct outages *o)
{
    fault_merge_destroy(o->merge);
    outage_source_destroy(o->source);
    *o = (struct outages){NULL, NULL};
}
