/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best placement of so many devices, of types and in pools that the job may use. Jobs of one shape are many, so
 * what was found is kept.
 */
#include "sim/speed_internal.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keys are whole words. uthash's own function falls through a switch, of which compilers warn. */
static unsigned hash_words(const void *key, size_t size)
{
    uint64_t hash = 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i + sizeof hash <= size; i += sizeof hash) {
        uint64_t word;
        memcpy(&word, (const char *)key + i, sizeof word);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
    }
    return (unsigned)(hash ^ hash >> 17);
}

#define HASH_FUNCTION(key, length, value) ((value) = hash_words(key, length))
#define uthash_malloc(size)               mem_alloc(1, size)
#define uthash_free(ptr, size)            free(ptr)
#define uthash_fatal(message)             bug_report(message, __FILE__, __LINE__)
#include <uthash.h>

/* Members without gaps, since their bytes are compared. */
struct best_key {
    const struct perf_model *model;
    uint64_t types;
    int64_t cpu_milli; /* for each device, 0 not said, or as many as wanted */
    uint32_t queue;    /* that binds it to pools; WORK_NONE none */
    int32_t gpus;
};

struct best_entry {
    struct best_key key;
    double seconds;
    UT_hash_handle hh;
};

static bool may_use(const struct sim *sim, const struct best_key *key, const struct fleet_node *node)
{
    if (node->gpus == 0 || (key->types != 0 && (key->types >> node->gpu_type & 1) == 0))
        return false;
    if (key->queue == WORK_NONE)
        return true;
    const struct sim_queue *queue = &sim->queues[key->queue];
    for (uint32_t i = 0; i < queue->pool_count; i++)
        if (queue->pools[i] == node->pool)
            return true;
    return false;
}

/* The kinds of nodes that it may use, each with how many of them there are; `bounded` false: as many as wanted. */
static size_t find_kinds(struct sim *sim, const struct best_key *key, bool bounded)
{
    const struct sim_network *network = &sim->config.network;
    struct perf_kind *kinds = sim->speed->kinds;
    for (uint32_t i = 0; i < network->kind_count; i++)
        kinds[i] =
            (struct perf_kind){.traits = network->kinds[i].traits,
                               .speed = perf_model_speed(key->model, network->kinds[i].gpu_type,
                                                         network->kinds[i].traits->speed),
                               .cores_per_gpu = key->cpu_milli > 0 ? (double)key->cpu_milli / 1000 : -1};
    for (size_t i = 0; i < sim->fleet->node_count; i++) {
        const struct fleet_node *node = &sim->fleet->nodes[i];
        struct perf_kind *kind = &kinds[network->kind_of[i]];
        if (!may_use(sim, key, node))
            continue;
        kind->nodes++;
        kind->node_gpus = node->gpus;
    }
    size_t count = 0;
    for (uint32_t i = 0; i < network->kind_count; i++) {
        if (kinds[i].nodes == 0)
            continue;
        kinds[count] = kinds[i];
        kinds[count].nodes = bounded ? kinds[i].nodes : 0;
        count++;
    }
    return count;
}

/* A job on several kinds, since no one has as many, is measured against the best one if that had. */
static double work_out(struct sim *sim, const struct best_key *key)
{
    const struct sim_speed *speed = sim->speed;
    double seconds =
        perf_best_step(&speed->rules, key->model, speed->kinds, find_kinds(sim, key, true), key->gpus);
    if (isinf(seconds))
        seconds =
            perf_best_step(&speed->rules, key->model, speed->kinds, find_kinds(sim, key, false), key->gpus);
    return seconds;
}

double speed_best(struct sim *sim, const struct work_job *job, const struct perf_model *model, int gpus)
{
    const struct work_request *r = &job->request;
    struct best_key key;
    memset(&key, 0, sizeof key);
    key.model = model;
    key.types = r->types;
    if (!sim->config.network.interference.cpu)
        key.cpu_milli = r->cpu_milli / (r->devices > 0 ? r->devices : 1);
    key.queue = sim->queues[job->queue].pool_count > 0 ? job->queue : WORK_NONE;
    key.gpus = gpus;
    struct best_entry *entry;
    HASH_FIND(hh, sim->speed->best, &key, sizeof key, entry);
    if (entry == NULL) {
        entry = mem_alloc(1, sizeof *entry);
        entry->key = key;
        entry->seconds = work_out(sim, &key);
        HASH_ADD(hh, sim->speed->best, key, sizeof key, entry);
    }
    return entry->seconds;
}

void speed_best_free(struct sim_speed *speed)
{
    struct best_entry *entry, *next;
    HASH_ITER(hh, speed->best, entry, next)
    {
        HASH_DEL(speed->best, entry);
        free(entry);
    }
}
