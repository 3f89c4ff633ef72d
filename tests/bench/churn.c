/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The full fleet. Ends are events; those that are out of date because their job was evicted are
 * skipped. */
#include "tests/bench/churn.h"

#include "sim/base/mem.h"
#include "sim/kernel/events.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 8, DEPARTMENTS = 4, TEAMS = 16, LONGEST_S = 7200, MOST_CYCLES = 16 };

/* The cluster's data of a job, by the core's index. */
struct member {
    policy_job id;
    int64_t left_ms;  /* rest of its run time, from since_ms or its next start */
    int64_t since_ms; /* running since, if running > 0 */
    int32_t tasks, running;
};

struct churn {
    struct policy *policy;
    struct bench_memory memory;
    policy_queue teams[TEAMS];
    struct member *members;
    size_t member_capacity;
    struct policy_decision *decided; /* a copy: the core's own list lives until the next fact */
    size_t decided_capacity;
    struct event_queue ends;
    bool ranked;
    int64_t now_ms;
    uint64_t random, rank, decisions;
    uint32_t nodes, target, pending; /* the last two are jobs */
};

static void must(bool good, const struct churn *c, const char *what)
{
    if (good)
        return;
    (void)fprintf(stderr, "churn: %s: %s\n", what,
                  c->policy != NULL ? policy_last_error(c->policy)->message : "refused");
    exit(1);
}

static policy_queue add_queue(struct churn *c, policy_queue parent, uint32_t rank,
                              int64_t quota_milli)
{
    const struct policy_share open = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    const struct policy_queue_spec spec = {.size = sizeof spec,
                                           .parent = parent,
                                           .priority = 100,
                                           .rank = rank,
                                           .gpu = {quota_milli, POLICY_UNLIMITED, quota_milli},
                                           .cpu = open,
                                           .mem = open,
                                           .preempt_min_runtime_ms = POLICY_INHERIT,
                                           .reclaim_min_runtime_ms = POLICY_INHERIT};
    policy_queue q = policy_add_queue(c->policy, c->now_ms, &spec);
    must(q.i != POLICY_NO_ID, c, "queue");
    return q;
}

static void add_nodes(struct churn *c)
{
    for (uint32_t i = 0; i < c->nodes; i++) {
        const struct policy_node_spec spec = {.size = sizeof spec,
                                              .devices = DEVICES,
                                              .rank = i,
                                              .max_tasks = 110,
                                              .cpu_milli = 112000,
                                              .mem_mib = 2097152,
                                              .device_mem_mib = 81920};
        must(policy_add_node(c->policy, 0, &spec).i != POLICY_NO_ID, c, "node");
    }
}

static void add_queues(struct churn *c)
{
    policy_queue department = {POLICY_NO_ID};
    int64_t quota = (int64_t)c->nodes * DEVICES * POLICY_WHOLE / TEAMS;
    uint32_t rank = 0;
    for (uint32_t t = 0; t < TEAMS; t++) {
        if (t % (TEAMS / DEPARTMENTS) == 0)
            department =
                add_queue(c, (policy_queue){POLICY_NO_ID}, rank++, quota * (TEAMS / DEPARTMENTS));
        c->teams[t] = add_queue(c, department, rank++, quota);
    }
}

/* Placements by typical tasks get a sample of the jobs. */
static void tell_typical(struct churn *c)
{
    struct policy_typical_task tasks[DEVICES];
    uint64_t random = 1;
    int64_t counts[DEVICES + 1] = {0}, all = 0;
    for (int i = 0; i < 10000; i++) {
        struct bench_job job = bench_draw_job(&random, DEVICES);
        counts[job.devices] += job.tasks;
        all += job.tasks;
    }
    uint32_t kinds = 0;
    for (int32_t devices = 1; devices <= DEVICES; devices++) {
        if (counts[devices] > 0)
            tasks[kinds++] = (struct policy_typical_task){
                .size = sizeof *tasks,
                .count = counts[devices],
                .request = {.devices = devices, .cpu_milli = 1000 * devices}};
    }
    must(policy_set_typical_tasks(c->policy, c->now_ms, tasks, kinds, all) == POLICY_OK, c,
         "typical tasks");
}

struct churn *churn_create(const char *policy, uint32_t nodes, uint32_t pending)
{
    struct churn *c = mem_alloc(1, sizeof *c);
    c->nodes = nodes;
    c->target = pending;
    c->random = 7;
    event_queue_init(&c->ends);
    struct policy_config config;
    struct policy_error error;
    if (policy_config_init(&config, policy, bench_allocator(&c->memory), &error) != POLICY_OK ||
        (c->policy = policy_create(&config, &error)) == NULL) {
        (void)fprintf(stderr, "churn: %s\n", error.message);
        exit(1);
    }
    c->ranked = policy_is_ranked(&config);
    add_nodes(c);
    add_queues(c);
    if (policy_wants_typical_tasks(&config))
        tell_typical(c);
    return c;
}

void churn_destroy(struct churn *c)
{
    policy_destroy(c->policy);
    event_queue_fini(&c->ends);
    free(c->members);
    free(c->decided);
    free(c);
}

