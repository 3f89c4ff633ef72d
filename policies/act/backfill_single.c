/* SPDX-License-Identifier: MIT */
/*
 * The reservation; see reserve.h. It is found on trial: what runs is let end in the order of its declared ends until the
 * job can be placed. Of that the nodes with its places remember which tasks end there, and whether another task delays
 * the job is again seen on trial, on that one node.
 */
#include "act/backfill_single.h"

#include "act/attempt.h"
#include "act/victims/victims.h"
#include "base/sort.h"
#include "order/queue_walk.h"
#include "pending/queue_classes.h"
#include "place/choose.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/queues.h"
#include "state/tasks.h"

#define NEVER_ENDS INT64_MAX
#define SOME_DAY   (INT64_MAX / 2) /* after all times that are declared */

/* ---- who ends when ---- */

static policy_time end_from(const struct pc_job *j, policy_time begin)
{
    if (j->limit_ms < 0 || j->limit_ms >= SOME_DAY / 2 || begin == POLICY_NEVER)
        return NEVER_ENDS;
    return begin + j->limit_ms;
}

/* Who runs longer than declared may end at any time. */
static policy_time expected_end(const struct policy *p, const struct pc_job *j)
{
    policy_time end = end_from(j, j->running > 0 ? pc_last_start(j) : p->now);
    return end < p->now ? p->now : end;
}

/* When the task will end on the node: a victim that is put back runs on, everything else that is placed begins now. */
static policy_time end_on(const struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_task *t = pc_task_of(j, task);
    if (t->trial && t->place.node == node)
        return end_from(j, pc_last_start(j));
    return job == c->reservation.candidate ? c->reservation.ends : expected_end(p, j);
}

/* Devices that somebody holds on the node of the job's first active task. */
static int32_t busy_beside(const struct pc_cluster *c, const struct pc_job *j)
{
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        const struct pc_place *place = &pc_task_of(j, task)->place;
        const struct pc_node *n = &c->nodes[place->nominated != PC_NONE ? place->nominated : place->node];
        if (pc_is_active(place))
            return n->devices - pc_soon_whole(n);
    }
    return 0;
}

/* Those without a declared end: first where least has to end for a node to be empty, there who began last. */
static bool ends_before(const void *context, uint32_t a, uint32_t b)
{
    const struct policy *p = context;
    const struct pc_job *x = &p->cluster->jobs[a];
    const struct pc_job *y = &p->cluster->jobs[b];
    policy_time end_x = expected_end(p, x);
    policy_time end_y = expected_end(p, y);
    if (end_x != end_y)
        return end_x < end_y;
    int32_t busy_x = end_x == NEVER_ENDS ? busy_beside(p->cluster, x) : 0;
    int32_t busy_y = end_x == NEVER_ENDS ? busy_beside(p->cluster, y) : 0;
    if (busy_x != busy_y)
        return busy_x < busy_y;
    if (end_x == NEVER_ENDS && pc_last_start(x) != pc_last_start(y))
        return pc_last_start(x) > pc_last_start(y);
    return a < b;
}

/* The jobs that hold something, or are nominated it, in c->asked: first who ends first. */
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

/* ---- what is remembered ---- */

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

/* Links what was remembered to the nodes on which the job has its places; the first `ended` are tasks that end. */
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

void pc_suspend_reservation(struct pc_cluster *c)
{
    struct pc_reservation *r = &c->reservation;
    for (uint32_t i = 0; i < r->count; i++) {
        struct pc_node *n = &c->nodes[r->of[i].node];
        n->reserved = n->ending = PC_NONE;
        n->reserved_whole = 0;
    }
    r->count = 0;
    r->in_force = false;
}

