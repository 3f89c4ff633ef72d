/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fragmentation as "Beware of Fragmentation" (FGD, USENIX ATC 2023) defines it: a target workload
 * of typical tasks m with weights p_m says what a free GPU is good for. On a node with r_i
 * thousandths left on device i (sum R), the fragment for task m is R when the task does not fit or
 * wants no GPU, else the sum of those r_i that are too small for it; F(node) = sum over m of p_m
 * times that. Memory plays no part.
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
    int gpus, milli;        /* devices, thousandths of each; 0 none */
    int64_t device_mem_mib; /* in the place of `milli`: memory of each device; 0: none */
    uint64_t types;         /* 0: any */
    double weight;
    uint64_t count;
};

struct frag_typical {
    struct frag_task *tasks;
    size_t count;
    uint64_t all; /* tasks of the workload, also those that are not typical */
};

/*
 * The groups of like tasks that make up 95 % of a list of jobs, the commonest first; weights sum to
 * 1. Tasks are alike when they want as much CPU, as many devices, the same share or memory of each,
 * and types in the same words. Equally common ones stand with the larger CPU first, then share,
 * number of devices, memory of devices, and words. Jobs above node_gpus (the largest node; 0 not
 * known) are split over nodes as the simulator does.
 */
void frag_typical_init(struct frag_typical *, const struct trace_job *jobs, size_t count,
                       int node_gpus);
void frag_typical_fini(struct frag_typical *);

/* The same while jobs go by, which are not kept. */
struct frag_counter;
struct frag_counter *frag_counter_create(int node_gpus);
void frag_counter_add(struct frag_counter *, const struct trace_job *);
void frag_counter_add_task(struct frag_counter *, const struct frag_task *,
                           const char *spec); /* task.count such tasks, of these types in words */
void frag_counter_finish(struct frag_counter *,
                         struct frag_typical *); /* the counter is gone then */

/* F of a node now, in thousandths. */
double frag_of_node(const struct frag_typical *, const struct fleet_node *);

#define FILL_BUCKETS 131

struct fill_curve {
    struct frag_typical typical;
    double *node_frag; /* F of each node */
    double frag;       /* their sum */
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
/* Means over the arrivals: the share of free GPUs that is a fragment, and the fragment in GPUs; nan
 * without arrivals. */
void fill_curve_means(const struct fill_curve *, const struct sim *, double *ratio, double *gpus);
void fill_curve_json(const struct fill_curve *, const struct sim *, struct json *);
void fill_curve_fini(struct fill_curve *);

#endif
