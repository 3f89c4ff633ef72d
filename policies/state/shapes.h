/* SPDX-License-Identifier: MIT */
/* Shapes: what jobs ask for, in normal form, shared by all jobs that ask for the same. */
#ifndef POLICY_STATE_SHAPES_H
#define POLICY_STATE_SHAPES_H

#include "state/state.h"

/*
 * The shape of a job's spec, with one more user; made when there is none yet. PC_NONE: the spec is
 * refused or there is no memory; policy_last_error() says which.
 */
uint32_t pc_shape_find(struct policy *, const struct policy_job_spec *);
void pc_shape_drop(struct policy *, uint32_t shape); /* one user less; the last one frees it */
void pc_shape_free(struct policy *, struct pc_shape *);

/* The selector for these terms, made when there is none yet; PC_NONE: no memory, or (count 0) no
 * selector. */
uint32_t pc_selector_find(struct policy *, const struct policy_term *, uint32_t count);
bool pc_selector_matches(const struct pc_selector *, const struct pc_node *);
void pc_selector_free(struct policy *, struct pc_selector *);

/* The most thousandths of devices that a job of the size asks for. */
static inline int64_t pc_most_of_size(uint32_t size)
{
    return size < PC_SIZES - 1 ? (int64_t)POLICY_WHOLE << size : INT64_MAX;
}

/* In which of the lists by size (pc_queue.of_size) jobs of the shape stand; the last one has all
 * that is larger. */
static inline uint32_t pc_size_of(const struct pc_shape *s)
{
    uint32_t size = 0;
    while (size < PC_SIZES - 1 && s->total.of[PC_GPU] > pc_most_of_size(size))
        size++;
    return size;
}

/* True if the constraint, one of the shape's, covers the pod set: its own, one of a group around
 * it, or the job's. */
bool pc_is_about(const struct policy_constraint *, const struct pc_shape *, uint32_t set);

#endif
