/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history with a queue order, given to another policy. Usage and times are computed by hand. */
#include "tests/lib/harness.h"
#include "tests/lib/side.h"

/* A start that was decided and finally fails: an instance that found the job running only knows
 * from the record that this is possible. */
START_TEST(a_start_that_was_not_reported_may_fail)
{
    for (int told = 0; told < 2; told++) {
        struct side a;
        struct side b;
        side_begin(&a, "runai", "");
        side_begin(&b, "runai", "");
        side_submit(&a, 0, 0, 0, 4, -1);
        side_submit(&b, 0, 0, 0, 4, -1);
        core_decide(a.p, 0, 1);
        ck_assert(side_has(a.p, POLICY_HISTORY_STARTED));
        side_runs(&b, 0, 0, 0, 15, 0);
        if (told == 1)
            side_hand_over(&a, &b, 0);
        ck_assert_int_eq(policy_start_failed(b.p, 1, b.jobs[0]), POLICY_OK);
        core_decide(b.p, 1, told == 1 ? 1 : 0);
        ck_assert_int_eq(policy_task_started(a.p, 1, a.jobs[0], POLICY_ALL_TASKS), POLICY_OK);
        ck_assert(!side_has(a.p, POLICY_HISTORY_STARTED));
        side_finish(&a);
        side_finish(&b);
    }
}
END_TEST

/* Of three separate tasks, one was reported: the start of the second fails, the third is where a
 * decision put it. */
START_TEST(starts_are_recorded_task_by_task)
{
    struct side a;
    struct side b;
    struct policy_role role = core_role(3, core_devices(2));
    role.min_tasks = 1;
    side_begin(&a, "runai", "");
    side_begin(&b, "runai", "");
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        const struct policy_job_spec spec = core_job_spec(s->queues[0], 0, &role, 1);
        s->jobs[0] = policy_submit(s->p, 0, &spec);
    }
    core_decide(a.p, 0, 3);
    ck_assert_int_eq(policy_task_started(a.p, 0, a.jobs[0], 1), POLICY_OK);
    ck_assert_uint_eq(side_find(a.p, POLICY_HISTORY_STARTED, POLICY_NO_ID).devices, 5);
    static const uint32_t node[] = {0, 0, 1};
    static const uint64_t devices[] = {3, 12, 3};
    for (uint32_t i = 0; i < 3; i++)
        ck_assert_int_eq(
            policy_task_running(b.p, 0, b.jobs[0], i, (policy_node){node[i]}, devices[i], 0),
            POLICY_OK);
    side_hand_over(&a, &b, 0);
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL)
        ck_assert_int_eq(policy_start_failed(s->p, 1, s->jobs[0]), POLICY_OK);
    core_decide(b.p, 1, 2);
    side_finish(&a);
    side_finish(&b);
}
END_TEST

/* It may be leaving before its start was reported. */
START_TEST(a_start_that_was_not_reported_may_be_taken_back)
{
    struct side a;
    struct side b;
    side_begin(&a, "runai", "");
    side_begin(&b, "runai", "");
    side_submit(&a, 0, 0, 0, 4, -1);
    side_submit(&b, 0, 0, 0, 4, -1);
    core_decide(a.p, 0, 1);
    side_runs(&b, 0, 0, 0, 15, 0);
    ck_assert_int_eq(policy_task_releasing(a.p, 0, a.jobs[0], 0), POLICY_OK);
    ck_assert_int_eq(policy_task_releasing(b.p, 0, b.jobs[0], 0), POLICY_OK);
    side_hand_over(&a, &b, 0);
    sides_remember_alike(&a, &b);
    side_finish(&a);
    side_finish(&b);
}
END_TEST

/* Nominated to the second node, the task goes there, although the first would be chosen. */
START_TEST(nominations_stand)
{
    for (uint32_t node = 0; node < 2; node++) {
        struct side s;
        side_begin(&s, "runai", "");
        side_submit(&s, 0, 0, 0, 4, -1);
        const struct policy_history h = {
            .kind = POLICY_HISTORY_NOMINATION, .job = s.jobs[0], .node = {node}};
        ck_assert_int_eq(side_tell(&s, 0, h), POLICY_OK);
        ck_assert_uint_eq(side_find(s.p, POLICY_HISTORY_NOMINATION, s.jobs[0].i).node.i, node);
        ck_assert_int_eq(side_tell(&s, 1, h),
                         POLICY_CONFLICT); /* it is nominated already, and no time passes */
        char text[128];
        ck_assert_str_eq(core_decisions(s.p, 0, text, sizeof text),
                         node == 0 ? "0:0@0[0x0f]" : "0:0@1[0x0f]");
        side_finish(&s);
    }
}
END_TEST

