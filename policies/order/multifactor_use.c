/* SPDX-License-Identifier: MIT */
/* Multifactor priority; see multifactor_use.h. */
#include "order/multifactor_use.h"

#include "order/multifactor.h"
#include "order/order.h"
#include "state/job_life.h"
#include "state/jobs.h"
#include "state/tasks.h"

#include <string.h>

#define TENTH_MS UINT64_C(100)
/* ages are clamped to this many times the maximum age, positive or negative */
#define OLDEST 1024

static const struct policy_multifactor_options *options(const struct policy *p)
{
    return &p->config.multifactor;
}

policy_time pc_multifactor_bound(const struct policy *p, policy_time at)
{
    int64_t period = options(p)->calc_period_ms;
    int64_t into = at % period;
    policy_time bound;
    return __builtin_sub_overflow(at, into < 0 ? into + period : into, &bound) ? INT64_MIN : bound;
}

/* The first multiple of the period after `bound`; INT64_MAX if it overflows. */
static policy_time next_bound(const struct policy *p, policy_time bound)
{
    policy_time next;
    if (__builtin_add_overflow(bound, options(p)->calc_period_ms, &next))
        return INT64_MAX;
    return pc_multifactor_bound(p, next);
}

struct pc_multifactor *pc_multifactor_of(const struct policy *p)
{
    return pc_module_self(p, &pc_multifactor_module);
}

static void *create(struct policy *p)
{
    struct pc_multifactor *m = pc_alloc(&p->memory, 1, sizeof *m);
    if (m == NULL)
        return NULL;
    *m = (struct pc_multifactor){
        .faded = pc_faded(options(p)->calc_period_ms, options(p)->half_life_ms),
        .at = POLICY_NEVER,
        .base = POLICY_NEVER,
        .cap = INT64_MAX,
        .top_queue = 1,
        .top_job = 1,
    };
    return m;
}

static void destroy(struct policy *p, void *self)
{
    struct pc_multifactor *m = self;
    pc_release(&p->memory, m->of, m->capacity, sizeof *m->of);
    pc_release(&p->memory, m->sorted, m->sorted_capacity, sizeof *m->sorted);
    pc_release(&p->memory, m->jobs, m->job_capacity, sizeof *m->jobs);
    pc_release(&p->memory, m->rows, m->row_capacity, sizeof *m->rows);
    pc_release(&p->memory, m->users, m->user_capacity, sizeof *m->users);
    pc_release(&p->memory, m, 1, sizeof *m);
}

/* ---- usage ---- */

/* Exact even if the difference exceeds policy_time. */
static uint64_t passed(policy_time from, policy_time to)
{
    return (uint64_t)to - (uint64_t)from;
}

/* Updates the association's usage up to the time. */
static void advance(const struct policy *p, uint64_t faded, struct pc_association *a,
                    policy_time at)
{
    uint64_t running = (uint64_t)a->running;
    policy_time bound = pc_multifactor_bound(p, at);
    if (at <= a->until)
        return;
    uint64_t period = (uint64_t)options(p)->calc_period_ms;
    if (bound > a->bound) {
        policy_time first = next_bound(p, a->bound);
        uint64_t had = a->since_bound + running * passed(a->until, first);
        a->used = pc_fade(a->used, faded) + had / TENTH_MS;
        a->used = pc_fade_again(a->used, faded, running * period / TENTH_MS,
                                passed(first, bound) / period);
        a->since_bound = had % TENTH_MS;
        a->bound = a->until = bound;
    }
    a->since_bound += running * passed(a->until, at);
    a->until = at;
}

static uint64_t used_at(const struct policy *p, uint64_t faded, const struct pc_association *a,
                        policy_time bound)
{
    struct pc_association then = *a;
    if (bound > a->until)
        advance(p, faded, &then, bound);
    return then.used;
}

/* Changes what the job holds from now on. */
static void set_held(struct policy *p, struct pc_multifactor *m, uint32_t job, int64_t milli)
{
    struct pc_claimant *j = &m->jobs[job];
    struct pc_association *a = &m->of[j->association];
    advance(p, m->faded, a, p->now);
    a->running += milli - j->held;
    j->held = milli;
}

