/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotas by pool or GPU type, from the scenario; see fill.h. */
#include "scenarios/load/fill.h"
#include "scenarios/snapshot/pool_key.h"
#include "sim/planned_changes.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of a list belong to pools by name, else to "all". */
static const char *pool_of(const struct scen_listed_node *node)
{
    return node->pool != NULL ? node->pool : "all";
}

/* Returns all pools, one entry for each of their GPU types. The caller frees them. */
static struct pool_type *list_pools(const struct scenario *sc, size_t *count)
{
    struct pool_type *list = mem_alloc(sc->pool_count + sc->node_count + 1, sizeof *list);
    *count = 0;
    for (size_t i = 0; i < sc->pool_count; i++)
        list[(*count)++] = (struct pool_type){sc->pools[i].name, sc->pools[i].node.gpu_type};
    for (size_t i = 0; i < sc->node_count; i++) {
        const struct pool_type p = {pool_of(&sc->nodes[i]), sc->nodes[i].node.gpu_type};
        bool known = false;
        for (size_t k = 0; k < *count && !known; k++)
            known = strcmp(list[k].name, p.name) == 0 && strcmp(list[k].type, p.type) == 0;
        if (!known)
            list[(*count)++] = p;
    }
    return list;
}

static bool unknown(struct build *build, const char *at, const char *key,
                    const struct pool_type *pools, size_t count)
{
    const char **known = build_alloc(build, 2 * count + 1, sizeof *known);
    char hint[128];
    for (size_t i = 0; i < count; i++) {
        known[2 * i] = pools[i].name;
        known[2 * i + 1] = pools[i].type;
    }
    text_suggest(hint, sizeof hint, key, known, 2 * count, sizeof *known);
    return build_fail(build, at, "unknown pool or GPU type '%.64s'%s", key, hint);
}

/* Returns the first entry of a queue's group with this pool, or NULL. */
static const struct scen_pool_quota *entry_of(const struct scen_queue *queue, const char *pool)
{
    const struct scen_pool_quota *first = NULL;
    for (size_t i = 0; i < queue->by_pool_count; i++) {
        first = queue->by_pool[i].joined ? first : &queue->by_pool[i];
        if (strcmp(queue->by_pool[i].pool, pool) == 0)
            return first;
    }
    return NULL;
}

/* Both list pools in the order of the fleet, so equal groups have equal lists. */
static bool same_group(const struct scen_queue *a, const struct scen_pool_quota *in_a,
                       const struct scen_queue *b, const struct scen_pool_quota *in_b)
{
    const struct scen_pool_quota *end_a = a->by_pool + a->by_pool_count;
    const struct scen_pool_quota *end_b = b->by_pool + b->by_pool_count;
    do {
        if (strcmp(in_a->pool, in_b->pool) != 0)
            return false;
        in_a++;
        in_b++;
    } while (in_a < end_a && in_b < end_b && in_a->joined && in_b->joined);
    return !(in_a < end_a && in_a->joined) && !(in_b < end_b && in_b->joined);
}

/* A pool belongs to one quota of a queue, and shares it with the same pools in all queues. */
static bool check_groups(struct build *build, const char *at, const struct scen_queue *queue)
{
    const struct scenario *sc = &build->scenario;
    for (size_t i = 0; i < queue->by_pool_count; i++) {
        const char *pool = queue->by_pool[i].pool;
        for (size_t k = 0; k < i; k++)
            if (strcmp(queue->by_pool[k].pool, pool) == 0)
                return build_fail(build, at, "the pool '%.64s' is in two quotas", pool);
        for (size_t q = 0; &sc->queues[q] < queue; q++) {
            const struct scen_queue *other = &sc->queues[q];
            const struct scen_pool_quota *theirs = entry_of(other, pool);
            if (theirs != NULL && !same_group(queue, entry_of(queue, pool), other, theirs))
                return build_fail(build, at,
                                  "the pool '%.64s' shares its quota with other pools here than in "
                                  "queue '%.64s': name it by pool in both, or by GPU type",
                                  pool, other->name);
        }
    }
    return true;
}

static bool may_use(const struct scen_queue *queue, const char *pool)
{
    for (size_t i = 0; i < queue->pool_count; i++)
        if (strcmp(queue->pools[i], pool) == 0)
            return true;
    return queue->pool_count == 0 || queue->others_too;
}

/* A quota is useful only in pools where the queue may run. */
static bool check_use(struct build *build, const char *at, const struct scen_queue *queue)
{
    for (size_t i = 0; i < queue->by_pool_count; i++)
        if (queue->by_pool[i].quota_milli > 0 && !may_use(queue, queue->by_pool[i].pool))
            return build_fail(build, at,
                              "the queue has a quota in pool '%.64s', but may not use it (its "
                              "`pools` do not name it)",
                              queue->by_pool[i].pool);
    return true;
}

