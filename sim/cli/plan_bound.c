/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Demand of a scenario, and what it needs at least; see plan_bound.h. */
#include "sim/cli/plan_bound.h"

#include "report/plan/bound.h"
#include "report/waits.h"
#include "scenarios/json_source.h"
#include "sim/base/mem.h"
#include "sim/base/workers.h"
#include "sim/cli/signals.h"
#include "sim/cli/simulate.h"

#include <inttypes.h>
#include <math.h>
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
    struct offered_job whole;
    enum waits_size size;
    uint32_t queue;
    uint8_t class;
    bool counted, lost; /* lost: it never fits */
};

struct demand {
    struct request *requests; /* in order of submission */
    size_t count, capacity;
    uint32_t *kinds; /* nodes of the fleet, one of each kind */
    size_t kind_count;
};

/* Nodes that differ, one of each kind: what jobs ask of nodes depends on no more. */
static void find_kinds(struct demand *demand, const struct sim *sim)
{
    const struct fleet *fleet = sim->fleet;
    const uint32_t *kind_of = sim->config.network.kind_of;
    demand->kinds = mem_alloc(fleet->node_count + 1, sizeof *demand->kinds);
    for (uint32_t i = 0; i < fleet->node_count; i++) {
        const struct fleet_node *node = &fleet->nodes[i];
        bool known = node->gpus == 0;
        for (size_t k = 0; k < demand->kind_count && !known; k++) {
            const struct fleet_node *other = &fleet->nodes[demand->kinds[k]];
            known = other->pool == node->pool && other->gpu_type == node->gpu_type &&
                    (kind_of == NULL || kind_of[demand->kinds[k]] == kind_of[i]);
        }
        if (!known)
            demand->kinds[demand->kind_count++] = i;
    }
}

/* A bit of struct plan_shape. */
static uint64_t bit_of(uint32_t pool)
{
    return UINT64_C(1) << (pool < OFFERED_POOLS ? pool : OFFERED_POOLS - 1);
}

/* The pools that its queue and its GPU type leave it, and how fast the fastest devices there are for it. */
static uint64_t pools_of(const struct demand *demand, const struct sim *sim, const struct work_job *job,
                         double *fastest)
{
    const struct sim_queue *queue = &sim->queues[job->queue];
    uint64_t pools = 0;
    *fastest = 0;
    for (size_t k = 0; k < demand->kind_count; k++) {
        const struct fleet_node *node = &sim->fleet->nodes[demand->kinds[k]];
        uint64_t types = job->request.types;
        bool allowed = queue->pool_count == 0;
        for (uint32_t i = 0; i < queue->pool_count; i++)
            allowed |= queue->pools[i] == node->pool;
        if (!allowed || (types != 0 && (types >> node->gpu_type & 1) == 0))
            continue;
        pools |= bit_of(node->pool);
        *fastest = fmax(*fastest, sim_device_speed(sim, job, demand->kinds[k]));
    }
    *fastest = pools != 0 ? *fastest : 1;
    return pools;
}

/* An elastic job may do with less, or be done sooner: neither takes more than this. */
static struct bound_job least_of(const struct work_job *job, int64_t run_ms)
{
    struct bound_job least = {job->eligible_ms, run_ms, job->gpu_milli, false};
    int32_t tasks = job->recorded_tasks;
    if (tasks > 0 && job->min_tasks < tasks)
        least.gpu_milli = job->gpu_milli * job->min_tasks / tasks;
    if (tasks > 0 && job->most_tasks > tasks)
        least.run_ms = run_ms / job->most_tasks * tasks;
    return least;
}

