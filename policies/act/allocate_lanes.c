/* SPDX-License-Identifier: MIT */
/*
 * Allocate without a queue order: take the next job in order, open a transaction and place its gang
 * on idle devices. Commit if the gang is complete; otherwise roll back and record why. Tasks of
 * elastic jobs above their minimum follow one by one, after all jobs that have not started (struct
 * pc_key). The cost grows with the number of decisions, not with idle nodes.
 */
#include "act/allocate_lanes.h"
#include "act/decisions.h"

#include "pending/limits.h"
#include "pending/queue_classes.h"
#include "place/choose.h"
#include "place/gang.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/tasks.h"

/* ---- why a job cannot start ---- */

/* Free thousandths of devices of the given types in the pool set. */
static int64_t free_of_types(const struct pc_pool_set *s, uint64_t types)
{
    int64_t sum = 0;
    if (types == ~UINT64_C(0))
        return s->milli;
    for (; types != 0; types &= types - 1)
        sum += s->milli_of_type[pc_lowest(types)];
    return sum;
}

static int32_t reason_by_count(const struct pc_pool_set *s, const struct pc_job_class *k,
                               int64_t free)
{
    if (k->gpu_milli <= free)
        return POLICY_REASON_FRAGMENTED;
    return k->gpu_milli <= free + s->unusable_milli ? POLICY_REASON_NODES_DOWN
                                                    : POLICY_REASON_DEVICES_BUSY;
}

int32_t pc_reason_now(const struct policy *p, uint32_t class)
{
    const struct pc_job_class *k = &p->cluster->pending->classes[class];
    const struct pc_pool_set *s = &p->cluster->pool_sets[k->set];
    int32_t by_count = reason_by_count(s, k, free_of_types(s, k->types));
    return by_count == POLICY_REASON_FRAGMENTED && k->blocked == POLICY_REASON_CPU_OR_MEMORY
               ? k->blocked
               : by_count;
}

/* Returns true if some node has the devices for the task, ignoring CPU and memory. */
static bool has_devices(struct policy *p, uint32_t job, uint32_t task)
{
    struct pc_request bare = *pc_request_of(p->cluster, job, task);
    bare.cpu = bare.mem = 0;
    return pc_fits_anywhere(p, job, task, &bare);
}

/* Returns true if `task`, the first one that did not fit (PC_NONE: none), lacks only CPU or memory;
 * the tasks before it are placed. */
static bool lacks_cpu_or_memory(struct policy *p, uint32_t job, uint32_t task)
{
    if (task == PC_NONE)
        return false;
    const struct pc_request *r = pc_request_of(p->cluster, job, task);
    return (r->cpu > 0 || r->mem > 0) && has_devices(p, job, task);
}

/* Why the job's tasks do not all fit, `task` being the first that did not, given the amount free
 * before the attempt. */
static int32_t reason_for(struct policy *p, uint32_t job, const struct pc_job_class *k,
                          int64_t free, uint32_t task)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_pool_set *s = &c->pool_sets[k->set];
    int32_t by_count = reason_by_count(s, k, free);
    if (by_count != POLICY_REASON_FRAGMENTED || c->traits.counts_only)
        return by_count;
    if (pc_bits_first(&s->up) == PC_NONE)
        return POLICY_REASON_NODES_DOWN;
    if (c->shapes[k->shape].constrained)
        return POLICY_REASON_TOPOLOGY_FRAGMENTED;
    return lacks_cpu_or_memory(p, job, task) ? POLICY_REASON_CPU_OR_MEMORY
                                             : POLICY_REASON_FRAGMENTED;
}

/* ---- placing one gang ---- */

const struct pc_job_class *pc_class_of(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    return &c->pending->classes[j->class != PC_NONE ? j->class : j->home];
}

int32_t pc_try_place(struct policy *p, uint32_t job, bool least, uint32_t *placed)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job_class *k = pc_class_of(c, job);
    const struct pc_pool_set *s = &c->pool_sets[k->set];
    int64_t free = c->traits.counts_only ? s->milli : free_of_types(s, k->types);
    *placed = 0;
    bool summed = k->summed && !least && !c->traits.counts_only;
    if (summed && (k->gpu_milli > free || k->whole_devices > s->whole))
        return reason_by_count(s, k, free);
    if (!pc_next_tasks(p, job, &c->placing))
        return POLICY_REASON_WAITING;
    if (c->placing.count > 0 && pc_place_gang(p, job, &c->placing, PC_AT_ONCE, placed))
        return 0;
    if (c->out_of_memory)
        return POLICY_REASON_WAITING;
    return reason_for(p, job, k, free,
                      *placed < c->placing.count ? c->placing.ids[*placed] : PC_NONE);
}

/* ---- starting it ---- */

static void write_start(struct policy *p, uint32_t job, uint32_t task, int32_t action)
{
    struct policy_decision *d = pc_decision_about(p, job, task);
    d->kind = POLICY_START;
    d->action = action;
}

