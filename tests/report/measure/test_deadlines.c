/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One GPU, four jobs of 100 s one after the other from 0 s on, and one that never fits:
 *
 *     job   ends    deadline
 *     a     100     100        met, to the second
 *     b     200     150        50 s late
 *     c     300     none
 *     d     400     250        150 s late
 */
#include "tests/report/recorded.h"

static void begin(struct recorded *r)
{
    recorded_begin(r, "fifo", "", false);
    small_pool(&r->s, "p", 1, 1);
    small_job(&r->s, "a", 0, 100000, 1)->deadline_ms = 100000;
    small_job(&r->s, "b", 0, 100000, 1)->deadline_ms = 150000;
    small_job(&r->s, "c", 0, 100000, 1);
    small_job(&r->s, "d", 0, 100000, 1)->deadline_ms = 250000;
    small_job(&r->s, "never", 0, 100000, 2)->deadline_ms = 1000;
}

static const struct {
    int64_t horizon_s; /* without draining; 0: to the end */
    const char *path;
    double value;
} figures[] = {
    {0, "deadlines.jobs", 3},
    {0, "deadlines.met", 1},
    {0, "deadlines.missed", 2},
    {0, "deadlines.met_share", 1 / 3.0},
    {0, "deadlines.lateness_s.mean", 200 / 3.0},
    {0, "deadlines.lateness_s.p50", 50},
    {0, "deadlines.lateness_s.p95", 150},
    {0, "deadlines.lateness_s.max", 150},
    {0, "jobs.never_fits", 1},
    {120, "deadlines.jobs", 3}, /* a is met; b and d are still open */
    {120, "deadlines.met_share", 1},
    {160, "deadlines.met_share", 0.5}, /* b is late, and runs */
    {160, "deadlines.lateness_s.censored", 1},
};

START_TEST(lateness_is_measured)
{
    struct recorded r;
    begin(&r);
    if (figures[_i].horizon_s > 0) {
        r.s.config.horizon_ms = figures[_i].horizon_s * 1000;
        r.s.config.drain = false;
    }
    recorded_run(&r);
    ck_assert_double_eq_tol(recorded_number(&r, figures[_i].path), figures[_i].value, 1e-3);
    recorded_end(&r);
}
END_TEST

START_TEST(without_deadlines_there_is_no_share)
{
    struct recorded r;
    recorded_begin(&r, "fifo", "", false);
    small_pool(&r.s, "p", 1, 1);
    small_job(&r.s, "a", 0, 100000, 1);
    recorded_run(&r);
    ck_assert_double_eq_tol(recorded_number(&r, "deadlines.jobs"), 0, 1e-9);
    ck_assert(recorded_null(&r, "deadlines.met_share"));
    ck_assert(recorded_null(&r, "deadlines.lateness_s.mean"));
    recorded_end(&r);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deadlines");
    TCase *tcase = tcase_create("deadlines");
    tcase_add_loop_test(tcase, lateness_is_measured, 0, ROWS(figures));
    tcase_add_test(tcase, without_deadlines_there_is_no_share);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
