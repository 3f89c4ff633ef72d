/* SPDX-License-Identifier: MIT */
/* Shapes: normalized requests of jobs, shared by all jobs with equal requests. */
#ifndef POLICY_STATE_SHAPES_H
#define POLICY_STATE_SHAPES_H

#include "state/state.h"

/*
 * Returns the shape of a job's spec with one more user, creating it if needed. PC_NONE: refused or
 * out of memory; policy_last_error() tells which.
 */
uint32_t pc_shape_find(struct policy *, const struct policy_job_spec *);
void pc_shape_drop(struct policy *, uint32_t shape); /* removes a user; the last one frees it */
void pc_shape_free(struct policy *, struct pc_shape *);

/* Returns the selector for these terms, creating it if needed; PC_NONE: out of memory, or (count 0)
 * no selector. */
uint32_t pc_selector_find(struct policy *, const struct policy_term *, uint32_t count);
bool pc_selector_matches(const struct pc_selector *, const struct pc_node *);
void pc_selector_free(struct policy *, struct pc_selector *);

/* The most thousandths of devices requested by a job of this size class. */
static inline int64_t pc_most_of_size(uint32_t size)
{
    return size < PC_SIZES - 1 ? (int64_t)POLICY_WHOLE << size : INT64_MAX;
}

/* The size class of the shape, an index of pc_queue.of_size; the last class is unbounded. */
static inline uint32_t pc_size_of(const struct pc_shape *s)
{
    uint32_t size = 0;
    while (size < PC_SIZES - 1 && s->total.of[PC_GPU] > pc_most_of_size(size))
        size++;
    return size;
}

/* Returns true if the constraint, one of the shape's, covers the pod set: its own, that of an
 * enclosing group, or the job's. */
bool pc_is_about(const struct policy_constraint *, const struct pc_shape *, uint32_t set);

#endif
