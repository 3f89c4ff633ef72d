/* SPDX-License-Identifier: MIT */
/*
 * Usage history kept by the core (option usage_window): amounts are recorded when they change.
 * Usage is what tasks hold, including while they are being released; nominated places do not count
 * yet. The history begins with the first job: nodes may have been reported long before, at a
 * meaningless time.
 */
#include "state/queues.h"

#include <string.h>

static bool is_kept(const struct policy *p)
{
    return p->config.quota.usage_window != POLICY_USAGE_GIVEN;
}

/* Starts the history if possible. Returns true if it exists. */
static bool begin(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    struct policy_amounts capacity = pc_public(&c->capacity);
    if (!is_kept(p) || c->job_count == 0)
        return false;
    if (!c->capacity_usage.begun)
        pc_usage_add(&c->capacity_usage, &c->window, p->now, &capacity);
    return true;
}

void pc_usage_capacity(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    struct policy_amounts capacity = pc_public(&c->capacity);
    if (begin(p))
        pc_usage_add(&c->capacity_usage, &c->window, p->now, &capacity);
}

bool pc_usage_reserve(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    uint32_t known = c->usage_capacity;
    if (!is_kept(p))
        return true;
    if (!PC_GROW(&p->memory, c->usages, c->usage_capacity, c->queue_count + 1))
        return false;
    memset(c->usages + known, 0, (c->usage_capacity - known) * sizeof *c->usages);
    return true;
}

void pc_usage_queues(struct policy *p, uint32_t leaf)
{
    struct pc_cluster *c = p->cluster;
    if (!begin(p))
        return;
    for (uint32_t q = leaf; q != POLICY_NO_ID; q = c->queues[q].parent) {
        struct policy_amounts held = pc_public(&c->queues[q].held);
        pc_usage_add(&c->usages[q], &c->window, p->now, &held);
    }
}

void pc_usage_reported(struct policy *p, uint32_t queue)
{
    if (is_kept(p))
        p->cluster->usages[queue].told = true;
}

/* Applies the reported usage once the nodes are known. */
static void seed(struct policy *p, uint32_t queue)
{
    struct pc_cluster *c = p->cluster;
    struct policy_amounts told = pc_public(&c->queues[queue].usage_ppm);
    if (c->usages[queue].told)
        pc_usage_seed(&c->usages[queue], &c->capacity_usage, &c->window, p->now, &told);
    c->usages[queue].told = false;
}

void pc_usage_refresh(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (!begin(p))
        return;
    for (uint32_t q = 0; q < c->queue_count; q++)
        seed(p, q);
    for (uint32_t q = 0; q < c->queue_count; q++) {
        struct policy_amounts ppm =
            pc_usage_ppm(&c->usages[q], &c->capacity_usage, &c->window, p->now);
        c->queues[q].usage_ppm = (struct pc_amounts){{ppm.gpu, ppm.cpu, ppm.mem}};
    }
}

static bool some_wait(const struct pc_cluster *c)
{
    for (uint32_t q = 0; q < c->queue_count; q++)
        if (c->queues[q].class_count > 0)
            return true;
    return false;
}

bool pc_usage_fades(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    if (!is_kept(p) || !some_wait(c))
        return false;
    bool fades = !pc_usage_settled(&c->capacity_usage, &c->window, p->now);
    for (uint32_t q = 0; q < c->queue_count && !fades; q++)
        fades = !pc_usage_settled(&c->usages[q], &c->window, p->now);
    return fades;
}
