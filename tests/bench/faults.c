/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of generating the faults of a year, all classes, profile h100. Prints for 2,048 and for
 * 32,768 nodes of 8
 *
 *     NODES SETUP_MS NS_PER_FAULT FAULTS KIB
 *
 * the time to create the process, the time per fault, the number of faults, and the memory of the
 * process at its end. Process CPU time, the best of several runs.
 */
#include "scenarios/catalog/faults.h"
#include "sim/faults/process.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>

#define RUNS    5
#define YEAR_MS (INT64_C(365) * 24 * 3600 * 1000)

static void measure(const struct fault_profile *profile, uint32_t nodes)
{
    const struct fault_pool pool = {
        .nodes = nodes, .gpus = 8, .nics = 8, .nodes_per_domain = 1, .profile = profile};
    const struct fault_plan plan = {.pools = &pool,
                                    .pool_count = 1,
                                    .leaves = nodes / 4,
                                    .spines = nodes / 8,
                                    .racks = nodes / 4,
                                    .storage = true,
                                    .shared = profile,
                                    .horizon_ms = YEAR_MS};
    double setup = 1e9, each = 1e9;
    size_t faults = 0, bytes = 0;
    for (int run = 0; run < RUNS; run++) {
        double begin = bench_seconds();
        struct fault_process *process = fault_process_create(&plan, 1);
        double made = bench_seconds();
        struct fault fault;
        for (faults = 0; fault_process_next(process, YEAR_MS, &fault);)
            faults++;
        double end = bench_seconds();
        bytes = fault_process_bytes(process);
        fault_process_destroy(process);
        setup = made - begin < setup ? made - begin : setup;
        each = (end - made) / (double)faults < each ? (end - made) / (double)faults : each;
    }
    printf("%u %.3f %.1f %zu %zu\n", nodes, setup * 1e3, each * 1e9, faults, bytes / 1024);
}

int main(void)
{
    struct catalog_faults *catalog;
    struct err err;
    if (!catalog_faults(&catalog, &err)) {
        (void)fprintf(stderr, "faults: %s\n", err.msg);
        return 1;
    }
    const struct fault_profile *profile = &catalog_faults_find(catalog, "h100")->profile;
    measure(profile, 2048);
    measure(profile, 32768);
    catalog_faults_free(catalog);
    return 0;
}
