/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conservative backfill: the jobs that may go ahead, and the times reserved for the others,
 * computed by hand. Times and limits in milliseconds; devices are only counted.
 */
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
 * 8 counted devices, 6 held until 100. EASY backfills 2 devices until 150 next to the first job,
 * which needs 5 at 100 and leaves 3; the second had 8 reserved at 150 and is not delayed by that.
 * Conservatively, a job until 151 may not start.
 */
START_TEST(conservatively_no_job_is_delayed)
{
    static const struct {
        const char *preset;
        int64_t limit;
        const char *expected;
    } rows[] = {
        {"easy", 151, "3"},
        {"conservative", 151, ""},
        {"conservative", 150, "3"},
    };
    struct tally tally = {0};
    struct policy *p = core_create(&tally, rows[_i].preset, "placement=count");
    policy_queue q = core_queue(p, NULL, 0);
    core_node(p, 0, 8);
    submit(p, q, 1, core_devices(6), 100);
    core_decide(p, 0, 1);
    submit(p, q, 2, core_devices(5), 50);
    submit(p, q, 3, core_devices(8), 10);
    policy_job last = submit(p, q, 4, core_devices(2), rows[_i].limit);
    size_t count = rows[_i].expected[0] != '\0';
    const struct policy_decision *d = core_decide(p, 0, count);
    if (count > 0)
        ck_assert_uint_eq(d[0].job.i, last.i);
    core_decide(p, 50, 0);
    core_destroy(p, &tally);
}
END_TEST

/* The time reserved for a job; -1: none. */
static policy_time reserved(const struct policy *p, policy_job job)
{
    uint64_t next = 0;
    struct policy_history h = {.size = sizeof h};
    while (policy_history(p, &next, &h))
        if (h.kind == POLICY_HISTORY_PROMISE && h.job.i == job.i)
            return h.at;
    return -1;
}

static struct policy *make(struct tally *tally, policy_queue *q)
{
    struct policy *p = core_create(tally, "conservative", "placement=count");
    *q = core_queue(p, NULL, 0);
    core_node(p, 0, 4);
    return p;
}

/* 3 of 4 devices are held until 100. b needs all: 100 to 150. c ends by 100 and starts at once; d,
 * 1 ms longer, after b. */
START_TEST(gaps_are_filled_where_they_are_wide_enough)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, &q);
    submit(p, q, 1, core_devices(3), 100);
    core_decide(p, 0, 1);
    policy_job b = submit(p, q, 2, core_devices(4), 50);
    policy_job c = submit(p, q, 3, core_devices(1), 100);
    policy_job d = submit(p, q, 4, core_devices(1), 101);
    const struct policy_decision *started = core_decide(p, 0, 1);
    ck_assert_uint_eq(started[0].job.i, c.i);
    ck_assert_int_eq(reserved(p, b), 100);
    ck_assert_int_eq(reserved(p, d), 150);
    core_destroy(p, &tally);
}
END_TEST

/*
 * a holds all 4 until 100; b and c (2 devices, 100 ms each) follow side by side, then d, which
 * needs all: at 200. a ends at 60: b and c start, and d, which comes after them, moves up to 160.
 */
START_TEST(an_early_end_moves_all_up)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, &q);
    policy_job a = submit(p, q, 1, core_devices(4), 100);
    core_decide(p, 0, 1);
    policy_job b = submit(p, q, 2, core_devices(2), 100);
    policy_job c = submit(p, q, 3, core_devices(2), 100);
    policy_job d = submit(p, q, 4, core_devices(4), 50);
    core_decide(p, 0, 0);
    ck_assert_int_eq(reserved(p, b), 100);
    ck_assert_int_eq(reserved(p, c), 100);
    ck_assert_int_eq(reserved(p, d), 200);
    ck_assert_int_eq(policy_task_ended(p, 60, a, POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    core_decide(p, 60, 2);
    ck_assert_int_eq(reserved(p, d), 160);
    ck_assert_int_eq(policy_task_ended(p, 160, b, POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    core_decide(p, 160, 0);
    ck_assert_int_eq(policy_task_ended(p, 160, c, POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    core_decide(p, 160, 1);
    core_destroy(p, &tally);
}
END_TEST

/* After a job with an unknown end no time is reserved: jobs that fit next to it start, the others
 * wait. */
START_TEST(without_an_end_there_is_no_time)
{
    struct tally tally = {0};
    policy_queue q;
    struct policy *p = make(&tally, &q);
    submit(p, q, 1, core_devices(3), -1);
    core_decide(p, 0, 1);
    policy_job b = submit(p, q, 2, core_devices(2), 50);
    submit(p, q, 3, core_devices(1), 1000000);
    core_decide(p, 0, 1);
    ck_assert_int_eq(reserved(p, b), -1);
    core_destroy(p, &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backfill conservative");
    TCase *tcase = tcase_create("backfill conservative");
    tcase_add_loop_test(tcase, conservatively_no_job_is_delayed, 0, 3);
    tcase_add_test(tcase, gaps_are_filled_where_they_are_wide_enough);
    tcase_add_test(tcase, an_early_end_moves_all_up);
    tcase_add_test(tcase, without_an_end_there_is_no_time);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
