/* SPDX-License-Identifier: MIT */
/* Multifactor priority; see multifactor.h. */
#include "core/multifactor.h"
#include "core/pending.h"
#include "order/multifactor.h"

#include <string.h>

#define TENTH_MS UINT64_C(100)
#define OLDEST   1024 /* times the most age that counts: an age, or lack of it, is no more than that */

static const struct policy_multifactor_options *options(const struct policy *p)
{
    return &p->config.multifactor;
}

policy_time pc_multifactor_bound(const struct policy *p, policy_time at)
{
    int64_t period = options(p)->calc_period_ms;
    int64_t into = at % period;
    return at - (into < 0 ? into + period : into);
}

bool pc_multifactor_create(struct policy *p)
{
    struct pc_multifactor *m = pc_alloc(&p->memory, 1, sizeof *m);
    if (m == NULL)
        return false;
    *m = (struct pc_multifactor){
        .faded = pc_faded(options(p)->calc_period_ms, options(p)->half_life_ms),
        .at = POLICY_NEVER,
        .base = POLICY_NEVER,
        .cap = INT64_MAX,
        .top_queue = 1,
        .top_job = 1,
    };
    p->multifactor = m;
    return true;
}

void pc_multifactor_destroy(struct policy *p)
{
    struct pc_multifactor *m = p->multifactor;
    if (m == NULL)
        return;
    pc_release(&p->memory, m->of, m->capacity, sizeof *m->of);
    pc_release(&p->memory, m->sorted, m->sorted_capacity, sizeof *m->sorted);
    pc_release(&p->memory, m->rows, m->row_capacity, sizeof *m->rows);
    pc_release(&p->memory, m->users, m->user_capacity, sizeof *m->users);
    pc_release(&p->memory, m, 1, sizeof *m);
}

/* ---- use ---- */

/* Writes down what the association has used up to the time. */
static void advance(const struct policy *p, struct pc_association *a, policy_time at)
{
    uint64_t running = (uint64_t)a->running;
    policy_time bound = pc_multifactor_bound(p, at);
    if (at <= a->until)
        return;
    uint64_t period = (uint64_t)options(p)->calc_period_ms;
    if (bound > a->bound) {
        policy_time first = a->bound + options(p)->calc_period_ms;
        uint64_t had = a->since_bound + running * (uint64_t)(first - a->until);
        a->used = pc_fade(a->used, p->multifactor->faded) + had / TENTH_MS;
        a->used = pc_fade_again(a->used, p->multifactor->faded, running * period / TENTH_MS,
                                (uint64_t)(bound - first) / period);
        a->since_bound = had % TENTH_MS;
        a->bound = a->until = bound;
    }
    a->since_bound += running * (uint64_t)(at - a->until);
    a->until = at;
}

static uint64_t used_at(const struct policy *p, const struct pc_association *a, policy_time bound)
{
    struct pc_association then = *a;
    if (bound > a->until)
        advance(p, &then, bound);
    return then.used;
}

static void change_running(struct policy *p, uint32_t job, int sign)
{
    struct pc_association *a = &p->multifactor->of[p->jobs[job].association];
    advance(p, a, p->now);
    a->running += sign * p->groups[p->jobs[job].group].gpu_milli;
    p->multifactor->running += (uint32_t)sign;
}

/* ---- associations ---- */

static int compare(const struct pc_association *a, uint32_t queue, uint32_t user)
{
    if (a->queue != queue)
        return a->queue < queue ? -1 : 1;
    return (a->user > user) - (a->user < user);
}

