/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Divides a site among queues with unlimited demand; see slices.h. */
#include "report/measure/slices.h"

#include "sim/base/mem.h"

#include <stdlib.h>

struct division {
    const struct sim *sim;
    bool *there;  /* the queue, or one below it, has jobs in this site */
    double *part; /* thousandths of GPUs */
};

static bool takes_part(const struct division *d, size_t queue, int32_t parent)
{
    return d->there[queue] && d->sim->queues[queue].parent == parent;
}

static double bounded(int64_t bound, double amount)
{
    return bound == POLICY_UNLIMITED || (double)bound > amount ? amount : (double)bound;
}

/*
 * Divides the rest by weight among queues below their limits until no further queue reaches its
 * limit.
 */
static void fill(const struct division *d, int32_t parent, double amount, double left)
{
    for (bool again = true; again && left > 1e-6;) {
        double weights = 0, pot = left;
        again = false;
        for (size_t i = 0; i < d->sim->queue_count; i++)
            if (takes_part(d, i, parent) &&
                d->part[i] < bounded(d->sim->queues[i].gpu.limit, amount))
                weights += (double)d->sim->queues[i].gpu.weight;
        for (size_t i = 0; i < d->sim->queue_count && weights > 0; i++) {
            double missing = bounded(d->sim->queues[i].gpu.limit, amount) - d->part[i];
            double more = pot * (double)d->sim->queues[i].gpu.weight / weights;
            if (!takes_part(d, i, parent) || missing <= 0 || more <= 0)
                continue;
            again |= more >= missing;
            more = more < missing ? more : missing;
            d->part[i] += more;
            left -= more;
        }
    }
}

static void divide(const struct division *d, int32_t parent, double amount)
{
    double guaranteed = 0;
    for (size_t i = 0; i < d->sim->queue_count; i++) {
        if (!takes_part(d, i, parent))
            continue;
        const struct policy_share *gpu = &d->sim->queues[i].gpu;
        double quota = gpu->quota == POLICY_UNLIMITED ? amount : (double)gpu->quota;
        d->part[i] = bounded(gpu->limit, quota);
        guaranteed += d->part[i];
    }
    for (size_t i = 0; i < d->sim->queue_count && guaranteed > amount; i++)
        if (takes_part(d, i, parent))
            d->part[i] *= amount / guaranteed;
    if (guaranteed < amount)
        fill(d, parent, amount, amount - guaranteed);
}

static void mark(struct division *d, uint32_t site, const bool *busy)
{
    for (size_t i = 0; i < d->sim->queue_count; i++)
        d->there[i] = false;
    for (size_t k = 0; k < d->sim->sites[site].queue_count; k++) {
        uint32_t leaf = d->sim->sites[site].queues[k];
        for (int32_t q = (int32_t)leaf; busy[leaf] && q >= 0; q = d->sim->queues[q].parent)
            d->there[q] = true;
    }
}

int64_t *slices_of(const struct sim *sim, const bool *busy)
{
    size_t n = sim->queue_count;
    int64_t *slices = mem_alloc(n + 1, sizeof *slices);
    struct division d = {sim, mem_alloc(n + 1, sizeof *d.there), mem_alloc(n + 1, sizeof *d.part)};
    for (uint32_t site = 0; site < sim->site_count; site++) {
        mark(&d, site, busy);
        divide(&d, -1, (double)sim->sites[site].milli);
        for (size_t i = 0; i < n; i++) /* parents come before their children */
            if (d.there[i] && !busy[i])
                divide(&d, (int32_t)i, d.part[i]);
        for (size_t k = 0; k < sim->sites[site].queue_count; k++) {
            uint32_t leaf = sim->sites[site].queues[k];
            if (busy[leaf])
                slices[leaf] = (int64_t)(d.part[leaf] + 1e-3);
        }
    }
    free(d.there);
    free(d.part);
    return slices;
}
