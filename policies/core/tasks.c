/* SPDX-License-Identifier: MIT */
/* Facts about tasks: found running, started, failed to start, ended. */
#include "act/backfill.h"
#include "cluster/cluster.h"
#include "core/groups.h"
#include "core/jobs.h"
#include "core/limits.h"
#include "core/multifactor.h"
#include "core/nodes.h"
#include "core/pending.h"
#include "core/ranked.h"

/* ---- slots ---- */

bool pc_slots_reserve(struct policy *p, uint32_t more)
{
    if (p->slots_free >= more)
        return true;
    uint32_t old = p->slot_capacity;
    if (!PC_GROW(&p->memory, p->slots, p->slot_capacity, old + (more - p->slots_free)))
        return false;
    for (uint32_t i = p->slot_capacity; i-- > old;) {
        p->slots[i].next = p->slot_free;
        p->slot_free = i;
    }
    p->slots_free += p->slot_capacity - old;
    return true;
}

static uint32_t take_slot(struct policy *p, struct pc_job *job, struct pc_slot slot)
{
    uint32_t id = p->slot_free;
    p->slot_free = p->slots[id].next;
    p->slots_free--;
    p->slots[id] = slot;
    job->active++;
    return id;
}

void pc_slot_push(struct policy *p, struct pc_job *job, struct pc_slot slot)
{
    slot.next = job->first_slot;
    job->first_slot = take_slot(p, job, slot);
}

static void give_back(struct policy *p, const struct pc_job *job, const struct pc_slot *slot)
{
    const struct pc_group *g = &p->groups[job->group];
    if (slot->node == PC_NONE)
        pc_count(p, slot->pool, -g->gpu_milli);
    else
        pc_give(p, slot->node, &g->roles[slot->role].request, slot->devices);
}

/* Ends the slot that *link leads to. */
static void end_slot(struct policy *p, struct pc_job *job, uint32_t *link)
{
    uint32_t id = *link;
    give_back(p, job, &p->slots[id]);
    pc_running_holds(p, (uint32_t)(job - p->jobs), &p->slots[id], -1);
    *link = p->slots[id].next;
    p->slots[id].next = p->slot_free;
    p->slot_free = id;
    p->slots_free++;
    job->active--;
    p->backfill_due = true;
}

static uint32_t *find_slot(struct policy *p, struct pc_job *job, uint32_t task)
{
    uint32_t *link = &job->first_slot;
    while (*link != PC_NONE && p->slots[*link].task != task)
        link = &p->slots[*link].next;
    return link;
}

/* A job's slots are in the order of its tasks, also when tasks are reported in another one. */
static void insert_slot(struct policy *p, struct pc_job *job, struct pc_slot slot)
{
    uint32_t *link = &job->first_slot;
    while (*link != PC_NONE && p->slots[*link].task < slot.task)
        link = &p->slots[*link].next;
    uint32_t id = take_slot(p, job, slot);
    p->slots[id].next = *link;
    *link = id;
    pc_running_holds(p, (uint32_t)(job - p->jobs), &p->slots[id], 1);
}

/* ---- facts ---- */

static int find_active(struct policy *p, policy_job which, uint32_t *id)
{
    *id = pc_job_find(p, which);
    if (*id == PC_NONE)
        return POLICY_UNKNOWN;
    if (p->jobs[*id].state != PC_ACTIVE)
        return pc_refuse(p, POLICY_CONFLICT, "job", *id, "is pending: no task of it was started");
    return POLICY_OK;
}

static int check_devices(struct policy *p, const struct pc_node *n, const struct pc_request *r,
                         uint64_t devices)
{
    if (pc_popcount(devices) != r->devices || (devices & ~pc_all_devices(n->devices)) != 0)
        return pc_refuse(p, POLICY_INVALID, "devices of the task", pc_popcount(devices),
                         "as many as it asks for, and the node has");
    for (uint64_t rest = devices; rest != 0; rest &= rest - 1)
        if (n->room[pc_lowest(rest)] < r->milli)
            return pc_refuse(p, POLICY_CONFLICT, "device", pc_lowest(rest), "taken already");
    if (n->cpu_free < r->cpu || n->mem_free < r->mem)
        return pc_refuse(p, POLICY_CONFLICT, "CPU or memory of the node", n->cpu_free, "taken already");
    if (n->max_tasks >= 0 && n->tasks >= n->max_tasks)
        return pc_refuse(p, POLICY_CONFLICT, "tasks on the node", n->tasks, "it takes no more");
    return POLICY_OK;
}

int policy_task_running(struct policy *p, policy_time at, policy_job which, uint32_t task, policy_node node,
                        uint64_t devices, policy_time since)
{
    if (p->cluster != NULL)
        return pq_task_running(p, at, which, task, node, devices, since);
    uint32_t id = pc_job_find(p, which);
    if (id == PC_NONE)
        return POLICY_UNKNOWN;
    struct pc_job *job = &p->jobs[id];
    policy_time before = p->now;
    uint16_t role = 0;
    const struct pc_request *request = pc_group_request(&p->groups[job->group], task, &role);
    if (request == NULL)
        return pc_refuse(p, POLICY_UNKNOWN, "task", task, "the job has no task of that number");
    if (p->placement->counts)
        return pc_refuse(p, POLICY_UNSUPPORTED, "task", task, "this placement only counts devices");
    if (node.i >= p->node_count || !p->nodes[node.i].exists)
        return pc_refuse(p, POLICY_UNKNOWN, "node", node.i, "not known");
    if (job->state == PC_ACTIVE && *find_slot(p, job, task) != PC_NONE)
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "runs already");
    int status = check_devices(p, &p->nodes[node.i], request, devices);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    if (!pc_slots_reserve(p, 1))
        return pc_no_memory(p, before, "task", task);
    if (job->state != PC_ACTIVE) {
        pc_pending_remove(p, id);
        job->state = PC_ACTIVE;
        pc_running_add(p, id, since == POLICY_NEVER ? at : since);
        pc_limits_count(p, &p->groups[job->group], 1);
        pc_multifactor_runs(p, id);
        pc_ranked_found_running(p, id, since);
    }
    pc_take(p, node.i, request, devices);
    insert_slot(p, job,
                (struct pc_slot){.devices = devices,
                                 .node = node.i,
                                 .pool = p->nodes[node.i].pool,
                                 .task = task,
                                 .role = role,
                                 .running = true});
    return POLICY_OK;
}

