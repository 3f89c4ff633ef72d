/* SPDX-License-Identifier: MIT */
/* The table of placements. */
#include "place/place.h"

const struct pc_placement *const pc_placements[] = {
    &pc_place_count,          &pc_place_first_fit,       &pc_place_best_fit,
    &pc_place_consolidated,   &pc_place_binpack,         &pc_place_spread,
    &pc_place_random,         &pc_place_fgd_best_fit,    &pc_place_fgd,
    &pc_place_fgd_exact,      &pc_place_dot_product,     &pc_place_gpu_packing,
    &pc_place_gpu_clustering, &pc_place_least_allocated, &pc_place_most_allocated,
    &pc_place_topology,
};
const uint32_t pc_placement_count = sizeof pc_placements / sizeof *pc_placements;

const struct pq_placement *pq_placement_of(const struct policy_config *config)
{
    if (config->pods.on)
        return config->pods.score == POLICY_MOST_ALLOCATED ? &pq_place_most_allocated
                                                           : &pq_place_least_allocated;
    return &pq_place_packed;
}

const struct policy_row *policy_placement_row(size_t i)
{
    return i < pc_placement_count ? &pc_placements[i]->row : NULL;
}
