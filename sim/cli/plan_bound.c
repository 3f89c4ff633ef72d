/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demand of a scenario, and what it needs at least; see plan_bound.h. */
#include "sim/cli/plan_bound.h"

#include "report/plan/bound.h"
#include "report/waits.h"
#include "sim/base/mem.h"
#include "sim/base/workers.h"
#include "sim/cli/signals.h"
#include "sim/cli/simulate.h"

#include <stdlib.h>
#include <string.h>

/* ---- what a target asks ---- */

struct question {
    struct bound_question ask;
    const char *class, *size, *queue; /* NULL: any */
    bool all;                         /* jobs outside of the window too */
    bool known;
};

static bool read_statistic(const char *name, struct question *q)
{
    static const struct {
        const char *name;
        double quantile;
    } rows[] = {
        {"mean", 0   },
        {"p50",  0.5 },
        {"p90",  0.9 },
        {"p95",  0.95},
        {"p99",  0.99},
        {"max",  1   },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) {
            q->ask.quantile = rows[i].quantile;
            return true;
        }
    return false;
}

static bool read_measure(const char *name, struct question *q)
{
    static const struct {
        const char *name;
        enum bound_measure measure;
    } rows[] = {
        {"wait_s",  BOUND_WAIT },
        {"queue_s", BOUND_QUEUE},
        {"jct_s",   BOUND_JCT  },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) {
            q->ask.measure = rows[i].measure;
            return true;
        }
    return false;
}

static struct question question_of(const struct target *t)
{
    struct question q = {.ask = {.limit_s = t->limit}};
    const char *const *step = t->step;
    size_t left = t->step_count;
    if (!target_bounds_above(t))
        return q;
    if (left == 1 && strcmp(step[0], "makespan_s") == 0) {
        q.ask.measure = BOUND_MAKESPAN;
        q.ask.quantile = 1;
        q.all = q.known = true;
        return q;
    }
    if (left == 4 && strcmp(step[0], "by_class") == 0)
        q.class = step[1];
    else if (left == 4 && strcmp(step[0], "by_size") == 0)
        q.size = step[1];
    else if (left == 5 && strcmp(step[0], "fairness") == 0 && strcmp(step[1], "queues") == 0)
        q.queue = step[2];
    else if (left != 2)
        return q;
    q.known = read_measure(step[left - 2], &q) && read_statistic(step[left - 1], &q);
    return q;
}

/* ---- the demand of a replica ---- */

struct request {
    struct bound_job job;
    enum waits_size size;
    uint32_t queue;
    uint8_t class;
    bool counted, lost; /* lost: it never fits */
};

struct demand {
    struct request *requests; /* in order of submission */
    size_t count, capacity;
};

/* An elastic job may do with less, or be done sooner: neither takes more than this. */
static struct bound_job least_of(const struct work_job *job)
{
    struct bound_job least = {job->eligible_ms, job->duration_ms, job->gpu_milli, false};
    int32_t tasks = job->recorded_tasks;
    if (tasks > 0 && job->min_tasks < tasks)
        least.gpu_milli = job->gpu_milli * job->min_tasks / tasks;
    if (tasks > 0 && job->most_tasks > tasks)
        least.run_ms = job->duration_ms / job->most_tasks * tasks;
    return least;
}

static void on_submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct demand *demand = self;
    if (job->client)
        return;
    demand->requests =
        mem_grow(demand->requests, &demand->capacity, demand->count + 1, sizeof *demand->requests);
    struct request *request = &demand->requests[demand->count++];
    *request = (struct request){.job = least_of(job),
                                .size = waits_size_of(job->gpu_milli),
                                .queue = job->queue,
                                .class = job->class,
                                .counted = job->counted};
    /* It waited for others before: when it comes depends on the fleet. */
    request->job.loose = sim->holds != NULL && job->submit_ms != sim->now_ms;
    if (request->job.loose)
        request->job.arrival_ms = job->submit_ms;
}

struct bounder {
    const struct scenario *scenario;
    const struct question *questions;
    size_t count;
    int64_t *gpus; /* [replica * count + question] */
    size_t jobs;   /* of the first replica, in the first question that is known */
};

static bool asks_for(const struct question *q, const struct request *r, const struct sim *sim)
{
    if (r->lost || !(r->counted || q->all))
        return false;
    return (q->class == NULL || strcmp(trace_class_names[r->class], q->class) == 0) &&
           (q->size == NULL || strcmp(waits_size_names[r->size], q->size) == 0) &&
           (q->queue == NULL || strcmp(sim->queues[r->queue].name, q->queue) == 0);
}

static size_t choose(const struct question *q, const struct demand *demand, const struct sim *sim,
                     struct bound_job *jobs)
{
    size_t n = 0;
    for (size_t i = 0; i < demand->count; i++)
        if (asks_for(q, &demand->requests[i], sim))
            jobs[n++] = demand->requests[i].job;
    return n;
}

