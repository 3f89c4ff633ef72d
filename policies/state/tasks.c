/* SPDX-License-Identifier: MIT */
/* The operation on tasks, and transactions of it; see tasks.h. */
#include "state/tasks.h"

#include "state/group_sums.h"
#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/room.h"

#include <string.h>

/* ---- details of jobs ---- */

static bool is_merely_pending(const struct pc_cluster *c, const struct pc_job *j)
{
    const struct pc_detail *d = j->detail;
    return (j->state != PC_LIVE || (uint32_t)j->pending == c->shapes[j->shape].tasks) &&
           d->users == 0 && d->last_start == POLICY_NEVER && d->stale_reported == POLICY_NEVER &&
           d->idle_since == POLICY_NEVER && d->reported == POLICY_NEVER && d->reported_tasks == 0 &&
           !j->gives && !j->stale;
}

static const struct pc_detail fresh_detail = {
    .last_start = POLICY_NEVER,
    .stale_reported = POLICY_NEVER,
    .idle_since = POLICY_NEVER,
    .reported = POLICY_NEVER,
    .next_of_size = PC_NONE,
    .last_of_size = PC_NONE,
    .popped = PC_NONE,
};

bool pc_detail_make(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    if (j->detail != NULL)
        return true;
    size_t size = sizeof *j->detail + s->tasks * sizeof(struct pc_task) +
                  s->set_count * sizeof(struct pc_counts);
    uint8_t size_class;
    struct pc_detail *d = pc_block_take(&c->blocks, &p->memory, size, &size_class);
    if (d == NULL)
        return false;
    if ((c->reserve_class != NULL && !c->reserve_class(p)) ||
        (p->modules.have_holders && !pc_modules_reserve_holders(p, c->detail_count + 1))) {
        pc_block_give(&c->blocks, d, size_class);
        return false;
    }
    c->detail_count++;
    *d = fresh_detail;
    d->size_class = size_class;
    d->counts = (struct pc_counts *)(void *)(d->tasks + s->tasks);
    for (uint32_t i = 0; i < s->tasks; i++)
        d->tasks[i] = pc_pending_task;
    for (uint32_t i = 0; i < s->set_count; i++)
        d->counts[i] = pc_counts_of(c, j, i);
    j->detail = d;
    return true;
}

void pc_detail_free(struct pc_cluster *c, struct pc_job *j)
{
    if (j->detail == NULL)
        return;
    pc_block_give(&c->blocks, j->detail, j->detail->size_class);
    c->detail_count--;
    j->detail = NULL;
}

void pc_detail_drop(struct pc_cluster *c, uint32_t job)
{
    struct pc_job *j = &c->jobs[job];
    if (j->detail != NULL && is_merely_pending(c, j))
        pc_detail_free(c, j);
}

/* ---- places ---- */

bool pc_same_place(const struct pc_place *a, const struct pc_place *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

const struct pc_role *pc_role_among(const struct pc_shape *s, uint32_t task)
{
    uint32_t low = 0;
    uint32_t high = s->role_count - 1;
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (s->roles[middle].first_task <= task)
            low = middle;
        else
            high = middle - 1;
    }
    return &s->roles[low];
}

struct pc_amounts pc_weigh_task(const struct pc_cluster *c, uint32_t job, uint32_t task)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_role *role = pc_role_of(&c->shapes[j->shape], task);
    return pc_weigh_at(c, &role->request, pc_stands_on(&pc_task_of(j, task)->place));
}

struct pc_amounts pc_active_amounts(const struct pc_cluster *c, uint32_t job)
{
    struct pc_amounts sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < c->shapes[c->jobs[job].shape].tasks; i++) {
        if (!pc_is_active(&pc_task(c, job, i)->place))
            continue;
        struct pc_amounts weight = pc_weigh_task(c, job, i);
        pc_add(&sum, &weight, 1);
    }
    return sum;
}

/* ---- contributions ---- */

/* A task's contribution to the counts of its job and pod set, and, in multiples of its weight, to
 * its queues. */
struct tally {
    int32_t active, running, releasing, pending, gated, succeeded;
    int32_t charged, wanted, physical;
};

/*
 * A gang that waits or ends as a whole, like an allocation, is charged for all its tasks until the
 * last has ended. Resources being released are charged in configurations that cannot nominate them.
 */
