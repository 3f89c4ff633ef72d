/* SPDX-License-Identifier: MIT */
/* The lifecycle of a policy: checks its configuration, and creates and frees its cluster and the
 * modules of its rows. */
#include "act/actions.h"
#include "act/backfills.h"
#include "act/eviction_costs.h"
#include "act/limits.h"
#include "act/provision.h"
#include "config_defaults.h"
#include "order/fair_share.h"
#include "order/order.h"
#include "order/queue_orders.h"
#include "order/queue_walk.h"
#include "pending/ahead.h"
#include "pending/pending.h"
#include "pending/queue_classes.h"
#include "place/place.h"
#include "place/topology.h"
#include "plugin_config.h"
#include "query/plugins.h"
#include "state/gangs.h"
#include "state/kinds.h"
#include "state/nodes.h"
#include "state/offers.h"
#include "state/pool_quotas.h"
#include "state/pool_sets.h"
#include "state/queues.h"
#include "state/shapes.h"
#include "state/sized.h"
#include "state/tasks.h"

#include <string.h>

static int check_config(const struct policy_config *config, struct policy_error *error)
{
    if (config->plugin != NULL && pc_plugin_check(config->plugin, error) != POLICY_OK)
        return POLICY_INVALID;
    if (config->allocator.resize == NULL) {
        pc_error_set(error, POLICY_INVALID, "the configuration was not made by ",
                     "policy_config_init()", "");
        return POLICY_INVALID;
    }
    if (config->order < 0 || (uint32_t)config->order >= pc_order_count || config->placement < 0 ||
        (uint32_t)config->placement >= pc_placement_count) {
        pc_error_set(error, POLICY_INVALID,
                     "order or placement of the configuration: ", config->preset,
                     " has no such row");
        return POLICY_INVALID;
    }
    if (config->scope < POLICY_SCOPE_FLEET || config->scope > POLICY_SCOPE_QUEUE ||
        config->blocking < POLICY_STRICT || config->blocking > POLICY_SKIP) {
        pc_error_set(error, POLICY_INVALID,
                     "scope or blocking of the configuration: ", config->preset,
                     " has no such value");
        return POLICY_INVALID;
    }
    if (config->backfill < POLICY_NO_BACKFILL || config->backfill > POLICY_SINGLE ||
        config->easy_variant < POLICY_EASY_TEXTBOOK || config->easy_variant > POLICY_EASY_FROZEN) {
        pc_error_set(error, POLICY_INVALID,
                     "backfill or easy_variant of the configuration: ", config->preset,
                     " has no such value");
        return POLICY_INVALID;
    }
    return policy_config_check(config, error);
}

/* ---- the cluster ---- */

static bool create_cluster(struct policy *p)
{
    struct pc_cluster *c = pc_alloc(&p->memory, 1, sizeof *c);
    if (c == NULL)
        return false;
    memset(c, 0, sizeof *c);
    c->traits = pc_traits_of(&p->config);
    c->shape_free = c->job_free = c->class_free = PC_NONE;
    c->partial_job = c->reservation.job = PC_NONE;
    c->flat = !pc_in_lanes(&p->config) && !p->config.quota.full_hierarchy;
    c->next_time = INT64_MAX;
    c->freed = 1;
    if (p->config.quota.usage_window != POLICY_USAGE_GIVEN)
        pc_usage_window_init(&c->window, p->config.quota.usage_window,
                             p->config.quota.usage_window_ms, p->config.quota.usage_half_life_ms);
    p->cluster = c;
    c->placement = pc_placement_of(&p->config);
    c->changes.kept = c->traits.logs_changes;
    c->settle = pc_job_settle;
    if (pc_in_lanes(&p->config))
        return pc_pending_create(p);
    c->reserve_class = pc_classes_reserve_own;
    return true;
}

