/* SPDX-License-Identifier: MIT */
/*
 * Consolidate: moves running jobs together so that a pending job fits. No job may lose: every
 * victim must get another place. Serves only preemptible jobs for which enough devices are free in
 * total.
 */
#include "act/act.h"
#include "act/actions.h"
#include "act/victims/bounds.h"
#include "act/victims/pool_rules.h"
#include "act/victims/victims.h"
#include "pending/queue_classes.h"
#include "state/gangs.h"
#include "state/tasks.h"

static bool may_be_victim(const struct pc_search *s, uint32_t job)
{
    (void)s, (void)job;
    return true;
}

static bool admits_leaf(const struct pc_search *s, uint32_t leaf)
{
    (void)s, (void)leaf;
    return true;
}

static struct pc_bound nothing(const struct pc_search *s, uint32_t queue)
{
    (void)s, (void)queue;
    return (struct pc_bound){.before_last = INT64_MAX};
}

static bool nobody_lost(struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        const struct pc_task *t = pc_task(c, c->evicted.of[i].job, c->evicted.of[i].task);
        if (!pc_is_put_back(t) && !pc_is_moved(t))
            return false;
    }
    return pc_pools_keep(s);
}

static int32_t most_victims(const struct policy *p)
{
    return p->config.quota.consolidation_victims;
}

static void reasons(const struct pc_search *s, uint8_t out[2])
{
    (void)s;
    out[0] = out[1] = POLICY_REASON_MOVED;
}

static const struct pc_purpose purpose = {.reach = PC_ALL,
                                          .may_be_victim = may_be_victim,
                                          .admits_leaf = admits_leaf,
                                          .accepts = nobody_lost,
                                          .most_lost = nothing,
                                          .most_victims = most_victims,
                                          .reasons = reasons};

/* Returns true if an equivalent job that could use the same nodes has failed in this action. */
static bool one_like_it_failed(const struct policy *p, uint32_t class)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_class *k = &c->classes[class];
    const struct pc_shape *s = &c->shapes[k->shape];
    return p->config.quota.signatures && s->failed_in == c->action_number &&
           s->failed_pool_set == c->queues[k->queue].pool_set;
}

static bool serves(const struct policy *p, uint32_t class)
{
    return p->cluster->classes[class].preemptible;
}

/* Returns true if enough devices are free in total and no quick check rules the job out. */
static bool has_prospect(struct policy *p, uint32_t job, const struct pc_amounts *wanted)
{
    const struct pc_cluster *c = p->cluster;
    return wanted->of[PC_GPU] <= c->soon_milli &&
           (pc_tries_all(c) || pc_has_prospect(p, job, wanted, 0));
}

static bool admits(struct policy *p, uint32_t class)
{
    const struct pc_cluster *c = p->cluster;
    if (one_like_it_failed(p, class))
        return false;
    uint32_t job = pc_class_head(&c->classes[class]);
    struct pc_amounts wanted = pc_next_amounts(p, job);
    return has_prospect(p, job, &wanted);
}

static bool move_together(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    if (one_like_it_failed(p, c->jobs[job].class))
        return false;
    struct pc_amounts wanted = pc_next_amounts(p, job);
    return has_prospect(p, job, &wanted) && pc_solve(p, job, &purpose);
}

static void failed(struct policy *p, uint32_t class)
{
    struct pc_cluster *c = p->cluster;
    struct pc_shape *s = &c->shapes[c->classes[class].shape];
    s->failed_in = c->action_number;
    s->failed_pool_set = c->queues[c->classes[class].queue].pool_set;
}

static void run(struct policy *p)
{
    static const struct pc_visit visit = {
        .serves = serves, .admits = admits, .visit = move_together, .failed = failed};
    if (p->config.quota.consolidation_victims != 0)
        pc_visit_pending(p, &visit);
}

const struct pc_action pc_action_consolidate = {
    .row = {"consolidate", "running jobs are moved so that a pending job fits"},
    .action = POLICY_CONSOLIDATE,
    .evicts = true,
    .run = run,
};
