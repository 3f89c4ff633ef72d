/* SPDX-License-Identifier: MIT */
/*
 * Which action implements the option `backfill`: lanes and queue orders have separate rows. Those
 * for lanes run after jobs were placed in order; those for queue orders before, because their
 * reservations bind all later actions.
 */
#ifndef POLICY_ACT_BACKFILLS_H
#define POLICY_ACT_BACKFILLS_H

#include "rows.h"

/* Returns the action of the configuration, or NULL. */
const struct pc_action *pc_backfill_of(const struct policy *);

#endif
