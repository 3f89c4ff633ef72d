/* SPDX-License-Identifier: MIT */
/* Searches that cannot succeed; see scarcity.h. Each leaf remembers a few; the oldest makes room.
 */
#include "state/scarcity.h"

/* Returns a negative number if the key and rank of the job come first. */
static int compare(const struct pc_job *j, const struct pc_scarcity *known)
{
    if (j->key.major != known->key.major)
        return j->key.major < known->key.major ? -1 : 1;
    if (j->key.minor != known->key.minor)
        return j->key.minor < known->key.minor ? -1 : 1;
    return (j->rank > known->rank) - (j->rank < known->rank);
}

/* What an elastic job has above its minimum comes after all minimums. */
bool pc_scarcity_concerns(const struct pc_cluster *c, const struct pc_scarcity *known, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    bool elastic = c->shapes[j->shape].elastic && j->key.major == known->key.major;
    return j->priority < known->priority && (elastic || compare(j, known) > 0);
}

bool pc_scarcity_is_known(const struct pc_cluster *c, uint32_t job, int32_t devices,
                          int64_t lacking)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_queue *q = &c->queues[j->queue];
    for (uint32_t i = 0; i < q->scarcity_count; i++) {
        const struct pc_scarcity *known = &q->scarcities[i];
        if (known->devices <= devices && known->priority >= j->priority && compare(j, known) >= 0 &&
            known->room < lacking)
            return true;
    }
    return false;
}

void pc_scarcity_remember(struct pc_cluster *c, uint32_t job, int32_t devices, int64_t room)
{
    const struct pc_job *j = &c->jobs[job];
    struct pc_queue *q = &c->queues[j->queue];
    if (q->scarcity_count == PC_SCARCITIES) {
        for (uint32_t i = 1; i < PC_SCARCITIES; i++)
            q->scarcities[i - 1] = q->scarcities[i];
        q->scarcity_count--;
    }
    q->scarcities[q->scarcity_count++] = (struct pc_scarcity){
        .key = j->key, .rank = j->rank, .room = room, .priority = j->priority, .devices = devices};
}

void pc_scarcity_note(struct pc_cluster *c, uint32_t job)
{
    struct pc_queue *q = &c->queues[c->jobs[job].queue];
    uint32_t kept = 0;
    for (uint32_t i = 0; i < q->scarcity_count; i++)
        if (!pc_scarcity_concerns(c, &q->scarcities[i], job))
            q->scarcities[kept++] = q->scarcities[i];
    q->scarcity_count = kept;
}
