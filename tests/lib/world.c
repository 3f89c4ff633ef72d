/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of world.h and its auditor. */
#include "tests/lib/world.h"

#include "tests/lib/harness.h"

#include <string.h>

#define PLENTY (INT64_MAX / 4)

/* ---- facts ---- */

static uint64_t all_devices(int32_t count)
{
    return count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
}

void world_add_node(struct world *w, policy_node id, const struct policy_node_spec *spec)
{
    ck_assert_uint_lt(id.i, WORLD_NODES);
    struct world_node *n = &w->nodes[id.i];
    ck_assert(!n->exists);
    *n = (struct world_node){
        .exists = true,
        .spec = *spec,
        .usable = all_devices(spec->devices),
        .cpu = spec->cpu_milli < 0 ? PLENTY : spec->cpu_milli,
        .mem = spec->mem_mib < 0 ? PLENTY : spec->mem_mib,
    };
    for (int32_t d = 0; d < spec->devices; d++)
        n->room[d] = POLICY_WHOLE;
}

void world_add_job(struct world *w, policy_job id, const struct policy_job_spec *spec, int64_t key,
                   policy_time now)
{
    ck_assert_uint_lt(id.i, WORLD_JOBS);
    struct world_job *job = &w->jobs[id.i];
    ck_assert_int_eq(job->state, WORLD_NONE);
    *job = (struct world_job){
        .state = spec->eligible > now ? WORLD_HELD : WORLD_PENDING,
        .id = id,
        .queue = spec->queue.i,
        .key = key,
        .rank = spec->rank,
        .eligible = spec->eligible,
        .role_count = spec->role_count,
    };
    for (uint32_t r = 0; r < spec->role_count; r++) {
        job->roles[r] = spec->roles[r];
        job->tasks += (uint32_t)spec->roles[r].tasks;
        job->gpu_milli += (int64_t)spec->roles[r].tasks * spec->roles[r].request.devices *
                          world_milli(&spec->roles[r].request);
    }
    ck_assert_uint_le(job->tasks, WORLD_TASKS);
}

const struct policy_request *world_request(const struct world_job *job, uint32_t task)
{
    uint32_t role = 0;
    while (task >= (uint32_t)job->roles[role].tasks)
        task -= (uint32_t)job->roles[role++].tasks;
    return &job->roles[role].request;
}

/* ---- questions ---- */

int32_t world_milli(const struct policy_request *r)
{
    return r->device_milli == 0 ? POLICY_WHOLE : r->device_milli;
}

bool world_uses(const struct world *w, uint32_t queue, uint32_t pool)
{
    return (w->queues[queue].pools >> pool & 1) != 0;
}

bool world_before(const struct world_job *a, const struct world_job *b)
{
    return a->key != b->key ? a->key < b->key : a->rank < b->rank;
}

int32_t world_whole(const struct world_node *n)
{
    int32_t count = 0;
    for (int32_t d = 0; d < n->spec.devices; d++)
        count += (n->usable >> d & 1) != 0 && n->room[d] == POLICY_WHOLE;
    return count;
}

int64_t world_free(const struct world_node *n)
{
    int64_t sum = 0;
    for (int32_t d = 0; d < n->spec.devices; d++)
        sum += (n->usable >> d & 1) != 0 ? n->room[d] : 0;
    return sum;
}

uint64_t world_shared(const struct world_node *n)
{
    uint64_t set = 0;
    for (int32_t d = 0; d < n->spec.devices; d++)
        if (n->room[d] > 0 && n->room[d] < POLICY_WHOLE)
            set |= UINT64_C(1) << d;
    return set & n->usable;
}

bool world_fits_on(const struct world_node *n, const struct policy_request *r, uint64_t devices)
{
    if (n->state != POLICY_NODE_UP || n->cpu < r->cpu_milli || n->mem < r->mem_mib)
        return false;
    if (n->spec.max_tasks >= 0 && n->tasks >= n->spec.max_tasks)
        return false;
    if (r->devices > 0 && r->types != 0 && (r->types >> n->spec.type & 1) == 0)
        return false;
    int32_t found = 0;
    for (int32_t d = 0; d < n->spec.devices; d++)
        found += (devices & n->usable & UINT64_C(1) << d) != 0 && n->room[d] >= world_milli(r);
    return found >= r->devices;
}

bool world_fits(const struct world_node *n, const struct policy_request *r)
{
    return n->exists && world_fits_on(n, r, n->usable);
}

uint64_t world_devices(const struct world_node *n, const struct policy_request *r)
{
    uint64_t chosen = 0;
    for (int32_t i = 0; i < r->devices; i++) {
        int32_t best = -1;
        for (int32_t d = 0; d < n->spec.devices; d++)
            if ((n->usable & ~chosen & UINT64_C(1) << d) != 0 && n->room[d] >= world_milli(r) &&
                (best < 0 || n->room[d] < n->room[best]))
                best = d;
        chosen |= UINT64_C(1) << best;
    }
    return chosen;
}

