/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ordering, delivering, releasing and billing nodes; see elastic_nodes.h. */
#include "sim/internal.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "sim/base/week.h"

#include <stdlib.h>

#define BUDGET_MONTH_MS (30 * INT64_C(86400000))

static const struct sim_elastic_pool *terms_of(const struct sim *sim, uint32_t node)
{
    return &sim->config.elastic.of_pool[sim->fleet->nodes[node].pool];
}

static struct sim_elastic_bill *bill_of(const struct sim *sim, uint32_t node)
{
    return &sim->elastic_book->bills[sim->fleet->nodes[node].pool];
}

bool sim_is_elastic(const struct sim *sim, uint32_t node)
{
    return sim->elastic_book != NULL && terms_of(sim, node)->given;
}

/* ---- the bill ---- */

static void count_held(const struct sim *sim, struct sim_elastic_bill *bill, int change)
{
    if (bill->since_ms != INT64_MIN)
        bill->there_ms += bill->held * (sim->now_ms - bill->since_ms);
    bill->since_ms = sim->now_ms;
    bill->held = change < 0 ? bill->held - 1 : bill->held + (uint32_t)change;
    bill->most_held = bill->held > bill->most_held ? bill->held : bill->most_held;
}

static int64_t paid(const struct sim_elastic_pool *terms, int64_t ms)
{
    return ms > terms->least_paid_ms ? ms : terms->least_paid_ms;
}

static void begin_bill(struct sim *sim, uint32_t node)
{
    sim->elastic_book->nodes[node].order_ms = sim->now_ms;
    count_held(sim, bill_of(sim, node), 1);
}

static void end_bill(struct sim *sim, uint32_t node)
{
    struct sim_elastic_bill *bill = bill_of(sim, node);
    count_held(sim, bill, -1);
    bill->paid_ms +=
        paid(terms_of(sim, node), sim->now_ms - sim->elastic_book->nodes[node].order_ms);
}

void sim_elastic_finish(struct sim *sim)
{
    struct sim_elastic_book *book = sim->elastic_book;
    for (uint32_t i = 0; book != NULL && i < sim->fleet->node_count; i++) {
        if (!sim_is_elastic(sim, i) || sim->fleet->nodes[i].off)
            continue;
        bill_of(sim, i)->paid_ms += paid(terms_of(sim, i), sim->now_ms - book->nodes[i].order_ms);
    }
    for (uint32_t i = 0; book != NULL && i < sim->fleet->pool_count; i++)
        count_held(sim, &book->bills[i], 0);
}

/* ---- decisions ---- */

static bool refuse(const struct sim *sim, uint32_t node, const char *what, struct err *err)
{
    return err_set(err, EXIT_INVARIANT, "node '%s': %s", sim->fleet->nodes[node].name, what);
}

bool sim_order_node(struct sim *sim, uint32_t node, struct err *err)
{
    const struct fleet_node *n = node < sim->fleet->node_count ? &sim->fleet->nodes[node] : NULL;
    if (n == NULL || !sim_is_elastic(sim, node))
        return err_set(err, EXIT_INVARIANT, "node number %u is ordered, and of no elastic pool",
                       node);
    if (!n->off || n->away > 0)
        return refuse(sim, node, "ordered, but it is not to be had", err);
    const struct sim_elastic_pool *terms = terms_of(sim, node);
    struct sim_elastic_node *own = &sim->elastic_book->nodes[node];
    int64_t delay = terms->delay_ms[0];
    if (terms->delay_ms[1] > delay) {
        struct rng_stream stream;
        rng_init(&stream, sim->config.seed, RNG_PROVISION, (uint64_t)node << 32 | own->orders);
        delay += (int64_t)(rng_uniform(&stream) * (double)(terms->delay_ms[1] - delay + 1));
    }
    own->orders++;
    sim->elastic_book->last_order_ms = sim->now_ms;
    own->due_ms = sim->now_ms + delay + terms->warmup_ms;
    bill_of(sim, node)->orders++;
    begin_bill(sim, node);
    event_push(&sim->events, own->due_ms, EVENT_ARRIVED, node);
    return sim_switch_node(sim, node, SIM_NODE_IS_ORDERED, err);
}

