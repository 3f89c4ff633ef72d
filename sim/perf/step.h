/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time of one training step on a placement (model.h has the formula), and what a placement
 * costs against the best one. No allocation, no state: about 10 ns and as much again for each part.
 *
 * A job that runs at perf_speed() = 0.8 does in an hour what it would do in 48 minutes on the best
 * placement of as many devices on an empty cluster.
 */
#ifndef SIM_PERF_STEP_H
#define SIM_PERF_STEP_H

#include "sim/perf/bandwidth.h"
#include "sim/perf/model.h"

struct perf_step {
    double seconds; /* of the whole step */
    /* Its terms: seconds = busy + reduce + tensor + bubble + pipeline + fixed. */
    double busy_s;     /* computing or waiting for input, with what sharing and remote memory add */
    double compute_s;  /* T_cmp alone */
    double input_s;    /* T_in alone; above compute_s the job is bound by its input */
    double reduce_s;   /* the part of T_dp that computing does not hide */
    double tensor_s;   /* all-reduces inside tensor groups */
    double bubble_s;   /* empty stages of a pipeline */
    double pipeline_s; /* what stages hand on */
    double fixed_s;
    double samples_per_s;
    struct perf_bandwidth bandwidth; /* of the gradients' all-reduce */
};

/* Returns seconds; *step may be NULL. The place has at least one part, each with at least one
 * device. */
double perf_step(const struct perf_rules *, const struct perf_model *, const struct perf_place *,
                 struct perf_step *);

/* A kind of node on which a job might run. */
struct perf_kind {
    const struct node_traits *traits;
    int node_gpus;
    double speed;         /* for the model in question: perf_ratio_of() */
    double cores_per_gpu; /* what the job gets there; below 0: not modelled */
    int nodes;            /* of them in the fleet; 0: as many as wanted */
};

/*
 * Seconds of a step on the best placement of so many devices on an empty cluster of these kinds of
 * nodes, uplinks free: the fastest of full nodes and a remainder, and of even spreads over any
 * number of nodes, each with the devices that suit it best; one kind at a time. Infinite when no
 * kind has as many. Costs up to two evaluations for each size of a share: keep it for a model and a
 * number of devices.
 */
double perf_best_step(const struct perf_rules *, const struct perf_model *,
                      const struct perf_kind *, size_t count, int gpus);

/* Speed relative to the best: best_s (from perf_best_step()) over the time of a step here; 1 when
 * both are nothing. */
double perf_speed(const struct perf_rules *, const struct perf_model *, const struct perf_place *,
                  double best_s);

#endif