static void free_jobs(struct policy *p, struct pc_cluster *c)
{
    for (uint32_t i = 0; i < c->job_count; i++)
        pc_detail_free(c, &c->jobs[i]);
    for (uint32_t i = 0; i < c->shape_count; i++)
        pc_shape_free(p, &c->shapes[i]);
    for (uint32_t i = 0; i < c->class_count; i++)
        pc_class_free(p, &c->classes[i]);
    pc_release(&p->memory, c->jobs, c->job_capacity, sizeof *c->jobs);
    pc_release(&p->memory, c->marks, c->mark_capacity, sizeof *c->marks);
    pc_release(&p->memory, c->job_kept_in, c->job_kept_capacity, sizeof *c->job_kept_in);
    pc_release(&p->memory, c->times, c->time_capacity, sizeof *c->times);
    pc_release(&p->memory, c->shapes, c->shape_capacity, sizeof *c->shapes);
    pc_release(&p->memory, c->shape_hash, c->shape_hash_capacity, sizeof *c->shape_hash);
    pc_release(&p->memory, c->classes, c->class_capacity, sizeof *c->classes);
    pc_release(&p->memory, c->held.ids, c->held.capacity, sizeof *c->held.ids);
    pc_release(&p->memory, c->stale, c->stale_capacity, sizeof *c->stale);
}

static void free_nodes(struct policy *p, struct pc_cluster *c)
{
    for (uint32_t i = 0; i < c->node_count; i++)
        pc_node_free(p, &c->nodes[i]);
    for (uint32_t i = 0; i < c->selector_count; i++)
        pc_selector_free(p, &c->selectors[i]);
    pc_pool_sets_free(p);
    pc_groups_free(p);
    pc_offers_free(p);
    for (uint32_t i = 0; i <= POLICY_MAX_DEVICES; i++) {
        pc_bits_free(&c->by_soon[i], &p->memory);
        pc_bits_free(&c->roomy[i], &p->memory);
    }
    pc_bits_free(&c->up, &p->memory);
    pc_bits_free(&c->with_shared, &p->memory);
    pc_bits_free(&c->changed_nodes, &p->memory);
    pc_release(&p->memory, c->nodes, c->node_capacity, sizeof *c->nodes);
    pc_release(&p->memory, c->leavings, c->leavings_capacity, sizeof *c->leavings);
    pc_release(&p->memory, c->selectors, c->selector_capacity, sizeof *c->selectors);
}

static void free_queues(struct policy *p, struct pc_cluster *c)
{
    for (uint32_t i = 0; i < c->queue_count; i++)
        pc_queue_free(p, &c->queues[i]);
    pc_release(&p->memory, c->queues, c->queue_capacity, sizeof *c->queues);
    pc_release(&p->memory, c->roots, c->root_capacity, sizeof *c->roots);
    pc_release(&p->memory, c->usages, c->usage_capacity, sizeof *c->usages);
}

static void free_scratch(struct policy *p, struct pc_cluster *c)
{
    struct pc_tasks *const lists[] = {&c->asked, &c->placing, &c->taking, &c->solving};
    struct pc_victims *const victims[] = {&c->popped, &c->recorded, &c->evicted};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        pc_tasks_free(p, lists[i]);
    for (size_t i = 0; i < sizeof c->nested / sizeof *c->nested; i++)
        pc_tasks_free(p, &c->nested[i]);
    for (size_t i = 0; i < sizeof victims / sizeof *victims; i++)
        pc_release(&p->memory, victims[i]->of, victims[i]->capacity, sizeof *victims[i]->of);
    pc_release(&p->memory, c->reservation.of, c->reservation.capacity, sizeof *c->reservation.of);
    pc_release(&p->memory, c->wanted.of, c->wanted.capacity, sizeof *c->wanted.of);
    pc_release(&p->memory, c->wanted.order, c->wanted.order_capacity, sizeof *c->wanted.order);
    pc_release(&p->memory, c->gathered, c->gathered_capacity, sizeof *c->gathered);
    pc_release(&p->memory, c->pods.of, c->pods.capacity, sizeof *c->pods.of);
    pc_walk_free(p, &c->pending_walk);
    pc_walk_free(p, &c->victim_walk);
    pc_walk_free(p, &c->trial_walk);
    pc_release(&p->memory, c->undo, c->undo_capacity, sizeof *c->undo);
    pc_release(&p->memory, c->kept.of, c->kept.capacity, sizeof *c->kept.of);
    pc_release(&p->memory, c->displaced.of, c->displaced.capacity, sizeof *c->displaced.of);
    pc_release(&p->memory, c->noted, c->noted_capacity, sizeof *c->noted);
    pc_release(&p->memory, c->claims, c->claim_capacity, sizeof *c->claims);
    pc_release(&p->memory, c->claim_order, c->claim_order_capacity, sizeof *c->claim_order);
    pc_release(&p->memory, c->walk, c->walk_capacity, sizeof *c->walk);
}

