/* SPDX-License-Identifier: MIT */
/*
 * Queues: those of the configuration first, others with their first job; a replaced configuration
 * changes them. A queue that is a
 * partition is bound to the pools with nodes of the partition, unless it has all nodes.
 */
#include "policies/adapters/slurm/tracker_internal.h"

#include "policies/adapters/slurm/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct track_queue *find(const struct tracker *t, const char *name)
{
    for (size_t i = 0; i < t->queue_count; i++)
        if (strcmp(t->queues[i].name, name) == 0)
            return &t->queues[i];
    return NULL;
}

bool track_is_partial(const struct view *view, const struct view_partition *partition)
{
    for (size_t i = 0; partition != NULL && i < view->node_count; i++)
        if (!partition->has[i])
            return true;
    return false;
}

/* Pools whose name contains "NAME,". */
static uint32_t *pools_of(const struct tracker *t, const char *partition, uint32_t *count)
{
    uint32_t *pools = memory_get(t->pools.count, sizeof *pools);
    char name[256];
    *count = 0;
    for (uint32_t i = 0; i < t->pools.count; i++)
        for (const char *rest = t->pools.texts[i];
             names_next(&rest, ",", name, sizeof name) != NULL;)
            if (strcmp(name, partition) == 0)
                pools[(*count)++] = i;
    return pools;
}

/* What a configuration may change while the queue has jobs. */
static void configure(struct policy_queue_spec *spec, const struct config_queue *from)
{
    spec->priority = from->priority;
    spec->gpu = from->gpu;
    spec->cpu = from->cpu;
    spec->mem = from->mem;
    spec->preempt_min_runtime_ms = from->preempt_min_runtime_ms;
    spec->reclaim_min_runtime_ms = from->reclaim_min_runtime_ms;
    spec->suspended = from->suspended;
}

static policy_queue add(struct tracker *t, const struct view *view, const struct config_queue *from)
{
    const struct track_queue *parent = *from->parent ? find(t, from->parent) : NULL;
    struct policy_queue_spec spec = {
        .size = sizeof spec,
        .parent = parent != NULL ? parent->core : (policy_queue){POLICY_NO_ID},
        .rank = (uint32_t)t->queue_count,
        .created = 0,
    };
    configure(&spec, from);
    uint32_t *pools = NULL;
    if (!t->at.config->by_account &&
        track_is_partial(view, view_find_partition(view, from->name))) {
        pools = pools_of(t, from->name, &spec.pool_count);
        spec.pools = pools;
    }
    policy_queue queue = facts_add_queue(t->at.facts, t->now, &spec, from->name);
    if (queue.i == POLICY_NO_ID) {
        free(pools);
        return queue;
    }
    t->queues = memory_resize(t->queues, t->queue_count + 1, sizeof *t->queues);
    t->queues[t->queue_count++] = (struct track_queue){
        .name = memory_text(from->name), .core = queue, .spec = spec, .pools = pools};
    return queue;
}

/* ---- the configuration ---- */

/* The core's reason, or NULL if the queue now is as configured. */
static const char *follow(struct tracker *t, const struct view *view,
                          const struct config_queue *from)
{
    struct track_queue *queue = find(t, from->name);
    if (queue == NULL) {
        if (add(t, view, from).i == POLICY_NO_ID)
            return policy_last_error(t->policy)->message;
        t->queues[t->queue_count - 1].configured = true;
        return NULL;
    }
    const struct track_queue *parent = *from->parent ? find(t, from->parent) : NULL;
    struct policy_queue_spec spec = queue->spec;
    spec.parent = parent != NULL ? parent->core : (policy_queue){POLICY_NO_ID};
    configure(&spec, from);
    if (facts_set_queue(t->at.facts, t->now, queue->core, &spec) != POLICY_OK)
        return policy_last_error(t->policy)->message;
    queue->spec = spec;
    queue->configured = true;
    return NULL;
}

/* A queue that is no longer listed is one without a quota. */
static void let_go(struct tracker *t, struct track_queue *queue)
{
    char root[] = "";
    const struct config_queue plain = config_plain_queue(queue->name, root);
    struct policy_queue_spec spec = queue->spec;
    configure(&spec, &plain);
    queue->configured = false;
    if (facts_set_queue(t->at.facts, t->now, queue->core, &spec) == POLICY_OK) {
        queue->spec = spec;
        track_say(t, "queue '%s' is no longer configured: it has no quota", queue->name);
    } else {
        track_say(t, "queue '%s': %s", queue->name, policy_last_error(t->policy)->message);
    }
}

bool track_configured_queues(struct tracker *t, const struct view *view, char error[CONFIG_ERROR])
{
    const struct config *c = t->at.config;
    bool first = t->views == 1;
    if (!first && t->edition == c->edition)
        return true;
    for (size_t i = 0; i < c->queue_count; i++) {
        const char *why = follow(t, view, &c->queues[i]);
        if (why == NULL)
            continue;
        if (first) {
            (void)snprintf(error, CONFIG_ERROR, "queue '%.64s': %s", c->queues[i].name, why);
            return false;
        }
        track_say(t, "queue '%s': %s; it stays as it was", c->queues[i].name, why);
    }
    for (size_t i = 0; i < t->queue_count; i++)
        if (t->queues[i].configured && config_find_queue(c, t->queues[i].name) == NULL)
            let_go(t, &t->queues[i]);
    t->edition = c->edition;
    return true;
}

void track_first_name(char *to, size_t size, const char *list)
{
    (void)snprintf(to, size, "%.*s", (int)strcspn(list, ","), list);
}

policy_queue track_named_queue(struct tracker *t, const struct view *view, const char *name)
{
    const struct track_queue *queue = find(t, name);
    if (queue != NULL)
        return queue->core;
    char root[] = "";
    char *copy = memory_text(name);
    const struct config_queue fresh = config_plain_queue(copy, root);
    bool is_there = t->at.config->by_account || view_find_partition(view, name) != NULL;
    policy_queue made = is_there ? add(t, view, &fresh) : (policy_queue){POLICY_NO_ID};
    free(copy);
    return made;
}

policy_queue track_queue(struct tracker *t, const struct view *view, const struct view_job *job,
                         const char **why)
{
    char name[128];
    track_first_name(name, sizeof name, t->at.config->by_account ? job->account : job->partition);
    if (*name == '\0')
        (void)snprintf(name, sizeof name, "default");
    const struct track_queue *queue = find(t, name);
    if (queue != NULL)
        return queue->core;
    char root[] = "";
    const struct config_queue fresh = config_plain_queue(name, root);
    policy_queue made = add(t, view, &fresh);
    if (made.i == POLICY_NO_ID)
        *why = policy_last_error(t->policy)->message;
    else if (t->at.config->queue_count > 0)
        track_say(t, "queue '%s' is not configured: it has no quota", name);
    return made;
}
