/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The heap of next faults. An entry is one 128-bit number with the time above the component's
 * identity:
 *
 *      127             64 63   57 56   51   50    49       24 23       0
 *     +------------------+-------+-------+-------+-----------+----------+
 *     |    time (ms)     |attempt| class | lemon | component | ordinal  |
 *     +------------------+-------+-------+-------+-----------+----------+
 *
 * The lower half is the fault's key, which selects its random streams. An attempt above 0 is a
 * relapse. The ordinal counts the faults of a component in a class from 0; after 2^24, which no
 * fleet reaches, the streams repeat.
 */
#include "sim/faults/process.h"

#include "sim/base/err.h"
#include "sim/base/heap.h"
#include "sim/base/mem.h"
#include "sim/base/wide.h"
#include "sim/faults/draw.h"
#include "sim/faults/drift.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <stdlib.h>

typedef unsigned_wide heap_key;

#define ORDINALS        (UINT64_C(1) << 24)
#define COMPONENT_SHIFT 24
#define LEMON_BIT       (UINT64_C(1) << 50)
#define CLASS_SHIFT     51
#define ATTEMPT_SHIFT   57

/* Mean time between faults of a component, in milliseconds; 0: no faults. */
struct gaps {
    double usual[FAULT_CLASSES];
    double lemon[FAULT_CLASSES]; /* of what lemons have more than others */
};

struct fault_process {
    struct fault_plan plan;
    struct fault_pool *pools; /* plan.pools */
    struct gaps *gaps;        /* one per pool, and one for components outside pools */
    uint64_t seed;
    struct fault_drift drift;
    uint64_t *lemons; /* a bit a node: lemons that are not cured */
    size_t lemon_words;
    heap_key *heap; /* heap[i] <= heap[2i + 1], heap[2i + 2] */
    size_t count, capacity;
};

/* ---- the heap */

static heap_key pack(int64_t time_ms, uint64_t key)
{
    return (heap_key)(uint64_t)time_ms << 64 | key;
}

static int64_t time_of(heap_key key)
{
    return (int64_t)(uint64_t)(key >> 64);
}

static bool before(const heap_key *a, const heap_key *b)
{
    return *a < *b;
}

HEAP(key, heap_key, before)

static void drop_first(struct fault_process *process)
{
    (void)key_take(process->heap, &process->count);
}

/* ---- times */

static double weibull_scale(const struct fault_class *class, double mean)
{
    return mean / gsl_sf_gamma(1 + 1 / class->shape);
}

/*
 * From time 0 to the first fault of a process that began long before. The gap around time 0 is
 * longer than average, since gaps are met in proportion to their length. For Weibull gaps, (length
 * / scale) ^ shape of that gap is gamma-distributed with parameter 1 + 1 / shape, and time 0 lies
 * uniformly within it.
 */
static double first_gap(const struct fault_class *class, double mean, struct rng_stream *stream)
{
    if (class->arrival == FAULT_ARRIVAL_EXPONENTIAL)
        return gsl_ran_exponential(rng_gsl(stream), mean);
    double place = rng_uniform(stream);
    if (class->arrival == FAULT_ARRIVAL_PERIODIC)
        return place * mean;
    double power = gsl_ran_gamma(rng_gsl(stream), 1 + 1 / class->shape, 1);
    return place * weibull_scale(class, mean) * pow(power, 1 / class->shape);
}

static double next_gap(const struct fault_class *class, double mean, struct rng_stream *stream)
{
    if (class->arrival == FAULT_ARRIVAL_EXPONENTIAL)
        return gsl_ran_exponential(rng_gsl(stream), mean);
    if (class->arrival == FAULT_ARRIVAL_PERIODIC)
        return mean;
    return gsl_ran_weibull(rng_gsl(stream), weibull_scale(class, mean), class->shape);
}

/* Time of the fault with that key, whose predecessor was at `from_ms` (0 for the first); -1: beyond
 * the horizon. */
