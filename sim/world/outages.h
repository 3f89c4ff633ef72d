/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded outages of a scenario (`outages_file`) among the other faults of its simulation. */
#ifndef SIM_WORLD_OUTAGES_H
#define SIM_WORLD_OUTAGES_H

#include "scenarios/scenario.h"
#include "sim/fleet/fleet.h"
#include "sim/sources/merge.h"
#include "sim/sources/outages.h"

struct outages {
    struct outage_source *source; /* NULL: there are none */
    struct fault_merge *merge;    /* merged with other faults; NULL: there are no others */
};

/* False with err set when the fleet has no such node; to be closed in any case, after the
 * simulation. */
bool outages_open(struct outages *, const struct scenario *, const struct fleet *, struct err *);
void outages_join(struct outages *, struct sim_faults *); /* adds them to the others */
void outages_close(struct outages *);

#endif
