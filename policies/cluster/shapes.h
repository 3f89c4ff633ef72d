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

#endif
