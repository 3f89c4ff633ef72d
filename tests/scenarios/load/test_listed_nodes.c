/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traits of the nodes of a list, by arithmetic from the published watts of their parts. */
#include "scenarios/load/listed_nodes.h"

#include "sim/power/power.h"
#include "tests/lib/harness.h"

/*
 * 96 virtual cores are 48, two packages of 32: 8 x 30 + 2 x 20 and 8 x 150 + 2 x 270. 104 are 52,
 * three packages of 24. 82 are 41, three of 16. 64 are 32, two of 16. 83 are 42. With unknown cores
 * only devices count.
 */
static const struct {
    const char *name, *known_as;
    int gpus;
    int64_t cpu_milli;
    double idle_w, full_w;
} rows[] = {
    {"G2", "a10", 8, 96000, 280, 1740},
    {"T4", "t4", 2, 104000, 80, 635},
    {"V100M16", "v100", 8, 82000, 300, 2955},
    {"V100M32", "v100", 8, 96000, 300, 2955},
    {"P100", "p100", 2, 64000, 80, 740},
    {"G3", "a100", 8, 128000, 440, 3740},
    {"A10", "a10", 1, 128000, 70, 690},
    {"P100", "p100", 1, 32001, 55, 490},
    {"T4", "t4", 1, -1, 10, 70},
};

START_TEST(watts_are_those_of_the_parts)
{
    const struct listed_gpu *gpu = listed_gpu_find(rows[_i].name);
    ck_assert_ptr_nonnull(gpu);
    ck_assert_str_eq(gpu->known_as, rows[_i].known_as);
    ck_assert_str_ne(gpu->source, "");
    struct node_traits traits = listed_traits(gpu, rows[_i].gpus, rows[_i].cpu_milli);
    ck_assert_double_eq_tol(power_node_w(&traits, 0), rows[_i].idle_w, 1e-9);
    ck_assert_double_eq_tol(power_node_w(&traits, 1), rows[_i].full_w, 1e-9);
    ck_assert_int_eq(traits.nvlink_nodes, 1);
    ck_assert(!(traits.usd > 0) && !(traits.usd_per_hour > 0)); /* unknown */
}
END_TEST

START_TEST(others_are_unknown)
{
    ck_assert_ptr_null(listed_gpu_find("H100"));
    ck_assert_ptr_null(listed_gpu_find("v100m16"));
    ck_assert_ptr_null(listed_gpu_find(""));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("listed_nodes");
    TCase *tcase = tcase_create("listed_nodes");
    tcase_add_loop_test(tcase, watts_are_those_of_the_parts, 0, ROWS(rows));
    tcase_add_test(tcase, others_are_unknown);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