/* Three devices for 300 of 3000 ms: 900000 of 8000 x 3000 device-ms. */
START_TEST(use_is_kept_by_its_time)
{
    static const char options[] = "usage_window=sliding usage_window_s=64";
    struct side a;
    struct side b;
    side_begin(&a, "runai", options);
    side_begin(&b, "runai", options);
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL)
        side_submit(s, 0, 0, 0, 3, -1);
    core_decide(a.p, 0, 1);
    ck_assert_int_eq(policy_task_ended(a.p, 300, a.jobs[0], POLICY_ALL_TASKS, POLICY_EVICTED),
                     POLICY_OK);
    ck_assert_int_eq(policy_task_gated(a.p, 300, a.jobs[0], 0, true), POLICY_OK);
    core_decide(a.p, 1500, 0);
    struct policy_history list[SIDE_RECORDS];
    uint32_t count = side_records(a.p, list);
    uint64_t used = 0;
    uint64_t had = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (list[i].kind != POLICY_HISTORY_USAGE)
            continue;
        ck_assert_uint_le(list[i].count, 1000); /* a 64th of the window */
        used += list[i].queue.i == a.queues[0].i ? list[i].used_gpu : 0;
        had += list[i].queue.i == POLICY_NO_ID ? list[i].used_gpu : 0;
    }
    ck_assert_uint_eq(used, 3000 * 300);
    ck_assert_uint_eq(had, 8000 * 1500);
    ck_assert_int_eq(policy_task_gated(b.p, 1500, b.jobs[0], 0, true), POLICY_OK);
    side_hand_over(&a, &b, 1500);
    for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
        ck_assert_int_eq(policy_task_gated(s->p, 3000, s->jobs[0], 0, false), POLICY_OK);
        core_decide(s->p, 3000, 1);
        struct policy_queue_info info = {.size = sizeof info};
        ck_assert_int_eq(policy_queue_info(s->p, s->queues[0], &info), POLICY_OK);
        ck_assert_int_eq(info.usage_ppm.gpu, 1000000 * 900 / (8 * 3000));
    }
    sides_remember_alike(&a, &b);
    side_finish(&a);
    side_finish(&b);
}
END_TEST

/* Idle since 2000 with a limit of 10 s: it ends at 12000, which a report at 9000 alone would delay.
 */
START_TEST(idle_time_continues)
{
    struct side s;
    side_begin(&s, "runai", "idle_limit_s=10 idle_grace_train_s=0");
    side_submit(&s, 0, 0, 0, 4, -1);
    side_runs(&s, 9000, 0, 0, 15, 0);
    const struct policy_history h = {
        .kind = POLICY_HISTORY_IDLE, .job = s.jobs[0], .at = 9000, .from = 2000};
    ck_assert_int_eq(side_tell(&s, 9000, h), POLICY_OK);
    ck_assert_int_eq(policy_report_activity(s.p, 11000, s.jobs[0], 0), POLICY_OK);
    core_decide(s.p, 11999, 0);
    const struct policy_decision *d = core_decide(s.p, 12000, 1);
    ck_assert_int_eq(d[0].reason, POLICY_REASON_IDLE);
    side_finish(&s);
}
END_TEST

/* The younger job has the reservation and keeps it. */
START_TEST(the_reservation_stays)
{
    struct side s;
    side_begin(&s, "runai", "backfill=true");
    side_submit(&s, 0, 0, 0, 4, 1000);
    side_runs(&s, 0, 0, 0, 15, 0);
    side_submit(&s, 1, 0, 0, 4, 1000);
    const struct policy_history h = {
        .kind = POLICY_HISTORY_PROMISE, .job = s.jobs[1], .at = INT64_MAX};
    ck_assert_int_eq(side_tell(&s, 0, h), POLICY_OK);
    ck_assert_uint_eq(side_find(s.p, POLICY_HISTORY_PROMISE, POLICY_NO_ID).job.i, s.jobs[1].i);
    side_finish(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("history of quotas");
    TCase *tcase = tcase_create("history of quotas");
    tcase_add_test(tcase, a_start_that_was_not_reported_may_fail);
    tcase_add_test(tcase, a_start_that_was_not_reported_may_be_taken_back);
    tcase_add_test(tcase, starts_are_recorded_task_by_task);
    tcase_add_test(tcase, nominations_stand);
    tcase_add_test(tcase, use_is_kept_by_its_time);
    tcase_add_test(tcase, idle_time_continues);
    tcase_add_test(tcase, the_reservation_stays);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
