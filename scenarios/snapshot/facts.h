/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A policy with the contents of a snapshot, and the mapping from its ids back to names:
 *
 *     snapshot --snapshot_tell()--> nodes, queues, jobs, tasks in the policy core
 *     decision of the core --snap_facts_job(), snap_facts_task(), ...--> names
 *
 * Only relevant facts are reported: labels that no task and no used topology refers to are left
 * out, as are unused topologies and MIG profiles, so a policy without these concepts can still work
 * with a cluster that has them. Labels, device types, profiles and pools are numbered in the byte
 * order of their names.
 *
 * Jobs that are never tried are not reported. Their running tasks still hold devices: they are
 * reported as a job of a root queue that is entitled to nothing and may not be preempted.
 */
#ifndef SCENARIOS_SNAPSHOT_FACTS_H
#define SCENARIOS_SNAPSHOT_FACTS_H

#include "scenarios/snapshot/snapshot.h"

struct snap_facts {
    const struct snapshot *snapshot;
    struct policy *policy; /* the caller's */
    /* ids by index in the snapshot; i = POLICY_NO_ID for what was not reported */
    policy_node *nodes;
    policy_queue *queues;
    policy_job *jobs;
    /* indexes by id */
    size_t *node_of, *queue_of, *job_of;
    const char **pools; /* names by number */
    size_t node_capacity, queue_capacity, job_capacity;
    bool released; /* tasks that were being released have freed their devices */
};

/*
 * Reports the facts; with all_topologies also topologies that no job refers to. Returns false with
 * err set if the policy refuses a fact. Call snap_facts_fini() in any case.
 */
bool snapshot_tell(struct snap_facts *, struct policy *, const struct snapshot *,
                   bool all_topologies, struct err *err);
void snap_facts_fini(struct snap_facts *);

const struct snap_job *snap_facts_job(const struct snap_facts *, policy_job);
const struct snap_task *snap_facts_task(const struct snap_facts *, policy_job, uint32_t number);
const struct snap_node *snap_facts_node(const struct snap_facts *, policy_node);
const struct snap_queue *snap_facts_queue(const struct snap_facts *,
                                          policy_queue); /* NULL: not a queue of the file */

/*
 * Carries decisions out at once, as between two cycles of a dry run: started tasks run, evicted and
 * released ones are pending again, nominations are dropped. A job ended by a limit is removed, also
 * from facts.jobs.
 */
bool snapshot_apply(struct snap_facts *, const struct policy_decision *decisions, size_t count,
                    struct err *err);

#endif
