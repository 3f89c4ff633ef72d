/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports the history in a snapshot to a policy. */
#include "scenarios/snapshot/tell.h"

/* Returns false if it names an unknown job or queue. */
static bool number(const struct snap_teller *teller, const struct snap_history *h,
                   struct policy_history *record)
{
    const struct snap_facts *facts = teller->facts;
    *record = h->record;
    record->job = h->job == SNAP_NONE ? (policy_job){POLICY_NO_ID, 0} : facts->jobs[h->job];
    record->other = h->other == SNAP_NONE ? (policy_job){POLICY_NO_ID, 0} : facts->jobs[h->other];
    record->queue.i = h->queue == SNAP_NONE ? POLICY_NO_ID : facts->queues[h->queue].i;
    record->node.i = h->node == SNAP_NONE ? POLICY_NO_ID : facts->nodes[h->node].i;
    record->user = snap_user(&teller->names, h->user);
    return (h->job == SNAP_NONE || record->job.i != POLICY_NO_ID) &&
           (h->other == SNAP_NONE || record->other.i != POLICY_NO_ID) &&
           (h->queue == SNAP_NONE || record->queue.i != POLICY_NO_ID);
}

/*
 * A policy without such history ignores it. A dry run has to decide, whatever was decided before.
 */
bool snap_tell_history(struct snap_teller *teller)
{
    const struct snapshot *s = teller->s;
    for (size_t i = 0; i < s->history_count; i++) {
        struct policy_history record;
        if (policy_history_is_of_then(s->history[i].record.kind) ||
            !number(teller, &s->history[i], &record))
            continue;
        int status = policy_set_history(teller->policy, s->now_ms, &record);
        if (status != POLICY_OK && status != POLICY_UNSUPPORTED)
            return snap_refused(teller, "history", i, "history");
    }
    return true;
}
