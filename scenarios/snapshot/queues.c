/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues of a snapshot or of a file of shares: their values, and the forest of their parents. */
#include "scenarios/snapshot/internal.h"
#include "scenarios/snapshot/pool_key.h"

#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct policy_share share(const cJSON *from)
{
    return (struct policy_share){.quota = snap_integer(from, "quota", 0),
                                 .limit = snap_integer(from, "limit", -1),
                                 .weight = snap_scaled(from, "weight", 1000)};
}

/* A single number applies to all three resources. */
static struct policy_amounts usage(const cJSON *queue)
{
    const cJSON *value = json_member(queue, "usage");
    int64_t all = cJSON_IsNumber(value) ? snap_scaled(queue, "usage", 1e6) : 0;
    if (!cJSON_IsObject(value))
        return (struct policy_amounts){all, all, all};
    return (struct policy_amounts){snap_scaled(value, "gpu", 1e6), snap_scaled(value, "cpu", 1e6),
                                   snap_scaled(value, "mem", 1e6)};
}

static void read_queue(struct snap_reader *reader, const cJSON *from, struct snap_queue *queue)
{
    const cJSON *request = json_member(from, "request"), *pools = json_member(from, "pools");
    const cJSON *gpu = json_member(from, "gpu");
    *queue = (struct snap_queue){
        .name = snap_text(from, "name"),
        .parent = snap_text(from, "parent"),
        .parent_index = SNAP_NONE,
        .priority = (int32_t)snap_integer(from, "priority", 0),
        .created_ms = snap_integer(from, "created_ms", 0),
        .gpu = share(gpu),
        .cpu = share(json_member(from, "cpu")),
        .mem = share(json_member(from, "mem")),
        .fixed_milli = snap_integer(gpu, "fixed", 0),
        .preempt_min_runtime_ms = snap_ms(from, "preempt_min_runtime_s", POLICY_INHERIT),
        .reclaim_min_runtime_ms = snap_ms(from, "reclaim_min_runtime_s", POLICY_INHERIT),
        .suspended = cJSON_IsTrue(json_member(from, "suspended")),
        .ordered_pools = cJSON_IsTrue(json_member(from, "ordered_pools")),
        .strict_order = cJSON_IsTrue(json_member(from, "strict_order")),
        .spans_pools = cJSON_IsTrue(json_member(from, "gangs_span_pools")),
        .usage_ppm = usage(from),
        .own_rank = snap_integer(from, "rank", INT64_MAX),
        .origin = snap_origin(from),
        .request = {snap_integer(request, "gpu", 0), snap_integer(request, "cpu", 0),
                    snap_integer(request, "mem", 0)},
    };
    queue->pools = snap_alloc(reader, snap_size(pools), sizeof *queue->pools);
    for (const cJSON *pool = pools ? pools->child : NULL; pool; pool = pool->next)
        queue->pools[queue->pool_count++] = pool->valuestring;
}

/* ---- the forest ---- */

#define DEPTH_UNKNOWN UINT32_MAX

/* Walks from a queue up to one that is done, and back down; `way` has room for all queues. */
static bool climb(struct snap_reader *reader, size_t from, bool *on_way, size_t *way)
{
    struct snap_queue *queues = reader->s.queues;
    size_t length = 0, at = from;
    while (at != SNAP_NONE && queues[at].depth == DEPTH_UNKNOWN) {
        if (on_way[at]) {
            (void)snprintf(reader->at, sizeof reader->at, "queues[%zu]", at);
            return snap_fail(reader, ".parent", "the queue '%.64s' is its own ancestor",
                             queues[at].name);
        }
        on_way[at] = true;
        way[length++] = at;
        at = queues[at].parent_index;
    }
    while (length > 0) {
        struct snap_queue *queue = &queues[way[--length]];
        const struct snap_queue *parent =
            queue->parent_index == SNAP_NONE ? NULL : &queues[queue->parent_index];
        queue->depth = parent ? parent->depth + 1 : 0;
        queue->lost = parent ? parent->lost : *queue->parent != '\0' ? queue->parent : NULL;
    }
    return true;
}

struct placed {
    uint32_t depth, rank;
    size_t queue;
};

static int by_depth(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->rank < y->rank ? -1 : 1; // ranks are unique
}

static void order_queues(struct snap_reader *reader)
{
    struct snapshot *s = &reader->s;
    struct placed *placed = mem_alloc(s->queue_count + 1, sizeof *placed);
    for (size_t i = 0; i < s->queue_count; i++)
        placed[i] = (struct placed){s->queues[i].depth, s->queues[i].rank, i};
    qsort(placed, s->queue_count, sizeof *placed, by_depth);
    s->queue_order = snap_alloc(reader, s->queue_count, sizeof *s->queue_order);
    for (size_t i = 0; i < s->queue_count; i++)
        s->queue_order[i] = placed[i].queue;
    free(placed);
}

static void rank_queues(struct snapshot *s)
{
    struct snap_ranked *ranked = mem_alloc(s->queue_count + 1, sizeof *ranked);
    for (uint32_t place = 0; place < s->queue_names.count; place++)
        ranked[place] = (struct snap_ranked){s->queues[s->queue_of_name[place]].own_rank, place,
                                             s->queue_of_name[place]};
    snap_rank(ranked, s->queue_names.count);
    for (uint32_t rank = 0; rank < s->queue_names.count; rank++)
        s->queues[ranked[rank].index].rank = rank;
    free(ranked);
}

