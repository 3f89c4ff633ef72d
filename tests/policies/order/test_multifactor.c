/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The arithmetic of multifactor priority: points of a factor, and usage decay. */
#include "order/multifactor.h"
#include "tests/lib/harness.h"

#include <math.h>

#define UNIT PC_PRIORITY_UNIT
#define ONE  (UINT64_C(1) << 63)
#define DAY  INT64_C(86400000)

static const struct {
    int64_t weight, part, whole, points;
} weighed[] = {
    {1000, 7 * DAY, 7 * DAY, 1000 * UNIT}, /* waited for PriorityMaxAge: 1.0 */
    {1000, 7 * DAY / 2, 7 * DAY, 500 * UNIT},
    {1000, 0, 7 * DAY, 0},
    {0, 1, 1, 0},
    {10000, 3, 4, 7500 * UNIT},
    {1, 1, 3, UNIT / 3},
    {UINT32_MAX, 1, 1, UINT32_MAX *UNIT},
    {UINT32_MAX, 1024, 1, UINT32_MAX *UNIT * 1024}, /* ages before the base */
    {1000, 1, 7 * DAY, 1},                          /* 1 ms of waiting is more than none */
};

START_TEST(factors_are_weighed)
{
    ck_assert_int_eq(pc_weigh(weighed[_i].weight, weighed[_i].part, weighed[_i].whole),
                     weighed[_i].points);
}
END_TEST

/* Against the exponential of the C library, to 15 digits. */
START_TEST(use_fades_by_half)
{
    static const int64_t times[] = {1000, 300000, DAY / 2, DAY, 7 * DAY, 70 * DAY};
    static const int64_t lives[] = {1000, 60000, DAY, 7 * DAY, 365 * DAY};
    for (int i = 0; i < ROWS(times); i++)
        for (int k = 0; k < ROWS(lives); k++) {
            double expected = exp2(-(double)times[i] / (double)lives[k]);
            double got = ldexp((double)pc_faded(times[i], lives[k]), -63);
            ck_assert_msg(fabs(got - expected) < 1e-15, "%g, not %g", got, expected);
        }
    ck_assert_uint_eq(pc_faded(DAY, DAY), ONE / 2);
    ck_assert_uint_eq(pc_faded(3 * DAY, DAY), ONE / 8);
    ck_assert_uint_eq(pc_faded(64 * DAY, DAY), 0);
    ck_assert_uint_eq(pc_faded(DAY, 0), ONE); /* it does not */
    ck_assert_uint_eq(pc_fade(1000, ONE / 4), 250);
    ck_assert_uint_eq(pc_fade(UINT64_MAX, ONE), UINT64_MAX);
}
END_TEST

/* Many periods at once equal single periods, except for the rounding of each. */
START_TEST(periods_are_added_up)
{
    uint64_t faded = pc_faded(300000, 7 * DAY);
    for (uint64_t periods = 0; periods < 3000; periods += periods / 3 + 1) {
        uint64_t used = 123456789;
        for (uint64_t i = 0; i < periods; i++)
            used = pc_fade(used, faded) + 8000 * 300;
        uint64_t got = pc_fade_again(123456789, faded, 8000 * 300, periods);
        ck_assert_uint_le(used, got + periods + 20);
        ck_assert_uint_le(got, used + periods + 20);
    }
    ck_assert_uint_eq(pc_fade_again(5, ONE, 3, 1000000), 3000005); /* nothing fades */
    ck_assert_uint_eq(pc_fade_again(1024, ONE / 2, 0, 10), 1);
    /* 1,000 each time, then half remains: 2,000 in the end */
    ck_assert_uint_ge(pc_fade_again(0, ONE / 2, 1000, 1000), 1990);
    ck_assert_uint_le(pc_fade_again(0, ONE / 2, 1000, 1000), 2000);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("multifactor arithmetic");
    TCase *tcase = tcase_create("multifactor");
    tcase_add_loop_test(tcase, factors_are_weighed, 0, ROWS(weighed));
    tcase_add_test(tcase, use_fades_by_half);
    tcase_add_test(tcase, periods_are_added_up);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
