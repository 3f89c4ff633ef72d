/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heat map by levels of the fabric: how busy the devices of each domain (pod, leaf, rack,
 * NVLink domain) were in each interval, of those that were up; -1 where more than half were down.
 * Where jobs contend for uplinks (network: contention) also how busy the uplinks of each domain
 * were: what their jobs send, each a part of its time, to what they can carry, as at each sample of
 * the timeline. Uplinks without limit are left out.
 *
 * Rows of one level stand together, "p-leaf-3", and after all levels the uplinks, "uplinks
 * p-leaf-3". All levels together have at most 64 rows: neighbouring domains are one row where there
 * are more.
 */
#ifndef REPORT_MEASURE_HEAT_FABRIC_H
#define REPORT_MEASURE_HEAT_FABRIC_H

#include "report/measure/heat_map.h"
#include "sim/sim.h"

#define HEAT_FABRIC_ROWS ((size_t)64)

struct heat_block {
    struct heat_map map;
    uint32_t level; /* of the fleet */
    bool uplinks;
    uint32_t first; /* uplink of its domain 0 */
    size_t domains, per_row;
    int64_t *whole; /* of each row: thousandths of devices, or millionths of uplinks */
};

struct heat_fabric {
    struct heat_block blocks[2 * FLEET_LEVELS];
    size_t count;
};

void heat_fabric_init(struct heat_fabric *,
                      const struct sim *); /* when the first submission is known */
void heat_fabric_fini(struct heat_fabric *);

/* So many thousandths of devices of a node more are in use, or down. */
void heat_fabric_change(struct heat_fabric *, const struct sim *, uint32_t node, int64_t busy,
                        int64_t gone);
void heat_fabric_tick(struct heat_fabric *, const struct sim *, int64_t at_ms);

/* Writes DIR/fabric.csv; nothing where the fleet has no level with two domains. */
bool heat_fabric_write(struct heat_fabric *, const struct sim *, const char *dir, struct err *);

#endif
