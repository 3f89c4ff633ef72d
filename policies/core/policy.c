/* SPDX-License-Identifier: MIT */
/* The life of a policy, and deciding. */
#include "act/backfill_lanes.h"
#include "act/eviction_costs.h"
#include "act/limits.h"
#include "cluster/cluster.h"
#include "core/sized.h"
#include "options.h"
#include "order/order.h"
#include "pending/ahead.h"
#include "place/place.h"
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
    return pq_create(p) && open_modules(p);
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
    pq_destroy(p);
    pc_release(&memory, p->typical, p->typical_count, sizeof *p->typical);
    pc_plugin_destroy(p);
    pc_release(&memory, p->node_of_rank, p->rank_capacity, sizeof *p->node_of_rank);
    pc_release(&memory, p->decisions, p->decision_capacity, sizeof *p->decisions);
    pc_release(&memory, p, 1, sizeof *p);
}