static int64_t time_of_next(const struct fault_process *process, const struct fault_class *class,
                            double mean, int64_t from_ms, uint64_t key)
{
    struct rng_stream stream;
    rng_init(&stream, process->seed, RNG_FAULT, key);
    bool first = (key & (ORDINALS - 1)) == 0;
    double gap = first ? first_gap(class, mean, &stream) : next_gap(class, mean, &stream);
    // Maintenance keeps to the calendar, whatever the month is like.
    double at = class->arrival == FAULT_ARRIVAL_PERIODIC
                    ? (double)from_ms + gap
                    : fault_drift_after(&process->drift, from_ms, gap);
    if (!(at <= (double)process->plan.horizon_ms))
        return -1;
    // Two faults of one component are never at the same millisecond.
    int64_t time = (int64_t)floor(at);
    return time > from_ms || first ? time : from_ms + 1;
}

/* ---- components */

static const struct fault_pool *pool_of(const struct fault_process *process, uint32_t node)
{
    size_t low = 0, high = process->plan.pool_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (process->pools[middle].first_node <= node)
            low = middle;
        else
            high = middle;
    }
    return &process->pools[low];
}

/* The pool of a class's component; NULL if the component is not a node. */
static const struct fault_pool *owner(const struct fault_process *process, enum fault_class_id id,
                                      uint32_t component)
{
    for (size_t i = 0; i < process->plan.pool_count; i++) {
        if (fault_width(&process->pools[i].profile->classes[id], &process->pools[i]) > 0)
            return pool_of(process, component);
    }
    return NULL;
}

static void push(struct fault_process *process, heap_key key)
{
    process->heap =
        mem_grow(process->heap, &process->capacity, process->count + 1, sizeof *process->heap);
    key_put(process->heap, &process->count, key);
}

static void add(struct fault_process *process, const struct fault_class *class, double mean,
                uint64_t key)
{
    int64_t time = mean > 0 ? time_of_next(process, class, mean, 0, key) : -1;
    if (time >= 0)
        push(process, pack(time, key));
}

static uint64_t key_of(enum fault_class_id id, uint32_t component)
{
    return (uint64_t)id << CLASS_SHIFT | (uint64_t)component << COMPONENT_SHIFT;
}

static void add_pool(struct fault_process *process, size_t index)
{
    const struct fault_pool *pool = &process->pools[index];
    const struct gaps *gaps = &process->gaps[index];
    for (enum fault_class_id id = 0; id < FAULT_CLASSES; id++) {
        const struct fault_class *class = &pool->profile->classes[id];
        uint32_t width = fault_width(class, pool);
        for (uint32_t i = 0; width > 0 && i < pool->nodes; i += width) {
            uint32_t node = pool->first_node + i;
            add(process, class, gaps->usual[id], key_of(id, node));
            if (gaps->lemon[id] > 0 && fault_process_is_lemon(process, node))
                add(process, class, gaps->lemon[id], key_of(id, node) | LEMON_BIT);
        }
    }
}

static void add_shared(struct fault_process *process)
{
    const struct fault_plan *plan = &process->plan;
    const uint32_t counts[FAULT_SCOPES] = {[FAULT_SCOPE_LEAF] = plan->leaves,
                                           [FAULT_SCOPE_SPINE] = plan->spines,
                                           [FAULT_SCOPE_RACK] = plan->racks,
                                           [FAULT_SCOPE_FLEET] = plan->storage ? 1 : 0};
    for (enum fault_class_id id = 0; plan->shared && id < FAULT_CLASSES; id++) {
        const struct fault_class *class = &plan->shared->classes[id];
        BUG_ON(counts[class->scope] > FAULT_COMPONENTS);
        for (uint32_t i = 0; i < counts[class->scope]; i++)
            add(process, class, process->gaps[plan->pool_count].usual[id], key_of(id, i));
    }
}

/* ---- making one */

static double gap_of(double daily)
{
    return daily > 0 ? 24 * 3600 * 1000.0 / daily : 0;
}