static void on_submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct demand *demand = self;
    if (job->client)
        return;
    demand->requests =
        mem_grow(demand->requests, &demand->capacity, demand->count + 1, sizeof *demand->requests);
    if (demand->kinds == NULL)
        find_kinds(demand, sim);
    struct request *request = &demand->requests[demand->count++];
    double fastest;
    uint64_t pools = pools_of(demand, sim, job, &fastest);
    int64_t run_ms = (int64_t)floor((double)job->duration_ms / fastest);
    *request = (struct request){
        .job = least_of(job, run_ms),
        .whole = {job->submit_ms, run_ms, job->gpu_milli, pools},
        .size = waits_size_of(job->gpu_milli),
        .queue = job->queue,
        .class = job->class,
        .counted = job->counted
    };
    /* It waited for others before: when it comes depends on the fleet. */
    request->job.loose = sim->holds != NULL && job->submit_ms != sim->now_ms;
    if (request->job.loose)
        request->job.arrival_ms = job->submit_ms;
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

/* Simulates a replica; `use` is told of its demand. */
static bool learn(const struct scenario *scenario, int replica,
                  void (*use)(void *self, const struct demand *, const struct sim *), void *self,
                  struct err *err)
{
    struct demand demand = {.count = 0};
    const struct sim_observer observer = {.self = &demand, .submitted = on_submitted};
    struct simulation_options options = {
        .replica = replica, .observers = &observer, .observer_count = 1, .keep_going = cli_go_on};
    struct simulation s;
    bool ok;
    do {
        demand.count = 0;
        demand.kind_count = 0;
        free(demand.kinds);
        demand.kinds = NULL;
        ok = simulation_open(&s, scenario, &options, err) && simulation_run(&s, INT64_MAX, err);
    } while (!ok && simulation_again(&s, &options, err));
    if (ok) {
        strike_lost(s.sim, &demand);
        use(self, &demand, s.sim);
    }
    simulation_close(&s);
    free(demand.requests);
    free(demand.kinds);
    return ok;
}

/* ---- the work that must be served ---- */

static bool grows(const struct variant *v, const char *pool)
{
    bool named = false;
    for (size_t i = 0; i < v->count; i++)
        named |= v->entries[i].count < 0 && strcmp(v->entries[i].pool, pool) == 0;
    return named;
}

static void shape_of(const struct plan_world *world, const struct scenario *sc, const struct variant *v,
                     struct plan_shape *shape)
{
    *shape = (struct plan_shape){.count = sc->pool_count < OFFERED_POOLS ? sc->pool_count : OFFERED_POOLS};
    for (size_t i = 0; i < sc->pool_count; i++) {
        struct offered_pool *pool = &shape->pools[i < OFFERED_POOLS ? i : OFFERED_POOLS - 1];
        double milli = (double)sc->pools[i].node.gpus * 1000;
        if (v->all)
            pool->added_milli +=
                milli * (double)world->given->pools[i].count / (double)plan_nodes_of(world->given);
        else if (grows(v, sc->pools[i].name))
            pool->added_milli += milli / (double)v->growing;
        else
            pool->fixed_milli += (double)(sc->pools[i].count - plan_spares(sc, i)) * milli;
    }
    if (sc->node_count == 0)
        return;
    shape->count = 1;
    shape->pools[0].added_milli = (double)plan_gpus_of(sc) * 1000 / (double)sc->node_count;
}

struct offering {
    const struct scenario *scenario;
    const struct plan_shape *shape;
    int64_t slack_ms;
    struct offered *offered;
};

/* A generated load goes on for its horizon; of a trace nothing is known beyond the last submission. */
static void offer(void *self, const struct demand *demand, const struct sim *sim)
{
    struct offering *o = self;
    const struct scen_window *measured = &o->scenario->window;
    struct offered_window window = {.from_ms = sim->first_submit_ms + measured->warmup_ms,
                                    .to_ms = INT64_MIN,
                                    .whole = true,
                                    .slack_ms = o->slack_ms};
    struct offered_job *jobs = mem_alloc(demand->count + 1, sizeof *jobs);
    size_t count = 0;
    for (size_t i = 0; i < demand->count; i++) {
        const struct offered_job *job = &demand->requests[i].whole;
        window.to_ms = job->submit_ms > window.to_ms ? job->submit_ms : window.to_ms;
        if (job->pools != 0)
            jobs[count++] = *job;
    }
    if (measured->horizon_ms > 0)
        window.to_ms = sim->first_submit_ms + measured->horizon_ms;
    for (size_t i = 0; i < o->scenario->source_count; i++)
        window.whole &= o->scenario->sources[i].trace == NULL;
    *o->offered = offered_load(jobs, count, &window, o->shape->pools, o->shape->count);
    free(jobs);
}

