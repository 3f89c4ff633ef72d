/* SPDX-License-Identifier: MIT */
/* Whether all victims in the job's own leaf together would make room; see victims.h. */
#include "act/victims/bounds.h"
#include "act/victims/victims.h"
#include "state/evictable.h"
#include "state/gangs.h"
#include "state/nodes.h"
#include "state/room.h"
#include "state/scarcity.h"
#include "state/tasks.h"

/* Lists the job's active tasks in c->evicted. Returns how many more tasks of that many devices this
 * makes room for. */
static int64_t leave_job(struct pc_search *s, uint32_t job, int32_t devices)
{
    struct pc_cluster *c = s->c;
    const struct pc_job *j = &c->jobs[job];
    int64_t room = 0;
    for (uint32_t task = 0; task < c->shapes[j->shape].tasks; task++)
        if (pc_is_active(&pc_task_of(j, task)->place) && pc_list_victim(s, &c->evicted, job, task))
            room += pc_leave_room(c, &c->evicted.of[c->evicted.count - 1], devices);
    return room;
}

/*
 * The number of tasks of that many devices that fit when all victims are gone, if less than
 * `enough`. *all: true if these are all jobs of lower priority that are not past, now and later.
 */
static int64_t room_without_victims(struct pc_search *s, int32_t devices, int64_t enough, bool *all)
{
    struct pc_cluster *c = s->c;
    const struct pc_evictable *active = &c->queues[c->jobs[s->job].queue].active;
    struct pc_evictable_place at = {0, 0};
    int64_t room = pc_whole_room(c, devices);
    *all = true;
    c->evicted.count = 0;
    for (uint32_t other; room < enough && (other = pc_evictable_at(active, at)) != PC_NONE;
         pc_evictable_next(active, &at))
        if (pc_may_be_victim(s, other))
            room += leave_job(s, other, devices);
        else if (s->purpose->is_past != NULL && s->purpose->is_past(s, other))
            break;
        else
            *all = *all && c->jobs[other].priority >= c->jobs[s->job].priority;
    pc_forget_left(c);
    return room;
}

bool pc_may_solve(struct policy *p, uint32_t job, const struct pc_purpose *purpose)
{
    struct pc_cluster *c = p->cluster;
    struct pc_search s = {.p = p, .c = c, .purpose = purpose, .job = job};
    bool all;
    if (!pc_next_tasks(p, job, &c->solving) || c->solving.count == 0)
        return false;
    int32_t devices = pc_least_wanted(&s, &c->solving);
    int64_t tasks = (int64_t)c->solving.count;
    if (devices == 0)
        return true;
    pc_room_settle(p);
    if (pc_scarcity_is_known(c, job, devices, tasks - pc_whole_room(c, devices)))
        return false;
    int64_t room = room_without_victims(&s, devices, tasks, &all);
    if (room < tasks && all && !c->out_of_memory)
        pc_scarcity_remember(c, job, devices, room);
    return room >= tasks && !c->out_of_memory;
}
