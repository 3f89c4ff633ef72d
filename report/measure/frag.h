/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fragmentation as "Beware of Fragmentation" (FGD, USENIX ATC 2023) defines it: a target workload
 * of typical tasks m with weights p_m defines what a free GPU is good for. On a node with r_i
 * thousandths left on device i (sum R), the fragment for task m is R if the task does not fit or
 * needs no GPU, else the sum of the r_i that are too small for it; F(node) = sum over m of p_m
 * times that. Memory is ignored.
 *
 * The fill curve records, after every arrival of a packing study, allocation and fragmentation
 * against the GPUs requested so far: mean over the arrivals in each bucket of one percent of the
 * fleet.
 */
#ifndef REPORT_MEASURE_FRAG_H
#define REPORT_MEASURE_FRAG_H

#include "sim/base/json.h"
#include "sim/sim.h"

struct frag_task {
    int64_t cpu_milli;
    int gpus, milli;        /* devices, and thousandths of each; 0: none */
    int64_t device_mem_mib; /* instead of `milli`: memory of each device; 0: none */
    uint64_t types;         /* 0: any */
    double weight;
    uint64_t count;
};

struct frag_typical {
    struct frag_task *tasks;
    size_t count;
    uint64_t all; /* all tasks of the workload, typical or not */
};

/*
 * Finds the groups of equal tasks that make up 95 % of the jobs, most common first; weights sum to
 * 1. Tasks are equal if they request the same CPU, number of devices, share or memory of each, and
 * the same types in the same words. Ties are ordered by CPU (larger first), then share, number of
 * devices, device memory, and words. Jobs larger than node_gpus (the largest node; 0: unknown) are
 * split over nodes as the simulator does.
 */
void frag_typical_init(struct frag_typical *, const struct trace_job *jobs, size_t count,
                       int node_gpus);
void frag_typical_fini(struct frag_typical *);

/* The same for a stream of jobs, which are not kept. */
struct frag_counter;
struct frag_counter *frag_counter_create(int node_gpus);
void frag_counter_add(struct frag_counter *, const struct trace_job *);
void frag_counter_add_task(
    struct frag_counter *, const struct frag_task *,
    const char *spec); /* adds task.count tasks; `spec`: their types in words */
void frag_counter_finish(struct frag_counter *, struct frag_typical *); /* frees the counter */

/* Returns F of a node now, in thousandths. */
double frag_of_node(const struct frag_typical *, const struct fleet_node *);

#define FILL_BUCKETS 131

struct fill_curve {
    struct frag_typical typical;
    double *node_frag; /* F of each node */
    double frag;       /* sum of node_frag */
    int64_t arrived_milli;
    uint64_t failed;
    struct {
        double alloc, ratio, amount;
        uint64_t arrivals;
    } buckets[FILL_BUCKETS];
};

struct sim_observer fill_curve_observer(struct fill_curve *);
void fill_curve_init(struct fill_curve *, const struct sim *, const struct trace_job *jobs,
                     size_t count);
/*
 * Means over all arrivals: the fragmented share of free GPUs, and the fragmented GPUs; NaN without
 * arrivals.
 */
void fill_curve_means(const struct fill_curve *, const struct sim *, double *ratio, double *gpus);
void fill_curve_json(const struct fill_curve *, const struct sim *, struct json *);
void fill_curve_fini(struct fill_curve *);

#endif
