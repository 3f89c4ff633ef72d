/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nodes on demand. The first `least` nodes of an elastic pool exist from the beginning, the others
 * only once ordered. The policy decides what to order (policies/act/provision.h); this module
 * delivers, warms up and bills.
 *
 *     off -- ordered ------------------> arrives ------------> up -- released --> off
 *             |        delay                    warm-up                   |
 *             +------------------ billed, at least least_paid_ms ----------+
 *
 * Nodes of a pool with planned changes (sim/planned_changes.h) come and go by the calendar instead,
 * and no policy orders them:
 *
 *     off -- added --------> up -- removed, drains ----------------> off
 *             |    warm-up                    empty, or after grace   |
 *             +------------------------- billed ----------------------+
 *
 * A node that is off is neither installed nor up. An ordered node is installed and counts as
 * drained. Reclaimed spot capacity is off, and cannot be ordered until it is back.
 */
#ifndef SIM_ELASTIC_NODES_H
#define SIM_ELASTIC_NODES_H

#include <stdbool.h>
#include <stdint.h>

/* Configuration of one pool. */
struct sim_elastic_pool {
    bool given;
    bool planned;              /* nodes come and go by the calendar */
    bool reserved;             /* planned: between two dates, as a provider's contract says */
    uint32_t least, most;      /* nodes; most: all nodes of the pool */
    int64_t delay_ms[2];       /* minimum and maximum, uniformly drawn */
    int64_t warmup_ms;         /* time to load images and data after arrival */
    int64_t idle_ms;           /* an empty node is released after this long */
    int64_t wait_ms;           /* only jobs pending this long are a reason to order */
    int64_t least_paid_ms;     /* minimum billed per order */
    int64_t price_micro_usd_h; /* per node; 0 unknown */
};

/* Mean time from an order until the node accepts jobs. */
static inline int64_t sim_elastic_delay(const struct sim_elastic_pool *terms)
{
    return (terms->delay_ms[0] + terms->delay_ms[1]) / 2 + terms->warmup_ms;
}

struct sim_elastic {
    const struct sim_elastic_pool *of_pool; /* owned by the caller; NULL: no pool is elastic */
};

/* What was billed for a pool's nodes so far. */
struct sim_elastic_bill {
    uint32_t held, most_held; /* nodes billed now, and the maximum */
    uint64_t orders, releases, reclaims;
    int64_t since_ms;          /* time since which `held` is unchanged */
    int64_t there_ms, paid_ms; /* node-milliseconds: billed as time passes; including the minimum of
                                  each order */
    int64_t waited_ms; /* total from orders to the nodes' first use, over orders that arrived */
};

struct sim_elastic_node {
    int64_t order_ms; /* billed since */
    int64_t due_ms;   /* when an ordered node accepts jobs, or a node that leaves is taken */
    bool stays;       /* it leaves then, even if it is empty before */
    uint32_t orders;  /* so far; numbers its random draws */
};

struct sim_elastic_book {
    struct sim_elastic_bill *bills; /* by pool */
    struct sim_elastic_node *nodes; /* by node */
    int64_t last_order_ms;          /* or the beginning */
};

#endif
