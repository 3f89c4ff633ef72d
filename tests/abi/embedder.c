/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Uses the policy core as an embedder would whose header is older/policy.h, or today's: built with
 * either it has to say the same, under every preset. Around each struct that the library writes
 * into stand bytes that it may not touch.
 */
#include "policy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef OLDER_HEADER /* else this would be no test */
_Static_assert(sizeof(struct policy_config) == 224, "the first version of the configuration");
_Static_assert(sizeof(struct policy_job_spec) == 112, "the first version of a job's spec");
#endif

enum { GUARD = 512, BYTE = 0xa5, JOBS = 12, NODES = 3 };

static void *resize(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size > 0)
        return realloc(old, new_size);
    free(old);
    return NULL;
}

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(EXIT_FAILURE);
}

static void is_untouched(const unsigned char guard[GUARD], const char *what)
{
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != BYTE)
            fail(what);
}

static struct policy *create(const char *preset)
{
    struct {
        struct policy_config config;
        unsigned char guard[GUARD];
    } made;
    struct policy_error error = {0};
    memset(&made, BYTE, sizeof made);
    if (policy_config_init(&made.config, preset, (struct policy_allocator){resize, NULL}, &error) !=
        POLICY_OK)
        fail(error.message);
    int status = policy_config_set(&made.config, "seed", "7", &error);
    if (status != POLICY_OK && status != POLICY_UNKNOWN) /* the quota policy has none */
        fail(error.message);
    is_untouched(made.guard, "policy_config_init() wrote behind the configuration");
    printf("%s\n", preset);
    struct policy *p = policy_create(&made.config, &error);
    if (p == NULL)
        fail(error.message);
    return p;
}

static void add_world(struct policy *p, policy_queue queues[2])
{
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec node = {.size = sizeof node,
                                        .devices = 4,
                                        .rank = i,
                                        .max_tasks = -1,
                                        .cpu_milli = -1,
                                        .mem_mib = -1};
        if (policy_add_node(p, 0, &node).i == POLICY_NO_ID)
            fail(policy_last_error(p)->message);
    }
    for (uint32_t i = 0; i < 2; i++) {
        struct policy_queue_spec queue = {.size = sizeof queue,
                                          .parent = {POLICY_NO_ID},
                                          .rank = i,
                                          .gpu = {4000, POLICY_UNLIMITED, 1000},
                                          .cpu = {-1, -1, 1000},
                                          .mem = {-1, -1, 1000},
                                          .preempt_min_runtime_ms = POLICY_INHERIT,
                                          .reclaim_min_runtime_ms = POLICY_INHERIT};
        queues[i] = policy_add_queue(p, 0, &queue);
        if (queues[i].i == POLICY_NO_ID)
            fail(policy_last_error(p)->message);
    }
}

static policy_job submit(struct policy *p, policy_time at, policy_queue queue, uint32_t number)
{
    struct policy_role roles[2];
    memset(roles, 0, sizeof roles);
    for (uint32_t i = 0; i < 2; i++) {
        roles[i].size = sizeof roles[i];
        roles[i].tasks = roles[i].min_tasks = 1;
        roles[i].request.devices = 1 + (int32_t)((number + i) % 3);
    }
    struct policy_job_spec job;
    memset(&job, 0, sizeof job);
    job.size = sizeof job;
    job.queue = queue;
    job.rank = number;
    job.priority = 50 + (int32_t)(number % 3);
    job.preemptible = true;
    job.submitted = at;
    job.run_ms = 1000 * (1 + number * 7 % 5);
    job.limit_ms = 2 * job.run_ms;
    job.roles = roles;
    job.role_count = 1 + number % 2;
    policy_job id = policy_submit(p, at, &job);
    if (id.i == POLICY_NO_ID)
        fail(policy_last_error(p)->message);
    return id;
}

/* What starts runs; what is evicted is gone at once. */
static void decide(struct policy *p, policy_time at)
{
    struct policy_decision todo[64];
    size_t count;
    const struct policy_decision *d = policy_decide(p, at, &count);
    if (count > 64)
        fail("more decisions than tasks");
    if (count > 0)
        memcpy(todo, d, count * sizeof *d);
    for (size_t i = 0; i < count; i++) {
        printf("  %d: %s job %u task %u node %u devices %x\n", (int)at,
               policy_kind_name(todo[i].kind), todo[i].job.i, todo[i].task, todo[i].node.i,
               (unsigned)todo[i].devices);
        int status = POLICY_OK;
        if (todo[i].kind == POLICY_START)
            status = policy_task_started(p, at, todo[i].job, todo[i].task);
        else if (todo[i].kind == POLICY_EVICT)
            status = policy_task_releasing(p, at, todo[i].job, todo[i].task);
        if (status != POLICY_OK)
            fail(policy_last_error(p)->message);
    }
    for (size_t i = 0; i < count; i++)
        if (todo[i].kind == POLICY_EVICT &&
            policy_task_ended(p, at, todo[i].job, todo[i].task, POLICY_EVICTED) != POLICY_OK)
            fail(policy_last_error(p)->message);
}

static void ask(struct policy *p, policy_job job)
{
    struct {
        struct policy_explanation why;
        unsigned char guard[GUARD];
    } asked;
    memset(&asked, BYTE, sizeof asked);
    asked.why.size = sizeof asked.why;
    if (policy_explain(p, job, &asked.why) == POLICY_OK)
        printf("  job %u: %s, %d fit\n", job.i, policy_reason_name(asked.why.reason),
               asked.why.tasks_fit_now);
    is_untouched(asked.guard, "policy_explain() wrote behind the explanation");
    if (asked.why.size != sizeof asked.why)
        fail("policy_explain() changed the size");
}

static void divide(void)
{
    struct policy_share_row rows[2];
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < 2; i++) {
        rows[i].size = sizeof rows[i];
        rows[i].parent = POLICY_NO_ID;
        rows[i].gpu = (struct policy_share){1000, -1, 1000 + 1000 * i};
        rows[i].cpu = rows[i].mem = (struct policy_share){-1, -1, 1000};
        rows[i].request.gpu = 9000;
    }
    struct policy_amounts left, capacity = {8000, 0, 0};
    if (policy_divide((struct policy_allocator){resize, NULL}, &capacity, 0, rows, 2, &left) !=
        POLICY_OK)
        fail("policy_divide()");
    printf("shares %d %d\n", (int)rows[0].fair_share.gpu, (int)rows[1].fair_share.gpu);
}

int main(void)
{
    for (size_t i = 0; policy_preset_row(i) != NULL; i++) {
        struct policy *p = create(policy_preset_row(i)->name);
        policy_queue queues[2];
        policy_job jobs[JOBS];
        add_world(p, queues);
        for (uint32_t k = 0; k < JOBS; k++) {
            jobs[k] = submit(p, k * 100, queues[k % 2], k);
            decide(p, k * 100);
        }
        for (uint32_t k = 0; k < JOBS; k++)
            ask(p, jobs[k]);
        struct policy_error error = {0};
        if (policy_check(p, &error) != POLICY_OK)
            fail(error.message);
        policy_destroy(p);
    }
    divide();
    return EXIT_SUCCESS;
}
