/* SPDX-License-Identifier: MIT */
/* Why a job is pending with a queue order, found by repeating the search; and the backlog by
 * reason. */
#include "act/attempt.h"
#include "act/backfill_single.h"
#include "act/spare_reservation.h"
#include "order/queue_walk.h"
#include "order/task_queue.h"
#include "pending/missing.h"
#include "pending/queue_classes.h"
#include "place/choose.h"
#include "place/session_reserve.h"
#include "query/query.h"
#include "state/domains.h"
#include "state/gangs.h"
#include "state/jobs.h"
#include "state/nodes.h"
#include "state/pool_quotas.h"
#include "state/queue_limits.h"
#include "state/queues.h"
#include "state/sized.h"
#include "state/tasks.h"

#include <string.h>

struct question {
    struct policy *p;
    struct pc_cluster *c;
    uint32_t job;
    const struct pc_shape *shape;
    const struct pc_bits *pool_set;
    const struct pc_tasks *tasks; /* the tasks to be placed next */
    struct policy_explanation *out;
    bool has_devices; /* besides the tasks that fit, one node has the devices for the next task */
};

static const struct pc_request *request_of(const struct question *q, uint32_t task)
{
    return &pc_role_of(q->shape, task)->request;
}

/* ---- supply ---- */

/* Returns true if some task of the job may run on the node. */
static bool suits(const struct question *q, const struct pc_node *n)
{
    for (uint32_t i = 0; i < q->shape->role_count; i++)
        if (pc_node_suits(q->c, n, &q->shape->roles[i].request))
            return true;
    return false;
}

static void look_at_nodes(const struct question *q)
{
    for (uint32_t rank = pc_bits_first(q->pool_set); rank != PC_NONE;
         rank = pc_bits_next(q->pool_set, rank + 1)) {
        const struct pc_node *n = &q->c->nodes[q->p->node_of_rank[rank]];
        if (n->state != POLICY_NODE_UP || !suits(q, n))
            continue;
        int32_t idle = pc_popcount(n->idle);
        q->out->free_whole += idle;
        q->out->free_milli += (int64_t)idle * POLICY_WHOLE;
        for (uint64_t rest = n->shared; rest != 0; rest &= rest - 1) {
            const struct pc_device d = pc_device_of(n, pc_lowest(rest));
            int64_t room =
                (int64_t)(n->capacity - d.used - d.releasing) * POLICY_WHOLE / n->capacity;
            q->out->free_milli += room > 0 ? room : 0;
        }
        q->out->most_free = idle > q->out->most_free ? idle : q->out->most_free;
    }
}

/* ---- trials ---- */

/* Returns true if a node has the requested devices, ignoring other resources. */
static bool has_devices(const struct question *q, const struct pc_request *r)
{
    if (pc_wants_share(r) || r->wants_mig)
        return q->out->free_milli > 0;
    for (uint32_t rank = pc_bits_first(q->pool_set); rank != PC_NONE;
         rank = pc_bits_next(q->pool_set, rank + 1)) {
        const struct pc_node *n = &q->c->nodes[q->p->node_of_rank[rank]];
        if (n->state == POLICY_NODE_UP && pc_popcount(n->idle) >= r->devices &&
            pc_node_suits(q->c, n, r))
            return true;
    }
    return false;
}

/* Number of tasks that can be placed one by one, ignoring topology constraints; rolled back. */
static int32_t count_fitting(struct question *q)
{
    const struct pc_area everywhere = {0};
    uint32_t mark = pc_txn_mark(q->c);
    int32_t fit = 0;
    for (uint32_t i = 0; i < q->tasks->count; i++) {
        struct pc_place place = pc_nowhere();
        if (!pc_choose(q->p, q->job, q->tasks->ids[i], &everywhere, false, &place) ||
            place.holding != PC_RUNS || !pc_txn_move(q->p, q->job, q->tasks->ids[i], &place))
            break;
        fit++;
    }
    q->has_devices = has_devices(
        q, request_of(q, q->tasks->ids[(uint32_t)fit < q->tasks->count ? (uint32_t)fit : 0]));
    pc_txn_rollback(q->c, mark);
    return fit;
}

