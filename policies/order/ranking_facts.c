/* SPDX-License-Identifier: MIT */
/* How facts affect orders that change with time: the hooks of their module; see ranking.h. */
#include "state/jobs.h"

#include "order/ranking_index.h"
#include "pending/pending.h"
#include "state/job_life.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

#include <string.h>

/* ---- life ---- */

static bool add_lane(struct policy *p, struct pc_ranking *r)
{
    if (!PC_GROW(&p->memory, r->lanes, r->lane_capacity, r->lane_count + 1))
        return false;
    r->lanes[r->lane_count++] = (struct pc_rank_lane){
        .wakeup = INT64_MAX, .dirty = PC_NONE, .running = PC_NONE, .crossing = PC_NONE};
    return true;
}

static void destroy(struct policy *p, void *self)
{
    struct pc_ranking *r = self;
    const struct pc_memory *memory = &p->memory;
    for (uint32_t i = 0; i < r->lane_count; i++) {
        const struct pc_rank_lane *lane = &r->lanes[i];
        pc_release(memory, lane->entries, lane->capacity, sizeof *lane->entries);
        pc_release(memory, lane->waiters, lane->waiter_capacity, sizeof(uint32_t));
        pc_release(memory, lane->chosen, lane->chosen_capacity, sizeof(uint32_t));
        pc_release(memory, lane->groups, lane->group_capacity, sizeof *lane->groups);
    }
    pc_release(memory, r->lanes, r->lane_capacity, sizeof *r->lanes);
    pc_release(memory, r->of, r->capacity, sizeof *r->of);
    pc_release(memory, r->runs, r->run_capacity, sizeof *r->runs);
    pc_release(memory, r->crossings, r->crossing_capacity, sizeof *r->crossings);
    pc_release(memory, r->walk, r->walk_capacity, sizeof *r->walk);
    pc_release(memory, r->spare, r->spare_capacity, sizeof *r->spare);
    pc_release(memory, r->left, r->left_capacity, sizeof *r->left);
    pc_release(memory, r->failed, r->failed_capacity, sizeof *r->failed);
    pc_release(memory, r->failed_why, r->why_capacity, sizeof *r->failed_why);
    pc_release(memory, r, 1, sizeof *r);
}

static void *create(struct policy *p)
{
    struct pc_ranking *r = pc_alloc(&p->memory, 1, sizeof *r);
    if (r == NULL)
        return NULL;
    memset(r, 0, sizeof *r);
    r->wakeup = INT64_MAX;
    r->run_free = PC_NONE;
    if (p->config.scope == POLICY_SCOPE_QUEUE || add_lane(p, r))
        return r;
    destroy(p, r);
    return NULL;
}

/* ---- reserving memory ---- */

static bool reserve_queue(struct policy *p, void *self, uint32_t queue)
{
    struct pc_ranking *r = self;
    while (p->config.scope == POLICY_SCOPE_QUEUE && r->lane_count <= queue)
        if (!add_lane(p, r))
            return false;
    return PC_GROW(&p->memory, r->left, r->left_capacity, p->cluster->pool_set_count + 1);
}

static struct pc_rank_lane *lane_of(const struct pc_ranking *r, uint32_t job)
{
    return &r->lanes[r->of[job].lane];
}

static bool is_current(const struct policy *p, const struct pc_rank_entry *e)
{
    return p->cluster->jobs[e->job].state != PC_FREE && p->cluster->jobs[e->job].gen == e->gen;
}

/* Drops stale entries before the list grows. */
static void tidy_entries(const struct policy *p, struct pc_rank_lane *lane)
{
    uint32_t kept = 0;
    if (lane->count < lane->capacity || lane->live >= lane->count / 2)
        return;
    for (uint32_t i = 0; i < lane->count; i++)
        if (is_current(p, &lane->entries[i]))
            lane->entries[kept++] = lane->entries[i];
    lane->count = kept;
}

