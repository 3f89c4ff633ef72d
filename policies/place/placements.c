/* SPDX-License-Identifier: MIT */
/* The table of placements. */
#include "place/place.h"
#include "plugin.h"

/* policy_config.placement is a number in it. */
const struct pq_placement *const pq_placements[] = {
    &pq_place_count,          &pq_place_first_fit,       &pq_place_best_fit,
    &pq_place_consolidated,   &pq_place_binpack,         &pq_place_spread,
    &pq_place_random,         &pq_place_fgd_best_fit,    &pq_place_fgd,
    &pq_place_fgd_exact,      &pq_place_dot_product,     &pq_place_gpu_packing,
    &pq_place_gpu_clustering, &pq_place_least_allocated, &pq_place_most_allocated,
    &pq_place_topology,
};
const uint32_t pc_placement_count = sizeof pq_placements / sizeof *pq_placements;

/*
 * Quota schedulers pack and spread by options of their own, and so does kube-default; these are what the placements binpack
 * and least-allocated mean there.
 */
const struct pq_placement *pq_placement_of(const struct policy_config *config)
{
    const struct pq_placement *row = pq_placements[config->placement];
    if (config->plugin != NULL && config->plugin->score != NULL)
        return &pq_place_plugin;
    if (config->pods.on && row == &pq_place_least_allocated)
        return config->pods.score == POLICY_MOST_ALLOCATED ? &pq_place_most_allocated : row;
    if (config->quota.actions != 0 && row == &pq_place_binpack && !config->pods.on)
        return &pq_place_packed;
    return row;
}

const struct policy_row *policy_placement_row(size_t i)
{
    return i < pc_placement_count ? &pq_placements[i]->row : NULL;
}
