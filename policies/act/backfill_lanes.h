/* SPDX-License-Identifier: MIT */
/*
 * Backfill where jobs stand in lanes (option `backfill`): jobs behind the first one that cannot
 * start may go ahead if, as declared, they do not delay it. What declares no limit, and has no
 * expected run time, ends some day, after everything that does; what runs longer than declared may
 * end at any time.
 */
#ifndef POLICY_ACT_BACKFILL_LANES_H
#define POLICY_ACT_BACKFILL_LANES_H

#include "rows.h"

/*
 * EASY (see reservation.h): the first job of each lane has a reservation. A job behind it may start
 * now if it ends by then, or if the reserved places stay free beside it. Variant `frozen`: the time
 * is found once, when the job becomes the first, and only jobs that end by it may go ahead. What an
 * elastic job wants above its minimum goes ahead as another job would that ends with it.
 */
extern const struct pc_action pc_action_backfill_easy;

/*
 * Conservative (Mu'alem and Feitelson 2001): every job has a reservation, in order, and none may be
 * delayed. Times are found by sums of devices in each pool set; requests of other kinds than whole
 * devices and shares count as quotas weigh them. A job whose time has come, and that finds no place
 * because what is free is in pieces, is nominated the next time at which something ends. An elastic
 * job is nominated its minimum; what it wants above starts beside all nominations, or waits.
 */
extern const struct pc_action pc_action_backfill_conservative;

#endif
