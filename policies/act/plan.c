/* SPDX-License-Identifier: MIT */
/*
 * A decision of a whole policy that is a plugin. It works on a view of nodes and jobs; what it wants done comes through the
 * functions of its plan, each of which checks everything first and then does it, or refuses and ends the decision.
 * Jobs are told by their ids, so that a plugin may sort copies of them. Costs n of nodes, jobs and tasks each time.
 */
#include "act/allocate.h"
#include "core/groups.h"
#include "core/jobs.h"
#include "core/nodes.h"
#include "core/plugins.h"
#include "core/ranked.h"
#include "core/sites.h"
#include "core/txn.h"

struct plan {
    struct policy_plan open; /* what the plugin is given */
    struct policy *p;
    bool stopped; /* it did what it may not, or there is no memory; the error says what */
};

/* ---- errors ---- */

/* Ends the decision: "policy 'mine' starts ...: task 3 of a job of 4". Returns false. */
static bool wrong(struct plan *plan, uint32_t job, const char *what, const char *of, int64_t value)
{
    struct policy *p = plan->p;
    pc_error_set(&p->error, POLICY_WRONG_PLUGIN, "policy '", p->config.preset, "' ");
    pc_error_text(&p->error, what);
    if (of != NULL) {
        pc_error_text(&p->error, ": ");
        pc_error_text(&p->error, of);
        pc_error_text(&p->error, " ");
        pc_error_number(&p->error, value);
    }
    p->plugin->wrong_job = pc_job_id(p, job);
    plan->stopped = true;
    return false;
}

static bool no_memory(struct plan *plan, int64_t tasks)
{
    pc_refuse(plan->p, POLICY_NO_MEMORY, "tasks", tasks, "no memory to decide about them");
    plan->stopped = true;
    return false;
}

static struct plan *plan_of(struct policy_plan *open)
{
    return (struct plan *)open;
}

/* ---- the view ---- */

static bool show_nodes(struct policy *p)
{
    struct pc_view *v = &p->plugin->line->view;
    if (!PC_GROW(&p->memory, v->nodes, v->node_capacity, p->node_count) ||
        !PC_GROW(&p->memory, v->node_at, v->node_at_capacity, p->node_count))
        return false;
    v->node_count = 0;
    for (uint32_t node = 0; node < p->node_count; node++)
        v->node_at[node] = PC_NONE;
    for (uint32_t rank = 0; rank < p->rank_capacity; rank++) {
        uint32_t node = p->node_of_rank[rank];
        if (node == PC_NONE || !p->nodes[node].exists)
            continue;
        v->node_at[node] = v->node_count;
        pc_view_node(p, node, &v->nodes[v->node_count++]);
    }
    return true;
}

/* The seats that a job has now; there is room for all of its tasks. */
static void show_seats(const struct policy *p, struct policy_plugin_job *out,
                       struct policy_plugin_seat *seats)
{
    out->seats = seats;
    out->seat_count = 0;
    for (uint32_t s = p->jobs[out->id.i].first_slot; s != PC_NONE; s = p->slots[s].next)
        seats[out->seat_count++] = (struct policy_plugin_seat){{p->slots[s].node}, p->slots[s].devices};
}

static void show_job(struct policy *p, uint32_t id)
{
    struct pc_view *v = &p->plugin->line->view;
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    struct policy_plugin_job *out = &v->jobs[v->job_count];
    const int64_t key = v->job_count < v->ranked ? p->ranked->walk[v->job_count].key : 0;
    pc_view_job(p, id, out);
    out->key = p->plugin->of.rank != NULL ? key : out->key;
    out->roles = &v->roles[v->role_count];
    for (uint32_t i = 0; i < g->role_count; i++)
        pc_view_request(&g->roles[i].request, g->roles[i].tasks, &v->roles[v->role_count++]);
    show_seats(p, out, &v->seats[v->seat_count]);
    v->seat_count += (uint32_t)g->tasks;
    p->plugin->line->facts[id].shown = v->job_count++;
}

