/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs submitted and cancelled: refusals, stale ids, begin times. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

static const struct {
    struct policy_request request;
    int32_t tasks, min_tasks;
    uint32_t roles, queue;
    int status;
} rows[] = {
    {{.devices = 65}, 1, 1, 1, 0, POLICY_INVALID},
    {{.devices = -1}, 1, 1, 1, 0, POLICY_INVALID},
    {{.devices = 1, .device_milli = 1001}, 1, 1, 1, 0, POLICY_INVALID},
    {{.devices = 1, .device_milli = -1}, 1, 1, 1, 0, POLICY_INVALID},
    {{.cpu_milli = -1}, 1, 1, 1, 0, POLICY_INVALID},
    {{.cpu_milli = INT64_MAX}, 1, 1, 1, 0, POLICY_INVALID},
    {{.mem_mib = -1}, 1, 1, 1, 0, POLICY_INVALID},
    {{.devices = 1}, 0, 0, 1, 0, POLICY_INVALID},
    {{.devices = 1}, INT32_MAX, INT32_MAX, 1, 0, POLICY_INVALID},
    {{.devices = 1}, 4, 2, 1, 0, POLICY_OK},      /* elastic */
    {{.devices = 4}, 1, 2, 1, 0, POLICY_INVALID}, /* more than the maximum */
    {{.devices = 1}, 1, 1, 0, 0, POLICY_INVALID},
    {{.devices = 1}, 1, 1, 17, 0, POLICY_OK},
    {{.devices = 1}, 1, 1, 1, 7, POLICY_UNKNOWN},
    {{.devices = 1}, 1, 1, 1, 1, POLICY_CONFLICT}, /* not a leaf */
    {{.devices = 1}, 1, 1, 16, 0, POLICY_OK},
    {{.devices = 64, .device_milli = 1000}, 1000000, 1000000, 1, 0, POLICY_OK},
};

START_TEST(bad_jobs_are_refused)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    core_node(p, 0, 8);
    core_queue(p, NULL, 0);
    struct policy_queue_spec child = {.size = sizeof child, .parent = core_queue(p, NULL, 0)};
    ck_assert_uint_ne(policy_add_queue(p, 0, &child).i, POLICY_NO_ID);
    struct policy_role roles[17];
    for (int i = 0; i < ROWS(roles); i++) {
        roles[i] = core_role(rows[_i].tasks, rows[_i].request);
        roles[i].min_tasks = rows[_i].min_tasks;
    }
    struct policy_job_spec spec =
        core_job_spec((policy_queue){rows[_i].queue}, 1, roles, rows[_i].roles);
    policy_job job = policy_submit(p, 0, &spec);
    ck_assert_int_eq(job.i == POLICY_NO_ID, rows[_i].status != POLICY_OK);
    if (rows[_i].status != POLICY_OK)
        ck_assert_int_eq(policy_last_error(p)->status, rows[_i].status);
    core_is_sound(p);
    policy_destroy(p); /* the last row's total overflows nothing */
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

START_TEST(short_structs_and_missing_roles_are_refused)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(q, 1, NULL, 1);
    ck_assert_uint_eq(policy_submit(p, 0, &spec).i, POLICY_NO_ID);
    spec.roles = &role;
    spec.size = 8;
    ck_assert_uint_eq(policy_submit(p, 0, &spec).i, POLICY_NO_ID);
    spec.size = sizeof spec;
    role.size -= 8;
    ck_assert_uint_eq(policy_submit(p, 0, &spec).i, POLICY_NO_ID);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_INVALID);
    core_destroy(p, &tally);
}
END_TEST

