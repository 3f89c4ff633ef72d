/* SPDX-License-Identifier: MIT */
/*
 * Shared by the actions of a decision. A decision runs the enabled actions in the order of the
 * table in actions.h; each starts from the state that the previous one left.
 */
#ifndef POLICY_ACT_ACT_H
#define POLICY_ACT_ACT_H

#include "rows.h"
#include "state/state.h"

void pc_renew_nominations(struct policy *);

/*
 * Replaces the table for kube-default: tasks are placed one by one, in the order of
 * order/task_queue.h, and those that do not fit may evict others of lower priority
 * (act/allocate_tasks.c).
 */
extern const struct pc_action pc_action_allocate_tasks;

/*
 * Calls `visit` for the pending jobs in order, starting with the first of each class. If it
 * succeeds, the next job of the class follows (with `again` also the same job while it has pending
 * tasks); if it fails, it would fail for the rest of the class too.
 *
 * Most classes cannot succeed. `leaf` and `admits` detect this cheaply: such a class fails in its
 * turn without a call of `visit`, and the action ends when no class can succeed. Both return false
 * only if `visit` would fail, so they change no decision (tests/property/test_quota_random.c).
 */
struct pc_visit {
    bool (*serves)(
        const struct policy *,
        uint32_t class); /* returns true if the action applies to such jobs; NULL: to all */
    bool (*leaf)(
        const struct policy *,
        uint32_t queue); /* returns true if some job of the leaf may succeed; NULL: always */
    bool (*admits)(struct policy *, uint32_t class); /* the same for a class; NULL: always */
    bool (*visit)(struct policy *, uint32_t job);
    void (*failed)(struct policy *,
                   uint32_t class);         /* called after a failure; NULL: nothing to remember */
    bool (*goes_on)(const struct policy *); /* returns true if equivalent jobs still get a turn
                                               after a failure; NULL: no */
    bool once;                              /* a success cannot enable other jobs */
    bool again;
};
void pc_visit_pending(struct policy *, const struct pc_visit *);

/* Evicts all active tasks of a job, as a decision. */
bool pc_evict_job(struct policy *, uint32_t job, uint8_t reason);

#endif
