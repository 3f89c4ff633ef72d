/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of multifactor priorities, given to another policy. Usage is computed by hand. */
#include "tests/lib/harness.h"
#include "tests/lib/side.h"

/* Two users of a queue: the job of the one with less usage starts first, although it came last. */
START_TEST(less_usage_goes_first)
{
    struct side s;
    side_begin(&s, "slurm", "priority_weight_age=0 priority_weight_fairshare=1000");
    side_submit(&s, 0, 0, 0, 4, 1000);
    side_submit(&s, 1, 0, 0, 4, 1000);
    side_runs(&s, 0, 0, 0, 15, 0);
    side_runs(&s, 0, 1, 1, 15, 0);
    side_submit(&s, 2, 0, 0, 4, 1000); /* user 1 */
    side_submit(&s, 3, 0, 0, 4, 1000); /* user 2 */
    for (uint32_t user = 1; user <= 2; user++)
        ck_assert_int_eq(side_tell(&s, 0,
                                   (struct policy_history){.kind = POLICY_HISTORY_USER,
                                                           .queue = s.queues[0],
                                                           .user = user,
                                                           .used = user == 1 ? 5000 : 4000}),
                         POLICY_OK);
    ck_assert_int_eq(policy_task_ended(s.p, 10, s.jobs[0], POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                     POLICY_OK);
    char text[128];
    ck_assert_str_eq(core_decisions(s.p, 10, text, sizeof text), "3:0@0[0x0f]");
    side_finish(&s);
}
END_TEST

/*
 * A gang of two tasks of two devices each loses one of them after a second, and the other after
 * eleven: its user is charged with four devices all that time, 44 GPU-seconds. By what it still
 * holds it would be 22.
 */
START_TEST(a_gang_evicted_in_part_is_charged_whole)
{
    for (int told = 0; told < 2; told++) {
        struct side a;
        struct side b;
        struct policy_role role = core_role(2, core_devices(2));
        side_begin(&a, "slurm", "");
        side_begin(&b, "slurm", "");
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
            const struct policy_job_spec spec = core_job_spec(s->queues[0], 0, &role, 1);
            s->jobs[0] = policy_submit(s->p, 0, &spec);
        }
        core_decide(a.p, 0, 2);
        ck_assert_int_eq(policy_task_ended(a.p, 1000, a.jobs[0], 0, POLICY_EVICTED), POLICY_OK);
        ck_assert_int_eq(side_find(a.p, POLICY_HISTORY_MODULE, a.jobs[0].i).capacity, 4000);
        ck_assert_int_eq(policy_task_running(b.p, 1000, b.jobs[0], 1, (policy_node){0}, 12, 0),
                         POLICY_OK);
        struct policy_history list[SIDE_RECORDS];
        uint32_t count = side_records(a.p, list);
        for (uint32_t i = 0; i < count; i++)
            if (told == 1 || list[i].kind != POLICY_HISTORY_MODULE)
                ck_assert_int_eq(side_tell(&b, 1000, list[i]), POLICY_OK);
        for (struct side *s = &a; s != NULL; s = s == &a ? &b : NULL) {
            ck_assert_int_eq(policy_task_ended(s->p, 11000, s->jobs[0], 1, POLICY_EVICTED),
                             POLICY_OK);
            ck_assert(!side_has(s->p, POLICY_HISTORY_MODULE));
            ck_assert_uint_eq(side_find(s->p, POLICY_HISTORY_USER, POLICY_NO_ID).used_since,
                              s == &a || told == 1 ? 44000000 : 22000000);
        }
        side_finish(&a);
        side_finish(&b);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("history of multifactor");
    TCase *tcase = tcase_create("history of multifactor");
    tcase_add_test(tcase, less_usage_goes_first);
    tcase_add_test(tcase, a_gang_evicted_in_part_is_charged_whole);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
