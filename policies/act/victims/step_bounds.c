/* SPDX-License-Identifier: MIT */
/*
 * Decides whether any trial of a step could be accepted. Trials are independent; each evicts the
 * recorded victims of earlier steps and, of the jobs on one node, as much as was taken by then. If
 * each of the job's tasks requests d devices and nothing else, and larger evictable tasks request
 * multiples of d, additional room for such a task has only two sources, whatever moves where
 * (state/room.h):
 *     tasks that request fewer than d devices leave a node where they take up the room
 *     tasks that request d or more are lost
 *
 * So if the recorded victims alone leave too little room, and the losses allowed with pieces up to
 * a size do not cover the rest, an acceptable trial has victims on a node of the first kind, or
 * takes a larger piece. These are few and are examined one by one, with all the victims that a
 * trial there could have.
 *
 * Where only pieces larger than a task are enough, there may be hundreds of gangs. Then the search
 * first walks for a while, as it often meets one soon, and examines them all only if it does not.
 */
#include "act/victims/alike.h"
#include "act/victims/barren.h"
#include "act/victims/bounds.h"
#include "act/victims/loss_bounds.h"
#include "act/victims/turn_bounds.h"
#include "act/victims/wanted.h"
#include "state/nodes.h"
#include "state/room.h"
#include "state/shapes.h"
#include "state/tasks.h"

/*
 * Upper bound on marked nodes. If more nodes may succeed, the search meets one soon, and narrowing
 * it costs more than it saves.
 */
enum { MOST_MARKED = 64, FEW_MARKED = 3 };

/* More than any fleet, in thousandths of devices; small enough to be added up for all queues. */
#define MUCH (INT64_C(1) << 40)

struct step {
    struct pc_search *s;
    const struct pc_tasks *tasks;
    int32_t devices;  /* requested by each task */
    int64_t lacking;  /* tasks for which the recorded victims with fewer devices leave no room */
    uint32_t most;    /* upper bound on marked nodes */
    uint32_t *marked; /* nodes marked so far */
    uint32_t bearers; /* list of queues that may lose something, or PC_NONE */
    int64_t lost_milli, lost_tasks; /* at most, by single tasks of one node and recorded victims */
    struct pc_alikes known;         /* jobs examined, */
    bool worth[PC_ALIKES];          /* and whether a trial with them might be accepted */
};

static bool is_in_reach(const struct pc_search *s, uint32_t leaf)
{
    bool own = leaf == s->c->jobs[s->job].queue;
    return s->purpose->reach == PC_ALL || own == (s->purpose->reach == PC_OWN);
}

static bool has_victims(const struct pc_search *s, uint32_t leaf)
{
    return s->c->queues[leaf].active.count > 0 && is_in_reach(s, leaf);
}

/* ---- possible losses with pieces up to a size ---- */

static void find_bearers(struct step *t)
{
    struct pc_cluster *c = t->s->c;
    t->bearers = PC_NONE;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++) {
        if (!has_victims(t->s, leaf))
            continue;
        struct pc_queue *q = pc_bearer(t->s, leaf);
        if (q->bears <= 0 || q->given > 0) /* already listed */
            continue;
        q->given = 1;
        q->next_bearer = t->bearers;
        t->bearers = c->queues[leaf].bearer;
    }
    for (uint32_t q = t->bearers; q != PC_NONE; q = c->queues[q].next_bearer)
        c->queues[q].given = 0;
}

/*
 * What the bearer loses of the listed victims at most, however many more are listed. More victims
 * of a leaf leave it less when a job has its turn, so that it comes no later.
 */
static int64_t largest_late(const struct step *t, uint32_t bearer)
{
    const struct pc_cluster *c = t->s->c;
    const struct pc_queue *q = &c->queues[bearer];
    bool alone = q->leaf && pc_above(c, bearer) == pc_above(c, c->jobs[t->s->job].queue);
    if (!alone || q->largest == 0)
        return q->largest;
    int64_t late = pc_most_late(t->s, bearer, t->devices, false).largest;
    return late < q->largest ? late : q->largest;
}

/* Records the largest piece of each queue among the listed victims, until forget_pieces(). */
static void note_pieces(const struct step *t)
{
    const struct pc_cluster *c = t->s->c;
    pc_list_pieces(t->s, t->devices);
    for (uint32_t i = 0; i < c->evicted.count; i++)
        c->jobs[c->evicted.of[i].job].detail->gives =
            pc_bearer(t->s, c->jobs[c->evicted.of[i].job].queue)->given = 0;
    for (uint32_t q = t->bearers; q != PC_NONE; q = c->queues[q].next_bearer)
        c->queues[q].largest = largest_late(t, q);
}