static int32_t reason_of_shortage(const struct question *q)
{
    struct pc_missing missing = pc_find_missing(q->p, q->job);
    q->out->level = missing.level;
    q->out->tasks_fit_domain = missing.tasks;
    if (missing.reason != 0)
        return missing.reason;
    if (q->shape->constrained && (uint32_t)q->out->tasks_fit_now == q->tasks->count)
        return POLICY_REASON_TOPOLOGY_FRAGMENTED;
    if (q->out->wanted_milli > q->out->free_milli)
        return POLICY_REASON_DEVICES_BUSY;
    return q->has_devices ? POLICY_REASON_CPU_OR_MEMORY : POLICY_REASON_FRAGMENTED;
}

static void tell_gate(const struct question *q, const struct pc_limit_check *gate,
                      const struct pc_amounts *more)
{
    const struct pc_queue *queue = &q->c->queues[gate->queue];
    bool limit = gate->reason == POLICY_REASON_OVER_LIMIT;
    q->out->reason = gate->reason;
    q->out->queue = (policy_queue){gate->queue};
    q->out->resource = gate->resource;
    q->out->queue_has =
        limit ? queue->allocated.of[gate->resource] : queue->fixed.of[gate->resource];
    q->out->queue_may = limit ? queue->limit.of[gate->resource] : queue->quota.of[gate->resource];
    q->out->job_wants = more->of[gate->resource];
}

/* The bound that excludes the task from every node that it would otherwise fit, using its smallest
 * weight on any of them. */
static struct pc_limit_check bound_on_nodes(const struct question *q, uint32_t task,
                                            struct pc_amounts *weight)
{
    struct pc_limit_check gate = {0, POLICY_NO_ID, PC_RESOURCES};
    const struct pc_request *r = request_of(q, task);
    for (uint32_t rank = pc_bits_first(q->pool_set); rank != PC_NONE;
         rank = pc_bits_next(q->pool_set, rank + 1)) {
        const struct pc_node *n = &q->c->nodes[q->p->node_of_rank[rank]];
        if (n->state != POLICY_NODE_UP || !pc_node_suits(q->c, n, r) || !pc_fits_soon(q->c, n, r))
            continue;
        struct pc_amounts here = {{pc_weigh_on(n, r).of[PC_GPU], 0, 0}};
        struct pc_limit_check found = pc_check_limits(q->p, q->job, &here);
        if (found.reason == 0)
            return found;
        if (gate.reason == 0 || here.of[PC_GPU] < weight->of[PC_GPU]) {
            gate = found;
            *weight = here;
        }
    }
    return gate;
}

/* The weight of a device memory request is only known per node, so bounds may exclude it only
 * there. */
static bool is_over_bound(const struct question *q)
{
    const struct pc_area everywhere = {0};
    struct pc_limit_check gate = {0, POLICY_NO_ID, PC_RESOURCES};
    struct pc_amounts more = {{0, 0, 0}};
    uint32_t mark = pc_txn_mark(q->c);
    for (uint32_t i = 0; i < q->tasks->count && q->shape->wants_memory; i++) {
        uint32_t task = q->tasks->ids[i];
        struct pc_place place = pc_nowhere();
        if (!pc_choose(q->p, q->job, task, &everywhere, false, &place)) {
            struct pc_amounts weight = {{0, 0, 0}};
            gate = bound_on_nodes(q, task, &weight);
            more.of[PC_GPU] += weight.of[PC_GPU];
            break;
        }
        if (!pc_txn_move(q->p, q->job, task, &place))
            break;
        more.of[PC_GPU] +=
            pc_weigh_on(&q->c->nodes[pc_stands_on(&place)], request_of(q, task)).of[PC_GPU];
    }
    pc_txn_rollback(q->c, mark);
    if (gate.reason != 0)
        tell_gate(q, &gate, &more);
    return gate.reason != 0;
}