static void destroy_cluster(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (c == NULL)
        return;
    pc_pending_destroy(p);
    free_jobs(p, c);
    free_queues(p, c);
    pc_topologies_free(p);
    pc_kinds_free(p);
    pc_changes_free(&c->changes, &p->memory);
    free_nodes(p, c);
    free_scratch(p, c);
    pc_blocks_free(&c->blocks, &p->memory);
    pc_release(&p->memory, c, 1, sizeof *c);
    p->cluster = NULL;
}

/* ---- the policy ---- */

static bool open_actions(struct policy *p)
{
    bool opened = true;
    for (uint32_t i = 0; i < pc_action_count && opened; i++)
        if ((p->config.quota.actions >> pc_actions[i]->action & 1) != 0)
            opened = pc_module_open(p, pc_actions[i]->module);
    return opened;
}

static bool open_backfill(struct policy *p)
{
    const struct pc_action *backfill = pc_backfill_of(p);
    if (backfill == NULL)
        return true;
    return pc_module_open(p, p->cluster->pending != NULL ? &pc_ahead_module : NULL) &&
           pc_module_open(p, backfill->module);
}

/* Opens the modules of the chosen rows. Returns false if out of memory. */
static bool open_modules(struct policy *p)
{
    bool opened =
        pc_module_open(p, p->order->module) &&
        pc_module_open(p, p->queue_order != NULL ? p->queue_order->module : NULL) &&
        pc_module_open(p, p->cluster->placement->module) &&
        pc_module_open(p, p->config.pods.on ? &pc_costs_module : NULL) &&
        pc_module_open(p, p->config.time_limits ? &pc_deadlines_module : NULL) && open_actions(p) &&
        open_backfill(p) &&
        pc_module_open(p, p->config.provision.how != POLICY_PROVISION_NONE ? &pc_provision_module
                                                                           : NULL);
    p->cluster->has_modules = p->modules.hear_of_jobs;
    return opened;
}

/* Creates the optional parts. Returns false if out of memory. */
static bool open_parts(struct policy *p)
{
    if (!pc_plugin_create(p))
        return false;
    return create_cluster(p) && open_modules(p);
}

struct policy *policy_create(const struct policy_config *given, struct policy_error *error)
{
    struct policy_config room;
    const struct policy_config *config = pc_config_in(given, &room, error);
    if (config == NULL || check_config(config, error) != POLICY_OK)
        return NULL;
    const struct pc_memory memory = {config->allocator};
    struct policy *p = pc_alloc(&memory, 1, sizeof *p);
    if (p == NULL) {
        pc_error_set(error, POLICY_NO_MEMORY, "no memory for the ", "policy", "");
        return NULL;
    }
    memset(p, 0, sizeof *p);
    p->memory = memory;
    p->config = *config;
    pc_complete_config(&p->config);
    p->order = pc_order_of(config);
    p->queue_order = config->queue_order != POLICY_NO_QUEUE_ORDER
                         ? pc_queue_orders[config->queue_order - 1]
                         : NULL;
    p->now = INT64_MIN;
    if (!open_parts(p)) {
        policy_destroy(p);
        pc_error_set(error, POLICY_NO_MEMORY, "no memory for the ", "policy", "");
        return NULL;
    }
    return p;
}

void policy_destroy(struct policy *p)
{
    if (p == NULL)
        return;
    const struct pc_memory memory = p->memory;
    pc_modules_close(p);
    destroy_cluster(p);
    pc_release(&memory, p->typical, p->typical_count, sizeof *p->typical);
    pc_plugin_destroy(p);
    pc_release(&memory, p->node_of_rank, p->rank_capacity, sizeof *p->node_of_rank);
    pc_release(&memory, p->decisions, p->decision_capacity, sizeof *p->decisions);
    pc_release(&memory, p, 1, sizeof *p);
}
