/* SPDX-License-Identifier: MIT */
/*
 * Devices of a pool are only counted: no nodes, no fragmentation. The first pool with enough takes the job. What
 * batch simulators without a placement model do; place/gang.c counts. Types, labels, topology, CPU and memory play no part: they
 * belong to nodes. Memory of devices counts as a share of the smallest device, and MIG instances by their slices.
 */
#include "place/place.h"

const struct pc_placement pc_place_count = {
    .row = {"count", "devices of the pool are only counted; jobs are never split over nodes"},
    .counts = true,
};

const struct pq_placement pq_place_count = {
    .row = {"count", "devices of the pool are only counted; jobs are never split over nodes"},
    .traits = PQ_COUNTS_ONLY,
};