/* For how long the targets let jobs wait; below 0: none of them says. */
static int64_t slack_of(const struct capacity *c)
{
    double slack = -0.001;
    for (size_t t = 0; t < c->target_count; t++)
        if (question_of(&c->targets[t]).known && c->targets[t].limit > slack)
            slack = c->targets[t].limit;
    return slack < 1e12 ? (int64_t)(slack * 1000) : INT64_C(1000000000000000);
}

bool plan_offered(struct capacity *c, const struct plan_world *world, const struct variant *variant,
                  struct plan_shape *shape, bool *interrupted, struct err *err)
{
    int64_t least = plan_world_least(world, variant), slack = slack_of(c);
    struct scenario *scenario;
    c->offered = (struct offered){(double)NAN, (double)NAN};
    if (!plan_world_load(world, variant, c->given > least ? c->given : least, true, &scenario, err))
        return false;
    shape_of(world, scenario, variant, shape);
    struct offering o = {scenario, shape, slack > 0 ? slack : 0, &c->offered};
    bool ok = scenario->closed || learn(scenario, 1, offer, &o, err);
    scenario_destroy(scenario);
    *interrupted = cli_interrupted() != 0;
    return ok && !*interrupted;
}

int64_t plan_start(const struct capacity *c, int64_t least, int64_t spares)
{
    if (!(c->offered.nodes > 0) || slack_of(c) < 0)
        return least;
    int64_t nodes = (int64_t)ceil(c->offered.nodes - 1e-9) + spares;
    return nodes > least ? nodes : least;
}

int64_t plan_nodes_for(const struct plan_shape *shape, int64_t spares, int64_t gpu_milli)
{
    double fixed = 0, added = 0;
    for (size_t i = 0; i < shape->count; i++) {
        fixed += shape->pools[i].fixed_milli;
        added += shape->pools[i].added_milli;
    }
    double nodes = added > 0 ? ceil(((double)gpu_milli - fixed) / added - 1e-9) : 0;
    return (nodes > 1 ? (int64_t)nodes : 1) + spares;
}

/* ---- the perfect system ---- */

struct bounder {
    const struct scenario *scenario;
    const struct question *questions;
    size_t count;
    struct plan_store *store;
    char key[DIGEST_HEX];
    int64_t *gpus; /* [replica * count + question] */
    size_t *jobs;  /* [replica]: in the first question that is known */
};