bool pc_start_placed(struct policy *p, uint32_t job, uint32_t mark, int32_t action)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    uint32_t count = c->undo_count - mark;
    bool first = (uint32_t)j->running == count;
    bool may_part = c->shapes[j->shape].elastic;
    if (!PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + count) ||
        (may_part && !pc_pending_allow_alone(p, job))) {
        c->out_of_memory = true;
        pc_txn_rollback(c, mark);
        return false;
    }
    uint32_t behind = c->traits.counts_only ? mark + 1 : c->undo_count;
    for (uint32_t i = mark; i < behind; i++)
        write_start(p, job, c->undo[i].task, action);
    c->undo_count = mark;
    j->detail->users -= count;
    if (first)
        j->detail->last_start = p->now;
    pc_job_settle(p, job);
    return true;
}

/* ---- fast path without a transaction ---- */

/* Returns true if the job's tasks can be placed one after another without hooks observing each
 * step. */
static bool is_simple(const struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    bool anywhere = s->tasks == 1 || (c->placement->traits & PC_GANGS_NEAR) == 0;
    return s->alike && j->detail == NULL && anywhere && !c->traits.counts_only &&
           c->reservation.spares == NULL && c->fixed_milli == 0 && p->plugin == NULL &&
           !c->exhaustive;
}

/* Starts the job's tasks, all of which have places. */
static bool start_simple(struct policy *p, uint32_t job, uint32_t tasks, int32_t action)
{
    struct pc_cluster *c = p->cluster;
    if (!PC_GROW(&p->memory, p->decisions, p->decision_capacity, p->decision_count + tasks)) {
        c->out_of_memory = true;
        return false;
    }
    pc_start_all(c, job);
    for (uint32_t task = 0; task < tasks; task++)
        write_start(p, job, task, action);
    c->jobs[job].detail->last_start = p->now;
    pc_job_settle(p, job);
    return true;
}

static int32_t try_simple(struct policy *p, uint32_t job, int32_t action)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job_class *k = pc_class_of(c, job);
    const struct pc_pool_set *s = &c->pool_sets[k->set];
    int64_t free = free_of_types(s, k->types);
    uint32_t placed;
    if (k->gpu_milli > free || k->whole_devices > s->whole)
        return reason_by_count(s, k, free);
    bool whole = pc_place_alike(p, job, &placed);
    if (whole && start_simple(p, job, placed, action)) {
        p->draws += placed;
        return 0;
    }
    int32_t reason = c->out_of_memory ? POLICY_REASON_WAITING : reason_for(p, job, k, free, placed);
    if (reason != POLICY_REASON_WAITING)
        p->draws += placed;
    if (c->jobs[job].detail != NULL)
        pc_start_none(c, job, placed);
    return reason;
}

int32_t pc_try_start(struct policy *p, uint32_t job, int32_t action)
{
    struct pc_cluster *c = p->cluster;
    uint32_t mark = pc_txn_mark(c);
    uint32_t placed;
    if (p->config.queue_limits && pc_is_over_limit(p, job))
        return POLICY_REASON_OVER_LIMIT;
    if (is_simple(p, job))
        return try_simple(p, job, action);
    int32_t reason = pc_try_place(p, job, false, &placed);
    if (reason == 0 && !pc_start_placed(p, job, mark, action))
        return POLICY_REASON_WAITING;
    if (reason != POLICY_REASON_WAITING)
        p->draws += placed;
    if (reason != 0)
        pc_txn_rollback(c, mark);
    return reason;
}

/* Returns the class whose first job is next, or PC_NONE. */
static uint32_t next_class(struct policy *p)
{
    uint32_t class = pc_pending_next(p);
    while (class == PC_NONE && p->config.queue_limits && pc_limits_pass(p))
        class = pc_pending_next(p);
    return class;
}

/* Tries to place the job. With conservative backfill, free devices are not enough: no job may delay
 * another's reservation. */
static int32_t look(struct policy *p, uint32_t job)
{
    uint32_t mark = pc_txn_mark(p->cluster);
    uint32_t placed;
    if (pc_is_over_limit(p, job))
        return POLICY_REASON_OVER_LIMIT;
    int32_t reason = pc_try_place(p, job, false, &placed);
    pc_txn_rollback(p->cluster, mark);
    return reason != 0 ? reason : POLICY_REASON_RESERVED;
}

void pc_allocate_lanes(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t class = next_class(p); class != PC_NONE; class = next_class(p)) {
        uint32_t job = pc_first_job(&c->pending->classes[class]);
        bool starts = p->config.backfill != POLICY_CONSERVATIVE;
        int32_t reason = starts ? pc_try_start(p, job, POLICY_ALLOCATE) : look(p, job);
        if (reason == POLICY_REASON_WAITING)
            return;
        if (reason == POLICY_REASON_OVER_LIMIT)
            pc_pending_hold_back(p, class, true);
        else if (reason != 0)
            pc_pending_block(p, class, reason);
    }
}
