/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Earliest deadline first on one device. Without preemption, for jobs present from the start, no
 * order has a smaller maximum lateness (Jackson's rule): compared with all permutations. With
 * preemption periodic jobs meet every deadline up to a utilization of one (Liu and Layland 1973).
 */
#include "tests/lib/core.h"
#include "tests/lib/draw.h"
#include "tests/lib/harness.h"

enum { JOBS = 6, DRAWS = 60 };

static policy_queue any_queue(struct policy *p)
{
    const struct policy_share all = {POLICY_UNLIMITED, POLICY_UNLIMITED, 1000};
    const struct policy_queue_spec spec = {
        .size = sizeof spec, .parent = {POLICY_NO_ID}, .gpu = all, .cpu = all, .mem = all};
    return policy_add_queue(p, 0, &spec);
}

static policy_job submit(struct policy *p, policy_time at, policy_queue queue, uint64_t rank,
                         policy_time deadline)
{
    struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(queue, rank, &role, 1);
    spec.submitted = at;
    spec.preemptible = true;
    spec.deadline = deadline;
    policy_job job = policy_submit(p, at, &spec);
    ck_assert_uint_ne(job.i, POLICY_NO_ID);
    return job;
}

/* ---- Jackson ---- */

static int64_t lateness(const int64_t *run, const int64_t *due, const int *order)
{
    int64_t now = 0, most = INT64_MIN;
    for (int i = 0; i < JOBS; i++) {
        now += run[order[i]];
        most = now - due[order[i]] > most ? now - due[order[i]] : most;
    }
    return most;
}

static int64_t best_of_all(const int64_t *run, const int64_t *due, int *order, int fixed)
{
    int64_t best = fixed == JOBS ? lateness(run, due, order) : INT64_MAX;
    for (int i = fixed; i < JOBS; i++) {
        int swapped = order[i];
        order[i] = order[fixed];
        order[fixed] = swapped;
        int64_t other = best_of_all(run, due, order, fixed + 1);
        best = other < best ? other : best;
        order[fixed] = order[i];
        order[i] = swapped;
    }
    return best;
}

static const char *const presets[] = {"edf", "quota-edf", "edf-preemptive"};

START_TEST(no_order_has_less_lateness)
{
    uint64_t random = 18 + (uint64_t)_i;
    for (int draw = 0; draw < DRAWS; draw++) {
        struct tally tally = {0};
        struct policy *p = core_create(&tally, presets[_i], "");
        (void)core_node(p, 0, 1);
        policy_queue queue = any_queue(p);
        int64_t run[JOBS], due[JOBS];
        int order[JOBS], served[JOBS];
        for (int i = 0; i < JOBS; i++) {
            run[i] = 1 + (int64_t)(test_draw(&random) % 20);
            due[i] = 1 + (int64_t)(test_draw(&random) % 80);
            order[i] = i;
            (void)submit(p, 0, queue, (uint64_t)i, due[i]);
        }
        policy_time now = 0;
        for (int i = 0; i < JOBS; i++) {
            const struct policy_decision *d = core_decide(p, now, 1);
            policy_job job = d[0].job;
            served[i] = (int)job.i;
            ck_assert_int_eq(policy_task_started(p, now, job, POLICY_ALL_TASKS), POLICY_OK);
            now += run[job.i];
            ck_assert_int_eq(policy_task_ended(p, now, job, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                             POLICY_OK);
        }
        ck_assert_int_eq(lateness(run, due, served), best_of_all(run, due, order, 0));
        core_destroy(p, &tally);
    }
}
END_TEST

START_TEST(jobs_without_a_deadline_come_last)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, presets[_i], "");
    (void)core_node(p, 0, 1);
    policy_queue queue = any_queue(p);
    (void)submit(p, 0, queue, 0, 0);
    policy_job due = submit(p, 0, queue, 1, 1000000000);
    ck_assert_uint_eq(core_decide(p, 0, 1)[0].job.i, due.i);
    core_destroy(p, &tally);
}
END_TEST

/* ---- periodic jobs ---- */

/* Utilizations: 1/2 + 1/4 + 1/4, 2/5 + 4/7 + 1/35, 1/3 + 1/4 + 5/12: one each. */
enum { TASKS = 3 };
static const struct {
    int64_t period[TASKS], run[TASKS], all; /* all: the hyperperiod */
} sets[] = {{{2, 4, 8}, {1, 1, 2}, 8}, {{5, 7, 35}, {2, 4, 1}, 35}, {{3, 4, 12}, {1, 1, 5}, 12}};

struct device {
    struct policy *p;
    policy_job jobs[TASKS];
    int64_t left[TASKS], due[TASKS];
    int runs; /* which task's job; -1: none */
};

static int task_of(const struct device *d, policy_job job)
{
    for (int i = 0; i < TASKS; i++)
        if (d->left[i] > 0 && d->jobs[i].i == job.i && d->jobs[i].gen == job.gen)
            return i;
    ck_abort_msg("a decision on a job that is over");
    return -1;
}

/* Carries out decisions until there are none: evicted jobs leave at once. */
static void decide(struct device *d, policy_time now)
{
    for (size_t n = 1; n > 0;) {
        const struct policy_decision *found = policy_decide(d->p, now, &n);
        struct policy_decision all[TASKS];
        ck_assert_uint_le(n, TASKS);
        for (size_t i = 0; i < n; i++)
            all[i] = found[i];
        for (size_t i = 0; i < n; i++) {
            int task = task_of(d, all[i].job);
            bool starts = all[i].kind == POLICY_START;
            d->runs = starts ? task : -1;
            int status =
                starts ? policy_task_started(d->p, now, all[i].job, POLICY_ALL_TASKS)
                       : policy_task_ended(d->p, now, all[i].job, POLICY_ALL_TASKS, POLICY_EVICTED);
            ck_assert_int_eq(status, POLICY_OK);
        }
        core_is_sound(d->p);
    }
}

START_TEST(a_full_device_meets_every_deadline)
{
    struct tally tally = {0};
    struct device d = {.p = core_create(&tally, "edf-preemptive", ""), .runs = -1};
    (void)core_node(d.p, 0, 1);
    policy_queue queue = any_queue(d.p);
    uint64_t rank = 0;
    for (int64_t now = 0; now <= 2 * sets[_i].all; now++) {
        if (d.runs >= 0 && --d.left[d.runs] == 0) {
            ck_assert_int_eq(
                policy_task_ended(d.p, now, d.jobs[d.runs], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                POLICY_OK);
            d.runs = -1;
        }
        for (int i = 0; i < TASKS; i++) {
            ck_assert_msg(d.left[i] == 0 || now < d.due[i], "task %d is late", i);
            if (now % sets[_i].period[i] != 0)
                continue;
            d.left[i] = sets[_i].run[i];
            d.due[i] = now + sets[_i].period[i];
            d.jobs[i] = submit(d.p, now, queue, rank++, d.due[i]);
        }
        decide(&d, now);
        ck_assert_int_ge(d.runs, 0); /* a full device is never idle */
    }
    core_destroy(d.p, &tally);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("deadlines");
    tcase_add_loop_test(tcase, no_order_has_less_lateness, 0, ROWS(presets));
    tcase_add_loop_test(tcase, jobs_without_a_deadline_come_last, 0, ROWS(presets));
    tcase_add_loop_test(tcase, a_full_device_meets_every_deadline, 0, ROWS(sets));
    Suite *suite = suite_create("edf");
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
