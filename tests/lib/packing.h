/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The placements of the FGD paper's packing study by its verbal definitions: no sets, no cached
 * values, sums and the sigmoid as written. For the naive twin.
 */
#ifndef TESTS_LIB_PACKING_H
#define TESTS_LIB_PACKING_H

#include "tests/lib/world.h"

/* Scores of a node on which the task fits; larger is better. */
typedef int64_t packing_score(const struct world *, const struct world_node *,
                              const struct policy_request *);
packing_score packing_best_fit, packing_dot_product, packing_gpu_packing, packing_gpu_clustering,
    packing_fgd, packing_fgd_exact;

/* The devices with fgd's score. */
uint64_t packing_fgd_devices(const struct world *, const struct world_node *,
                             const struct policy_request *);
uint64_t packing_fgd_exact_devices(const struct world *, const struct world_node *,
                                   const struct policy_request *);

/* The workload assumed by fgd's twin; the policy needs the same one. */
const struct policy_typical_task *packing_typical(uint32_t *count, int64_t *all);

#endif