/* Rates are means over lemons and other nodes, relapses included; only node classes distinguish
 * lemons. */
static void find_gaps(struct gaps *gaps, const struct fault_profile *profile,
                      const struct fault_pool *pool)
{
    double frailty = fault_profile_frailty(profile), more = profile->lemon_factor - 1;
    for (enum fault_class_id id = 0; id < FAULT_CLASSES; id++) {
        const struct fault_class *class = &profile->classes[id];
        bool frail = class->frail && frailty > 1 && pool && fault_width(class, pool) == 1;
        double daily =
            fault_daily(profile, id, pool) / (frail ? frailty : 1) / fault_repair_strikes(class);
        gaps->usual[id] = gap_of(daily);
        gaps->lemon[id] = frail ? gap_of(daily * more) : 0;
    }
}

static void find_lemons(struct fault_process *process, const struct fault_pool *pool)
{
    for (uint32_t i = 0; pool->profile->lemon_share > 0 && i < pool->nodes; i++) {
        uint32_t node = pool->first_node + i;
        struct rng_stream stream;
        rng_init(&stream, process->seed, RNG_LEMON, node);
        if (rng_uniform(&stream) < pool->profile->lemon_share)
            process->lemons[node / 64] |= UINT64_C(1) << node % 64;
    }
}

static uint32_t check_pools(const struct fault_plan *plan)
{
    uint32_t end = 0;
    for (size_t i = 0; i < plan->pool_count; i++) {
        const struct fault_pool *pool = &plan->pools[i];
        BUG_ON(pool->first_node < end || pool->nodes_per_domain == 0 || !pool->profile);
        BUG_ON((uint64_t)pool->first_node + pool->nodes > FAULT_COMPONENTS);
        end = pool->first_node + pool->nodes;
    }
    return end;
}

/* One clock for all: of the drifts of several profiles the shared one's counts, else the first
 * pool's. */
static double drift_of(const struct fault_plan *plan)
{
    if (plan->shared)
        return plan->shared->drift_sigma;
    return plan->pool_count > 0 ? plan->pools[0].profile->drift_sigma : 0;
}

struct fault_process *fault_process_create(const struct fault_plan *plan, uint64_t seed)
{
    BUG_ON(plan->horizon_ms <= 0 || plan->horizon_ms > FAULT_SPAN_MOST_MS);
    uint32_t end = check_pools(plan);
    struct fault_process *process = mem_alloc(1, sizeof *process);
    process->plan = *plan;
    process->seed = seed;
    process->pools = mem_alloc(plan->pool_count + 1, sizeof *process->pools);
    process->plan.pools = process->pools;
    process->gaps = mem_alloc(plan->pool_count + 1, sizeof *process->gaps);
    process->lemon_words = end / 64 + 1;
    process->lemons = mem_alloc(process->lemon_words, sizeof *process->lemons);
    fault_drift_init(&process->drift, seed, drift_of(plan), plan->horizon_ms);
    for (size_t i = 0; i < plan->pool_count; i++) {
        process->pools[i] = plan->pools[i];
        find_gaps(&process->gaps[i], plan->pools[i].profile, &process->pools[i]);
        find_lemons(process, &process->pools[i]);
        add_pool(process, i);
    }
    if (plan->shared) {
        static const struct fault_pool no_pool = {.nodes_per_domain = 1};
        find_gaps(&process->gaps[plan->pool_count], plan->shared, &no_pool);
    }
    add_shared(process);
    return process;
}

void fault_process_destroy(struct fault_process *process)
{
    if (!process)
        return;
    fault_drift_fini(&process->drift);
    free(process->pools);
    free(process->gaps);
    free(process->lemons);
    free(process->heap);
    free(process);
}

/* ---- running it */

static uint32_t component_of(uint64_t key)
{
    return (uint32_t)(key >> COMPONENT_SHIFT) & (FAULT_COMPONENTS - 1);
}

