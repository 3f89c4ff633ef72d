/* SPDX-License-Identifier: MIT */
/* The plugin's view: queues, jobs, their requests and the places of their tasks. */
#include "query/plugin_view.h"
#include "query/plugins.h"
#include "state/jobs.h"
#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

/* ---- queues ---- */

static struct policy_share share_of(const struct pc_queue *q, int resource)
{
    return (struct policy_share){q->quota.of[resource], q->reported_limit.of[resource],
                                 q->weight.of[resource]};
}

bool pc_view_queue(const struct policy_view *view, policy_queue id, struct policy_view_queue *out)
{
    const struct pc_cluster *c = pc_view_of(view)->p->cluster;
    if (c == NULL || id.i >= c->queue_count || !c->queues[id.i].exists)
        return false;
    const struct pc_queue *q = &c->queues[id.i];
    const struct pc_pool_set *pools = &c->pool_sets[q->pool_set];
    const struct policy_view_queue answer = {
        .id = id,
        .parent = {q->parent},
        .priority = q->priority,
        .rank = q->rank,
        .created = q->created,
        .leaf = q->leaf,
        .gpu = share_of(q, PC_GPU),
        .cpu = share_of(q, PC_CPU),
        .mem = share_of(q, PC_MEM),
        .pools = pools->pool_count > 0 ? pools->pools : NULL,
        .pool_count = pools->pool_count,
        .fixed_milli = q->fixed_milli,
        .preempt_min_runtime_ms = q->preempt_min_ms,
        .reclaim_min_runtime_ms = q->reclaim_min_ms,
        .allocated = pc_public(&q->allocated),
        .non_preemptible = pc_public(&q->fixed),
        .request = pc_public(&q->request),
        .fair_share = pc_public(&q->fair),
        .usage_ppm = pc_public(&q->usage_ppm),
        .jobs = q->jobs,
    };
    pc_view_answer(out, &answer, sizeof answer);
    return true;
}

/* ---- jobs ---- */

static const struct pc_job *job_of(const struct policy_view *view, policy_job id)
{
    const struct pc_cluster *c = pc_view_of(view)->p->cluster;
    if (c == NULL || id.i >= c->job_count)
        return NULL;
    const struct pc_job *j = &c->jobs[id.i];
    return j->state != PC_FREE && j->gen == id.gen ? j : NULL;
}

/* The tasks of the role within its pod set's minimum, which the first tasks form. */
static int64_t of_minimum(const struct pc_shape *s, const struct pc_role *role)
{
    const struct pc_set *set = &s->sets[role->set];
    int64_t count = set->min_tasks - (int64_t)(role->first_task - set->first_task);
    return count < 0 ? 0 : count > role->tasks ? role->tasks : count;
}

static void weigh(const struct pc_cluster *c, const struct pc_shape *s,
                  struct policy_view_job *answer)
{
    struct pc_amounts minimum = {{0}}, all = {{0}};
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_amounts each = pc_weigh_pending(c, &s->roles[i].request);
        pc_add(&minimum, &each, of_minimum(s, &s->roles[i]));
        pc_add(&all, &each, s->roles[i].tasks);
    }
    for (uint32_t i = 0; i < s->set_count; i++)
        answer->min_tasks += s->sets[i].min_tasks;
    answer->minimum = pc_public(&minimum);
    answer->all = pc_public(&all);
}

bool pc_view_job_of(const struct policy_view *view, uint32_t i, struct policy_view_job *out)
{
    const struct policy *p = pc_view_of(view)->p;
    const struct pc_cluster *c = p->cluster;
    if (c == NULL || i >= c->job_count || c->jobs[i].state == PC_FREE)
        return false;
    const struct pc_job *j = &c->jobs[i];
    const struct pc_shape *s = &c->shapes[j->shape];
    const struct pc_plugin_job *told = &p->plugin->jobs[i];
    struct policy_view_job answer = {
        .id = {i, j->gen},
        .queue = {j->queue},
        .priority = j->priority,
        .workload = j->workload,
        .preemptible = j->preemptible,
        .eligible_now = j->state == PC_LIVE,
        .user = told->user,
        .rank = j->rank,
        .submitted = j->submitted,
        .eligible = pc_eligible(c, j),
        .last_start = pc_last_start(j),
        .stale_since = j->stale ? j->detail->stale_since : POLICY_NEVER,
        .idle_since = j->detail != NULL ? j->detail->idle_since : POLICY_NEVER,
        .run_ms = told->run_ms,
        .limit_ms = told->limit_ms,
        .estimate_ms = told->estimate_ms,
        .remaining_ms = pc_plugin_remaining(p, i),
        .attained = pc_plugin_attained(p, i),
        .tasks = (int32_t)s->tasks,
        .running = j->running,
        .releasing = j->releasing,
        .pending = j->pending,
        .role_count = s->role_count,
        .group_count = s->group_count,
        .topology = s->topology,
    };
    weigh(c, s, &answer);
    pc_view_answer(out, &answer, sizeof answer);
    return true;
}

