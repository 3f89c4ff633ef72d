/* SPDX-License-Identifier: MIT */
/* Orders to Slurm: the tracker creates them, send.c carries them out, --shadow only prints them. */
#ifndef ADAPTERS_SLURM_ORDERS_H
#define ADAPTERS_SLURM_ORDERS_H

#include <stddef.h>
#include <stdint.h>

enum order_kind {
    ORDER_TAKE = 1,    /* hold and mark a pending job */
    ORDER_RELEASE = 2, /* it may start on these nodes */
    ORDER_HOLD = 3,    /* it may no longer start; its nodes are forgotten */
    ORDER_KEEP = 4,    /* it is running: any requeue must leave it held */
    ORDER_REQUEUE = 5, /* stop it; it becomes pending, held */
    ORDER_CANCEL = 6,  /* end it */
};

struct order {
    enum order_kind kind;
    char *job;      /* "12", "12_3", "12_[3-7]" */
    char *text;     /* RELEASE: nodes, "dgx01,dgx04"; TAKE: the admin comment; else "" */
    uint32_t nodes; /* RELEASE */
};

struct orders { /* all zero: empty */
    struct order *list;
    size_t count;
};

/* Copies the texts; NULL counts as "". */
void orders_add(struct orders *, enum order_kind, const char *job, const char *text,
                uint32_t nodes);
void orders_clear(struct orders *);
const char *order_verb(enum order_kind); /* "release" */

#endif
