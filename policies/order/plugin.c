/* SPDX-License-Identifier: MIT */
/* The orders of plugins: by a key that is asked for at submission (core/plugins.c), or ranked anew in each decision. */
#include "core/plugins.h"
#include "core/ranked.h"
#include "order/order.h"

static struct pq_key key(const struct policy *p, const struct policy_job_spec *job)
{
    const struct policy_plugin *of = &p->plugin->of;
    return (struct pq_key){.minor = of->key != NULL ? of->key(p->plugin->self, job) : 0};
}

/* The job as a plugin sees it, without seats; `roles` has room for PC_ROLES. */
static struct policy_plugin_job view(const struct policy *p, uint32_t id, struct policy_plugin_role *roles)
{
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    struct policy_plugin_job job;
    pc_view_job(p, id, &job);
    for (uint32_t i = 0; i < g->role_count; i++)
        pc_view_request(&g->roles[i].request, g->roles[i].tasks, &roles[i]);
    job.roles = roles;
    return job;
}

/* A whole policy sees jobs in the order of their keys. */
static void stand(struct policy *p, uint32_t id, struct pc_standing *s)
{
    const struct policy_plugin *of = &p->plugin->of;
    s->key = p->jobs[id].key;
    s->second = s->third = 0;
    s->turn = p->jobs[id].rank;
    if (of->rank != NULL) {
        struct policy_plugin_role roles[PC_ROLES];
        const struct policy_plugin_job job = view(p, id, roles);
        s->key = of->rank(p->plugin->self, &job, p->now);
    }
    if (of->decide == NULL)
        pc_ranked_tie(p, s);
}

static policy_time changes(const struct policy *p, uint32_t id)
{
    const struct policy_plugin *of = &p->plugin->of;
    if (of->changes == NULL)
        return INT64_MAX;
    struct policy_plugin_role roles[PC_ROLES];
    const struct policy_plugin_job job = view(p, id, roles);
    policy_time at = of->changes(p->plugin->self, &job, p->now);
    return at > p->now ? at : p->now + 1; /* else there would be no end of it */
}

const struct pq_job_order pc_order_plugin = {
    .row = {"plugin", "a plugin's, by what is known when a job is submitted"},
    .key = key,
};

const struct pq_job_order pc_order_plugin_ranked = {
    .row = {"plugin", "a plugin's, anew in each decision"},
    .traits = PQ_ORDER_RANKED,
    .key = key,
    .stand = stand,
    .changes = changes,
};
