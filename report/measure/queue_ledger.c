/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accounts of queues; see queue_ledger.h. */
#include "report/measure/queue_ledger.h"

#include "sim/base/mem.h"

#include <stdlib.h>

static struct queue_account *account_of(struct queue_ledger *q, const struct sim *sim,
                                        uint32_t queue)
{
    if (queue >= q->count)
        q->accounts = mem_extend(q->accounts, &q->count, sim->queue_count, sizeof *q->accounts);
    return &q->accounts[queue];
}

/* The losses that the ledger and an account have in common. */
static struct queue_account losses_of(const struct ledger *l)
{
    return (struct queue_account){
        .startup = l->startup,
        .restart = l->restart,
        .checkpoint = l->checkpoint,
        .hold = l->hold,
        .hung = l->hung,
        .slowdown = l->slowdown,
        .preemption = l->preemption,
        .failure = l->failure,
        .user = l->user_lost,
        .work = ledger_work(l),
    };
}

static void add_difference(struct queue_account *to, const struct queue_account *before,
                           const struct queue_account *after)
{
    to->startup += after->startup - before->startup;
    to->restart += after->restart - before->restart;
    to->checkpoint += after->checkpoint - before->checkpoint;
    to->hold += after->hold - before->hold;
    to->hung += after->hung - before->hung;
    to->slowdown += after->slowdown - before->slowdown;
    to->preemption += after->preemption - before->preemption;
    to->failure += after->failure - before->failure;
    to->user += after->user - before->user;
    to->work += after->work - before->work;
}

static void interval(void *self, const struct sim *sim, uint32_t site, int64_t from, int64_t to)
{
    const struct queue_ledger *q = self;
    q->inner.interval(q->inner.self, sim, site, from, to);
}

/* A span adds its times, its work and its slowdown to the ledger; nothing of it is lost yet. */
static void spent(void *self, const struct sim *sim, const struct work_job *job,
                  const struct sim_span *span)
{
    struct queue_ledger *q = self;
    const struct work_spent *s = &span->spent;
    struct queue_account *account = account_of(q, sim, job->queue);
    ledger_amount slowdown = q->ledger->slowdown, work = q->ledger->work;
    q->inner.spent(q->inner.self, sim, job, span);
    account->slowdown += q->ledger->slowdown - slowdown;
    account->work += q->ledger->work - work;
    const ledger_amount milli = span->milli;
    int64_t other_ms = s->startup_ms + s->restart_ms + s->write_ms + s->still_ms;
    account->allocated += milli * (s->work_ms + other_ms);
    if (other_ms == 0)
        return;
    account->startup += milli * s->startup_ms;
    account->restart += milli * s->restart_ms;
    account->checkpoint += milli * s->write_ms;
    *(job->hung ? &account->hung : &account->hold) += milli * s->still_ms;
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct queue_ledger *q = self;
    struct queue_account before = losses_of(q->ledger);
    q->inner.evicted(q->inner.self, sim, job, how);
    struct queue_account after = losses_of(q->ledger);
    add_difference(account_of(q, sim, job->queue), &before, &after);
}

static void interrupted(void *self, const struct sim *sim, const struct work_job *job,
                        const struct sim_interruption *how)
{
    struct queue_ledger *q = self;
    struct queue_account before = losses_of(q->ledger);
    q->inner.interrupted(q->inner.self, sim, job, how);
    struct queue_account after = losses_of(q->ledger);
    add_difference(account_of(q, sim, job->queue), &before, &after);
}

static void ended(void *self, const struct sim *sim, const struct work_job *job)
{
    struct queue_ledger *q = self;
    struct queue_account *account = account_of(q, sim, job->queue);
    /* the end of a job changes no other loss */
    ledger_amount user = q->ledger->user_lost, work = ledger_work(q->ledger);
    q->inner.ended(q->inner.self, sim, job);
    account->user += q->ledger->user_lost - user;
    account->work += ledger_work(q->ledger) - work;
}

struct sim_observer queue_ledger_observer(struct queue_ledger *q, struct ledger *ledger)
{
    *q = (struct queue_ledger){.ledger = ledger, .inner = ledger_observer(ledger)};
    return (struct sim_observer){.self = q,
                                 .interval = interval,
                                 .spent = spent,
                                 .evicted = evicted,
                                 .interrupted = interrupted,
                                 .ended = ended};
}

void queue_ledger_fini(struct queue_ledger *q)
{
    free(q->accounts);
    q->accounts = NULL;
    q->count = 0;
}

struct queue_account queue_ledger_of(const struct queue_ledger *q, size_t queue)
{
    return queue < q->count ? q->accounts[queue] : (struct queue_account){0};
}

ledger_amount queue_account_running(const struct queue_account *a)
{
    return a->allocated - a->restart - a->startup - a->hold - a->hung;
}

ledger_amount queue_account_productive(const struct queue_account *a)
{
    return queue_account_running(a) - a->checkpoint - a->preemption - a->failure - a->user -
           a->slowdown;
}