int policy_task_started(struct policy *p, policy_time at, policy_job which, uint32_t task)
{
    if (p->cluster != NULL)
        return pq_task_started(p, at, which, task);
    uint32_t id;
    int status = find_active(p, which, &id);
    if (status != POLICY_OK)
        return status;
    struct pc_job *job = &p->jobs[id];
    uint32_t slot = task == POLICY_ALL_TASKS ? job->first_slot : *find_slot(p, job, task);
    if (slot == PC_NONE)
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "was not started");
    status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    p->slots[slot].running = true;
    while (task == POLICY_ALL_TASKS && (slot = p->slots[slot].next) != PC_NONE)
        p->slots[slot].running = true;
    return POLICY_OK;
}

int policy_task_releasing(struct policy *p, policy_time at, policy_job which, uint32_t task)
{
    if (p->cluster != NULL)
        return pq_task_releasing(p, at, which, task);
    if (p->ranked == NULL && !p->config.time_limits)
        return pc_refuse(p, POLICY_UNSUPPORTED, "job", which.i, "this policy never stops tasks");
    uint32_t id;
    int status = find_active(p, which, &id);
    if (status != POLICY_OK)
        return status;
    struct pc_job *job = &p->jobs[id];
    if (task != POLICY_ALL_TASKS && *find_slot(p, job, task) == PC_NONE)
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "does not run");
    status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    job->stopping = p->config.time_limits;
    if (p->ranked != NULL && pc_ranked_is_running(p, id))
        pc_ranked_leave(p, id); /* somebody else stopped it */
    pc_ranked_answered(p, id);
    return POLICY_OK;
}

/* It has nothing any more, as those see it who count by jobs. */
static void runs_no_more(struct policy *p, uint32_t id)
{
    pc_limits_count(p, &p->groups[p->jobs[id].group], -1);
    pc_multifactor_stopped(p, id);
}

/* The job is pending again; what it holds is given back by the caller, once this has succeeded. */
static int wait_again(struct policy *p, policy_time before, uint32_t id, bool ran)
{
    struct pc_job *job = &p->jobs[id];
    job->eligible = INT64_MIN;
    pc_running_remove(p, id); /* which nothing keeps from running again */
    if (pc_pending_add(p, id) != POLICY_OK) {
        pc_running_add(p, id, job->started);
        return pc_no_memory(p, before, "job", id);
    }
    pc_ranked_stopped(p, id, ran);
    job->evicted = job->stopping = false;
    runs_no_more(p, id);
    return POLICY_OK;
}

int policy_start_failed(struct policy *p, policy_time at, policy_job which)
{
    if (p->cluster != NULL)
        return pq_start_failed(p, at, which);
    uint32_t id;
    policy_time before = p->now;
    int status = find_active(p, which, &id);
    if (status != POLICY_OK || (status = pc_at(p, at)) != POLICY_OK)
        return status;
    struct pc_job *job = &p->jobs[id];
    status = wait_again(p, before, id, false);
    if (status != POLICY_OK)
        return status; /* it keeps what it has */
    while (job->first_slot != PC_NONE)
        end_slot(p, job, &job->first_slot);
    return POLICY_OK;
}

int policy_task_ended(struct policy *p, policy_time at, policy_job which, uint32_t task, int32_t outcome)
{
    if (p->cluster != NULL)
        return pq_task_ended(p, at, which, task, outcome);
    uint32_t id;
    policy_time before = p->now;
    int status = find_active(p, which, &id);
    if (status != POLICY_OK)
        return status;
    if (outcome < POLICY_SUCCEEDED || outcome > POLICY_EVICTED)
        return pc_refuse(p, POLICY_INVALID, "outcome", outcome, "0 succeeded, 1 failed, 2 evicted");
    struct pc_job *job = &p->jobs[id];
    uint32_t *link = task == POLICY_ALL_TASKS ? &job->first_slot : find_slot(p, job, task);
    if (*link == PC_NONE)
        return pc_refuse(p, POLICY_CONFLICT, "task", task, "does not run");
    status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    bool evicted = job->evicted || outcome == POLICY_EVICTED;
    bool last = task == POLICY_ALL_TASKS || job->active == 1;
    if (last && evicted && (status = wait_again(p, before, id, true)) != POLICY_OK)
        return status;
    while (task == POLICY_ALL_TASKS && p->slots[*link].next != PC_NONE)
        end_slot(p, job, link);
    end_slot(p, job, link);
    if (last && !evicted) {
        pc_running_remove(p, id);
        runs_no_more(p, id);
        pc_job_free(p, id);
    } else {
        job->evicted = !last && evicted;
    }
    return POLICY_OK;
}
