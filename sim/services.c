/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replicas start and end, and what they serve; see services.h. */
#include "sim/services.h"

#include "sim/base/mem.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPLICA_ID 96

/* A current replica; times on the services' clock. */
struct service_replica {
    policy_job job;
    int64_t submitted_ms;
    bool held, ready; /* it has devices; it serves */
    bool was_ready;
};

/* ---- sums ---- */

/* Part of [from, to) within the window. */
static int64_t inside(const struct services *s, int64_t *from, int64_t to)
{
    *from = *from > s->warmup_ms ? *from : s->warmup_ms;
    to = to < s->until_ms ? to : s->until_ms;
    return to > *from ? to - *from : 0;
}

/* The load advances in steps while the replicas stay the same. */
static void serve(struct service *v, int64_t from, int64_t to, bool counts)
{
    int64_t capacity = v->ready * v->spec.rule.replica_milli;
    while (from < to) {
        int64_t next = load_next(&v->spec.load, from);
        next = next < to ? next : to;
        backlog_advance(&v->requests, from, next, load_at(&v->spec.load, from), capacity, counts);
        from = next;
    }
}

static void add_up(const struct services *s, struct service *v, int64_t to)
{
    int64_t begin = v->since_ms, from = begin;
    int64_t ms = inside(s, &from, to);
    v->since_ms = to;
    serve(v, begin, from < to ? from : to, false); /* the backlog then is part of the window */
    if (ms == 0)
        return;
    serve(v, from, from + ms, true);
    v->sums.offered += load_between(&v->spec.load, from, from + ms);
    v->sums.held_ms += (load_sum)v->held * ms;
    v->sums.ready_ms += (load_sum)v->ready * ms;
    v->sums.peak = v->held > v->sums.peak ? v->held : v->sums.peak;
}

/* It serves from now on. */
static void note_ready(const struct services *s, struct service *v, struct service_replica *r)
{
    int64_t now = v->since_ms;
    v->ready++;
    r->ready = true;
    if (r->was_ready)
        return;
    r->was_ready = true;
    if (now < s->warmup_ms || now >= s->until_ms)
        return;
    struct service_sums *sums = &v->sums;
    sums->waits_ms = mem_grow(sums->waits_ms, &sums->wait_capacity, sums->wait_count + 1,
                              sizeof *sums->waits_ms);
    sums->waits_ms[sums->wait_count++] = now - r->submitted_ms;
}

void services_settle(struct services *s, int64_t to_ms)
{
    for (size_t i = 0; i < s->count; i++)
        if (to_ms > s->list[i].since_ms)
            add_up(s, &s->list[i], to_ms);
}

/* ---- what happens to replicas ---- */

/* The replica of a job, with its service's sums brought up to date; NULL: the job is no replica. */
static struct service_replica *look_up(struct services *s, const struct sim *sim,
                                       const struct work_job *job, struct service **of)
{
    for (size_t i = 0; job->client && i < s->count; i++)
        for (size_t k = 0; k < s->list[i].count; k++)
            if (s->list[i].replicas[k].job.i == job->core.i) {
                *of = &s->list[i];
                add_up(s, *of, sim->now_ms - s->origin_ms);
                return &s->list[i].replicas[k];
            }
    return NULL;
}

static void started(void *self, const struct sim *sim, const struct work_job *job)
{
    struct services *s = self;
    struct service *v = NULL;
    struct service_replica *r = look_up(s, sim, job, &v);
    if (r == NULL)
        return;
    r->held = true;
    v->held++;
    v->sums.cold_starts += v->since_ms >= s->warmup_ms && v->since_ms < s->until_ms;
    if (!work_progress_launches(&job->progress))
        note_ready(s, v, r);
}

static void launched(void *self, const struct sim *sim, const struct work_job *job)
{
    struct services *s = self;
    struct service *v = NULL;
    struct service_replica *r = look_up(s, sim, job, &v);
    if (r != NULL)
        note_ready(s, v, r);
}

/* It has lost its devices. */
static void stop(struct service *v, struct service_replica *r)
{
    v->held -= r->held;
    v->ready -= r->ready;
    r->held = r->ready = false;
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct service *v = NULL;
    struct service_replica *r = how->whole ? look_up(self, sim, job, &v) : NULL;
    if (r != NULL)
        stop(v, r);
}

static void interrupted(void *self, const struct sim *sim, const struct work_job *job,
                        const struct sim_interruption *how)
{
    struct service *v = NULL;
    struct service_replica *r = look_up(self, sim, job, &v);
    (void)how;
    if (r != NULL)
        stop(v, r);
}

/* Also when a limit of the policy ends it: the autoscaler checks at its next interval. */
static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct service *v = NULL;
    struct service_replica *r = look_up(self, sim, job, &v);
    if (r == NULL)
        return;
    stop(v, r);
    size_t i = (size_t)(r - v->replicas);
    memmove(r, r + 1, (--v->count - i) * sizeof *r);
    int64_t interval = v->spec.rule.interval_ms;
    int64_t again = (v->since_ms / interval + 1) * interval;
    v->retry_ms = (int64_t)v->count < v->wanted && again < v->retry_ms ? again : v->retry_ms;
}

/* ---- one more, one less ---- */

