/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two sources of faults as one: in the order of time, at one time those of the first before those
 * of the second. Classes of the second are numbered behind those of the first.
 */
#ifndef SIM_SOURCES_MERGE_H
#define SIM_SOURCES_MERGE_H

#include "sim/fault.h"

struct fault_merge;

/* Borrows what the sources point to. */
struct fault_merge *fault_merge_create(const struct sim_faults *first,
                                       const struct sim_faults *second);
void fault_merge_destroy(struct fault_merge *); /* NULL is fine */

/* As the driver takes it; valid as long as the merge. */
struct sim_faults fault_merge_faults(struct fault_merge *);

#endif
