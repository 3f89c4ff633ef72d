/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packing studies: one arrival after the other, nothing leaves, jobs that do not fit are dropped.
 */
#include "tests/sim/small.h"

static void fill(struct small *s, const int64_t *order, size_t count)
{
    ck_assert_msg(small_create(s) && sim_fill(s->sim, s->jobs, order, count, &s->err) &&
                      sim_finish(s->sim, &s->err),
                  "%s", s->err.msg);
}

START_TEST(fitting_tasks_stay_and_others_are_dropped)
{
    struct small s;
    small_begin(&s, "best-fit", "");
    small_pool(&s, "p", 2, 2);
    small_job(&s, "one", 50000, 1000, 1); /* times do not matter */
    small_job(&s, "two", -40000, 0, 2)->eligible_ms = 90000;
    small_job(&s, "never", 0, 1000, 9);
    small_job(&s, "cpu", 0, 1000, 0);
    static const int64_t order[] = {0, 1, 2, 1, 0, 0, 3};
    fill(&s, order, ROWS(order));
    ck_assert_str_eq(
        s.log, "submit one 0; start one 0; submit two 0; start two 0; submit never 0; drop never "
               "0; submit two 0; drop two 0; submit one 0; start one 0; submit one 0; drop one 0; "
               "submit cpu 0; start cpu 0; ");
    ck_assert_uint_eq(s.sim->submitted, 7);
    ck_assert_uint_eq(s.sim->running, 4);
    ck_assert_uint_eq(s.sim->ended, 3);
    ck_assert_uint_eq(s.sim->pending, 0);
    ck_assert_int_eq(s.fleet.milli_used, 4000);
    ck_assert_int_eq(s.sim->now_ms, 0);
    small_end(&s);
}
END_TEST

/* A dropped job does not hold up the next one, even if jobs wait in strict order. */
START_TEST(dropped_jobs_block_no_others)
{
    struct small s;
    small_begin(&s, "fifo", "blocking=strict scope=fleet");
    small_pool(&s, "p", 1, 4);
    small_job(&s, "big", 0, 1000, 3);
    small_job(&s, "small", 0, 1000, 1);
    static const int64_t order[] = {0, 0, 1, 0, 1};
    fill(&s, order, ROWS(order));
    ck_assert_str_eq(s.log,
                     "submit big 0; start big 0; submit big 0; drop big 0; submit small 0; start "
                     "small 0; submit big 0; drop big 0; submit small 0; drop small 0; ");
    small_end(&s);
}
END_TEST

START_TEST(an_empty_order_leaves_an_empty_fleet)
{
    struct small s;
    small_begin(&s, "best-fit", "");
    small_pool(&s, "p", 1, 4);
    small_job(&s, "a", 0, 1000, 1);
    fill(&s, NULL, 0);
    ck_assert_int_eq(s.fleet.milli_used, 0);
    ck_assert_int_eq(s.sim->window_end_ms, 0);
    small_end(&s);
}
END_TEST

START_TEST(a_job_that_cannot_be_simulated_ends_it)
{
    struct small s;
    small_begin(&s, "best-fit", "");
    small_pool(&s, "p", 1, 4);
    small_job(&s, "a", 0, 1000, WORK_MOST_GPUS + 1);
    static const int64_t order[] = {0};
    ck_assert(small_create(&s) && !sim_fill(s.sim, s.jobs, order, 1, &s.err));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    harness_contains(s.err.msg, "job 'a'");
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill");
    TCase *tcase = tcase_create("fill");
    tcase_add_test(tcase, fitting_tasks_stay_and_others_are_dropped);
    tcase_add_test(tcase, dropped_jobs_block_no_others);
    tcase_add_test(tcase, an_empty_order_leaves_an_empty_fleet);
    tcase_add_test(tcase, a_job_that_cannot_be_simulated_ends_it);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