/* The job's first constraint, from the top. */
static const struct policy_constraint *constraint_of(const struct pc_shape *s)
{
    if (s->topology.topology != 0)
        return &s->topology;
    for (uint32_t i = 0; i < s->group_count; i++)
        if (s->groups[i].topology.topology != 0)
            return &s->groups[i].topology;
    for (uint32_t i = 0; i < s->set_count; i++)
        if (s->sets[i].topology.topology != 0)
            return &s->sets[i].topology;
    return NULL;
}

static bool constraints_known(const struct question *q)
{
    bool known = pc_constraint_known(q->c, &q->shape->topology);
    for (uint32_t i = 0; i < q->shape->group_count; i++)
        known = known && pc_constraint_known(q->c, &q->shape->groups[i].topology);
    for (uint32_t i = 0; i < q->shape->set_count; i++)
        known = known && pc_constraint_known(q->c, &q->shape->sets[i].topology);
    return known;
}

/* The most whole devices of one node available to the job beside the reserves for others. */
static int32_t most_spared(const struct question *q)
{
    struct pc_request r = {.types = ~UINT64_C(0), .selector = PC_NONE};
    int32_t most = 0;
    for (uint32_t rank = pc_bits_first(q->pool_set); rank != PC_NONE;
         rank = pc_bits_next(q->pool_set, rank + 1)) {
        const struct pc_node *n = &q->c->nodes[q->p->node_of_rank[rank]];
        int32_t idle = n->state == POLICY_NODE_UP ? pc_popcount(n->idle) : 0;
        for (r.devices = idle; r.devices > most; r.devices--)
            if (pc_spares_session_reserve(q->p, &q->c->jobs[q->job], n, &r))
                most = r.devices;
    }
    return most;
}

/* Returns true if the job would be placed without session reserves; the answer then names the
 * reserving queue. */
static bool is_kept_from(const struct question *q)
{
    if (!pc_measure_session_reserve(q->p))
        return false;
    uint32_t mark = pc_txn_mark(q->c);
    q->c->session_reserve_ignored = true;
    bool placed = pc_attempt(q->p, q->job, q->tasks, false);
    q->c->session_reserve_ignored = false;
    pc_txn_rollback(q->c, mark);
    if (!placed)
        return false;
    (void)pc_measure_session_reserve(q->p);
    q->out->most_free = most_spared(q);
    uint32_t keeper = pc_keeper(q->p, q->c->queues[q->c->jobs[q->job].queue].pool_set);
    q->out->reason = POLICY_REASON_FIXED_QUOTA;
    q->out->queue = (policy_queue){keeper};
    if (keeper != POLICY_NO_ID) {
        q->out->queue_has = q->c->queues[keeper].build_milli;
        q->out->queue_may = q->c->queues[keeper].fixed_milli;
    }
    q->out->resource = PC_GPU;
    q->out->job_wants = q->out->wanted_milli;
    return true;
}

/* Returns true if the last decision held it back for earlier jobs with planned starts. */
static bool is_planned_out(const struct question *q)
{
    if (!pc_is_held_back(q->c, q->job))
        return false;
    q->out->reason = POLICY_REASON_RESERVED;
    return true;
}

/* Returns true if it would be placed without the reservation, whose job the answer then names. The
 * reservation is kept. */
static bool is_reserved_from(const struct question *q)
{
    struct pc_reservation *r = &q->c->reservation;
    const struct pc_reservation kept = *r;
    uint32_t mark = pc_txn_mark(q->c);
    uint32_t holder = pc_reserved_job(q->p);
    bool found = holder != PC_NONE && holder != q->job && pc_reserve(q->p, holder);
    bool delays = found && !pc_attempt(q->p, q->job, q->tasks, false);
    pc_txn_rollback(q->c, mark);
    pc_suspend_reservation(q->c);
    r->job = kept.job;
    r->gen = kept.gen;
    if (!delays || q->c->out_of_memory)
        return false;
    q->out->reason = POLICY_REASON_RESERVED;
    q->out->behind = pc_job_id(q->c, holder);
    return true;
}