static void answer(struct bounder *b, size_t replica, const struct demand *demand, const struct sim *sim)
{
    struct bound_job *jobs = mem_alloc(demand->count + 1, sizeof *jobs);
    for (size_t t = 0; t < b->count; t++) {
        if (!b->questions[t].known)
            continue;
        size_t n = choose(&b->questions[t], demand, sim, jobs);
        b->gpus[replica * b->count + t] = bound_gpus(jobs, n, &b->questions[t].ask);
        if (replica == 0 && b->jobs == 0)
            b->jobs = n;
    }
    free(jobs);
}

/* Those that wait for ever are none of the waits. */
static void strike_lost(const struct sim *sim, struct demand *demand)
{
    for (size_t i = 0; i < sim->work.capacity; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        if (job->state == WORK_PENDING && !job->client && job->number < demand->count)
            demand->requests[job->number].lost = sim_never_fits(sim, job);
    }
}

static bool bound_piece(void *self, size_t replica, struct err *err)
{
    struct bounder *b = self;
    struct demand demand = {.count = 0};
    const struct sim_observer observer = {.self = &demand, .submitted = on_submitted};
    struct simulation_options options = {
        .replica = (int)replica + 1, .observers = &observer, .observer_count = 1, .keep_going = cli_go_on};
    struct simulation s;
    bool ok;
    do {
        demand.count = 0;
        ok = simulation_open(&s, b->scenario, &options, err) && simulation_run(&s, INT64_MAX, err);
    } while (!ok && simulation_again(&s, &options, err));
    if (ok) {
        strike_lost(s.sim, &demand);
        answer(b, replica, &demand, s.sim);
    }
    simulation_close(&s);
    free(demand.requests);
    return ok;
}

/* ---- the answer ---- */

int64_t plan_spares(const struct scenario *sc, size_t pool)
{
    return sc->faults.spares != NULL ? sc->faults.spares[pool] : 0;
}

/* Nodes of the pool, so that the fleet has at least so many GPUs beside its spares. */
static int64_t nodes_for(const struct scenario *sc, size_t pool, int64_t gpu_milli)
{
    int64_t each = (int64_t)sc->pools[pool].node.gpus * 1000, others = 0;
    for (size_t i = 0; i < sc->pool_count; i++)
        others += i == pool ? 0 : (sc->pools[i].count - plan_spares(sc, i)) * sc->pools[i].node.gpus * 1000;
    int64_t nodes = gpu_milli > others ? (gpu_milli - others + each - 1) / each : 0;
    return (nodes > 1 ? nodes : 1) + plan_spares(sc, pool);
}

static void settle(const struct bounder *b, struct capacity *c)
{
    for (size_t t = 0; t < b->count; t++) {
        int64_t least = INT64_MAX;
        for (size_t r = 0; b->questions[t].known && r < (size_t)c->replicas; r++) {
            int64_t gpus = b->gpus[r * b->count + t];
            if (gpus != BOUND_NONE && gpus < least)
                least = gpus;
        }
        if (!b->questions[t].known)
            continue;
        c->bound.known = true;
        if (least == INT64_MAX)
            c->bound.impossible = true;
        else if (least > c->bound.gpu_milli)
            c->bound.gpu_milli = least;
    }
}

bool plan_bound(struct capacity *c, const struct scenario *scenario, size_t pool, int threads,
                bool *interrupted, struct err *err)
{
    struct question questions[SEARCH_TARGETS];
    struct bounder b = {.scenario = scenario, .questions = questions, .count = c->target_count};
    bool any = false;
    for (size_t t = 0; t < c->target_count; t++) {
        questions[t] = question_of(&c->targets[t]);
        any |= questions[t].known;
    }
    c->bound =
        (struct capacity_bound){.why = "there is one for targets that bound wait, queue, jct or makespan "
                                       "from above only"};
    if (scenario->closed || scenario->service_count > 0) {
        c->bound.why = scenario->closed ? "what users submit depends on the fleet" : "services follow a load";
        any = false;
    }
    if (!any)
        return true;
    b.gpus = mem_alloc((size_t)c->replicas * b.count, sizeof *b.gpus);
    struct work work = {
        .count = (size_t)c->replicas, .threads = threads, .piece = bound_piece, .stop = cli_stop, .self = &b};
    bool ok = workers_run(&work, err);
    *interrupted = cli_interrupted() != 0;
    if (ok && !*interrupted) {
        settle(&b, c);
        c->bound.jobs = b.jobs;
        c->bound.nodes = nodes_for(scenario, pool, c->bound.gpu_milli);
    }
    free(b.gpus);
    return ok;
}
