/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small simulation, built by hand in a test: pools of nodes, queues, an array of jobs streamed as
 * a trace, and a log of events.
 *
 *     struct small s;
 *     small_begin(&s, "fifo", "scope=queue placement=count");
 *     small_pool(&s, "p", 1, 2);
 *     small_job(&s, "a", 0, 5000, 2);
 *     small_run(&s);
 *     ... s.log, small_start(&s, "a"), s.sim ...
 *     small_end(&s);
 *
 * Only a header, since the objects of tests/lib are also linked into the tests of the policy core,
 * where there is no simulator. Audits are on unless the test turns them off.
 */
#ifndef TESTS_SIM_SMALL_H
#define TESTS_SIM_SMALL_H

#include "sim/base/mem.h"
#include "sim/sim.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"
#include "traces/trace_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL_JOBS = 600, SMALL_QUEUES = 8, SMALL_OBSERVERS = 24, SMALL_LOG = 1 << 16 };

/* The life of a job; times are WORK_NEVER if the event did not happen. */
struct small_life {
    int64_t start_ms, end_ms;
    uint32_t node; /* of its first task; WORK_NONE where devices are only counted */
    uint32_t pool;
    int times_started, times_ended, times_submitted, times_dropped;
};

/* The jobs as a trace. Strings are overwritten at each call, as readers do. */
struct small_trace {
    struct trace base;
    const struct trace_job *jobs;
    size_t count, next;
    char id[64];
};

struct small {
    struct fleet fleet;
    struct trace_names names;
    struct sim_config config;
    struct sim_queue queues[SMALL_QUEUES];
    struct trace_job jobs[SMALL_JOBS];
    char ids[SMALL_JOBS][64];
    size_t job_count;
    struct sim_observer observers[SMALL_OBSERVERS]; /* the first is the log */
    struct trace *trace;
    struct sim *sim;
    struct err err;
    struct small_life lives[SMALL_JOBS];
    char log[SMALL_LOG]; /* "submit a 0; start a 0; end a 5; ", times in seconds */
    size_t logged;
    bool silent; /* records lives, but no log */
};

/* ---- the trace ---- */

static inline enum trace_result small_next(struct trace *base, struct trace_job *job,
                                           struct err *err)
{
    (void)err;
    struct small_trace *trace = (struct small_trace *)base;
    if (trace->next == trace->count)
        return TRACE_END;
    *job = trace->jobs[trace->next++];
    (void)snprintf(trace->id, sizeof trace->id, "%s", job->id);
    job->id = trace->id;
    return TRACE_JOB;
}

static inline void small_close(struct trace *base)
{
    (void)base;
}

static inline struct trace *small_trace(const struct trace_job *jobs, size_t count)
{
    static const struct trace_methods methods = {.next = small_next, .close = small_close};
    struct small_trace *trace = mem_alloc(1, sizeof *trace);
    *trace = (struct small_trace){
        .base = {.methods = &methods, .format = "small"}, .jobs = jobs, .count = count};
    return &trace->base;
}

/* ---- the log ---- */

static inline void small_note(struct small *s, const char *what, const struct work_job *job,
                              int64_t at_ms)
{
    if (s->silent)
        return;
    int n = snprintf(s->log + s->logged, sizeof s->log - s->logged, "%s %s %g; ", what,
                     work_id(job), (double)at_ms / 1000.0);
    ck_assert_msg(n > 0 && (size_t)n < sizeof s->log - s->logged, "the log is full");
    s->logged += (size_t)n;
}

static inline void small_submitted(void *self, const struct sim *sim, const struct work_job *job)
{
    struct small *s = self;
    ck_assert_uint_lt(job->number, SMALL_JOBS);
    s->lives[job->number].times_submitted++;
    small_note(s, "submit", job, sim->now_ms);
}

