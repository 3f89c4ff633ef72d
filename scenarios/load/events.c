/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Planned changes of queues and pools (`events`, and reserved pools): their times and effects. */
#include "scenarios/load/fill.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/planned_changes.h"

#include <stdio.h>
#include <string.h>

/* ---- times ---- */

static bool read_times(struct build *build, size_t i, const cJSON *entry, struct sim_change *change)
{
    char path[64];
    const cJSON *until = json_member(entry, "until");
    (void)snprintf(path, sizeof path, "events[%zu].at", i);
    change->where = build_text(build, path);
    if (!fill_moment(build, path, json_member(entry, "at"), &change->at))
        return false;
    if (until == NULL)
        return true;
    (void)snprintf(path, sizeof path, "events[%zu].until", i);
    if (!fill_moment(build, path, until, &change->until))
        return false;
    change->ends = true;
    if (change->until.kind != change->at.kind)
        return build_fail(build, path,
                          "expected the same kind of time as `at`: a time of the run, a date or "
                          "days of the week");
    return change->at.kind == SIM_WEEKLY || change->until.ms > change->at.ms ||
           build_fail(build, path, "expected a time after `at`");
}

/* ---- effects ---- */

static void set_term(struct sim_change *change, int term, int64_t value)
{
    change->sets |= UINT32_C(1) << term;
    change->value[term] = value;
}

static void read_share(const cJSON *entry, const char *resource, double unit, int first,
                       struct sim_change *change)
{
    static const char *const keys[] = {"quota", "limit", "weight"};
    const cJSON *share = json_member(entry, resource);
    for (int k = 0; k < 3; k++)
        if (json_member(share, keys[k]) != NULL)
            set_term(change, first + k, fill_scaled(share, keys[k], k == 2 ? 1000 : unit));
}

static void read_terms(const cJSON *entry, struct sim_change *change)
{
    const cJSON *suspended = json_member(entry, "suspended");
    read_share(entry, "gpu", 1000, SIM_TERM_GPU_QUOTA, change);
    read_share(entry, "cpu", 1000, SIM_TERM_CPU_QUOTA, change);
    read_share(entry, "mem", 1, SIM_TERM_MEM_QUOTA, change);
    if (json_member(entry, "priority") != NULL)
        set_term(change, SIM_TERM_PRIORITY, fill_integer(entry, "priority"));
    if (suspended != NULL)
        set_term(change, SIM_TERM_SUSPENDED, cJSON_IsTrue(suspended));
}

/* ---- checks ---- */

static bool check_queue(struct build *build, size_t i, const struct sim_change *change,
                        const struct scen_queue **queue)
{
    const struct scenario *sc = &build->scenario;
    const char **names = build_alloc(build, sc->queue_count + 1, sizeof *names);
    char path[64], hint[128];
    *queue = NULL;
    for (size_t k = 0; k < sc->queue_count; k++) {
        names[k] = sc->queues[k].name;
        if (strcmp(names[k], change->queue) == 0)
            *queue = &sc->queues[k];
    }
    if (*queue != NULL || sc->queue_count == 0) /* queue names come from the trace */
        return true;
    (void)snprintf(path, sizeof path, "events[%zu].queue", i);
    text_suggest(hint, sizeof hint, change->queue, names, sc->queue_count, sizeof *names);
    return build_fail(build, path, "unknown queue '%.64s'%s", change->queue, hint);
}

/* The amount fixed for build sessions must never exceed the quota or the limit. */
static bool check_fixed(struct build *build, size_t i, const struct sim_change *change,
                        const struct scen_queue *queue)
{
    for (int term = SIM_TERM_GPU_QUOTA; term <= SIM_TERM_GPU_LIMIT; term++) {
        int64_t value = change->value[term];
        if (queue == NULL || (change->sets >> term & 1) == 0 || value < 0 ||
            value >= queue->fixed_milli)
            continue;
        char path[64];
        (void)snprintf(path, sizeof path, "events[%zu].gpu", i);
        return build_fail(build, path,
                          "expected at least the %g GPUs that the queue keeps for "
                          "sessions (gpu.fixed), got %g",
                          (double)queue->fixed_milli / 1000.0, (double)value / 1000.0);
    }
    return true;
}

/* A quota by pool has no single number to change. */
static bool check_by_pool(struct build *build, size_t i, const struct sim_change *change,
                          const struct scen_queue *queue)
{
    char path[64];
    if (queue == NULL || queue->by_pool_count == 0 || (change->sets >> SIM_TERM_GPU_QUOTA & 1) == 0)
        return true;
    (void)snprintf(path, sizeof path, "events[%zu].gpu.quota", i);
    return build_fail(build, path, "the queue '%.64s' has quotas by pool: gpu.by_pool changes them",
                      queue->name);
}

