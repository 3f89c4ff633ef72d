/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small clusters with labels for tests of topologies: topology 1 has up to three levels, whose
 * label keys are 1, 2 and 3, and one queue without bounds. Node i has rank i and number i.
 */
#ifndef TESTS_LIB_RACKS_H
#define TESTS_LIB_RACKS_H

#include "tests/lib/core.h"

#define RACKS_LEVELS 3
#define RACKS_NODES  16

struct racks_node {
    uint32_t at[RACKS_LEVELS];      /* values of its labels, 0: it has none of that key */
    int32_t devices, used, leaving; /* whole devices that tasks hold, and that are being released */
    int64_t cpu_milli;              /* 0: not modelled */
    uint32_t pool;
    bool down;
};

struct racks {
    struct tally tally;
    struct policy *p;
    policy_queue queue;
    uint64_t jobs; /* submitted so far */
};

/* A cluster whose topology 1 has so many levels; only allocates. `pools` as for core_queue(). */
void racks_open(struct racks *, uint32_t levels, const uint32_t *pools, uint32_t pool_count);
void racks_close(struct racks *);

/* Adds the node with what holds its devices: jobs that nobody may move. */
policy_node racks_node(struct racks *, uint32_t rank, const struct racks_node *);

/* Adds nodes until one has no devices; returns how many. */
uint32_t racks_nodes(struct racks *, const struct racks_node *, uint32_t most);

/* The spec of a job of the queue; roles may leave `size` and, for a full gang, min_tasks out. */
struct policy_job_spec racks_job(struct racks *, struct policy_role *roles, uint32_t most);
policy_job racks_submit(struct racks *, const struct policy_job_spec *);

/* Decides; what becomes of the job's tasks as text: "0@2 1~3" starts task 0 on node 2 and nominates
 * node 3 to task 1. */
const char *racks_decide(struct racks *, policy_time now, policy_job, char *text, size_t size);

#endif
