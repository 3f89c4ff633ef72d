/* SPDX-License-Identifier: MIT */
/* Projected free capacity; see timetable.h. */
#include "act/timetable.h"

#include "act/spare_reservation.h"
#include "state/queue_limits.h"
#include "state/tasks.h"

void pc_timetable_free(struct pc_timetable *t, const struct pc_memory *memory)
{
    for (uint32_t i = 0; i < t->count; i++)
        pc_skyline_free(&t->lines[i], memory);
    pc_release(memory, t->lines, t->capacity, sizeof *t->lines);
    *t = (struct pc_timetable){0};
}

/* ---- skylines of a job ---- */

enum bound { LIMIT, QUOTA, BOUNDS };

static uint32_t line_of(const struct pc_cluster *c, uint32_t queue, enum bound bound)
{
    return c->pool_set_count + BOUNDS * queue + bound;
}

/* What the queue has left below the bound; POLICY_UNLIMITED: it has no such bound. */
static int64_t left_of(const struct pc_queue *q, enum bound bound)
{
    int64_t most = bound == LIMIT ? q->limit.of[PC_GPU] : q->quota.of[PC_GPU];
    return most == POLICY_UNLIMITED ? most
                                    : most - (bound == LIMIT ? q->allocated : q->fixed).of[PC_GPU];
}

static bool is_bound(const struct policy *p, const struct pc_job *j, uint32_t queue,
                     enum bound bound)
{
    const struct pc_queue *q = &p->cluster->queues[queue];
    if (bound == LIMIT)
        return pc_heeds_limits(p) && q->limit.of[PC_GPU] != POLICY_UNLIMITED;
    return pc_heeds_quotas(p) && pc_is_bound_by_quota(p, j) &&
           q->quota.of[PC_GPU] != POLICY_UNLIMITED;
}

/* Visits the skylines of the queues at and above a job: start with {.queue = its queue, .bound =
 * LIMIT}. */
struct path {
    uint32_t queue;
    enum bound bound;
};

static uint32_t next_line(const struct policy *p, const struct pc_job *j, struct path *at)
{
    while (at->queue != POLICY_NO_ID) {
        const struct path here = *at;
        at->bound = here.bound == LIMIT ? QUOTA : LIMIT;
        at->queue = here.bound == LIMIT ? here.queue : pc_above(p->cluster, here.queue);
        if (is_bound(p, j, here.queue, here.bound))
            return line_of(p->cluster, here.queue, here.bound);
    }
    return PC_NONE;
}

/* ---- changes ---- */

static bool add(struct policy *p, struct pc_timetable *t, uint32_t line, policy_time from,
                policy_time to, int64_t amount)
{
    if (!pc_skyline_reserve(&t->lines[line], &p->memory, 1)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    pc_skyline_add(&t->lines[line], from, to, amount);
    return true;
}

static bool add_to_queues(struct policy *p, struct pc_timetable *t, const struct pc_job *j,
                          policy_time from, policy_time to, int64_t amount)
{
    struct path at = {j->queue, LIMIT};
    for (uint32_t line = next_line(p, j, &at); line != PC_NONE; line = next_line(p, j, &at))
        if (!add(p, t, line, from, to, amount))
            return false;
    return true;
}

/* Adds to all sets that contain the node's pool; a node that is down adds nothing. */
static bool add_to_sets(struct policy *p, struct pc_timetable *t, const struct pc_node *n,
                        policy_time from, policy_time to, int64_t amount)
{
    const struct pc_pool *pool = &p->cluster->pools[n->pool];
    for (uint32_t i = 0; i < pool->set_count && n->state == POLICY_NODE_UP; i++)
        if (!add(p, t, pool->sets[i], from, to, amount))
            return false;
    return true;
}

/* Reserves the task's devices for the time span (sign -1), or frees them (1). */
static bool add_task(struct policy *p, struct pc_timetable *t, uint32_t job, uint32_t task,
                     policy_time from, policy_time to, int sign)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_node *n = &c->nodes[pc_stands_on(&pc_task(c, job, task)->place)];
    int64_t amount = sign * pc_weigh_task(c, job, task).of[PC_GPU];
    bool summed = amount != 0 && !pc_request_of(c, job, task)->wants_mig;
    if (summed && !add_to_sets(p, t, n, from, to, amount))
        return false;
    return amount == 0 || add_to_queues(p, t, &c->jobs[job], from, to, amount);
}

