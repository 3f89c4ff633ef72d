/* SPDX-License-Identifier: MIT */
/*
 * Which queue is served first. The order `fair-share` follows a Run:ai-class scheduler: a table of
 * keys, of which the first that differs decides.
 */
#include "order/queue_orders.h"
#include "order/queue_walk.h"
#include "state/gangs.h"
#include "state/plugins.h"
#include "state/pool_quotas.h"

/* ---- inputs of the comparison ---- */

__extension__ typedef unsigned __int128 wide;

static int compare_shares(struct pc_share a, struct pc_share b)
{
    wide left = (wide)a.num * b.den;
    wide right = (wide)b.num * a.den;
    return (left > right) - (left < right);
}

/*
 * The dominant share: the largest ratio of a queue's allocation to its allocatable amount, over the
 * resources. Unlimited is replaced by the cluster's capacity, and skipped where that is unknown (a
 * node's CPU or memory is not modelled); where nothing is allocatable, each unit counts as a
 * thousandfold share.
 */
static struct pc_share dominant_share(const struct pc_cluster *c, const struct pc_queue *q,
                                      const struct pc_amounts *has)
{
    static const uint64_t unit[PC_RESOURCES] = {POLICY_WHOLE, 1, 1};
    struct pc_share most = {0, 1};
    for (int r = 0; r < PC_RESOURCES; r++) {
        bool unlimited = q->allocatable.of[r] == POLICY_UNLIMITED;
        if (has->of[r] <= 0 || (unlimited && c->unmodelled[r] > 0))
            continue;
        int64_t may = unlimited ? c->capacity.of[r] : q->allocatable.of[r];
        struct pc_share share = {(uint64_t)has->of[r], (uint64_t)may};
        if (may <= 0)
            share = (struct pc_share){(uint64_t)has->of[r] * 1000, unit[r]};
        if (compare_shares(share, most) > 0)
            most = share;
    }
    return most;
}

/* A queue is over its fair share only if it exceeds it in every resource. */
static bool over_fair_share(const struct pc_queue *q)
{
    for (int r = 0; r < PC_RESOURCES; r++)
        if (q->allocated.of[r] <= q->fair.of[r])
            return false;
    return true;
}

static bool touches_forbidden(const struct pc_queue *q, const struct pc_amounts *with)
{
    for (int r = 0; r < PC_RESOURCES; r++)
        if (q->allocatable.of[r] == 0 && with->of[r] > 0)
            return true;
    return false;
}

/* A plugin's queue order takes precedence over all others. */
static int64_t key_of(const struct policy *p, const struct pc_queue *q)
{
    const struct pc_plugin *x = p->plugin;
    if (x == NULL || x->of.queue_key == NULL)
        return 0;
    return x->of.queue_key(x->self, pc_plugin_look(p),
                           (policy_queue){(uint32_t)(q - p->cluster->queues)});
}

/* Returns true if the queue stays within its quota with the request; with quotas by pool, within
 * that of some pools that it may use. */
static bool is_starved(const struct pc_cluster *c, const struct pc_queue *q,
                       const struct pc_amounts *asks, const struct pc_amounts *with)
{
    if (c->group_count == 0 || asks->of[PC_GPU] == 0)
        return pc_within(with, &q->quota);
    for (int r = PC_GPU + 1; r < PC_RESOURCES; r++)
        if (!pc_within_one(with->of[r], q->quota.of[r]))
            return false;
    for (uint32_t g = 0; g < c->group_count; g++)
        if (pc_group_guarantees(q, g, asks->of[PC_GPU]) &&
            pc_group_set(c, (uint32_t)(q - c->queues), g) != PC_NONE)
            return true;
    return false;
}

