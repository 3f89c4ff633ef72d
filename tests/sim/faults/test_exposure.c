/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fleets exposed for as long as published ones, and their faults: totals, classes, availability,
 * memory. Memoryless mode unless noted; failed parts are replaced at once, or ignored while their
 * node is out.
 */
#include "sim/faults/repair.h"
#include "tests/lib/faults.h"

#include <math.h>
#include <stdlib.h>

#define LLAMA_NODES 2048
#define LLAMA_DAYS  54
#define LLAMA_STOPS 419

static struct fault_profile exponential(const char *name)
{
    struct fault_profile profile = test_profile(name);
    fault_profile_exponential(&profile);
    return profile;
}

/* Only counted classes, at a rate per 1,000 node-days; returns the mean time between their faults
 * in hours, over many years. */
static double simulated_mttf_hours(const char *name, double knd, uint32_t nodes, double faults)
{
    struct fault_profile profile = exponential(name);
    fault_profile_only(&profile, fault_profile_counted(&profile));
    fault_profile_rescale(&profile, knd, FAULT_USUAL_GPUS);
    struct fault_pool pool = test_pool(&profile, nodes);
    double days = faults / (nodes * knd / 1000);
    struct fault_plan plan = test_plan(&pool, days);
    struct test_counts counts = {0};
    test_count(&plan, 1, &counts);
    return days * 24 / counts.all;
}

/* arXiv 2410.21680; 20,000 faults leave a noise of 0.7 %. */
static const struct mttf_row {
    const char *profile;
    double knd;
    uint32_t nodes;
    double hours, tolerance;
} mttf_rows[] = {
    {"a100_busy", 6.50, 2048, 1.803, 0.02}, {"a100_busy", 6.50, 16384, 0.225, 0.02},
    {"a100_busy", 6.50, 512, 7.21, 0.02},   {"a100_good", 2.34, 512, 20.0, 0.02},
    {"a100_busy", 22, 1, 45.5 * 24, 0.1},   {"a100_busy", 22, 128, 8.5, 0.1},
};

START_TEST(mttf_by_size)
{
    const struct mttf_row *row = &mttf_rows[_i];
    // A single node would need too many years.
    double faults = row->nodes == 1 ? 600 : 20000;
    double hours = simulated_mttf_hours(row->profile, row->knd, row->nodes, faults);
    ck_assert_double_eq_tol(hours, row->hours, row->tolerance * row->hours);
}
END_TEST

/* Llama 3: 419 unexpected stops and 47 planned ones of 2,048 nodes in 54 days, one run and a
 * hundred. */
static void count_llama(int runs, bool planned, struct test_counts *counts, double *least,
                        double *most)
{
    struct fault_profile profile = exponential("h100");
    uint32_t mask = fault_profile_counted(&profile) | (planned ? 1u << FAULT_MAINTENANCE : 0);
    fault_profile_only(&profile, mask);
    struct fault_pool pool = test_pool(&profile, LLAMA_NODES);
    struct fault_plan plan = test_plan(&pool, LLAMA_DAYS);
    *least = HUGE_VAL;
    *most = 0;
    for (int run = 0; run < runs; run++) {
        double before = counts->all;
        test_count(&plan, (uint64_t)run, counts);
        *least = fmin(*least, counts->all - before);
        *most = fmax(*most, counts->all - before);
    }
}

START_TEST(stops_of_llama_3)
{
    struct test_counts counts = {0};
    double least, most;
    count_llama(100, false, &counts, &least, &most);
    ck_assert_double_eq_tol(counts.all / 100, LLAMA_STOPS, 4);
    // None of a hundred Poisson counts with sd 20.5 is more than four standard deviations off.
    ck_assert_double_ge(least, LLAMA_STOPS - 4 * 20.5);
    ck_assert_double_le(most, LLAMA_STOPS + 4 * 20.5);
    struct test_counts one = {0};
    count_llama(1, false, &one, &least, &most);
    ck_assert_double_ge(one.all, 378);
    ck_assert_double_le(one.all, 460);
}
END_TEST