/* Whether the job waits and could start, or holds devices. */
static bool is_shown(const struct policy *p, uint32_t id)
{
    const struct pc_job *job = &p->jobs[id];
    return job->state == PC_ACTIVE || (job->state == PC_PENDING && !p->groups[job->group].never_fits);
}

static bool show_jobs(struct policy *p, struct pc_ranked_lane *lane)
{
    struct pc_view *v = &p->plugin->line->view;
    uint32_t roles = 0;
    uint64_t seats = 0;
    v->ranked = pc_ranked_arrange(p, lane);
    for (uint32_t i = 0; i < lane->count; i++) {
        const struct pc_group *g = &p->groups[p->jobs[lane->entries[i].job].group];
        roles += g->role_count;
        seats += (uint64_t)g->tasks;
    }
    if (seats > UINT32_MAX / 2 || !PC_GROW(&p->memory, v->jobs, v->job_capacity, lane->count) ||
        !PC_GROW(&p->memory, v->roles, v->role_capacity, roles) ||
        !PC_GROW(&p->memory, v->seats, v->seat_capacity, (uint32_t)seats))
        return false;
    v->job_count = v->role_count = v->seat_count = 0;
    for (uint32_t i = 0; i < lane->count; i++) {
        uint32_t id = lane->entries[i].job;
        if (!is_shown(p, id))
            continue;
        if (p->jobs[id].state == PC_PENDING) {
            pc_ranked_found(p, id, 0);
            p->ranked->of[id].chosen = false;
        }
        show_job(p, id);
    }
    return true;
}

/* After a decision about a job: what it is now, and what is left on its nodes. */
static void show_again(struct policy *p, uint32_t id)
{
    struct pc_view *v = &p->plugin->line->view;
    struct policy_plugin_job *out = &v->jobs[p->plugin->line->facts[id].shown];
    const struct policy_plugin_job before = *out;
    pc_view_job(p, id, out);
    out->key = before.key;
    out->roles = before.roles;
    show_seats(p, out, &v->seats[before.seats - v->seats]);
    for (uint32_t i = 0; i < out->seat_count; i++) {
        uint32_t node = out->seats[i].node.i;
        pc_view_node(p, node, &v->nodes[v->node_at[node]]);
    }
}

/* ---- checks ---- */

/* The job that is meant, or PC_NONE with the decision ended. */
static uint32_t meant(struct plan *plan, const struct policy_plugin_job *job, const char *what)
{
    const struct policy *p = plan->p;
    const struct pc_view *v = &p->plugin->line->view;
    if (job != NULL && job->id.i < p->job_count && p->jobs[job->id.i].state != PC_FREE &&
        p->jobs[job->id.i].gen == job->id.gen) {
        uint32_t at = p->plugin->line->facts[job->id.i].shown;
        if (at < v->job_count && v->jobs[at].id.i == job->id.i)
            return job->id.i;
    }
    wrong(plan, PC_NONE, what, "it is none of those that it was shown; id",
          job != NULL ? (int64_t)job->id.i : -1);
    return PC_NONE;
}

static uint32_t one_that_waits(struct plan *plan, const struct policy_plugin_job *job)
{
    uint32_t id = meant(plan, job, "starts a job that does not exist");
    if (id == PC_NONE || plan->p->jobs[id].state == PC_PENDING)
        return id;
    wrong(plan, id, "starts a job that does not wait", NULL, 0);
    return PC_NONE;
}