static void forget_pieces(const struct step *t)
{
    const struct pc_cluster *c = t->s->c;
    for (uint32_t i = 0; i < c->evicted.count; i++)
        pc_bearer(t->s, c->jobs[c->evicted.of[i].job].queue)->largest = 0;
}

/* Returns true if enough tasks with `devices` or more may be lost by pieces up to `piece` and the
 * recorded ones. */
static bool may_lose_enough(const struct step *t, int64_t piece)
{
    int64_t lost = 0; /* in tasks */
    for (uint32_t i = t->bearers; i != PC_NONE && lost < t->lacking;
         i = t->s->c->queues[i].next_bearer) {
        const struct pc_queue *q = &t->s->c->queues[i];
        lost +=
            pc_most_with(q, piece > q->largest ? piece : q->largest) / POLICY_WHOLE / t->devices;
    }
    return lost >= t->lacking;
}

/* The largest piece among the recorded victims and single tasks on one node. */
static int64_t largest_on_node(const struct step *t)
{
    const struct pc_cluster *c = t->s->c;
    int64_t largest = (int64_t)c->most_devices * POLICY_WHOLE;
    for (uint32_t i = 0; i < c->recorded.count; i++) {
        const struct pc_detail *detail = c->jobs[c->recorded.of[i].job].detail;
        if (detail->active_amounts.of[PC_GPU] > largest)
            largest = detail->active_amounts.of[PC_GPU];
    }
    return largest;
}

/* Finds what may be lost with these. */
static void sum_up_losses(struct step *t)
{
    const struct pc_cluster *c = t->s->c;
    const int64_t piece = largest_on_node(t);
    t->lost_milli = t->lost_tasks = 0;
    for (uint32_t i = t->bearers; i != PC_NONE; i = c->queues[i].next_bearer) {
        int64_t most = pc_most_with(&c->queues[i], piece);
        most = most < MUCH ? most : MUCH;
        t->lost_milli += most;
        t->lost_tasks += most / POLICY_WHOLE / t->devices;
    }
}

/* Returns the smallest piece size with which enough may be lost: 0 for any, PC_SIZES for none. */
static uint32_t needed_size(const struct step *t)
{
    uint32_t size = 0;
    while (size < PC_SIZES && !may_lose_enough(t, pc_most_of_size(size)))
        size = t->bearers != PC_NONE ? size + 1 : PC_SIZES;
    return size;
}

/* ---- node by node ---- */

/*
 * Lists the job's active tasks that are not recorded. Returns false if the job has smaller tasks on
 * this node and others elsewhere, where a trial would have more victims; or if out of memory.
 */
static bool list_job(struct pc_search *s, uint32_t job, uint32_t node, int32_t fewer_than)
{
    const struct pc_cluster *c = s->c;
    const struct pc_job *j = &c->jobs[job];
    bool small = false;
    bool alone = true;
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        if (!pc_is_active(&pc_task_of(j, task)->place))
            continue;
        small = small || pc_is_small(pc_request_of(c, job, task), fewer_than);
        alone = alone && pc_stands_on(&pc_task_of(j, task)->place) == node;
        if (!pc_task_of(j, task)->recorded && !pc_list_victim(s, &s->c->evicted, job, task))
            return false;
    }
    return alone || !small;
}

/* Counts the unrecorded victims on the node and lists them all. Returns false if a trial elsewhere
 * may have more of them, or if out of memory. */
static bool list_node(const struct step *t, uint32_t node, uint32_t *victims)
{
    struct pc_cluster *c = t->s->c;
    bool known = pc_list_recorded(t->s);
    for (struct pc_evictable_task g = c->nodes[node].first_evictable; g.job != PC_NONE && known;
         g = pc_task(c, g.job, g.task)->next) {
        if (!is_in_reach(t->s, c->jobs[g.job].queue) || !pc_may_be_victim(t->s, g.job))
            continue;
        *victims += !pc_task(c, g.job, g.task)->recorded;
        if (!c->jobs[g.job].marked)
            known = list_job(t->s, g.job, node, t->devices);
        c->jobs[g.job].marked = true;
    }
    for (struct pc_evictable_task g = c->nodes[node].first_evictable; g.job != PC_NONE;
         g = pc_task(c, g.job, g.task)->next)
        c->jobs[g.job].marked = false;
    return known;
}

/* Marks the node with this number of victims. Returns false if too many nodes are marked, or if out
 * of memory. */