START_TEST(stops_with_planned_ones)
{
    struct test_counts counts = {0};
    double least, most;
    count_llama(10, true, &counts, &least, &most);
    ck_assert_double_eq_tol(counts.all / 10, 466, 0.1 * 466);
    ck_assert_double_ge(least, 0.85 * 466);
    ck_assert_double_le(most, 1.15 * 466);
    // Planned work is regular: every set of 64 nodes has its turn every 36.8 days.
    ck_assert_double_eq_tol(counts.of[FAULT_MAINTENANCE] / 10, 47, 2);
    ck_assert_double_eq_tol(LLAMA_DAYS * 24 / (counts.all / 10), 2.78, 0.1 * 2.78);
}
END_TEST

/* By class; some "faulty GPUs" count as NVLink. */
static const struct class_row {
    enum fault_class_id id, also;
    double stops;
} class_rows[] = {
    {FAULT_GPU, FAULT_NVLINK, 148},
    {FAULT_HBM, FAULT_HBM, 72},
    {FAULT_SOFTWARE, FAULT_SOFTWARE, 56},
    {FAULT_LINK, FAULT_LEAF, 35},
    {FAULT_HOST_MAINTENANCE, FAULT_HOST_MAINTENANCE, 32},
    {FAULT_SRAM, FAULT_SRAM, 19},
    {FAULT_GSP, FAULT_GSP, 17},
    {FAULT_HOST, FAULT_HOST, 14},
    {FAULT_NIC, FAULT_NIC, 7},
    {FAULT_HANG, FAULT_HANG, 7},
    {FAULT_SDC, FAULT_SDC, 6},
    {FAULT_THERMAL, FAULT_THERMAL, 6},
};

START_TEST(classes_of_llama_3)
{
    struct test_counts one = {0}, many = {0};
    double least, most, sum = 0;
    count_llama(1, false, &one, &least, &most);
    count_llama(100, false, &many, &least, &most);
    for (int i = 0; i < ROWS(class_rows); i++) {
        const struct class_row *row = &class_rows[i];
        double in_one = one.of[row->id] + (row->also != row->id ? one.of[row->also] : 0);
        double mean = (many.of[row->id] + (row->also != row->id ? many.of[row->also] : 0)) / 100;
        ck_assert_double_eq_tol(in_one, row->stops, 2 * sqrt(row->stops) + 0.5);
        ck_assert_double_eq_tol(mean, row->stops, 0.4 * sqrt(row->stops));
        sum += row->stops;
    }
    ck_assert_double_eq(sum, LLAMA_STOPS);
}
END_TEST

/* ---- Delta (arXiv 2503.11901): errors of whole systems, memory, availability */

/* One class of one kind of component, at "every so many hours". */
static struct fault_profile only_class(enum fault_class_id id, double hours)
{
    struct fault_profile profile = test_plain_profile();
    profile.classes[id].rate = fault_rate_of_hours(hours);
    return profile;
}

static const struct system_row {
    uint32_t nodes;
    double node_hours, system_hours;
} system_rows[] = {
    {106, 148.4, 1.40},
    {152, 288.8, 1.90},
};

START_TEST(errors_of_delta)
{
    const struct system_row *row = &system_rows[_i];
    struct fault_profile profile = only_class(FAULT_HOST, row->node_hours);
    struct fault_pool pool = test_pool(&profile, row->nodes);
    double days = 20000 * row->system_hours / 24;
    struct fault_plan plan = test_plan(&pool, days);
    struct test_counts counts = {0};
    test_count(&plan, 1, &counts);
    ck_assert_double_eq_tol(24 * days / counts.all, row->system_hours, 0.02 * row->system_hours);
}
END_TEST

static const struct memory_row {
    uint32_t gpus;
    double days, gpu_hours, events, least, most;
} memory_rows[] = {
    {448, 895, 283271, 34, 23, 45},
    {608, 146, 88768, 24, 15, 33},
};

/* Nodes of one GPU: the rate of a class is that of nodes of eight. */
START_TEST(memory_of_delta)
{
    const struct memory_row *row = &memory_rows[_i];
    struct fault_profile profile = only_class(FAULT_HBM, row->gpu_hours / 8);
    struct fault_pool pool = test_pool(&profile, row->gpus);
    pool.gpus = 1;
    struct fault_plan plan = test_plan(&pool, row->days);
    struct test_counts one = {0}, many = {0};
    test_count(&plan, 1, &one);
    ck_assert_double_ge(one.all, row->least);
    ck_assert_double_le(one.all, row->most);
    for (uint64_t seed = 0; seed < 200; seed++)
        test_count(&plan, seed, &many);
    // Four standard deviations of the mean of 200 Poisson counts, and the rounding of the printed
    // figure.
    ck_assert_double_eq_tol(many.all / 200, row->events, 4 * sqrt(row->events / 200) + 0.3);
}
END_TEST

