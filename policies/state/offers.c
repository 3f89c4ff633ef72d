/* SPDX-License-Identifier: MIT */
/* Offers of nodes; see offers.h. */
#include "state/offers.h"

#include "state/sized.h"

#include <string.h>

#define MOST_PRICE (INT64_C(1000000) * 1000000) /* a million USD per hour */
#define WEEK_MS    (INT64_C(1000) * 86400 * 7)
#define LONG_MS    (INT64_C(1000) * 86400 * 36525)

struct pc_offer *pc_offer_of(const struct pc_cluster *c, uint32_t pool)
{
    for (uint32_t i = 0; i < c->offer_count; i++)
        if (c->offers[i].spec.pool == pool)
            return &c->offers[i];
    return NULL;
}

static bool reserve_bits(struct policy *p, struct pc_offer *o)
{
    return pc_bits_reserve(&o->off, &p->memory, p->rank_capacity) &&
           pc_bits_reserve(&o->ordered, &p->memory, p->rank_capacity) &&
           pc_bits_reserve(&o->up, &p->memory, p->rank_capacity);
}

bool pc_offers_reserve(struct policy *p)
{
    for (uint32_t i = 0; i < p->cluster->offer_count; i++)
        if (!reserve_bits(p, &p->cluster->offers[i]))
            return false;
    return true;
}

static struct pc_bits *list_of(struct pc_offer *o, int32_t state, int32_t **count)
{
    switch (state) {
    case POLICY_NODE_OFF:
        *count = &o->off_count;
        return &o->off;
    case POLICY_NODE_ORDERED:
        *count = &o->ordered_count;
        return &o->ordered;
    case POLICY_NODE_UP:
    case POLICY_NODE_DRAINING:
        *count = &o->up_count;
        return &o->up;
    default:
        return NULL;
    }
}

static void note(struct pc_offer *o, const struct pc_node *n, bool stands)
{
    int32_t *count = NULL;
    struct pc_bits *list = list_of(o, n->state, &count);
    if (list == NULL || pc_bits_has(list, n->rank) == stands)
        return;
    *count += stands ? 1 : -1;
    (stands ? pc_bits_add : pc_bits_remove)(list, n->rank);
}

void pc_offers_note(struct policy *p, const struct pc_node *n, bool stands)
{
    struct pc_offer *o = pc_offer_of(p->cluster, n->pool);
    if (o != NULL)
        note(o, n, stands);
}

int64_t pc_offers_rate(const struct pc_cluster *c)
{
    int64_t rate = 0;
    for (uint32_t i = 0; i < c->offer_count; i++)
        rate += pc_offer_held(&c->offers[i]) * c->offers[i].spec.price;
    return rate;
}

void pc_offers_free(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->offer_count; i++) {
        pc_bits_free(&c->offers[i].off, &p->memory);
        pc_bits_free(&c->offers[i].ordered, &p->memory);
        pc_bits_free(&c->offers[i].up, &p->memory);
    }
    pc_release(&p->memory, c->offers, c->offer_capacity, sizeof *c->offers);
}

/* ---- the fact ---- */

static int check(struct policy *p, const struct policy_offer *o)
{
    if (p->config.provision.how == POLICY_PROVISION_NONE)
        return pc_refuse(p, POLICY_UNSUPPORTED, "offer of pool", o->pool,
                         "this policy orders no nodes (option provision)");
    if (o->pool >= POLICY_MAX_POOLS)
        return pc_refuse(p, POLICY_INVALID, "pool of an offer", o->pool, "below 4096");
    if (o->least < 0 || o->most < 0)
        return pc_refuse(p, POLICY_INVALID, "nodes of an offer", o->least < 0 ? o->least : o->most,
                         "at least 0");
    if (o->price < 0 || o->price > MOST_PRICE)
        return pc_refuse(p, POLICY_INVALID, "price of an offer", o->price, "0 to 10^12 micro-USD");
    const int64_t spans[] = {o->delay_ms, o->idle_ms, o->wait_ms, o->least_paid_ms};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++)
        if (spans[i] < 0 || spans[i] > LONG_MS)
            return pc_refuse(p, POLICY_INVALID, "time span of an offer", spans[i],
                             "0 to 100 years, in ms");
    if (o->monday < -WEEK_MS || o->monday > WEEK_MS)
        return pc_refuse(p, POLICY_INVALID, "Monday of an offer", o->monday,
                         "at most a week from 0, in ms");
    return POLICY_OK;
}

/* Inserts an offer at the pool's position. Returns false if out of memory. */
static bool insert(struct policy *p, const struct policy_offer *spec)
{
    struct pc_cluster *c = p->cluster;
    struct pc_offer fresh;
    memset(&fresh, 0, sizeof fresh);
    fresh.spec = *spec;
    if (!PC_GROW(&p->memory, c->offers, c->offer_capacity, c->offer_count + 1))
        return false;
    if (!reserve_bits(p, &fresh)) {
        pc_bits_free(&fresh.off, &p->memory);
        pc_bits_free(&fresh.ordered, &p->memory);
        pc_bits_free(&fresh.up, &p->memory);
        return false;
    }
    uint32_t at = c->offer_count++;
    for (; at > 0 && c->offers[at - 1].spec.pool > spec->pool; at--)
        c->offers[at] = c->offers[at - 1];
    for (uint32_t i = 0; i < c->node_count; i++)
        if (c->nodes[i].exists && c->nodes[i].pool == spec->pool)
            note(&fresh, &c->nodes[i], true);
    c->offers[at] = fresh;
    return true;
}

int policy_set_offer(struct policy *p, policy_time at, const struct policy_offer *given)
{
    struct policy_offer room;
    const struct policy_offer *spec = pc_sized_fact(p, PC_OFFER, given, &room);
    policy_time before = p->now;
    if (spec == NULL)
        return POLICY_INVALID;
    int status = check(p, spec);
    if (status == POLICY_OK)
        status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    struct pc_offer *offer = pc_offer_of(p->cluster, spec->pool);
    if (offer != NULL)
        offer->spec = *spec;
    else if (!insert(p, spec))
        return pc_no_memory(p, before, "offer of pool", spec->pool);
    p->cluster->version++;
    return POLICY_OK;
}
