/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random clusters, queues, jobs and options for the quota policy, small enough to be crowded. The
 * numbers come from a stream that the caller keeps: equal seeds give equal clusters.
 */
#ifndef TESTS_LIB_QUOTA_DRAW_H
#define TESTS_LIB_QUOTA_DRAW_H

#include "tests/lib/quota_world.h"

struct quota_draw {
    uint64_t state;
    bool plain;   /* of this cluster: no MIG, no memory of devices, CPU and memory not modelled */
    bool crowded; /* few nodes of many devices, small jobs: much to be taken from each other */
};

uint64_t quota_draw(struct quota_draw *);
int32_t quota_below(struct quota_draw *, int32_t n); /* 0 to n - 1 */
bool quota_chance(struct quota_draw *, int32_t percent);

/* Tells the policy the profiles and topologies that nodes and jobs refer to. */
void quota_draw_basis(struct quota_world *, struct policy *);

/* What the spec points to lies in the node, the queue or the job; call with what is not in use. */
void quota_draw_node(struct quota_draw *, struct quota_node *, uint32_t rank);
void quota_draw_queue(struct quota_draw *, struct quota_queue *, uint32_t parent, uint32_t rank,
                      uint32_t *pools);
void quota_draw_job(struct quota_draw *, struct quota_job *, policy_queue, policy_time now,
                    uint64_t rank);

/* Sets some options; all of them for one configuration in three, so that every row has its turn. */
void quota_draw_options(struct quota_draw *, struct policy_config *);

/* The same for kube-default. */
void quota_draw_pod_options(struct quota_draw *, struct policy_config *);

/* Values that are drawn for the option, or NULL when there is no row for it. */
const char *const *quota_option_values(const char *option);

#endif