/* Sets the quota to the sum of the quotas by pool. */
static bool check_sum(struct build *build, const char *at, struct scen_queue *queue)
{
    int64_t sum = 0;
    for (size_t i = 0; i < queue->by_pool_count; i++)
        sum += queue->by_pool[i].joined ? 0 : queue->by_pool[i].quota_milli;
    if (queue->gpu_quota_milli != 0 && queue->gpu_quota_milli != sum)
        return build_fail(build, at,
                          "the quotas by pool add up to %.10g GPUs, and gpu.quota is %.10g: leave "
                          "it out",
                          (double)sum / 1000, (double)queue->gpu_quota_milli / 1000);
    queue->gpu_quota_milli = sum;
    return true;
}

bool fill_pool_quotas(struct build *build, const char *path, const cJSON *list,
                      struct scen_queue *queue)
{
    size_t count, n = 0;
    if (list == NULL || list->child == NULL)
        return true;
    struct pool_type *pools = list_pools(&build->scenario, &count);
    struct scen_pool_quota *quotas =
        build_alloc(build, (size_t)cJSON_GetArraySize(list) * (count + 1), sizeof *quotas);
    char at[160];
    bool ok = true;
    for (const cJSON *entry = list->child; entry != NULL && ok; entry = entry->next) {
        (void)snprintf(at, sizeof at, "%s.gpu.by_pool.%.64s", path, entry->string);
        size_t found = pool_key_find(pools, count, entry->string,
                                     fill_scaled(list, entry->string, 1000), quotas + n);
        n += found;
        /* without files, the pools of a list are unknown */
        ok = found > 0 || !build->files || unknown(build, at, entry->string, pools, count);
    }
    free(pools);
    queue->by_pool = quotas;
    queue->by_pool_count = n;
    (void)snprintf(at, sizeof at, "%s.gpu.by_pool", path);
    return ok && check_groups(build, at, queue) && check_use(build, at, queue) &&
           check_sum(build, at, queue);
}

/* ---- planned changes ---- */

/*
 * Returns the queue's entry that begins the group of these pools; SIZE_MAX if it has no such quota.
 */
static size_t find_entry(const struct scen_queue *queue, const struct scen_pool_quota *pools,
                         size_t count)
{
    for (size_t i = 0; i < queue->by_pool_count; i++) {
        size_t n = 1;
        while (i + n < queue->by_pool_count && queue->by_pool[i + n].joined)
            n++;
        if (!queue->by_pool[i].joined && strcmp(queue->by_pool[i].pool, pools[0].pool) == 0)
            return n == count ? i : SIZE_MAX;
    }
    return SIZE_MAX;
}

static bool fill_change(struct build *build, const char *at, const char *key,
                        const struct scen_queue *queue, struct sim_pool_term *to)
{
    size_t count;
    struct pool_type *pools = list_pools(&build->scenario, &count);
    struct scen_pool_quota *quotas = mem_alloc(count + 1, sizeof *quotas);
    size_t found = pool_key_find(pools, count, key, 0, quotas);
    size_t entry = found > 0 ? find_entry(queue, quotas, found) : SIZE_MAX;
    bool ok = true;
    if (found == 0)
        ok = !build->files || unknown(build, at, key, pools, count);
    else if (entry == SIZE_MAX)
        ok = build_fail(build, at,
                        "the queue '%.64s' has no quota of its own there that could change: name "
                        "it in the queue's gpu.by_pool (0 is a quota)",
                        queue->name);
    to->entry = (uint32_t)entry;
    free(quotas);
    free(pools);
    return ok;
}

/* The amount fixed for build sessions must never exceed what is left of the quotas. */
static bool keeps_fixed(struct build *build, const char *path, const struct scen_queue *queue,
                        const struct sim_change *change)
{
    int64_t sum = queue->gpu_quota_milli;
    for (size_t i = 0; i < change->pool_count; i++)
        if (change->pools[i].entry < queue->by_pool_count)
            sum += change->pools[i].quota - queue->by_pool[change->pools[i].entry].quota_milli;
    return queue->fixed_milli == 0 || sum >= queue->fixed_milli ||
           build_fail(build, path,
                      "expected at least the %g GPUs in all that the queue keeps for sessions "
                      "(gpu.fixed), got %g",
                      (double)queue->fixed_milli / 1000.0, (double)sum / 1000.0);
}

bool fill_pool_changes(struct build *build, const char *path, const cJSON *list,
                       const struct scen_queue *queue, struct sim_change *change)
{
    char at[160];
    if (list == NULL || list->child == NULL)
        return true;
    (void)snprintf(at, sizeof at, "%s.gpu.by_pool", path);
    if (queue == NULL || queue->by_pool_count == 0)
        return build_fail(build, at, "the queue '%.64s' has no quotas by pool", change->queue);
    struct sim_pool_term *terms =
        build_alloc(build, (size_t)cJSON_GetArraySize(list), sizeof *terms);
    for (const cJSON *entry = list->child; entry != NULL; entry = entry->next) {
        struct sim_pool_term *term = &terms[change->pool_count++];
        (void)snprintf(at, sizeof at, "%s.gpu.by_pool.%.64s", path, entry->string);
        term->quota = fill_scaled(list, entry->string, 1000);
        if (!fill_change(build, at, entry->string, queue, term))
            return false;
    }
    change->pools = terms;
    (void)snprintf(at, sizeof at, "%s.gpu.by_pool", path);
    return keeps_fixed(build, at, queue, change);
}
