/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs that may go ahead of the first pending job, and where: small cases by hand. Times and limits
 * in milliseconds. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

static policy_job submit(struct policy *p, policy_queue q, uint64_t rank,
                         struct policy_request request, int64_t limit_ms)
{
    const struct policy_role role = core_role(1, request);
    struct policy_job_spec spec = core_job_spec(q, rank, &role, 1);
    spec.limit_ms = limit_ms;
    return policy_submit(p, 0, &spec);
}

/*
 * Two nodes of 8. `a` has 6 of the first until 100, `b` 4 of the second until 300. `first` needs 8
 * of one node: it can have the first node at 100. Until then its 2 free devices are only for jobs
 * that end by 100; the 4 of the second node are for any job.
 */
static struct policy *two_nodes(struct tally *tally, policy_queue *q, const char *options)
{
    struct policy *p = core_create(tally, "easy", options);
    *q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    core_node(p, 1, 8);
    submit(p, *q, 1, core_devices(6), 100);
    submit(p, *q, 2, core_devices(4), 300);
    char text[200];
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), "0:0@0[0x3f] 1:0@1[0x0f]");
    submit(p, *q, 3, core_devices(8), 50);
    core_decide(p, 0, 0);
    return p;
}

START_TEST(places_of_the_first_are_kept)
{
    static const struct {
        int32_t devices;
        int64_t limit;
        const char *expected;
    } rows[] = {
        {2, 100, "3:0@0[0xc0]"},              /* ends in time: best fit */
        {2, 101, "3:0@1[0x30]"},              /* does not: elsewhere */
        {2, -1, "3:0@1[0x30]"},               /* unknown end */
        {4, 500, "3:0@1[0xf0]"}, {5, 10, ""}, /* there is no room anyway */
    };
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = two_nodes(&tally, &q, "");
    char text[200];
    submit(p, q, 4, core_devices(rows[_i].devices), rows[_i].limit);
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), rows[_i].expected);
    core_destroy(p, &tally);
}
END_TEST

START_TEST(frozen_knows_its_time_only)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = two_nodes(&tally, &q, "easy_variant=frozen");
    char text[200];
    submit(p, q, 4, core_devices(2), 101);
    submit(p, q, 5, core_devices(2), 100);
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), "4:0@0[0xc0]");
    core_destroy(p, &tally);
}
END_TEST

START_TEST(jobs_that_may_go_ahead_say_why_they_do_not)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = two_nodes(&tally, &q, "");
    submit(p, q, 4, core_devices(4), 500);
    policy_job delays = submit(p, q, 5, core_devices(2), 500);
    policy_job no_room = submit(p, q, 6, core_devices(3), 1);
    const struct policy_decision *d = core_decide(p, 0, 1);
    ck_assert_int_eq(d[0].action, POLICY_BACKFILL);
    ck_assert_int_eq(core_reason(p, delays), POLICY_REASON_RESERVED);
    ck_assert_int_eq(core_reason(p, no_room), POLICY_REASON_DEVICES_BUSY);
    core_destroy(p, &tally);
}
END_TEST

/* Of 1,000 thousandths 600 are held until 100; the first job needs 700 of that device: 300 more
 * than will be released. */
START_TEST(shares_of_a_device_are_reserved)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 1);
    char text[200];
    submit(p, q, 1, core_share(600), 100);
    core_decide(p, 0, 1);
    submit(p, q, 2, core_share(700), 50);
    submit(p, q, 3, core_share(350), 101);
    submit(p, q, 4, core_share(250), 101);
    submit(p, q, 5, core_share(100), 100);
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), "3:0@0[0x01] 4:0@0[0x01]");
    core_destroy(p, &tally);
}
END_TEST

/* The first job needs 12 of 16 cores, 10 of which will be released in time: 2 of the 6 free ones
 * must stay free. */
START_TEST(cores_are_reserved)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "");
    policy_queue q = core_queue(p, NULL, 0);
    struct policy_node_spec node = core_node_spec(0, 8);
    node.cpu_milli = 16000;
    policy_add_node(p, 0, &node);
    struct policy_request r = core_devices(1);
    r.cpu_milli = 10000;
    submit(p, q, 1, r, 100);
    core_decide(p, 0, 1);
    char text[200];
    r.cpu_milli = 12000;
    submit(p, q, 2, r, 50);
    r.cpu_milli = 5000;
    submit(p, q, 3, r, 101);
    r.cpu_milli = 4000;
    submit(p, q, 4, r, 101);
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), "3:0@0[0x02]");
    core_destroy(p, &tally);
}
END_TEST

/* The only node that the first job could use is down: no job can delay it. */
START_TEST(no_job_delays_one_without_a_time)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "");
    policy_queue q = core_queue(p, NULL, 0);
    policy_node large = core_node(p, 0, 8);
    core_node(p, 1, 4);
    policy_set_node_state(p, 0, large, POLICY_NODE_DOWN);
    char text[200];
    submit(p, q, 1, core_devices(8), 10);
    submit(p, q, 2, core_devices(4), -1);
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), "1:0@1[0x0f]");
    core_destroy(p, &tally);
}
END_TEST

/* Each queue has its own lane on the same node; a backfilled job of one respects the first job of
 * the other. */
START_TEST(lines_respect_each_other)
{
    struct tally tally = {0};
    struct policy *p = core_create(&tally, "easy", "scope=queue");
    policy_queue q = core_queue(p, NULL, 0);
    policy_queue other = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    char text[200];
    submit(p, q, 1, core_devices(6), 100);
    core_decide(p, 0, 1);
    submit(p, q, 2, core_devices(8), 10);
    submit(p, other, 3, core_devices(3), 10);
    submit(p, other, 4, core_devices(1), 101);
    submit(p, other, 5, core_devices(1), 99);
    ck_assert_str_eq(core_decisions(p, 0, text, sizeof text), "4:0@0[0x40]");
    core_destroy(p, &tally);
}
END_TEST

START_TEST(backfill_needs_a_line)
{
    struct tally tally = {0};
    struct policy_config config = {.size = sizeof config};
    struct policy_error error;
    ck_assert_int_eq(policy_config_init(&config, "easy", tally_allocator(&tally), &error),
                     POLICY_OK);
    ck_assert_int_eq(policy_config_set(&config, "blocking", "skip", &error), POLICY_OK);
    ck_assert_ptr_null(policy_create(&config, &error));
    ck_assert_int_eq(error.status, POLICY_INVALID);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backfill easy");
    TCase *tcase = tcase_create("backfill easy");
    tcase_add_loop_test(tcase, places_of_the_first_are_kept, 0, 5);
    tcase_add_test(tcase, frozen_knows_its_time_only);
    tcase_add_test(tcase, jobs_that_may_go_ahead_say_why_they_do_not);
    tcase_add_test(tcase, shares_of_a_device_are_reserved);
    tcase_add_test(tcase, cores_are_reserved);
    tcase_add_test(tcase, no_job_delays_one_without_a_time);
    tcase_add_test(tcase, lines_respect_each_other);
    tcase_add_test(tcase, backfill_needs_a_line);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
