/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPU time of jobs above a quota that was cut; definitions in changes.h. */
#include "report/measure/changes.h"

#include "sim/base/mem.h"

#include <stdlib.h>

static struct changes_queue *state_of(struct changes *c, const struct sim *sim, uint32_t queue)
{
    if (queue >= c->count)
        c->queues = mem_extend(c->queues, &c->count, sim->queue_count, sizeof *c->queues);
    return &c->queues[queue];
}

static int64_t above_quota(const struct changes *c, const struct sim *sim, uint32_t id)
{
    const struct sim_queue *queue = &sim->queues[id];
    if (queue->by_pool_count > 0 && c->over_by_pool != NULL)
        return c->over_by_pool(c->over_self, sim, id);
    int64_t quota = queue->gpu.quota;
    return quota == POLICY_UNLIMITED || queue->running_milli <= quota
               ? 0
               : queue->running_milli - quota;
}

static void take_quotas(struct changes_queue *q, const struct sim_queue *queue)
{
    q->quota = queue->gpu.quota;
    q->known = true;
    if (q->pools == NULL && queue->by_pool_count > 0)
        q->pools = mem_alloc(queue->by_pool_count, sizeof *q->pools);
    for (uint32_t i = 0; i < queue->by_pool_count; i++)
        q->pools[i] = queue->by_pool[i].quota;
}

static void come_back(struct changes *c, struct changes_queue *q, int64_t at)
{
    q->above = false;
    c->above--;
    tally_add(&c->back, at - q->since_ms, false);
}

/*
 * At the first interval, each queue's quota is the one the run began with, so nothing counts as a
 * cut yet.
 */
static void interval(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    struct changes *c = self;
    const struct sim_site *s = &sim->sites[site];
    for (size_t i = 0; i < s->queue_count; i++) {
        struct changes_queue *q = state_of(c, sim, s->queues[i]);
        const struct sim_queue *queue = &sim->queues[s->queues[i]];
        take_quotas(q, queue);
        if (!q->above)
            continue;
        int64_t above = above_quota(c, sim, s->queues[i]);
        if (above == 0)
            come_back(c, q, from);
        else
            c->over_milli_ms += (double)above * (double)sim_inside(sim, from, to);
    }
}

static bool is_cut(int64_t before, int64_t after)
{
    return after != POLICY_UNLIMITED && (before == POLICY_UNLIMITED || after < before);
}

static bool has_cut(const struct changes_queue *q, const struct sim_queue *queue)
{
    for (uint32_t i = 0; q->known && i < queue->by_pool_count; i++)
        if (is_cut(q->pools[i], queue->by_pool[i].quota))
            return true;
    return q->known && is_cut(q->quota, queue->gpu.quota);
}

static void changed(void *self, const struct sim *sim, uint32_t id)
{
    struct changes *c = self;
    struct changes_queue *q = state_of(c, sim, id);
    const struct sim_queue *queue = &sim->queues[id];
    bool cut = has_cut(q, queue);
    c->applied++;
    c->cuts += cut;
    take_quotas(q, queue);
    int64_t above = above_quota(c, sim, id);
    if (q->above && above == 0) {
        come_back(c, q, sim->now_ms);
    } else if (!q->above && cut && above > 0) {
        q->above = true;
        q->since_ms = sim->now_ms;
        c->above++;
    }
}

struct sim_observer changes_observer(struct changes *c)
{
    return (struct sim_observer){.self = c, .interval = interval, .changed = changed};
}

void changes_finish(struct changes *c, const struct sim *sim)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->queues[i].above)
            tally_add(&c->back, sim->now_ms - c->queues[i].since_ms, true);
}

void changes_fini(struct changes *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->queues[i].pools);
    free(c->queues);
    tally_fini(&c->back);
}

void changes_json(const struct changes *c, const struct sim *sim, struct json *j)
{
    if (!sim_changes_queues(sim->config.changes, sim->config.change_count))
        return;
    json_begin_object(j, "changes");
    json_u64(j, "applied", c->applied);
    json_u64(j, "quota_cuts", c->cuts);
    json_f64(j, "over_cut_quota_gpu_h", c->over_milli_ms / 1000 / 3600000, 6);
    tally_json(&c->back, j, "back_within_quota_s");
    json_end_object(j);
}
