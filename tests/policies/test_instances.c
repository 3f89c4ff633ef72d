/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two instances on two threads, as policy.h allows: each plays its own stream, under every preset,
 * and decides as it does alone. ThreadSanitizer looks for shared state (make check-tsan).
 */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <pthread.h>
#include <string.h>

enum { JOBS = 60, NODES = 5 };

struct stream {
    const char *preset;
    uint32_t salt; /* makes streams differ */
    uint64_t decided, starts;
    pthread_barrier_t *together; /* NULL: alone */
};

static policy_job submit(struct policy *p, policy_time at, policy_queue queue, uint32_t number)
{
    struct policy_role role =
        core_role(1 + (int32_t)number % 2, core_devices(1 + (int32_t)number % 3));
    struct policy_job_spec spec = core_job_spec(queue, number, &role, 1);
    spec.submitted = at;
    spec.priority = (int32_t)(number * 7 % 5);
    spec.preemptible = true;
    spec.run_ms = 1000 + number * 13 % 17 * 100;
    spec.limit_ms = spec.run_ms;
    return policy_submit(p, at, &spec);
}

static void decide(struct policy *p, policy_time at, struct stream *s)
{
    struct policy_decision todo[128];
    size_t count;
    const struct policy_decision *d = policy_decide(p, at, &count);
    if (count > ROWS(todo))
        count = 0; /* counts as a difference */
    if (count > 0)
        memcpy(todo, d, count * sizeof *d);
    for (size_t i = 0; i < count; i++) {
        s->decided = (s->decided ^ (uint64_t)todo[i].kind << 48 ^ (uint64_t)todo[i].job.i << 32 ^
                      (uint64_t)todo[i].task << 16 ^ todo[i].node.i) *
                     UINT64_C(0x100000001b3);
        s->starts += todo[i].kind == POLICY_START;
        if (todo[i].kind == POLICY_START)
            (void)policy_task_started(p, at, todo[i].job, todo[i].task);
        else if (todo[i].kind == POLICY_EVICT)
            (void)policy_task_releasing(p, at, todo[i].job, todo[i].task);
    }
    for (size_t i = 0; i < count; i++)
        if (todo[i].kind == POLICY_EVICT)
            (void)policy_task_ended(p, at, todo[i].job, todo[i].task, POLICY_EVICTED);
}

/* Without assertions: these belong on the thread that the test runs on. */
static void *play(void *data)
{
    struct stream *s = data;
    struct tally tally = {0};
    if (s->together != NULL)
        (void)pthread_barrier_wait(s->together);
    struct policy_config config;
    struct policy_error error;
    (void)policy_config_init(&config, s->preset, tally_allocator(&tally), &error);
    struct policy *p = policy_create(&config, &error);
    for (uint32_t i = 0; i < NODES; i++) {
        struct policy_node_spec node = core_node_spec(i, 4);
        (void)policy_add_node(p, 0, &node);
    }
    struct policy_queue_spec queue = {.size = sizeof queue,
                                      .parent = {POLICY_NO_ID},
                                      .gpu = {20000, POLICY_UNLIMITED, 1000},
                                      .cpu = {-1, -1, 1000},
                                      .mem = {-1, -1, 1000}};
    policy_queue q = policy_add_queue(p, 0, &queue);
    policy_job jobs[JOBS];
    for (uint32_t i = 0; i < JOBS; i++) {
        policy_time at = 100 * (policy_time)i;
        jobs[i] = submit(p, at, q, i * (3 + s->salt) % 101);
        decide(p, at, s);
        if (i >= 8) /* refused if the job is not running: the same each time */
            (void)policy_task_ended(p, at, jobs[i - 8], POLICY_ALL_TASKS, POLICY_SUCCEEDED);
        struct policy_explanation why = {.size = sizeof why};
        (void)policy_explain(p, jobs[i], &why);
        s->decided = (s->decided ^ (uint64_t)why.reason) * UINT64_C(0x100000001b3);
    }
    policy_destroy(p);
    s->decided ^= tally.bytes; /* none are left */
    return NULL;
}

START_TEST(two_threads_decide_as_each_alone)
{
    const char *preset = policy_preset_row((size_t)_i)->name;
    struct stream alone[2] = {{preset, 0, 1, 0, NULL}, {preset, 1, 1, 0, NULL}};
    pthread_barrier_t barrier;
    ck_assert_int_eq(pthread_barrier_init(&barrier, NULL, 2), 0);
    struct stream together[2] = {{preset, 0, 1, 0, &barrier}, {preset, 1, 1, 0, &barrier}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        (void)play(&alone[i]);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, play, &together[i]), 0);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    (void)pthread_barrier_destroy(&barrier);
    for (int i = 0; i < 2; i++) {
        ck_assert_uint_gt(alone[i].starts, 10);
        ck_assert_uint_eq(together[i].starts, alone[i].starts);
        ck_assert_uint_eq(together[i].decided, alone[i].decided);
    }
    ck_assert_uint_ne(alone[0].decided, alone[1].decided);
}
END_TEST

int main(void)
{
    int presets = 0;
    while (policy_preset_row((size_t)presets) != NULL)
        presets++;
    Suite *suite = suite_create("instances");
    TCase *tcase = tcase_create("threads");
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, two_threads_decide_as_each_alone, 0, presets);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