/* Tells of the quota in the group that the job would exceed. */
static void tell_pool_quota(const struct question *q, uint32_t queue, uint32_t group, int64_t milli)
{
    const struct pc_group_share *s = &q->c->queues[queue].groups[group];
    bool bound = pc_is_bound_by_quota(q->p, &q->c->jobs[q->job]);
    uint32_t pool = 0;
    while (q->c->pools[pool].group != group)
        pool++;
    q->out->reason = POLICY_REASON_OVER_QUOTA;
    q->out->queue = (policy_queue){queue};
    q->out->resource = PC_GPU;
    q->out->queue_has = bound ? s->fixed : s->allocated;
    q->out->queue_may = s->quota;
    q->out->job_wants = milli;
    q->out->pool = pool + 1;
}

/* Returns true if quotas by pool exclude the job from all groups that suit it; the answer names the
 * one with most room. A job that may span groups is not excluded by one alone. */
static bool is_over_pool_quota(const struct question *q, int64_t milli)
{
    const struct pc_cluster *c = q->c;
    uint32_t only = pc_group_of_job(c, q->job), best = PC_NONE, whose = POLICY_NO_ID;
    int64_t most = 0;
    for (uint32_t k = 0; milli > 0 && k < c->group_count; k++) {
        uint32_t g = c->groups[k].turn;
        if ((only != PC_NONE && only != g) || !pc_group_suits(c, q->job, g))
            continue;
        uint32_t queue = pc_group_refuses(q->p, q->job, g, milli);
        if (queue == POLICY_NO_ID)
            return false;
        const struct pc_group_share *s = &c->queues[queue].groups[g];
        if (best != PC_NONE && s->quota - s->fixed <= most)
            continue;
        best = g;
        whose = queue;
        most = s->quota - s->fixed;
    }
    if (best == PC_NONE || (q->tasks->count > 1 && c->queues[c->jobs[q->job].queue].spans_pools))
        return false;
    tell_pool_quota(q, whose, best, milli);
    return true;
}

static void look(const struct question *q)
{
    struct pc_amounts more = pc_amounts_of(q->c, q->job, q->tasks, true);
    struct pc_limit_check gate = pc_check_limits(q->p, q->job, &more);
    bool by_pool = gate.reason == 0 || gate.reason == POLICY_REASON_OVER_QUOTA;
    if (by_pool && is_over_pool_quota(q, more.of[PC_GPU]))
        return;
    if (gate.reason != 0) {
        tell_gate(q, &gate, &more);
        return;
    }
    if (!constraints_known(q)) {
        q->out->reason = POLICY_REASON_TOPOLOGY_UNKNOWN;
        return;
    }
    uint32_t mark = pc_txn_mark(q->c);
    bool placed = pc_attempt(q->p, q->job, q->tasks, false);
    bool runs = placed && pc_task(q->c, q->job, q->tasks->ids[0])->place.holding == PC_RUNS;
    pc_txn_rollback(q->c, mark);
    if (placed ? is_planned_out(q) || is_reserved_from(q) : is_kept_from(q) || is_over_bound(q))
        return;
    if (placed)
        q->out->reason = runs ? POLICY_REASON_WAITING : POLICY_REASON_RELEASING;
    else
        q->out->reason = reason_of_shortage(q);
    const struct policy_constraint *constraint = constraint_of(q->shape);
    if (constraint != NULL && constraint->required > 0 &&
        q->out->reason != POLICY_REASON_NEVER_FITS) {
        q->out->level = constraint->required;
        q->out->tasks_fit_domain =
            (int32_t)pc_most_in_domain(q->p, q->job, constraint, q->tasks->ids, q->tasks->count);
    }
}