/* An embedder built against a later header has larger roles; their array is walked in its steps. */
START_TEST(roles_may_be_larger_than_ours)
{
    struct {
        struct policy_role role;
        uint64_t later;
    } roles[2];
    memset(roles, 0, sizeof roles);
    for (int i = 0; i < 2; i++) {
        roles[i].role = core_role(1, core_devices(1 + i));
        roles[i].role.size = sizeof roles[i];
    }
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    struct policy_job_spec spec = core_job_spec(q, 1, &roles[0].role, 2);
    ck_assert_uint_ne(policy_submit(p, 0, &spec).i, POLICY_NO_ID);
    const struct policy_decision *d = core_decide(p, 0, 2);
    ck_assert_uint_eq(d[0].devices, 0x1);
    ck_assert_uint_eq(d[1].devices, 0x6);
    roles[1].later = 1; /* has a meaning unknown here */
    spec.rank = 2;
    ck_assert_uint_eq(policy_submit(p, 0, &spec).i, POLICY_NO_ID);
    ck_assert_int_eq(policy_last_error(p)->status, POLICY_INVALID);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(ids_of_ended_jobs_go_stale)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    policy_job old = core_submit(p, 0, q, 1, 1, core_devices(1));
    ck_assert_int_eq(policy_cancel(p, 0, old), POLICY_OK);
    policy_job new = core_submit(p, 0, q, 2, 1, core_devices(1));
    ck_assert_uint_eq(new.i, old.i);
    ck_assert_uint_ne(new.gen, old.gen);
    ck_assert_int_eq(policy_cancel(p, 0, old), POLICY_UNKNOWN);
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(p, old, &why), POLICY_UNKNOWN);
    core_decide(p, 0, 1);
    ck_assert_int_eq(policy_task_ended(p, 0, old, 0, POLICY_SUCCEEDED), POLICY_UNKNOWN);
    ck_assert_int_eq(policy_cancel(p, 0, new), POLICY_CONFLICT);
    core_destroy(p, &tally);
}
END_TEST

static const struct {
    policy_time eligible, at;
    policy_time wakeup;
} begins[] = {
    {0, -50, INT64_MAX}, /* 0 is "at once", also on a clock below zero */
    {-60, -50, INT64_MAX}, {-40, -50, -40}, {100, 100, INT64_MAX}, {101, 100, 101},
};

START_TEST(begin_times_are_kept)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    struct policy_queue_spec queue = {.size = sizeof queue, .parent = {POLICY_NO_ID}};
    policy_queue q = policy_add_queue(p, begins[_i].at, &queue);
    struct policy_node_spec node = core_node_spec(0, 8);
    policy_add_node(p, begins[_i].at, &node);
    struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(q, 1, &role, 1);
    spec.eligible = begins[_i].eligible;
    policy_job job = policy_submit(p, begins[_i].at, &spec);
    ck_assert_int_eq(policy_next_wakeup(p), begins[_i].wakeup);
    if (begins[_i].wakeup != INT64_MAX) {
        core_decide(p, begins[_i].wakeup - 1, 0);
        ck_assert_int_eq(core_reason(p, job), POLICY_REASON_NOT_ELIGIBLE);
        core_decide(p, begins[_i].wakeup, 1);
    } else {
        core_decide(p, begins[_i].at, 1);
    }
    ck_assert_int_eq(policy_next_wakeup(p), INT64_MAX);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(a_cancelled_begin_time_causes_no_wakeup)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "");
    policy_queue q = core_queue(p, NULL, 0);
    struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(q, 1, &role, 1);
    spec.eligible = 50;
    policy_job early = policy_submit(p, 0, &spec);
    spec.eligible = 70;
    spec.rank = 2;
    policy_submit(p, 0, &spec);
    ck_assert_int_eq(policy_next_wakeup(p), 50);
    ck_assert_int_eq(policy_cancel(p, 0, early), POLICY_OK);
    ck_assert_int_eq(policy_next_wakeup(p), 70);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("jobs");
    TCase *tcase = tcase_create("jobs");
    tcase_add_loop_test(tcase, bad_jobs_are_refused, 0, ROWS(rows));
    tcase_add_test(tcase, short_structs_and_missing_roles_are_refused);
    tcase_add_test(tcase, roles_may_be_larger_than_ours);
    tcase_add_test(tcase, ids_of_ended_jobs_go_stale);
    tcase_add_loop_test(tcase, begin_times_are_kept, 0, ROWS(begins));
    tcase_add_test(tcase, a_cancelled_begin_time_causes_no_wakeup);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
