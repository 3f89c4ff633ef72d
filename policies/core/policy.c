/* SPDX-License-Identifier: MIT */
/* The life of a policy, and deciding. */
#include "act/allocate.h"
#include "act/backfill.h"
#include "act/backfill_lanes.h"
#include "act/eviction_costs.h"
#include "act/limits.h"
#include "act/time_limits.h"
#include "cluster/cluster.h"
#include "core/groups.h"
#include "core/limits.h"
#include "core/multifactor.h"
#include "core/pending.h"
#include "core/plugins.h"
#include "core/ranked.h"
#include "core/sites.h"
#include "core/sized.h"
#include "core/waiting.h"
#include "options.h"
#include "order/order.h"
#include "pending/ahead.h"
#include "place/near.h"
#include "place/place.h"
#include "place/scores.h"
#include "plugin_config.h"
#include "query/plugins.h"

#include <string.h>

static int check_config(const struct policy_config *config, struct policy_error *error)
{
    if (config->plugin != NULL && pc_plugin_check(config->plugin, error) != POLICY_OK)
        return POLICY_INVALID;
    if (config->allocator.resize == NULL) {
        pc_error_set(error, POLICY_INVALID, "the configuration was not made by ", "policy_config_init()", "");
        return POLICY_INVALID;
    }
    if (config->order < 0 || (uint32_t)config->order >= pc_order_count || config->placement < 0 ||
        (uint32_t)config->placement >= pc_placement_count) {
        pc_error_set(error, POLICY_INVALID, "order or placement of the configuration: ", config->preset,
                     " has no such row");
        return POLICY_INVALID;
    }
    if (config->scope < POLICY_SCOPE_FLEET || config->scope > POLICY_SCOPE_QUEUE ||
        config->blocking < POLICY_STRICT || config->blocking > POLICY_SKIP) {
        pc_error_set(error, POLICY_INVALID, "scope or blocking of the configuration: ", config->preset,
                     " has no such value");
        return POLICY_INVALID;
    }
    if (config->backfill < POLICY_NO_BACKFILL || config->backfill > POLICY_CONSERVATIVE ||
        config->easy_variant < POLICY_EASY_TEXTBOOK || config->easy_variant > POLICY_EASY_FROZEN) {
        pc_error_set(error, POLICY_INVALID, "backfill or easy_variant of the configuration: ", config->preset,
                     " has no such value");
        return POLICY_INVALID;
    }
    if (config->backfill != POLICY_NO_BACKFILL && config->blocking != POLICY_STRICT) {
        pc_error_set(error, POLICY_INVALID, "backfill of the policy ", config->preset,
                     " needs blocking strict: nobody waits behind another otherwise");
        return POLICY_INVALID;
    }
    return policy_config_check(config, error);
}

/* Of the chosen rows; false: no memory. */
static bool open_modules(struct policy *p)
{
    bool opened = pc_module_open(p, p->order->module) && pc_module_open(p, p->cluster->placement->module) &&
                  pc_module_open(p, p->config.pods.on ? &pq_costs_module : NULL) &&
                  pc_module_open(p, p->config.time_limits ? &pq_deadlines_module : NULL);
    const struct pq_action *backfill = p->cluster->pending != NULL ? pq_backfill_of(p) : NULL;
    opened = opened && (backfill == NULL ||
                        (pc_module_open(p, &pq_ahead_module) && pc_module_open(p, backfill->module)));
    p->cluster->has_modules = p->modules.hear_of_jobs;
    return opened;
}

