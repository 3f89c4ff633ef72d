/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ledger's accounts of queues: what its jobs held, and what of that was lost. It listens in the
 * ledger's place and hands on everything; what an event adds to the ledger goes to the account of
 * the job's queue, too, so the accounts of all queues add up to the ledger exactly (idle time
 * belongs to no queue).
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
    ledger_amount work; /* that lasted, in recorded time: ledger_work() of the queue's jobs */
};

struct queue_ledger {
    struct ledger *ledger;
    struct sim_observer inner; /* the ledger's own */
    struct queue_account *accounts;
    size_t count; /* queues that had no job yet may be missing */
};

/* In place of ledger_observer(), whose ledger is the caller's. */
struct sim_observer queue_ledger_observer(struct queue_ledger *, struct ledger *);
void queue_ledger_fini(struct queue_ledger *);

/* The account of a queue; of one that had no job all is 0. */
struct queue_account queue_ledger_of(const struct queue_ledger *, size_t queue);

ledger_amount queue_account_running(const struct queue_account *);
ledger_amount queue_account_productive(const struct queue_account *);

#endif
