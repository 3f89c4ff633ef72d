/* SPDX-License-Identifier: MIT */
/*
 * A whole policy provided by a plugin decides about the lane of the fleet: it sees arrays of nodes
 * and jobs, and its functions take jobs and seats of these. They all delegate to the variants by id
 * (plugin_plan.c).
 */
#include "act/plugin_plan.h"
#include "act/plugin_show.h"
#include "state/nodes.h"
#include "state/tasks.h"

static const policy_job no_job = {POLICY_NO_ID, 0};

static policy_job id_of(const struct policy_plugin_job *job)
{
    return job != NULL ? job->id : no_job;
}

/* ---- functions called by plugins ---- */

static const struct policy_plugin_node *node_of(const struct policy_plan *open, policy_node id)
{
    const struct policy *p = ((const struct pc_plugin_plan *)open)->p;
    const struct pc_plugin_shown *s = &p->plugin->shown;
    return id.i < p->cluster->node_count && s->node_at[id.i] != PC_NONE
               ? &s->nodes[s->node_at[id.i]]
               : NULL;
}

/* Returns the request of a role: of one that was shown, or of one made up by the plugin, which has
 * no terms and no MIG. */
static struct pc_request request_of(const struct policy_plugin_role *role)
{
    const bool part =
        role->devices > 0 && role->device_milli > 0 && role->device_milli < POLICY_WHOLE;
    return (struct pc_request){.devices = role->devices,
                               .share = part ? role->device_milli : 0,
                               .cpu = role->cpu_milli,
                               .mem = role->mem_mib,
                               .types = role->types,
                               .selector = PC_NONE};
}

/* Returns the shown job that owns the role, and its first task with that role; PC_NONE: none. */
static uint32_t owner_of(const struct policy *p, const struct policy_plugin_role *role,
                         uint32_t *task)
{
    const struct pc_plugin_shown *s = &p->plugin->shown;
    for (uint32_t i = 0; i < s->job_count; i++) {
        const struct policy_plugin_job *job = &s->jobs[i];
        if (role < job->roles || role >= job->roles + job->role_count)
            continue;
        *task = p->cluster->shapes[p->cluster->jobs[job->id.i].shape]
                    .roles[role - job->roles]
                    .first_task;
        return job->id.i;
    }
    return PC_NONE;
}

static bool fits(const struct policy_plan *open, const struct policy_plugin_node *node,
                 const struct policy_plugin_role *role)
{
    const struct policy *p = ((const struct pc_plugin_plan *)open)->p;
    const struct pc_cluster *c = p->cluster;
    uint32_t task = 0;
    if (node == NULL || role == NULL || node->id.i >= c->node_count || !c->nodes[node->id.i].exists)
        return false;
    const uint32_t job = role->all != NULL ? owner_of(p, role, &task) : PC_NONE;
    const struct pc_request r = job != PC_NONE ? *pc_request_of(c, job, task) : request_of(role);
    return pc_node_suits(c, &c->nodes[node->id.i], &r) && pc_fits_now(c, &c->nodes[node->id.i], &r);
}

static bool place(struct policy_plan *open, const struct policy_plugin_job *job)
{
    return pc_plugin_plan_place(open, id_of(job));
}

/* Returns the pending job that is to get `count` seats; PC_NONE: the call was illegal, and the plan
 * is stopped. */
static uint32_t one_to_seat(struct pc_plugin_plan *plan, const struct policy_plugin_job *job,
                            bool seated, uint32_t count)
{
    const struct pc_cluster *c = plan->p->cluster;
    const policy_job id = id_of(job);
    if (id.i >= c->job_count || c->jobs[id.i].state != PC_LIVE || c->jobs[id.i].gen != id.gen) {
        pc_plugin_plan_wrong(plan, PC_NONE, "starts a job that does not exist", "no job has the id",
                             id.i);
        return PC_NONE;
    }
    if (!pc_ranking_waits(plan->p, id.i)) {
        pc_plugin_plan_wrong(plan, id.i, "starts a job that does not wait", NULL, 0);
        return PC_NONE;
    }
    if (seated && count == c->shapes[c->jobs[id.i].shape].tasks)
        return id.i;
    pc_plugin_plan_wrong(plan, id.i, "starts a gang in part", "places for all of its tasks, not",
                         count);
    return PC_NONE;
}

static bool start(struct policy_plan *open, const struct policy_plugin_job *job,
                  const struct policy_plugin_seat *seats, uint32_t count)
{
    struct pc_plugin_plan *plan = (struct pc_plugin_plan *)open;
    const struct pc_memory *memory = &plan->p->memory;
    if (plan->stopped || one_to_seat(plan, job, seats != NULL, count) == PC_NONE)
        return false;
    struct policy_plugin_start *starts = pc_alloc(memory, count, sizeof *starts);
    if (starts == NULL) {
        plan->p->cluster->out_of_memory = plan->stopped = true;
        return false;
    }
    for (uint32_t i = 0; i < count; i++)
        starts[i] = (struct policy_plugin_start){i, seats[i].node, seats[i].devices};
    const bool done = pc_plugin_plan_start(open, job->id, starts, count);
    pc_release(memory, starts, count, sizeof *starts);
    return done;
}

static bool evict(struct policy_plan *open, const struct policy_plugin_job *job,
                  const struct policy_plugin_job *for_job)
{
    return pc_plugin_plan_evict(open, id_of(job), id_of(for_job));
}

/* ---- the decision ---- */

static bool ask(struct policy *p, struct pc_rank_lane *lane)
{
    const struct pc_plugin_shown *s = &p->plugin->shown;
    struct pc_plugin_plan plan = {
        .open = {.size = sizeof plan.open,
                 .now = p->now,
                 .nodes = s->nodes,
                 .jobs = s->jobs,
                 .node_count = s->node_count,
                 .job_count = s->job_count,
                 .wake_at = INT64_MAX,
                 .node = node_of,
                 .fits = fits,
                 .place = place,
                 .start = start,
                 .evict = evict,
                 .give_up = pc_plugin_plan_give_up,
                 .view = pc_plugin_look(p),
                 .place_job = pc_plugin_plan_place,
                 .start_tasks = pc_plugin_plan_start,
                 .evict_job = pc_plugin_plan_evict,
                 .shrink_job = pc_plugin_plan_shrink},
        .p = p,
    };
    lane->news++;
    p->plugin->decisions++;
    p->cluster->action = 0;
    p->plugin->of.decide(p->plugin->self, &plan.open);
    if (!plan.stopped && plan.open.wake_at <= p->now)
        pc_plugin_plan_wrong(&plan, PC_NONE, "asks to be woken at a time in the past", "time",
                             plan.open.wake_at);
    lane->wakeup = plan.stopped || lane->waiting == 0 ? INT64_MAX : plan.open.wake_at;
    return !plan.stopped;
}

bool pc_plugin_decide(struct policy *p)
{
    struct pc_ranking *r = pc_ranking_of(p);
    struct pc_rank_lane *lane = &r->lanes[0]; /* the only lane: the whole fleet */
    if (!r->all && !lane->stale && !lane->owed && lane->wakeup > p->now)
        return true;
    lane->stale = r->any = true;
    if (!pc_plugin_show(p, r, lane)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    bool done = ask(p, lane);
    r->wakeup = lane->wakeup;
    lane->stale = r->any = !done;
    lane->owed = r->all = false;
    return done;
}