bool pc_view_role(const struct policy_view *view, policy_job id, uint32_t role,
                  struct policy_role *out)
{
    const struct pc_job *j = job_of(view, id);
    const struct pc_shape *s = j != NULL ? &pc_view_of(view)->p->cluster->shapes[j->shape] : NULL;
    if (s == NULL || role >= s->role_count)
        return false;
    const struct pc_role *r = &s->roles[role];
    const struct pc_set *set = &s->sets[r->set];
    const struct policy_role answer = {
        .tasks = (int32_t)r->tasks,
        .min_tasks = set->min_tasks,
        .joined = r->first_task != set->first_task,
        .group = set->group,
        .topology = set->topology,
        .request = pc_plugin_request(pc_view_of(view), &r->request),
    };
    pc_view_answer(out, &answer, sizeof answer);
    return true;
}

bool pc_view_group(const struct policy_view *view, policy_job id, uint32_t group,
                   struct policy_group *out)
{
    const struct pc_job *j = job_of(view, id);
    const struct pc_shape *s = j != NULL ? &pc_view_of(view)->p->cluster->shapes[j->shape] : NULL;
    if (s == NULL || group >= s->group_count)
        return false;
    *out = s->groups[group];
    return true;
}

/* ---- tasks ---- */

static int32_t state_of(const struct pc_task *t)
{
    if (t->place.holding != PC_NOTHING)
        return t->place.holding == PC_RUNS ? POLICY_TASK_RUNS : POLICY_TASK_LEAVES;
    if (t->end == PC_GATED)
        return POLICY_TASK_GATED;
    return t->end == PC_ALIVE ? POLICY_TASK_PENDING : POLICY_TASK_OVER;
}

bool pc_view_task(const struct policy_view *view, policy_job id, uint32_t task,
                  struct policy_view_task *out)
{
    const struct pc_job *j = job_of(view, id);
    const struct pc_shape *s = j != NULL ? &pc_view_of(view)->p->cluster->shapes[j->shape] : NULL;
    if (s == NULL || task >= s->tasks)
        return false;
    const struct pc_task *t = pc_task_of(j, task);
    struct policy_view_task answer = {
        .state = state_of(t),
        .role = (uint32_t)(pc_role_of(s, task) - s->roles),
        .node = {POLICY_NO_ID},
        .nominated = {POLICY_NO_ID},
    };
    if (t->place.holding != PC_NOTHING) {
        answer.node.i = t->place.node;
        answer.devices = t->place.devices;
    }
    if (t->place.nominated != PC_NONE)
        answer.nominated.i = t->place.nominated;
    pc_view_answer(out, &answer, sizeof answer);
    return true;
}

bool pc_view_fits(const struct policy_view *view, policy_job id, uint32_t task, policy_node node)
{
    const struct pc_cluster *c = pc_view_of(view)->p->cluster;
    const struct pc_job *j = job_of(view, id);
    if (j == NULL || task >= c->shapes[j->shape].tasks || node.i >= c->node_count ||
        !c->nodes[node.i].exists)
        return false;
    const struct pc_node *n = &c->nodes[node.i];
    return n->state == POLICY_NODE_UP &&
           pc_pool_set_has(&c->pool_sets[c->queues[j->queue].pool_set], n->pool) &&
           pc_node_suits(c, n, pc_request_of(c, id.i, task)) &&
           pc_fits_now(c, n, pc_request_of(c, id.i, task));
}
