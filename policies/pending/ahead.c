/* SPDX-License-Identifier: MIT */
/* The indexes of backfill; see ahead.h. */
#include "pending/ahead.h"

#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/tasks.h"

#include <string.h>

static struct pc_ahead *ahead_of(const struct policy *p)
{
    return p->cluster->pending->ahead;
}

static bool has_candidates(const struct policy *p)
{
    return p->config.backfill == POLICY_EASY;
}

/* ---- jobs that hold something ---- */

static bool reserve_holders(struct policy *p, void *self, uint32_t most)
{
    struct pc_ahead *a = ahead_of(p);
    (void)self;
    return PC_GROW(&p->memory, a->holders, a->holder_capacity, most) &&
           (!has_candidates(p) || pc_order_reserve(&a->runners, &p->memory, most));
}

static struct pc_ahead_holder *holder_of(const struct pc_ahead *a, uint32_t job)
{
    return a->holder_of[job] == PC_NONE ? NULL : &a->holders[a->holder_of[job]];
}

static struct pc_ahead_holder *add_holder(struct pc_ahead *a, uint32_t job)
{
    uint32_t id = a->holder_free != PC_NONE ? a->holder_free : a->holder_count++;
    if (id == a->holder_free)
        a->holder_free = a->holders[id].job;
    a->holder_of[job] = id;
    a->holders[id] = (struct pc_ahead_holder){.job = job};
    return &a->holders[id];
}

static void drop_holder(struct pc_ahead *a, uint32_t job)
{
    uint32_t id = a->holder_of[job];
    a->holders[id].job = a->holder_free;
    a->holder_free = id;
    a->holder_of[job] = PC_NONE;
}

uint32_t pc_ahead_first_to_end(const struct policy *p)
{
    const struct pc_ahead *a = ahead_of(p);
    uint32_t id = pc_order_first(&a->runners, a->running);
    return id == PC_NONE ? PC_NONE : a->holders[id].job;
}

uint32_t pc_ahead_next_to_end(const struct policy *p, uint32_t job)
{
    const struct pc_ahead *a = ahead_of(p);
    uint32_t id = pc_order_next(&a->runners, a->holder_of[job]);
    return id == PC_NONE ? PC_NONE : a->holders[id].job;
}

/* ---- life ---- */

bool pc_ahead_create(struct policy *p)
{
    if (p->config.backfill == POLICY_NO_BACKFILL)
        return true;
    struct pc_ahead *a = pc_alloc(&p->memory, 1, sizeof *a);
    if (a == NULL)
        return false;
    memset(a, 0, sizeof *a);
    a->running = a->holder_free = PC_NONE;
    pc_candidates_init(&a->candidates);
    pc_plan_init(&a->plan);
    p->cluster->pending->ahead = a;
    return true;
}

void pc_ahead_destroy(struct policy *p)
{
    struct pc_ahead *a = ahead_of(p);
    if (a == NULL)
        return;
    pc_candidates_free(&a->candidates, &p->memory);
    pc_plan_free(&a->plan, &p->memory);
    pc_order_free(&a->runners, &p->memory);
    pc_release(&p->memory, a->holder_of, a->job_capacity, sizeof *a->holder_of);
    pc_release(&p->memory, a->holders, a->holder_capacity, sizeof *a->holders);
    pc_release(&p->memory, a->reserved_at, a->reserved_capacity, sizeof *a->reserved_at);
    pc_release(&p->memory, a->frozen, a->frozen_capacity, sizeof *a->frozen);
    pc_release(&p->memory, a->sets, a->set_capacity, sizeof *a->sets);
    pc_release(&p->memory, a, 1, sizeof *a);
    p->cluster->pending->ahead = NULL;
}

static void nodes_changed(struct policy *p, void *self)
{
    (void)self;
    ahead_of(p)->due = true;
}

const struct pc_module pc_ahead_module = {.name = "ahead",
                                          .reserve_holders = reserve_holders,
                                          .nodes_changed = nodes_changed,
                                          .history = pc_ahead_records};

