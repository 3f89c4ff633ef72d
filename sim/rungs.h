/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays that stop losers early, as a search for hyperparameters does: many like jobs, of which few
 * are worth being run to their end. Rungs are productive run times r0 < r1 < ... (trace_rungs());
 * eta is how many jobs it takes for one to go on.
 *
 *     work done     0          r0                r1                                 duration
 *     a job         |==========o=================o==================================|  completed
 *     another       |==========x  stopped         \
 *                                                  judged among all that got here so far
 *
 * The rule is that of asynchronous successive halving, ASHA (Li et al., "A System for Massively
 * Parallel Hyperparameter Tuning", MLSys 2020, algorithm 2: promotable are the top |rung| / eta of
 * a rung), in the form that stops instead of pausing, as schedulers of trials offer it: the n-th
 * job that gets to a rung goes on if it is among the best
 *
 *     max(1, floor(n / eta))
 *
 * of these n, itself included; else it ends there. The best one so far always continues, since no
 * stopped job comes back when others prove to be worse. Nobody waits for the rung to fill. Who gets
 * there at one instant is counted first, and then judged in order of submission.
 *
 * How good a job is, is one number: drawn, keyed by the run's seed and the job's row, so that two
 * policies see the same winners. Work that a preemption or a fault undid has to be repeated, but no
 * job is judged twice at a rung.
 *
 * Who is stopped has used what it was given: it counts as completed for losses, for who waits for
 * it (`after`) and for its slowdown, whose ideal time is what it did; beside those that completed
 * it is counted as `stopped`.
 *
 * A rung that a job's duration does not exceed is none for it; a job of the array that says no
 * rungs is not judged. Memory: 16 bytes for each job and rung that it gets to; time is linear in
 * them only in moves of memory.
 */
#ifndef SIM_RUNGS_H
#define SIM_RUNGS_H

#include "sim/base/wide.h"

#include <stdint.h>

struct sim;

typedef wide sim_rungs_amount;

/* Of jobs that arrived in the measurement window. */
struct sim_rungs_figures {
    uint64_t judged;         /* jobs and rungs */
    uint64_t stopped;        /* jobs */
    sim_rungs_amount spared; /* thousandths of GPUs x ms that these would have run at ideal speed */
};

/* NULL where no job so far had rungs. */
const struct sim_rungs_figures *sim_rungs_figures(const struct sim *);

#endif
