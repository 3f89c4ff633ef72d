/* SPDX-License-Identifier: MIT */
/*
 * Who is served before whom, as tables of keys: the first key that differs decides. The order of queues follows a
 * Run:ai-class scheduler; a new rule is one function and one row.
 */
#include "cluster/chunk.h"
#include "order/line.h"

/* ---- ratios ---- */

/* What a queue has in relation to what it may have. den > 0. */
struct ratio {
    uint64_t num, den;
};

__extension__ typedef unsigned __int128 wide;

static int compare_ratios(struct ratio a, struct ratio b)
{
    wide left = (wide)a.num * b.den;
    wide right = (wide)b.num * a.den;
    return (left > right) - (left < right);
}

/*
 * The dominant share: the largest of what the queue has to what is allocatable to it, over the resources. Unlimited
 * reads as all the cluster has; of what is not allocatable to it at all, a unit counts as a thousandfold share.
 */
static struct ratio dominant_share(const struct cluster *c, const struct pq_queue *q,
                                   const struct pq_amounts *has)
{
    static const uint64_t unit[PQ_RESOURCES] = {POLICY_WHOLE, 1, 1};
    struct ratio most = {0, 1};
    for (int r = 0; r < PQ_RESOURCES; r++) {
        if (has->of[r] <= 0)
            continue;
        int64_t may = q->allocatable.of[r] == POLICY_UNLIMITED ? c->capacity.of[r] : q->allocatable.of[r];
        struct ratio share = {(uint64_t)has->of[r], (uint64_t)may};
        if (may <= 0)
            share = (struct ratio){(uint64_t)has->of[r] * 1000, unit[r]};
        if (compare_ratios(share, most) > 0)
            most = share;
    }
    return most;
}

/* ---- keys of queues ---- */

static int by_flag(bool a, bool b) /* those that have it come first */
{
    return (int)b - (int)a;
}

static bool over_fair_share(const struct pq_queue *q)
{
    for (int r = 0; r < PQ_RESOURCES; r++)
        if (q->allocated.of[r] <= q->fair.of[r])
            return false;
    return true;
}

static int within_fair_share(const struct cluster *c, const struct pq_side *a, const struct pq_side *b)
{
    (void)c;
    return by_flag(!over_fair_share(a->queue), !over_fair_share(b->queue));
}

static bool is_starved(const struct pq_side *s)
{
    struct pq_amounts with = pq_sum(&s->queue->allocated, &s->asks);
    return pq_within(&with, &s->queue->quota);
}

static int starved(const struct cluster *c, const struct pq_side *a, const struct pq_side *b)
{
    (void)c;
    return by_flag(is_starved(a), is_starved(b));
}

static int queue_priority(const struct cluster *c, const struct pq_side *a, const struct pq_side *b)
{
    (void)c;
    return (a->queue->priority < b->queue->priority) - (a->queue->priority > b->queue->priority);
}

static bool touches_forbidden(const struct pq_side *s)
{
    for (int r = 0; r < PQ_RESOURCES; r++)
        if (s->queue->allocatable.of[r] == 0 && s->queue->allocated.of[r] + s->asks.of[r] > 0)
            return true;
    return false;
}

static int within_allocatable(const struct cluster *c, const struct pq_side *a, const struct pq_side *b)
{
    (void)c;
    return by_flag(!touches_forbidden(a), !touches_forbidden(b));
}

static struct ratio share_then(const struct cluster *c, const struct pq_side *s)
{
    struct pq_amounts has = pq_sum(&s->queue->allocated, &s->asks);
    pq_add(&has, &s->gives, -1);
    return dominant_share(c, s->queue, &has);
}

static int dominant_share_then(const struct cluster *c, const struct pq_side *a, const struct pq_side *b)
{
    return compare_ratios(share_then(c, a), share_then(c, b));
}

static int dominant_share_now(const struct cluster *c, const struct pq_side *a, const struct pq_side *b)
{
    return compare_ratios(dominant_share(c, a->queue, &a->queue->allocated),
                          dominant_share(c, b->queue, &b->queue->allocated));
}

static int weaker(const struct cluster *c, const struct pq_side *a, const struct pq_side *b)
{
    (void)c;
    return by_flag(!pq_within(&b->queue->allocatable, &a->queue->allocatable) &&
                       pq_within(&a->queue->allocatable, &b->queue->allocatable),
                   !pq_within(&a->queue->allocatable, &b->queue->allocatable) &&
                       pq_within(&b->queue->allocatable, &a->queue->allocatable));
}

static int created_first(const struct cluster *c, const struct pq_side *a, const struct pq_side *b)
{
    (void)c;
    return (a->queue->created > b->queue->created) - (a->queue->created < b->queue->created);
}

struct queue_key {
    int (*compare)(const struct cluster *, const struct pq_side *, const struct pq_side *);
    bool fairness; /* left out when the option `fairness` is off */
};

static const struct queue_key queue_keys[] = {
    {within_fair_share,   true },
    {starved,             true },
    {queue_priority,      false},
    {within_allocatable,  true },
    {dominant_share_then, true },
    {dominant_share_now,  true },
    {weaker,              true },
    {created_first,       false},
};

int pq_compare_queues(const struct policy *p, const struct pq_side *a, const struct pq_side *b)
{
    for (uint32_t i = 0; i < sizeof queue_keys / sizeof *queue_keys; i++) {
        if (queue_keys[i].fairness && !p->config.quota.fairness)
            continue;
        int order = queue_keys[i].compare(p->cluster, a, b);
        if (order != 0)
            return order;
    }
    return (a->queue->rank > b->queue->rank) - (a->queue->rank < b->queue->rank);
}

/* ---- keys of jobs ---- */

int pq_compare_jobs_as(const struct policy *p, uint32_t a, int elastic_a, uint32_t b, int elastic_b)
{
    const struct cluster *c = p->cluster;
    const struct pq_job *x = &c->jobs[a];
    const struct pq_job *y = &c->jobs[b];
    if (p->config.quota.priorities && x->priority != y->priority)
        return x->priority > y->priority ? -1 : 1;
    if (elastic_a != elastic_b)
        return elastic_a - elastic_b;
    if (x->submitted != y->submitted)
        return x->submitted < y->submitted ? -1 : 1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

int pq_compare_jobs(const struct policy *p, uint32_t a, uint32_t b, bool as_victims)
{
    const struct cluster *c = p->cluster;
    return pq_compare_jobs_as(p, a, pq_elastic_state(c, a, as_victims), b,
                              pq_elastic_state(c, b, as_victims));
}