/* What only some policies have. False: no memory. */
static bool open_parts(struct policy *p)
{
    if (!pc_plugin_create(p))
        return false;
    if (p->config.quota.actions != 0 || pc_is_ported(&p->config))
        return pq_create(p) && open_modules(p);
    if (!pc_plugin_line_create(p))
        return false;
    if (p->placement->keeps_scores && (p->scores = pc_scores_create(&p->memory)) == NULL)
        return false;
    if (p->placement->near && !pc_near_create(p))
        return false;
    if (policy_is_ranked(&p->config) && !pc_ranked_create(p))
        return false;
    if (p->order == &pc_order_multifactor && !pc_multifactor_create(p))
        return false;
    return p->config.scope != POLICY_SCOPE_FLEET || pc_lane_add(p);
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
    p->placement = pc_placement_of(config);
    p->now = INT64_MIN;
    p->group_free = p->job_free = p->slot_free = p->running = PC_NONE;
    pc_candidates_init(&p->candidates);
    pc_plan_init(&p->plan);
    p->fleet_version = p->judged_version = 1;
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
    pq_destroy(p);
    pc_scores_destroy(p->scores, &memory);
    pc_near_destroy(p);
    pc_release(&memory, p->typical, p->typical_count, sizeof *p->typical);
    pc_ranked_destroy(p);
    pc_plugin_line_destroy(p);
    pc_plugin_destroy(p);
    pc_multifactor_destroy(p);
    for (uint32_t i = 0; i < p->node_count; i++)
        pc_release(&memory, p->nodes[i].room, PC_NODE_COUNTS, sizeof(uint16_t));
    for (uint32_t i = 0; i < p->pool_count; i++)
        pc_release(&memory, p->pools[i].sites, p->pools[i].site_capacity, sizeof(uint32_t));
    for (uint32_t i = 0; i < p->site_count; i++)
        pc_site_free(p, &p->sites[i]);
    for (uint32_t i = 0; i < p->group_count; i++)
        pc_group_free(p, &p->groups[i]);
    for (uint32_t i = 0; i < p->lane_count; i++)
        pc_release(&memory, p->lanes[i].groups.ids, p->lanes[i].groups.capacity, sizeof(uint32_t));
    pc_release(&memory, p->nodes, p->node_capacity, sizeof *p->nodes);
    pc_release(&memory, p->node_of_rank, p->rank_capacity, sizeof *p->node_of_rank);
    pc_release(&memory, p->pools, p->pool_capacity, sizeof *p->pools);
    pc_release(&memory, p->sites, p->site_capacity, sizeof *p->sites);
    pc_release(&memory, p->queues, p->queue_capacity, sizeof *p->queues);
    pc_release(&memory, p->groups, p->group_capacity, sizeof *p->groups);
    pc_release(&memory, p->hash, p->hash_capacity, sizeof *p->hash);
    pc_release(&memory, p->jobs, p->job_capacity, sizeof *p->jobs);
    pc_release(&memory, p->slots, p->slot_capacity, sizeof *p->slots);
    pc_release(&memory, p->held.entries, p->held.capacity, sizeof *p->held.entries);
    pc_release(&memory, p->lanes, p->lane_capacity, sizeof *p->lanes);
    pc_release(&memory, p->lanes_ready.ids, p->lanes_ready.capacity, sizeof(uint32_t));
    pc_release(&memory, p->aside, p->aside_capacity, sizeof *p->aside);
    pc_candidates_free(&p->candidates, &memory);
    pc_plan_free(&p->plan, &memory);
    pc_release(&memory, p->reservations.of, p->reservations.capacity, sizeof *p->reservations.of);
    pc_release(&memory, p->claims.of, p->claims.capacity, sizeof *p->claims.of);
    pc_release(&memory, p->undo, p->undo_capacity, sizeof *p->undo);
    pc_release(&memory, p->decisions, p->decision_capacity, sizeof *p->decisions);
    pc_release(&memory, p, 1, sizeof *p);
}

static bool decide_line(struct policy *p)
{
    if (p->multifactor != NULL)
        pc_multifactor_refresh(p);
    pc_limits_refresh(p);
    return pc_enforce_time_limits(p) && pc_allocate(p) && pc_backfill(p);
}

static policy_time earlier(policy_time a, policy_time b)
{
    return a < b ? a : b;
}

const struct policy_decision *policy_decide(struct policy *p, policy_time now, size_t *count)
{
    *count = 0;
    p->decision_count = 0;
    p->error.status = POLICY_OK; /* so that afterwards it tells whether memory ran out */
    p->error.message[0] = '\0';
    if (p->cluster != NULL)
        return pq_decide(p, now, count);
    if (pc_at(p, now) != POLICY_OK)
        return NULL;
    if (pc_pending_release_held(p, now) != POLICY_OK) {
        pc_refuse(p, POLICY_NO_MEMORY, "jobs to be released", p->held_jobs, "no memory for them");
        return NULL;
    }
    pc_pending_wake(p);
    bool complete = p->plugin != NULL && p->plugin->of.decide != NULL ? pc_plugin_decide(p)
                    : p->ranked != NULL                               ? pc_ranked_decide(p)
                                                                      : decide_line(p);
    pc_waiting_close(p, complete);
    *count = p->decision_count;
    return p->decision_count > 0 ? p->decisions : NULL;
}

policy_time policy_next_wakeup(const struct policy *p)
{
    if (p->cluster != NULL)
        return pq_next_wakeup(p);
    policy_time next = p->held.count > 0 ? p->held.entries[0].key : INT64_MAX;
    if (p->ranked != NULL)
        next = earlier(next, p->ranked->wakeup);
    if (p->multifactor != NULL)
        next = earlier(next, pc_multifactor_wakeup(p));
    return earlier(next, pc_time_limits_wakeup(p));
}

bool policy_has_work(const struct policy *p)
{
    if (p->cluster != NULL)
        return pq_has_work(p);
    if (p->ranked != NULL)
        return p->ranked->any || p->judged_version != p->fleet_version;
    return p->lanes_ready.count > 0 || p->any_freed || p->limits_eased ||
           p->judged_version != p->fleet_version ||
           (p->backfill_due && p->config.backfill != POLICY_NO_BACKFILL);
}