static struct tally tally(const struct pc_cluster *c, const struct pc_job *j, uint8_t end,
                          const struct pc_place *place)
{
    bool active = pc_is_active(place);
    bool running = place->holding == PC_RUNS;
    bool holds = place->holding != PC_NOTHING;
    bool alive = end == PC_ALIVE;
    return (struct tally){
        .active = active,
        .running = running,
        .releasing = holds && !active,
        .pending = alive && !holds && !active,
        .gated = end == PC_GATED,
        .succeeded = end == PC_SUCCEEDED,
        .charged = active || end == PC_GONE || (holds && !c->traits.nominates),
        .wanted = running || (alive && !holds && !j->shut),
        .physical = holds,
    };
}

static void count(struct pc_job *j, struct pc_counts *n, const struct tally *from,
                  const struct tally *to)
{
    int32_t active = to->active - from->active;
    int32_t running = to->running - from->running;
    int32_t releasing = to->releasing - from->releasing;
    int32_t pending = to->pending - from->pending;
    n->active += active;
    n->running += running;
    n->releasing += releasing;
    n->pending += pending;
    n->gated += to->gated - from->gated;
    n->succeeded += to->succeeded - from->succeeded;
    j->active += active;
    j->running += running;
    j->releasing += releasing;
    j->pending += pending;
}

/* Adds multiples of a weight to the sums of the job's queues, in one walk up. */
static void charge(struct pc_cluster *c, const struct pc_job *j, const struct pc_amounts *weight,
                   int64_t active, int64_t wanted, int64_t physical)
{
    physical = c->usages != NULL ? physical : 0;
    if (active == 0 && wanted == 0 && physical == 0)
        return;
    const struct pc_amounts more = pc_scaled(weight, active);
    const struct pc_amounts more_wanted = pc_scaled(weight, wanted);
    for (uint32_t q = j->queue; q != POLICY_NO_ID; q = c->queues[q].parent) {
        struct pc_queue *queue = &c->queues[q];
        if (active != 0) {
            if (active < 0 && queue->limited && !c->trying)
                c->limits_eased = true;
            pc_add(&queue->allocated, &more, 1);
            if (!j->preemptible)
                pc_add(&queue->fixed, &more, 1);
            if (j->workload == POLICY_BUILD)
                queue->build_milli += more.of[PC_GPU];
        }
        if (wanted != 0)
            pc_add(&queue->request, &more_wanted, 1);
        if (physical != 0)
            pc_add(&queue->held, weight, physical);
    }
}

/* Charges device memory, whose weight differs by node, and for pending tasks. */
static void charge_memory(struct pc_cluster *c, const struct pc_job *j, const struct pc_request *r,
                          uint8_t end, const struct pc_place *place, int sign)
{
    const struct tally n = tally(c, j, end, place);
    const struct pc_amounts held = pc_weigh_at(c, r, place->node);
    const struct pc_amounts active = pc_weigh_at(c, r, pc_stands_on(place));
    charge(c, j, &active, sign * n.charged, 0, 0);
    charge(c, j, &held, 0, sign * n.wanted, sign * n.physical); /* pending tasks have no node */
}

void pc_contribute_pending(struct pc_cluster *c, uint32_t job, int sign)
{
    struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    for (uint32_t i = 0; i < s->role_count; i++) {
        const struct pc_amounts weight = pc_weigh_pending(c, &s->roles[i].request);
        const int64_t tasks = j->shut ? 0 : s->roles[i].tasks;
        charge(c, j, &weight, 0, sign < 0 ? -tasks : tasks, 0);
    }
    j->pending += sign * (int32_t)s->tasks;
    for (uint32_t i = 0; j->detail != NULL && i < s->set_count; i++)
        j->detail->counts[i].pending += sign * (int32_t)s->sets[i].tasks;
}

void pc_shut(struct pc_cluster *c, uint32_t job, bool shut)
{
    struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    if (j->shut == shut)
        return;
    for (uint32_t i = 0; j->state == PC_LIVE && i < s->role_count; i++) {
        const struct pc_role *role = &s->roles[i];
        const struct pc_amounts weight = pc_weigh_pending(c, &role->request);
        int64_t waiting = 0;
        for (uint32_t t = 0; t < role->tasks; t++) {
            const struct pc_task *task = pc_task_of(j, role->first_task + t);
            waiting += task->end == PC_ALIVE && task->place.holding == PC_NOTHING;
        }
        charge(c, j, &weight, 0, shut ? -waiting : waiting, 0);
    }
    j->shut = shut;
    c->shut_count += shut ? 1 : UINT32_MAX;
}