static bool reserve_jobs(struct policy *p, struct pc_ahead *a, uint32_t count)
{
    bool plans = !has_candidates(p);
    if (!PC_GROW(&p->memory, a->holder_of, a->job_capacity, count) ||
        (plans && !PC_GROW(&p->memory, a->reserved_at, a->reserved_capacity, count)))
        return false;
    for (; a->job_count < count; a->job_count++) {
        a->holder_of[a->job_count] = PC_NONE;
        if (plans)
            a->reserved_at[a->job_count] = INT64_MAX;
    }
    return true;
}

static bool reserve_sets(struct policy *p, struct pc_ahead *a, uint32_t count)
{
    if (!PC_GROW(&p->memory, a->sets, a->set_capacity, count))
        return false;
    for (; a->set_count < count; a->set_count++)
        a->sets[a->set_count] = (struct pc_ahead_set){0};
    return true;
}

static bool reserve_lanes(struct policy *p, struct pc_ahead *a)
{
    uint32_t lanes = p->cluster->pending->lane_count;
    if (!PC_GROW(&p->memory, a->frozen, a->frozen_capacity, lanes))
        return false;
    for (; a->frozen_count < lanes; a->frozen_count++)
        a->frozen[a->frozen_count] = (struct pc_frozen){{POLICY_NO_ID, 0}, 0};
    return true;
}

bool pc_ahead_reserve_classes(struct policy *p)
{
    struct pc_ahead *a = ahead_of(p);
    uint32_t last = p->cluster->pending->class_capacity - 1;
    return a == NULL || !has_candidates(p) || last < a->candidates.class_count ||
           pc_candidates_reserve(&a->candidates, &p->memory, 0, last, 0);
}

bool pc_ahead_reserve(struct policy *p, uint32_t job, uint32_t class)
{
    struct pc_ahead *a = ahead_of(p);
    if (a == NULL)
        return true;
    const struct pc_job_class *k = &p->cluster->pending->classes[class];
    if (!reserve_jobs(p, a, job + 1) || !reserve_lanes(p, a))
        return false;
    if (!has_candidates(p))
        return reserve_sets(p, a, k->set + 1) &&
               pc_plan_reserve(&a->plan, &p->memory, job, k->set, k->gpu_milli);
    return pc_candidates_reserve(&a->candidates, &p->memory, job, class, k->set);
}

/* ---- times ---- */

int64_t pc_ahead_limit(const struct pc_job *j)
{
    return j->limit_ms < 0 || j->limit_ms >= PC_SOME_DAY / 2 ? INT64_MAX : j->limit_ms;
}

/* End of a run that begins at `start`. */
static policy_time end_from(const struct policy *p, uint32_t job, policy_time start)
{
    int64_t limit = pc_ahead_limit(&p->cluster->jobs[job]);
    return limit == INT64_MAX ? INT64_MAX : start + limit;
}

policy_time pc_ahead_end(const struct policy *p, uint32_t job)
{
    const struct pc_ahead_holder *h = holder_of(ahead_of(p), job);
    return end_from(p, job, h != NULL ? h->started : p->now);
}

/* How long the job may run from now on if its pending tasks start. */
static int64_t rest_of(const struct policy *p, uint32_t job)
{
    policy_time end = pc_ahead_end(p, job);
    return end == INT64_MAX ? INT64_MAX : end > p->now ? end - p->now : 0;
}

/* ---- pending jobs ---- */

/* Tasks above a minimum come after everything else, see struct pc_key. */
static struct pc_order_place place_of(const struct pc_job *j, const struct pc_job_class *k)
{
    return (struct pc_order_place){2 * j->key.major + k->above, j->key.minor, j->rank};
}

static bool is_hidden(const struct pc_job_class *k)
{
    return k->never_fits || k->over_limit;
}

void pc_ahead_add(struct policy *p, uint32_t job)
{
    struct pc_ahead *a = ahead_of(p);
    if (a == NULL)
        return;
    const struct pc_job *j = &p->cluster->jobs[job];
    struct pc_job_class *k = &p->cluster->pending->classes[j->class];
    a->due = true;
    if (has_candidates(p)) {
        if (k->pending == 1)
            pc_candidates_define(&a->candidates, j->class, k->set, k->need);
        pc_candidates_add(&a->candidates, job, j->class, place_of(j, k), rest_of(p, job));
    } else if (!k->unplanned) {
        pc_plan_add(&a->plan, job, k->set, place_of(j, k), k->gpu_milli, rest_of(p, job),
                    a->reserved_at[job]);
    }
}