/* The share of time that a node works: faults of nodes that are out do not count, repairs are the
 * profile's resets. */
static double simulated_availability(const char *name, double hours, uint32_t nodes, double days,
                                     double *mttr_hours)
{
    struct fault_class resets =
        test_profile(name).classes[FAULT_GSP]; // a class that only needs resets
    struct fault_profile profile = only_class(FAULT_HOST, hours);
    struct fault_pool pool = test_pool(&profile, nodes);
    struct fault_plan plan = test_plan(&pool, days);
    int64_t *back = calloc(nodes, sizeof *back);
    ck_assert_ptr_nonnull(back);
    struct fault_process *process = fault_process_create(&plan, 1);
    struct fault fault;
    double out_ms = 0, repairs = 0;
    while (fault_process_next(process, plan.horizon_ms, &fault)) {
        if (fault.time_ms < back[fault.component])
            continue;
        int64_t takes = fault_repair_draw(&resets, 1, fault.key, 0).takes_ms;
        back[fault.component] = fault.time_ms + takes;
        out_ms += (double)takes;
        repairs++;
    }
    fault_process_destroy(process);
    free(back);
    *mttr_hours = out_ms / repairs / (double)TEST_HOUR_MS;
    return 1 - out_ms / ((double)plan.horizon_ms * nodes);
}

START_TEST(availability_of_delta)
{
    double mttr;
    double a100 = simulated_availability("a100_good", 148.4, 106, 8950, &mttr);
    ck_assert_double_eq_tol(mttr, 0.88, 0.03 * 0.88);
    ck_assert_double_eq_tol(100 * a100, 99.41, 0.05);
    double h100 = simulated_availability("h100", 288.8, 152, 14600, &mttr);
    ck_assert_double_eq_tol(mttr, 2.2, 0.06 * 2.2);
    ck_assert_double_eq_tol(100 * h100, 99.24, 0.05);
}
END_TEST

/* Weibull gaps, lemons and drift keep the mean: a hundred years of failures, because of the drift.
 */
START_TEST(clusters_have_the_same_mean)
{
    struct fault_profile profile = test_profile("h100");
    fault_profile_only(&profile, fault_profile_counted(&profile));
    profile.drift_sigma = 0;
    struct fault_pool pool = test_pool(&profile, LLAMA_NODES);
    struct fault_plan plan = test_plan(&pool, LLAMA_DAYS);
    struct test_counts counts = {0};
    for (uint64_t seed = 0; seed < 200; seed++)
        test_count(&plan, seed, &counts);
    // The number of lemons of a run varies by a fifth, and they cause most of the faults.
    ck_assert_double_eq_tol(counts.all / 200, LLAMA_STOPS, 0.05 * LLAMA_STOPS);
    profile.lemon_share = 0;
    struct test_counts shaped = {0};
    for (uint64_t seed = 0; seed < 100; seed++)
        test_count(&plan, seed, &shaped);
    ck_assert_double_eq_tol(shaped.all / 100, LLAMA_STOPS, 8);
    profile.drift_sigma = 0.5;
    struct test_counts drifting = {0};
    plan.horizon_ms = 100 * 30 * TEST_DAY_MS;
    pool.nodes = 256;
    for (uint64_t seed = 0; seed < 20; seed++)
        test_count(&plan, seed, &drifting);
    // 2,000 months of factors with a standard deviation of 0.533: the mean is known to 1.2 %.
    double expected = 20 * 3000 * 256 * 3.789 / 1000;
    ck_assert_double_eq_tol(drifting.all, expected, 0.05 * expected);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exposure");
    TCase *tcase = tcase_create("published fleets");
    tcase_add_loop_test(tcase, mttf_by_size, 0, ROWS(mttf_rows));
    tcase_add_test(tcase, stops_with_planned_ones);
    if (harness_whole()) {
        tcase_add_test(tcase, stops_of_llama_3);
        tcase_add_test(tcase, classes_of_llama_3);
        tcase_add_loop_test(tcase, errors_of_delta, 0, ROWS(system_rows));
        tcase_add_loop_test(tcase, memory_of_delta, 0, ROWS(memory_rows));
        tcase_add_test(tcase, availability_of_delta);
        tcase_add_test(tcase, clusters_have_the_same_mean);
    }
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
