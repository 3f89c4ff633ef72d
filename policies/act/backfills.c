/* SPDX-License-Identifier: MIT */
/* The table of backfills; see backfills.h. */
#include "act/backfills.h"

#include "act/backfill_lanes.h"
#include "act/backfill_planned.h"
#include "act/backfill_single.h"
#include "state/engine.h"
#include "state/traits.h"

const struct pc_action *pc_backfill_of(const struct policy *p)
{
    static const struct pc_action *const in_lanes[] = {
        [POLICY_EASY] = &pc_action_backfill_easy,
        [POLICY_CONSERVATIVE] = &pc_action_backfill_conservative,
        [POLICY_SINGLE] = NULL,
    };
    static const struct pc_action *const with_queue_order[] = {
        [POLICY_EASY] = &pc_action_backfill_first,
        [POLICY_CONSERVATIVE] = &pc_action_backfill_planned,
        [POLICY_SINGLE] = &pc_action_backfill_single,
    };
    return (pc_in_lanes(&p->config) ? in_lanes : with_queue_order)[p->config.backfill];
}
