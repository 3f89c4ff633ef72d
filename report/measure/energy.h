/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Energy and cost of the fleet in the window.
 *
 *     power of a node = idle + u * (0.80 * nameplate - idle)   sim/power; 0 while it is down
 *     u               = sum over its tasks that work of devices * utilization of their job /
 *                       devices of the node
 *     energy          = integral of the power of all nodes * PUE
 *     bill            = price of the nodes for the window, on one basis (sim/power/price.h; spot
 *                       capacity: for the time it was there), + energy * tariff of those whose
 *                       price does not include it
 *
 * showback.h divides the bill among queues, users, classes and models.
 *
 * A task works while its job does: devices that restart, write checkpoints, wait for a gang or hang
 * draw idle power. A job's utilization is work_use() (sim/work/job.h), 1 if its trace has none.
 * Power is linear in u, so the part above idle is summed per job when its time is accounted for,
 * and the idle part changes only when nodes go down or come up. A node whose jobs do not change
 * costs nothing.
 *
 * All amounts are whole microwatts and milliseconds, so sums are exact in any order. If a node with
 * devices has no power or price figures, results that depend on them are undefined. Nodes without
 * devices and figures are ignored.
 */
#ifndef REPORT_MEASURE_ENERGY_H
#define REPORT_MEASURE_ENERGY_H

#include "report/measure/ledger.h"
#include "sim/fleet/traits.h"
#include "sim/power/price.h"

/* The nodes of one pool, or one kind of nodes in a node list. */
struct energy_node {
    const struct node_traits *traits; /* borrowed */
    int gpus;
    bool spot;    /* paid for only while available */
    bool elastic; /* paid for only while available */
    enum price_billing billing;
    double own_usd_per_hour; /* price of spot capacity instead of the node's; -1: the node's */
    const char
        *name; /* named in messages about the price; NULL: none; must outlive the struct energy */
};

struct energy_terms {
    const struct energy_node *pools; /* one per pool of the fleet in its order, or per kind;
                                        borrowed during energy_init() */
    size_t pool_count;
    const struct price_terms *price; /* borrowed during energy_init() */
    const uint32_t *kind_of; /* for each node of the fleet, an index into `pools`; NULL: its pool;
                                must outlive the struct energy */
};

struct energy_pool {
    double idle_w;           /* of one node */
    double busy_w;           /* above idle, of a thousandth of a working device */
    struct node_price price; /* of one node */
    const char *name;
    int64_t pico_usd;      /* price of a node per hour, as a whole number */
    int64_t gpu_milli;     /* of one node */
    int64_t nodes;         /* in the fleet */
    int64_t gone;          /* nodes that are off, or reclaimed spot capacity */
    int64_t gone_since_ms; /* gone_ms is complete up to here */
    ledger_amount gone_ms; /* node-milliseconds in the window */
};

/* Power or energy of all nodes, and of those whose price does not include it. */
struct energy_drawn {
    ledger_amount all, billed;
};

struct energy_job {
    ledger_amount uw; /* of its working devices above idle, as included in working_uw */
    bool changed;     /* in the list energy.changed */
};

struct energy {
    bool powered, priced; /* all nodes with devices have figures */
    bool spot;            /* some pool is spot capacity */
    bool elastic;         /* some pool is elastic */
    bool billed;          /* some energy is billed on top of prices */
    bool counted;         /* jobs held devices of unknown nodes */
    const uint32_t *kind_of;
    double pue, usd_per_kwh;
    enum price_basis basis;
    struct energy_pool *pools;
    size_t pool_count;
    struct energy_drawn worked;  /* microwatt-milliseconds above idle */
    struct energy_drawn idled;   /* microwatt-milliseconds at idle, up to since_ms */
    struct energy_drawn idle_uw; /* of nodes that are up */
    int64_t since_ms;
    bool *down; /* by node; NULL before the first event */
    bool *gone; /* by node: not billed */
    /* Jobs' present power; brought up to date only when it is read. */
    ledger_amount working_uw;
    struct energy_job *jobs; /* by the policy core's number */
    size_t job_count;
    uint32_t *changed;
    size_t changed_count, changed_capacity;
};

/* Without pools in `terms` nothing is known and nothing is observed. */
void energy_init(struct energy *, const struct energy_terms *terms);
struct sim_observer energy_observer(struct energy *);
void energy_fini(struct energy *);

/* Returns true if there is anything to observe. */
bool energy_has_figures(const struct energy *);

/* Returns the power of the nodes now in microwatts, without PUE; -1 if unknown. */
int64_t energy_now_uw(struct energy *, const struct sim *);

/* Integrates up to the end of the window; call after sim_finish(). */
void energy_finish(struct energy *, const struct sim *);

/* Returns the energy of all nodes in the window, PUE included; NaN if undefined. */
double energy_kwh(const struct energy *);

/* Returns true if the bill is known. */
bool energy_is_known(const struct energy *);

/*
 * Returns the cost of energy (microwatts x ms) that is billed on top of prices, in micro-dollars.
 */
double energy_micro_usd(const struct energy *, double uw_ms);

/* The nodes' bill for the window. Prices x time are in pico-dollars per hour x ms. */
struct energy_bill {
    bool known;                /* if false, all amounts are 0 */
    wide gpu_nodes, cpu_nodes; /* prices x time of nodes with devices, and without */
    int64_t nodes, energy;     /* micro-dollars; energy: billed on top of prices */
};
struct energy_bill energy_bill(const struct energy *, const struct sim *);

/* Returns the pool or kind of node that a task runs on. Only valid if energy_has_figures(). */
const struct energy_pool *energy_pool_of(const struct energy *, const struct sim *,
                                         const struct work_task *);

#endif
