/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best placement of a number of devices on nodes of a kind, where the job was recorded or where
 * it runs. Many jobs have the same shape, so results are cached.
 */
#include "sim/speed_internal.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Keys are whole words. The hash function of uthash falls through a switch, which compilers warn
 * about. */
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

/* Members without padding, since their bytes are compared. */
struct best_key {
    const struct perf_model *model;
    const struct sim_node_kind *kind;
    double device;
    int64_t cpu_milli; /* per device; 0: not given, or unlimited */
    int64_t gpus;
};

struct best_entry {
    struct best_key key;
    double seconds;
    UT_hash_handle hh;
};

static double work_out(const struct sim *sim, const struct best_key *key)
{
    const struct perf_kind kind = {.traits = key->kind->traits,
                                   .node_gpus = key->kind->gpus,
                                   .speed = key->device,
                                   .cores_per_gpu =
                                       key->cpu_milli > 0 ? (double)key->cpu_milli / 1000 : -1};
    return perf_best_step(&sim->speed->rules, key->model, &kind, 1, (int)key->gpus);
}

double speed_best(struct sim *sim, const struct work_job *job, const struct perf_model *model,
                  const struct sim_node_kind *kind, double device, int gpus)
{
    const struct work_request *r = &job->request;
    struct best_key key;
    memset(&key, 0, sizeof key);
    key.model = model;
    key.kind = kind;
    key.device = device;
    if (!sim->config.network.interference.cpu)
        key.cpu_milli = r->cpu_milli / (r->devices > 0 ? r->devices : 1);
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

double speed_best_here(struct sim *sim, const struct work_job *job, const struct pace *pace,
                       int gpus)
{
    const struct sim_speed *speed = sim->speed;
    double best = (double)INFINITY;
    for (size_t i = 0; i < speed->piece_count; i++) {
        uint32_t kind = speed->pieces[i].kind;
        if (i == 0 || kind != speed->pieces[i - 1].kind)
            best = fmin(best, speed_best(sim, job, pace->model, &sim->config.network.kinds[kind],
                                         pace->yard->device[kind], gpus));
    }
    return best;
}

/* Uses its own links if those of either node are unknown. */
static double best_there(struct sim *sim, const struct work_job *job, const struct pace *pace,
                         int gpus, uint32_t kind)
{
    const struct yardstick *yard = pace->yard;
    const struct sim_node_kind *links = yard->links_known[kind] && !yard->alike[kind]
                                            ? yard->recorded_on
                                            : &sim->config.network.kinds[kind];
    return speed_best(sim, job, pace->model, links, yard->recorded, gpus);
}

double speed_best_there(struct sim *sim, const struct work_job *job, const struct pace *pace,
                        int gpus)
{
    const struct sim_speed *speed = sim->speed;
    double best = (double)INFINITY;
    if (pace->yard->recorded_on == NULL)
        return speed_best_here(sim, job, pace, gpus);
    for (size_t i = 0; i < speed->piece_count; i++) {
        uint32_t kind = speed->pieces[i].kind;
        pace->yard->used[kind] = true;
        if (i == 0 || kind != speed->pieces[i - 1].kind)
            best = fmin(best, best_there(sim, job, pace, gpus, kind));
    }
    return best;
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