static bool mark(const struct step *t, uint32_t node, uint32_t victims)
{
    const struct pc_cluster *c = t->s->c;
    c->nodes[node].worth_in = c->step_number;
    for (struct pc_evictable_task g = c->nodes[node].first_evictable; g.job != PC_NONE;
         g = pc_task(c, g.job, g.task)->next) {
        struct pc_job_marks *marks = &c->marks[g.job];
        if (marks->wanted_in != c->step_number && !pc_wanted_add(t->s, g.job))
            return false;
        marks->wanted_in = c->step_number;
    }
    t->s->ahead += victims;
    return ++*t->marked <= t->most;
}

/* Returns true if the node has only tasks whose jobs give nothing elsewhere, or are no victims. */
static bool stands_alone(const struct pc_search *s, uint32_t node)
{
    return s->purpose->reach == PC_OTHERS
               ? pc_others_are_single(s->c, node, s->c->jobs[s->job].queue)
               : pc_all_are_single(s->c, node);
}

/* Returns false if the sizes of the tasks on such a node rule out that a trial there leaves enough
 * room, or gives enough. */
static bool may_do(const struct step *t, uint32_t node)
{
    const struct pc_node *n = &t->s->c->nodes[node];
    int64_t gained = n->listed >= 0 ? n->room[t->devices] - n->listed / t->devices : 0;
    return gained + t->lost_tasks >= t->lacking &&
           pc_singles_give_enough(t->s, t->tasks, node, t->lost_milli);
}

/* Marks the node if a trial there might be accepted, given all victims on it. Returns false if
 * unknown, or if too many nodes are marked. */
static bool look_at_node(const struct step *t, uint32_t node)
{
    uint32_t victims = 0;
    if (t->s->c->nodes[node].worth_in == t->s->c->step_number || pc_frees_nothing(t->s, node))
        return true;
    if (t->s->timeless && stands_alone(t->s, node) && !may_do(t, node))
        return true;
    if (!list_node(t, node, &victims))
        return false;
    t->s->superset = true;
    bool worth = pc_is_worth_trying(t->s, t->tasks);
    t->s->superset = false;
    return !worth || mark(t, node, victims);
}

/* Returns false as soon as too many nodes are expected. */
static bool look_at_roomy_nodes(const struct step *t)
{
    const struct policy *p = t->s->p;
    const uint64_t nodes = t->s->c->node_count;
    uint32_t rank = pc_next_roomy(t->s->c, t->devices, 0);
    for (; rank != PC_NONE; rank = pc_next_roomy(t->s->c, t->devices, rank + 1)) {
        bool too_many = *t->marked >= FEW_MARKED && *t->marked * nodes > (uint64_t)rank * t->most;
        if (too_many || !look_at_node(t, p->node_of_rank[rank]))
            return false;
    }
    return true;
}

/* The number of the job's tasks on the node that are not recorded; 0 also if there are evictable
 * tasks of other jobs. */
static uint32_t victims_alone(const struct pc_cluster *c, uint32_t node, uint32_t job)
{
    uint32_t victims = 0;
    for (struct pc_evictable_task g = c->nodes[node].first_evictable; g.job != PC_NONE;
         g = pc_task(c, g.job, g.task)->next) {
        if (g.job != job)
            return 0;
        victims += !pc_task(c, g.job, g.task)->recorded;
    }
    return victims;
}

/* Examines the nodes of the job: of those that it has for itself only one, as trials there are
 * alike. */
static bool look_at_job(const struct step *t, uint32_t job)
{
    const struct pc_cluster *c = t->s->c;
    const struct pc_job *j = &c->jobs[job];
    uint32_t like = PC_NONE;
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        if (!pc_is_active(&pc_task_of(j, task)->place))
            continue;
        uint32_t node = pc_stands_on(&pc_task_of(j, task)->place);
        uint32_t alone =
            c->nodes[node].worth_in != c->step_number ? victims_alone(c, node, job) : 0;
        if (alone > 0 && like != PC_NONE) {
            if (c->nodes[like].worth_in == c->step_number && !mark(t, node, alone))
                return false;
            continue;
        }
        if (alone > 0)
            like = node;
        if (!look_at_node(t, node))
            return false;
    }
    return true;
}

/* Marks the nodes of a job that has them to itself. */
static bool mark_job(const struct step *t, uint32_t job)
{
    const struct pc_cluster *c = t->s->c;
    const struct pc_job *j = &c->jobs[job];
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++) {
        uint32_t node = pc_task_of(j, task)->place.node;
        if (c->nodes[node].worth_in != c->step_number && !mark(t, node, 1))
            return false;
    }
    return true;
}

