/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fleets with faults, for tests: profiles of the catalogue, a plan of equal nodes, and counts of
 * the faults that a process generates.
 */
#ifndef TESTS_LIB_FAULTS_H
#define TESTS_LIB_FAULTS_H

#include "scenarios/catalog/faults.h"
#include "sim/faults/process.h"
#include "tests/lib/harness.h"

#define TEST_HOUR_MS (INT64_C(3600) * 1000)
#define TEST_DAY_MS  (24 * TEST_HOUR_MS)

/* A copy of a profile of the catalogue; fails the test if there is none of this name. */
static inline struct fault_profile test_profile(const char *name)
{
    struct catalog_faults *catalog = NULL;
    struct err err = {0};
    ck_assert_msg(catalog_faults(&catalog, &err), "%s", err.msg);
    const struct catalog_fault_profile *row = catalog_faults_find(catalog, name);
    ck_assert_ptr_nonnull(row);
    struct fault_profile profile = row->profile;
    catalog_faults_free(catalog);
    return profile;
}

/* A profile without faults, in which every class has the simplest settings. */
static inline struct fault_profile test_plain_profile(void)
{
    struct fault_profile profile = {.hbm_gb = 80, .lemon_factor = 1};
    for (int i = 0; i < FAULT_CLASSES; i++)
        profile.classes[i] = fault_class_plain((enum fault_class_id)i);
    return profile;
}

/* Nodes 0, 1, ... with 8 GPUs and NICs each, nothing else. */
static inline struct fault_pool test_pool(const struct fault_profile *profile, uint32_t nodes)
{
    return (struct fault_pool){
        .nodes = nodes, .gpus = 8, .nics = 8, .nodes_per_domain = 1, .profile = profile};
}

static inline struct fault_plan test_plan(const struct fault_pool *pool, double days)
{
    return (struct fault_plan){.pools = pool,
                               .pool_count = 1,
                               .shared = pool->profile,
                               .horizon_ms = (int64_t)(days * (double)TEST_DAY_MS)};
}

struct test_counts {
    double all, of[FAULT_CLASSES], lemon;
};

/* Adds the faults of one process up to its horizon; checks that they are in order of time. */
static inline void test_count(const struct fault_plan *plan, uint64_t seed,
                              struct test_counts *counts)
{
    struct fault_process *process = fault_process_create(plan, seed);
    struct fault fault;
    int64_t last = 0;
    while (fault_process_next(process, plan->horizon_ms, &fault)) {
        ck_assert_int_ge(fault.time_ms, last);
        last = fault.time_ms;
        counts->all++;
        counts->of[fault.id]++;
        counts->lemon += fault.lemon;
    }
    ck_assert_int_eq(fault_process_peek(process), INT64_MAX);
    fault_process_destroy(process);
}

#endif
