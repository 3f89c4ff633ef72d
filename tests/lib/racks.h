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
    uint32_t at[RACKS_LEVELS];      /* values of its labels; 0: no label with this key */
    int32_t devices, used, leaving; /* whole devices held by tasks, and of those being released */
    int64_t cpu_milli;              /* 0: not modelled */
    uint32_t pool;
    bool down;
};

struct racks {
    struct tally tally;
    struct policy *p;
    policy_queue queue;
    uint64_t jobs; /* jobs submitted so far */
};

/* Creates a cluster whose topology 1 has this many levels; its only action is allocate. `pools` as
 * for core_queue(). */
void racks_open(struct racks *, uint32_t levels, const uint32_t *pools, uint32_t pool_count);
void racks_close(struct racks *);

/* Adds the node and non-preemptible jobs that hold its devices. */
policy_node racks_node(struct racks *, uint32_t rank, const struct racks_node *);

/* Adds nodes up to the first without devices; returns their number. */
uint32_t racks_nodes(struct racks *, const struct racks_node *, uint32_t most);

/* The spec of a job in the queue; roles need not set `size`, nor min_tasks for a full gang. */
struct policy_job_spec racks_job(struct racks *, struct policy_role *roles, uint32_t most);
policy_job racks_submit(struct racks *, const struct policy_job_spec *);

/* Decides; returns the decisions on the job's tasks as text: "0@2 1~3" starts task 0 on node 2 and
 * nominates task 1 to node 3. */
const char *racks_decide(struct racks *, policy_time now, policy_job, char *text, size_t size);

#endif