static void submit(struct churn *c)
{
    struct bench_job job = bench_draw_job(&c->random, DEVICES);
    int64_t run_ms = (int64_t)(1 + bench_draw(&c->random, LONGEST_S)) * 1000;
    const struct policy_role role = {
        .size = sizeof role,
        .tasks = job.tasks,
        .min_tasks = job.tasks,
        .request = {.devices = job.devices, .cpu_milli = 1000 * job.devices}};
    const struct policy_job_spec spec = {
        .size = sizeof spec,
        .queue = c->teams[bench_draw(&c->random, TEAMS)],
        .priority = bench_draw(&c->random, 10) == 0 ? 75 : 50,
        .preemptible = true,
        .rank = c->rank++,
        .submitted = c->now_ms,
        .run_ms = run_ms,
        .limit_ms = run_ms * (int64_t)(11 + bench_draw(&c->random, 30)) / 10,
        .roles = &role,
        .role_count = 1};
    policy_job id = policy_submit(c->policy, c->now_ms, &spec);
    must(id.i != POLICY_NO_ID, c, "job");
    c->members = mem_grow(c->members, &c->member_capacity, (size_t)id.i + 1, sizeof *c->members);
    c->members[id.i] = (struct member){.id = id, .left_ms = run_ms, .tasks = job.tasks};
    c->pending++;
}

static void start(struct churn *c, const struct policy_decision *d)
{
    struct member *m = &c->members[d->job.i];
    must(policy_task_started(c->policy, c->now_ms, d->job, d->task) == POLICY_OK, c, "start");
    if (m->running == 0) {
        m->since_ms = c->now_ms;
        event_push(&c->ends, c->now_ms + m->left_ms, EVENT_JOB_END, d->job.i);
        c->pending--;
    }
    m->running += d->task == POLICY_ALL_TASKS ? m->tasks : 1;
}

static void evict(struct churn *c, const struct policy_decision *d)
{
    struct member *m = &c->members[d->job.i];
    must(d->action != POLICY_LIMITS, c,
         "a job had its time"); /* no job exceeds its declared limit */
    must(policy_task_ended(c->policy, c->now_ms, d->job, d->task, POLICY_EVICTED) == POLICY_OK, c,
         "eviction");
    m->running -= d->task == POLICY_ALL_TASKS ? m->running : 1;
    if (m->running > 0)
        return;
    m->left_ms -= c->now_ms - m->since_ms;
    c->pending++;
    if (c->ranked)
        must(policy_report_progress(c->policy, c->now_ms, d->job, m->left_ms) == POLICY_OK, c,
             "progress");
}

/*
 * Decides until there is nothing to do; returns true if there was any decision. Policies that could
 * continue forever at one instant (reclaim and preemption in a cycle) continue in the next step.
 */
static bool settle(struct churn *c)
{
    uint64_t before = c->decisions;
    for (int cycles = 0; cycles < MOST_CYCLES && policy_has_work(c->policy); cycles++) {
        size_t count;
        const struct policy_decision *decided = policy_decide(c->policy, c->now_ms, &count);
        must(policy_last_error(c->policy)->status == POLICY_OK, c, "decision");
        c->decided = mem_grow(c->decided, &c->decided_capacity, count, sizeof *c->decided);
        if (count > 0)
            memcpy(c->decided, decided, count * sizeof *decided);
        c->decisions += count;
        for (size_t i = 0; i < count; i++) {
            if (c->decided[i].kind == POLICY_EVICT)
                evict(c, &c->decided[i]);
            else if (c->decided[i].kind == POLICY_START)
                start(c, &c->decided[i]);
        }
    }
    return c->decisions > before;
}

static void top_up(struct churn *c)
{
    while (c->pending < c->target)
        submit(c);
}

void churn_fill(struct churn *c)
{
    do
        top_up(c);
    while (settle(c));
}

/* Returns true if the event is the end of the last start of its job, so it is not out of date. */
static bool is_due(const struct churn *c, struct event event)
{
    const struct member *m = &c->members[event.subject];
    return m->running > 0 && m->since_ms + m->left_ms == event.time_ms;
}

/* Time alone may change the decision before the next job ends. */
static void wake_until(struct churn *c, int64_t end_ms)
{
    for (int64_t at = policy_next_wakeup(c->policy); at > c->now_ms && at < end_ms;
         at = policy_next_wakeup(c->policy)) {
        c->now_ms = at;
        (void)settle(c);
    }
}

static struct event next_end(struct churn *c)
{
    while (c->ends.count > 0 && !is_due(c, event_top(&c->ends)))
        (void)event_pop(&c->ends);
    must(c->ends.count > 0, c, "nothing runs");
    return event_top(&c->ends);
}

void churn_step(struct churn *c)
{
    wake_until(c, next_end(c).time_ms);
    struct event event = next_end(c);
    (void)event_pop(&c->ends);
    c->now_ms = event.time_ms > c->now_ms ? event.time_ms : c->now_ms;
    struct member *m = &c->members[event.subject];
    must(policy_task_ended(c->policy, c->now_ms, m->id, POLICY_ALL_TASKS, POLICY_SUCCEEDED) ==
             POLICY_OK,
         c, "end");
    m->running = 0;
    top_up(c);
    (void)settle(c);
}

uint64_t churn_decisions(const struct churn *c)
{
    return c->decisions;
}

size_t churn_peak_bytes(const struct churn *c)
{
    return c->memory.peak;
}
