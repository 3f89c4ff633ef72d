/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of preemptive orders, given to another policy. Service and times are computed by
 * hand. */
#include "order/ranking.h"
#include "tests/lib/harness.h"
#include "tests/lib/side.h"

/* Eight devices for 10 s, then four for 5 s more: 80 + 20 GPU-seconds. */
START_TEST(service_is_as_attained)
{
    struct side s;
    side_begin(&s, "las", "threshold_gpu_s=60");
    side_submit(&s, 0, 0, 0, 4, -1);
    side_submit(&s, 1, 0, 0, 4, -1);
    core_decide(s.p, 0, 2);
    ck_assert_int_eq(policy_task_started(s.p, 15000, s.jobs[0], POLICY_ALL_TASKS), POLICY_OK);
    struct policy_history h = side_find(s.p, POLICY_HISTORY_JOB, s.jobs[0].i);
    ck_assert_int_eq(h.attained, 60000000); /* 4 devices for 15 s, in device-microseconds */
    ck_assert_int_eq(h.at, 15000);
    ck_assert_uint_eq(h.started, 1);
    ck_assert_uint_eq(h.evicted, 0);
    side_finish(&s);
}
END_TEST

/* A job with 61 GPU-seconds is in the second queue: a new job takes its place. Without the history
 * it would not. */
START_TEST(jobs_with_more_service_are_evicted)
{
    for (int told = 0; told < 2; told++) {
        struct side s;
        side_begin(&s, "las", "threshold_gpu_s=60");
        side_submit(&s, 0, 0, 0, 4, -1);
        side_submit(&s, 1, 0, 0, 4, -1);
        side_runs(&s, 1000, 0, 0, 15, 1000);
        side_runs(&s, 1000, 1, 1, 15, 1000);
        if (told)
            ck_assert_int_eq(side_tell(&s, 1000,
                                       (struct policy_history){.kind = POLICY_HISTORY_JOB,
                                                               .job = s.jobs[1],
                                                               .at = 1000,
                                                               .attained = 61000000}),
                             POLICY_OK);
        side_submit(&s, 2, 1000, 0, 4, -1);
        size_t count;
        const struct policy_decision *d = policy_decide(s.p, 1000, &count);
        ck_assert_uint_eq(count, (size_t)told);
        if (told) {
            ck_assert_int_eq(d[0].kind, POLICY_EVICT);
            ck_assert_uint_eq(d[0].job.i, s.jobs[1].i);
        }
        side_finish(&s);
    }
}
END_TEST

/* A record of an earlier time counts the run time since then: 4 devices for 2 s more. */
START_TEST(run_time_since_the_record_counts)
{
    struct side s;
    side_begin(&s, "las", "threshold_gpu_s=60");
    side_submit(&s, 0, 0, 0, 4, -1);
    side_runs(&s, 5000, 0, 0, 15, 1000);
    const struct policy_history h = {
        .kind = POLICY_HISTORY_JOB, .job = s.jobs[0], .at = 3000, .attained = 10000000};
    ck_assert_int_eq(side_tell(&s, 5000, h), POLICY_OK);
    ck_assert_int_eq(pc_ranking_attained(s.p, s.jobs[0].i), 18000000);
    side_finish(&s);
}
END_TEST

/* Of two jobs that never ran, the later one is nearly done, as reported: after a restore it goes
 * first, too. */
START_TEST(reports_on_pending_jobs_are_restored)
{
    struct side a;
    struct side b;
    struct side c;
    side_begin(&a, "srtf", "");
    side_begin(&b, "srtf", "");
    side_begin(&c, "srtf", "");
    struct side *const sides[] = {&a, &b, &c};
    for (int i = 0; i < ROWS(sides); i++) {
        struct policy_role role = core_role(2, core_devices(4));
        for (uint32_t job = 0; job < 2; job++) {
            struct policy_job_spec spec = core_job_spec(sides[i]->queues[0], job, &role, 1);
            spec.submitted = 0;
            spec.run_ms = 50000;
            sides[i]->jobs[job] = policy_submit(sides[i]->p, 0, &spec);
        }
    }
    ck_assert_int_eq(policy_report_progress(a.p, 0, a.jobs[1], 1000), POLICY_OK);
    side_hand_over(&a, &b, 0);
    sides_remember_alike(&a, &b);
    side_hand_over(&b, &c, 0); /* and on */
    char text[128];
    ck_assert_str_eq(core_decisions(c.p, 0, text, sizeof text), "1:0@0[0x0f] 1:1@1[0x0f]");
    sides_decide_alike(&a, &b, 0);
    side_finish(&a);
    side_finish(&b);
    side_finish(&c);
}
END_TEST

/* Of equal jobs the one evicted first goes first, whatever their ranks. */
START_TEST(evicted_jobs_keep_their_turn)
{
    struct side s;
    side_begin(&s, "srtf", "");
    side_submit(&s, 0, 0, 0, 4, 10000);
    side_submit(&s, 1, 0, 0, 4, 10000);
    side_submit(&s, 2, 0, 0, 4, 10000);
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_int_eq(side_tell(&s, 0,
                                   (struct policy_history){.kind = POLICY_HISTORY_JOB,
                                                           .job = s.jobs[i],
                                                           .evicted = 9 - i}),
                         POLICY_OK);
    char text[128];
    ck_assert_str_eq(core_decisions(s.p, 0, text, sizeof text), "2:0@0[0x0f] 1:0@1[0x0f]");
    side_finish(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("history of ranked orders");
    TCase *tcase = tcase_create("history of ranked orders");
    tcase_add_test(tcase, service_is_as_attained);
    tcase_add_test(tcase, jobs_with_more_service_are_evicted);
    tcase_add_test(tcase, run_time_since_the_record_counts);
    tcase_add_test(tcase, reports_on_pending_jobs_are_restored);
    tcase_add_test(tcase, evicted_jobs_keep_their_turn);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