/* The task's contribution to its nodes and their task lists. */
PC_INLINE void contribute_to_nodes(struct pc_cluster *c, uint32_t job, uint32_t task,
                                   const struct pc_request *r, int sign)
{
    struct pc_job *j = &c->jobs[job];
    const struct pc_place *place = &j->detail->tasks[task].place;
    if (place->counted != 0)
        pc_pool_count(c, place->counted - 1, sign * pc_weigh_pending(c, r).of[PC_GPU]);
    else if (place->node == PC_NONE && place->nominated == PC_NONE)
        return;
    else
        pc_node_change(c, r, place, sign);
    if (sign > 0 && c->pending != NULL && j->state == PC_LIVE)
        j->near = place->node;
    if (place->counted == 0 && c->traits.evicts && (j->preemptible || c->traits.anyone_gives) &&
        pc_is_active(place))
        pc_room_give(c, job, task, r, sign);
    if (c->has_modules && place->holding != PC_NOTHING) {
        j->detail->holding += sign;
        j->detail->held_milli += sign * pc_weigh_at(c, r, place->node).of[PC_GPU];
    }
    if (c->group_count > 0)
        pc_groups_charge(c, job, task, r, sign);
}

void pc_contribute(struct pc_cluster *c, uint32_t job, uint32_t task, int sign)
{
    struct pc_job *j = &c->jobs[job];
    const struct pc_role *role = pc_role_of(&c->shapes[j->shape], task);
    const struct pc_task *t = &j->detail->tasks[task];
    const struct tally is = tally(c, j, t->end, &t->place);
    const struct tally none = {0};
    contribute_to_nodes(c, job, task, &role->request, sign);
    if (role->request.memory > 0) {
        charge_memory(c, j, &role->request, t->end, &t->place, sign);
    } else {
        const struct pc_amounts weight = pc_weigh_pending(c, &role->request);
        charge(c, j, &weight, sign * is.charged, sign * is.wanted, sign * is.physical);
    }
    count(j, &j->detail->counts[role->set], sign > 0 ? &none : &is, sign > 0 ? &is : &none);
}

/* Records released capacity. What is being released is available to tasks that may be nominated to
 * it; to all others only once it is free. */
static void note_freed(struct pc_cluster *c, const struct pc_place *from, const struct pc_place *to)
{
    bool frees = from->holding != to->holding || from->nominated != to->nominated;
    bool given_back = from->holding != PC_NOTHING && to->holding == PC_NOTHING;
    if (!frees || c->trying || to->holding == PC_RUNS)
        return;
    c->freed++;
    if (from->node != PC_NONE && (given_back || c->traits.nominates))
        pc_pool_sets_freed(c, &c->nodes[from->node]);
    if (from->counted != 0 && given_back)
        pc_pool_freed(c, from->counted - 1);
    if (from->nominated != PC_NONE)
        pc_pool_sets_freed(c, &c->nodes[from->nominated]);
}

/*
 * Frees the counters of nodes on which no task holds part of a device, unless the change is
 * tentative or may be undone.
 */
static void forget_parts(struct pc_cluster *c, const struct pc_place *from)
{
    const uint32_t nodes[2] = {from->node, from->nominated};
    for (int i = 0; i < 2 && !c->trying && c->undo_count == 0; i++) {
        struct pc_node *n = nodes[i] != PC_NONE ? &c->nodes[nodes[i]] : NULL;
        if (n != NULL && (n->parts_taken | n->parts_leaving | n->groups) == 0)
            pc_devices_free(c, n);
    }
}

/* Returns true if a pending task starts: by far the most frequent change, with known tallies. */
static bool starts(const struct pc_job *j, const struct pc_task *t, const struct pc_request *r,
                   const struct pc_place *to, uint8_t end)
{
    return end == PC_ALIVE && !j->shut && pc_is_pending(t) && to->holding == PC_RUNS &&
           to->nominated == PC_NONE && r->memory == 0;
}

