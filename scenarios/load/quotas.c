/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares quotas with the installed devices; see quotas.h. */
#include "scenarios/load/quotas.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdlib.h>
#include <string.h>

const char *const quota_kind_names[QUOTA_KINDS] = {"fleet", "parent", "pools", "by_pool"};

/* Nodes without a pool belong to "all". */
static bool is_in(const struct scen_queue *queue, const char *pool)
{
    for (size_t i = 0; i < queue->pool_count; i++)
        if (strcmp(queue->pools[i], pool != NULL ? pool : "all") == 0)
            return true;
    return queue->pool_count == 0;
}

/* Returns the GPUs in the pools to which the queue is bound. */
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

/* Returns the quotas of the queues directly below `parent`; "": the top level. */
static int64_t promised_below(const struct scenario *sc, const char *parent)
{
    int64_t sum = 0;
    for (size_t i = 0; i < sc->queue_count; i++)
        if (strcmp(sc->queues[i].parent, parent) == 0 && sc->queues[i].gpu_quota_milli > 0)
            sum += sc->queues[i].gpu_quota_milli;
    return sum;
}

/* ---- by pool ---- */

static int64_t pool_milli(const struct scenario *sc, const char *pool)
{
    const char *const pools[] = {pool};
    const struct scen_queue only = {.pools = pools, .pool_count = 1};
    return gpus_milli(sc, &only);
}

/* Returns the queue's quota in the group that begins with this pool. */
static int64_t promised_in(const struct scen_queue *queue, const char *pool)
{
    for (size_t i = 0; i < queue->by_pool_count; i++)
        if (!queue->by_pool[i].joined && strcmp(queue->by_pool[i].pool, pool) == 0)
            return queue->by_pool[i].quota_milli;
    return 0;
}

static bool has_below(const struct scenario *sc, const struct scen_queue *queue)
{
    for (size_t i = 0; i < sc->queue_count; i++)
        if (strcmp(sc->queues[i].parent, queue->name) == 0)
            return true;
    return false;
}

/* Adds up the group that begins with entry `at` of a queue, the first queue to name it. */
static struct quota_excess count_group(const struct scenario *sc, const struct scen_queue *queue,
                                       size_t at)
{
    struct quota_excess e = {.kind = QUOTA_BY_POOL, .pool = queue->by_pool[at].pool};
    for (size_t i = 0; i < sc->queue_count; i++) {
        int64_t promised = promised_in(&sc->queues[i], e.pool);
        if (&sc->queues[i] < queue && promised > 0)
            return (struct quota_excess){.kind = QUOTA_BY_POOL};
        e.promised_milli += has_below(sc, &sc->queues[i]) ? 0 : promised;
    }
    do {
        e.has_milli += pool_milli(sc, queue->by_pool[at++].pool);
    } while (at < queue->by_pool_count && queue->by_pool[at].joined);
    return e;
}

static void add_groups(const struct scenario *sc, const struct scen_queue *queue,
                       struct quota_excess *list, size_t *count)
{
    for (size_t i = 0; i < queue->by_pool_count; i++) {
        if (queue->by_pool[i].joined || queue->by_pool[i].quota_milli == 0)
            continue;
        struct quota_excess e = count_group(sc, queue, i);
        if (e.promised_milli > e.has_milli)
            list[(*count)++] = e;
    }
}

struct quota_excess *quota_excesses(const struct scenario *sc, size_t *count)
{
    size_t most = 2 * sc->queue_count + 1;
    for (size_t i = 0; i < sc->queue_count; i++)
        most += sc->queues[i].by_pool_count;
    struct quota_excess *list = mem_alloc(most, sizeof *list);
    int64_t top = promised_below(sc, ""), fleet = quota_fleet_milli(sc);
    *count = 0;
    if (top > fleet)
        list[(*count)++] = (struct quota_excess){QUOTA_FLEET, NULL, NULL, top, fleet};
    for (size_t i = 0; i < sc->queue_count; i++) {
        const struct scen_queue *queue = &sc->queues[i];
        int64_t own = queue->gpu_quota_milli, below = promised_below(sc, queue->name);
        if (own >= 0 && below > own)
            list[(*count)++] = (struct quota_excess){QUOTA_PARENT, queue, NULL, below, own};
        if (queue->pool_count > 0 && own > gpus_milli(sc, queue))
            list[(*count)++] =
                (struct quota_excess){QUOTA_POOLS, queue, NULL, own, gpus_milli(sc, queue)};
        add_groups(sc, queue, list, count);
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
    else if (e->kind == QUOTA_BY_POOL)
        out_format(
            out,
            "quotas exceed pool '%s' (with those that share its quotas): queues are promised "
            "%.10g GPUs there, and it has %.10g",
            e->pool, promised, has);
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