bool sim_add_node(struct sim *sim, uint32_t node, int64_t warmup_ms, struct err *err)
{
    struct sim_elastic_node *own = &sim->elastic_book->nodes[node];
    own->due_ms = sim->now_ms + warmup_ms;
    bill_of(sim, node)->orders++;
    begin_bill(sim, node);
    if (warmup_ms == 0)
        return sim_switch_node(sim, node, SIM_NODE_IS_THERE, err);
    event_push(&sim->events, own->due_ms, EVENT_ARRIVED, node);
    return sim_switch_node(sim, node, SIM_NODE_IS_ORDERED, err);
}

bool sim_arrived(struct sim *sim, uint32_t node, struct err *err)
{
    const struct sim_elastic_node *own = &sim->elastic_book->nodes[node];
    if (sim->fleet->nodes[node].leaving && own->due_ms == sim->now_ms)
        return sim_planned_taken(sim, node, err);
    if (!sim->fleet->nodes[node].ordered || own->due_ms != sim->now_ms)
        return true;
    sim->event_count++;
    bill_of(sim, node)->waited_ms += sim->now_ms - own->order_ms;
    return sim_switch_node(sim, node, SIM_NODE_IS_THERE, err);
}

bool sim_release_node(struct sim *sim, uint32_t node, struct err *err)
{
    if (node >= sim->fleet->node_count || !sim_is_elastic(sim, node))
        return err_set(err, EXIT_INVARIANT, "node number %u is released, and of no elastic pool",
                       node);
    const struct fleet_node *n = &sim->fleet->nodes[node];
    if (n->off || (n->ordered && !terms_of(sim, node)->planned) || n->tasks > 0)
        return refuse(sim, node, "released, but it is not there, or not empty", err);
    bill_of(sim, node)->releases++;
    end_bill(sim, node);
    return sim_switch_node(sim, node, SIM_NODE_IS_OFF, err);
}

/* Reclaimed spot capacity is no longer billed. */
bool sim_elastic_reclaimed(struct sim *sim, uint32_t node, struct err *err)
{
    if (!sim_is_elastic(sim, node) || sim->fleet->nodes[node].off)
        return true;
    bill_of(sim, node)->reclaims++;
    end_bill(sim, node);
    return sim_switch_node(sim, node, SIM_NODE_IS_OFF, err);
}

/* What was not ordered in the month of the last event, nor in the next one with a whole budget,
 * never will be. */
int64_t sim_elastic_in_vain(const struct sim *sim)
{
    int64_t last = sim->elastic_book->last_order_ms, wait_ms = 0;
    if (!sim_is(sim, POLICY_TRAIT_PROVISIONS))
        return INT64_MIN;
    last = sim->last_submit_ms > last ? sim->last_submit_ms : last;
    last = sim->last_end_ms > last ? sim->last_end_ms : last;
    for (uint32_t i = 0; i < sim->fleet->pool_count; i++)
        if (sim->config.elastic.of_pool[i].wait_ms > wait_ms)
            wait_ms = sim->config.elastic.of_pool[i].wait_ms;
    return last + 2 * BUDGET_MONTH_MS + wait_ms;
}

bool sim_elastic_waits(const struct sim *sim)
{
    for (uint32_t i = 0; sim->elastic_book != NULL && i < sim->fleet->pool_count; i++)
        if (sim->config.elastic.of_pool[i].given && !sim->config.elastic.of_pool[i].planned &&
            sim->elastic_book->bills[i].held > sim->config.elastic.of_pool[i].least)
            return true;
    return false;
}

/* ---- opening and closing ---- */

static bool tell_offer(struct sim *sim, uint32_t pool, struct err *err)
{
    const struct sim_elastic_pool *terms = &sim->config.elastic.of_pool[pool];
    if (!sim_is(sim, POLICY_TRAIT_PROVISIONS) || terms->most == 0 || terms->planned)
        return true;
    const struct policy_offer offer = {.size = sizeof offer,
                                       .pool = pool,
                                       .least = (int32_t)terms->least,
                                       .most = (int32_t)terms->most,
                                       .price = terms->price_micro_usd_h,
                                       .delay_ms = sim_elastic_delay(terms),
                                       .idle_ms = terms->idle_ms,
                                       .wait_ms = terms->wait_ms,
                                       .least_paid_ms = terms->least_paid_ms,
                                       .monday = week_monday(sim->first_submit_ms)};
    return sim_core_ok(sim, sim_tell(sim, &(struct fact){.kind = FACT_OFFER, .spec = &offer}), err);
}

