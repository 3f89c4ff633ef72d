/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Overheads by the size of a job. */
#include "sim/work/overhead.h"
#include "tests/lib/harness.h"

static const struct work_overheads helios = {.preempt = {{1, 7}, {8, 30}, {WORK_ANY_SIZE, 60}},
                                             .preempt_count = 3};

static const struct {
    int64_t gpu_milli, expected;
} rows[] = {
    {0, 7},     {250, 7},   {1000, 7},  {1001, 30},    {2000, 30},
    {8000, 30}, {8001, 60}, {9000, 60}, {4096000, 60},
};

START_TEST(sizes_have_their_overhead)
{
    static const struct work_overheads none = {.launch_ms = 5};
    ck_assert_int_eq(work_overhead_ms(&helios, rows[_i].gpu_milli), rows[_i].expected);
    ck_assert_int_eq(work_overhead_ms(&none, rows[_i].gpu_milli), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("overhead");
    TCase *tcase = tcase_create("overhead");
    tcase_add_loop_test(tcase, sizes_have_their_overhead, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