static bool reserve_job(struct policy *p, void *self, uint32_t job,
                        const struct policy_job_spec *spec)
{
    const struct pc_memory *memory = &p->memory;
    struct pc_ranking *r = self;
    struct pc_rank_lane *lane =
        &r->lanes[p->config.scope == POLICY_SCOPE_QUEUE ? spec->queue.i : 0];
    uint32_t classes = p->cluster->pending->class_count + 1;
    uint32_t known = r->failed_capacity;
    tidy_entries(p, lane);
    if (!PC_GROW(memory, r->failed, r->failed_capacity, classes) ||
        !PC_GROW(memory, r->failed_why, r->why_capacity, classes))
        return false;
    if (r->failed_capacity > known)
        memset(r->failed + known, 0, (r->failed_capacity - known) * sizeof *r->failed);
    return PC_GROW(memory, r->of, r->capacity, job + 1) &&
           PC_GROW(memory, lane->entries, lane->capacity, lane->count + 1) &&
           PC_GROW(memory, lane->waiters, lane->waiter_capacity, lane->live + 1) &&
           PC_GROW(memory, lane->chosen, lane->chosen_capacity, lane->live + 1) &&
           PC_GROW(memory, lane->groups, lane->group_capacity, lane->group_count + 1);
}

static bool reserve_holders(struct policy *p, void *self, uint32_t most)
{
    return pc_ranking_reserve_runs(p, self, most);
}

/* ---- what marks a lane as stale ---- */

static bool share_pools(const struct pc_pool_set *a, const struct pc_pool_set *b)
{
    if (a == b || a->pool_count == 0 || b->pool_count == 0)
        return true;
    for (uint32_t i = 0, k = 0; i < a->pool_count && k < b->pool_count;) {
        if (a->pools[i] == b->pools[k])
            return true;
        *(a->pools[i] < b->pools[k] ? &i : &k) += 1;
    }
    return false;
}

/* Marks other lanes that may use the devices released by the job. */
static void mark_sharing(const struct policy *p, const struct pc_ranking *r, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t own = c->jobs[job].queue;
    for (uint32_t q = 0; p->config.scope == POLICY_SCOPE_QUEUE && q < c->queue_count; q++)
        if (q != own && c->queues[q].exists && r->lanes[q].waiting > 0 &&
            share_pools(&c->pool_sets[c->queues[q].pool_set],
                        &c->pool_sets[c->queues[own].pool_set]))
            pc_ranking_mark(p, &r->lanes[q]);
}

static void nodes_changed(struct policy *p, void *self)
{
    struct pc_ranking *r = self;
    (void)p;
    r->any = r->all = true;
    for (uint32_t i = 0; i < r->lane_count; i++)
        r->lanes[i].anew = true;
}

/* ---- the life of a job ---- */

/* Returns the group of jobs with this demand; there is memory for one more. */
static uint32_t join_group(struct pc_rank_lane *lane, int64_t demand)
{
    uint32_t found = lane->group_count;
    for (uint32_t i = 0; i < lane->group_count; i++) {
        if (lane->groups[i].members > 0 && lane->groups[i].demand == demand) {
            lane->groups[i].members++;
            return i;
        }
        found = lane->groups[i].members == 0 ? i : found;
    }
    lane->group_count += found == lane->group_count;
    lane->groups[found] = (struct pc_rank_group){.demand = demand, .root = PC_NONE, .members = 1};
    return found;
}

static void job_added(struct policy *p, void *self, uint32_t job,
                      const struct policy_job_spec *spec)
{
    struct pc_ranking *r = self;
    const struct pc_job *j = &p->cluster->jobs[job];
    uint32_t id = p->config.scope == POLICY_SCOPE_QUEUE ? j->queue : 0;
    struct pc_rank_lane *lane = &r->lanes[id];
    r->of[job] = (struct pc_contender){
        .run = PC_NONE,
        .remaining_ms = spec->run_ms < 0 ? INT64_MAX : spec->run_ms,
        .entered = pc_waits_since(p->cluster, j),
        .turn = j->rank < PC_RANKING_EVICTED ? j->rank : PC_RANKING_EVICTED - 1,
        .lane = id,
    };
    r->of[job].group = join_group(lane, pc_ranking_demand(p, job));
    lane->entries[lane->count++] = (struct pc_rank_entry){job, j->gen};
    lane->live++;
    lane->elastic |= p->cluster->shapes[j->shape].elastic;
}