/* ---- associations ---- */

static int compare(const struct pc_association *a, uint32_t queue, uint32_t user)
{
    if (a->queue != queue)
        return a->queue < queue ? -1 : 1;
    return (a->user > user) - (a->user < user);
}

/* Its index in the sorted list, or where it would be inserted. */
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

static uint32_t new_association(struct policy *p, struct pc_multifactor *m)
{
    for (uint32_t i = 0; i < m->count && m->sorted_count < m->count; i++)
        if (m->of[i].queue == PC_NONE)
            return i;
    if (!PC_GROW(&p->memory, m->of, m->capacity, m->count + 1) ||
        !PC_GROW(&p->memory, m->sorted, m->sorted_capacity, m->count + 1) ||
        !PC_GROW(&p->memory, m->users, m->user_capacity, m->count + 1) ||
        !PC_GROW(&p->memory, m->rows, m->row_capacity, p->cluster->queue_count + m->count + 1))
        return PC_NONE;
    m->of[m->count].queue = PC_NONE;
    return m->count++;
}

uint32_t pc_multifactor_find(struct policy *p, uint32_t queue, uint32_t user)
{
    struct pc_multifactor *m = pc_multifactor_of(p);
    uint32_t at = position_of(m, queue, user);
    if (at < m->sorted_count && compare(&m->of[m->sorted[at]], queue, user) == 0)
        return m->sorted[at];
    uint32_t id = new_association(p, m);
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

static void queue_over(struct policy *p, void *self, uint32_t queue)
{
    struct pc_multifactor *m = self;
    uint32_t first = position_of(m, queue, 0);
    uint32_t behind = first;
    (void)p;
    for (; behind < m->sorted_count && m->of[m->sorted[behind]].queue == queue; behind++)
        m->of[m->sorted[behind]].queue = PC_NONE;
    if (behind == first)
        return; /* it never had a job */
    memmove(m->sorted + first, m->sorted + behind, (m->sorted_count - behind) * sizeof *m->sorted);
    m->sorted_count -= behind - first;
}

/* ---- queues ---- */

static bool reserve_queue(struct policy *p, void *self, uint32_t queue)
{
    struct pc_multifactor *m = self;
    (void)queue;
    return PC_GROW(&p->memory, m->rows, m->row_capacity, p->cluster->queue_count + 1 + m->count);
}

static void queues_changed(struct policy *p, void *self)
{
    const struct pc_cluster *c = p->cluster;
    struct pc_multifactor *m = self;
    m->top_queue = 1;
    for (uint32_t q = 0; q < c->queue_count; q++)
        if (c->queues[q].exists && c->queues[q].priority > m->top_queue)
            m->top_queue = c->queues[q].priority;
    m->stale = true;
}

/* ---- jobs ---- */

static bool reserve_job(struct policy *p, void *self, uint32_t job,
                        const struct policy_job_spec *spec)
{
    struct pc_multifactor *m = self;
    return PC_GROW(&p->memory, m->jobs, m->job_capacity, job + 1) &&
           pc_multifactor_find(p, spec->queue.i, spec->user) != PC_NONE;
}

static void note_top(struct pc_multifactor *m, const struct pc_job *j)
{
    if (j->priority <= m->top_job)
        return;
    m->top_job = j->priority;
    m->stale = true;
}

static void job_added(struct policy *p, void *self, uint32_t job,
                      const struct policy_job_spec *spec)
{
    struct pc_multifactor *m = self;
    const struct pc_job *j = &p->cluster->jobs[job];
    uint32_t association = pc_multifactor_find(p, spec->queue.i, spec->user); /* it exists */
    m->of[association].jobs++;
    m->jobs[job] = (struct pc_claimant){
        .association = association,
        .waits_since = pc_waits_since(p->cluster, j),
    };
    note_top(m, j);
}

static void job_reprioritized(struct policy *p, void *self, uint32_t job)
{
    note_top(self, &p->cluster->jobs[job]);
}

static void note_cap(const struct policy *p, struct pc_multifactor *m, uint32_t job)
{
    policy_time cap;
    if (__builtin_add_overflow(m->jobs[job].waits_since, options(p)->max_age_ms, &cap))
        cap = INT64_MAX;
    m->cap = cap < m->cap ? cap : m->cap;
}

static void job_waits(struct policy *p, void *self, uint32_t job)
{
    struct pc_multifactor *m = self;
    struct pc_association *a = &m->of[m->jobs[job].association];
    if (m->waiting++ == 0) {
        m->base = pc_multifactor_bound(p, p->now);
        m->cap = INT64_MAX;
    }
    m->users_waiting += a->waiting++ == 0;
    note_cap(p, m, job);
}

static void waits_no_more(struct pc_multifactor *m, uint32_t job)
{
    m->waiting--;
    m->users_waiting -= --m->of[m->jobs[job].association].waiting == 0;
}

static void job_started(struct policy *p, void *self, uint32_t job, policy_time since)
{
    struct pc_multifactor *m = self;
    (void)since; /* earlier usage is restored with the history */
    waits_no_more(m, job);
    set_held(p, m, job, pc_held_milli(&p->cluster->jobs[job]));
    m->running++;
}

/* A gang is charged as a whole until its last task has ended, like an allocation. */
static void job_resized(struct policy *p, void *self, uint32_t job)
{
    const struct pc_multifactor *m = self;
    const struct pc_job *j = &p->cluster->jobs[job];
    if (!p->cluster->shapes[j->shape].elastic && pc_held_milli(j) < m->jobs[job].held)
        return;
    set_held(p, self, job, pc_held_milli(&p->cluster->jobs[job]));
}

static void job_stopped(struct policy *p, void *self, uint32_t job, bool ran)
{
    struct pc_multifactor *m = self;
    (void)ran;
    set_held(p, m, job, 0);
    m->running--;
}

static void job_over(struct policy *p, void *self, uint32_t job)
{
    struct pc_multifactor *m = self;
    if (p->cluster->jobs[job].life == PC_WAITS)
        waits_no_more(m, job);
    if (pc_reported_tasks(&p->cluster->jobs[job]) > 0)
        job_stopped(p, self, job, true);
    m->of[m->jobs[job].association].jobs--;
}

/* ---- priorities ---- */

/* Negative for a job that became pending after the reference time of keys. */
static int64_t age_points(const struct policy *p, const struct pc_multifactor *m, policy_time since)
{
    const struct policy_multifactor_options *o = options(p);
    int64_t most = o->max_age_ms <= INT64_MAX / OLDEST ? o->max_age_ms * OLDEST : INT64_MAX;
    int64_t age;
    if (__builtin_sub_overflow(m->base, since, &age))
        age = since > 0 ? -most : o->max_age_ms;
    age = age > o->max_age_ms ? o->max_age_ms : age;
    age = age < -most ? -most : age;
    return age < 0 ? -pc_weigh(o->weight_age, -age, o->max_age_ms)
                   : pc_weigh(o->weight_age, age, o->max_age_ms);
}

/* If the devices depend on the node, the upper bound over all tasks counts. */
static int64_t size_of(const struct pc_shape *s)
{
    return s->wants_memory ? s->total.of[PC_GPU] : s->first.of[PC_GPU];
}

static int64_t size_points(const struct policy *p, const struct pc_multifactor *m,
                           const struct pc_shape *s)
{
    int64_t all = m->installed;
    int64_t part = size_of(s) < all ? size_of(s) : all;
    if (all == 0)
        return 0;
    return pc_weigh(options(p)->weight_job_size, options(p)->favor_small ? all - part : part, all);
}

static int64_t priority_points(int64_t weight, int32_t priority, int32_t highest)
{
    int32_t counted =
        priority < highest ? priority : highest; /* higher ones count at the next calculation */
    return counted > 0 ? pc_weigh(weight, counted, highest) : 0;
}

static struct pc_key key_of(const struct policy *p, const struct pc_multifactor *m, uint32_t job)
{
    const struct policy_multifactor_options *o = options(p);
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    int64_t points =
        age_points(p, m, m->jobs[job].waits_since) + size_points(p, m, &c->shapes[j->shape]);
    uint32_t place =
        m->of[m->jobs[job].association].place; /* a restored place may be past the last */
    if (m->users_ranked > 0)
        points += pc_weigh(o->weight_fairshare, place < m->users_ranked ? place : m->users_ranked,
                           m->users_ranked);
    points += priority_points(o->weight_partition, c->queues[j->queue].priority, m->top_queue);
    points += priority_points(o->weight_qos, j->priority, m->top_job);
    return (struct pc_key){.minor = -points};
}

struct pc_key pc_multifactor_rekey(const struct policy *p, uint32_t job)
{
    return key_of(p, pc_multifactor_of(p), job);
}

/* ---- calculating ---- */

/* Clamped so that a million queues can be summed. */
static uint64_t shares_of(const struct pc_queue *queue)
{
    int64_t most = INT64_C(1) << 40;
    return (uint64_t)(queue->weight.of[PC_GPU] < most ? queue->weight.of[PC_GPU] : most);
}

/* Ranks all users by their usage at that time. Returns true if some factor has changed. */
static bool rank(struct policy *p, struct pc_multifactor *m, policy_time bound)
{
    const struct pc_cluster *c = p->cluster;
    for (uint32_t q = 0; q < c->queue_count; q++) {
        const struct pc_queue *queue = &c->queues[q];
        m->rows[q] = (struct pc_fair_row){
            .parent = queue->exists && queue->parent != POLICY_NO_ID ? queue->parent : PC_FAIR_ROOT,
            .shares = queue->exists ? shares_of(queue) : 0};
    }
    for (uint32_t i = 0; i < m->sorted_count; i++) {
        const struct pc_association *a = &m->of[m->sorted[i]];
        m->rows[c->queue_count + i] = (struct pc_fair_row){
            .parent = a->queue, .user = true, .shares = 1, .used = used_at(p, m->faded, a, bound)};
    }
    uint32_t users = pc_fair_tree(m->rows, c->queue_count + m->sorted_count, m->users);
    bool changed = users != m->users_ranked;
    m->users_ranked = users;
    for (uint32_t i = 0; i < m->sorted_count; i++) {
        struct pc_association *a = &m->of[m->sorted[i]];
        uint32_t place = m->rows[c->queue_count + i].place;
        changed = changed || (a->place != place && a->waiting > 0);
        a->place = place;
    }
    return changed;
}

int64_t pc_multifactor_installed(const struct policy *p)
{
    const struct pc_cluster *c = p->cluster;
    int64_t sum = 0;
    for (uint32_t i = 0; i < c->node_count; i++)
        sum += c->nodes[i].exists ? (int64_t)c->nodes[i].devices * POLICY_WHOLE : 0;
    return sum;
}

static void count_fleet(const struct policy *p, struct pc_multifactor *m)
{
    if (m->fleet_version == p->cluster->fleet_version)
        return;
    m->installed = pc_multifactor_installed(p);
    m->fleet_version = p->cluster->fleet_version;
    m->stale = true;
}

void pc_multifactor_find_cap(struct policy *p)
{
    struct pc_multifactor *m = pc_multifactor_of(p);
    const struct pc_cluster *c = p->cluster;
    m->cap = INT64_MAX;
    for (uint32_t i = 0; i < c->job_count; i++)
        if (c->jobs[i].state != PC_FREE && c->jobs[i].life == PC_WAITS)
            note_cap(p, m, i);
}

bool pc_multifactor_refresh(struct policy *p)
{
    struct pc_multifactor *m = pc_multifactor_of(p);
    policy_time bound = pc_multifactor_bound(p, p->now);
    count_fleet(p, m);
    bool due = bound > m->at || m->stale;
    if (!due && !m->is_reported)
        return false;
    bool changed = rank(p, m, bound) || m->stale;
    m->at = bound > m->at ? bound : m->at;
    m->stale = m->is_reported = false;
    if (m->waiting == 0 || (!changed && (!due || m->cap > bound)))
        return false;
    m->base = bound;
    pc_multifactor_find_cap(p);
    return true;
}

/* Without running jobs, nothing could start in another order either until something happens. */
policy_time pc_multifactor_next_change(const struct policy *p)
{
    const struct pc_multifactor *m = pc_multifactor_of(p);
    if (m->waiting < 2 || m->running == 0)
        return INT64_MAX;
    bool ages_alone = m->users_waiting < 2 || options(p)->weight_fairshare == 0;
    policy_time last = ages_alone && m->cap > p->now ? m->cap - 1 : p->now;
    return next_bound(p, pc_multifactor_bound(p, last));
}

/* ---- checking ---- */

static const char *check_association(const struct policy *p, const struct pc_multifactor *m,
                                     uint32_t id)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_association *a = &m->of[id];
    uint32_t jobs = 0;
    uint32_t waiting = 0;
    int64_t running = 0;
    for (uint32_t i = 0; i < c->job_count; i++) {
        const struct pc_job *job = &c->jobs[i];
        if (job->state == PC_FREE || m->jobs[i].association != id)
            continue;
        jobs++;
        waiting += job->life == PC_WAITS;
        running += m->jobs[i].held;
        if (job->queue != a->queue)
            return "the association of a job";
    }
    if (jobs != a->jobs || waiting != a->waiting || running != a->running)
        return "the sums of an association";
    return a->bound > a->until ? "the use of an association" : NULL;
}

