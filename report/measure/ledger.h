/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger of GPU time in the window, in thousandths of a GPU times milliseconds, so that it adds
 * up exactly:
 *
 *     installed - productive = down + reclaimed + drained + idle (no demand, fragmented, held back)
 *                              + lost (user, preemption, failure, checkpoint, restart, startup and
 *                              hold, slowdown)
 *     allocated - running    = restart + startup and hold
 *
 * Failure is what jobs lost to faults, and the time for which they hung before a fault was
 * detected: as far as anybody knows they run then, so it is lost from running, not before it.
 * Slowdown is what a job would have done more on the best placement on the kind of node that it
 * had: a GPU-hour is a GPU-hour, on fast devices and on slow ones. How much was done in it is
 * counted beside, in GPU-hours of the hardware and the number of tasks that jobs were recorded on
 * (`work`): where all ran on that, it is what was productive.
 *
 * Idle time of a site is split at every moment: what is idle beyond the pending demand has no
 * demand; the rest is fragmented in proportion to the demand that waits for want of fitting pieces,
 * and blocked where something else holds it back. Demand that never fits counts as none.
 *
 * Time in use is split as jobs say what they spent it on. What a job did since its last checkpoint
 * is productive until an eviction or a fault loses it; all that a job did is the user's loss when
 * it fails in the end.
 */
#ifndef REPORT_MEASURE_LEDGER_H
#define REPORT_MEASURE_LEDGER_H

#include "sim/base/wide.h"
#include "sim/sim.h"

typedef wide ledger_amount;

/* Time at work, as much as would have done on the best placement, and the work done in it. */
struct ledger_worth {
    ledger_amount time, work;
};

/* Productive time of a job in flight, in the window. */
struct ledger_job {
    struct ledger_worth safe, at_risk; /* at risk: since its last checkpoint */
    struct ledger_worth fresh;   /* of that: since its last write began, which may still go on */
    struct ledger_worth corrupt; /* saved, but worth nothing when somebody notices */
};

struct ledger {
    ledger_amount installed, available, allocated;
    ledger_amount down, reclaimed, drained; /* reclaimed: spot capacity that somebody else had */
    ledger_amount user_lost, preemption, failure, checkpoint, restart, startup, hold, hung,
        slowdown;
    ledger_amount idle_no_demand, idle_fragmented, idle_blocked;
    ledger_amount work,
        work_lost; /* in recorded time: all that was done, and what of it counts no more */
    ledger_amount sm_weighted;  /* ppm times the above unit, of jobs whose trace has utilization */
    ledger_amount sm_allocated; /* the allocated time of those jobs */
    struct ledger_job *jobs;    /* by the policy core's number */
    size_t job_count;
};

struct sim_observer ledger_observer(struct ledger *);
void ledger_fini(struct ledger *);

/* Complete after sim_finish(). */
ledger_amount ledger_running(const struct ledger *);
ledger_amount ledger_productive(const struct ledger *);

/* What lasted of the work that was done, in recorded time. */
ledger_amount ledger_work(const struct ledger *);

/* GPU-time of jobs at work over what it would have taken at ideal speed; NAN when nothing worked.
 */
double ledger_mean_slowdown(const struct ledger *);

/* Thousandths times milliseconds as GPU-hours. */
double ledger_hours(ledger_amount);

#endif