/* What is wrong with a seat for such a task, or NULL; *devices becomes those that it means. */
static const char *check_seat(const struct policy *p, const struct pc_group *g, const struct pc_request *r,
                              const struct policy_plugin_seat *seat, uint64_t *devices)
{
    if (seat->node.i >= p->node_count || !p->nodes[seat->node.i].exists)
        return "starts a task on a node that does not exist";
    const struct pc_node *n = &p->nodes[seat->node.i];
    if (n->state != POLICY_NODE_UP)
        return "starts a task on a node that takes none";
    if (!pc_site_has(p, g->site, n->pool))
        return "starts a task on a node of a pool that its queue may not use";
    if (!pc_fits(n, r))
        return "starts a task on a node that it does not fit";
    *devices = seat->devices != 0 ? seat->devices : pc_devices(n, r);
    if (pc_popcount(*devices) != r->devices)
        return "starts a task on another number of devices than it asks for";
    if ((*devices & ~(n->whole | n->partial)) != 0)
        return "starts a task on devices that are taken, unhealthy or not there";
    for (uint64_t rest = *devices; rest != 0; rest &= rest - 1)
        if (n->room[pc_lowest(rest)] < r->milli)
            return "starts a task on a device that has not so much left";
    return NULL;
}

/* ---- what a plugin may call ---- */

static const struct policy_plugin_node *node_of(const struct policy_plan *open, policy_node id)
{
    const struct policy *p = ((const struct plan *)open)->p;
    const struct pc_view *v = &p->plugin->line->view;
    return id.i < p->node_count && v->node_at[id.i] != PC_NONE ? &v->nodes[v->node_at[id.i]] : NULL;
}

static bool fits(const struct policy_plan *open, const struct policy_plugin_node *node,
                 const struct policy_plugin_role *role)
{
    const struct policy *p = ((const struct plan *)open)->p;
    if (node == NULL || role == NULL || node->id.i >= p->node_count || !p->nodes[node->id.i].exists)
        return false;
    const struct pc_request r = {.devices = role->devices,
                                 .milli = role->device_milli,
                                 .cpu = role->cpu_milli,
                                 .mem = role->mem_mib,
                                 .types = role->types};
    return pc_fits(&p->nodes[node->id.i], &r);
}

static void started(struct plan *plan, uint32_t id)
{
    struct policy *p = plan->p;
    pc_ranked_runs(p, id, p->now);
    p->plugin->line->facts[id].started = p->now;
    p->plugin->line->facts[id].started_in = p->plugin->line->decisions;
    show_again(p, id);
}

static bool place(struct policy_plan *open, const struct policy_plugin_job *job)
{
    struct plan *plan = plan_of(open);
    struct policy *p = plan->p;
    uint32_t id = plan->stopped ? PC_NONE : one_that_waits(plan, job);
    if (id == PC_NONE)
        return false;
    int32_t reason = pc_try_start(p, id, POLICY_ALLOCATE);
    if (reason == POLICY_REASON_WAITING)
        return no_memory(plan, p->groups[p->jobs[id].group].tasks);
    if (reason != 0) {
        p->ranked->of[id].chosen = true;
        pc_ranked_found(p, id, reason);
        return false;
    }
    started(plan, id);
    return true;
}

static bool start(struct policy_plan *open, const struct policy_plugin_job *job,
                  const struct policy_plugin_seat *seats, uint32_t count)
{
    struct plan *plan = plan_of(open);
    struct policy *p = plan->p;
    uint32_t id = plan->stopped ? PC_NONE : one_that_waits(plan, job);
    if (id == PC_NONE)
        return false;
    const struct pc_group *g = &p->groups[p->jobs[id].group];
    if (seats == NULL || count != (uint32_t)g->tasks)
        return wrong(plan, id, "starts a gang in part", "places for all of its tasks, not", count);
    pc_txn_begin(p);
    for (uint32_t task = 0; task < count; task++) {
        uint16_t role;
        uint64_t devices = 0;
        const struct pc_request *r = pc_group_request(g, task, &role);
        const char *why = check_seat(p, g, r, &seats[task], &devices);
        bool placed = why == NULL && pc_txn_place(p, seats[task].node.i, r, devices);
        if (placed)
            continue;
        pc_txn_rollback(p);
        return why != NULL ? wrong(plan, id, why, "task", task) : no_memory(plan, g->tasks);
    }
    if (!pc_start_placed(p, id, POLICY_ALLOCATE))
        return no_memory(plan, g->tasks);
    started(plan, id);
    return true;
}