struct bound_answer {
    struct bounder *b;
    size_t replica;
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

static void answer(void *self, const struct demand *demand, const struct sim *sim)
{
    const struct bound_answer *to = self;
    struct bounder *b = to->b;
    struct bound_job *jobs = mem_alloc(demand->count + 1, sizeof *jobs);
    for (size_t t = 0; t < b->count; t++) {
        if (!b->questions[t].known)
            continue;
        size_t n = choose(&b->questions[t], demand, sim, jobs);
        b->gpus[to->replica * b->count + t] = bound_gpus(jobs, n, &b->questions[t].ask);
        if (b->jobs[to->replica] == 0)
            b->jobs[to->replica] = n;
    }
    free(jobs);
}

/* {"jobs": n, "gpus": [...]} of a replica, as it is kept. */
static bool read_answer(struct bounder *b, size_t replica, const char *text)
{
    cJSON *kept = cJSON_Parse(text);
    const cJSON *gpus = json_member(kept, "gpus"), *jobs = json_member(kept, "jobs");
    bool ok = cJSON_GetArraySize(gpus) == (int)b->count && cJSON_IsNumber(jobs);
    for (size_t t = 0; ok && t < b->count; t++)
        b->gpus[replica * b->count + t] = (int64_t)cJSON_GetArrayItem(gpus, (int)t)->valuedouble;
    if (ok)
        b->jobs[replica] = (size_t)jobs->valuedouble;
    cJSON_Delete(kept);
    return ok;
}

static bool keep_answer(const struct bounder *b, size_t replica, struct err *err)
{
    struct out *out = out_memory();
    out_format(out, "{\"jobs\": %zu, \"gpus\": [", b->jobs[replica]);
    for (size_t t = 0; t < b->count; t++)
        out_format(out, "%s%" PRId64, t > 0 ? ", " : "", b->gpus[replica * b->count + t]);
    out_text(out, "]}\n");
    char *text = out_memory_take(out);
    bool ok = plan_store_put(b->store, b->key, "bound-", (int)replica + 1, text, err);
    free(text);
    return ok;
}

static bool bound_piece(void *self, size_t replica, struct err *err)
{
    struct bounder *b = self;
    char *kept = plan_store_get(b->store, b->key, "bound-", (int)replica + 1);
    bool known = kept != NULL && read_answer(b, replica, kept);
    free(kept);
    if (known)
        return true;
    struct bound_answer to = {b, replica};
    return learn(b->scenario, (int)replica + 1, answer, &to, err) &&
           (cli_interrupted() != 0 || keep_answer(b, replica, err));
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
    c->bound.jobs = b->jobs[0];
}

/* The targets as one text, for the key of what is kept. */
static char *targets_text(const struct capacity *c)
{
    struct out *out = out_memory();
    for (size_t t = 0; t < c->target_count; t++)
        out_format(out, "%s\n", c->targets[t].text);
    return out_memory_take(out);
}

static bool bound_all(struct bounder *b, struct capacity *c, int threads, bool *interrupted, struct err *err)
{
    struct work work = {
        .count = (size_t)c->replicas, .threads = threads, .piece = bound_piece, .stop = cli_stop, .self = b};
    char *targets = targets_text(c);
    b->gpus = mem_alloc((size_t)c->replicas * b->count, sizeof *b->gpus);
    b->jobs = mem_alloc((size_t)c->replicas, sizeof *b->jobs);
    bool ok = plan_store_key(b->store, b->scenario, targets, b->key, err) && workers_run(&work, err);
    *interrupted = cli_interrupted() != 0;
    if (ok && !*interrupted)
        settle(b, c);
    free(targets);
    free(b->jobs);
    free(b->gpus);
    return ok && !*interrupted;
}

/* Of the fleet that is known to run: as given, or where the search starts. */
static bool bound_variant(struct capacity *c, const struct plan_bound_of *of, struct bounder *b, int threads,
                          bool *interrupted, struct err *err)
{
    struct scenario *scenario;
    if (!plan_world_load(of->world, of->variant, of->nodes, false, &scenario, err))
        return false;
    b->scenario = scenario;
    bool ok = bound_all(b, c, threads, interrupted, err);
    scenario_destroy(scenario);
    if (ok && c->bound.known)
        c->bound.nodes =
            plan_nodes_for(of->shape, plan_world_spares(of->world, of->variant), c->bound.gpu_milli);
    return ok;
}

bool plan_bound(struct capacity *c, const struct plan_bound_of *of, struct plan_store *store, int threads,
                bool *interrupted, struct err *err)
{
    const struct scenario *scenario = of->world->given;
    struct question questions[SEARCH_TARGETS];
    struct bounder b = {.questions = questions, .count = c->target_count, .store = store};
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
    return !any || bound_variant(c, of, &b, threads, interrupted, err);
}