static inline void small_started(void *self, const struct sim *sim, const struct work_job *job)
{
    struct small *s = self;
    struct small_life *life = &s->lives[job->number];
    life->times_started++;
    life->start_ms = sim->now_ms;
    life->node = sim->work.tasks[job->first_task].node;
    life->pool = sim->work.tasks[job->first_task].pool;
    small_note(s, "start", job, sim->now_ms);
}

static inline void small_ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct small *s = self;
    s->lives[job->number].times_ended++;
    s->lives[job->number].end_ms = sim->now_ms;
    small_note(s, "end", job, sim->now_ms);
}

static inline void small_dropped(void *self, const struct sim *sim, const struct work_job *job)
{
    struct small *s = self;
    s->lives[job->number].times_dropped++;
    small_note(s, "drop", job, sim->now_ms);
}

/* ---- building ---- */

static inline void *small_resize(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size > 0)
        return realloc(old, new_size);
    free(old);
    return NULL;
}

/* Sets options such as "scope=queue blocking=skip". */
static inline void small_options(struct small *s, const char *options)
{
    char text[256];
    (void)snprintf(text, sizeof text, "%s", options);
    for (char *at = text; *at != '\0';) {
        size_t name = strcspn(at, "=");
        size_t end = strcspn(at, " ");
        char *next = at + end + (at[end] == ' ');
        at[name] = at[end] = '\0';
        struct policy_error error = {0};
        ck_assert_msg(policy_config_set(&s->config.policy, at, at + name + 1, &error) == POLICY_OK,
                      "%s", error.message);
        at = next;
    }
}

static inline void small_begin(struct small *s, const char *preset, const char *options)
{
    memset(s, 0, sizeof *s);
    fleet_init(&s->fleet);
    s->names = (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                    symbols_create(), symbols_create()};
    symbols_add(s->names.queues, "default", 7);
    symbols_add(s->names.users, "", 0);
    symbols_add(s->names.gpu_types, "any", 3);
    struct policy_error error = {0};
    const struct policy_allocator allocator = {small_resize, NULL};
    ck_assert_msg(policy_config_init(&s->config.policy, preset, allocator, &error) == POLICY_OK,
                  "%s", error.message);
    small_options(s, options);
    s->observers[0] = (struct sim_observer){.self = s,
                                            .submitted = small_submitted,
                                            .started = small_started,
                                            .ended = small_ended,
                                            .dropped = small_dropped};
    s->config.observers = s->observers;
    s->config.observer_count = 1;
    s->config.names = s->names;
    s->config.queues_from_trace = true;
    s->config.horizon_ms = -1;
    s->config.drain = true;
    s->config.drain_cap_ms = -1;
    s->config.audit = true;
    for (size_t i = 0; i < SMALL_JOBS; i++)
        s->lives[i] =
            (struct small_life){.start_ms = WORK_NEVER, .end_ms = WORK_NEVER, .node = WORK_NONE};
}

static inline void small_observe(struct small *s, struct sim_observer observer)
{
    ck_assert_uint_lt(s->config.observer_count, SMALL_OBSERVERS);
    s->observers[s->config.observer_count++] = observer;
}

/* Adds a pool of nodes with this many devices; CPU, memory and tasks unlimited. */
static inline uint32_t small_pool(struct small *s, const char *name, int nodes, int gpus)
{
    uint32_t pool = fleet_add_pool(&s->fleet, name);
    for (int i = 0; i < nodes; i++) {
        char node[64];
        (void)snprintf(node, sizeof node, "%s-%d", name, i);
        fleet_add_node(&s->fleet, &(struct fleet_node){.name = node,
                                                       .pool = pool,
                                                       .rank = (uint32_t)s->fleet.node_count,
                                                       .gpus = gpus,
                                                       .cpu_milli = -1,
                                                       .mem_mib = -1,
                                                       .max_tasks = -1});
    }
    return pool;
}

/* Adds a root queue bound to the pools in the mask (0: any), in the order of the calls; the trace
 * may then name no others. */