void pc_ahead_remove(struct policy *p, uint32_t job)
{
    struct pc_ahead *a = ahead_of(p);
    if (a == NULL)
        return;
    if (has_candidates(p))
        pc_candidates_remove(&a->candidates, job, p->cluster->jobs[job].class);
    else
        pc_plan_remove(&a->plan, job);
}

/* ---- pending jobs whose position or right to start changes ---- */

/* The number of entries of the class, current or stale, and the job of one, or PC_NONE if stale. */
static uint32_t entries_of(const struct pc_job_class *k)
{
    return k->alone ? 1 : k->heap.count;
}

static uint32_t job_at(const struct pc_cluster *c, uint32_t class, uint32_t i)
{
    const struct pc_job_class *k = &c->pending->classes[class];
    const struct pc_entry *e = k->alone ? &k->first : &k->heap.of[i];
    return pc_is_current(c, e) && c->jobs[e->job].class == class ? e->job : PC_NONE;
}

/* Adds all jobs of the class to the plan, or removes them. */
static void plan_class(struct policy *p, uint32_t class, bool in)
{
    struct pc_job_class *k = &p->cluster->pending->classes[class];
    k->unplanned = !in;
    for (uint32_t i = 0; i < entries_of(k); i++) {
        uint32_t job = job_at(p->cluster, class, i);
        if (job == PC_NONE)
            continue;
        if (in)
            pc_ahead_add(p, job);
        else
            pc_ahead_remove(p, job);
    }
}

void pc_ahead_hide(struct policy *p, uint32_t class)
{
    struct pc_ahead *a = ahead_of(p);
    const struct pc_job_class *k = a != NULL ? &p->cluster->pending->classes[class] : NULL;
    if (k == NULL || k->pending == 0)
        return;
    if (has_candidates(p))
        pc_candidates_hide(&a->candidates, class, is_hidden(k));
    else if (k->unplanned != is_hidden(k))
        plan_class(p, class, !is_hidden(k));
}

/* Class by class, whose trees then stay in the caches. */
static void rekey_candidates(struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_candidates *all = &ahead_of(p)->candidates;
    pc_candidates_clear(all);
    for (uint32_t class = 0; class < c->pending->class_count; class ++) {
        const struct pc_job_class *k = &c->pending->classes[class];
        if (!k->exists || k->pending == 0)
            continue;
        for (uint32_t i = 0; i < entries_of(k); i++) {
            uint32_t job = job_at(c, class, i);
            if (job != PC_NONE)
                pc_candidates_refill(all, job, class, place_of(&c->jobs[job], k), rest_of(p, job));
        }
        pc_candidates_refilled(all, class);
    }
}

static void rekey_plan(struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t job = 0; job < c->job_count; job++)
        if (c->jobs[job].state == PC_LIVE && c->jobs[job].class != PC_NONE)
            pc_ahead_remove(p, job);
    for (uint32_t job = 0; job < c->job_count; job++)
        if (c->jobs[job].state == PC_LIVE && c->jobs[job].class != PC_NONE)
            pc_ahead_add(p, job);
}

void pc_ahead_rekey(struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_ahead *a = ahead_of(p);
    if (a == NULL)
        return;
    a->due = true;
    if (has_candidates(p))
        rekey_candidates(p);
    else
        rekey_plan(p);
    for (uint32_t class = 0; class < c->pending->class_count; class ++)
        if (c->pending->classes[class].exists)
            pc_ahead_hide(p, class);
}

void pc_ahead_reserve_time(struct policy *p, uint32_t job, policy_time start)
{
    struct pc_ahead *a = ahead_of(p);
    bool pending = p->cluster->jobs[job].class != PC_NONE;
    if (pending)
        pc_ahead_remove(p, job);
    a->reserved_at[job] = start;
    if (pending)
        pc_ahead_add(p, job);
}

