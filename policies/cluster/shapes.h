/* SPDX-License-Identifier: MIT */
/* Shapes: what jobs ask for, in normal form, shared by all jobs that ask for the same. */
#ifndef POLICY_CLUSTER_SHAPES_H
#define POLICY_CLUSTER_SHAPES_H

#include "cluster/state.h"

/*
 * The shape of a job's spec, with one more user; made when there is none yet. PC_NONE: the spec is refused or there is
 * no memory; policy_last_error() says which.
 */
uint32_t pq_shape_find(struct policy *, const struct policy_job_spec *);
void pq_shape_drop(struct policy *, uint32_t shape); /* one user less; the last one frees it */
void pq_shape_free(struct policy *, struct pq_shape *);

/* The selector for these terms, made when there is none yet; PC_NONE: no memory, or (count 0) no selector. */
uint32_t pq_selector_find(struct policy *, const struct policy_term *, uint32_t count);
bool pq_selector_matches(const struct pq_selector *, const struct pq_node *);
void pq_selector_free(struct policy *, struct pq_selector *);

/* The most thousandths of devices that a job of the size asks for. */
static inline int64_t pq_most_of_size(uint32_t size)
{
    return size < PQ_SIZES - 1 ? (int64_t)POLICY_WHOLE << size : INT64_MAX;
}

/* In which of the lists by size (pq_queue.of_size) jobs of the shape stand; the last one has all that is larger. */
static inline uint32_t pq_size_of(const struct pq_shape *s)
{
    uint32_t size = 0;
    while (size < PQ_SIZES - 1 && s->total.of[PQ_GPU] > pq_most_of_size(size))
        size++;
    return size;
}

#endif
