/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of a job as a module sees it (drawn in rows.h): one letter per hook, in call order.
 *
 *     A added  W waits  S started  R resized  L leaves  T stopped  F a failed start is stopped  O
 * over
 */
#include "state/engine.h"
#include "state/state.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

static char seen[64];
static policy_time since_when;

static void note(char letter)
{
    size_t length = strlen(seen);
    ck_assert_uint_lt(length + 1, sizeof seen);
    seen[length] = letter;
    seen[length + 1] = '\0';
}

static void added(struct policy *p, void *self, uint32_t job, const struct policy_job_spec *spec)
{
    (void)p, (void)self, (void)job, (void)spec;
    note('A');
}

static void waits(struct policy *p, void *self, uint32_t job)
{
    (void)p, (void)self, (void)job;
    note('W');
}

static void started(struct policy *p, void *self, uint32_t job, policy_time since)
{
    (void)p, (void)self, (void)job;
    since_when = since;
    note('S');
}

static void resized(struct policy *p, void *self, uint32_t job)
{
    (void)p, (void)self, (void)job;
    note('R');
}

static void leaves(struct policy *p, void *self, uint32_t job)
{
    (void)p, (void)self, (void)job;
    note('L');
}

static void stopped(struct policy *p, void *self, uint32_t job, bool ran)
{
    (void)p, (void)self, (void)job;
    note(ran ? 'T' : 'F');
}

static void over(struct policy *p, void *self, uint32_t job)
{
    (void)p, (void)self, (void)job;
    note('O');
}

static const struct pc_module probe = {
    .name = "probe",
    .job_added = added,
    .job_waits = waits,
    .job_started = started,
    .job_resized = resized,
    .job_leaves = leaves,
    .job_stopped = stopped,
    .job_over = over,
};

/* A policy with two nodes of two devices, and one queue. */
static struct policy *make(struct tally *tally, const char *preset, policy_queue *queue)
{
    struct policy *p = core_create(tally, preset, "");
    ck_assert(pc_module_open(p, &probe));
    p->cluster->has_modules = true;
    core_node(p, 0, 2);
    core_node(p, 1, 2);
    const struct policy_share all = {.quota = POLICY_UNLIMITED, .limit = POLICY_UNLIMITED};
    const struct policy_queue_spec spec = {
        .size = sizeof spec, .parent = {POLICY_NO_ID}, .gpu = all, .cpu = all, .mem = all};
    *queue = policy_add_queue(p, 0, &spec);
    seen[0] = '\0';
    return p;
}

/* A preemptible job, which needs no quota. */
static policy_job submit(struct policy *p, policy_time at, policy_queue q, int32_t tasks,
                         int32_t min_tasks, policy_time eligible)
{
    struct policy_role role = core_role(tasks, core_devices(1));
    role.min_tasks = min_tasks;
    struct policy_job_spec spec = core_job_spec(q, 1, &role, 1);
    spec.preemptible = true;
    spec.eligible = eligible;
    return policy_submit(p, at, &spec);
}

/* The hooks called since the last time. */
static void saw(const char *expected)
{
    ck_assert_str_eq(seen, expected);
    seen[0] = '\0';
}

static const char *const presets[] = {"fifo", "runai"};

START_TEST(from_submission_to_the_end)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, presets[_i], &q);
    policy_job job = submit(p, 10, q, 2, 2, 50);
    saw("A"); /* held until it is eligible */
    core_decide(p, 50, 2);
    saw("WS");
    ck_assert_int_eq(since_when, 50);
    ck_assert_int_eq(policy_task_ended(p, 60, job, 0, POLICY_SUCCEEDED), POLICY_OK);
    saw("R");
    ck_assert_int_eq(policy_task_ended(p, 70, job, 1, POLICY_SUCCEEDED), POLICY_OK);
    saw("O");
    core_destroy(p, &tally);
}
END_TEST

/* The embedder takes the devices away: it leaves once, stops when its last task has ended, and is
 * pending again. */
START_TEST(an_evicted_job_waits_again)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, presets[_i], &q);
    policy_job job = submit(p, 0, q, 2, 2, 0);
    core_decide(p, 0, 2);
    saw("AWS");
    ck_assert_int_eq(policy_task_releasing(p, 10, job, POLICY_ALL_TASKS), POLICY_OK);
    saw("L");
    ck_assert_int_eq(policy_task_ended(p, 20, job, 0, POLICY_EVICTED), POLICY_OK);
    saw("R");
    ck_assert_int_eq(policy_task_ended(p, 30, job, 1, POLICY_EVICTED), POLICY_OK);
    saw("TW");
    core_decide(p, 30, 2);
    saw("S");
    ck_assert_int_eq(since_when, 30);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(a_failed_start_did_not_run)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, "fifo", &q);
    policy_job job = submit(p, 0, q, 1, 1, 0);
    core_decide(p, 0, 1);
    ck_assert_int_eq(policy_start_failed(p, 5, job), POLICY_OK);
    saw("AWSFW");
    ck_assert_int_eq(policy_cancel(p, 6, job), POLICY_OK);
    saw("O");
    core_destroy(p, &tally);
}
END_TEST

/* A job found running waited before, and runs since the time reported. */
START_TEST(found_running)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, presets[_i], &q);
    policy_job job = submit(p, 0, q, 1, 1, 0);
    ck_assert_int_eq(policy_task_running(p, 100, job, 0, (policy_node){0}, 1, 40), POLICY_OK);
    saw("AWS");
    ck_assert_int_eq(since_when, 40);
    core_destroy(p, &tally);
}
END_TEST

/* One task at least and three at most: it starts with four devices free, shrinks by one, and grows
 * again. */
START_TEST(elastic_jobs_are_resized)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, presets[_i], &q);
    policy_job job = submit(p, 0, q, 3, 1, 0);
    core_decide(p, 0, 3);
    ck_assert_int_eq(seen[2], 'S');
    for (size_t i = 3; seen[i] != '\0'; i++) /* at once, or task by task */
        ck_assert_int_eq(seen[i], 'R');
    seen[0] = '\0';
    ck_assert_int_eq(policy_task_ended(p, 10, job, 2, POLICY_EVICTED), POLICY_OK);
    saw("R");
    core_decide(p, 10, 1);
    saw("R");
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("job life");
    TCase *tcase = tcase_create("job life");
    tcase_add_loop_test(tcase, from_submission_to_the_end, 0, ROWS(presets));
    tcase_add_loop_test(tcase, an_evicted_job_waits_again, 0, ROWS(presets));
    tcase_add_test(tcase, a_failed_start_did_not_run);
    tcase_add_loop_test(tcase, found_running, 0, ROWS(presets));
    tcase_add_loop_test(tcase, elastic_jobs_are_resized, 0, ROWS(presets));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