/* ---- jobs that hold something ---- */

/* Thousandths of devices that the job holds on nodes of the pool set. */
static int64_t held_in(const struct policy *p, uint32_t job, uint32_t set)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    int64_t held = 0;
    for (uint32_t task = 0; j->detail != NULL && task < c->shapes[j->shape].tasks; task++) {
        const struct pc_place *place = &j->detail->tasks[task].place;
        uint32_t pool = place->counted != 0            ? place->counted - 1
                        : place->holding == PC_NOTHING ? PC_NONE
                                                       : c->nodes[place->node].pool;
        if (place->holding != PC_NOTHING && pc_pool_set_has(&c->pool_sets[set], pool))
            held += pc_weigh_at(c, pc_request_of(c, job, task), place->node).of[PC_GPU];
    }
    return held;
}

/* The job holds that much of the set until its declared end, or for ever if it is unknown. */
static void hold(struct policy *p, uint32_t set, const struct pc_ahead_holder *h, int64_t milli)
{
    struct pc_ahead *a = ahead_of(p);
    policy_time end = end_from(p, h->job, h->started);
    a->sets[set].held_milli += milli;
    if (milli != 0 && end > p->now)
        pc_plan_change(&a->plan, set, p->now, end, -milli);
}

/* Returns true if some sets share pools: these are rebuilt for each pass; others contain just what
 * jobs of their queues hold. */
static bool shares_pools(const struct policy *p)
{
    for (uint32_t pool = 0; pool < p->cluster->pool_count; pool++)
        if (p->cluster->pools[pool].set_count > 1)
            return true;
    return false;
}

/* Records what the job holds of its own pool set, and, if it starts during a pass, of others. */
static void hold_as_it_is(struct policy *p, struct pc_ahead_holder *h, bool starts)
{
    struct pc_cluster *c = p->cluster;
    struct pc_ahead *a = ahead_of(p);
    uint32_t own = c->queues[c->jobs[h->job].queue].pool_set;
    for (uint32_t set = 0; starts && a->plan.passing && set < a->set_count; set++)
        if (set != own && a->sets[set].known)
            hold(p, set, h, held_in(p, h->job, set));
    if (!a->sets[own].known)
        return;
    int64_t held = held_in(p, h->job, own);
    hold(p, own, h, held - h->held_milli);
    h->held_milli = held;
}

static struct pc_ahead_holder *start(struct policy *p, uint32_t job)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_ahead *a = ahead_of(p);
    struct pc_ahead_holder *h = add_holder(a, job);
    policy_time since = pc_last_start(&c->jobs[job]);
    h->started = since == POLICY_NEVER ? p->now : since;
    if (has_candidates(p)) {
        const int64_t rank =
            (int64_t)(c->jobs[job].rank ^ UINT64_C(1) << 63); /* preserves the order */
        const struct pc_order_place place = {end_from(p, job, h->started), rank, job};
        pc_order_add(&a->runners, &a->running, a->holder_of[job], place, 0, 0);
    }
    return h;
}

/* The job holds nothing any more. */
static void stop(struct policy *p, uint32_t job)
{
    struct pc_ahead *a = ahead_of(p);
    const struct pc_ahead_holder *h = holder_of(a, job);
    if (has_candidates(p))
        pc_order_remove(&a->runners, &a->running, a->holder_of[job]);
    else if (h->held_milli != 0)
        hold(p, p->cluster->queues[p->cluster->jobs[job].queue].pool_set, h, -h->held_milli);
    drop_holder(a, job);
    a->due = true;
}

void pc_ahead_settle(struct policy *p, uint32_t job)
{
    struct pc_ahead *a = ahead_of(p);
    const struct pc_job *j = &p->cluster->jobs[job];
    if (a == NULL)
        return;
    struct pc_ahead_holder *h = holder_of(a, job);
    int32_t before = h != NULL ? h->tasks : 0;
    int32_t tasks = j->running + j->releasing;
    if (before == tasks)
        return;
    if (tasks == 0) {
        stop(p, job);
        return;
    }
    if (before == 0)
        h = start(p, job);
    if (!has_candidates(p))
        hold_as_it_is(p, h, before == 0);
    h->tasks = tasks;
    a->due = a->due || tasks < before;
}

