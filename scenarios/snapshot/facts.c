/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Converts ids of the policy core to names of the snapshot; see facts.h. */
#include "scenarios/snapshot/facts.h"

#include <stdlib.h>

void snap_facts_fini(struct snap_facts *facts)
{
    free(facts->nodes);
    free(facts->queues);
    free(facts->jobs);
    free(facts->node_of);
    free(facts->queue_of);
    free(facts->job_of);
    free(facts->pools);
    *facts = (struct snap_facts){0};
}

/* ---- from ids to names ---- */

const struct snap_job *snap_facts_job(const struct snap_facts *facts, policy_job job)
{
    BUG_ON(job.i >= facts->job_capacity || facts->job_of[job.i] == SNAP_NONE);
    return &facts->snapshot->jobs[facts->job_of[job.i]];
}

const struct snap_task *snap_facts_task(const struct snap_facts *facts, policy_job id,
                                        uint32_t number)
{
    const struct snap_job *job = snap_facts_job(facts, id);
    if (job->stray == SNAP_IN_QUEUE) {
        BUG_ON(number >= job->task_count);
        return &job->tasks[number];
    }
    // of a job without a queue, only tasks that hold devices were added
    uint32_t seen = 0, t = 0;
    while (t < job->task_count && (!snap_holds(&job->tasks[t]) || seen++ < number))
        t++;
    BUG_ON(t == job->task_count);
    return &job->tasks[t];
}

const struct snap_node *snap_facts_node(const struct snap_facts *facts, policy_node node)
{
    BUG_ON(node.i >= facts->node_capacity || facts->node_of[node.i] == SNAP_NONE);
    return &facts->snapshot->nodes[facts->node_of[node.i]];
}

const struct snap_queue *snap_facts_queue(const struct snap_facts *facts, policy_queue queue)
{
    bool known = queue.i < facts->queue_capacity && facts->queue_of[queue.i] != SNAP_NONE;
    return known ? &facts->snapshot->queues[facts->queue_of[queue.i]] : NULL;
}
