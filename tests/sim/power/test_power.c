/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power of a node: arithmetic by hand, unknown values, and the measurements behind the formula.
 */
#include "sim/power/power.h"
#include "tests/lib/harness.h"

#include <math.h>

static const struct power_row {
    double idle_w, peak_w, u, watts;
} power_rows[] = {
    {2000, 10200, 0, 2000},
    {2000, 10200, 1, 8160},   // 0.8 * 10200
    {2000, 10200, 0.5, 5080}, // 2000 + 0.5 * 6160
    {1500, 6500, 0.25, 2425}, // 1500 + 0.25 * 3700: two devices of eight
    {1500, 6500, -0.1, 1500},
    {1500, 6500, 1.7, 5200},
    {1500, 6500, (double)NAN, 1500},
    {0, 6000, 0.5, 2400}, // idle not known
    {300, 0, 0.5, 0},     // nameplate not known
    {900, 1000, 0, 900},  // idles above 0.8 of the nameplate
    {900, 1000, 1, 900},
    {0, 0, 1, 0},
};

START_TEST(power_is_linear_in_utilization)
{
    const struct power_row *row = &power_rows[_i];
    struct node_traits node = {.idle_w = row->idle_w, .peak_w = row->peak_w};
    ck_assert_double_eq_tol(power_node_w(&node, row->u), row->watts, 1e-9);
}
END_TEST

/*
 * A DGX H100 at work: at most 8.4 kW, or 76 % of 10.2 kW in compute-intensive phases. The formula's
 * full load is between the two, within 6 % of each.
 */
START_TEST(full_load_is_as_measured)
{
    struct node_traits node = {.idle_w = 2000, .peak_w = 10200};
    double full = power_node_w(&node, 1);
    ck_assert_double_le(full, 8400);
    ck_assert_double_ge(full, 0.76 * 10200);
    ck_assert_double_eq_tol(full / 8400, 1, 0.06);
    ck_assert_double_eq_tol(full / (0.76 * 10200), 1, 0.06);
}
END_TEST

static const struct energy_row {
    double watts;
    int64_t ms;
    double kwh;
} energy_rows[] = {
    {1000, 3600000, 1}, {8160, 86400000, 195.84}, // a day
    {5000, 0, 0},       {0, 86400000, 0},         {250, 900000, 0.0625},
};

START_TEST(energy_is_power_times_time)
{
    ck_assert_double_eq_tol(power_kwh(energy_rows[_i].watts, energy_rows[_i].ms),
                            energy_rows[_i].kwh, 1e-9);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("power");
    TCase *tcase = tcase_create("power");
    tcase_add_loop_test(tcase, power_is_linear_in_utilization, 0, ROWS(power_rows));
    tcase_add_test(tcase, full_load_is_as_measured);
    tcase_add_loop_test(tcase, energy_is_power_times_time, 0, ROWS(energy_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
