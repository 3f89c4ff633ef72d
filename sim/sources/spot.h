/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reclaims of spot capacity as the driver takes them (sim/fault.h): announced, then the nodes
 * leave, and come back. They are of one class, `spot`.
 */
#ifndef SIM_SOURCES_SPOT_H
#define SIM_SOURCES_SPOT_H

#include "sim/fault.h"
#include "sim/faults/spot.h"

struct spot_source;

/* Pools are copied. `horizon_ms` from the first submission; -1: as long as it takes. */
struct spot_source *spot_source_create(const struct spot_pool *, size_t count, int64_t horizon_ms,
                                       uint64_t seed);
void spot_source_destroy(struct spot_source *); /* NULL is fine */

/* As the driver takes it; valid as long as the source. */
struct sim_faults spot_source_faults(struct spot_source *);

#endif
