/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gives a new run what the policy remembered when the snapshot was taken; see start.h. */
#include "sim/start/internal.h"

#include <string.h>

/* ---- numbers for names ---- */

static policy_queue queue_of(const struct start *start, const struct sim *sim, size_t index)
{
    for (size_t i = 0; index != SNAP_NONE && i < sim->queue_count; i++)
        if (strcmp(sim->queues[i].name, start->snapshot->queues[index].name) == 0)
            return sim->queues[i].core;
    return (policy_queue){POLICY_NO_ID};
}

static uint32_t user_of(const struct start *start, const char *name)
{
    return *name != '\0' ? symbols_add(start->of.names->users, name, strlen(name)) + 1 : 0;
}

/* False if it is about a job or queue that is not in this run. */
static bool number(const struct start *start, const struct sim *sim, const struct snap_history *h,
                   struct policy_history *record)
{
    *record = h->record;
    record->job = h->job != SNAP_NONE ? start->cores[h->job] : (policy_job){POLICY_NO_ID, 0};
    record->other = h->other != SNAP_NONE ? start->cores[h->other] : (policy_job){POLICY_NO_ID, 0};
    record->queue = queue_of(start, sim, h->queue);
    record->node.i = h->node != SNAP_NONE ? start->node_of[h->node] : POLICY_NO_ID;
    record->user = user_of(start, h->user);
    return (h->job == SNAP_NONE || record->job.i != POLICY_NO_ID) &&
           (h->other == SNAP_NONE || record->other.i != POLICY_NO_ID) &&
           (h->queue == SNAP_NONE || record->queue.i != POLICY_NO_ID) &&
           (h->node == SNAP_NONE || record->node.i != POLICY_NO_ID);
}

/* ---- telling ---- */

/* A job that lost its nodes waits, whatever it was promised: where another world contradicts what
 * was, that is gone. */
static bool is_gone(int status)
{
    return status == POLICY_UNSUPPORTED || status == POLICY_CONFLICT;
}

/* True if run times are those of the snapshot and none is drawn. */
static bool is_known(const struct start *start)
{
    return start->of.scenario->start.remaining == SCEN_REMAINING_KNOWN;
}

bool start_tell_history(struct start *start, struct sim *sim, struct err *err)
{
    const struct snapshot *s = start->snapshot;
    bool same = s != NULL && s->history_count > 0 && start_is_same(start, sim);
    for (size_t i = 0; s != NULL && i < s->history_count; i++) {
        struct policy_history record;
        bool is_of_then = policy_history_is_of_then(s->history[i].record.kind);
        if ((is_of_then && !same) || !number(start, sim, &s->history[i], &record))
            continue;
        record.timed = record.timed && same && is_known(start); /* otherwise the run has reported
                                                                   the progress of its jobs */
        int status = sim_tell(sim, &(struct fact){.kind = FACT_HISTORY, .spec = &record});
        if (status != POLICY_OK && !is_gone(status))
            return err_set(err, EXIT_INPUT, "%s: history[%zu]: the policy does not take it: %s",
                           s->file, i, policy_last_error(sim->policy)->message);
    }
    return true;
}
