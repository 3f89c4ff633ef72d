/* SPDX-License-Identifier: MIT */
/* The orders of plugins: by a key computed at submission, anew before each decision, or re-ranked
 * in each decision. */
#include "order/order.h"
#include "order/plugin_job.h"
#include "order/ranking.h"
#include "state/nodes.h"

static struct pc_key key(const struct policy *p, const struct policy_job_spec *job)
{
    const struct policy_plugin *of = &p->plugin->of;
    return (struct pc_key){.minor = of->key != NULL ? of->key(p->plugin->self, job) : 0};
}

#define PC_ROLES 16 /* most roles of a job shown to a plugin */

/* Thousandths of devices of all its tasks. */
static int64_t milli_of(const struct pc_cluster *c, const struct pc_shape *s)
{
    int64_t milli = 0;
    for (uint32_t i = 0; i < s->role_count; i++)
        milli += s->roles[i].tasks * pc_weigh_pending(c, &s->roles[i].request).of[PC_GPU];
    return milli;
}

void pc_plugin_job_fill(const struct policy *p, uint32_t id, struct policy_plugin_job *out)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[id];
    const struct pc_shape *s = &c->shapes[j->shape];
    const struct pc_plugin_job *told = &p->plugin->jobs[id];
    const struct pc_contender *x = &pc_ranking_of(p)->of[id];
    const struct pc_rank_run *run = pc_ranking_past(pc_ranking_of(p), id);
    const bool waits = pc_ranking_waits(p, id);
    *out = (struct policy_plugin_job){
        .id = {id, j->gen},
        .queue = {j->queue},
        .state = pc_ranking_runs(p, id) ? POLICY_JOB_RUNS
                 : waits                ? POLICY_JOB_WAITS
                                        : POLICY_JOB_LEAVES,
        .priority = j->priority,
        .preemptible = j->preemptible,
        .rank = j->rank,
        .submitted = j->submitted,
        .since = waits ? x->entered : run->since,
        .turn = waits ? x->turn : run->started,
        .key = j->key.minor,
        .run_ms = told->run_ms,
        .limit_ms = told->limit_ms,
        .estimate_ms = told->estimate_ms,
        .remaining_ms = pc_ranking_remaining(p, id),
        .attained = pc_ranking_attained(p, id),
        .gpu_milli = milli_of(c, s),
        .tasks = (int32_t)s->tasks,
        .role_count = s->role_count,
        .view = pc_plugin_look(p),
    };
}

/* The job as shown to the rank function: without seats. */
static struct policy_plugin_job shown(const struct policy *p, uint32_t id,
                                      struct policy_plugin_role *roles)
{
    const struct pc_shape *s = &p->cluster->shapes[p->cluster->jobs[id].shape];
    struct policy_plugin_job job;
    pc_plugin_job_fill(p, id, &job);
    for (uint32_t i = 0; i < s->role_count && i < PC_ROLES; i++) {
        roles[i] = pc_plugin_role(p, &s->roles[i].request, (int32_t)s->roles[i].tasks);
        roles[i].all = NULL; /* the scratch memory only holds one */
    }
    job.roles = roles;
    job.role_count = s->role_count < PC_ROLES ? s->role_count : PC_ROLES;
    return job;
}

static void rank(struct policy *p, uint32_t id, struct pc_rank *s)
{
    const struct policy_plugin *of = &p->plugin->of;
    s->key = p->cluster->jobs[id].key.minor;
    s->turn = p->cluster->jobs[id].rank;
    if (of->rank != NULL) {
        struct policy_plugin_role roles[PC_ROLES];
        const struct policy_plugin_job job = shown(p, id, roles);
        s->key = of->rank(p->plugin->self, &job, p->now);
    }
    if (of->decide == NULL)
        pc_ranking_tie(p, s);
}

static policy_time crossing(const struct policy *p, uint32_t id)
{
    const struct policy_plugin *of = &p->plugin->of;
    if (of->changes == NULL)
        return INT64_MAX;
    struct policy_plugin_role roles[PC_ROLES];
    const struct policy_plugin_job job = shown(p, id, roles);
    policy_time at = of->changes(p->plugin->self, &job, p->now);
    return at > p->now ? at : p->now + 1; /* else it would wake up forever */
}

/* ---- a key that changes ---- */

static struct pc_key rekey(const struct policy *p, uint32_t id)
{
    const policy_job job = {id, p->cluster->jobs[id].gen};
    return (struct pc_key){.minor = p->plugin->of.rekey(p->plugin->self, pc_plugin_look(p), job)};
}

/* When the keys of this time change next. */
static policy_time change_after(const struct policy *p)
{
    const struct policy_plugin *of = &p->plugin->of;
    if (of->rekeys_at == NULL)
        return INT64_MAX;
    policy_time at = of->rekeys_at(p->plugin->self, pc_plugin_look(p));
    return at > p->now ? at : p->now + 1; /* else it would wake up forever */
}

/* Events of any kind may have changed keys. */
static bool refresh(struct policy *p)
{
    p->plugin->keys_change_at = change_after(p);
    return true;
}

static policy_time next_change(const struct policy *p)
{
    const policy_time at = p->plugin->keys_change_at;
    return at != POLICY_NEVER ? at : change_after(p);
}

/* ---- rows ---- */

const struct pc_job_order pc_order_plugin = {
    .row = {"plugin", "set by a plugin at submission"},
    .key = key,
};

const struct pc_job_order pc_order_plugin_rekeyed = {
    .row = {"plugin", "set by a plugin before each decision"},
    .key = key,
    .rekey = rekey,
    .refresh = refresh,
    .next_change = next_change,
};

const struct pc_job_order pc_order_plugin_ranked = {
    .row = {"plugin", "set by a plugin in each decision"},
    .traits = PC_ORDER_RANKED,
    .key = key,
    .module = &pc_ranking_module,
    .rank = rank,
    .next_crossing = crossing,
};
