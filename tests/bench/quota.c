/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of decisions of the quota policy, measured through the public contract alone:
 *
 *     quota
 *     QUIET FORCED DECISION            in nanoseconds
 *
 * 1,024 nodes with 8 devices, 100 queues in three levels, the fleet full and 10,000 jobs pending.
 * QUIET: a cycle after no change. FORCED: a whole cycle that finds nothing to do. DECISION: a month
 * of churn in which jobs end and others arrive, the whole time in the core divided by its
 * decisions.
 */
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    NODES = 1024,
    DEVICES = 8,
    DEPARTMENTS = 5,
    TEAMS = 3,
    PROJECTS = 16,
    PENDING = 10000,
    CHURN = 3000
};
enum { LEAVES = 80 }; /* of 100 queues: 5 departments, 15 teams, 80 projects */

struct quota {
    struct policy *p;
    policy_queue leaves[LEAVES];
    policy_job *running;
    size_t running_count, running_capacity;
    uint64_t rank, random;
    int64_t ms;
    uint64_t decisions;
    struct bench_memory memory;
};

static void must(bool good, const struct policy *p)
{
    if (good)
        return;
    (void)fprintf(stderr, "quota: %s\n",
                  p == NULL ? "cannot begin" : policy_last_error(p)->message);
    exit(1);
}

static policy_queue queue(struct quota *b, policy_queue parent, uint32_t rank, int64_t quota)
{
    struct policy_share share = {quota, POLICY_UNLIMITED, quota > 0 ? quota : 1000};
    struct policy_share open = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    struct policy_queue_spec spec = {.size = sizeof spec,
                                     .parent = parent,
                                     .priority = 100,
                                     .rank = rank,
                                     .gpu = share,
                                     .cpu = open,
                                     .mem = open,
                                     .preempt_min_runtime_ms = POLICY_INHERIT,
                                     .reclaim_min_runtime_ms = POLICY_INHERIT};
    policy_queue q = policy_add_queue(b->p, b->ms, &spec);
    must(q.i != POLICY_NO_ID, b->p);
    return q;
}

static void build(struct quota *b)
{
    struct policy_config config;
    struct policy_error error;
    must(policy_config_init(&config, "runai", bench_allocator(&b->memory), &error) == POLICY_OK,
         NULL);
    b->p = policy_create(&config, &error);
    must(b->p != NULL, NULL);
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec spec = {.size = sizeof spec,
                                        .devices = DEVICES,
                                        .rank = i,
                                        .max_tasks = 110,
                                        .cpu_milli = 112000,
                                        .mem_mib = 2097152,
                                        .device_mem_mib = 81920};
        must(policy_add_node(b->p, 0, &spec).i != POLICY_NO_ID, b->p);
    }
    uint32_t rank = 0;
    size_t leaf = 0;
    for (uint32_t d = 0; d < DEPARTMENTS; d++) {
        policy_queue department = queue(b, (policy_queue){POLICY_NO_ID}, rank++, 1600000);
        for (uint32_t t = 0; t < TEAMS; t++) {
            policy_queue team = queue(b, department, rank++, 533000);
            for (uint32_t k = 0; k < PROJECTS && leaf < LEAVES && k * DEPARTMENTS * TEAMS < LEAVES;
                 k++)
                b->leaves[leaf++] = queue(b, team, rank++, 100000);
        }
    }
    while (leaf < LEAVES)
        b->leaves[leaf++] = queue(b, (policy_queue){DEPARTMENTS > 0 ? 1 : 0}, rank++, 100000);
}

