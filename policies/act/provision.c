/* SPDX-License-Identifier: MIT */
/* Ordering and releasing nodes; see provision.h. */
#include "act/provision.h"

#include "base/int128.h"
#include "state/history.h"
#include "state/nodes.h"
#include "state/offers.h"

#include <string.h>

#define HOUR_MS   (INT64_C(3600) * 1000)
#define PERIOD_MS (INT64_C(30) * 24 * HOUR_MS)

/* Hour of the week, given hours since a Monday 0:00. */
static uint32_t week_hour(int64_t hour)
{
    int64_t of_week = hour % PC_WEEK_HOURS;
    return (uint32_t)(of_week < 0 ? of_week + PC_WEEK_HOURS : of_week);
}

/* Hours since the Monday of the first offer. */
static int64_t hour_of(const struct policy *p, policy_time at)
{
    at -= p->cluster->offers[0].spec.monday;
    return at >= 0 ? at / HOUR_MS : -((-at + HOUR_MS - 1) / HOUR_MS);
}

static policy_time next_hour(const struct policy *p)
{
    return (hour_of(p, p->now) + 1) * HOUR_MS + p->cluster->offers[0].spec.monday;
}

/* ---- the bill ---- */

/* The budget period: 30 days, counted from 1970. */
static int64_t period_of(policy_time at)
{
    return at >= 0 ? at / PERIOD_MS : -((-at + PERIOD_MS - 1) / PERIOD_MS);
}

static void count_bill(const struct policy *p, struct pc_provisioner *r)
{
    policy_time from = r->counted;
    if (from == POLICY_NEVER || period_of(from) != period_of(p->now)) {
        r->spent = 0;
        r->rest = 0;
        from = from == POLICY_NEVER ? p->now : period_of(p->now) * PERIOD_MS;
    }
    uint64_t rest = 0;
    uint64_t more =
        pc_multiply_divide((uint64_t)r->rate, (uint64_t)(p->now - from), (uint64_t)HOUR_MS, &rest);
    r->rest += rest;
    r->spent += (int64_t)(more + r->rest / (uint64_t)HOUR_MS);
    r->rest %= (uint64_t)HOUR_MS;
    r->counted = p->now;
}

/* ---- usage ---- */

static bool is_empty(const struct pc_node *n)
{
    return n->tasks_idle == n->max_tasks && n->tasks_soon == n->max_tasks &&
           (n->held | n->released | n->shared | n->groups) == 0 && n->nominated_whole == 0 &&
           n->reserved == PC_NONE;
}

/* Records which nodes of the offer are empty and since when. Returns their number. */
static int32_t look_at(struct policy *p, struct pc_offer *o)
{
    int32_t empty = 0;
    for (uint32_t rank = o->up_count == 0 ? PC_NONE : pc_bits_first(&o->up); rank != PC_NONE;
         rank = pc_bits_next(&o->up, rank + 1)) {
        struct pc_node *n = &p->cluster->nodes[p->node_of_rank[rank]];
        if (!is_empty(n) || n->state != POLICY_NODE_UP)
            n->empty_since = POLICY_NEVER;
        else if (n->empty_since == POLICY_NEVER)
            n->empty_since = p->now;
        empty += n->empty_since != POLICY_NEVER;
    }
    return empty;
}

/* Nodes used by the plan do not count as empty. Counts the spare nodes of each offer: empty or on
 * order. */
static void note_wanted(struct policy *p, struct pc_provisioner *r)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->offer_count; i++)
        c->offers[i].spare = look_at(p, &c->offers[i]) + c->offers[i].ordered_count;
    for (uint32_t i = 0; i < r->bin_count; i++) {
        struct pc_node *n = &c->nodes[r->bins[i].node];
        struct pc_offer *o = r->bins[i].used ? pc_offer_of(c, n->pool) : NULL;
        if (o == NULL || r->bins[i].offer != PC_NONE)
            continue;
        o->spare -= n->state == POLICY_NODE_ORDERED || n->empty_since != POLICY_NEVER;
        n->empty_since = POLICY_NEVER;
    }
}

/* ---- the forecast ---- */

