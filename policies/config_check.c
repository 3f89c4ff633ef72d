/* SPDX-License-Identifier: MIT */
/*
 * Checks a configuration before a policy is made from it: ranges of options, and which of them need
 * another. Combinations of rows are checked in composition.c.
 */
#include "composition.h"
#include "config_defaults.h"
#include "order/multifactor.h"
#include "order/order.h"
#include "order/queue_orders.h"
#include "plugin_config.h"
#include "state/plugins.h"
#include "state/sized.h"
#include "state/traits.h"

/* Each check returns what is wrong, or NULL. */
static const char *check_ranked(const struct policy_config *config)
{
    const struct policy_ranked_options *r = &config->ranked;
    if (r->thresholds < 0 || r->thresholds > POLICY_MAX_THRESHOLDS ||
        r->ties < POLICY_TIES_RUNNING || r->ties > POLICY_TIES_PREVIOUS ||
        r->demotion < POLICY_DEMOTE_EXACT || r->demotion > POLICY_DEMOTE_PUBLISHED)
        return "a value of the ranked options is out of range";
    if (pc_order_of(config) != &pc_order_attained &&
        (r->thresholds > 0 || r->demotion != POLICY_DEMOTE_EXACT))
        return "threshold_gpu_s and demotion need the order 'attained'";
    if ((pc_order_of(config)->traits & PC_ORDER_RANKED) == 0)
        return r->ties != POLICY_TIES_RUNNING || r->refill
                   ? "ties and refill need a preemptive order"
                   : NULL;
    return r->demotion == POLICY_DEMOTE_PUBLISHED && r->ties != POLICY_TIES_RUNNING
               ? "demotion 'published' has its own rule for ties"
               : NULL;
}

static const char *check_multifactor(const struct policy_config *config)
{
    const struct policy_multifactor_options *m = &config->multifactor;
    const int64_t weights[] = {m->weight_age, m->weight_fairshare, m->weight_job_size,
                               m->weight_partition, m->weight_qos};
    bool any = pc_has_multifactor_options(m);
    bool wide = m->max_age_ms < 0 || m->max_age_ms > PC_LONG_MS || m->half_life_ms < 0 ||
                m->half_life_ms > PC_LONG_MS || m->calc_period_ms < 0 ||
                m->calc_period_ms > PC_LONG_MS;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        wide = wide || weights[i] < 0 || weights[i] > PC_MOST_WEIGHT;
    if (wide)
        return "a value of the options of priority is out of range";
    if (pc_order_of(config) != &pc_order_multifactor)
        return any ? "options of priority need the order 'multifactor'" : NULL;
    return any && (m->max_age_ms == 0 || m->calc_period_ms == 0)
               ? "the order 'multifactor' needs priority_max_age_s and priority_calc_period_s"
               : NULL;
}

static const char *check_tasks(const struct policy_config *config)
{
    const struct policy_pod_options *o = &config->pods;
    if (o->on < 0 || o->on > 1 || o->score < POLICY_LEAST_ALLOCATED ||
        o->score > POLICY_MOST_ALLOCATED || o->order < POLICY_PODS_BY_JOB ||
        o->order > POLICY_PODS_IN_TURNS || o->victims < POLICY_VICTIMS_LOWER ||
        o->victims > POLICY_VICTIMS_PREEMPTIBLE)
        return "a value of the options of tasks one by one is out of range";
    return !o->on && (o->score != 0 || o->order != 0 || o->victims != 0)
               ? "score, pod_order and victims are options of kube-default: set unit to 'task'"
               : NULL;
}

static const char *check_queue_order(const struct policy_config *config)
{
    bool quotas = config->queue_order != POLICY_NO_QUEUE_ORDER;
    if (config->queue_order < 0 || config->queue_order > (int32_t)pc_queue_order_count)
        return "queue_order of the configuration has no such row";
    return quotas && config->quota.saturation_ppm < 1000000
               ? "the options of a queue order are missing: set it by policy_config_set()"
               : NULL;
}

static const char *check_provision(const struct policy_config *config)
{
    const struct policy_provision_options *o = &config->provision;
    if (o->how < POLICY_PROVISION_NONE || o->how > POLICY_PROVISION_PREDICTIVE || o->headroom < 0 ||
        o->protect_ms < 0 || o->protect_ms > PC_LONG_MS || o->budget < 0)
        return "a value of the options of provisioning is out of range";
    return o->how != POLICY_PROVISION_NONE && policy_placement_counts(config)
               ? "provision needs nodes, and placement 'count' knows none: choose another placement"
               : NULL;
}

int policy_config_check(const struct policy_config *given, struct policy_error *error)
{
    static const char *(*const checks[])(const struct policy_config *) = {
        check_ranked,      check_tasks,     check_queue_order,    pc_plugin_check_options,
        check_multifactor, check_provision, pc_composition_wrong,
    };
    struct policy_config room;
    const struct policy_config *config = pc_config_in(given, &room, error);
    if (config == NULL)
        return POLICY_INVALID;
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        const char *wrong = checks[i](config);
        if (wrong == NULL)
            continue;
        pc_error_set(error, POLICY_INVALID, "", wrong, "");
        return POLICY_INVALID;
    }
    return POLICY_OK;
}
