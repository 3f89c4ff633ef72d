/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Use of pools by queues over time; see pool_use.h. */
#include "report/record/pool_use.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- groups ---- */

/*
 * Returns the first pool that some queue's quota names together with this one; the pool itself if
 * none does.
 */
static uint32_t first_of(const struct sim *sim, uint32_t pool)
{
    for (size_t i = 0; i < sim->queue_count; i++) {
        const struct policy_pool_quota *quotas = sim->queues[i].by_pool;
        uint32_t k = 0, first = UINT32_MAX;
        while (k < sim->queues[i].by_pool_count && quotas[k].pool != pool)
            k++;
        if (k == sim->queues[i].by_pool_count)
            continue;
        while (quotas[k].joined)
            k--;
        do
            first = quotas[k].pool < first ? quotas[k].pool : first;
        while (++k < sim->queues[i].by_pool_count && quotas[k].joined);
        return first;
    }
    return UINT32_MAX;
}

/* Groups in the order of their first pools; pools that no quota names come last. */
static void find_groups(struct pool_uses *p, const struct sim *sim)
{
    bool others = false;
    p->known = true;
    p->pool_count = (uint32_t)sim->fleet->pool_count;
    p->group_of_pool = mem_alloc(p->pool_count + 1, sizeof *p->group_of_pool);
    for (uint32_t i = 0; i < p->pool_count; i++) {
        uint32_t first = first_of(sim, i);
        p->group_of_pool[i] = first == i            ? p->group_count++
                              : first == UINT32_MAX ? UINT32_MAX
                                                    : p->group_of_pool[first];
        others |= first == UINT32_MAX;
    }
    for (uint32_t i = 0; i < p->pool_count; i++)
        if (p->group_of_pool[i] == UINT32_MAX)
            p->group_of_pool[i] = p->group_count;
    p->group_count += p->group_count > 0 && others;
}

static struct pool_use *use_of(struct pool_uses *p, const struct sim *sim, size_t queue,
                               uint32_t group)
{
    size_t needed = sim->queue_count * p->group_count;
    if (p->use_count < needed)
        p->uses = mem_extend(p->uses, &p->use_count, needed, sizeof *p->uses);
    return &p->uses[queue * p->group_count + group];
}

/* ---- running tasks ---- */

static bool counts(struct pool_uses *p, const struct sim *sim)
{
    if (!p->known)
        find_groups(p, sim);
    p->stale = true;
    return p->group_count > 0 && !sim->counts;
}

/* Returns the requests of the job's running tasks, by group. */
static int64_t *running_of(struct pool_uses *p, const struct sim *sim, const struct work_job *job)
{
    size_t needed = sim->work.capacity * p->group_count;
    if (p->job_count < needed)
        p->jobs = mem_extend(p->jobs, &p->job_count, needed, sizeof *p->jobs);
    return &p->jobs[(size_t)job->core.i * p->group_count];
}

static uint32_t group_of(const struct pool_uses *p, const struct sim *sim,
                         const struct work_task *task)
{
    return p->group_of_pool[sim->fleet->nodes[task->node].pool];
}

static void add(struct pool_uses *p, const struct sim *sim, const struct work_job *job,
                uint32_t group, int64_t milli)
{
    running_of(p, sim, job)[group] += milli;
    use_of(p, sim, job->queue, group)->running += milli;
}

static void held(void *self, const struct sim *sim, const struct work_job *job,
                 const struct work_task *task, int sign)
{
    struct pool_uses *p = self;
    if (counts(p, sim) && task->release_ms == WORK_NEVER)
        add(p, sim, job, group_of(p, sim, task), sign * task->held_milli);
}

/* Tasks that are being released no longer run. */
static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct pool_uses *p = self;
    (void)how;
    if (!counts(p, sim))
        return;
    for (uint32_t g = 0; g < p->group_count; g++) {
        int64_t milli = 0;
        for (uint32_t id = job->first_task; id != WORK_NONE; id = sim->work.tasks[id].next) {
            const struct work_task *task = &sim->work.tasks[id];
            if (task->release_ms == WORK_NEVER && group_of(p, sim, task) == g)
                milli += task->held_milli;
        }
        add(p, sim, job, g, milli - running_of(p, sim, job)[g]);
    }
}

static void forget(void *self, const struct sim *sim, const struct work_job *job)
{
    struct pool_uses *p = self;
    for (uint32_t g = 0; counts(p, sim) && g < p->group_count; g++)
        add(p, sim, job, g, -running_of(p, sim, job)[g]);
}

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    (void)job;
    (void)counts(self, sim);
}

static void cycled(void *self, const struct sim *sim, bool asked)
{
    (void)asked;
    (void)counts(self, sim);
}

/* ---- quotas and entitlements ---- */

static bool is_leaf(const struct sim *sim, size_t queue)
{
    for (size_t i = 0; i < sim->queue_count; i++)
        if (sim->queues[i].parent == (int32_t)queue)
            return false;
    return true;
}

static bool may_use(const struct pool_uses *p, const struct sim_queue *queue, uint32_t group)
{
    for (uint32_t i = 0; i < queue->pool_count; i++)
        if (p->group_of_pool[queue->pools[i]] == group)
            return true;
    return queue->pool_count == 0;
}

/* Returns the queue's quota in the group, in thousandths; negative: unlimited. */
static int64_t quota_in(struct pool_uses *p, const struct sim *sim, size_t queue, uint32_t group)
{
    const struct sim_queue *of = &sim->queues[queue];
    int64_t left = of->gpu.quota;
    for (uint32_t i = 0; i < of->by_pool_count; i++)
        if (!of->by_pool[i].joined && p->group_of_pool[of->by_pool[i].pool] == group)
            return of->by_pool[i].quota;
    if (of->by_pool_count > 0)
        return 0;
    for (uint32_t g = 0; left > 0 && g < group; g++) {
        int64_t here = use_of(p, sim, queue, g)->running;
        left -= here < left ? here : left;
    }
    int64_t here = use_of(p, sim, queue, group)->running;
    return left < here ? left : here;
}

