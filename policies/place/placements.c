/* SPDX-License-Identifier: MIT */
/* The table of placements. */
#include "place/place.h"
#include "plugin.h"

#define REFER(name) &pc_place_##name,
const struct pc_placement *const pc_placements[] = {PC_PLACEMENTS(REFER)};
const uint32_t pc_placement_count = sizeof pc_placements / sizeof *pc_placements;

/*
 * Quota schedulers and kube-default pack and spread by their own options; the placements binpack
 * and least-allocated map to these.
 */
const struct pc_placement *pc_placement_of(const struct policy_config *config)
{
    const struct pc_placement *row = pc_placements[config->placement];
    if (config->plugin != NULL && config->plugin->score != NULL)
        return &pc_place_plugin;
    if (config->pods.on && row == &pc_place_least_allocated)
        return config->pods.score == POLICY_MOST_ALLOCATED ? &pc_place_most_allocated : row;
    if (config->queue_order != POLICY_NO_QUEUE_ORDER && row == &pc_place_binpack)
        return &pc_place_packed;
    return row;
}

const struct policy_row *policy_placement_row(size_t i)
{
    return i < pc_placement_count ? &pc_placements[i]->row : NULL;
}
