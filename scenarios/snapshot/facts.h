/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A policy that knows what is in a snapshot, and the way back from its ids to names:
 *
 *     snapshot --snapshot_tell()--> nodes, queues, jobs, tasks in the policy core
 *     decision of the core --snap_facts_job(), snap_facts_task(), ...--> names
 *
 * Only what has a bearing is told: labels that no task and no topology in use asks for stay out, as
 * do topologies and unused MIG profiles, so that a policy that lacks those ideas can still work
 * with a cluster that has them. Labels, device types, profiles and pools get numbers in the byte
 * order of their names.
 *
 * Jobs that are never tried are not told. What already runs of them holds its devices all the same:
 * it is told as a job of a root queue that is entitled to nothing, and may not be preempted.
 */
#ifndef SCENARIOS_SNAPSHOT_FACTS_H
#define SCENARIOS_SNAPSHOT_FACTS_H

#include "scenarios/snapshot/snapshot.h"

struct snap_facts {
    const struct snapshot *snapshot;
    struct policy *policy; /* the caller's */
    /* ids by index in the snapshot; i = POLICY_NO_ID for what was not told */
    policy_node *nodes;
    policy_queue *queues;
    policy_job *jobs;
    /* and indices by id */
    size_t *node_of, *queue_of, *job_of;
    size_t node_capacity, queue_capacity, job_capacity;
    bool released; /* what was being released when the snapshot was taken is free */
};

/*
 * With all_topologies it hears of those, too, that no job refers to. False with err set when the
 * policy refuses a fact. To be released with snap_facts_fini() in any case.
 */
bool snapshot_tell(struct snap_facts *, struct policy *, const struct snapshot *,
                   bool all_topologies, struct err *err);
void snap_facts_fini(struct snap_facts *);

const struct snap_job *snap_facts_job(const struct snap_facts *, policy_job);
const struct snap_task *snap_facts_task(const struct snap_facts *, policy_job, uint32_t number);
const struct snap_node *snap_facts_node(const struct snap_facts *, policy_node);
const struct snap_queue *snap_facts_queue(const struct snap_facts *,
                                          policy_queue); /* NULL: of none of the file */

/*
 * Carries decisions out at once, as between two cycles of a dry run: what was started runs, what
 * was evicted or was being released is pending again, nominations are forgotten. A job that a limit
 * ends is over, and facts.jobs forgets it.
 */
bool snapshot_apply(struct snap_facts *, const struct policy_decision *decisions, size_t count,
                    struct err *err);

#endif