/* Initial nodes are billed from the first instant. */
bool sim_elastic_begin(struct sim *sim, struct err *err)
{
    struct sim_elastic_book *book = sim->elastic_book;
    if (book != NULL)
        book->last_order_ms = sim->first_submit_ms;
    for (uint32_t i = 0; book != NULL && i < sim->fleet->pool_count; i++) {
        book->bills[i].since_ms = sim->first_submit_ms;
        if (sim->config.elastic.of_pool[i].given && !tell_offer(sim, i, err))
            return false;
    }
    for (uint32_t i = 0; book != NULL && i < sim->fleet->node_count; i++)
        book->nodes[i].order_ms = sim->first_submit_ms;
    return true;
}

bool sim_elastic_open(struct sim *sim, struct err *err)
{
    const struct fleet *fleet = sim->fleet;
    if (sim->config.elastic.of_pool == NULL)
        return true;
    struct sim_elastic_book *book = sim->elastic_book = mem_alloc(1, sizeof *book);
    book->bills = mem_alloc(fleet->pool_count, sizeof *book->bills);
    book->nodes = mem_alloc(fleet->node_count + 1, sizeof *book->nodes);
    for (uint32_t i = 0; i < fleet->pool_count; i++) {
        const struct sim_elastic_pool *terms = &sim->config.elastic.of_pool[i];
        const struct fleet_pool *pool = &fleet->pools[i];
        book->bills[i].since_ms = INT64_MIN;
        if (!terms->given)
            continue;
        book->bills[i].held = book->bills[i].most_held = terms->least;
        for (uint32_t k = terms->least; k < pool->node_count; k++)
            if (!sim_switch_node(sim, pool->first_node + k, SIM_NODE_IS_OFF, err))
                return false;
    }
    return true;
}

void sim_elastic_close(struct sim *sim)
{
    if (sim->elastic_book == NULL)
        return;
    free(sim->elastic_book->bills);
    free(sim->elastic_book->nodes);
    free(sim->elastic_book);
    sim->elastic_book = NULL;
}

/* ---- audit ---- */

bool sim_elastic_audit(const struct sim *sim, struct err *err)
{
    int64_t installed = 0;
    for (uint32_t i = 0; i < sim->fleet->node_count; i++) {
        const struct fleet_node *n = &sim->fleet->nodes[i];
        installed += n->off ? 0 : (int64_t)n->gpus * FLEET_WHOLE;
        if ((n->off || n->ordered) && n->tasks > 0)
            return refuse(sim, i, "it is not there, and tasks are on it", err);
        if ((n->off && n->ordered) || ((n->off || n->ordered) && !sim_is_elastic(sim, i)))
            return refuse(sim, i, "off, ordered, or neither, but not both", err);
    }
    for (size_t i = 0; i < sim->site_count; i++)
        installed -= sim->sites[i].milli;
    for (uint32_t i = 0; i < sim->fleet->pool_count; i++) {
        const struct fleet_pool *pool = &sim->fleet->pools[i];
        uint32_t held = 0;
        for (uint32_t k = 0; k < pool->node_count; k++)
            held += !sim->fleet->nodes[pool->first_node + k].off;
        const struct sim_elastic_pool *terms = &sim->config.elastic.of_pool[i];
        if (terms->given && held != sim->elastic_book->bills[i].held)
            return err_set(err, EXIT_INVARIANT, "pool '%s': %u nodes are there, %u are paid for",
                           pool->name, held, sim->elastic_book->bills[i].held);
    }
    return installed == 0 || err_set(err, EXIT_INVARIANT,
                                     "%lld thousandths of devices more are there than sites count",
                                     (long long)installed);
}