/* In task-by-task scheduling, the jobs of all queues share one order. */
static uint64_t jobs_before_in_line(const struct question *q)
{
    const struct pc_queued_task its = {.job = q->job, .stage = PC_POD_WAITS};
    uint64_t before = 0;
    for (uint32_t i = 0; i < q->c->job_count; i++) {
        const struct pc_job *j = &q->c->jobs[i];
        const struct pc_queued_task other = {.job = i, .stage = PC_POD_WAITS};
        before += i != q->job && j->state == PC_LIVE && j->pending > 0 &&
                  pc_queued_task_before(q->p, &other, &its);
    }
    return before;
}

/* Number of jobs of the same leaf ahead of it. */
static uint64_t jobs_before(const struct question *q)
{
    uint64_t before = 0;
    if (q->p->config.pods.on)
        return jobs_before_in_line(q);
    for (uint32_t i = 0; i < q->c->job_count; i++) {
        const struct pc_job *j = &q->c->jobs[i];
        if (i != q->job && j->state == PC_LIVE && j->pending > 0 &&
            j->queue == q->c->jobs[q->job].queue)
            before += pc_compare_jobs(q->p, i, q->job, false) < 0;
    }
    return before;
}

/* Drops the job's own nominations of the last decision for the query; those of others stand.
 * Returns false if out of memory. */
static bool set_promises_aside(struct policy *p, uint32_t job)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    for (uint32_t task = 0; task < p->cluster->shapes[j->shape].tasks; task++) {
        const struct pc_place place = pc_not_nominated(pc_task_of(j, task));
        if (pc_task_of(j, task)->place.nominated != PC_NONE && !pc_txn_move(p, job, task, &place))
            return false;
    }
    return true;
}

/* Fills in the explanation of a live job. Returns false if out of memory. */
static bool explain(struct question *q)
{
    struct pc_cluster *c = q->c;
    const struct pc_job *j = &c->jobs[q->job];
    struct policy_explanation *out = q->out;
    if (!set_promises_aside(q->p, q->job) || !pc_next_tasks(q->p, q->job, &c->placing))
        return false;
    out->wanted_milli = pc_amounts_of(c, q->job, &c->placing, false).of[PC_GPU];
    out->tasks = (int32_t)c->placing.count;
    for (uint32_t i = 0; i < c->placing.count; i++) {
        const struct pc_request *r = request_of(q, c->placing.ids[i]);
        int32_t whole = pc_wants_share(r) ? 0 : r->devices;
        out->largest_request = whole > out->largest_request ? whole : out->largest_request;
    }
    look_at_nodes(q);
    if (c->placing.count > 0)
        out->tasks_fit_now = count_fitting(q);
    if (j->absent != PC_PRESENT)
        out->reason = pc_reason_of_absent(q->p, q->job, out);
    else if (j->pending > 0 && c->placing.count > 0)
        look(q);
    out->jobs_before = j->pending > 0 ? jobs_before(q) : 0;
    return !c->out_of_memory;
}

/* Evaluates tentatively. Returns false if out of memory. */
static bool answer(struct policy *p, uint32_t job, struct policy_explanation *out)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    struct question q = {.p = p,
                         .c = c,
                         .job = job,
                         .shape = &c->shapes[j->shape],
                         .pool_set = &c->pool_sets[c->queues[j->queue].pool_set].nodes,
                         .tasks = &c->placing,
                         .out = out};
    *out = (struct policy_explanation){
        .size = sizeof *out, .behind = {POLICY_NO_ID, 0}, .queue = {POLICY_NO_ID}};
    c->out_of_memory = false;
    if (j->state == PC_HELD) {
        out->reason = POLICY_REASON_NOT_ELIGIBLE;
        return true;
    }
    bool trying = c->trying;
    uint32_t mark = pc_txn_mark(c);
    c->trying = true;
    bool done = explain(&q);
    pc_txn_rollback(c, mark);
    c->trying = trying;
    return done;
}

