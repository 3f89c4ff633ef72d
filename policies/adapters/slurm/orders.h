/* SPDX-License-Identifier: MIT */
/* What Slurm is to do: the tracker writes orders, send.c carries them out, --shadow only prints
 * them. */
#ifndef ADAPTERS_SLURM_ORDERS_H
#define ADAPTERS_SLURM_ORDERS_H

#include <stddef.h>
#include <stdint.h>

enum order_kind {
    ORDER_TAKE = 1,    /* a job that waits is held from now on, and marked */
    ORDER_RELEASE = 2, /* it may start, on these nodes */
    ORDER_HOLD = 3,    /* it may not start any more; its nodes are forgotten */
    ORDER_KEEP = 4,    /* it runs: whatever requeues it, it shall be held then */
    ORDER_REQUEUE = 5, /* it is stopped and waits again, held */
    ORDER_CANCEL = 6,  /* it is ended */
};

struct order {
    enum order_kind kind;
    char *job;      /* "12", "12_3", "12_[3-7]" */
    char *text;     /* RELEASE: nodes, "dgx01,dgx04"; TAKE: the administrator's comment; else "" */
    uint32_t nodes; /* RELEASE */
};

struct orders { /* all zero: none */
    struct order *list;
    size_t count;
};

/* Copies the texts; NULL is "". */
void orders_add(struct orders *, enum order_kind, const char *job, const char *text,
                uint32_t nodes);
void orders_clear(struct orders *);
const char *order_verb(enum order_kind); /* "release" */

#endif
