/* SPDX-License-Identifier: MIT */
/*
 * The reservation; see backfill_single.h. It is found by trial: running tasks are released in the
 * order of their declared ends until the job can be placed. The nodes of its places then record
 * which tasks end there.
 */
#include "act/backfill_single.h"

#include "act/attempt.h"
#include "act/spare_reservation.h"
#include "base/sort.h"
#include "pending/queue_classes.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/tasks.h"

/* ---- order of ends ---- */

/* Devices in use on the node of the job's first active task. */
static int32_t busy_beside(const struct pc_cluster *c, const struct pc_job *j)
{
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        const struct pc_place *place = &pc_task_of(j, task)->place;
        const struct pc_node *n = &c->nodes[pc_stands_on(place)];
        if (pc_is_active(place))
            return n->devices - pc_soon_whole(n);
    }
    return 0;
}

/* Orders jobs by expected end. Jobs without one: fewest busy devices on their node first, then the
 * latest start. */
static bool ends_before(const void *context, uint32_t a, uint32_t b)
{
    const struct policy *p = context;
    const struct pc_job *x = &p->cluster->jobs[a];
    const struct pc_job *y = &p->cluster->jobs[b];
    policy_time end_x = pc_expected_end(p, x);
    policy_time end_y = pc_expected_end(p, y);
    if (end_x != end_y)
        return end_x < end_y;
    int32_t busy_x = end_x == PC_NEVER_ENDS ? busy_beside(p->cluster, x) : 0;
    int32_t busy_y = end_x == PC_NEVER_ENDS ? busy_beside(p->cluster, y) : 0;
    if (busy_x != busy_y)
        return busy_x < busy_y;
    if (end_x == PC_NEVER_ENDS && pc_last_start(x) != pc_last_start(y))
        return pc_last_start(x) > pc_last_start(y);
    return a < b;
}

/* Lists the jobs that hold or are nominated something, except `but`, in c->asked by expected
 * end. */
static bool list_active(struct policy *p, uint32_t but)
{
    struct pc_cluster *c = p->cluster;
    c->asked.count = 0;
    for (uint32_t job = 0; job < c->job_count; job++) {
        if (job == but || c->jobs[job].state != PC_LIVE || c->jobs[job].active == 0)
            continue;
        if (!PC_GROW(&p->memory, c->asked.ids, c->asked.capacity, c->asked.count + 1)) {
            c->out_of_memory = true;
            return false;
        }
        c->asked.ids[c->asked.count++] = job;
    }
    pc_sort_ids(c->asked.ids, c->asked.count, ends_before, p);
    return true;
}

/* ---- recording the reservation ---- */

static bool remember(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_reservation *r = &p->cluster->reservation;
    if (!PC_GROW(&p->memory, r->of, r->capacity, r->count + 1)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    r->of[r->count++] = (struct pc_then){job, task, node, PC_NONE};
    return true;
}

/* Links the records to the nodes on which the job has its places; the first `ended` records are
 * ending tasks. */
static void mark_nodes(struct pc_cluster *c, uint32_t ended)
{
    struct pc_reservation *r = &c->reservation;
    for (uint32_t i = r->count; i-- > 0;) { /* the places come last */
        struct pc_then *then = &r->of[i];
        const struct pc_request *wants = pc_request_of(c, then->job, then->task);
        struct pc_node *n = &c->nodes[then->node];
        if (i >= ended) {
            then->next = n->reserved;
            n->reserved = i;
            n->reserved_whole += pc_shares_devices(wants) ? 0 : wants->devices;
        } else if (n->reserved != PC_NONE) {
            then->next = n->ending;
            n->ending = i;
        }
    }
}

uint32_t pc_reserved_job(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    uint32_t job = c->reservation.job;
    if (job == PC_NONE)
        return PC_NONE;
    const struct pc_job *j = &c->jobs[job];
    if (j->state == PC_LIVE && j->gen == c->reservation.gen && j->class != PC_NONE &&
        pc_is_below_minimum(c, job))
        return job;
    pc_give_up_reservation(c);
    return PC_NONE;
}

/* ---- finding places and time ---- */

static bool let_end(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        const struct pc_place *place = &pc_task_of(j, task)->place;
        if (pc_is_active(place) &&
            (!remember(p, job, task, pc_stands_on(place)) || !pc_txn_release(p, job, task)))
            return false;
    }
    return true;
}

/* Returns true if enough whole devices exist, node by node, for all the tasks; most attempts end
 * here. */
static bool may_fit(const struct pc_cluster *c, uint32_t job, const struct pc_tasks *tasks)
{
    int32_t need = c->shapes[c->jobs[job].shape].need;
    return need <= 0 || pc_whole_room(c, need) >= (int64_t)tasks->count;
}

/* Releases jobs, those with the same end together, until the job fits tentatively; it may fit at
 * once. */
static bool find_time(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    c->reservation.at = p->now;
    if (may_fit(c, job, &c->solving) && pc_attempt(p, job, &c->solving, true))
        return true;
    for (uint32_t i = 0; i < c->asked.count && !c->out_of_memory;) {
        policy_time then = pc_expected_end(p, &c->jobs[c->asked.ids[i]]);
        do {
            if (!let_end(p, c->asked.ids[i]))
                return false;
            i++;
        } while (then != PC_NEVER_ENDS && i < c->asked.count &&
                 pc_expected_end(p, &c->jobs[c->asked.ids[i]]) == then);
        c->reservation.at = then != PC_NEVER_ENDS ? then : PC_SOME_DAY;
        if (may_fit(c, job, &c->solving) && pc_attempt(p, job, &c->solving, true))
            return true;
    }
    return false;
}

bool pc_reserve(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    struct pc_reservation *r = &c->reservation;
    pc_give_up_reservation(c);
    if (!list_active(p, job) || !pc_next_tasks(p, job, &c->solving))
        return false;
    r->wants = pc_amounts_of(c, job, &c->solving, true);
    uint32_t mark = pc_txn_mark(c);
    bool placed = find_time(p, job);
    uint32_t ended = r->count;
    for (uint32_t i = 0; placed && i < c->solving.count; i++) {
        uint32_t node = pc_task(c, job, c->solving.ids[i])->place.nominated;
        placed = remember(p, job, c->solving.ids[i], node);
    }
    pc_txn_rollback(c, mark);
    if (!placed) {
        r->count = 0; /* no node was marked */
        return false;
    }
    mark_nodes(c, ended);
    r->job = job;
    r->gen = c->jobs[job].gen;
    r->in_force = true;
    r->spares = pc_spares_reservation;
    return true;
}

/* ---- the rows ---- */

/* Recomputes the reservation of the job that has one. */
static void renew(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    uint32_t job = pc_reserved_job(p);
    if (job == PC_NONE)
        return;
    uint32_t gen = c->reservation.gen;
    if (!pc_reserve(p, job) && c->out_of_memory) { /* nothing was learned about it */
        c->reservation.job = job;
        c->reservation.gen = gen;
    }
}

static void begin_anew(struct policy *p)
{
    pc_give_up_reservation(p->cluster);
}

const struct pc_action pc_action_backfill_single = {
    .row = {"backfill-single",
            "the first job that cannot start gets a reservation and keeps it until it starts"},
    .action = POLICY_BACKFILL,
    .run = renew,
};

const struct pc_action pc_action_backfill_first = {
    .row = {"backfill-first", "the first job that cannot start in a decision gets a reservation"},
    .action = POLICY_BACKFILL,
    .run = begin_anew,
};
