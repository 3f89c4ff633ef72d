/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random clusters, queues, jobs and options for the quota policy, small enough to be crowded.
 * Numbers come from a stream owned by the caller: equal seeds give equal clusters.
 */
#ifndef TESTS_LIB_QUOTA_DRAW_H
#define TESTS_LIB_QUOTA_DRAW_H

#include "tests/lib/quota_world.h"

struct quota_draw {
    uint64_t state;
    bool plain;   /* a cluster without MIG and device memory, CPU and memory not modelled */
    bool crowded; /* few nodes with many devices, small jobs: many conflicts */
};

uint64_t quota_draw(struct quota_draw *);
int32_t quota_below(struct quota_draw *, int32_t n); /* 0 to n - 1 */
bool quota_chance(struct quota_draw *, int32_t percent);

/* Adds the profiles and topologies that nodes and jobs refer to. */
void quota_draw_basis(struct quota_world *, struct policy *);

/* The specs point into the node, queue or job, which must not be in use. */
void quota_draw_node(struct quota_draw *, struct quota_node *, uint32_t rank);
void quota_draw_queue(struct quota_draw *, struct quota_queue *, uint32_t parent, uint32_t rank,
                      uint32_t *pools);
void quota_draw_job(struct quota_draw *, struct quota_job *, policy_queue, policy_time now,
                    uint64_t rank);

/* Sets some options; all of them in one configuration in three, so that every row is covered. */
void quota_draw_options(struct quota_draw *, struct policy_config *);

/* The same for kube-default. */
void quota_draw_pod_options(struct quota_draw *, struct policy_config *);

/* The values drawn for the option; NULL if there is no row for it. */
const char *const *quota_option_values(const char *option);

#endif
