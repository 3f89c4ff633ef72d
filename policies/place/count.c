/* SPDX-License-Identifier: MIT */
/*
 * Only counts the devices of a pool: no nodes, no fragmentation. The first pool with enough devices
 * takes the whole job, as in batch simulators without a placement model; place/gang.c counts. CPU,
 * memory and device types are attributes of nodes and ignored. Requests that cannot be counted
 * (device memory, instances, labels, required levels, elastic jobs) are refused at submission.
 */
#include "place/place.h"

const struct pc_placement pc_place_count = {
    .row = {"count", "devices of a pool are only counted; nodes are ignored"},
    .traits = PC_COUNTS_ONLY,
};
