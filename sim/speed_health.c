/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The share of NICs and uplinks that faults leave; speed.c uses it to compute the speed of a job.
 */
#include "sim/speed_internal.h"

#include "sim/base/mem.h"

/* All are healthy until the first fault. */
static int32_t *all_well(uint32_t count)
{
    int32_t *ppm = mem_alloc(count, sizeof *ppm);
    for (uint32_t i = 0; i < count; i++)
        ppm[i] = FABRIC_PPM;
    return ppm;
}

/* Uplinks of tier 0 belong to nodes and have the same indices: NICs shared by several jobs. */
static void set_uplink(struct sim_speed *speed, uint32_t uplink, int32_t ppm)
{
    if (speed->share != NULL)
        fabric_share_set_health(speed->share, uplink, ppm);
    if (speed->finder.health_ppm != NULL)
        speed->finder.health_ppm[uplink] = ppm;
}

void sim_speed_narrow(struct sim *sim, const struct sim_fault *f)
{
    struct sim_speed *speed = sim->speed;
    const struct fabric_tree *tree = sim->config.network.tree;
    if (speed == NULL || sim->config.network.mode == SIM_NETWORK_OFF || !f->narrows)
        return;
    if (speed->nic_ppm == NULL) {
        speed->nic_ppm = all_well(tree->node_count);
        speed->finder.health_ppm = all_well(tree->uplink_count);
    }
    for (uint32_t i = 0; i < f->uplink_count; i++)
        set_uplink(speed, f->uplinks[i], sim_left_ppm(sim, true, f->uplinks[i]));
    for (uint32_t i = 0; i < f->node_count && f->uplink_count == 0; i++) {
        speed->nic_ppm[f->nodes[i]] = sim_left_ppm(sim, false, f->nodes[i]);
        set_uplink(speed, f->nodes[i], speed->nic_ppm[f->nodes[i]]);
    }
    speed->left = true; /* the shares of other flows may change */
}

bool speed_health_audit(const struct sim *sim, struct err *err)
{
    const struct sim_speed *speed = sim->speed;
    if (speed->nic_ppm == NULL)
        return true;
    for (uint32_t i = 0; i < sim->config.network.tree->uplink_count; i++) {
        bool nics = i < sim->config.network.tree->node_count;
        int32_t left = sim_left_ppm(sim, !nics, i);
        if (speed->finder.health_ppm[i] != left || (nics && speed->nic_ppm[i] != left))
            return err_set(err, EXIT_INVARIANT,
                           "uplink %u: faults leave %d ppm of it, known are %d", i, left,
                           speed->finder.health_ppm[i]);
    }
    return true;
}

double speed_nics(const struct sim_speed *speed)
{
    int32_t worst = FABRIC_PPM;
    for (size_t i = 0; i < speed->piece_count && speed->nic_ppm != NULL; i++) {
        int32_t ppm = speed->nic_ppm[speed->nodes[i]];
        worst = ppm < worst ? ppm : worst;
    }
    return (double)worst / FABRIC_PPM;
}