/* Nodes in use or wanted. */
static uint32_t demand_now(const struct pc_cluster *c)
{
    int32_t demand = 0;
    for (uint32_t i = 0; i < c->offer_count; i++) {
        const struct pc_offer *o = &c->offers[i];
        demand += pc_offer_held(o) - o->spare + o->fresh;
    }
    return (uint32_t)demand;
}

/* Keeps the peak demand of each hour of the week; hours without a decision inherit the previous
 * one. */
static void learn(const struct policy *p, struct pc_provisioner *r)
{
    uint32_t demand = demand_now(p->cluster);
    int64_t hour = hour_of(p, p->now);
    if (hour != r->hour) {
        for (int64_t h = r->hour; h < hour && h < r->hour + PC_WEEK_HOURS; h++)
            r->wanted[week_hour(h)] = r->peak;
        r->hour = hour;
        r->peak = 0;
    }
    r->peak = demand > r->peak ? demand : r->peak;
}

/* Forecast of the nodes of all offers needed between now and the time at which a node ordered now
 * becomes available. */
static int64_t forecast(const struct policy *p, const struct pc_provisioner *r)
{
    const struct pc_cluster *c = p->cluster;
    int64_t delay = 0;
    if (p->config.provision.how != POLICY_PROVISION_PREDICTIVE)
        return 0;
    for (uint32_t i = 0; i < c->offer_count; i++)
        delay = c->offers[i].spec.delay_ms > delay ? c->offers[i].spec.delay_ms : delay;
    uint32_t most = 0;
    for (int64_t h = hour_of(p, p->now); h <= hour_of(p, p->now + delay); h++)
        most = r->wanted[week_hour(h)] > most ? r->wanted[week_hour(h)] : most;
    return most;
}

/* ---- headroom ---- */

static int32_t headroom(const struct policy *p)
{
    const struct policy_provision_options *o = &p->config.provision;
    uint32_t hour = week_hour(hour_of(p, p->now));
    bool always = (o->hours[0] | o->hours[1] | o->hours[2]) == 0;
    return always || (o->hours[hour / 64] >> hour % 64 & 1) != 0 ? o->headroom : 0;
}

/* Adds nodes beyond the plan: the minimum of each offer, the headroom, the forecast. */
static void add_ahead(struct policy *p, struct pc_provisioner *r)
{
    struct pc_cluster *c = p->cluster;
    int32_t spare = headroom(p);
    int64_t held = 0, wanted = forecast(p, r);
    for (uint32_t i = 0; i < c->offer_count; i++) {
        const struct pc_offer *o = &c->offers[i];
        int32_t extra = o->spec.least - pc_offer_held(o) - o->fresh;
        extra = spare - o->spare > extra ? spare - o->spare : extra;
        while (extra-- > 0 && pc_provision_add(p, r, i))
            continue;
        held += pc_offer_held(o) + o->fresh;
    }
    for (uint32_t i = 0; i < c->offer_count; i++) /* whatever the nodes' devices */
        while (held < wanted && pc_provision_add(p, r, i))
            held++;
}

/* ---- decisions ---- */

static bool decide(struct policy *p, int32_t kind, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_node *n = &c->nodes[node];
    if (!PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + 1)) {
        c->out_of_memory = true;
        return false;
    }
    p->decisions[p->decision_count++] = (struct policy_decision){
        .kind = kind,
        .action = POLICY_PROVISION,
        .task = POLICY_ALL_TASKS,
        .job = {POLICY_NO_ID, 0},
        .for_job = {POLICY_NO_ID, 0},
        .node = {node},
        .pool = n->pool,
        .gpu_milli = (int64_t)n->devices * POLICY_WHOLE,
    };
    pc_node_set_state(p, node, kind == POLICY_ORDER ? POLICY_NODE_ORDERED : POLICY_NODE_OFF);
    return true;
}

static void order(struct policy *p, struct pc_provisioner *r)
{
    for (uint32_t i = 0; i < r->bin_count && !p->cluster->out_of_memory; i++)
        if (r->bins[i].offer != PC_NONE && decide(p, POLICY_ORDER, r->bins[i].node))
            r->last_order = p->now;
}