/* Drops the excess faults of a cured lemon. */
static void drop_cured(struct fault_process *process)
{
    while (process->count > 0) {
        uint64_t key = (uint64_t)process->heap[0];
        if (!(key & LEMON_BIT) || fault_process_is_lemon(process, component_of(key)))
            return;
        drop_first(process);
    }
}

int64_t fault_process_peek(struct fault_process *process)
{
    drop_cured(process);
    return process->count > 0 ? time_of(process->heap[0]) : INT64_MAX;
}

/* Replaces the fault just returned by the component's next one. */
static void replace_first(struct fault_process *process, const struct fault *fault,
                          const struct fault_pool *pool)
{
    const struct gaps *gaps =
        &process->gaps[pool ? (size_t)(pool - process->pools) : process->plan.pool_count];
    double mean = (fault->lemon ? gaps->lemon : gaps->usual)[fault->id];
    uint64_t later = (fault->key & ~(ORDINALS - 1)) | ((fault->key + 1) & (ORDINALS - 1));
    int64_t time = time_of_next(process, fault->class, mean, fault->time_ms, later);
    if (time < 0) {
        drop_first(process);
        return;
    }
    process->heap[0] = pack(time, later);
    key_sink(process->heap, process->count, 0);
}

static void add_relapse(struct fault_process *process, const struct fault *fault,
                        const struct fault_repair *repair, uint64_t root)
{
    // Each of the terms is at most FAULT_SPAN_MOST_MS, and so is the time: no overflow.
    int64_t time = fault->time_ms + fault->detect_ms + repair->takes_ms + repair->relapse_ms;
    if (time <= process->plan.horizon_ms)
        push(process, pack(time, root | (uint64_t)(fault->attempt + 1) << ATTEMPT_SHIFT));
}

bool fault_process_next(struct fault_process *process, int64_t until_ms, struct fault *fault)
{
    int64_t now = fault_process_peek(process);
    if (process->count == 0 || now > until_ms)
        return false;
    uint64_t key = (uint64_t)process->heap[0];
    uint64_t root = key & ((UINT64_C(1) << ATTEMPT_SHIFT) - 1);
    enum fault_class_id id = (enum fault_class_id)(root >> CLASS_SHIFT);
    uint32_t component = component_of(key);
    const struct fault_pool *pool = owner(process, id, component);
    const struct fault_class *class = &(pool ? pool->profile : process->plan.shared)->classes[id];
    uint32_t width = pool ? fault_width(class, pool) : 0;
    uint32_t left = pool ? pool->first_node + pool->nodes - component : 0;
    *fault = (struct fault){.time_ms = now,
                            .key = key,
                            .id = id,
                            .class = class,
                            .lemon = (key & LEMON_BIT) != 0,
                            .attempt = (unsigned)(key >> ATTEMPT_SHIFT),
                            .component = component,
                            .nodes = width < left ? width : left};
    struct fault_repair repair = fault_draw(fault, &process->plan, pool, process->seed, root);
    if (fault->attempt == 0)
        replace_first(process, fault, pool);
    else
        drop_first(process);
    if (repair.relapses)
        add_relapse(process, fault, &repair, root);
    return true;
}

bool fault_process_is_lemon(const struct fault_process *process, uint32_t node)
{
    return node / 64 < process->lemon_words && (process->lemons[node / 64] >> node % 64 & 1);
}

void fault_process_cure(struct fault_process *process, uint32_t node)
{
    if (node / 64 < process->lemon_words)
        process->lemons[node / 64] &= ~(UINT64_C(1) << node % 64);
}

size_t fault_process_pending(const struct fault_process *process)
{
    return process->count;
}

size_t fault_process_bytes(const struct fault_process *process)
{
    return sizeof *process + process->capacity * sizeof *process->heap +
           process->lemon_words * sizeof *process->lemons +
           (process->plan.pool_count + 1) * (sizeof *process->pools + sizeof *process->gaps) +
           process->drift.months * sizeof *process->drift.factor;
}
