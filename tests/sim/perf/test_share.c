/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interference: the published tables, and values between their rows. */
#include "sim/perf/share.h"

#include "tests/lib/harness.h"

#include <string.h>

static const struct {
    enum perf_family a, b;
    double keeps;
} pair_rows[] = {
    {PERF_FAMILY_A3C, PERF_FAMILY_A3C, 0.72},
    {PERF_FAMILY_A3C, PERF_FAMILY_RESNET50, 0.61},
    {PERF_FAMILY_LM, PERF_FAMILY_RESNET50, 0.42},
    {PERF_FAMILY_RECSYS, PERF_FAMILY_CYCLEGAN, 0.82},
    {PERF_FAMILY_RESNET18, PERF_FAMILY_RESNET50, 0.41},
    {PERF_FAMILY_RESNET50, PERF_FAMILY_RESNET50, 0.52},
    {PERF_FAMILY_RESNET50, PERF_FAMILY_RESNET18, 0.73},
    {PERF_FAMILY_TRANSFORMER, PERF_FAMILY_A3C, 0.84},
    {PERF_FAMILY_TRANSFORMER, PERF_FAMILY_TRANSFORMER, 0.76},
};

START_TEST(families_keep_measured_values)
{
    struct perf_tenant a = {.family = pair_rows[_i].a}, b = {.family = pair_rows[_i].b};
    ck_assert_double_eq_tol(perf_pair_keeps(a, b), pair_rows[_i].keeps, 1e-12);
}
END_TEST

/* All pairs of the matrix: a job keeps 0.68 on average, two together 1.37. */
START_TEST(the_matrix_has_the_published_mean)
{
    double sum = 0;
    for (int a = 1; a < PERF_FAMILIES; a++) {
        for (int b = 1; b < PERF_FAMILIES; b++) {
            double keeps = perf_pair_keeps((struct perf_tenant){.family = (enum perf_family)a},
                                           (struct perf_tenant){.family = (enum perf_family)b});
            ck_assert_double_gt(keeps, 0);
            ck_assert_double_le(keeps, 1);
            sum += keeps;
        }
    }
    ck_assert_double_eq_tol(sum / 49, 0.68, 0.02);
}
END_TEST

/* 1.37 x 0.8 / 1.0 is more than all; 1.37 x 0.2 / 1.0 = 0.274; 1.37 / 2 if nothing is known. */
START_TEST(unknown_jobs_share_by_what_they_use)
{
    struct perf_tenant busy = {.utilization = 0.8}, light = {.utilization = 0.2},
                       unknown = {.utilization = 0};
    ck_assert_double_eq(perf_pair_keeps(busy, light), 1);
    ck_assert_double_eq_tol(perf_pair_keeps(light, busy), 0.274, 1e-12);
    ck_assert_double_eq_tol(perf_pair_keeps(unknown, busy), 0.685, 1e-12);
}
END_TEST

START_TEST(several_tenants)
{
    struct perf_tenant tenants[4] = {
        {.utilization = 0.5}, {.utilization = 0.5}, {.utilization = 0.5}, {.utilization = 0.5}};
    ck_assert_double_eq(perf_tenant_keeps(PERF_SHARING_MPS, tenants, 1, 0), 1);
    ck_assert_double_eq(perf_tenant_keeps(PERF_SHARING_TIMESLICES, tenants, 1, 0), 1);
    for (size_t n = 2; n <= 4; n++) {
        ck_assert_double_eq_tol((double)n * perf_tenant_keeps(PERF_SHARING_MPS, tenants, n, 0),
                                1.37, 1e-12);
        double slice = (double)n * perf_tenant_keeps(PERF_SHARING_TIMESLICES, tenants, n, 0);
        ck_assert_double_ge(slice, 0.90);
        ck_assert_double_le(slice, 0.98);
    }
}
END_TEST

static const struct {
    const char *gpu_type;
    int slices;
    double utilization, keeps;
} mig_rows[] = {
    {"a100", 1, 0, 14 / 108.0},  {"a100", 7, 0, 98 / 108.0}, {"a100", 3, 0.2, 1},
    {"a100", 2, 0.5, 28 / 54.0}, {"h100", 1, 1, 16 / 132.0}, {"b200", 3, 1, 54 / 148.0},
    {"other", 4, 1, 56 / 108.0},
};

