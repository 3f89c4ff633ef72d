/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arrays that stop losing jobs early, as a hyperparameter search does: of many similar jobs few are
 * worth running to the end. Rungs are productive run times r0 < r1 < ... (trace_rungs()); one in
 * eta jobs continues past a rung.
 *
 *     work done     0          r0                r1                                 duration
 *     a job         |==========o=================o==================================|  completed
 *     another       |==========x  stopped         \
 *                                                  judged among all that got here so far
 *
 * The rule is asynchronous successive halving, ASHA (Li et al., "A System for Massively Parallel
 * Hyperparameter Tuning", MLSys 2020, algorithm 2: the top |rung| / eta of a rung are promotable),
 * in the form that stops instead of pausing, as trial schedulers offer it: the n-th job to reach a
 * rung continues if it is among the best
 *
 *     max(1, floor(n / eta))
 *
 * of these n, itself included; otherwise it ends there. The best job so far always continues, since
 * a stopped job does not return when others prove worse. No job waits for a rung to fill. Jobs that
 * reach a rung at one instant are all counted first, and then judged in order of submission.
 *
 * The quality of a job is a single number, drawn with the run's seed and the job's row as key, so
 * that two policies see the same winners. Work undone by a preemption or a fault has to be
 * repeated, but a job is judged once per rung.
 *
 * A stopped job has used what it was given: it counts as completed for losses, for jobs that depend
 * on it (`after`) and for its slowdown, whose ideal time is the work done. It is also counted as
 * `stopped`.
 *
 * A rung at or beyond a job's duration does not apply to it; jobs of the array without rungs are
 * not judged. Memory: 16 bytes for each job and rung reached; insertion moves a linear amount of
 * memory.
 */
#ifndef SIM_RUNGS_H
#define SIM_RUNGS_H

#include "sim/base/wide.h"

#include <stdint.h>

struct sim;

typedef wide sim_rungs_amount;

/* Jobs that arrived in the measurement window. */
struct sim_rungs_figures {
    uint64_t judged;         /* pairs of job and rung */
    uint64_t stopped;        /* jobs */
    sim_rungs_amount spared; /* thousandths of GPUs x ms that the stopped jobs would still have
                                run at ideal speed */
};

/* Returns NULL if no job so far had rungs. */
const struct sim_rungs_figures *sim_rungs_figures(const struct sim *);

#endif