void pc_give_up_reservation(struct pc_cluster *c)
{
    pc_suspend_reservation(c);
    c->reservation.job = PC_NONE;
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

/* What the task holds will be free, and its nomination is kept and over. */
static bool let_task_end(struct policy *p, uint32_t job, uint32_t task)
{
    struct pc_place place = pc_task(p->cluster, job, task)->place;
    place.holding = place.holding == PC_RUNS ? PC_RELEASING : place.holding;
    place.nominated = PC_NONE;
    place.nominated_devices = 0;
    place.nominated_slice = 0;
    return pc_txn_move(p, job, task, &place);
}

static bool let_end(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        const struct pc_place *place = &pc_task_of(j, task)->place;
        uint32_t node = place->nominated != PC_NONE ? place->nominated : place->node;
        if (pc_is_active(place) && (!remember(p, job, task, node) || !let_task_end(p, job, task)))
            return false;
    }
    return true;
}

/* Whether nodes have, each by itself, enough whole devices for so many tasks; nearly all attempts end here. */
static bool may_fit(const struct pc_cluster *c, uint32_t job, const struct pc_tasks *tasks)
{
    int32_t need = c->shapes[c->jobs[job].shape].need;
    return need <= 0 || pc_whole_room(c, need) >= (int64_t)tasks->count;
}

/* Lets jobs end, those of one time together, until the job has a place on trial; it may have one already. */
static bool find_time(struct policy *p, uint32_t job)
{
    struct pc_cluster *c = p->cluster;
    c->reservation.at = p->now;
    if (may_fit(c, job, &c->solving) && pc_attempt(p, job, &c->solving, true))
        return true;
    for (uint32_t i = 0; i < c->asked.count && !c->out_of_memory;) {
        policy_time then = expected_end(p, &c->jobs[c->asked.ids[i]]);
        do {
            if (!let_end(p, c->asked.ids[i]))
                return false;
            i++;
        } while (then != NEVER_ENDS && i < c->asked.count &&
                 expected_end(p, &c->jobs[c->asked.ids[i]]) == then);
        c->reservation.at = then != NEVER_ENDS ? then : SOME_DAY;
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
    return true;
}

/* ---- what others may do ---- */

static bool is_on(const struct pc_cluster *c, uint32_t job, uint32_t task, uint32_t node)
{
    const struct pc_place *place = &pc_task(c, job, task)->place;
    return place->nominated != PC_NONE ? place->nominated == node
                                       : place->holding == PC_RUNS && place->node == node;
}

/* Whether the job that was decided on is still there: it may have ended since, when somebody asks between decisions. */
static bool is_there(const struct pc_cluster *c, const struct pc_ref *ref)
{
    return c->jobs[ref->job].gen == ref->gen && c->jobs[ref->job].state == PC_LIVE;
}

/* A task that was placed, or put back, by this decision. */
static bool let_fresh_end(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    if (job == c->reservation.job || !is_on(c, job, task, node) ||
        end_on(p, job, task, node) > c->reservation.at)
        return true;
    return let_task_end(p, job, task);
}

/* On trial: on this node it is the time of the reservation. */
static bool let_time_come(struct policy *p, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    for (uint32_t i = c->nodes[node].ending; i != PC_NONE; i = r->of[i].next)
        if (is_on(c, r->of[i].job, r->of[i].task, node) && !let_task_end(p, r->of[i].job, r->of[i].task))
            return false;
    for (uint32_t i = 0; i < c->noted_count; i++)
        if (is_there(c, &c->noted[i]) && !let_fresh_end(p, c->noted[i].job, c->noted[i].task, node))
            return false;
    for (uint32_t i = 0, end = c->undo_count; i < end; i++)
        if (!let_fresh_end(p, c->undo[i].job, c->undo[i].task, node))
            return false;
    return true;
}

static bool nomination(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    const struct pc_cluster *c = p->cluster;
    bool spread = p->config.quota.device_placement == POLICY_SPREAD;
    struct pc_place place = pc_task(c, job, task)->place;
    bool now;
    place.nominated = node;
    place.nominated_devices = pc_choose_devices(c, &c->nodes[node], pc_request_of(c, job, task), spread, true,
                                                &now, &place.nominated_slice);
    return pc_txn_move(p, job, task, &place);
}

/* On trial: the job with the reservation takes its places on this node. */
static bool takes_its_places(struct policy *p, uint32_t node)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    for (uint32_t i = c->nodes[node].reserved; i != PC_NONE; i = r->of[i].next) {
        uint32_t task = r->of[i].task;
        if (pc_is_pending(pc_task(c, r->job, task)) &&
            (!pc_fits_soon(c, &c->nodes[node], pc_request_of(c, r->job, task)) ||
             !nomination(p, r->job, task, node)))
            return false;
    }
    return true;
}

