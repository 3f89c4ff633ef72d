/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases of demand have the requested lengths and levels, and depend on seed, job and phase only.
 */
#include "sim/memory/demand.h"
#include "tests/lib/harness.h"

enum { PHASES = 20000 };

START_TEST(phases_have_their_means)
{
    const struct memory_rules rules = {.grow_ppm = 300000, .phase_ms = 600000};
    double sum[2] = {0, 0};
    for (uint32_t phase = 0; phase < PHASES; phase++)
        sum[phase % 2] += (double)memory_phase_ms(&rules, 1, 5, phase);
    /* Means of 840 and 360 s; the standard error is 1 % of each. */
    ck_assert_double_eq_tol(sum[0] / (PHASES / 2), 840000, 0.04 * 840000);
    ck_assert_double_eq_tol(sum[1] / (PHASES / 2), 360000, 0.04 * 360000);
}
END_TEST

START_TEST(levels_are_even)
{
    const struct memory_rules rules = {.grow_ppm = 300000, .least_ppm = 400000, .phase_ms = 600000};
    double sum = 0;
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        int32_t level = memory_level_ppm(&rules, 1, 5, phase);
        ck_assert(level >= 400000 && level <= 1000000);
        sum += level;
    }
    ck_assert_double_eq_tol(sum / PHASES, 700000, 4 * 173205 / 141.0); /* sd (b - a) / sqrt 12 */
}
END_TEST

START_TEST(draws_are_their_own)
{
    const struct memory_rules rules = {.grow_ppm = 500000, .phase_ms = 600000};
    ck_assert_int_eq(memory_phase_ms(&rules, 1, 5, 3), memory_phase_ms(&rules, 1, 5, 3));
    ck_assert_int_ne(memory_phase_ms(&rules, 1, 5, 3), memory_phase_ms(&rules, 2, 5, 3));
    ck_assert_int_ne(memory_phase_ms(&rules, 1, 5, 3), memory_phase_ms(&rules, 1, 6, 3));
    ck_assert_int_ne(memory_phase_ms(&rules, 1, 5, 3), memory_phase_ms(&rules, 1, 5, 5));
    ck_assert_int_ne(memory_level_ppm(&rules, 1, 5, 3), memory_level_ppm(&rules, 1, 5, 5));
}
END_TEST

START_TEST(extremes)
{
    const struct memory_rules always = {.grow_ppm = 1000000, .least_ppm = 1000000, .phase_ms = 1};
    const struct memory_rules half = {.grow_ppm = 500000, .phase_ms = 1};
    ck_assert_uint_eq(memory_first_phase(&always, 0), 1);
    ck_assert_uint_eq(memory_first_phase(&always, 1), 1);
    ck_assert_uint_eq(memory_first_phase(&half, 0), 0);
    ck_assert_int_eq(memory_level_ppm(&always, 9, 9, 1), 1000000);
    ck_assert_int_eq(memory_level_mib(100, 300, 1000000), 300);
    ck_assert_int_eq(memory_level_mib(100, 300, 500000), 200);
    ck_assert_int_eq(memory_level_mib(100, 300, 1), 101);
    ck_assert_int_eq(memory_level_mib(100, 300, 0), 100);
    ck_assert_int_eq(memory_level_mib(100, 50, 1000000), 100);
    ck_assert_int_ge(memory_phase_ms(&always, 1, 1, 0), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("demand");
    TCase *tcase = tcase_create("demand");
    tcase_add_test(tcase, phases_have_their_means);
    tcase_add_test(tcase, levels_are_even);
    tcase_add_test(tcase, draws_are_their_own);
    tcase_add_test(tcase, extremes);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