int64_t world_pool_free(const struct world *w, uint32_t pool)
{
    int64_t free = -w->taken[pool];
    for (uint32_t i = 0; i < WORLD_NODES; i++) {
        const struct world_node *n = &w->nodes[i];
        if (n->exists && n->spec.pool == pool && n->state == POLICY_NODE_UP)
            free += (int64_t)__builtin_popcountll(n->usable) * POLICY_WHOLE;
    }
    return free;
}

/* ---- what never fits ---- */

/* Puts a task on the emptiest devices of a node that it fits. */
static void put(struct world_node *n, const struct policy_request *r)
{
    uint64_t chosen = 0;
    for (int32_t i = 0; i < r->devices; i++) {
        int32_t best = -1;
        for (int32_t d = 0; d < n->spec.devices; d++)
            if ((chosen >> d & 1) == 0 && (best < 0 || n->room[d] > n->room[best]))
                best = d;
        chosen |= UINT64_C(1) << best;
        n->room[best] -= world_milli(r);
    }
    n->cpu -= r->cpu_milli;
    n->mem -= r->mem_mib;
    n->tasks++;
}

/* Fills an empty, healthy node with such tasks, after one of `other` (NULL: none); -1 when that
 * does not fit. */
static int32_t fill(const struct world_node *node, const struct policy_request *r,
                    const struct policy_request *other, int32_t most)
{
    struct world w = {0};
    world_add_node(&w, (policy_node){0}, &node->spec);
    struct world_node *n = &w.nodes[0];
    if (other != NULL && !world_fits(n, other))
        return -1;
    if (other != NULL)
        put(n, other);
    int32_t count = 0;
    for (; count < most && world_fits(n, r); count++)
        put(n, r);
    return count;
}

static bool usable(const struct world *w, const struct world_job *job, uint32_t node)
{
    return w->nodes[node].exists && world_uses(w, job->queue, w->nodes[node].spec.pool);
}

static int32_t fill_all(const struct world *w, const struct world_job *job,
                        const struct policy_request *r, int32_t most)
{
    int32_t count = 0;
    for (uint32_t i = 0; i < WORLD_NODES && count < most; i++)
        count += usable(w, job, i) ? fill(&w->nodes[i], r, NULL, most - count) : 0;
    return count;
}

/* A gang of whole tasks and a single smaller one: tries each node for that one. */
static bool with_remainder(const struct world *w, const struct world_job *job)
{
    const struct policy_request *first = &job->roles[0].request;
    const struct policy_request *second = &job->roles[1].request;
    int32_t wanted = job->roles[0].tasks;
    for (uint32_t host = 0; host < WORLD_NODES; host++) {
        int32_t beside = usable(w, job, host) ? fill(&w->nodes[host], first, second, wanted) : -1;
        int32_t elsewhere = 0;
        for (uint32_t i = 0; i < WORLD_NODES && beside >= 0; i++)
            elsewhere +=
                i != host && usable(w, job, i) ? fill(&w->nodes[i], first, NULL, wanted) : 0;
        if (beside >= 0 && beside + elsewhere >= wanted)
            return true;
    }
    return false;
}

static bool is_remainder(const struct world_job *job)
{
    if (job->role_count != 2 || job->roles[1].tasks != 1)
        return false;
    const struct policy_request *a = &job->roles[0].request;
    const struct policy_request *b = &job->roles[1].request;
    uint64_t of_a = a->types != 0 ? a->types : UINT64_MAX;
    uint64_t of_b = b->types != 0 ? b->types : UINT64_MAX;
    return a->devices > 0 && world_milli(a) == POLICY_WHOLE && b->devices <= a->devices &&
           b->cpu_milli <= a->cpu_milli && b->mem_mib <= a->mem_mib && (of_a & ~of_b) == 0;
}

static bool counted_ever_fits(const struct world *w, const struct world_job *job)
{
    for (uint32_t pool = 0; pool < WORLD_POOLS; pool++) {
        int64_t installed = 0;
        for (uint32_t i = 0; i < WORLD_NODES; i++)
            if (w->nodes[i].exists && w->nodes[i].spec.pool == pool)
                installed += (int64_t)w->nodes[i].spec.devices * POLICY_WHOLE;
        if (world_uses(w, job->queue, pool) && installed >= job->gpu_milli)
            return true;
    }
    return false;
}

bool world_ever_fits(const struct world *w, const struct world_job *job)
{
    if (w->counts)
        return counted_ever_fits(w, job);
    for (uint32_t r = 0; r < job->role_count; r++)
        if (fill_all(w, job, &job->roles[r].request, job->roles[r].tasks) < job->roles[r].tasks)
            return false;
    return !is_remainder(job) || with_remainder(w, job);
}

/* ---- what happens ---- */

