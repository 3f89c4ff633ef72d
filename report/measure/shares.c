/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entitlement and use of queues; definitions in shares.h. */
#include "report/measure/shares.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

static struct shares_queue *state_of(struct shares *s, const struct sim *sim, uint32_t queue)
{
    if (queue >= s->count)
        s->queues = mem_extend(s->queues, &s->count, sim->queue_count, sizeof *s->queues);
    return &s->queues[queue];
}

static int64_t demand_of(const struct sim_queue *queue)
{
    int64_t demand = queue->held_milli + queue->wanted_milli;
    return queue->gpu.limit == POLICY_UNLIMITED || queue->gpu.limit > demand ? demand
                                                                             : queue->gpu.limit;
}

static double guarantee(const struct sim_queue *queue, int64_t demand)
{
    return division_guarantee(queue->gpu.quota, demand);
}

/* Returns the queue's entitlement on a site that can satisfy all demand. */
static double of_plenty(const struct sim_queue *queue, int64_t demand)
{
    return division_of_plenty(queue->gpu.quota, queue->gpu.weight, demand);
}

static void divide(struct shares *s, const struct sim *sim, const struct sim_site *site,
                   struct shares_site *state)
{
    if (s->row_count < site->queue_count)
        s->rows = mem_extend(s->rows, &s->row_count, site->queue_count, sizeof *s->rows);
    state->wanted = 0;
    for (size_t i = 0; i < site->queue_count; i++) {
        const uint32_t id = site->queues[i];
        s->rows[i] = (struct division_row){.quota = sim->queues[id].gpu.quota,
                                           .weight = sim->queues[id].gpu.weight,
                                           .demand = s->queues[id].demand};
        state->wanted += s->queues[id].demand;
    }
    state->ample = division_make(s->rows, site->queue_count, site->milli);
    for (size_t i = 0; i < site->queue_count; i++)
        s->queues[site->queues[i]].entitled = s->rows[i].entitled;
}

/* ---- integrals ---- */

/*
 * Integrates a queue up to the end of the site's last interval. Its use, demand and entitlement
 * have been constant since it was last settled, so one product covers many intervals.
 */
static void settle(struct shares_queue *q, const struct sim *sim, const struct shares_site *state)
{
    int64_t from = q->since_ms > sim->window_start_ms ? q->since_ms : sim->window_start_ms;
    int64_t to = state->until_ms < sim->window_end_ms ? state->until_ms : sim->window_end_ms;
    q->since_ms = state->until_ms;
    if (to <= from)
        return;
    double dt = (double)(to - from), used = (double)q->running;
    q->used_ms += used * dt;
    if (q->demand == 0)
        return;
    q->entitled_ms += q->entitled * dt;
    q->deficit_ms += used < q->entitled ? (q->entitled - used) * dt : 0;
    q->demand_time_ms += to - from;
    q->satisfied_ms += used >= division_guarantee(q->given.quota, q->demand) ? to - from : 0;
}

static void settle_all(struct shares *s, const struct sim *sim, const struct sim_site *site,
                       const struct shares_site *state)
{
    for (size_t i = 0; i < site->queue_count; i++)
        settle(&s->queues[site->queues[i]], sim, state);
}

/* ---- keeping up to date ---- */

/* Takes the policy's own division, which may change with each decision. */
static void ask_policy(struct shares *s, const struct sim *sim, const struct sim_site *site,
                       const struct shares_site *state)
{
    settle_all(s, sim, site, state);
    for (size_t i = 0; i < site->queue_count; i++) {
        const struct sim_queue *queue = &sim->queues[site->queues[i]];
        struct shares_queue *q = &s->queues[site->queues[i]];
        struct policy_queue_info info = {.size = sizeof info};
        q->running = queue->running_milli;
        q->given = queue->gpu;
        q->demand = demand_of(queue);
        q->entitled = (double)q->demand;
        if (policy_queue_info(sim->policy, queue->core, &info) == POLICY_OK &&
            info.fair_share.gpu != POLICY_UNLIMITED && info.fair_share.gpu < q->demand)
            q->entitled = (double)info.fair_share.gpu;
    }
}

/*
 * Records the queue's use and demand; returns true if this may change the entitlements of others.
 */
static bool take_in(struct shares_queue *q, const struct sim_queue *queue,
                    struct shares_site *state)
{
    int64_t demand = demand_of(queue);
    q->running = queue->running_milli;
    q->total = queue->held_milli + queue->wanted_milli;
    if (demand == q->demand)
        return false;
    bool capped = q->entitled < (double)q->demand && q->entitled < (double)demand &&
                  guarantee(queue, demand) == guarantee(queue, q->demand);
    state->wanted += demand - q->demand;
    q->demand = demand;
    if (state->ample)
        q->entitled = of_plenty(queue, demand);
    return !capped;
}