/* Returns the empty node of the offer that is released next; PC_NONE: none is due. */
static uint32_t next_due(struct policy *p, struct pc_provisioner *r, const struct pc_offer *o)
{
    const struct pc_cluster *c = p->cluster;
    policy_time safe = r->last_order == POLICY_NEVER
                           ? POLICY_NEVER
                           : r->last_order + p->config.provision.protect_ms;
    uint32_t last = PC_NONE;
    for (uint32_t rank = pc_bits_first(&o->up); rank != PC_NONE;
         rank = pc_bits_next(&o->up, rank + 1)) {
        const struct pc_node *n = &c->nodes[p->node_of_rank[rank]];
        if (n->empty_since == POLICY_NEVER)
            continue;
        policy_time due = n->empty_since + o->spec.idle_ms;
        due = due > safe ? due : safe;
        if (due <= p->now)
            last = p->node_of_rank[rank];
        else if (due < r->next)
            r->next = due;
    }
    return last;
}

static int64_t held_now(const struct pc_cluster *c)
{
    int64_t held = 0;
    for (uint32_t i = 0; i < c->offer_count; i++)
        held += pc_offer_held(&c->offers[i]);
    return held;
}

static void release(struct policy *p, struct pc_provisioner *r, struct pc_offer *o, int64_t wanted)
{
    int32_t spare = headroom(p);
    while (o->up_count > 0 && pc_offer_held(o) > o->spec.least && o->spare > spare &&
           held_now(p->cluster) > wanted) {
        uint32_t node = next_due(p, r, o);
        if (node == PC_NONE || !decide(p, POLICY_RELEASE, node))
            return;
        p->cluster->nodes[node].empty_since = POLICY_NEVER;
        o->spare--;
    }
}

/* Most expensive first; ties: the larger pool, as orders prefer the smaller. */
static void release_all(struct policy *p, struct pc_provisioner *r)
{
    struct pc_cluster *c = p->cluster;
    int64_t wanted = forecast(p, r);
    int64_t below = INT64_MAX;
    for (;;) {
        int64_t price = -1;
        for (uint32_t i = 0; i < c->offer_count; i++)
            if (c->offers[i].spec.price < below && c->offers[i].spec.price > price)
                price = c->offers[i].spec.price;
        if (price < 0)
            return;
        for (uint32_t i = c->offer_count; i-- > 0;)
            if (c->offers[i].spec.price == price && !c->out_of_memory)
                release(p, r, &c->offers[i], wanted);
        below = price;
    }
}

/* ---- the action ---- */

static bool goes_by_hours(const struct policy *p)
{
    const struct policy_provision_options *o = &p->config.provision;
    return o->how == POLICY_PROVISION_PREDICTIVE ||
           (o->headroom > 0 && (o->hours[0] | o->hours[1] | o->hours[2]) != 0);
}

void pc_provision(struct policy *p, struct pc_provisioner *r)
{
    struct pc_cluster *c = p->cluster;
    if (c->offer_count == 0 || (c->version == r->seen && r->next > p->now))
        return;
    c->out_of_memory = false;
    r->next = INT64_MAX;
    count_bill(p, r);
    if (pc_provision_plan(p, r)) {
        note_wanted(p, r);
        learn(p, r);
        add_ahead(p, r);
        order(p, r);
        release_all(p, r);
    } else {
        c->out_of_memory = true;
    }
    pc_provision_plan_end(p, r);
    r->rate = pc_offers_rate(c);
    r->seen = c->version;
    if (goes_by_hours(p) && next_hour(p) < r->next)
        r->next = next_hour(p);
    if (p->config.provision.budget > 0 && (period_of(p->now) + 1) * PERIOD_MS < r->next)
        r->next = (period_of(p->now) + 1) * PERIOD_MS;
    if (c->out_of_memory) {
        r->seen = c->version - 1;
        pc_refuse(p, POLICY_NO_MEMORY, "decisions", p->decision_count, "no memory for all of them");
    }
}

bool pc_provision_has_work(const struct policy *p)
{
    const struct pc_provisioner *r = pc_provisioner_of(p);
    return r != NULL && p->cluster->offer_count > 0 &&
           (p->cluster->version != r->seen || r->next <= p->now);
}

/* ---- the module ---- */

struct pc_provisioner *pc_provisioner_of(const struct policy *p)
{
    return p->config.provision.how == POLICY_PROVISION_NONE
               ? NULL
               : pc_module_self(p, &pc_provision_module);
}