static inline struct sim_queue *small_queue(struct small *s, const char *name, uint32_t pools)
{
    s->config.queues_from_trace = false;
    uint32_t id = symbols_add(s->names.queues, name, strlen(name));
    struct sim_queue *queue = &s->queues[s->config.queue_count++];
    *queue = (struct sim_queue){.name = symbols_name(s->names.queues, id),
                                .parent = -1,
                                .priority = 100,
                                .gpu = {0, -1, 1000},
                                .cpu = {-1, -1, 1000},
                                .mem = {-1, -1, 1000}};
    if (pools != 0)
        queue->pools = mem_alloc(32, sizeof *queue->pools);
    for (uint32_t pool = 0; pool < 32; pool++)
        if ((pools >> pool & 1) != 0)
            queue->pools[queue->pool_count++] = pool;
    return queue;
}

/* Adds a job of whole GPUs to the trace, with the total as its only request; eligible at once,
 * queue "default". */
static inline struct trace_job *small_job(struct small *s, const char *id, int64_t submit_ms,
                                          int64_t duration_ms, int64_t gpus)
{
    ck_assert_uint_lt(s->job_count, SMALL_JOBS);
    struct trace_job *job = &s->jobs[s->job_count];
    trace_job_init(job);
    (void)snprintf(s->ids[s->job_count], sizeof s->ids[0], "%s", id);
    job->id = s->ids[s->job_count];
    job->row = s->job_count++;
    job->submit_ms = job->eligible_ms = submit_ms;
    job->duration_ms = duration_ms;
    job->gpus_total = gpus;
    return job;
}

static inline struct trace_job *small_job_of(struct small *s, const char *queue, const char *id,
                                             int64_t submit_ms, int64_t duration_ms, int64_t gpus)
{
    struct trace_job *job = small_job(s, id, submit_ms, duration_ms, gpus);
    job->queue = symbols_add(s->names.queues, queue, strlen(queue));
    return job;
}

/* ---- running ---- */

static inline bool small_create(struct small *s)
{
    s->trace = small_trace(s->jobs, s->job_count);
    s->config.fleet = &s->fleet;
    s->config.queues =
        mem_alloc(SMALL_QUEUES, sizeof *s->config.queues); /* the simulation owns it */
    memcpy(s->config.queues, s->queues, sizeof s->queues);
    return sim_create(&s->sim, &s->config, s->trace, &s->err);
}

static inline bool small_try(struct small *s)
{
    return small_create(s) && sim_run(s->sim, INT64_MAX, &s->err) && sim_finish(s->sim, &s->err);
}

/* Runs from the first to the last event; fails the test with the message if the simulation fails.
 */
static inline void small_run(struct small *s)
{
    ck_assert_msg(small_try(s), "%s", s->err.msg);
}

static inline void small_end(struct small *s)
{
    sim_destroy(s->sim);
    if (s->trace != NULL)
        trace_close(s->trace);
    fleet_fini(&s->fleet);
    symbols_destroy(s->names.queues);
    symbols_destroy(s->names.users);
    symbols_destroy(s->names.gpu_types);
    symbols_destroy(s->names.models);
    symbols_destroy(s->names.nodes);
}

static inline const struct small_life *small_life(const struct small *s, const char *id)
{
    for (size_t i = 0; i < s->job_count; i++)
        if (strcmp(s->jobs[i].id, id) == 0)
            return &s->lives[i];
    ck_abort_msg("no job is called %s", id);
    return NULL;
}

static inline int64_t small_start(const struct small *s, const char *id)
{
    return small_life(s, id)->start_ms;
}

static inline int64_t small_stop(const struct small *s, const char *id)
{
    return small_life(s, id)->end_ms;
}

static inline int64_t small_below(uint64_t *state, int64_t n)
{
    return (int64_t)(test_draw(state) % (uint64_t)n);
}

#endif
