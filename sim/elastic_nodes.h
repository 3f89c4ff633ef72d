/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes on demand: of an elastic pool the first `least` are there from the beginning, the others
 * when somebody orders them. Who does is the policy's business (policies/act/provision.h); here
 * they arrive, are warmed up, and are paid for.
 *
 *     off -- ordered ------------------> arrives ------------> up -- released --> off
 *             |        delay                    warm-up                   |
 *             +----------------- paid for, at least least_paid_ms ---------+
 *
 * A node that is off is neither installed nor up. One that is ordered is installed and counts as
 * drained. Spot capacity that is reclaimed is off from then on, and cannot be ordered before it is
 * back.
 */
#ifndef SIM_ELASTIC_NODES_H
#define SIM_ELASTIC_NODES_H

#include <stdbool.h>
#include <stdint.h>

/* As configured, of one pool. */
struct sim_elastic_pool {
    bool given;
    uint32_t least, most;      /* nodes; most: all of the pool */
    int64_t delay_ms[2];       /* at least and at most: drawn evenly from between */
    int64_t warmup_ms;         /* after it has arrived, image and data are loaded */
    int64_t idle_ms;           /* it is given back after being empty for so long */
    int64_t wait_ms;           /* jobs that have waited for so long are a reason to order */
    int64_t least_paid_ms;     /* an order costs at least as much */
    int64_t price_micro_usd_h; /* of a node; 0 unknown */
};

/* The mean time from an order until the node takes jobs. */
static inline int64_t sim_elastic_delay(const struct sim_elastic_pool *terms)
{
    return (terms->delay_ms[0] + terms->delay_ms[1]) / 2 + terms->warmup_ms;
}

struct sim_elastic {
    const struct sim_elastic_pool *of_pool; /* the caller's; NULL: no pool is elastic */
};

/* What a pool's nodes did so far. */
struct sim_elastic_bill {
    uint32_t held, most_held; /* nodes being paid for: at present, at most */
    uint64_t orders, releases, reclaims;
    int64_t since_ms; /* held has been what it is */
    int64_t there_ms,
        paid_ms;       /* nodes x ms: paid for as time passes; with the least of each order */
    int64_t waited_ms; /* from orders to the nodes' first use, of orders that arrived */
};

struct sim_elastic_node {
    int64_t order_ms; /* paid for since */
    int64_t due_ms;   /* of one that is ordered: when it takes jobs */
    uint32_t orders;  /* so far: numbers its draws */
};

struct sim_elastic_book {
    struct sim_elastic_bill *bills; /* by pool */
    struct sim_elastic_node *nodes; /* by node */
};

#endif
