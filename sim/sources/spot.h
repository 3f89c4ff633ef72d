/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reclaims of spot capacity for the driver (sim/fault.h): announced, then the nodes leave, and
 * return. They have one class, `spot`.
 */
#ifndef SIM_SOURCES_SPOT_H
#define SIM_SOURCES_SPOT_H

#include "sim/fault.h"
#include "sim/faults/spot.h"

struct spot_source;

/* Pools are copied. `horizon_ms` from the first submission; -1: unlimited. */
struct spot_source *spot_source_create(const struct spot_pool *, size_t count, int64_t horizon_ms,
                                       uint64_t seed);
void spot_source_destroy(struct spot_source *); /* NULL is fine */

/* The interface that the driver uses; valid as long as the source. */
struct sim_faults spot_source_faults(struct spot_source *);

#endif
