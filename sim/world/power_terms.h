/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a scenario to what its nodes draw and cost (report/measure/energy.h). */
#ifndef SIM_WORLD_POWER_TERMS_H
#define SIM_WORLD_POWER_TERMS_H

#include "report/measure/energy.h"
#include "scenarios/scenario.h"

struct power_terms {
    struct energy_terms terms;
    struct energy_node *nodes; /* pools, or the kinds of a list of nodes */
    uint32_t *kind_of;         /* NULL for pools */
};

/* The terms point into it; it outlives the energy that was made from them. */
void power_terms_open(struct power_terms *, const struct scenario *);
void power_terms_close(struct power_terms *);

#endif
