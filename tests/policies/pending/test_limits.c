/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queue limits with lanes: which jobs are held back, by which queue, and that no job waits behind
 * them. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

/* 8 devices. Department D may have 5, its queue `a` 3 and `b` is unlimited; `c` is outside. */
struct line {
    struct tally tally;
    struct policy *p;
    policy_queue d, a, b, c;
    policy_time now;
    uint64_t count;
};

static policy_queue queue(struct line *l, uint32_t parent, int64_t limit)
{
    struct policy_queue_spec spec = {.size = sizeof spec,
                                     .parent = {parent},
                                     .gpu = {0, limit < 0 ? limit : 1000 * limit, 1000}};
    policy_queue q = policy_add_queue(l->p, 0, &spec);
    ck_assert_uint_ne(q.i, POLICY_NO_ID);
    return q;
}

static void begin(struct line *l, const char *options)
{
    *l = (struct line){0};
    l->p = core_create(&l->tally, "fifo", options);
    core_node(l->p, 0, 8);
    l->d = queue(l, POLICY_NO_ID, 5);
    l->a = queue(l, l->d.i, 3);
    l->b = queue(l, l->d.i, -1);
    l->c = queue(l, POLICY_NO_ID, -1);
}

static policy_job submit(struct line *l, policy_queue q, int32_t devices)
{
    return core_submit(l->p, l->now, q, l->count++, 1, core_devices(devices));
}

static void expect(struct line *l, policy_time now, const char *decisions)
{
    char text[300];
    l->now = now;
    ck_assert_str_eq(core_decisions(l->p, now, text, sizeof text), decisions);
    core_is_sound(l->p);
}

static const char *const kinds[] = {"queue_limits=true", "queue_limits=true scope=queue",
                                    "queue_limits=true blocking=skip",
                                    "queue_limits=true backfilling=easy"};

START_TEST(limits_hold_back_only_their_jobs)
{
    struct line l;
    begin(&l, kinds[_i]);
    policy_job first = submit(&l, l.a, 2);
    policy_job second = submit(&l, l.a, 2);
    submit(&l, l.b, 3);
    policy_job third = submit(&l, l.b, 1);
    submit(&l, l.c, 1);
    expect(&l, 1, "0:0@0[0x03] 2:0@0[0x1c] 4:0@0[0x20]");
    struct policy_explanation why = {.size = sizeof why};
    ck_assert_int_eq(policy_explain(l.p, second, &why), POLICY_OK);
    ck_assert_int_eq(why.reason, POLICY_REASON_OVER_LIMIT);
    ck_assert_uint_eq(why.queue.i, l.a.i); /* the lowest exceeded queue */
    ck_assert_int_eq(why.queue_has, 2000);
    ck_assert_int_eq(why.queue_may, 3000);
    ck_assert_int_eq(why.job_wants, 2000);
    ck_assert_int_eq(policy_explain(l.p, third, &why), POLICY_OK);
    ck_assert_uint_eq(why.queue.i, l.d.i);
    struct policy_backlog backlog;
    ck_assert_int_eq(policy_backlog(l.p, l.a, &backlog), POLICY_OK);
    ck_assert_uint_eq(backlog.jobs[POLICY_REASON_OVER_LIMIT], 2);
    ck_assert_int_eq(backlog.gpu_milli[POLICY_REASON_OVER_LIMIT], 3000);
    ck_assert_int_eq(policy_task_ended(l.p, 2, first, POLICY_ALL_TASKS, POLICY_SUCCEEDED),
                     POLICY_OK);
    ck_assert(policy_has_work(l.p));
    expect(&l, 2, "1:0@0[0x03]");
    ck_assert_int_eq(core_reason(l.p, third), POLICY_REASON_OVER_LIMIT);
    core_destroy(l.p, &l.tally);
}
END_TEST

START_TEST(without_the_option_limits_are_no_matter)
{
    struct line l;
    begin(&l, "");
    submit(&l, l.a, 8);
    expect(&l, 1, "0:0@0[0xff]");
    core_destroy(l.p, &l.tally);
}
END_TEST

/* x waits for room as the first job. Then its queue gets more, and x exceeds its limit: c need not
 * wait behind it. */
START_TEST(pending_jobs_may_exceed_a_limit_later)
{
    struct line l;
    begin(&l, "queue_limits=true order=sjf");
    policy_job big = submit(&l, l.c, 7);
    expect(&l, 1, "0:0@0[0x7f]");
    policy_job x = submit(&l, l.a, 3);
    submit(&l, l.c, 2);
    expect(&l, 1, "");
    ck_assert_int_eq(core_reason(l.p, x), POLICY_REASON_DEVICES_BUSY);
    struct policy_role role = core_role(1, core_devices(1));
    struct policy_job_spec spec = core_job_spec(l.a, l.count++, &role, 1);
    spec.run_ms = 5; /* the shortest: before x */
    ck_assert_uint_ne(policy_submit(l.p, 2, &spec).i, POLICY_NO_ID);
    expect(&l, 2, "3:0@0[0x80]");
    ck_assert_int_eq(core_reason(l.p, x), POLICY_REASON_OVER_LIMIT);
    ck_assert_int_eq(policy_task_ended(l.p, 3, big, POLICY_ALL_TASKS, POLICY_SUCCEEDED), POLICY_OK);
    expect(&l, 3, "2:0@0[0x03]");
    core_destroy(l.p, &l.tally);
}
END_TEST

START_TEST(returning_victims_restore_shares)
{
    struct line l;
    begin(&l, "queue_limits=true");
    policy_job x = submit(&l, l.a, 3);
    expect(&l, 1, "0:0@0[0x07]");
    policy_job y = submit(&l, l.a, 1);
    expect(&l, 1, "");
    ck_assert_int_eq(policy_start_failed(l.p, 2, x), POLICY_OK);
    expect(&l, 2, "0:0@0[0x07]"); /* it is older */
    ck_assert_int_eq(policy_cancel(l.p, 3, y), POLICY_OK);
    ck_assert(!policy_has_work(l.p));
    core_destroy(l.p, &l.tally);
}
END_TEST

START_TEST(jobs_without_devices_have_no_limit)
{
    struct line l;
    begin(&l, "queue_limits=true");
    submit(&l, l.a, 3);
    submit(&l, l.a, 0);
    expect(&l, 1, "0:0@0[0x07] 1:0@0[0x00]");
    core_destroy(l.p, &l.tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("limits of queues");
    TCase *tcase = tcase_create("limits");
    tcase_add_loop_test(tcase, limits_hold_back_only_their_jobs, 0, ROWS(kinds));
    tcase_add_test(tcase, without_the_option_limits_are_no_matter);
    tcase_add_test(tcase, pending_jobs_may_exceed_a_limit_later);
    tcase_add_test(tcase, returning_victims_restore_shares);
    tcase_add_test(tcase, jobs_without_devices_have_no_limit);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
