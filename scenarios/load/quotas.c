/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotas against what there is; see quotas.h. */
#include "scenarios/load/quotas.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdlib.h>
#include <string.h>

const char *const quota_kind_names[QUOTA_KINDS] = {"fleet", "parent", "pools"};

/* Of nodes that stand in no pool, "all". */
static bool is_in(const struct scen_queue *queue, const char *pool)
{
    for (size_t i = 0; i < queue->pool_count; i++)
        if (strcmp(queue->pools[i], pool != NULL ? pool : "all") == 0)
            return true;
    return queue->pool_count == 0;
}

/* In the pools to which the queue is bound. */
static int64_t gpus_milli(const struct scenario *sc, const struct scen_queue *queue)
{
    int64_t milli = 0;
    for (size_t i = 0; i < sc->pool_count; i++)
        if (is_in(queue, sc->pools[i].name))
            milli += sc->pools[i].count * sc->pools[i].node.gpus * 1000;
    for (size_t i = 0; i < sc->node_count; i++)
        if (is_in(queue, sc->nodes[i].pool))
            milli += (int64_t)sc->nodes[i].node.gpus * 1000;
    return milli;
}

int64_t quota_fleet_milli(const struct scenario *sc)
{
    const struct scen_queue any = {.pool_count = 0};
    return gpus_milli(sc, &any);
}

/* Of the queues right below `parent`, "" at the top. */
static int64_t promised_below(const struct scenario *sc, const char *parent)
{
    int64_t sum = 0;
    for (size_t i = 0; i < sc->queue_count; i++)
        if (strcmp(sc->queues[i].parent, parent) == 0 && sc->queues[i].gpu_quota_milli > 0)
            sum += sc->queues[i].gpu_quota_milli;
    return sum;
}

struct quota_excess *quota_excesses(const struct scenario *sc, size_t *count)
{
    struct quota_excess *list = mem_alloc(2 * sc->queue_count + 1, sizeof *list);
    int64_t top = promised_below(sc, ""), fleet = quota_fleet_milli(sc);
    *count = 0;
    if (top > fleet)
        list[(*count)++] = (struct quota_excess){QUOTA_FLEET, NULL, top, fleet};
    for (size_t i = 0; i < sc->queue_count; i++) {
        const struct scen_queue *queue = &sc->queues[i];
        int64_t own = queue->gpu_quota_milli, below = promised_below(sc, queue->name);
        if (own >= 0 && below > own)
            list[(*count)++] = (struct quota_excess){QUOTA_PARENT, queue, below, own};
        if (queue->pool_count > 0 && own > gpus_milli(sc, queue))
            list[(*count)++] =
                (struct quota_excess){QUOTA_POOLS, queue, own, gpus_milli(sc, queue)};
    }
    return list;
}

static void put_pools(struct out *out, const struct scen_queue *queue)
{
    for (size_t i = 0; i < queue->pool_count; i++)
        out_format(out, "%s%s", i > 0 ? ", " : "", queue->pools[i]);
}

char *quota_excess_text(const struct quota_excess *e)
{
    struct out *out = out_memory();
    double promised = (double)e->promised_milli / 1000, has = (double)e->has_milli / 1000;
    if (e->kind == QUOTA_FLEET)
        out_format(out,
                   "quotas exceed the fleet: the top-level queues are promised %.10g GPUs in all, "
                   "and it has %.10g",
                   promised, has);
    else if (e->kind == QUOTA_PARENT)
        out_format(out,
                   "quotas exceed that of queue '%s': the queues below it are promised %.10g GPUs "
                   "in all, and it is promised %.10g",
                   e->queue->name, promised, has);
    else {
        out_format(out,
                   "the quota of queue '%s' exceeds its pools: it is promised %.10g GPUs, and ",
                   e->queue->name, promised);
        put_pools(out, e->queue);
        out_format(out, " ha%s %.10g", e->queue->pool_count == 1 ? "s" : "ve", has);
    }
    return out_memory_take(out);
}