static bool add_replica(struct services *s, struct service *v, struct sim *sim, struct err *err)
{
    char id[REPLICA_ID];
    struct trace_job asked = v->spec.replica;
    (void)snprintf(id, sizeof id, "%.64s/%" PRIu64, v->spec.name, v->made++);
    asked.id = id;
    asked.submit_ms = asked.eligible_ms = sim->now_ms;
    struct work_job *job = sim_submit(sim, &asked, err);
    if (job == NULL)
        return err_prefix(err, "service '%s'", v->spec.name);
    if (v->spec.startup_ms >= 0) { /* the whole startup includes loading the model */
        job->progress.startup_ms = v->spec.startup_ms;
        job->progress.load_ms = job->progress.engine_ms = 0;
    }
    if (v->count == v->capacity)
        v->replicas = mem_grow(v->replicas, &v->capacity, v->count + 1, sizeof *v->replicas);
    v->replicas[v->count++] =
        (struct service_replica){.job = job->core, .submitted_ms = sim->now_ms - s->origin_ms};
    return true;
}

/* The last pending replica, else the last one. If it was evicted and still releases its devices, it
 * can be ended afterwards. */
static const struct service_replica *victim(const struct service *v, const struct sim *sim)
{
    const struct service_replica *runs = NULL;
    bool waits = v->held < (int64_t)v->count;
    for (size_t i = v->count; i > 0 && (waits || runs == NULL); i--) {
        const struct service_replica *r = &v->replicas[i - 1];
        const struct work_job *job = &sim->work.jobs[r->job.i];
        if (job->state == WORK_PENDING && job->first_task == WORK_NONE)
            return r;
        if (runs == NULL && job->state == WORK_RUNNING && !job->stopping)
            runs = r;
    }
    return runs;
}

static bool drop_replicas(struct services *s, struct service *v, struct sim *sim, struct err *err)
{
    while ((int64_t)v->count > v->wanted) {
        const struct service_replica *r = victim(v, sim);
        if (r == NULL) { /* all that remain are in their grace period */
            v->retry_ms = sim->now_ms - s->origin_ms + (s->grace_ms > 0 ? s->grace_ms : 1);
            return true;
        }
        if (!sim_end_job(sim, &sim->work.jobs[r->job.i], err))
            return false;
    }
    return true;
}

static bool scale(struct services *s, struct service *v, struct sim *sim, struct err *err)
{
    while ((int64_t)v->count < v->wanted)
        if (!add_replica(s, v, sim, err))
            return false;
    return drop_replicas(s, v, sim, err);
}

/* ---- as the driver takes them ---- */

static void begin(void *self, int64_t first_ms)
{
    ((struct services *)self)->origin_ms = first_ms;
}

static int64_t next_of(const struct services *s, const struct service *v)
{
    int64_t end = s->ended ? INT64_MAX : s->until_ms;
    int64_t next = s->ended || v->scaler.next_ms > end ? end : v->scaler.next_ms;
    return v->retry_ms < next ? v->retry_ms : next;
}

static int64_t next_ms(void *self)
{
    const struct services *s = self;
    int64_t next = INT64_MAX;
    for (size_t i = 0; i < s->count; i++) {
        int64_t own = next_of(s, &s->list[i]);
        next = own < next ? own : next;
    }
    return next == INT64_MAX ? next : s->origin_ms + next;
}

static bool act(void *self, struct sim *sim, struct err *err)
{
    struct services *s = self;
    int64_t now = sim->now_ms - s->origin_ms;
    s->grace_ms = sim->config.grace_ms;
    s->ended |= now >= s->until_ms;
    for (size_t i = 0; i < s->count; i++) {
        struct service *v = &s->list[i];
        bool due = s->ended || now >= next_of(s, v);
        if (!due)
            continue;
        add_up(s, v, now);
        v->retry_ms = INT64_MAX;
        if (s->ended)
            v->wanted = 0;
        else if (now >= v->scaler.next_ms)
            v->wanted = scaler_evaluate(&v->scaler, now,
                                        &(struct scaler_view){v->requests.waiting, v->ready});
        if (!scale(s, v, sim, err))
            return false;
    }
    return true;
}

struct sim_clients services_clients(struct services *s)
{
    return (struct sim_clients){.self = s, .begin = begin, .next_ms = next_ms, .act = act};
}

struct sim_observer services_observer(struct services *s)
{
    return (struct sim_observer){.self = s,
                                 .started = started,
                                 .launched = launched,
                                 .evicted = evicted,
                                 .interrupted = interrupted,
                                 .ended = ended};
}

/* ---- all of it ---- */

struct services *services_create(const struct service_spec *specs, size_t count, int64_t warmup_ms,
                                 int64_t until_ms)
{
    struct services *s = mem_alloc(1, sizeof *s);
    *s = (struct services){.count = count, .warmup_ms = warmup_ms, .until_ms = until_ms};
    s->list = mem_alloc(count + 1, sizeof *s->list);
    for (size_t i = 0; i < count; i++) {
        struct service *v = &s->list[i];
        v->spec = specs[i];
        v->retry_ms = INT64_MAX;
        scaler_init(&v->scaler, &v->spec.rule, &v->spec.load);
        backlog_init(&v->requests, &v->spec.requests);
    }
    return s;
}

void services_destroy(struct services *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->count; i++) {
        scaler_fini(&s->list[i].scaler);
        backlog_fini(&s->list[i].requests);
        load_fini(&s->list[i].spec.load);
        free(s->list[i].sums.waits_ms);
        free(s->list[i].replicas);
    }
    free(s->list);
    free(s);
}