/* Examines one node of a job that is like others, and no node if one of these was examined. */
static bool look_at_one_like(struct step *t, uint32_t job)
{
    const struct pc_cluster *c = t->s->c;
    struct pc_alike alike;
    if (!pc_alike_describe(t->s, job, &alike))
        return look_at_job(t, job);
    uint32_t i = pc_alike_find(&t->known, &alike);
    if (i == PC_NONE) {
        uint32_t node = pc_task_of(&c->jobs[job], 0)->place.node;
        if (!look_at_node(t, node))
            return false;
        i = pc_alike_add(&t->known, &alike);
        t->worth[i] = c->nodes[node].worth_in == c->step_number;
    }
    return !t->worth[i] || mark_job(t, job);
}

/* Examines all jobs that may be larger pieces, in queues that may lose them. */
static bool look_at_large_jobs(struct step *t, uint32_t size)
{
    const struct pc_cluster *c = t->s->c;
    for (uint32_t leaf = 0; leaf < c->queue_count; leaf++) {
        if (!has_victims(t->s, leaf) || pc_bearer(t->s, leaf)->bears <= 0)
            continue;
        for (uint32_t n = size; n < PC_SIZES; n++)
            for (uint32_t job = c->queues[leaf].of_size[n]; job != PC_NONE;
                 job = c->jobs[job].detail->next_of_size)
                if (pc_may_be_victim(t->s, job) && !look_at_one_like(t, job))
                    return false;
    }
    return true;
}

/* ---- a part of a device ---- */

static bool some_may_be_lost(const struct pc_search *s)
{
    bool some = false;
    for (uint32_t leaf = 0; leaf < s->c->queue_count && !some; leaf++)
        some = has_victims(s, leaf) && pc_bearer(s, leaf)->bears > 0;
    return some;
}

static bool fits_on_some_shared(const struct policy *p, const struct pc_request *r)
{
    const struct pc_bits *shared = &p->cluster->with_shared;
    uint32_t rank = pc_bits_first(shared);
    while (rank != PC_NONE && !pc_fits_shared(&p->cluster->nodes[p->node_of_rank[rank]], r))
        rank = pc_bits_next(shared, rank + 1);
    return rank != PC_NONE;
}

/*
 * Returns false if a single task that requests part of one device fits in no trial: on no shared
 * device, because no part is released, and on no other, because none is free and victims that must
 * not be lost need as many as they leave.
 */
static bool part_may_fit(const struct pc_search *s, const struct pc_tasks *tasks)
{
    const struct pc_cluster *c = s->c;
    const struct pc_request *r = pc_request_of(c, s->job, tasks->ids[0]);
    return tasks->count > 1 || r->share == 0 || r->devices != 1 || c->giving_parts > 0 ||
           pc_whole_room(c, 1) > 0 || some_may_be_lost(s) || fits_on_some_shared(s->p, r);
}

bool pc_some_trial_may_do(struct pc_search *s, const struct pc_tasks *tasks, bool patient)
{
    struct pc_cluster *c = s->c;
    uint32_t marked = 0;
    struct step t = {.s = s,
                     .tasks = tasks,
                     .devices = pc_wanted_alike(s, tasks),
                     .most = MOST_MARKED,
                     .marked = &marked};
    s->narrowed = s->scarce = false;
    s->devices = t.devices;
    s->ahead = 0;
    c->wanted.count = 0;
    if (t.devices == 0)
        return part_may_fit(s, tasks);
    if ((int64_t)tasks->count <= pc_whole_room(c, t.devices) ||
        pc_most_room(s->p, t.devices) == INT64_MAX || !pc_list_recorded(s))
        return true; /* pc_next_roomy() uses the count of that call */
    s->scarce = s->purpose->reach == PC_OTHERS &&
                pc_room_without(c, t.devices, INT32_MAX) < (int64_t)tasks->count;
    t.lacking = (int64_t)tasks->count - pc_room_without(c, t.devices, t.devices);
    if (t.lacking <= 0)
        return true;
    find_bearers(&t);
    s->loses_nothing = t.bearers == PC_NONE;
    note_pieces(&t);
    uint32_t size = needed_size(&t);
    forget_pieces(&t);
    bool gangs = size > 0 && pc_most_of_size(size - 1) >= (int64_t)t.devices * POLICY_WHOLE;
    if (patient && gangs)
        t.most = UINT32_MAX;
    if (size == 0)
        return true;
    sum_up_losses(&t);
    if (!look_at_roomy_nodes(&t) || !look_at_large_jobs(&t, size))
        return true;
    s->narrowed = true;
    return s->ahead > 0;
}
