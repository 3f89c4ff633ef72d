/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger of GPU time in the window, in thousandths of a GPU times milliseconds, so that it adds up exactly:
 *
 *     installed - productive = down + drained + idle (no demand, fragmented, blocked) + lost (user, ...)
 *
 * Idle time of a site is split at every moment: what is idle beyond the pending demand has no demand; the rest is
 * divided in proportion to the pending demand that is FRAGMENTED (enough devices are free, in the wrong pieces) and the
 * pending demand that waits for any other reason: "blocked", because it wants more than is free, or because the policy
 * holds it back. Demand that never fits counts as none.
 */
#ifndef REPORT_LEDGER_H
#define REPORT_LEDGER_H

#include "sim/sim.h"

__extension__ typedef __int128 ledger_amount;

struct ledger {
    ledger_amount installed, available, allocated, user_lost;
    ledger_amount idle_no_demand, idle_fragmented, idle_blocked;
    ledger_amount sm_weighted;  /* ppm times the above unit, of jobs whose trace has utilization */
    ledger_amount sm_allocated; /* the allocated time of those jobs */
};

struct sim_observer ledger_observer(struct ledger *);

/* Takes in the running jobs, after sim_finish(). */
void ledger_finish(struct ledger *, const struct sim *);

/* Thousandths times milliseconds as GPU-hours. */
double ledger_hours(ledger_amount);

#endif
