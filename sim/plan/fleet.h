/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The change of a scenario that gives it the fleet of a variant with so many nodes. */
#ifndef SIM_PLAN_FLEET_H
#define SIM_PLAN_FLEET_H

#include "sim/plan/world.h"

struct plan_fleet {
    const char *path; /* "fleet" or "fleet.count" */
    char *value;      /* JSON */
};

/* The variant was checked by plan_world_check(). */
void plan_fleet_init(struct plan_fleet *, const struct plan_world *, const struct variant *, int64_t nodes);
void plan_fleet_fini(struct plan_fleet *);

#endif