static void job_waits(struct policy *p, void *self, uint32_t job)
{
    struct pc_ranking *r = self;
    struct pc_rank_lane *lane = lane_of(r, job);
    r->of[job].wait_at = lane->waiting;
    lane->waiters[lane->waiting++] = job;
    pc_ranking_dirty(p, job);
    /* A job that returns although nothing has happened since its eviction would be evicted
     * again. */
    struct pc_rank_run *run = pc_ranking_run(r, job);
    if (run == NULL || !run->quiet)
        pc_ranking_mark(p, lane);
    if (run != NULL)
        run->quiet = false;
}

static void waits_no_more(struct policy *p, struct pc_ranking *r, uint32_t job)
{
    struct pc_rank_lane *lane = lane_of(r, job);
    pc_ranking_found(p, job, 0);
    uint32_t last = lane->waiters[--lane->waiting];
    lane->waiters[r->of[job].wait_at] = last;
    r->of[last].wait_at = r->of[job].wait_at;
    r->of[job].chosen = false;
}

static void job_started(struct policy *p, void *self, uint32_t job, policy_time since)
{
    struct pc_ranking *r = self;
    struct pc_rank_run *x = pc_ranking_keep_run(r, job);
    pc_ranking_idle(r, x, false);
    waits_no_more(p, r, job);
    x->since = since == POLICY_NEVER || since > p->now ? p->now : since;
    x->started = ++r->numbers;
    x->rate = pc_held_milli(&p->cluster->jobs[job]);
    lane_of(r, job)->running_tasks += p->cluster->shapes[p->cluster->jobs[job].shape].tasks;
    pc_ranking_dirty(p, job);
    if (!p->cluster->trying) /* not caused by a decision */
        pc_ranking_mark(p, lane_of(r, job));
}

/* When a rigid gang ends, its tasks end one by one: it counts as whole until it leaves or has
 * ended. */
static void job_resized(struct policy *p, void *self, uint32_t job)
{
    struct pc_ranking *r = self;
    const struct pc_job *j = &p->cluster->jobs[job];
    pc_ranking_dirty(p, job);
    if (pc_ranking_waits(p, job)) /* other tasks of it may start than before */
        pc_ranking_mark(p, lane_of(r, job));
    if (!pc_ranking_runs(p, job))
        return;
    bool elastic = p->cluster->shapes[j->shape].elastic;
    if (elastic)
        pc_ranking_pause(p, job);
    struct pc_rank_run *run = pc_ranking_run(r, job);
    if (elastic || run->rate < pc_held_milli(j))
        run->rate = pc_held_milli(j);
    if (elastic && !p->cluster->trying)
        pc_ranking_mark(p, lane_of(r, job));
}

/* The rate is that of the job while it ran: it counts as leaving only from now on. */
static void job_leaves(struct policy *p, void *self, uint32_t job)
{
    struct pc_ranking *r = self;
    pc_ranking_pause(p, job);
    pc_ranking_run(r, job)->left_in = lane_of(r, job)->news;
    lane_of(r, job)->running_tasks -= p->cluster->shapes[p->cluster->jobs[job].shape].tasks;
    pc_ranking_dirty(p, job);
}

static void job_answered(struct policy *p, void *self, uint32_t job)
{
    struct pc_ranking *r = self;
    if (p->cluster->jobs[job].life != PC_LEAVES)
        return;
    lane_of(r, job)->owed = true;
    r->any = true;
}

static void job_stopped(struct policy *p, void *self, uint32_t job, bool ran)
{
    struct pc_ranking *r = self;
    struct pc_contender *x = &r->of[job];
    struct pc_rank_run *run = pc_ranking_run(r, job);
    bool leaves = p->cluster->jobs[job].life == PC_LEAVES;
    if (!leaves) {
        lane_of(r, job)->running_tasks -= p->cluster->shapes[p->cluster->jobs[job].shape].tasks;
        if (ran)
            pc_ranking_pause(p, job);
    }
    job_answered(p, self, job);
    run->quiet = leaves && run->left_in == lane_of(r, job)->news;
    run->since = p->now;
    run->rate = 0;
    pc_ranking_idle(r, run, true);
    if (ran) {
        x->entered = p->now;
        x->turn = PC_RANKING_EVICTED | ++r->numbers;
    }
    pc_ranking_dirty(p, job);
    mark_sharing(p, r, job);
}

