/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The faults of a fleet, one after the other in order of time. What fails, when and how is fixed by
 * the seed alone: each (class, component) is a renewal process of its own, and its k-th fault is
 * drawn from random streams keyed by (seed, class, component, k). Nothing that anybody does, no
 * policy, no repair, no other class or node, moves a fault. A fault of something that is out of
 * order at that time is the caller's to ignore.
 *
 *     class, component   |----x-------x--------------------x--------->     gaps: exponential,
 *                        Weibull, periodic
 *     another            |-------------------x----------------------->
 *     the process             1       2      3             4               a heap of the next one
 *                             of each
 *
 * Processes are stationary: the first gap is what is left of one that began before time 0 (for a
 * Weibull gap, a share of a gap drawn by its length), so a year has rate x year faults on average,
 * however rare they are. In a heap there are only components whose next fault lies before the
 * horizon, and relapses to come: 16 bytes each.
 *
 * Lemons. A share of the nodes has `factor` times the faults of others in the frail classes; the
 * rates of a profile are means over all nodes, so the others have fewer. What a lemon has more is a
 * process of its own beside the usual one, and fault_process_cure(), for a lemon that was caught
 * and repaired, ends that and moves nothing.
 *
 * Relapses. A repair may not help (repair.h): the same fault is there again some time after the
 * component came back, as seen from a drain at the moment it was noticed. That is part of the
 * process too, and part of its rates: of the faults that a profile counts some are the second or
 * third of their kind.
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

/* When the next fault is; INT64_MAX when there is none before the horizon. */
int64_t fault_process_peek(struct fault_process *);

/* The next fault, if it is at `until_ms` or before. */
bool fault_process_next(struct fault_process *, int64_t until_ms, struct fault *);

bool fault_process_is_lemon(const struct fault_process *, uint32_t node); /* and not cured */
void fault_process_cure(struct fault_process *,
                        uint32_t node); /* of what made it a lemon, if it is one */

size_t fault_process_pending(const struct fault_process *); /* entries of the heap */
size_t fault_process_bytes(const struct fault_process *);   /* memory that it has */

#endif