static struct shares_site *site_of(struct shares *s, const struct sim *sim, uint32_t id)
{
    if (s->count < sim->queue_count)
        s->queues = mem_extend(s->queues, &s->count, sim->queue_count, sizeof *s->queues);
    if (id >= s->site_count)
        s->sites = mem_extend(s->sites, &s->site_count, sim->site_count, sizeof *s->sites);
    return &s->sites[id];
}

static bool same_share(const struct policy_share *a, const struct policy_share *b)
{
    return a->quota == b->quota && a->limit == b->limit && a->weight == b->weight;
}

/*
 * Updates the site's entitlements for changes of demand, quotas and installed devices. If a queue
 * wanted more than its share before and still does, no share changes, which saves most of the work
 * on a crowded site. If the site had enough for all demand and still has, only the queue's own
 * share changes. Only queues that changed since the last interval are examined.
 */
static void update(struct shares *s, const struct sim *sim, uint32_t id)
{
    const struct sim_site *site = &sim->sites[id];
    struct shares_site *state = site_of(s, sim, id);
    if (sim_is(sim, POLICY_TRAIT_DIVIDES)) {
        ask_policy(s, sim, site, state);
        return;
    }
    bool stale = false, replanned = state->milli != site->milli;
    state->milli = site->milli;
    for (size_t i = 0; i < site->altered_count; i++) {
        const struct sim_queue *queue = &sim->queues[site->altered[i]];
        struct shares_queue *q = &s->queues[site->altered[i]];
        bool given = same_share(&q->given, &queue->gpu);
        if (given && queue->running_milli == q->running &&
            queue->held_milli + queue->wanted_milli == q->total)
            continue;
        settle(q, sim, state);
        stale |= take_in(q, queue, state);
        if (given)
            continue;
        q->given = queue->gpu;
        replanned = true;
        state->quotas |= queue->gpu.quota != 0;
    }
    if (!replanned && (!stale || (state->ample && state->wanted <= site->milli)))
        return;
    settle_all(s, sim, site, state); /* covers the queues that changed */
    divide(s, sim, site, state);
}

/* ---- what is owed ---- */

static int64_t least_wanted(const struct work_job *job)
{
    bool elastic = job->min_tasks < job->most_tasks;
    return elastic ? work_least_milli(job) : job->gpu_milli;
}

static void count_pending(struct shares *s, const struct sim *sim, const struct work_job *job,
                          int sign)
{
    if (sim->queues[job->queue].gpu.quota == 0)
        return;
    struct shares_queue *q = state_of(s, sim, job->queue);
    int64_t milli = least_wanted(job);
    size_t i = 0;
    while (i < q->size_count && q->sizes[i].milli != milli)
        i++;
    if (i == q->size_count) {
        q->sizes = mem_grow(q->sizes, &q->size_capacity, ++q->size_count, sizeof *q->sizes);
        q->sizes[i] = (struct shares_size){.milli = milli};
    }
    q->sizes[i].jobs += sign;
}

/* Returns true if the queue would stay within its quota with its smallest pending job. */
static bool is_owed(const struct sim_queue *queue, const struct shares_queue *q)
{
    int64_t least = INT64_MAX;
    for (size_t i = 0; queue->pending_jobs > 0 && i < q->size_count; i++)
        if (q->sizes[i].jobs > 0 && q->sizes[i].milli < least)
            least = q->sizes[i].milli;
    return least != INT64_MAX && (queue->gpu.quota == POLICY_UNLIMITED ||
                                  queue->running_milli + least <= queue->gpu.quota);
}

/* From `from` on, the queue is owed capacity or no longer is. */
static void note_owed(const struct sim *sim, const struct sim_queue *queue, struct shares_queue *q,
                      int64_t from)
{
    bool owed = is_owed(queue, q);
    if (owed == q->owed)
        return;
    if (owed)
        q->owed_since_ms = from;
    else if (q->owed_since_ms >= sim->window_start_ms)
        tally_add(&q->reclaim, from - q->owed_since_ms, false);
    q->owed = owed;
}

/* ---- over time ---- */

/* The first interval of a site begins at `from`; later ones begin where the previous one ended. */
static void begin_at(struct shares *s, const struct sim *sim, uint32_t id, int64_t from)
{
    const struct sim_site *site = &sim->sites[id];
    struct shares_site *state = site_of(s, sim, id);
    state->begun = true;
    state->until_ms = from;
    for (size_t i = 0; i < site->queue_count; i++)
        s->queues[site->queues[i]].since_ms = from;
}