static void start(struct pc_cluster *c, uint32_t job, uint32_t task, const struct pc_role *role,
                  const struct pc_place *to)
{
    struct pc_job *j = &c->jobs[job];
    struct pc_counts *n = &j->detail->counts[role->set];
    const struct pc_amounts weight = pc_weigh_pending(c, &role->request);
    charge(c, j, &weight, 1, 0, 1);
    j->detail->tasks[task].place = *to;
    contribute_to_nodes(c, job, task, &role->request, 1);
    n->active++;
    n->running++;
    n->pending--;
    j->active++;
    j->running++;
    j->pending--;
}

void pc_change(struct pc_cluster *c, uint32_t job, uint32_t task, const struct pc_place *to,
               uint8_t end)
{
    struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    const struct pc_role *role = pc_role_of(s, task);
    const struct pc_request *r = &role->request;
    struct pc_task *t = &j->detail->tasks[task];
    if (starts(j, t, r, to, end)) {
        start(c, job, task, role, to);
        return;
    }
    const struct pc_place from = t->place;
    const struct tally before = tally(c, j, t->end, &from);
    const struct tally after = tally(c, j, end, to);
    if (r->memory > 0) {
        charge_memory(c, j, r, t->end, &from, -1);
        charge_memory(c, j, r, end, to, 1);
    } else {
        const struct pc_amounts weight = pc_weigh_pending(c, r);
        charge(c, j, &weight, after.charged - before.charged, after.wanted - before.wanted,
               after.physical - before.physical);
    }
    contribute_to_nodes(c, job, task, r, -1);
    t->place = *to;
    t->end = end;
    contribute_to_nodes(c, job, task, r, 1);
    count(j, &j->detail->counts[role->set], &before, &after);
    note_freed(c, &from, to);
    if (s->parts)
        forget_parts(c, &from);
}

void pc_move(struct pc_cluster *c, uint32_t job, uint32_t task, const struct pc_place *to)
{
    pc_change(c, job, task, to, c->jobs[job].detail->tasks[task].end);
}

/* ---- starts of equal tasks ---- */

void pc_start_at(struct pc_cluster *c, uint32_t job, uint32_t task, const struct pc_place *place)
{
    const struct pc_job *j = &c->jobs[job];
    j->detail->tasks[task].place = *place;
    contribute_to_nodes(c, job, task, &c->shapes[j->shape].roles[0].request, 1);
}

void pc_start_all(struct pc_cluster *c, uint32_t job)
{
    struct pc_job *j = &c->jobs[job];
    const struct pc_role *role = &c->shapes[j->shape].roles[0];
    const int32_t tasks = (int32_t)role->tasks;
    struct pc_counts *n = &j->detail->counts[0];
    const struct pc_amounts weight = pc_weigh_fixed(&role->request);
    charge(c, j, &weight, tasks, 0, tasks);
    n->active = n->running = tasks;
    n->pending = 0;
    j->active = j->running = tasks;
    j->pending = 0;
}

void pc_start_none(struct pc_cluster *c, uint32_t job, uint32_t count)
{
    const struct pc_job *j = &c->jobs[job];
    while (count-- > 0) {
        contribute_to_nodes(c, job, count, &c->shapes[j->shape].roles[0].request, -1);
        j->detail->tasks[count].place = pc_nowhere();
    }
    pc_detail_drop(c, job);
}

/* ---- ends of whole jobs ---- */

/* The same for all tasks of a role. */
static void withdraw_role(struct pc_cluster *c, uint32_t job, const struct pc_role *role,
                          bool parts)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_request *r = &role->request;
    const struct pc_place nowhere = pc_nowhere();
    struct tally sum = {0};
    for (uint32_t task = role->first_task; task < role->first_task + role->tasks; task++) {
        const struct pc_task *t = &j->detail->tasks[task];
        const struct tally is = tally(c, j, t->end, &t->place);
        sum.charged += is.charged;
        sum.wanted += is.wanted;
        sum.physical += is.physical;
        contribute_to_nodes(c, job, task, r, -1);
        if (r->memory > 0)
            charge_memory(c, j, r, t->end, &t->place, -1);
        note_freed(c, &t->place, &nowhere);
        if (parts)
            forget_parts(c, &t->place);
    }
    const struct pc_amounts weight = pc_weigh_pending(c, r);
    if (r->memory == 0)
        charge(c, j, &weight, -sum.charged, -sum.wanted, -sum.physical);
}

