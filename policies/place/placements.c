/* SPDX-License-Identifier: MIT */
/* The table of placements. */
#include "place/place.h"
#include "plugin.h"

/* policy_config.placement is a number in it. */
const struct pc_placement *const pc_placements[] = {
    &pc_place_count,          &pc_place_first_fit,       &pc_place_best_fit,
    &pc_place_consolidated,   &pc_place_binpack,         &pc_place_spread,
    &pc_place_random,         &pc_place_fgd_best_fit,    &pc_place_fgd,
    &pc_place_fgd_exact,      &pc_place_dot_product,     &pc_place_gpu_packing,
    &pc_place_gpu_clustering, &pc_place_least_allocated, &pc_place_most_allocated,
    &pc_place_topology,
};
const uint32_t pc_placement_count = sizeof pc_placements / sizeof *pc_placements;

/*
 * Quota schedulers pack and spread by options of their own, and so does kube-default; these are what the placements binpack
 * and least-allocated mean there.
 */
const struct pc_placement *pc_placement_of(const struct policy_config *config)
{
    const struct pc_placement *row = pc_placements[config->placement];
    if (config->plugin != NULL && config->plugin->score != NULL)
        return &pc_place_plugin;
    if (config->pods.on && row == &pc_place_least_allocated)
        return config->pods.score == POLICY_MOST_ALLOCATED ? &pc_place_most_allocated : row;
    if (config->quota.actions != 0 && row == &pc_place_binpack && !config->pods.on)
        return &pc_place_packed;
    return row;
}

const struct policy_row *policy_placement_row(size_t i)
{
    return i < pc_placement_count ? &pc_placements[i]->row : NULL;
}