static bool has_wrong_key(const struct policy *p, const struct pc_multifactor *m, uint32_t job)
{
    struct pc_key now = key_of(p, m, job);
    const struct pc_key *key = &p->cluster->jobs[job].key;
    return !m->stale && m->fleet_version == p->cluster->fleet_version &&
           (now.major != key->major || now.minor != key->minor);
}

static const char *check(const struct policy *p, const void *self)
{
    const struct pc_multifactor *m = self;
    const struct pc_cluster *c = p->cluster;
    uint32_t waiting = 0;
    uint32_t running = 0;
    for (uint32_t i = 0; i < m->sorted_count; i++) {
        const struct pc_association *a = &m->of[m->sorted[i]];
        if (i > 0 && compare(&m->of[m->sorted[i - 1]], a->queue, a->user) >= 0)
            return "the order of associations";
        const char *wrong = check_association(p, m, m->sorted[i]);
        if (wrong != NULL)
            return wrong;
    }
    for (uint32_t i = 0; i < c->job_count; i++) {
        if (c->jobs[i].state == PC_FREE)
            continue;
        waiting += c->jobs[i].life == PC_WAITS;
        running += pc_holding(&c->jobs[i]) > 0;
        if (c->jobs[i].life == PC_WAITS && has_wrong_key(p, m, i))
            return "the priority of a job";
    }
    return waiting == m->waiting && running == m->running ? NULL
                                                          : "the jobs of the multifactor order";
}

const struct pc_module pc_multifactor_module = {
    .name = "multifactor",
    .create = create,
    .destroy = destroy,
    .reserve_job = reserve_job,
    .job_added = job_added,
    .job_waits = job_waits,
    .job_started = job_started,
    .job_resized = job_resized,
    .job_stopped = job_stopped,
    .job_over = job_over,
    .job_reprioritized = job_reprioritized,
    .reserve_queue = reserve_queue,
    .queues_changed = queues_changed,
    .queue_over = queue_over,
    .history = pc_multifactor_records,
    .check = check,
};

const struct pc_job_order pc_order_multifactor = {
    .row = {"multifactor",
            "priority by age, fair share, size, queue and job, weighted as in Slurm"},
    .key = pc_key_by_age,
    .rekey = pc_multifactor_rekey,
    .refresh = pc_multifactor_refresh,
    .next_change = pc_multifactor_next_change,
    .module = &pc_multifactor_module,
};