START_TEST(instances_are_multiprocessors)
{
    ck_assert_double_eq_tol(
        perf_mig_keeps(mig_rows[_i].gpu_type, mig_rows[_i].slices, mig_rows[_i].utilization),
        mig_rows[_i].keeps, 1e-12);
}
END_TEST

/* On a V100 (speed 0.5): published points over the most; half a core is half of the first point. */
static const struct {
    enum perf_cpu_curve curve;
    double cores, keeps;
} cpu_rows[] = {
    {PERF_CPU_ALEXNET, 12, 1},         {PERF_CPU_ALEXNET, 3, 0.5 / 1.5},
    {PERF_CPU_ALEXNET, 9, 1.25 / 1.5}, {PERF_CPU_ALEXNET, 0.5, 0.1 / 1.5},
    {PERF_CPU_RESNET18, 4, 0.55},      {PERF_CPU_RESNET50, 1, 0.2},
    {PERF_CPU_RESNET50, 2.5, 0.75},    {PERF_CPU_RESNET50, 40, 1},
    {PERF_CPU_LANGUAGE, 1, 1},         {PERF_CPU_NONE, 0.1, 1},
};

START_TEST(cores_feed_devices)
{
    ck_assert_double_eq_tol(perf_cpu_keeps(cpu_rows[_i].curve, cpu_rows[_i].cores, 0.5),
                            cpu_rows[_i].keeps, 1e-12);
    /* A device twice as fast needs twice the cores. */
    ck_assert_double_eq_tol(perf_cpu_keeps(cpu_rows[_i].curve, cpu_rows[_i].cores * 2, 1),
                            cpu_rows[_i].keeps, 1e-12);
}
END_TEST

START_TEST(more_cores_never_harm_and_none_is_not_nothing)
{
    for (int curve = 0; curve < PERF_CPU_CURVES; curve++) {
        double before = perf_cpu_keeps((enum perf_cpu_curve)curve, 0, 1);
        ck_assert_double_gt(before, 0);
        for (int i = 1; i < 200; i++) {
            double keeps = perf_cpu_keeps((enum perf_cpu_curve)curve, i / 8.0, 1);
            ck_assert_double_ge(keeps, before);
            ck_assert_double_le(keeps, 1);
            before = keeps;
        }
    }
}
END_TEST

START_TEST(virtual_cards_have_names)
{
    ck_assert_double_eq(perf_vnic_find("direct")->share, 1);
    ck_assert_double_eq(perf_vnic_find("tcp-vnic")->share, 0.33);
    double pod = perf_vnic_find("pod-net")->share;
    ck_assert(pod >= 0.15 && pod <= 0.45);
    ck_assert_ptr_null(perf_vnic_find("pod"));
}
END_TEST

START_TEST(names_are_there)
{
    ck_assert_str_eq(perf_family_name(PERF_FAMILY_RESNET50), "resnet50");
    ck_assert_str_eq(perf_cpu_curve_name(PERF_CPU_LANGUAGE), "language");
    ck_assert_str_eq(perf_sharing_name(PERF_SHARING_TIMESLICES), "time-slicing");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("share");
    TCase *tcase = tcase_create("interference");
    tcase_add_loop_test(tcase, families_keep_measured_values, 0, ROWS(pair_rows));
    tcase_add_test(tcase, the_matrix_has_the_published_mean);
    tcase_add_test(tcase, unknown_jobs_share_by_what_they_use);
    tcase_add_test(tcase, several_tenants);
    tcase_add_loop_test(tcase, instances_are_multiprocessors, 0, ROWS(mig_rows));
    tcase_add_loop_test(tcase, cores_feed_devices, 0, ROWS(cpu_rows));
    tcase_add_test(tcase, more_cores_never_harm_and_none_is_not_nothing);
    tcase_add_test(tcase, virtual_cards_have_names);
    tcase_add_test(tcase, names_are_there);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
