/* SPDX-License-Identifier: MIT */
/* The table of actions; see actions.h. */
#include "act/actions.h"

#define REFER(name) &pc_action_##name,
const struct pc_action *const pc_actions[] = {PC_ACTIONS(REFER)};
const uint32_t pc_action_count = sizeof pc_actions / sizeof *pc_actions;

const struct pc_action *pc_action_numbered(int32_t action)
{
    for (uint32_t i = 0; i < pc_action_count; i++)
        if ((int32_t)pc_actions[i]->action == action)
            return pc_actions[i];
    return NULL;
}

const struct policy_row *policy_action_row(size_t i)
{
    return i < pc_action_count ? &pc_actions[i]->row : NULL;
}
