/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reclaims in the order of time; the model is in spot.h. */
#include "sim/faults/spot.h"

#include "sim/base/mem.h"
#include "sim/base/order.h"
#include "sim/base/rng.h"
#include "sim/kernel/events.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MONTH_MS (SPOT_MONTH_DAYS * 86400000.0)

/* The heap's kinds: a node alone (the subject is the node), several of a pool (the subject is the
 * pool). */
enum { ALONE = 0, TOGETHER = 1 };

struct spot {
    struct spot_pool *pools;
    size_t pool_count, node_count;
    int64_t horizon_ms;
    uint64_t seed;
    struct event_queue heap;
    uint64_t *drawn;   /* by node: draws so far; then by pool */
    uint32_t *pool_of; /* by node */
    int64_t *back_ms;  /* by node: it is away until then */
    uint32_t *nodes;   /* of the next one */
    struct spot_reclaim next;
};

/* ---- rates, per millisecond ---- */

static double events_rate(const struct spot_pool *p)
{
    double hazard = -log1p(-p->monthly) / MONTH_MS;
    return hazard * p->nodes / (1 - p->correlated + p->correlated * p->together);
}

static double rate_of(const struct spot_pool *p, int kind)
{
    return kind == TOGETHER ? events_rate(p) * p->correlated
                            : events_rate(p) * (1 - p->correlated) / p->nodes;
}

/* ---- draws ---- */

/* The component's stream, positioned after previous draws; `subject` as in the heap. */
static uint64_t *open_stream(struct spot *s, int kind, uint32_t subject, struct rng_stream *stream)
{
    uint32_t pool = kind == TOGETHER ? subject : s->pool_of[subject];
    uint32_t inside = kind == TOGETHER ? UINT32_MAX : subject - s->pools[pool].first_node;
    uint64_t *drawn = &s->drawn[kind == TOGETHER ? s->node_count + subject : subject];
    rng_init(stream, s->seed, RNG_SPOT, (uint64_t)pool << 32 | inside);
    stream->state.counter = *drawn;
    return drawn;
}

/* Puts the component's next event after `from` into the heap, if it comes before the horizon. */
static void schedule(struct spot *s, int kind, uint32_t subject, int64_t from)
{
    double rate = rate_of(&s->pools[kind == TOGETHER ? subject : s->pool_of[subject]], kind);
    struct rng_stream stream;
    if (!(rate > 0))
        return;
    uint64_t *drawn = open_stream(s, kind, subject, &stream);
    double gap = ceil(gsl_ran_exponential(rng_gsl(&stream), 1 / rate));
    *drawn = stream.state.counter;
    if (gap < (double)(s->horizon_ms - from))
        event_push(&s->heap, from + (int64_t)gap, (enum event_kind)kind, subject);
}

/* A run of neighbouring nodes from a uniformly drawn start, where the last node is next to the
 * first. */
static uint32_t pick_together(struct spot *s, uint32_t pool)
{
    const struct spot_pool *p = &s->pools[pool];
    struct rng_stream stream;
    uint64_t *drawn = open_stream(s, TOGETHER, pool, &stream);
    uint64_t first = (uint64_t)(rng_uniform(&stream) * p->nodes);
    *drawn = stream.state.counter;
    for (uint32_t i = 0; i < p->together; i++)
        s->nodes[i] = p->first_node + (uint32_t)((first + i) % p->nodes);
    qsort(s->nodes, p->together, sizeof *s->nodes, order_u32);
    return p->together;
}

/* ---- one after the other ---- */

/* Those of the nodes that are present leave. */
static uint32_t leave(struct spot *s, const struct spot_pool *p, uint32_t count, int64_t at_ms)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = s->nodes[i];
        if (s->back_ms[node] > at_ms)
            continue;
        s->back_ms[node] = at_ms + p->notice_ms + p->away_ms;
        s->nodes[left++] = node;
    }
    return left;
}

/* Finds the next one of which a node is there. */
static void prepare(struct spot *s)
{
    while (s->next.node_count == 0 && s->heap.count > 0) {
        struct event e = event_pop(&s->heap);
        int kind = (int)e.kind;
        uint32_t pool = kind == TOGETHER ? e.subject : s->pool_of[e.subject];
        s->nodes[0] = e.subject;
        uint32_t count = kind == TOGETHER ? pick_together(s, pool) : 1;
        schedule(s, kind, e.subject, e.time_ms);
        s->next = (struct spot_reclaim){.time_ms = e.time_ms,
                                        .pool = pool,
                                        .nodes = s->nodes,
                                        .node_count = leave(s, &s->pools[pool], count, e.time_ms)};
    }
}

int64_t spot_peek(struct spot *s)
{
    prepare(s);
    return s->next.node_count > 0 ? s->next.time_ms : INT64_MAX;
}

struct spot_reclaim spot_take(struct spot *s)
{
    prepare(s);
    struct spot_reclaim taken = s->next;
    s->next = (struct spot_reclaim){0};
    return taken;
}

/* ---- all of it ---- */

static void bound_together(struct spot_pool *p)
{
    p->together = p->together > p->nodes ? p->nodes : p->together;
}

struct spot *spot_create(const struct spot_pool *pools, size_t count, int64_t horizon_ms,
                         uint64_t seed)
{
    struct spot *s = mem_alloc(1, sizeof *s);
    *s = (struct spot){.pool_count = count, .horizon_ms = horizon_ms, .seed = seed};
    s->pools = mem_alloc(count + 1, sizeof *pools);
    memcpy(s->pools, pools, count * sizeof *pools);
    for (size_t i = 0; i < count; i++) {
        size_t end = (size_t)pools[i].first_node + pools[i].nodes;
        bound_together(&s->pools[i]);
        s->node_count = end > s->node_count ? end : s->node_count;
    }
    s->drawn = mem_alloc(s->node_count + count + 1, sizeof *s->drawn);
    s->pool_of = mem_alloc(s->node_count + 1, sizeof *s->pool_of);
    s->back_ms = mem_alloc(s->node_count + 1, sizeof *s->back_ms);
    s->nodes = mem_alloc(s->node_count + 1, sizeof *s->nodes);
    event_queue_init(&s->heap);
    for (uint32_t pool = 0; pool < count; pool++) {
        schedule(s, TOGETHER, pool, 0);
        for (uint32_t i = 0; i < s->pools[pool].nodes; i++) {
            s->pool_of[s->pools[pool].first_node + i] = pool;
            schedule(s, ALONE, s->pools[pool].first_node + i, 0);
        }
    }
    return s;
}

void spot_destroy(struct spot *s)
{
    if (s == NULL)
        return;
    event_queue_fini(&s->heap);
    free(s->pools);
    free(s->drawn);
    free(s->pool_of);
    free(s->back_ms);
    free(s->nodes);
    free(s);
}
