/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger of GPU time in the window. It counts thousandths of a GPU times milliseconds, so it
 * adds up exactly:
 *
 *     installed - productive = down + burn-in + reclaimed + drained
 *                              + idle (no demand, fragmented, held back)
 *                              + lost (user, preemption, failure, checkpoint, restart, startup and
 *                              hold, slowdown)
 *     allocated - running    = restart + startup and hold
 *
 * Failure is the work that jobs lost to faults, plus the time they hung before a fault was
 * detected; a hanging job appears to run, so this is lost from running time. Slowdown is the time
 * that the best placement on the same kind of node would have saved: a GPU-hour is a GPU-hour, on
 * fast devices and on slow ones. The work done is counted separately (`work`), in GPU-hours on the
 * hardware and with the number of tasks that jobs were recorded with; if all jobs ran like that, it
 * equals productive time.
 *
 * Idle time of a site is split at every moment. Idle GPUs beyond the pending demand have no demand.
 * The rest is fragmented in proportion to the demand that is pending because of fragmentation, and
 * otherwise held back. Demand that can never fit does not count.
 *
 * Time in use is split by what jobs spent it on. Work since the last checkpoint is productive until
 * an eviction or a fault loses it; if a job finally fails, all its work is the user's loss.
 */
#ifndef REPORT_MEASURE_LEDGER_H
#define REPORT_MEASURE_LEDGER_H

#include "sim/base/wide.h"
#include "sim/sim.h"

typedef wide ledger_amount;

/* Time at work, scaled to the best placement, and the work done in it. */
struct ledger_worth {
    ledger_amount time, work;
};

/* Productive time of a running job, in the window. */
struct ledger_job {
    struct ledger_worth safe, at_risk; /* at risk: since its last checkpoint */
    struct ledger_worth fresh; /* part of at_risk: since its last checkpoint write began, which may
                                  not have finished */
    struct ledger_worth corrupt; /* saved, but lost once the corruption is detected */
};

struct ledger {
    ledger_amount installed, available, allocated;
    ledger_amount down, burn_in, reclaimed,
        drained; /* burn_in: under test; reclaimed: spot capacity that the provider took back */
    ledger_amount user_lost, preemption, failure, checkpoint, restart, startup, hold, hung,
        slowdown;
    ledger_amount idle_no_demand, idle_fragmented, idle_blocked;
    ledger_amount work, work_lost; /* recorded time: all work done, and the part of it lost */
    ledger_amount sm_weighted;  /* ppm times the above unit, of jobs whose trace has utilization */
    ledger_amount sm_allocated; /* the allocated time of those jobs */
    struct ledger_job *jobs;    /* by the policy core's number */
    size_t job_count;
};

struct sim_observer ledger_observer(struct ledger *);
void ledger_fini(struct ledger *);

/* Final after sim_finish(). */
ledger_amount ledger_running(const struct ledger *);
ledger_amount ledger_productive(const struct ledger *);

/* Returns the work that was done and not lost, in recorded time. */
ledger_amount ledger_work(const struct ledger *);

/*
 * Returns GPU time of working jobs over the time it would take at ideal speed; NaN if no job
 * worked.
 */
double ledger_mean_slowdown(const struct ledger *);

/* Thousandths times milliseconds as GPU-hours. */
double ledger_hours(ledger_amount);

#endif
