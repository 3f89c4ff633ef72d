/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interference, from the scenario and from its pools. */
#include "scenarios/load/fill.h"

#include <string.h>

void fill_interference(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "interference");
    if (!tree)
        return;
    const char *sharing = fill_text(tree, "sharing");
    build->scenario.interference = (struct perf_interference){
        .sharing = strcmp(sharing, perf_sharing_name(PERF_SHARING_TIMESLICES)) == 0
                       ? PERF_SHARING_TIMESLICES
                       : PERF_SHARING_MPS,
        .numa = fill_true(tree, "numa"),
        .cpu = fill_true(tree, "cpu"),
    };
}

const struct perf_vnic *fill_vnic(const cJSON *pool)
{
    const char *name = fill_text(pool, "vnic");
    return name ? perf_vnic_find(name) : NULL;
}