static bool fill_queue_event(struct build *build, size_t i, const cJSON *entry,
                             struct sim_change *change)
{
    const struct scen_queue *queue;
    char path[64];
    read_terms(entry, change);
    if (!check_queue(build, i, change, &queue) || !check_fixed(build, i, change, queue) ||
        !check_by_pool(build, i, change, queue))
        return false;
    (void)snprintf(path, sizeof path, "events[%zu]", i);
    if (!fill_pool_changes(build, path, json_member(json_member(entry, "gpu"), "by_pool"), queue,
                           change))
        return false;
    return change->sets != 0 || change->pool_count > 0 ||
           build_fail(build, path,
                      "expected something that changes: gpu, cpu, mem, priority or suspended");
}

/* ---- pools ---- */

/* The pool has its maximum of nodes by now (fill_elastic); names may be wrong. */
static bool check_pool(struct build *build, size_t i, const char *name)
{
    const struct scenario *sc = &build->scenario;
    char path[64], hint[128];
    (void)snprintf(path, sizeof path, "events[%zu].pool", i);
    if (sc->pool_count == 0 || json_member(build->tree, "start") != NULL)
        return build_fail(build, path,
                          "nodes come and go in `fleet.pools`, not in a list of nodes or where a "
                          "run begins with a snapshot (start)");
    if (strcmp(fill_text(json_member(build->tree, "workload"), "mode"), "fill") == 0)
        return build_fail(build, path, "a packing study (workload.mode fill) has no time");
    for (size_t k = 0; k < sc->pool_count; k++) {
        const struct scen_pool *pool = &sc->pools[k];
        if (strcmp(pool->name, name) != 0)
            continue;
        if (pool->spot.given)
            return build_fail(build, path,
                              "pool '%.64s' is spot capacity, which its owner reclaims", name);
        return (pool->elastic.planned && !pool->elastic.reserved) ||
               build_fail(build, path,
                          "expected a pool of `fleet.pools` with a `count`: the nodes of '%.64s' "
                          "are ordered by the policy, reserved, or in a file",
                          name);
    }
    text_suggest(hint, sizeof hint, name, &sc->pools[0].name, sc->pool_count, sizeof *sc->pools);
    return build_fail(build, path, "unknown pool '%.64s'%s", name, hint);
}

static bool fill_pool_event(struct build *build, size_t i, const cJSON *entry,
                            struct sim_change *change)
{
    static const char *const of_queues[] = {"gpu", "cpu", "mem", "priority", "suspended"};
    char path[64];
    for (size_t k = 0; k < sizeof of_queues / sizeof *of_queues; k++)
        if (json_member(entry, of_queues[k]) != NULL) {
            (void)snprintf(path, sizeof path, "events[%zu].%s", i, of_queues[k]);
            return build_fail(build, path, "changes a queue; of a pool, `nodes` changes");
        }
    (void)snprintf(path, sizeof path, "events[%zu]", i);
    if (json_member(entry, "nodes") == NULL)
        return build_fail(build, path, "expected `nodes`: how many the pool has from then on");
    change->nodes = (uint32_t)fill_integer(entry, "nodes");
    change->warmup_ms = fill_ms(entry, "warmup", 0);
    change->grace_ms = fill_ms(entry, "grace", -1);
    return check_pool(build, i, change->pool);
}

static bool fill_event(struct build *build, size_t i, const cJSON *entry, struct sim_change *change)
{
    static const char *const of_pools[] = {"nodes", "grace", "warmup"};
    char path[64];
    change->queue = fill_text(entry, "queue");
    change->pool = fill_text(entry, "pool");
    if (!read_times(build, i, entry, change))
        return false;
    if (change->pool != NULL)
        return fill_pool_event(build, i, entry, change);
    (void)snprintf(path, sizeof path, "events[%zu]", i);
    if (change->queue == NULL)
        return build_fail(build, path, "expected `queue` or `pool`: what changes");
    for (size_t k = 0; k < sizeof of_pools / sizeof *of_pools; k++)
        if (json_member(entry, of_pools[k]) != NULL)
            return build_fail(build, path, "`%s` changes a pool, not a queue", of_pools[k]);
    return fill_queue_event(build, i, entry, change);
}

bool fill_events(struct build *build)
{
    const cJSON *list = json_member(build->tree, "events");
    struct scenario *sc = &build->scenario;
    size_t count = list != NULL ? (size_t)cJSON_GetArraySize(list) : 0, i = 0;
    struct sim_change *changes = build_alloc(build, count + sc->pool_count + 1, sizeof *changes);
    for (const cJSON *entry = count > 0 ? list->child : NULL; entry != NULL;
         entry = entry->next, i++)
        if (!fill_event(build, i, entry, &changes[i]))
            return false;
    for (size_t k = 0; k < sc->pool_count; k++)
        if (sc->pools[k].elastic.reserved && !fill_reservation(build, k, &changes[count++]))
            return false;
    sc->changes = changes;
    sc->change_count = count;
    return true;
}
