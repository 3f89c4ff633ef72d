/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two sources of faults as one, in order of time; at equal times the first source's faults come
 * before the second's. Classes of the second are numbered after those of the first.
 */
#ifndef SIM_SOURCES_MERGE_H
#define SIM_SOURCES_MERGE_H

#include "sim/fault.h"

struct fault_merge;

/* Borrows the sources' objects. */
struct fault_merge *fault_merge_create(const struct sim_faults *first,
                                       const struct sim_faults *second);
void fault_merge_destroy(struct fault_merge *); /* NULL is fine */

/* The interface that the driver uses; valid as long as the merge. */
struct sim_faults fault_merge_faults(struct fault_merge *);

#endif
