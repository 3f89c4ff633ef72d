/* SPDX-License-Identifier: MIT */
/*
 * Which action the option `backfill` names: jobs in lanes and with a queue order have rows of their
 * own. Those of lanes run after jobs were placed in order; those with a queue order before, since
 * what they keep free binds all that follows.
 */
#ifndef POLICY_ACT_BACKFILLS_H
#define POLICY_ACT_BACKFILLS_H

#include "rows.h"

/* That of the configuration, or NULL. */
const struct pc_action *pc_backfill_of(const struct policy *);

#endif