struct pc_standing pc_stand(const struct policy *p, const struct pc_queue *q,
                            const struct pc_amounts *asks, const struct pc_amounts *gives)
{
    struct pc_amounts with = pc_sum(&q->allocated, asks);
    struct pc_amounts then = with;
    pc_add(&then, gives, -1);
    return (struct pc_standing){
        .queue = q,
        .key = key_of(p, q),
        .within_share = !over_fair_share(q),
        .starved = is_starved(p->cluster, q, asks, &with),
        .within_allocatable = !touches_forbidden(q, &with),
        .then = dominant_share(p->cluster, q, &then),
        .now = dominant_share(p->cluster, q, &q->allocated),
    };
}

struct pc_share pc_share_without(const struct policy *p, const struct pc_queue *q,
                                 const struct pc_amounts *gives)
{
    struct pc_amounts then = q->allocated;
    pc_add(&then, gives, -1);
    return dominant_share(p->cluster, q, &then);
}

/* ---- keys of queues ---- */

static int by_flag(bool a, bool b) /* queues with the flag come first */
{
    return (int)b - (int)a;
}

static int within_fair_share(const struct pc_standing *a, const struct pc_standing *b)
{
    return by_flag(a->within_share, b->within_share);
}

static int starved(const struct pc_standing *a, const struct pc_standing *b)
{
    return by_flag(a->starved, b->starved);
}

static int queue_priority(const struct pc_standing *a, const struct pc_standing *b)
{
    return (a->queue->priority < b->queue->priority) - (a->queue->priority > b->queue->priority);
}

static int within_allocatable(const struct pc_standing *a, const struct pc_standing *b)
{
    return by_flag(a->within_allocatable, b->within_allocatable);
}

static int dominant_share_then(const struct pc_standing *a, const struct pc_standing *b)
{
    return compare_shares(a->then, b->then);
}

static int dominant_share_now(const struct pc_standing *a, const struct pc_standing *b)
{
    return compare_shares(a->now, b->now);
}

static int weaker(const struct pc_standing *a, const struct pc_standing *b)
{
    bool a_within = pc_within(&a->queue->allocatable, &b->queue->allocatable);
    bool b_within = pc_within(&b->queue->allocatable, &a->queue->allocatable);
    return by_flag(a_within && !b_within, b_within && !a_within);
}

static int created_first(const struct pc_standing *a, const struct pc_standing *b)
{
    return (a->queue->created > b->queue->created) - (a->queue->created < b->queue->created);
}

struct queue_key {
    int (*compare)(const struct pc_standing *, const struct pc_standing *);
    bool fairness; /* skipped if the option `fairness` is off */
};

static const struct queue_key queue_keys[] = {
    {within_fair_share, true},
    {starved, true},
    {queue_priority, false},
    {within_allocatable, true},
    {dominant_share_then, true},
    {dominant_share_now, true},
    {weaker, true},
    {created_first, false},
};

static int compare(const struct policy *p, const struct pc_standing *a, const struct pc_standing *b)
{
    for (uint32_t i = 0; i < sizeof queue_keys / sizeof *queue_keys; i++) {
        if (queue_keys[i].fairness && !p->config.quota.fairness)
            continue;
        int order = queue_keys[i].compare(a, b);
        if (order != 0)
            return order;
    }
    return 0;
}

const struct pc_queue_order pc_queue_order_fair_share = {
    .row = {"fair-share", "queues within their fair share first, then those below their quota, "
                          "then by dominant share"},
    .compare = compare,
};

/* ---- independent of the order ---- */

int pc_compare_queues(const struct policy *p, const struct pc_standing *a,
                      const struct pc_standing *b)
{
    const struct pc_queue_order *row =
        p->queue_order != NULL ? p->queue_order : &pc_queue_order_fair_share;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    int order = row->compare(p, a, b);
    return order != 0 ? order
                      : (a->queue->rank > b->queue->rank) - (a->queue->rank < b->queue->rank);
}

/* In the fair-share order, only the dominant share decreases while a queue loses jobs; rows of a
 * plugin may do anything. */
bool pc_order_is_monotone(const struct policy *p)
{
    bool fair_share = p->queue_order == NULL || p->queue_order == &pc_queue_order_fair_share;
    return fair_share && (p->plugin == NULL || p->plugin->of.queue_key == NULL);
}