static bool evict(struct policy_plan *open, const struct policy_plugin_job *job,
                  const struct policy_plugin_job *for_job)
{
    struct plan *plan = plan_of(open);
    struct policy *p = plan->p;
    uint32_t id = plan->stopped ? PC_NONE : meant(plan, job, "evicts a job that does not exist");
    if (id == PC_NONE)
        return false;
    uint32_t other = for_job != NULL ? meant(plan, for_job, "evicts for a job that does not exist") : PC_NONE;
    if (plan->stopped)
        return false;
    if (!pc_ranked_is_running(p, id))
        return wrong(plan, id, "evicts a job that does not run", NULL, 0);
    if (!p->jobs[id].preemptible)
        return wrong(plan, id, "evicts a job that may not be preempted", NULL, 0);
    struct pc_plugin_fact *fact = &p->plugin->line->facts[id];
    if (fact->started == p->now && fact->started_in == p->plugin->line->decisions)
        return wrong(plan, id, "evicts a job that it has just started", NULL, 0);
    if (fact->started == p->now && fact->evicted == p->now) /* else there might be no end of it */
        return wrong(plan, id, "evicts a job twice in one moment", NULL, 0);
    uint32_t tasks = p->jobs[id].active;
    if (!PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + tasks))
        return no_memory(plan, tasks);
    fact->evicted = p->now;
    pc_ranked_evict(p, id, other);
    show_again(p, id);
    return true;
}

static void give_up(struct policy_plan *open, const char *why)
{
    struct plan *plan = plan_of(open);
    if (plan->stopped)
        return;
    wrong(plan, PC_NONE, "gives up", NULL, 0);
    pc_error_text(&plan->p->error, ": ");
    pc_error_text(&plan->p->error, why != NULL ? why : "it does not say why");
}

/* ---- the decision ---- */

static bool ask(struct policy *p, struct pc_ranked_lane *lane)
{
    const struct pc_view *v = &p->plugin->line->view;
    struct plan plan = {
        .open = {.size = sizeof plan.open,
                 .now = p->now,
                 .nodes = v->nodes,
                 .jobs = v->jobs,
                 .node_count = v->node_count,
                 .job_count = v->job_count,
                 .wake_at = INT64_MAX,
                 .node = node_of,
                 .fits = fits,
                 .place = place,
                 .start = start,
                 .evict = evict,
                 .give_up = give_up,
                 .view = pc_plugin_look(p)},
        .p = p,
    };
    lane->news++;
    p->plugin->line->decisions++;
    p->plugin->of.decide(p->plugin->self, &plan.open);
    if (!plan.stopped && plan.open.wake_at <= p->now)
        wrong(&plan, PC_NONE, "asks to be woken at a time that is not to come", "time", plan.open.wake_at);
    lane->wakeup = plan.stopped || lane->waiting == 0 ? INT64_MAX : plan.open.wake_at;
    return !plan.stopped;
}

bool pc_plugin_decide(struct policy *p)
{
    struct pc_ranked *r = p->ranked;
    struct pc_ranked_lane *lane = &r->lanes[0]; /* of the whole fleet */
    if (!r->all && !lane->stale && !lane->owed && lane->wakeup > p->now)
        return true;
    lane->stale = r->any = true;
    if (!show_nodes(p) || !show_jobs(p, lane)) {
        pc_refuse(p, POLICY_NO_MEMORY, "jobs", lane->live, "no memory to show them to the plugin");
        return false;
    }
    bool done = ask(p, lane);
    r->wakeup = lane->wakeup;
    lane->stale = r->any = !done;
    lane->owed = r->all = false;
    return done;
}