static void job_over(struct policy *p, void *self, uint32_t job)
{
    struct pc_ranking *r = self;
    uint8_t life = p->cluster->jobs[job].life;
    if (life == PC_WAITS)
        waits_no_more(p, r, job);
    if (life == PC_STARTED)
        lane_of(r, job)->running_tasks -= p->cluster->shapes[p->cluster->jobs[job].shape].tasks;
    lane_of(r, job)->live--;
    pc_ranking_take_out(r, job);
    pc_ranking_clean(r, job);
    pc_ranking_drop_run(r, job);
    lane_of(r, job)->groups[r->of[job].group].members--;
    if (life == PC_UNREPORTED)
        return; /* it was excluded */
    pc_ranking_mark(p, lane_of(r, job));
    mark_sharing(p, r, job);
}

int policy_report_progress(struct policy *p, policy_time at, policy_job which, int64_t remaining_ms)
{
    struct pc_ranking *r = pc_ranking_of(p);
    if (r == NULL)
        return pc_refuse(p, POLICY_UNSUPPORTED, "progress of a job", remaining_ms,
                         "this policy does not order jobs by it");
    uint32_t job = pc_job_find(p, which);
    if (job == PC_NONE)
        return POLICY_UNKNOWN;
    if (remaining_ms < 0)
        return pc_refuse(p, POLICY_INVALID, "remaining time", remaining_ms, "at least 0");
    int status = pc_at(p, at);
    if (status != POLICY_OK)
        return status;
    struct pc_contender *x = &r->of[job];
    if (pc_ranking_runs(p, job))
        pc_ranking_pause(p, job);
    x->reported = x->reported || x->remaining_ms != remaining_ms;
    x->remaining_ms = remaining_ms;
    pc_ranking_dirty(p, job);
    if (p->cluster->jobs[job].life != PC_LEAVES)
        pc_ranking_mark(p, lane_of(r, job));
    return POLICY_OK;
}

/* ---- checking ---- */

static const char *check_lane(const struct policy *p, const struct pc_ranking *r, uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_rank_lane *lane = &r->lanes[id];
    uint32_t live = 0;
    uint32_t waiting = 0;
    int64_t running_tasks = 0;
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_contender *x = &r->of[i];
        if (c->jobs[i].state == PC_FREE || x->lane != id)
            continue;
        bool waits = pc_ranking_waits(p, i);
        bool holds = c->jobs[i].life == PC_STARTED || c->jobs[i].life == PC_LEAVES;
        const struct pc_rank_run *run = pc_ranking_run(r, i);
        if (run == NULL ? holds : run->job != i || run->idle == holds)
            return "the run of a job in a ranked lane";
        if ((x->chosen && !waits) || (x->found != 0 && !x->chosen))
            return "what a ranked lane knows of a job";
        if (waits && (x->wait_at >= lane->waiting || lane->waiters[x->wait_at] != i))
            return "a job's place among the waiters of a ranked lane";
        live++;
        waiting += waits;
        running_tasks += pc_ranking_runs(p, i) ? c->shapes[c->jobs[i].shape].tasks : 0;
    }
    if (live != lane->live || waiting != lane->waiting || running_tasks != lane->running_tasks)
        return "a ranked lane's number of jobs";
    if ((lane->stale || lane->owed) && !r->any)
        return "a ranked lane that is forgotten";
    if (lane->wakeup < r->wakeup && !r->any)
        return "the next wakeup of the ranked lanes";
    return pc_ranking_check_index(p, r, id);
}

static const char *check(const struct policy *p, const void *self)
{
    const struct pc_ranking *r = self;
    const char *wrong = NULL;
    for (uint32_t i = 0; i < r->lane_count && wrong == NULL; i++)
        wrong = check_lane(p, r, i);
    return wrong;
}

const struct pc_module pc_ranking_module = {
    .name = "ranking",
    .create = create,
    .destroy = destroy,
    .reserve_job = reserve_job,
    .reserve_holders = reserve_holders,
    .job_added = job_added,
    .job_waits = job_waits,
    .job_started = job_started,
    .job_resized = job_resized,
    .job_leaves = job_leaves,
    .job_answered = job_answered,
    .job_stopped = job_stopped,
    .job_over = job_over,
    .reserve_queue = reserve_queue,
    .nodes_changed = nodes_changed,
    .history = pc_ranking_records,
    .check = check,
};