/* Where it stands, or belongs, in the sorted list. */
static uint32_t position_of(const struct pc_multifactor *m, uint32_t queue, uint32_t user)
{
    uint32_t low = 0;
    for (uint32_t high = m->sorted_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        bool before = compare(&m->of[m->sorted[middle]], queue, user) < 0;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

static uint32_t new_association(struct policy *p)
{
    struct pc_multifactor *m = p->multifactor;
    for (uint32_t i = 0; i < m->count && m->sorted_count < m->count; i++)
        if (m->of[i].queue == PC_NONE)
            return i;
    if (!PC_GROW(&p->memory, m->of, m->capacity, m->count + 1) ||
        !PC_GROW(&p->memory, m->sorted, m->sorted_capacity, m->count + 1) ||
        !PC_GROW(&p->memory, m->users, m->user_capacity, m->count + 1) ||
        !PC_GROW(&p->memory, m->rows, m->row_capacity, p->queue_count + m->count + 1))
        return PC_NONE;
    m->of[m->count].queue = PC_NONE;
    return m->count++;
}

uint32_t pc_multifactor_find(struct policy *p, uint32_t queue, uint32_t user)
{
    struct pc_multifactor *m = p->multifactor;
    uint32_t at = position_of(m, queue, user);
    if (at < m->sorted_count && compare(&m->of[m->sorted[at]], queue, user) == 0)
        return m->sorted[at];
    uint32_t id = new_association(p);
    if (id == PC_NONE)
        return PC_NONE;
    m->of[id] = (struct pc_association){
        .queue = queue, .user = user, .bound = pc_multifactor_bound(p, p->now), .until = p->now};
    memmove(m->sorted + at + 1, m->sorted + at, (m->sorted_count - at) * sizeof *m->sorted);
    m->sorted[at] = id;
    m->sorted_count++;
    m->stale = true;
    return id;
}

void pc_multifactor_forget(struct policy *p, uint32_t queue)
{
    struct pc_multifactor *m = p->multifactor;
    if (m == NULL)
        return;
    uint32_t first = position_of(m, queue, 0);
    uint32_t behind = first;
    for (; behind < m->sorted_count && m->of[m->sorted[behind]].queue == queue; behind++)
        m->of[m->sorted[behind]].queue = PC_NONE;
    if (behind == first)
        return; /* nobody ever had a job there */
    memmove(m->sorted + first, m->sorted + behind, (m->sorted_count - behind) * sizeof *m->sorted);
    m->sorted_count -= behind - first;
}

/* ---- queues ---- */

bool pc_multifactor_reserve_queue(struct policy *p)
{
    struct pc_multifactor *m = p->multifactor;
    return m == NULL || PC_GROW(&p->memory, m->rows, m->row_capacity, p->queue_count + 1 + m->count);
}

void pc_multifactor_queues_changed(struct policy *p)
{
    struct pc_multifactor *m = p->multifactor;
    if (m == NULL)
        return;
    m->top_queue = 1;
    for (uint32_t q = 0; q < p->queue_count; q++)
        if (p->queues[q].exists && p->queues[q].priority > m->top_queue)
            m->top_queue = p->queues[q].priority;
    m->stale = true;
}

/* ---- jobs ---- */

bool pc_multifactor_admit(struct policy *p, uint32_t id, const struct policy_job_spec *spec)
{
    struct pc_multifactor *m = p->multifactor;
    if (m == NULL)
        return true;
    struct pc_job *job = &p->jobs[id];
    uint32_t association = pc_multifactor_find(p, spec->queue.i, spec->user);
    if (association == PC_NONE)
        return false;
    m->of[association].jobs++;
    job->association = association;
    job->waits_since = job->eligible > spec->submitted ? job->eligible : spec->submitted;
    if (job->priority > m->top_job) {
        m->top_job = job->priority;
        m->stale = true;
    }
    return true;
}

void pc_multifactor_over(struct policy *p, uint32_t id)
{
    if (p->multifactor != NULL)
        p->multifactor->of[p->jobs[id].association].jobs--;
}

static void note_cap(struct pc_multifactor *m, const struct policy *p, const struct pc_job *job)
{
    policy_time cap;
    if (__builtin_add_overflow(job->waits_since, options(p)->max_age_ms, &cap))
        cap = INT64_MAX;
    m->cap = cap < m->cap ? cap : m->cap;
}

void pc_multifactor_waits(struct policy *p, uint32_t id)
{
    struct pc_multifactor *m = p->multifactor;
    if (m == NULL)
        return;
    struct pc_association *a = &m->of[p->jobs[id].association];
    if (m->waiting++ == 0) {
        m->base = pc_multifactor_bound(p, p->now);
        m->cap = INT64_MAX;
    }
    m->users_waiting += a->waiting++ == 0;
    note_cap(m, p, &p->jobs[id]);
    p->jobs[id].key = pc_multifactor_key(p, id);
}

void pc_multifactor_waits_no_more(struct policy *p, uint32_t id)
{
    struct pc_multifactor *m = p->multifactor;
    if (m == NULL)
        return;
    m->waiting--;
    m->users_waiting -= --m->of[p->jobs[id].association].waiting == 0;
}

void pc_multifactor_runs(struct policy *p, uint32_t id)
{
    if (p->multifactor != NULL)
        change_running(p, id, 1);
}

void pc_multifactor_stopped(struct policy *p, uint32_t id)
{
    if (p->multifactor != NULL)
        change_running(p, id, -1);
}

/* ---- priorities ---- */

/* Below zero for who began to wait after the time that keys are as of. */
static int64_t age_points(const struct policy *p, const struct pc_job *job)
{
    const struct policy_multifactor_options *o = options(p);
    int64_t most = o->max_age_ms <= INT64_MAX / OLDEST ? o->max_age_ms * OLDEST : INT64_MAX;
    int64_t age;
    if (__builtin_sub_overflow(p->multifactor->base, job->waits_since, &age))
        age = job->waits_since > 0 ? -most : o->max_age_ms;
    age = age > o->max_age_ms ? o->max_age_ms : age;
    age = age < -most ? -most : age;
    return age < 0 ? -pc_weigh(o->weight_age, -age, o->max_age_ms)
                   : pc_weigh(o->weight_age, age, o->max_age_ms);
}

static int64_t size_points(const struct policy *p, const struct pc_group *g)
{
    int64_t all = p->multifactor->installed;
    int64_t part = g->gpu_milli < all ? g->gpu_milli : all;
    if (all == 0)
        return 0;
    return pc_weigh(options(p)->weight_job_size, options(p)->favor_small ? all - part : part, all);
}

static int64_t priority_points(int64_t weight, int32_t priority, int32_t highest)
{
    int32_t counted = priority < highest ? priority : highest; /* more until the next calculation */
    return counted > 0 ? pc_weigh(weight, counted, highest) : 0;
}

int64_t pc_multifactor_key(const struct policy *p, uint32_t id)
{
    const struct policy_multifactor_options *o = options(p);
    const struct pc_multifactor *m = p->multifactor;
    const struct pc_job *job = &p->jobs[id];
    const struct pc_group *g = &p->groups[job->group];
    int64_t points = age_points(p, job) + size_points(p, g);
    uint32_t place = m->of[job->association].place; /* as told it may be beyond those who were ranked */
    if (m->users_ranked > 0)
        points +=
            pc_weigh(o->weight_fairshare, place < m->users_ranked ? place : m->users_ranked, m->users_ranked);
    points += priority_points(o->weight_partition, p->queues[g->queue].priority, m->top_queue);
    points += priority_points(o->weight_qos, job->priority, m->top_job);
    return -points;
}

/* ---- calculating ---- */

/* So that those of a million queues can be added up. */
static uint64_t shares_of(const struct pc_queue *queue)
{
    int64_t most = INT64_C(1) << 40;
    return (uint64_t)(queue->gpu.weight < most ? queue->gpu.weight : most);
}

/* Ranks all users by their use as of the time; whether some factor is another than before. */
static bool rank(struct policy *p, policy_time bound)
{
    struct pc_multifactor *m = p->multifactor;
    for (uint32_t q = 0; q < p->queue_count; q++) {
        const struct pc_queue *queue = &p->queues[q];
        m->rows[q] = (struct pc_fair_row){
            .parent = queue->exists && queue->parent != POLICY_NO_ID ? queue->parent : PC_FAIR_ROOT,
            .shares = queue->exists ? shares_of(queue) : 0};
    }
    for (uint32_t i = 0; i < m->sorted_count; i++) {
        const struct pc_association *a = &m->of[m->sorted[i]];
        m->rows[p->queue_count + i] =
            (struct pc_fair_row){.parent = a->queue, .user = true, .shares = 1, .used = used_at(p, a, bound)};
    }
    uint32_t users = pc_fair_tree(m->rows, p->queue_count + m->sorted_count, m->users);
    bool changed = users != m->users_ranked;
    m->users_ranked = users;
    for (uint32_t i = 0; i < m->sorted_count; i++) {
        struct pc_association *a = &m->of[m->sorted[i]];
        uint32_t place = m->rows[p->queue_count + i].place;
        changed = changed || (a->place != place && a->waiting > 0);
        a->place = place;
    }
    return changed;
}

static void count_fleet(struct policy *p)
{
    struct pc_multifactor *m = p->multifactor;
    if (m->fleet_version == p->fleet_version)
        return;
    m->installed = 0;
    for (uint32_t i = 0; i < p->pool_count; i++)
        m->installed += p->pools[i].installed_milli;
    m->fleet_version = p->fleet_version;
    m->stale = true;
}

void pc_multifactor_rekey(struct policy *p)
{
    struct pc_multifactor *m = p->multifactor;
    m->cap = INT64_MAX;
    for (uint32_t i = 0; i < p->job_count; i++)
        if (p->jobs[i].state == PC_PENDING)
            note_cap(m, p, &p->jobs[i]);
    pc_pending_rekey(p);
}

void pc_multifactor_refresh(struct policy *p)
{
    struct pc_multifactor *m = p->multifactor;
    policy_time bound = pc_multifactor_bound(p, p->now);
    count_fleet(p);
    bool due = bound > m->at || m->stale;
    if (!due && !m->is_told)
        return;
    bool changed = rank(p, bound) || m->stale;
    m->at = bound > m->at ? bound : m->at;
    m->stale = m->is_told = false;
    if (m->waiting == 0 || (!changed && (!due || m->cap > bound)))
        return;
    m->base = bound;
    pc_multifactor_rekey(p);
}

/* Without anything that runs nothing could start in another order either, until something happens. */
policy_time pc_multifactor_wakeup(const struct policy *p)
{
    const struct pc_multifactor *m = p->multifactor;
    if (m->waiting < 2 || m->running == 0)
        return INT64_MAX;
    policy_time from = m->users_waiting < 2 || options(p)->weight_fairshare == 0 ? m->cap : p->now + 1;
    from = from > p->now ? from : p->now + 1;
    policy_time next; /* the first one that is not before `from` */
    if (__builtin_add_overflow(pc_multifactor_bound(p, from - 1), options(p)->calc_period_ms, &next))
        return INT64_MAX;
    return next;
}

/* ---- checking ---- */

static const char *check_association(const struct policy *p, uint32_t id)
{
    const struct pc_association *a = &p->multifactor->of[id];
    uint32_t jobs = 0;
    uint32_t waiting = 0;
    int64_t running = 0;
    for (uint32_t i = 0; i < p->job_count; i++) {
        const struct pc_job *job = &p->jobs[i];
        if (job->state == PC_FREE || job->association != id)
            continue;
        jobs++;
        waiting += job->state == PC_PENDING;
        running += job->state == PC_ACTIVE ? p->groups[job->group].gpu_milli : 0;
        if (p->groups[job->group].queue != a->queue)
            return "the association of a job";
    }
    if (jobs != a->jobs || waiting != a->waiting || running != a->running)
        return "the sums of an association";
    return a->bound > a->until ? "the use of an association" : NULL;
}

const char *pc_multifactor_check(const struct policy *p)
{
    const struct pc_multifactor *m = p->multifactor;
    const char *wrong = NULL;
    uint32_t waiting = 0;
    uint32_t running = 0;
    for (uint32_t i = 0; m != NULL && i < m->sorted_count && wrong == NULL; i++) {
        const struct pc_association *a = &m->of[m->sorted[i]];
        if (i > 0 && compare(&m->of[m->sorted[i - 1]], a->queue, a->user) >= 0)
            return "the order of associations";
        wrong = check_association(p, m->sorted[i]);
    }
    for (uint32_t i = 0; m != NULL && i < p->job_count && wrong == NULL; i++) {
        waiting += p->jobs[i].state == PC_PENDING;
        running += p->jobs[i].state == PC_ACTIVE;
        if (p->jobs[i].state == PC_PENDING && !m->stale && m->fleet_version == p->fleet_version &&
            p->jobs[i].key != pc_multifactor_key(p, i))
            wrong = "the priority of a job";
    }
    if (m == NULL || wrong != NULL)
        return wrong;
    return waiting == m->waiting && running == m->running ? NULL : "the jobs of the multifactor order";
}