void world_hold(struct world *w, struct world_job *job, uint32_t task, uint32_t node,
                uint64_t devices, int sign)
{
    struct world_node *n = &w->nodes[node];
    const struct policy_request *r = world_request(job, task);
    ck_assert_int_eq(job->task[task].holds, sign < 0);
    for (int32_t d = 0; d < n->spec.devices; d++)
        if ((devices >> d & 1) != 0)
            n->room[d] -= sign * world_milli(r);
    n->cpu -= sign * r->cpu_milli;
    n->mem -= sign * r->mem_mib;
    n->tasks += sign;
    job->task[task] = (struct world_task){sign > 0, node, devices};
}

void world_release_held(struct world *w, policy_time now)
{
    for (uint32_t i = 0; i < WORLD_JOBS; i++)
        if (w->jobs[i].state == WORLD_HELD && w->jobs[i].eligible <= now)
            w->jobs[i].state = WORLD_PENDING;
}

static void apply_counted(struct world *w, struct world_job *job, const struct policy_decision *d)
{
    ck_assert_uint_eq(d->task, POLICY_ALL_TASKS);
    ck_assert_uint_eq(d->node.i, POLICY_NO_ID);
    ck_assert_int_eq(d->gpu_milli, job->gpu_milli);
    ck_assert_uint_lt(d->pool, WORLD_POOLS);
    ck_assert(world_uses(w, job->queue, d->pool));
    ck_assert_int_ge(world_pool_free(w, d->pool), job->gpu_milli);
    job->counted = true;
    job->pool = d->pool;
    job->state = WORLD_ACTIVE;
    w->taken[d->pool] += job->gpu_milli;
}

static void apply_task(struct world *w, struct world_job *job, const struct policy_decision *d)
{
    ck_assert_uint_lt(d->task, job->tasks);
    ck_assert_uint_lt(d->node.i, WORLD_NODES);
    const struct policy_request *r = world_request(job, d->task);
    const struct world_node *n = &w->nodes[d->node.i];
    ck_assert_msg(n->exists && world_fits_on(n, r, d->devices),
                  "a task does not fit where it was put");
    ck_assert_int_eq(__builtin_popcountll(d->devices), r->devices);
    ck_assert_uint_eq(d->devices & ~n->usable, 0);
    ck_assert(world_uses(w, job->queue, n->spec.pool));
    ck_assert_uint_eq(d->pool, n->spec.pool);
    ck_assert_int_eq(d->gpu_milli, (int64_t)r->devices * world_milli(r));
    world_hold(w, job, d->task, d->node.i, d->devices, 1);
}

void world_apply(struct world *w, const struct policy_decision *d, size_t count)
{
    for (size_t i = 0; i < count;) {
        ck_assert_uint_lt(d[i].job.i, WORLD_JOBS);
        struct world_job *job = &w->jobs[d[i].job.i];
        ck_assert_uint_eq(job->id.gen, d[i].job.gen);
        ck_assert_msg(job->state == WORLD_PENDING, "a job was started that is not pending");
        uint32_t tasks = w->counts ? 1 : job->tasks;
        for (uint32_t t = 0; t < tasks; t++, i++) {
            ck_assert_msg(i < count && d[i].job.i == job->id.i, "a gang is not whole");
            ck_assert_int_eq(d[i].kind, POLICY_START);
            ck_assert(d[i].action == POLICY_ALLOCATE || d[i].action == POLICY_BACKFILL);
            if (w->counts)
                apply_counted(w, job, &d[i]);
            else
                apply_task(w, job, &d[i]);
        }
        job->state = WORLD_ACTIVE;
    }
}

static bool holds_anything(const struct world_job *job)
{
    for (uint32_t t = 0; t < job->tasks; t++)
        if (job->task[t].holds)
            return true;
    return job->counted;
}

static void give_back(struct world *w, struct world_job *job, uint32_t task)
{
    if (job->counted) {
        w->taken[job->pool] -= job->gpu_milli;
        job->counted = false;
        return;
    }
    world_hold(w, job, task, job->task[task].node, job->task[task].devices, -1);
}

bool world_end(struct world *w, struct world_job *job, uint32_t task, int32_t outcome)
{
    ck_assert_int_eq(job->state, WORLD_ACTIVE);
    for (uint32_t t = 0; t < job->tasks; t++)
        if ((task == POLICY_ALL_TASKS || t == task) && (job->task[t].holds || job->counted))
            give_back(w, job, t);
    job->evicted |= outcome == POLICY_EVICTED;
    if (holds_anything(job))
        return false;
    bool again = job->evicted;
    job->evicted = false;
    job->state = again ? WORLD_PENDING : WORLD_NONE;
    return !again;
}

void world_start_failed(struct world *w, struct world_job *job)
{
    (void)world_end(w, job, POLICY_ALL_TASKS, POLICY_EVICTED);
}
