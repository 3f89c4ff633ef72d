/* SPDX-License-Identifier: MIT */
/*
 * A complete scheduler in one page: two nodes, two queues, four jobs, and the policy core's
 * answers. Needs only policy.h and the library: cc -I.. embed.c libfauxpolicy.a
 */
#include "policy.h"

#include <stdio.h>
#include <stdlib.h>

/* The core takes all its memory from here. An embedder could count, pool or limit it. */
static void *resize(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user, (void)old_size;
    if (new_size > 0)
        return realloc(old, new_size);
    free(old);
    return NULL;
}

/* Submits a job: `tasks` equal tasks with that many whole devices each, all or nothing. */
static policy_job submit(struct policy *p, policy_queue queue, uint64_t number, int32_t tasks,
                         int32_t devices)
{
    struct policy_role role = {
        .size = sizeof role, .tasks = tasks, .min_tasks = tasks, .request = {.devices = devices}};
    return policy_submit(p, 0,
                         &(struct policy_job_spec){.size = sizeof(struct policy_job_spec),
                                                   .queue = queue,
                                                   .rank = number,
                                                   .run_ms = -1,
                                                   .limit_ms = -1,
                                                   .roles = &role,
                                                   .role_count = 1});
}

/* Asks for decisions. A real embedder would start the tasks here and report whether they
 * started. */
static void decide(struct policy *p, policy_time now)
{
    size_t count;
    const struct policy_decision *d = policy_decide(p, now, &count);
    for (size_t i = 0; i < count; i++) {
        printf("%5d ms: %s task %u of job %u on node %u, devices 0x%02x\n", (int)now,
               policy_kind_name(d[i].kind), d[i].task, d[i].job.i, d[i].node.i,
               (unsigned)d[i].devices);
        policy_task_started(p, now, d[i].job, d[i].task);
    }
}

int main(void)
{
    struct policy_config config = {.size = sizeof config};
    struct policy_error error;
    if (policy_config_init(&config, "fifo", (struct policy_allocator){resize, NULL}, &error) !=
            POLICY_OK ||
        policy_config_set(&config, "scope", "queue", &error) != POLICY_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    struct policy *p = policy_create(&config, &error);
    if (p == NULL)
        return EXIT_FAILURE;

    struct policy_node_spec node = {
        .size = sizeof node, .devices = 8, .max_tasks = -1, .cpu_milli = -1, .mem_mib = -1};
    policy_add_node(p, 0, &node);
    node.rank = 1;
    policy_add_node(p, 0, &node);
    struct policy_queue_spec spec = {.size = sizeof spec, .parent = {POLICY_NO_ID}};
    policy_queue research = policy_add_queue(p, 0, &spec);
    policy_queue product = policy_add_queue(p, 0, &spec);

    policy_job train = submit(p, research, 1, 1, 6);
    submit(p, research, 2, 2, 6);                     /* a gang of two: does not fit yet ... */
    policy_job behind = submit(p, research, 3, 1, 1); /* ... and holds back its own queue, */
    submit(p, product, 4, 1, 2);                      /* but not this one */
    decide(p, 0);

    struct policy_explanation why = {.size = sizeof why};
    policy_explain(p, behind, &why);
    printf("job %u waits: %s; job %u waits: %s\n", behind.i, policy_reason_summary(why.reason),
           why.behind.i, policy_reason_summary(why.behind_reason));

    policy_task_ended(p, 60000, train, POLICY_ALL_TASKS, POLICY_SUCCEEDED);
    decide(p, 60000);
    policy_destroy(p);
    return EXIT_SUCCESS;
}
