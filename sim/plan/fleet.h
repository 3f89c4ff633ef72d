/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The change of a scenario that gives it the fleet of a variant with that many nodes. */
#ifndef SIM_PLAN_FLEET_H
#define SIM_PLAN_FLEET_H

#include "sim/plan/given.h"

struct plan_fleet {
    const char *path; /* "fleet" or "fleet.count" */
    char *value;      /* JSON */
};

/* The variant was checked by plan_world_check(). */
void plan_fleet_init(struct plan_fleet *, const struct plan_world *, const struct variant *,
                     int64_t nodes);
void plan_fleet_fini(struct plan_fleet *);

/* The first returns true if the variant can be built; the second makes the default variant: the
 * named pool, or (NULL) the one with the most GPUs. */
bool plan_world_check(const struct plan_world *, const struct variant *, struct err *);
bool plan_world_default(const struct plan_world *, const char *pool, struct variant *,
                        struct err *);

/* Nodes that the scenario has in the growing pools; and the smallest sensible number: one each, in
 * addition to their spares. */
int64_t plan_world_given(const struct plan_world *, const struct variant *);
int64_t plan_world_least(const struct plan_world *, const struct variant *);
int64_t plan_world_spares(const struct plan_world *,
                          const struct variant *); /* of all pools that grow */

#endif