static void interval(void *self, const struct sim *sim, uint32_t id, int64_t from, int64_t to)
{
    struct shares *s = self;
    const struct sim_site *site = &sim->sites[id];
    struct shares_site *state = site_of(s, sim, id);
    if (!state->begun)
        begin_at(s, sim, id, from);
    update(s, sim, id);
    state->until_ms = to;
    for (; state->looked < site->queue_count; state->looked++)
        state->quotas |= sim->queues[site->queues[state->looked]].gpu.quota != 0;
    if (!state->quotas || from >= sim->window_end_ms)
        return;
    for (size_t i = 0; i < site->altered_count; i++)
        if (sim->queues[site->altered[i]].gpu.quota != 0)
            note_owed(sim, &sim->queues[site->altered[i]], &s->queues[site->altered[i]], from);
}

static void submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    state_of(self, sim, job->queue)->jobs += job->counted;
    if (!job->aside)
        count_pending(self, sim, job, 1);
}

static void started(void *self, const struct sim *sim, const struct work_job *job)
{
    count_pending(self, sim, job, -1);
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    if (how->whole && !job->stopping)
        count_pending(self, sim, job, 1);
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    state_of(self, sim, job->queue)->completed +=
        job->counted && job->status == TRACE_COMPLETED && !job->stopped;
}

struct sim_observer shares_observer(struct shares *s)
{
    return (struct sim_observer){.self = s,
                                 .interval = interval,
                                 .submitted = submitted,
                                 .started = started,
                                 .evicted = evicted,
                                 .ended = ended};
}

double shares_entitled(struct shares *s, const struct sim *sim, uint32_t queue)
{
    update(s, sim, sim->queues[queue].site);
    return s->queues[queue].entitled;
}

double shares_ratio(const struct shares_queue *q)
{
    return q->entitled_ms > 0 ? q->used_ms / q->entitled_ms : (double)NAN;
}

double shares_satisfaction(const struct shares_queue *q, const struct sim_queue *queue)
{
    return queue->gpu.quota != 0 && q->demand_time_ms > 0
               ? (double)q->satisfied_ms / (double)q->demand_time_ms
               : (double)NAN;
}

struct tally shares_reclaim(const struct shares *s)
{
    struct tally all = {0};
    for (size_t i = 0; i < s->count; i++)
        tally_merge(&all, &s->queues[i].reclaim);
    return all;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y); /* equal values are interchangeable */
}

/* Gini coefficient of n sorted non-negative numbers: (2 sum(i x_i) / (n sum x)) - (n + 1) / n. */
static double gini(const double *x, size_t n, double sum)
{
    double weighted = 0;
    for (size_t i = 0; i < n; i++)
        weighted += (double)(i + 1) * x[i];
    return sum > 0 ? 2 * weighted / ((double)n * sum) - ((double)n + 1) / (double)n : 0;
}

struct shares_summary shares_summarise(const struct shares *s, const struct sim *sim)
{
    const double none = (double)NAN;
    struct shares_summary out = {none, none, none, 0, none};
    double *x = mem_alloc(s->count + 1, sizeof *x);
    size_t n = 0;
    double sum = 0;
    double squares = 0;
    int64_t demand_time = 0;
    int64_t satisfied = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct shares_queue *q = &s->queues[i];
        out.deficit_gpu_h += q->deficit_ms / (1000.0 * 3600000.0);
        if (sim->queues[i].gpu.quota != 0) {
            demand_time += q->demand_time_ms;
            satisfied += q->satisfied_ms;
        }
        if (q->entitled_ms <= 0)
            continue;
        x[n] = shares_ratio(q);
        sum += x[n];
        squares += x[n] * x[n];
        n++;
    }
    qsort(x, n, sizeof *x, by_size);
    if (n > 0) {
        out.jain = squares > 0 ? sum * sum / ((double)n * squares) : 1;
        out.gini = gini(x, n, sum);
        out.min_share = x[0];
    }
    if (demand_time > 0)
        out.quota_satisfaction = (double)satisfied / (double)demand_time;
    free(x);
    return out;
}

void shares_finish(struct shares *s, const struct sim *sim)
{
    int64_t end = sim->now_ms < sim->window_end_ms ? sim->now_ms : sim->window_end_ms;
    for (size_t i = 0; i < s->site_count; i++)
        settle_all(s, sim, &sim->sites[i], site_of(s, sim, (uint32_t)i));
    for (size_t i = 0; i < s->count; i++)
        if (s->queues[i].owed && s->queues[i].owed_since_ms >= sim->window_start_ms)
            tally_add(&s->queues[i].reclaim, end - s->queues[i].owed_since_ms, true);
}

void shares_fini(struct shares *s)
{
    for (size_t i = 0; i < s->count; i++) {
        tally_fini(&s->queues[i].reclaim);
        free(s->queues[i].sizes);
    }
    free(s->queues);
    free(s->sites);
    free(s->rows);
}