/* The same for a job whose tasks are equal and all running on nodes. */
static void withdraw_alike(struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_role *role = &c->shapes[j->shape].roles[0];
    const int64_t tasks = role->tasks;
    const struct pc_amounts weight = pc_weigh_fixed(&role->request);
    for (uint32_t task = 0; task < role->tasks; task++) {
        contribute_to_nodes(c, job, task, &role->request, -1);
        if (!c->trying)
            pc_pool_sets_freed(c, &c->nodes[j->detail->tasks[task].place.node]);
    }
    c->freed += c->trying ? 0 : role->tasks;
    charge(c, j, &weight, -tasks, -tasks, -tasks);
}

void pc_withdraw(struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    if (j->detail == NULL) {
        pc_contribute_pending(c, job, -1);
        return;
    }
    if (s->alike && (uint32_t)j->running == s->tasks && c->pending != NULL &&
        !c->traits.counts_only) {
        withdraw_alike(c, job);
        return;
    }
    for (uint32_t i = 0; i < s->role_count; i++)
        withdraw_role(c, job, &s->roles[i], s->parts);
}

/* ---- transactions ---- */

/* Creates the counters for the parts of devices in a place. Returns false if out of memory. */
static bool reserve_parts(struct policy *p, uint32_t job, const struct pc_place *to)
{
    if (!p->cluster->shapes[p->cluster->jobs[job].shape].parts)
        return true;
    return (to->node == PC_NONE || to->devices == 0 || pc_devices_make(p, to->node)) &&
           (to->nominated == PC_NONE || to->nominated_devices == 0 ||
            pc_devices_make(p, to->nominated));
}

bool pc_txn_move(struct policy *p, uint32_t job, uint32_t task, const struct pc_place *to)
{
    struct pc_cluster *c = p->cluster;
    if (!PC_GROW(&p->memory, c->undo, c->undo_capacity, c->undo_count + 1) ||
        (c->jobs[job].detail == NULL && !pc_detail_make(p, job)) || !reserve_parts(p, job, to)) {
        c->out_of_memory = true;
        return false;
    }
    c->undo[c->undo_count++] = (struct pc_undo){job, task, pc_task(c, job, task)->place};
    c->jobs[job].detail->users++;
    pc_move(c, job, task, to);
    return true;
}

bool pc_txn_release(struct policy *p, uint32_t job, uint32_t task)
{
    struct pc_place place = pc_not_nominated(pc_task(p->cluster, job, task));
    place.holding = place.holding == PC_RUNS ? PC_RELEASING : place.holding;
    return pc_txn_move(p, job, task, &place);
}

void pc_txn_rollback(struct pc_cluster *c, uint32_t mark)
{
    while (c->undo_count > mark) {
        const struct pc_undo *u = &c->undo[--c->undo_count];
        pc_move(c, u->job, u->task, &u->before);
        c->jobs[u->job].detail->users--;
        pc_detail_drop(c, u->job);
    }
}

bool pc_txn_commit(struct policy *p, uint32_t mark, uint32_t for_job, const uint8_t reasons[2])
{
    struct pc_cluster *c = p->cluster;
    uint32_t most =
        c->noted_count + c->undo_count - mark; /* each may be evicted and nominated elsewhere */
    if (!PC_GROW(&p->memory, c->noted, c->noted_capacity, most) ||
        !PC_GROW(&p->memory, p->decisions, p->decision_capacity, 2 * most)) {
        c->out_of_memory = true;
        return false;
    }
    for (uint32_t i = mark; i < c->undo_count; i++) {
        const struct pc_undo *u = &c->undo[i];
        struct pc_job *j = &c->jobs[u->job];
        struct pc_task *t = &j->detail->tasks[u->task];
        if (!t->noted) {
            t->noted = true;
            j->detail->users++;
            t->before = u->before;
            c->noted[c->noted_count++] = (struct pc_ref){u->job, j->gen, u->task};
        }
        c->freed += t->place.holding == PC_RELEASING;
        t->action = (uint8_t)c->action;
        t->for_job = u->job == for_job ? PC_NONE : for_job;
        t->reason = t->place.holding != PC_RELEASING ? 0 : reasons[t->place.nominated != PC_NONE];
    }
    for (uint32_t i = mark; i < c->undo_count; i++)
        c->jobs[c->undo[i].job].detail->users--;
    for (uint32_t i = mark; i < c->undo_count; i++)
        c->settle(p, c->undo[i].job);
    c->undo_count = mark;
    return true;
}