void pc_ahead_forget(struct policy *p, uint32_t job)
{
    struct pc_ahead *a = ahead_of(p);
    if (a == NULL)
        return;
    if (a->holder_of[job] != PC_NONE)
        stop(p, job);
    if (!has_candidates(p))
        a->reserved_at[job] = INT64_MAX;
}

static void draw_set(struct policy *p, uint32_t set)
{
    struct pc_cluster *c = p->cluster;
    struct pc_ahead *a = ahead_of(p);
    pc_plan_reset(&a->plan, set, p->now, 0);
    a->sets[set] = (struct pc_ahead_set){.known = true};
    for (uint32_t job = 0; job < c->job_count; job++) {
        struct pc_ahead_holder *h = c->jobs[job].state == PC_LIVE ? holder_of(a, job) : NULL;
        if (h == NULL)
            continue;
        int64_t held = held_in(p, job, set);
        hold(p, set, h, held);
        if (c->queues[c->jobs[job].queue].pool_set == set)
            h->held_milli = held;
    }
}

void pc_ahead_settle_sets(struct policy *p)
{
    struct pc_ahead *a = ahead_of(p);
    bool all = shares_pools(p) && !a->plan.paused; /* then all of them are up to date */
    for (uint32_t set = 0; set < a->set_count && set < a->plan.set_count; set++) {
        struct pc_ahead_set *s = &a->sets[set];
        if (all || !s->known)
            draw_set(p, set);
        int64_t milli = p->cluster->pool_sets[set].milli + s->held_milli;
        if (milli != s->all_milli)
            pc_plan_change(&a->plan, set, p->now, INT64_MAX, milli - s->all_milli);
        s->all_milli = milli;
    }
}

/* ---- for tests ---- */

static const char *check_runners(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_ahead *a = ahead_of(p);
    uint32_t holding = 0;
    uint32_t count;
    const char *wrong = pc_order_check(&a->runners, a->running, &count);
    for (uint32_t job = 0; job < c->job_count && wrong == NULL; job++) {
        const struct pc_job *j = &c->jobs[job];
        bool holds = j->state == PC_LIVE && j->running + j->releasing > 0;
        holding += holds;
        const struct pc_ahead_holder *h = j->state != PC_FREE ? holder_of(a, job) : NULL;
        if ((h != NULL) != holds ||
            (holds && (h->job != job || h->tasks != j->running + j->releasing)))
            wrong = "whether backfill knows that a job runs";
        else if (holds && has_candidates(p) &&
                 pc_order_at(&a->runners, a->holder_of[job])->place.major != pc_ahead_end(p, job))
            wrong = "the declared end of a job that runs";
    }
    return wrong != NULL || !has_candidates(p) || count == holding ? wrong : "the jobs that run";
}

static const char *check_class(const struct policy *p, uint32_t class)
{
    const struct pc_ahead *a = ahead_of(p);
    const struct pc_job_class *k = &p->cluster->pending->classes[class];
    uint32_t count = 0;
    if (!has_candidates(p))
        return k->unplanned == is_hidden(k) ? NULL : "a class of jobs in the plan";
    const struct pc_candidate_class *its = &a->candidates.classes[class];
    const char *wrong = pc_order_check(&a->candidates.jobs, its->jobs, &count);
    if (wrong != NULL)
        return wrong;
    return count == k->pending && its->hidden == is_hidden(k)
               ? NULL
               : "a class of candidates for backfill";
}

const char *pc_ahead_check(const struct policy *p)
{
    const struct pc_pending *w = p->cluster->pending;
    const struct pc_ahead *a = ahead_of(p);
    if (a == NULL)
        return NULL;
    const char *wrong = pc_candidates_check(&a->candidates);
    if (wrong == NULL)
        wrong = pc_plan_check(&a->plan);
    if (wrong == NULL)
        wrong = check_runners(p);
    for (uint32_t class = 0; class < w->class_count && wrong == NULL; class ++)
        if (w->classes[class].exists && w->classes[class].pending > 0)
            wrong = check_class(p, class);
    return wrong;
}
