/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger by queue: the GPU time that a queue's jobs held, and the part of it lost. It observes
 * in place of the ledger and passes every event on. What an event adds to the ledger is also added
 * to the account of the job's queue, so the accounts of all queues add up to the ledger exactly.
 * Idle time belongs to no queue.
 *
 *     allocated = productive + startup + restart + checkpoint + hold + hung + slowdown + preemption
 *     + failure + user
 */
#ifndef REPORT_MEASURE_QUEUE_LEDGER_H
#define REPORT_MEASURE_QUEUE_LEDGER_H

#include "report/measure/ledger.h"

/* In the ledger's unit, thousandths of a GPU times milliseconds. */
struct queue_account {
    ledger_amount allocated;
    ledger_amount startup, restart, checkpoint, hold, hung, slowdown, preemption, failure, user;
    ledger_amount work; /* not lost, in recorded time: ledger_work() of the queue's jobs */
};

struct queue_ledger {
    struct ledger *ledger;
    struct sim_observer inner; /* the ledger's observer */
    struct queue_account *accounts;
    size_t count; /* queues without a job so far may be missing */
};

/* Replaces ledger_observer(); the ledger is the caller's. */
struct sim_observer queue_ledger_observer(struct queue_ledger *, struct ledger *);
void queue_ledger_fini(struct queue_ledger *);

/* Returns the account of a queue; all 0 if it had no job. */
struct queue_account queue_ledger_of(const struct queue_ledger *, size_t queue);

ledger_amount queue_account_running(const struct queue_account *);
ledger_amount queue_account_productive(const struct queue_account *);

#endif