static bool link_queues(struct snap_reader *reader)
{
    struct snapshot *s = &reader->s;
    for (size_t i = 0; i < s->queue_count; i++) {
        struct snap_queue *queue = &s->queues[i];
        uint32_t parent = name_set_find(&s->queue_names, queue->parent); // "" is not a queue name
        queue->depth = DEPTH_UNKNOWN;
        if (parent == NAME_NONE)
            continue;
        queue->parent_index = s->queue_of_name[parent];
        s->queues[queue->parent_index].inner = true;
    }
    rank_queues(s);
    bool *on_way = mem_alloc(s->queue_count + 1, sizeof *on_way);
    size_t *way = mem_alloc(s->queue_count + 1, sizeof *way);
    bool ok = true;
    for (size_t i = 0; i < s->queue_count && ok; i++)
        ok = climb(reader, i, on_way, way);
    free(way);
    free(on_way);
    if (ok)
        order_queues(reader);
    return ok;
}

static bool known_pools(struct snap_reader *reader)
{
    struct snapshot *s = &reader->s;
    struct name_set pools = {0};
    for (size_t i = 0; i < s->node_count; i++)
        name_set_add(&pools, s->nodes[i].pool);
    name_set_seal(&pools);
    bool ok = true;
    for (size_t i = 0; i < s->queue_count && ok; i++) {
        const struct snap_queue *queue = &s->queues[i];
        for (size_t k = 0; k < queue->pool_count && ok; k++) {
            char path[32];
            (void)snprintf(reader->at, sizeof reader->at, "queues[%zu]", i);
            (void)snprintf(path, sizeof path, ".pools[%zu]", k);
            if (name_set_find(&pools, queue->pools[k]) == NAME_NONE)
                ok = snap_unknown(reader, path, "pool", queue->pools[k], &pools);
        }
    }
    name_set_fini(&pools);
    return ok;
}

/* ---- quotas by pool ---- */

/* Returns all pools, one entry for each of their GPU types; the caller frees them. */
static struct pool_type *list_pools(const struct snapshot *s, size_t *count)
{
    struct pool_type *list = mem_alloc(s->node_count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < s->node_count; i++) {
        const struct pool_type p = {s->nodes[i].pool, s->nodes[i].gpu_type};
        bool known = false;
        for (size_t k = 0; k < *count && !known; k++)
            known = strcmp(list[k].name, p.name) == 0 && strcmp(list[k].type, p.type) == 0;
        if (!known)
            list[(*count)++] = p;
    }
    return list;
}

static bool unknown_key(struct snap_reader *reader, const char *key, const struct pool_type *pools,
                        size_t count)
{
    struct name_set known = {0};
    char path[96];
    for (size_t i = 0; i < count; i++) {
        name_set_add(&known, pools[i].name);
        name_set_add(&known, pools[i].type);
    }
    name_set_seal(&known);
    (void)snprintf(path, sizeof path, ".gpu.by_pool.%.64s", key);
    snap_unknown(reader, path, "pool or GPU type", key, &known);
    name_set_fini(&known);
    return false;
}

/* Sets the quota to the sum of the quotas by pool. */
static bool add_up(struct snap_reader *reader, struct snap_queue *queue)
{
    int64_t sum = 0;
    for (size_t i = 0; i < queue->by_pool_count; i++) {
        sum += queue->by_pool[i].joined ? 0 : queue->by_pool[i].quota_milli;
        for (size_t k = 0; k < i; k++)
            if (strcmp(queue->by_pool[k].pool, queue->by_pool[i].pool) == 0)
                return snap_fail(reader, ".gpu.by_pool", "the pool '%.64s' is in two quotas",
                                 queue->by_pool[i].pool);
    }
    if (queue->gpu.quota != 0 && queue->gpu.quota != sum)
        return snap_fail(reader, ".gpu.by_pool",
                         "the quotas by pool add up to %lld milli-GPUs, and gpu.quota is %lld: "
                         "leave it out",
                         (long long)sum, (long long)queue->gpu.quota);
    queue->gpu.quota = sum;
    return true;
}

static bool read_quotas(struct snap_reader *reader, const cJSON *list, struct snap_queue *queue,
                        const struct pool_type *pools, size_t count)
{
    size_t room = (size_t)cJSON_GetArraySize(list) * (count + 1);
    queue->by_pool = snap_alloc(reader, room, sizeof *queue->by_pool);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        size_t found =
            pool_key_find(pools, count, entry->string, snap_integer(list, entry->string, 0),
                          queue->by_pool + queue->by_pool_count);
        if (found == 0)
            return unknown_key(reader, entry->string, pools, count);
        queue->by_pool_count += found;
    }
    return add_up(reader, queue);
}

static bool read_pool_quotas(struct snap_reader *reader, const cJSON *list)
{
    struct snapshot *s = &reader->s;
    size_t count, i = 0;
    struct pool_type *pools = list_pools(s, &count);
    bool ok = true;
    for (const cJSON *entry = list->child; entry && ok; entry = entry->next, i++) {
        const cJSON *quotas = json_member(json_member(entry, "gpu"), "by_pool");
        (void)snprintf(reader->at, sizeof reader->at, "queues[%zu]", i);
        if (quotas != NULL && quotas->child != NULL)
            ok = read_quotas(reader, quotas, &s->queues[i], pools, count);
    }
    free(pools);
    return ok;
}

bool snap_read_queues(struct snap_reader *reader, const cJSON *list)
{
    struct snapshot *s = &reader->s;
    size_t count = snap_size(list);
    s->queues = snap_alloc(reader, count, sizeof *s->queues);
    for (const cJSON *entry = list->child; entry; entry = entry->next)
        read_queue(reader, entry, &s->queues[s->queue_count++]);
    if (count > 0 && !snap_number(reader, &s->queue_names, &s->queue_of_name, &s->queues[0].name,
                                  count, sizeof *s->queues, "queue", "name"))
        return false;
    return link_queues(reader) && known_pools(reader) && read_pool_quotas(reader, list);
}
