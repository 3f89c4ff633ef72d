/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads: queries about steps against a naive twin; synthetic loads by their formula. */
#include "sim/services/load.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>

#define HOUR_MS INT64_C(3600000)

static const struct load_row rows[] = {
    {0, 3000}, {1000, 0}, {1001, 70000}, {60000, 500}, {61000, 9000},
};

enum { COUNT = sizeof rows / sizeof *rows };

static int64_t rate_of(int64_t at_ms)
{
    int64_t rate = 0;
    for (size_t i = 0; i < COUNT; i++)
        rate = rows[i].at_ms <= at_ms ? rows[i].milli : rate;
    return rate;
}

START_TEST(steps_are_as_given)
{
    struct load load;
    load_given(&load, rows, COUNT);
    static const int64_t times[] = {0, 1, 999, 1000, 1001, 1002, 59999, 60000, 60001, 61000, 70000};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        int64_t next = INT64_MAX;
        for (size_t k = COUNT; k > 0; k--)
            next = rows[k - 1].at_ms > times[i] ? rows[k - 1].at_ms : next;
        ck_assert_int_eq(load_at(&load, times[i]), rate_of(times[i]));
        ck_assert_int_eq(load_next(&load, times[i]), next);
        for (size_t k = i; k < sizeof times / sizeof *times; k++) {
            int64_t sum = 0, most = rate_of(times[k]);
            for (int64_t t = times[i]; t < times[k]; t++) {
                sum += rate_of(t);
                most = rate_of(t) > most ? rate_of(t) : most;
            }
            ck_assert(load_between(&load, times[i], times[k]) == sum);
            ck_assert_int_eq(load_most(&load, times[i], times[k]), most);
        }
    }
    load_fini(&load);
}
END_TEST

static const struct load_shape plain = {
    .base_rps = 20, .peak_rps = 100, .peak_hour = 15, .weekend = 0.5, .step_ms = HOUR_MS / 2};

/* The peak at 15:00 is in the middle between two steps; half a day later the load is at its base.
 */
START_TEST(a_day_has_its_peak_and_the_weekend_half_of_it)
{
    struct load load;
    load_make(&load, &plain, 14 * 24 * HOUR_MS, 1, 0);
    ck_assert_uint_eq(load.count, 14 * 48 + 1);
    double near_peak = 20 + 80 * (1 + cos(2 * acos(-1.0) * 0.25 / 24)) / 2;
    double near_base = 20 + 80 * (1 - cos(2 * acos(-1.0) * 0.25 / 24)) / 2;
    for (int day = 0; day < 14; day++) {
        double share = day % 7 < 5 ? 1 : 0.5;
        int64_t at = (day * 24 + 15) * HOUR_MS;
        ck_assert_int_eq(load_at(&load, at), llround(1000 * (20 + (near_peak - 20) * share)));
        ck_assert_int_eq(load_at(&load, at - 1), load_at(&load, at));
        ck_assert_int_eq(load_most(&load, day * 24 * HOUR_MS, (day + 1) * 24 * HOUR_MS - 1),
                         load_at(&load, at));
        ck_assert_int_eq(load_at(&load, at - 12 * HOUR_MS),
                         llround(1000 * (20 + (near_base - 20) * share)));
    }
    load_fini(&load);
}
END_TEST

/* Mean 1 and the requested spread, keyed by seed and entity, independent of the length of the run.
 */
START_TEST(noise_is_as_loud_as_asked_for)
{
    struct load_shape flat = {
        .base_rps = 1000, .peak_rps = 1000, .weekend = 1, .noise = 0.2, .step_ms = 60000};
    struct load load, longer, other;
    load_make(&load, &flat, 20000 * INT64_C(60000), 7, 3);
    load_make(&longer, &flat, 30000 * INT64_C(60000), 7, 3);
    load_make(&other, &flat, 100 * INT64_C(60000), 7, 4);
    double sum = 0, squares = 0;
    int same = 0;
    for (size_t i = 0; i < 20000; i++) {
        double log_rate = log((double)load.milli[i] / 1e6);
        ck_assert_int_eq(load.milli[i], longer.milli[i]);
        same += i < 100 && load.milli[i] == other.milli[i];
        sum += (double)load.milli[i] / 1e6;
        squares += (log_rate + 0.02) * (log_rate + 0.02);
    }
    ck_assert_int_eq(same, 0);
    ck_assert_double_eq_tol(sum / 20000, 1, 4 * 0.2 / sqrt(20000));
    ck_assert_double_eq_tol(sqrt(squares / 20000), 0.2, 4 * 0.2 / sqrt(2 * 20000));
    load_fini(&load);
    load_fini(&longer);
    load_fini(&other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("load");
    TCase *tcase = tcase_create("load");
    tcase_set_timeout(tcase, 0);
    tcase_add_test(tcase, steps_are_as_given);
    tcase_add_test(tcase, a_day_has_its_peak_and_the_weekend_half_of_it);
    tcase_add_test(tcase, noise_is_as_loud_as_asked_for);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
