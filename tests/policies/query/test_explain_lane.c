/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why a job is pending, with the numbers next to the reason. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

/* Two nodes of 8 devices and 16 cores, one of 4; one job holds 5 of each of the large ones and 14
 * cores. */
static const struct {
    struct policy_request request;
    int32_t tasks, reason, fit_now;
} rows[] = {
    {{.devices = 8}, 1, POLICY_REASON_FRAGMENTED, 0},
    {{.devices = 4}, 1, POLICY_REASON_NONE, 0},
    {{.devices = 3}, 3, POLICY_REASON_NONE, 0},
    {{.devices = 3}, 4, POLICY_REASON_DEVICES_BUSY, 3},
    {{.devices = 2}, 5, POLICY_REASON_FRAGMENTED, 4},
    {{.devices = 16}, 1, POLICY_REASON_NEVER_FITS, 0},
    {{.devices = 1, .types = 2}, 1, POLICY_REASON_NEVER_FITS, 0},
    {{.devices = 4, .cpu_milli = 9000}, 1, POLICY_REASON_CPU_OR_MEMORY, 0},
    {{.devices = 3, .mem_mib = 150}, 3, POLICY_REASON_CPU_OR_MEMORY, 2},
    {{.cpu_milli = 12000}, 1, POLICY_REASON_CPU_OR_MEMORY, 0},
    {{.cpu_milli = 17000}, 1, POLICY_REASON_NEVER_FITS, 0},
    {{.devices = 2, .device_milli = 900}, 5, POLICY_REASON_FRAGMENTED, 4},
};

static struct policy *scene(struct tally *tally, const char *options)
{
    struct policy *p = core_create(tally, "fifo", options);
    core_queue(p, NULL, 0);
    struct policy_node_spec spec = core_node_spec(0, 8);
    spec.cpu_milli = 16000;
    spec.mem_mib = 400;
    policy_add_node(p, 0, &spec);
    spec.rank = 1;
    policy_add_node(p, 0, &spec);
    spec.rank = 2;
    spec.devices = 4;
    spec.cpu_milli = 4000;
    spec.mem_mib = 100;
    policy_add_node(p, 0, &spec);
    struct policy_request r = {.devices = 5, .cpu_milli = 7000};
    core_submit(p, 0, (policy_queue){0}, 1, 2, r);
    core_decide(p, 0, 2);
    return p;
}

START_TEST(reasons_and_numbers)
{
    struct tally tally = {0};
    struct policy *p = scene(&tally, "blocking=skip");
    policy_job job = core_submit(p, 0, (policy_queue){0}, 2, rows[_i].tasks, rows[_i].request);
    struct policy_explanation why = {.size = sizeof why};
    bool fits = rows[_i].reason == POLICY_REASON_NONE;
    ck_assert_int_eq(policy_explain(p, job, &why), POLICY_OK);
    ck_assert_int_eq(why.reason,
                     fits ? POLICY_REASON_WAITING : rows[_i].reason); /* before the decision */
    ck_assert_int_eq(why.tasks_fit_now, fits ? rows[_i].tasks : rows[_i].fit_now);
    core_decide(p, 0, fits ? (size_t)rows[_i].tasks : 0);
    ck_assert_int_eq(policy_explain(p, job, &why), POLICY_OK);
    ck_assert_int_eq(why.reason, rows[_i].reason); /* and after it */
    ck_assert_int_eq(why.tasks, rows[_i].tasks);
    if (!fits) {
        bool other_type = rows[_i].request.types != 0; /* there are none of this type */
        ck_assert_int_eq(why.free_milli, other_type ? 0 : 10000);
        ck_assert_int_eq(why.free_whole, other_type ? 0 : 10);
        ck_assert_int_eq(why.most_free, other_type ? 0 : 4);
        ck_assert_uint_eq(why.jobs_before, 0);
    }
    core_destroy(p, &tally);
}
END_TEST

START_TEST(down_nodes_are_named_as_the_reason)
{
    struct tally tally = {0};
    struct policy *p = scene(&tally, "blocking=skip");
    for (uint32_t n = 0; n < 3; n++)
        ck_assert_int_eq(policy_set_node_state(p, 0, (policy_node){n}, POLICY_NODE_DOWN),
                         POLICY_OK);
    policy_job gpu = core_submit(p, 0, (policy_queue){0}, 2, 1, core_devices(4));
    policy_job cpu = core_submit(p, 0, (policy_queue){0}, 3, 1, core_devices(0));
    policy_job many = core_submit(p, 0, (policy_queue){0}, 4, 6, core_devices(2));
    core_decide(p, 0, 0);
    ck_assert_int_eq(core_reason(p, gpu), POLICY_REASON_NODES_DOWN);
    ck_assert_int_eq(core_reason(p, cpu), POLICY_REASON_NODES_DOWN);
    ck_assert_int_eq(core_reason(p, many),
                     POLICY_REASON_DEVICES_BUSY); /* 10 are idle there, 12 wanted */
    core_destroy(p, &tally);
}
END_TEST

START_TEST(the_job_in_front_is_named)
{
    struct tally tally = {0};
    struct policy *p = scene(&tally, "blocking=strict");
    policy_job first = core_submit(p, 0, (policy_queue){0}, 2, 1, core_devices(8));
    core_submit(p, 0, (policy_queue){0}, 3, 1, core_devices(32)); /* never fits: blocks no job */
    policy_job third = core_submit(p, 0, (policy_queue){0}, 4, 1, core_devices(1));
    policy_job fourth = core_submit(p, 0, (policy_queue){0}, 5, 1, core_devices(1));
    core_decide(p, 0, 0);
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(p, fourth, &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_BEHIND);
    ck_assert_uint_eq(why.behind.i, first.i);
    ck_assert_uint_eq(why.behind.gen, first.gen);
    ck_assert_int_eq(why.behind_reason, POLICY_REASON_FRAGMENTED);
    ck_assert_uint_eq(why.jobs_before, 2);
    ck_assert_int_eq(policy_explain(p, third, &why), POLICY_OK);
    ck_assert_uint_eq(why.jobs_before, 1);
    ck_assert_int_eq(policy_explain(p, first, &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_FRAGMENTED);
    ck_assert_uint_eq(why.behind.i, POLICY_NO_ID);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(counted_devices_are_explained_by_their_count)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "fifo", "placement=count");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_submit(p, 0, q, 1, 1, core_devices(5));
    core_decide(p, 0, 1);
    policy_job job = core_submit(p, 0, q, 2, 2, core_devices(2));
    core_decide(p, 0, 0);
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(p, job, &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_DEVICES_BUSY);
    ck_assert_int_eq(why.free_milli, 3000);
    ck_assert_int_eq(why.free_whole, 3);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(a_short_struct_is_not_overrun)
{
    struct tally tally = {0};
    struct policy *p = scene(&tally, "");
    struct policy_explanation why = {.size = 8, .tasks = 77};
    ck_assert_int_eq(policy_explain(p, (policy_job){0, 0}, &why), POLICY_INVALID);
    ck_assert_int_eq(why.tasks, 77);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("explain");
    TCase *tcase = tcase_create("explain");
    tcase_add_loop_test(tcase, reasons_and_numbers, 0, ROWS(rows));
    tcase_add_test(tcase, down_nodes_are_named_as_the_reason);
    tcase_add_test(tcase, the_job_in_front_is_named);
    tcase_add_test(tcase, counted_devices_are_explained_by_their_count);
    tcase_add_test(tcase, a_short_struct_is_not_overrun);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
