/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The faults of a fleet in order of time. The seed alone determines what fails, when and how: each
 * (class, component) is a renewal process of its own, and its k-th fault is drawn from random
 * streams keyed by (seed, class, component, k). No policy, repair, or other class or node moves a
 * fault. The caller ignores a fault of a component that is out of order at that time.
 *
 *     class, component   |----x-------x--------------------x--------->     gaps: exponential,
 *                                                                          Weibull, periodic
 *     another            |-------------------x----------------------->
 *     the process             1       2      3             4               a heap of the next fault
 *                                                                          of each
 *
 * Processes are stationary: the first gap is the rest of one that began before time 0 (for a
 * Weibull gap, part of a gap drawn in proportion to its length), so a year has rate x year faults
 * on average, however rare they are. The heap contains only components whose next fault lies before
 * the horizon, and future relapses: 16 bytes each.
 *
 * Lemons. A share of the nodes has `factor` times the faults of others in the frail classes; the
 * rates of a profile are means over all nodes, so the others have fewer. The excess of a lemon is a
 * process of its own, which fault_process_cure() ends when a lemon was found and repaired, without
 * moving any other fault.
 *
 * Relapses. A repair may not help (repair.h): the same fault recurs some time after the component
 * returned, assuming a drain at the moment of detection. Relapses are part of the process and of
 * its rates: some of the faults that a profile counts are the second or third of their kind.
 *
 *     struct fault_process *process = fault_process_create(&plan, seed);
 *     struct fault fault;
 *     while (fault_process_next(process, until_ms, &fault))
 *         ...
 *     fault_process_destroy(process);
 */
#ifndef SIM_FAULTS_PROCESS_H
#define SIM_FAULTS_PROCESS_H

#include "sim/faults/fault.h"

struct fault_process;

/* The plan's arrays are copied, its profiles are not: they outlive the process. */
struct fault_process *fault_process_create(const struct fault_plan *, uint64_t seed);
void fault_process_destroy(struct fault_process *); /* NULL is fine */

/* Time of the next fault; INT64_MAX if there is none before the horizon. */
int64_t fault_process_peek(struct fault_process *);

/* The next fault, if it is at `until_ms` or before. */
bool fault_process_next(struct fault_process *, int64_t until_ms, struct fault *);

bool fault_process_is_lemon(const struct fault_process *, uint32_t node); /* and not cured */
void fault_process_cure(struct fault_process *,
                        uint32_t node); /* of what made it a lemon, if it is one */

size_t fault_process_pending(const struct fault_process *); /* entries of the heap */
size_t fault_process_bytes(const struct fault_process *);   /* memory that it has */

#endif
