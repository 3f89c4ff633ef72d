/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded outages of nodes, as faults for the driver (sim/fault.h): at the recorded times a node
 * leaves, which interrupts its jobs, and returns. They have one class, `outage`.
 */
#ifndef SIM_SOURCES_OUTAGES_H
#define SIM_SOURCES_OUTAGES_H

#include "sim/fault.h"

#include <stddef.h>

/* On the trace's clock; up_ms > down_ms, INT64_MAX: it does not come back. */
struct outage {
    int64_t down_ms, up_ms;
    uint32_t node; /* of the fleet */
};

struct outage_source;

/* Outages are copied, in whatever order they come. */
struct outage_source *outage_source_create(const struct outage *, size_t count);
void outage_source_destroy(struct outage_source *); /* NULL is fine */

/* The interface that the driver uses; valid as long as the source. */
struct sim_faults outage_source_faults(struct outage_source *);

#endif
