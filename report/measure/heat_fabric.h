/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heat map by levels of the fabric: the busy share of the available devices in each domain
 * (pod, leaf, rack, NVLink domain) and interval; -1 if more than half were down. If jobs contend
 * for uplinks (network: contention), also the use of each domain's uplinks: the traffic of their
 * jobs over the capacity, at each sample of the timeline. Unlimited uplinks are left out.
 *
 * Rows are grouped by level, "p-leaf-3"; the uplinks follow after all levels, "uplinks p-leaf-3".
 * All levels together have at most 64 rows; neighbouring domains share a row if there are more.
 */
#ifndef REPORT_MEASURE_HEAT_FABRIC_H
#define REPORT_MEASURE_HEAT_FABRIC_H

#include "report/measure/heat_map.h"
#include "sim/sim.h"

#define HEAT_FABRIC_ROWS ((size_t)64)

struct heat_block {
    struct heat_map map;
    uint32_t level; /* of the fabric tree */
    bool uplinks;
    uint32_t first; /* uplink of the block's domain 0 */
    size_t domains, per_row;
    int64_t *whole; /* of each row: thousandths of devices, or millionths of uplinks */
};

struct heat_fabric {
    struct heat_block blocks[2 * FLEET_LEVELS];
    size_t count;
};

void heat_fabric_init(struct heat_fabric *,
                      const struct sim *); /* once the first submission is known */
void heat_fabric_fini(struct heat_fabric *);

/* Adds to the busy devices of a node, and to those out of service, in thousandths. */
void heat_fabric_change(struct heat_fabric *, const struct sim *, uint32_t node, int64_t busy,
                        int64_t gone);
void heat_fabric_tick(struct heat_fabric *, const struct sim *, int64_t at_ms);

/* Writes DIR/fabric.csv; nothing if no level of the fleet has two domains. */
bool heat_fabric_write(struct heat_fabric *, const struct sim *, const char *dir, struct err *);

#endif