/* Takes the policy's division; returns false if it makes none by pool. */
static bool ask_policy(const struct pool_uses *p, const struct sim *sim, size_t queue,
                       uint32_t group, double *entitled)
{
    struct policy_pool_share share = {.size = sizeof share};
    uint32_t pool = 0;
    while (p->group_of_pool[pool] != group)
        pool++;
    if (policy_pool_share(sim->policy, sim->queues[queue].core, pool, &share) != POLICY_OK)
        return false;
    *entitled = (double)share.fair_share;
    return true;
}

static void divide(struct pool_uses *p, const struct sim *sim, uint32_t group)
{
    if (p->row_count < sim->queue_count)
        p->rows = mem_extend(p->rows, &p->row_count, sim->queue_count, sizeof *p->rows);
    for (size_t i = 0; i < sim->queue_count; i++) {
        const struct sim_queue *queue = &sim->queues[i];
        bool wants = is_leaf(sim, i) && may_use(p, queue, group);
        int64_t most = queue->gpu.limit;
        int64_t demand = use_of(p, sim, i, group)->running + queue->wanted_milli;
        p->rows[i] = (struct division_row){.quota = quota_in(p, sim, i, group),
                                           .weight = queue->gpu.weight,
                                           .demand = !wants                       ? 0
                                                     : most >= 0 && most < demand ? most
                                                                                  : demand};
    }
    (void)division_make(p->rows, sim->queue_count, pool_uses_gpus(p, sim, group) * POLICY_WHOLE);
    for (size_t i = 0; i < sim->queue_count; i++)
        use_of(p, sim, i, group)->entitled = p->rows[i].entitled;
}

static void entitle(struct pool_uses *p, const struct sim *sim)
{
    p->stale = false;
    for (uint32_t g = 0; g < p->group_count; g++) {
        bool given = true;
        for (size_t i = 0; i < sim->queue_count && given; i++)
            given = !is_leaf(sim, i) || ask_policy(p, sim, i, g, &use_of(p, sim, i, g)->entitled);
        if (!given)
            divide(p, sim, g);
    }
}

int64_t pool_uses_over(void *self, const struct sim *sim, uint32_t queue)
{
    struct pool_uses *p = self;
    int64_t sum = 0;
    for (uint32_t g = 0; g < p->group_count && !sim->counts; g++) {
        int64_t over = use_of(p, sim, queue, g)->running - quota_in(p, sim, queue, g);
        sum += over > 0 ? over : 0;
    }
    return sum;
}

/* ---- integrals ---- */

static void interval(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    struct pool_uses *p = self;
    const struct sim_site *of = &sim->sites[site];
    double ms = (double)sim_inside(sim, from, to);
    if (!p->known)
        find_groups(p, sim);
    if (p->group_count == 0 || sim->counts || !(ms > 0))
        return;
    if (p->stale)
        entitle(p, sim);
    for (size_t i = 0; i < of->queue_count; i++)
        for (uint32_t g = 0; g < p->group_count; g++) {
            uint32_t queue = of->queues[i];
            struct pool_use *use = use_of(p, sim, queue, g);
            int64_t quota = quota_in(p, sim, queue, g), over = use->running - quota;
            use->quota_ms += (double)(quota > 0 ? quota : 0) * ms;
            use->used_ms += (double)use->running * ms;
            use->over_ms += (double)(quota >= 0 && over > 0 ? over : 0) * ms;
            use->entitled_ms += use->entitled * ms;
        }
}

/* Only planned changes give quotas by pool to a queue that begins without. */
static bool concerned(void *self, const struct sim *sim)
{
    (void)self;
    bool any = sim->config.change_count > 0;
    for (size_t i = 0; i < sim->queue_count; i++)
        any |= sim->queues[i].by_pool_count > 0;
    return any && !sim->counts;
}

struct sim_observer pool_uses_observer(struct pool_uses *p)
{
    return (struct sim_observer){.self = p,
                                 .concerned = concerned,
                                 .interval = interval,
                                 .submitted = submitted,
                                 .held = held,
                                 .evicted = evicted,
                                 .ended = forget,
                                 .dropped = forget,
                                 .cycled = cycled};
}

void pool_uses_fini(struct pool_uses *p)
{
    free(p->uses);
    free(p->group_of_pool);
    free(p->jobs);
    free(p->rows);
    *p = (struct pool_uses){0};
}

/* ---- results ---- */

struct pool_use pool_uses_of(const struct pool_uses *p, size_t queue, uint32_t group)
{
    size_t at = queue * p->group_count + group;
    return at < p->use_count ? p->uses[at] : (struct pool_use){0};
}

char *pool_uses_name(const struct pool_uses *p, const struct sim *sim, uint32_t group)
{
    char *name = NULL;
    for (uint32_t i = 0; i < p->pool_count; i++) {
        const char *pool = sim->fleet->pools[i].name;
        if (p->group_of_pool[i] != group)
            continue;
        char *longer = name == NULL ? mem_text(pool) : mem_format("%s|%s", name, pool);
        free(name);
        name = longer;
    }
    return name;
}

int64_t pool_uses_gpus(const struct pool_uses *p, const struct sim *sim, uint32_t group)
{
    int64_t gpus = 0;
    for (size_t i = 0; i < sim->fleet->node_count; i++)
        if (p->group_of_pool[sim->fleet->nodes[i].pool] == group)
            gpus += sim->fleet->nodes[i].gpus;
    return gpus;
}