static void submit(struct quota *b)
{
    struct bench_job job = bench_draw_job(&b->random, DEVICES);
    struct policy_role role = {
        .size = sizeof role,
        .tasks = job.tasks,
        .min_tasks = job.tasks,
        .request = {.devices = job.devices, .cpu_milli = 1000 * job.devices}};
    struct policy_job_spec spec = {.size = sizeof spec,
                                   .queue = b->leaves[bench_draw(&b->random, LEAVES)],
                                   .priority = bench_draw(&b->random, 10) == 0 ? 75 : 50,
                                   .preemptible = true,
                                   .rank = b->rank++,
                                   .submitted = b->ms,
                                   .run_ms = -1,
                                   .limit_ms = -1,
                                   .roles = &role,
                                   .role_count = 1};
    must(policy_submit(b->p, b->ms, &spec).i != POLICY_NO_ID, b->p);
}

/* Carries out the decisions at once, so that the next cycle continues from there. */
static void enact(struct quota *b, const struct policy_decision *d, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (d[i].kind == POLICY_EVICT)
            must(policy_task_ended(b->p, b->ms, d[i].job, d[i].task, POLICY_EVICTED) == POLICY_OK,
                 b->p);
        if (d[i].kind != POLICY_START ||
            (i > 0 && d[i - 1].job.i == d[i].job.i && d[i - 1].kind == POLICY_START))
            continue;
        must(policy_task_started(b->p, b->ms, d[i].job, POLICY_ALL_TASKS) == POLICY_OK, b->p);
        if (b->running_count == b->running_capacity) {
            b->running_capacity = b->running_capacity * 2 + 1024;
            b->running = realloc(b->running, b->running_capacity * sizeof *b->running);
            must(b->running != NULL, NULL);
        }
        b->running[b->running_count++] = d[i].job;
    }
}

/* Runs cycles until nothing is left to do. */
static double settle(struct quota *b)
{
    double spent = 0;
    for (int cycles = 0; cycles < 1000 && policy_has_work(b->p); cycles++) {
        size_t count;
        b->ms += 1000;
        double start = bench_seconds();
        const struct policy_decision *d = policy_decide(b->p, b->ms, &count);
        spent += bench_seconds() - start;
        b->decisions += count;
        enact(b, d, count);
    }
    return spent;
}

static void end_one(struct quota *b)
{
    while (b->running_count > 0) {
        size_t i = bench_draw(&b->random, b->running_count);
        policy_job job = b->running[i];
        b->running[i] = b->running[--b->running_count];
        if (policy_task_ended(b->p, b->ms, job, POLICY_ALL_TASKS, POLICY_SUCCEEDED) == POLICY_OK)
            return; /* else it was evicted and has ended */
    }
}

static double mean_cycle(struct quota *b, int cycles, bool forced)
{
    struct policy_amounts none = {0, 0, 0};
    double start = bench_seconds();
    for (int i = 0; i < cycles; i++) {
        size_t count;
        if (forced) /* a fact that changes nothing */
            must(policy_set_usage(b->p, b->ms, b->leaves[0], &none) == POLICY_OK, b->p);
        (void)policy_decide(b->p, b->ms, &count);
    }
    return (bench_seconds() - start) / cycles * 1e9;
}

int main(int argc, char **argv)
{
    struct quota b = {.ms = 1000, .random = 7};
    int churn = argc > 1 ? (int)strtol(argv[1], NULL, 10) : CHURN;
    build(&b);
    for (int i = 0; i < 3 * NODES; i++)
        submit(&b);
    settle(&b);
    for (int i = 0; i < PENDING; i++)
        submit(&b);
    double first = settle(&b);
    double quiet = mean_cycle(&b, 1000000, false);
    double forced = mean_cycle(&b, 20, true);
    b.decisions = 0;
    double spent = 0;
    for (int i = 0; i < churn; i++) {
        b.ms += 1000;
        end_one(&b);
        submit(&b);
        spent += settle(&b);
    }
    (void)printf("%.0f %.0f %.0f\n", quiet, forced, spent / (double)b.decisions * 1e9);
    (void)fprintf(stderr, "quota: first %.0f us, %llu decisions, %zu running\n", first * 1e6,
                  (unsigned long long)b.decisions, b.running_count);
    policy_destroy(b.p);
    free(b.running);
    return 0;
}
