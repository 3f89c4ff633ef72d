/* SPDX-License-Identifier: MIT */
/*
 * Independent recomputation of the cluster's sums and indexes by plain scans over tasks. The
 * functions return what is wrong ("a node's ..."), or NULL. They are slow on purpose, and share no
 * arithmetic with the checked code beyond the weight of a single request. Only for use between
 * calls of the policy, never inside a transaction.
 */
#ifndef POLICY_QUERY_CHECK_H
#define POLICY_QUERY_CHECK_H

#include "state/state.h"

const char *pc_check_nodes(const struct policy *); /* free amounts, and the lists of nodes */
const char *pc_check_fleet(const struct policy *); /* capacity, selectors, pool sets, domains */
const char *pc_check_pool_sets(const struct pc_cluster *);
const char *
pc_check_jobs(const struct policy *); /* tasks and their counts, lists of jobs, shapes */
const char *pc_check_waiting(const struct policy *); /* classes, held jobs, stale gangs */
const char *pc_check_pending(const struct policy *); /* lanes, and the classes in them */
const char *pc_check_queues(const struct policy *);  /* the forest and its sums */

/* The size of the set. */
static inline uint32_t pc_members(const struct pc_bits *b)
{
    uint32_t count = 0;
    for (uint32_t i = b->capacity > 0 ? pc_bits_first(b) : PC_NONE; i != PC_NONE;
         i = pc_bits_next(b, i + 1))
        count++;
    return count;
}

#endif