static int explain_job(struct policy *p, policy_job which, struct policy_explanation *out)
{
    uint32_t job = pc_job_find(p, which);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    if (p->cluster->pending != NULL)
        return pc_explain_in_lane(p, job, out);
    bool done = answer(p, job, out);
    if (done && out->behind.i != POLICY_NO_ID) {
        struct policy_explanation other = {.size = sizeof other};
        done = answer(p, out->behind.i, &other);
        out->behind_reason = other.reason;
    }
    return done ? POLICY_OK
                : pc_refuse(p, POLICY_NO_MEMORY, "job", job, "no memory to look where it fits");
}

int policy_explain(struct policy *p, policy_job which, struct policy_explanation *out)
{
    struct policy_explanation answer = {.size = sizeof answer};
    if (!pc_sized_fits(PC_EXPLANATION, out))
        return pc_refuse(p, POLICY_INVALID, "size of the explanation", out->size,
                         "of no version that this one knows");
    int status = explain_job(p, which, &answer);
    if (status == POLICY_OK)
        pc_sized_out(PC_EXPLANATION, out, &answer);
    return status;
}

/* Why the jobs of a class are pending: the bound that allocate met, else judged by the totals free
 * after release. */
static int32_t reason_of_class(const struct pc_cluster *c, const struct pc_class *k)
{
    const struct pc_shape *s = &c->shapes[k->shape];
    bool blocked = k->blocked != 0 && k->blocked_in == c->freed;
    if (blocked && k->blocked != POLICY_REASON_DEVICES_BUSY)
        return k->blocked;
    if (!blocked && c->version != c->decided_version)
        return POLICY_REASON_WAITING;
    if (s->first.of[PC_GPU] == 0)
        return POLICY_REASON_CPU_OR_MEMORY;
    return s->first.of[PC_GPU] <= c->soon_milli ? POLICY_REASON_FRAGMENTED
                                                : POLICY_REASON_DEVICES_BUSY;
}

static void add(struct policy_backlog *backlog, int32_t reason, uint64_t jobs, int64_t gpu_milli)
{
    backlog->jobs[reason] += jobs;
    backlog->gpu_milli[reason] += gpu_milli;
}

int policy_backlog(const struct policy *p, policy_queue queue, struct policy_backlog *backlog)
{
    const struct pc_cluster *c = p->cluster;
    if (c->pending != NULL)
        return pc_backlog_of_lanes(p, queue, backlog);
    if (queue.i >= c->queue_count || !c->queues[queue.i].exists)
        return POLICY_UNKNOWN;
    memset(backlog, 0, sizeof *backlog);
    for (uint32_t q = 0; q < c->queue_count; q++) {
        if (!c->queues[q].exists || c->queues[q].pool_set != c->queues[queue.i].pool_set)
            continue;
        const struct pc_waiting *early = &c->queues[q].early;
        const struct pc_waiting *unready = &c->queues[q].absent[PC_UNREADY];
        const struct pc_waiting *shut = &c->queues[q].absent[PC_SHUT];
        add(backlog, POLICY_REASON_NOT_ELIGIBLE, early->jobs, early->gpu_milli);
        add(backlog, POLICY_REASON_NOT_READY, unready->jobs, unready->gpu_milli);
        add(backlog, POLICY_REASON_SUSPENDED, shut->jobs, shut->gpu_milli);
        for (uint32_t i = 0; i < c->queues[q].class_count; i++) {
            const struct pc_class *k = &c->classes[c->queues[q].classes[i]];
            uint64_t jobs = k->single != PC_NONE ? 1 : k->jobs.count;
            add(backlog, reason_of_class(c, k), jobs,
                (int64_t)jobs * c->shapes[k->shape].first.of[PC_GPU]);
        }
    }
    return POLICY_OK;
}
