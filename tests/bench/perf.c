/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cost of a placement's speed: nanoseconds of process time for one perf_step(), the mean over
 * jobs on 1 to 16 nodes, each node a part of its own, all of them different. Prints four figures,
 * each the best of several passes:
 *
 *     plain data parallel on DGX A100
 *     the same with latency, cores and uplinks
 *     tensor groups of four on DGX A100
 *     plain on DGX-1V, with the devices scattered
 */
#include "sim/perf/step.h"
#include "tests/bench/bench.h"

#include <stdio.h>

#define PASSES 7
#define ROUNDS 20000
#define NODES  16

static struct node_traits make_traits(enum traits_links links, double busbw_gbps, int nics)
{
    struct node_traits traits = {.links = links,
                                 .busbw_gbps = busbw_gbps,
                                 .nvlink_nodes = 1,
                                 .network = NETWORK_INFINIBAND,
                                 .nics = nics,
                                 .nic_gbit = 200};
    for (int i = 0; i < 8; i++)
        traits.nic_of[i] = i * nics / 8;
    return traits;
}

/* Some devices of each node, from a few to all of them. */
static void make_parts(struct perf_part parts[NODES], const struct node_traits *traits,
                       double cores)
{
    for (int i = 0; i < NODES; i++) {
        parts[i] = perf_part(traits, 8, 4 + i % 5);
        parts[i].devices = i % 2 ? parts[i].devices : (parts[i].devices << (i % 5 ? 0 : 4)) & 0xff;
        parts[i].cores = cores;
    }
}

/* The best of several passes; the results go to *sum, so that they are not optimized away. */
static double measure(const struct perf_rules *rules, const struct perf_model *model,
                      struct perf_place place, double *sum)
{
    double best = 1e9;
    for (int pass = 0; pass < PASSES; pass++) {
        double began = bench_seconds();
        for (int round = 0; round < ROUNDS; round++) {
            for (place.count = 1; place.count <= NODES; place.count++)
                *sum += perf_step(rules, model, &place, NULL);
        }
        double ns = (bench_seconds() - began) / (ROUNDS * NODES) * 1e9;
        best = ns < best ? ns : best;
    }
    return best;
}

int main(void)
{
    struct perf_rules rules;
    perf_rules_init(&rules);
    struct node_traits dgx = make_traits(LINKS_SWITCH, 230, 8),
                       cube = make_traits(LINKS_CUBE_MESH, 125, 4);
    struct perf_part parts[NODES];
    const double uplinks[] = {100, 80};
    struct perf_place place = {.parts = parts};
    struct perf_model model = perf_model_empty();
    model.work_s = 86;
    model.batch = 524288;
    model.gradient_gb = 15;
    double sum = 0;

    make_parts(parts, &dgx, -1);
    double plain = measure(&rules, &model, place, &sum);
    struct perf_model groups = model;
    groups.tensor_parallel = 4;
    groups.tensor_gb = 100;
    double tensor = measure(&rules, &groups, place, &sum);
    make_parts(parts, &cube, -1);
    double scattered = measure(&rules, &model, place, &sum);
    make_parts(parts, &dgx, 64);
    model.bucket_gb = 0.2;
    model.input_core_s = 1e-4;
    place.uplink_gbps = uplinks;
    place.uplinks = 2;
    double all = measure(&rules, &model, place, &sum);
    (void)printf("%.1f %.1f %.1f %.1f\n", plain, all, tensor, scattered);
    return sum > 0 ? 0 : 1;
}
