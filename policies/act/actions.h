/* SPDX-License-Identifier: MIT */
/*
 * The table of actions. A decision runs those enabled in the configuration
 * (policy_quota_options.actions), in the order of this table. A new action is one file with its
 * row, `pc_action_NAME`, and one line here: see docs/extending.md.
 */
#ifndef POLICY_ACT_ACTIONS_H
#define POLICY_ACT_ACTIONS_H

#include "rows.h"

#define PC_ACTIONS(ROW)                                                                            \
    ROW(limits)                                                                                    \
    ROW(allocate)                                                                                  \
    ROW(consolidate)                                                                               \
    ROW(reclaim)                                                                                   \
    ROW(preempt)                                                                                   \
    ROW(stale)

#define PC_DECLARE_ACTION(name) extern const struct pc_action pc_action_##name;
PC_ACTIONS(PC_DECLARE_ACTION)
#undef PC_DECLARE_ACTION

/* ",limits,allocate,...": their names as text. */
#define PC_ACTION_NAME(name) "," #name
#define PC_ACTION_NAMES      "" PC_ACTIONS(PC_ACTION_NAME)

extern const struct pc_action *const pc_actions[];
extern const uint32_t pc_action_count;

/* Returns the row with this action number, or NULL. */
const struct pc_action *pc_action_numbered(int32_t action);

#endif
