/* SPDX-License-Identifier: MIT */
/*
 * Devices of a pool are only counted: no nodes, no fragmentation. The first pool with enough takes
 * the job, all of it. What batch simulators without a placement model do; place/gang.c counts. CPU,
 * memory and device types belong to nodes and play no part. What cannot be counted (device memory,
 * instances, labels, required levels, elastic jobs) is refused when the job is submitted.
 */
#include "place/place.h"

const struct pc_placement pc_place_count = {
    .row = {"count", "devices of the pool are only counted; jobs are never split over nodes"},
    .traits = PC_COUNTS_ONLY,
};