bool pc_spares_reservation(struct policy *p, uint32_t job, uint32_t task, uint32_t node)
{
    struct pc_cluster *c = p->cluster;
    const struct pc_node *n = &c->nodes[node];
    if (!c->reservation.in_force || !c->reservation.binds || n->reserved == PC_NONE ||
        end_on(p, job, task, node) <= c->reservation.at)
        return true;
    const struct pc_request *wants = pc_request_of(c, job, task);
    if (!pc_shares_devices(wants) && pc_popcount(n->usable) - wants->devices < n->reserved_whole)
        return false; /* nearly always, when whole nodes are reserved */
    uint32_t mark = pc_txn_mark(c);
    bool spared = nomination(p, job, task, node) && let_time_come(p, node) && takes_its_places(p, node);
    pc_txn_rollback(c, mark);
    return spared;
}

/* ---- who has to spare it ---- */

/* Whether it could take the places back from the job as soon as that ran: then there is no use in sparing them. */
static bool could_evict(const struct policy *p, uint32_t job, const struct pc_amounts *more)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    const struct pc_job *j = &c->jobs[job];
    const struct pc_job *holder = &c->jobs[r->job];
    bool reclaim = j->queue != holder->queue;
    uint32_t action = reclaim ? POLICY_RECLAIM : POLICY_PREEMPT;
    if ((p->config.quota.actions >> action & 1) == 0 || !holder->preemptible ||
        pc_minimum_run(p, p->cluster->jobs[r->job].queue, job, reclaim) > 0)
        return false;
    return reclaim ? pc_could_reclaim(p, job, more, holder->queue, &r->wants)
                   : j->priority > holder->priority;
}

static bool binds(const struct policy *p, uint32_t job, const struct pc_amounts *more)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_reservation *r = &c->reservation;
    if (!r->in_force || r->job == job || !pc_is_below_minimum(c, r->job))
        return false;
    uint32_t class = c->jobs[job].class;
    if (class != PC_NONE && class == c->jobs[r->job].class) /* one like it, but older */
        return false;
    return !could_evict(p, job, more);
}

/* Whether the bounds of queues stay open for the job with the reservation. */
static bool leaves_bounds(const struct pc_cluster *c, const struct pc_job *j, const struct pc_amounts *more)
{
    const struct pc_reservation *r = &c->reservation;
    bool fixed = !j->preemptible && !c->jobs[r->job].preemptible;
    for (uint32_t q = c->jobs[r->job].queue; q != POLICY_NO_ID; q = pc_above(c, q)) {
        if (!pc_is_below(c, j->queue, q))
            continue;
        struct pc_amounts all = pc_sum(&c->queues[q].allocated, more);
        struct pc_amounts of_fixed = pc_sum(&c->queues[q].fixed, more);
        if (pc_exceeds(&all, &r->wants, &c->queues[q].limit) < PC_RESOURCES ||
            (fixed && pc_exceeds(&of_fixed, &r->wants, &c->queues[q].quota) < PC_RESOURCES))
            return false;
    }
    return true;
}

bool pc_heed_reservation(struct policy *p, uint32_t job, const struct pc_tasks *tasks,
                         const struct pc_amounts *more)
{
    struct pc_cluster *c = p->cluster;
    struct pc_reservation *r = &c->reservation;
    r->binds = tasks->count > 0 && binds(p, job, more);
    if (!r->binds)
        return true;
    r->candidate = job;
    r->ends =
        expected_end(p, &c->jobs[job]); /* what of it is placed by then does not tell since when it runs */
    const struct pc_job *j = &c->jobs[job];
    bool victim = pc_task_of(j, tasks->ids[0])->trial; /* takes no more than it had */
    return victim || r->ends <= r->at || leaves_bounds(c, j, more);
}
