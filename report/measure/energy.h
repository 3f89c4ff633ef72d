/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Energy of the nodes and what the fleet costs, in the window.
 *
 *     power of a node = idle + u * (0.80 * nameplate - idle)   sim/power; 0 while it is down
 *     u               = sum over its tasks that work of devices * utilization of their job /
 *                       devices of the node
 *     energy          = integral of the power of all nodes * PUE
 *     bill            = price of the nodes for the window, on one basis (sim/power/price.h; spot
 *                       capacity: for the time it was there), + energy * tariff of those whose
 *                       price does not include it
 *
 * Who pays the bill is divided in showback.h.
 *
 * A task works while its job does: restarts, writing checkpoints, waiting for a gang and hanging
 * draw what idle devices do. The utilization of a job is work_use() (sim/work/job.h), what its
 * trace does not say being 1. Since the power is linear in u, the part above idle is summed by job
 * when its time is accounted for, and the idle part changes only when nodes turn: nothing has to be
 * done for a node whose jobs stay as they are.
 *
 * All is kept in whole microwatts and milliseconds, so it adds up exactly in any order. Where a
 * node that has devices has no figures, what depends on them is undefined; nodes without devices
 * and without figures are left out of account.
 */
#ifndef REPORT_MEASURE_ENERGY_H
#define REPORT_MEASURE_ENERGY_H

#include "report/measure/ledger.h"
#include "sim/fleet/traits.h"
#include "sim/power/price.h"

/* What the nodes of a pool, or one kind of nodes of a list, are. */
struct energy_node {
    const struct node_traits *traits; /* borrowed */
    int gpus;
    bool spot;    /* paid for while it is there */
    bool elastic; /* the same */
    enum price_billing billing;
    double own_usd_per_hour; /* of spot capacity, instead of the node's; -1: the node's */
    const char *name;        /* names the price in messages; NULL none. Outlives the energy */
};

struct energy_terms {
    const struct energy_node
        *pools; /* in the order of the fleet's, or kinds; borrowed while energy_init() runs */
    size_t pool_count;
    const struct price_terms *price; /* borrowed in the same way */
    const uint32_t
        *kind_of; /* of each node of the fleet, in `pools`; NULL: its pool. Outlives the energy */
};

struct energy_pool {
    double idle_w;           /* of a node */
    double busy_w;           /* of a thousandth of a device that works, above idle */
    struct node_price price; /* of a node */
    const char *name;
    int64_t pico_usd;      /* an hour of a node: its price as a whole number */
    int64_t gpu_milli;     /* of a node */
    int64_t nodes;         /* of the fleet */
    int64_t gone;          /* nodes that are off, or spot capacity that somebody else has, */
    int64_t gone_since_ms; /* and all before is in */
    ledger_amount gone_ms; /* nodes times milliseconds, in the window */
};

/* Power or energy: of all nodes, and of those for which it is paid on top of their price. */
struct energy_drawn {
    ledger_amount all, billed;
};

struct energy_job {
    ledger_amount uw; /* of its devices that work, above idle, as counted in working_uw */
    bool changed;     /* listed in energy.changed */
};

struct energy {
    bool powered, priced; /* the figures are there */
    bool spot;            /* a pool is spot capacity */
    bool elastic;         /* a pool grows and shrinks */
    bool billed;          /* some energy is paid for on top of prices */
    bool counted;         /* jobs held devices on unknown nodes */
    const uint32_t *kind_of;
    double pue, usd_per_kwh;
    enum price_basis basis;
    struct energy_pool *pools;
    size_t pool_count;
    struct energy_drawn worked;  /* microwatts times milliseconds: above idle, */
    struct energy_drawn idled;   /* and idle up to since_ms */
    struct energy_drawn idle_uw; /* of the nodes that are not down */
    int64_t since_ms;
    bool *down; /* by node; NULL: nothing was seen of the fleet yet */
    bool *gone; /* by node: it is not paid for */
    /* What jobs draw now is looked up only when somebody asks. */
    ledger_amount working_uw;
    struct energy_job *jobs; /* by the policy core's number */
    size_t job_count;
    uint32_t *changed;
    size_t changed_count, changed_capacity;
};

/* `terms` without pools: nothing is known, and nothing is observed. */
void energy_init(struct energy *, const struct energy_terms *terms);
struct sim_observer energy_observer(struct energy *);
void energy_fini(struct energy *);

/* True if there is anything to observe. */
bool energy_has_figures(const struct energy *);

/* Microwatts that the nodes draw at this moment, without PUE; -1 when that is unknown. */
int64_t energy_now_uw(struct energy *, const struct sim *);

/* After sim_finish(): brings the integrals up to the end of the window. */
void energy_finish(struct energy *, const struct sim *);

/* Of all nodes in the window, PUE included; NaN where undefined. */
double energy_kwh(const struct energy *);

/* True if the bill is known. */
bool energy_is_known(const struct energy *);

/* What microwatts x ms cost where energy is paid for on top of prices. */
double energy_micro_usd(const struct energy *, double uw_ms);

/* What nodes come to in the window. Prices x time: pico-dollars an hour x ms. */
struct energy_bill {
    bool known;                /* else all is 0 */
    wide gpu_nodes, cpu_nodes; /* prices x time of nodes with devices, and without */
    int64_t nodes, energy;     /* micro-dollars; energy: paid for on top of prices */
};
struct energy_bill energy_bill(const struct energy *, const struct sim *);

/* The pool, or kind of nodes, that a task is on; there is one where energy_has_figures(). */
const struct energy_pool *energy_pool_of(const struct energy *, const struct sim *,
                                         const struct work_task *);

#endif