bool pc_timetable_plan(struct policy *p, struct pc_timetable *t, uint32_t job, int64_t need,
                       policy_time at, int64_t length)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    policy_time end;
    if (__builtin_add_overflow(at, length, &end))
        end = INT64_MAX;
    return add(p, t, p->cluster->queues[j->queue].pool_set, at, end, -need) &&
           add_to_queues(p, t, j, at, end, -need);
}

bool pc_timetable_place(struct policy *p, struct pc_timetable *t, uint32_t job,
                        const struct pc_tasks *tasks)
{
    policy_time end = pc_expected_end(p, &p->cluster->jobs[job]);
    for (uint32_t i = 0; i < tasks->count; i++)
        if (!add_task(p, t, job, tasks->ids[i], p->now, end, -1))
            return false;
    return true;
}

/* ---- the current state ---- */

static bool reserve_lines(struct policy *p, struct pc_timetable *t)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t count = line_of(c, c->queue_count, LIMIT);
    if (!PC_GROW(&p->memory, t->lines, t->capacity, count)) {
        p->cluster->out_of_memory = true;
        return false;
    }
    for (; t->count < count; t->count++)
        pc_skyline_init(&t->lines[t->count], INT64_MIN, 0);
    return true;
}

static void begin_lines(const struct policy *p, struct pc_timetable *t)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t set = 0; set < c->pool_set_count; set++)
        pc_skyline_restart(&t->lines[set], p->now, c->pool_sets[set].soon_milli);
    for (uint32_t q = 0; q < c->queue_count; q++)
        for (enum bound bound = LIMIT; bound < BOUNDS && c->queues[q].exists; bound++)
            pc_skyline_restart(&t->lines[line_of(c, q, bound)], p->now,
                               left_of(&c->queues[q], bound));
}

static bool add_running(struct policy *p, struct pc_timetable *t, uint32_t job)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    policy_time end = pc_expected_end(p, j);
    end = end > p->now ? end : p->now + 1; /* past its limit: may end at any time */
    for (uint32_t task = 0; end < INT64_MAX && task < p->cluster->shapes[j->shape].tasks; task++)
        if (pc_is_active(&pc_task_of(j, task)->place) &&
            !add_task(p, t, job, task, end, INT64_MAX, 1))
            return false;
    return true;
}

bool pc_timetable_open(struct policy *p, struct pc_timetable *t)
{
    const struct pc_cluster *c = p->cluster;
    if (!reserve_lines(p, t))
        return false;
    begin_lines(p, t);
    for (uint32_t job = 0; job < c->job_count; job++)
        if (c->jobs[job].state == PC_LIVE && c->jobs[job].active > 0 && !add_running(p, t, job))
            return false;
    return true;
}

/* ---- questions ---- */

bool pc_timetable_counts(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_shape *s = &c->shapes[c->jobs[job].shape];
    for (uint32_t i = 0; i < s->role_count; i++)
        if (s->roles[i].request.wants_mig)
            return false;
    return !s->wants_memory && s->total.of[PC_GPU] > 0;
}

int64_t pc_timetable_length(const struct policy *p, uint32_t job)
{
    policy_time end = pc_expected_end(p, &p->cluster->jobs[job]);
    return end == INT64_MAX ? end : end - p->now;
}

policy_time pc_timetable_earliest(const struct policy *p, const struct pc_timetable *t,
                                  uint32_t job, int64_t need, int64_t length, policy_time from)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    policy_time at = from;
    for (policy_time before = INT64_MAX; at != before && at < INT64_MAX;) {
        before = at;
        at = pc_skyline_fit(&t->lines[p->cluster->queues[j->queue].pool_set], at, INT64_MAX, need,
                            length);
        struct path path = {j->queue, LIMIT};
        for (uint32_t line = next_line(p, j, &path); line != PC_NONE && at < INT64_MAX;
             line = next_line(p, j, &path))
            at = pc_skyline_fit(&t->lines[line], at, INT64_MAX, need, length);
    }
    return at;
}

policy_time pc_timetable_next(const struct policy *p, const struct pc_timetable *t, uint32_t job)
{
    const struct pc_job *j = &p->cluster->jobs[job];
    policy_time next = pc_skyline_next(&t->lines[p->cluster->queues[j->queue].pool_set], p->now);
    struct path path = {j->queue, LIMIT};
    for (uint32_t line = next_line(p, j, &path); line != PC_NONE; line = next_line(p, j, &path)) {
        policy_time its = pc_skyline_next(&t->lines[line], p->now);
        next = its < next ? its : next;
    }
    return next;
}