static void *create(struct policy *p)
{
    struct pc_provisioner *r = pc_alloc(&p->memory, 1, sizeof *r);
    if (r == NULL)
        return NULL;
    memset(r, 0, sizeof *r);
    r->next = INT64_MAX;
    r->last_order = r->counted = POLICY_NEVER;
    r->seen = UINT64_MAX;
    return r;
}

static void destroy(struct policy *p, void *self)
{
    struct pc_provisioner *r = self;
    pc_release(&p->memory, r->bins, r->bin_capacity, sizeof *r->bins);
    pc_release(&p->memory, r->undo, r->undo_capacity, sizeof *r->undo);
    pc_release(&p->memory, r->demands, r->demand_capacity, sizeof *r->demands);
    pc_release(&p->memory, r->order, r->order_capacity, sizeof *r->order);
    pc_release(&p->memory, r->planned, r->planned_capacity, sizeof *r->planned);
    pc_release(&p->memory, r->planned_fixed, r->planned_fixed_capacity, sizeof *r->planned_fixed);
    pc_bits_free(&r->taken, &p->memory);
    pc_release(&p->memory, r, 1, sizeof *r);
}

/* ---- history: one record of sums, the hours of the week, empty nodes ---- */

enum { SUMS = 0, HOURS = 1, NODES = HOURS + PC_WEEK_HOURS };

static bool get_node(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t node = *i - NODES; node < c->node_count; node++)
        if (c->nodes[node].exists && c->nodes[node].empty_since != POLICY_NEVER) {
            *i = node + NODES;
            h->level = NODES;
            h->node.i = node;
            h->from = c->nodes[node].empty_since;
            return true;
        }
    return false;
}

static bool get(const struct policy *p, uint32_t *i, struct policy_history *h)
{
    const struct pc_provisioner *r = pc_provisioner_of(p);
    if (r->counted == POLICY_NEVER)
        return false;
    if (*i == SUMS) {
        h->level = SUMS;
        h->at = r->counted;
        h->used = (uint64_t)r->spent;
        h->used_since = r->rest;
        h->capacity = r->rate;
        h->from = r->last_order;
        h->attained = r->hour;
        h->count = r->peak;
        return true;
    }
    for (; *i < NODES; ++*i)
        if (r->wanted[*i - HOURS] > 0) {
            h->level = HOURS;
            h->place = *i - HOURS;
            h->count = r->wanted[*i - HOURS];
            return true;
        }
    return get_node(p, i, h);
}

static int set(struct policy *p, policy_time at, const struct policy_history *h)
{
    struct pc_provisioner *r = pc_provisioner_of(p);
    struct pc_cluster *c = p->cluster;
    int status = pc_history_check_time(p, at, h->level == NODES ? h->from : h->at);
    if (status != POLICY_OK)
        return status;
    if (h->level == NODES) {
        if (h->node.i >= c->node_count || !c->nodes[h->node.i].exists)
            return pc_refuse(p, POLICY_UNKNOWN, "node", h->node.i, "not known");
        c->nodes[h->node.i].empty_since = h->from;
        return POLICY_OK;
    }
    if (h->level == HOURS) {
        if (h->place >= PC_WEEK_HOURS || h->count > INT32_MAX)
            return pc_refuse(p, POLICY_INVALID, "hour of the week", h->place, "0 to 167");
        r->wanted[h->place] = (uint32_t)h->count;
        return POLICY_OK;
    }
    if (h->used > INT64_MAX / 2 || h->capacity < 0 || h->count > INT32_MAX)
        return pc_refuse(p, POLICY_INVALID, "bill of a month", h->capacity, "at least 0");
    r->counted = h->at;
    r->spent = (int64_t)h->used;
    r->rest = h->used_since % (uint64_t)HOUR_MS;
    r->rate = h->capacity;
    r->last_order = h->from;
    r->hour = h->attained;
    r->peak = (uint32_t)h->count;
    return POLICY_OK;
}

static const struct pc_history_row history = {
    POLICY_HISTORY_MODULE, NULL, get, set,
    "the idle times of nodes, the cost of this month and the demand of the previous week"};
static const struct pc_history_row *const histories[] = {&history, NULL};

const struct pc_module pc_provision_module = {
    .name = "provision",
    .create = create,
    .destroy = destroy,
    .history = histories,
};
