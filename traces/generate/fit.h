/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A mix (mix.h) fitted to a trace: traces like this one, longer, denser or with another seed.
 *
 *     run times   by class, as their empirical distribution (400 ranks; frequent values stay)
 *     sizes       by class, as they occur; their dependence on run times by rank correlation r,
 *                 e = 2 sin(pi r / 6)
 *     ends        by size; fail_short and cancel_long from the mean rank of the run times of failed
 *                 and cancelled jobs
 *     sessions    jobs of a user with gaps of at most 600 s: lengths as they occur, mean gap,
 *     shares
 *                 of equal sizes, rank correlation of successive run times
 *     arrivals    hours of the day, days of the week (starting with the first); noise from the
 *                 numbers of sessions per hour, beyond Poisson
 *     people      users with their queues and their shares of the jobs
 *
 * Jobs without GPUs are left out. Not preserved: run times and sizes of single users (beyond
 * sessions), trends, and job attributes that a mix does not have (memory, models, checkpoints,
 * dependencies).
 */
#ifndef TRACES_GENERATE_FIT_H
#define TRACES_GENERATE_FIT_H

#include "traces/vary/whole.h"

struct trace_fit;

#define FIT_LEAST_JOBS 50

/* NULL with err set if the trace has too few jobs. `names` must be those that the jobs were read
 * with. */
struct trace_fit *trace_fit_create(const struct whole *, const struct trace_names *, struct err *);
void trace_fit_destroy(struct trace_fit *);

/* Like trace_generate(), with the parameters of mixes; by default as many jobs in the same time as
 * in the trace. */
bool trace_generate_like(struct trace **, const struct trace_fit *,
                         const struct trace_generate_options *, struct err *);

#endif
