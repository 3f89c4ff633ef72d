/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Showback: the resources that queues, users, classes and models held in the window, and their
 * parts of the bill.
 *
 *     bill   = nodes + energy + storage                                  whole micro-dollars
 *     nodes  = sum over nodes of price x time for which the node is paid
 *     energy = what is paid for on top of prices (sim/power/price.h)
 *
 * A job pays for a node with devices by the GPU time that it holds there (a fraction or a MIG
 * instance by its thousandths), and for a node without devices by its core time:
 *
 *     a quarter of the devices for an hour = a quarter of the node's price for an hour
 *
 * It also pays for the energy that it draws above idle, and for its part of the nodes' idle energy.
 * Tasks without devices pay nothing on a node with devices.
 *
 * Jobs pay for storage as they use it: fees for reads by what they read (without what the nodes'
 * caches serve), fees for checkpoints by what they write, and the price of what is kept by the sum
 * of both. Storage that no job uses in the window is unused.
 *
 * Idle capacity and unused storage are charged to nobody. In each division (by queue, by user, ...)
 * the parts, the idle part and the unused part add up to the bill to the micro-dollar: integrals
 * are integers, and rounding uses the largest remainders.
 *
 * The showback observes in place of the energy and passes its events on.
 */
#ifndef REPORT_MEASURE_SHOWBACK_H
#define REPORT_MEASURE_SHOWBACK_H

#include "report/measure/energy.h"
#include "report/measure/storage.h"

#define SHOWBACK_TB 1e21

enum showback_kind {
    SHOWBACK_QUEUE = 0,
    SHOWBACK_USER,
    SHOWBACK_CLASS,
    SHOWBACK_MODEL,
    SHOWBACK_KINDS
};

/*
 * Resources held, times milliseconds: thousandths of devices and cores, MiB, femto-dollars per hour
 * of nodes with devices and without, picowatts.
 */
enum showback_amount {
    SHOWBACK_GPU = 0,
    SHOWBACK_CPU,
    SHOWBACK_MEM,
    SHOWBACK_PLAIN_CPU, /* cores of nodes without devices */
    SHOWBACK_GPU_NODES,
    SHOWBACK_CPU_NODES,
    SHOWBACK_ENERGY,
    SHOWBACK_AMOUNTS
};

struct showback_use {
    wide of[SHOWBACK_AMOUNTS];
};

struct showback_account {
    struct showback_use used;
    wide read, written;       /* from and to storage: SHOWBACK_TB of them are a TB */
    uint64_t jobs, completed; /* measured ones */
};

struct showback_job {
    int64_t since_ms;
    struct {
        wide holds, used; /* used: up to since_ms */
    } of[SHOWBACK_AMOUNTS];
};

struct showback_accounts {
    struct showback_account *of;
    size_t count, room; /* accounts without a job so far may be missing */
};

struct showback {
    struct energy *energy;
    struct sim_observer inner; /* the energy's observer */
    struct showback_job *jobs; /* by the policy core's number */
    size_t job_count;
    int amounts; /* the first ones, which may be above zero: devices only, or all */
    struct showback_accounts by[SHOWBACK_KINDS]; /* models: 0 is none, then those of names.models */
    struct showback_use all;
    wide read, written;
};

/* Micro-dollars. */
struct showback_bill {
    bool known;             /* false if some price is unknown; then all amounts are 0 */
    int64_t nodes, energy;  /* total, made up of: */
    int64_t held, drawn;    /* charged to jobs */
    int64_t idle_gpu_nodes; /* idle devices */
    int64_t idle_cpu_nodes; /* idle nodes without devices */
    int64_t idle_energy;    /* energy that idle nodes draw */
    int64_t storage;        /* total, of which jobs are charged: */
    int64_t kept, read, checkpoints;
    int64_t unused_storage; /* the rest of it */
};

struct showback_cost {
    int64_t nodes, energy, storage;
};

/* Replaces energy_observer(). */
struct sim_observer showback_observer(struct showback *, struct energy *);
void showback_finish(struct showback *, const struct sim *); /* after energy_finish() */
void showback_fini(struct showback *);

/* `storage` is NULL if storage has no price. */
struct showback_bill showback_bill(const struct showback *, const struct sim *,
                                   const struct storage_bill *storage);

/* Returns the parts of a kind's accounts, by[kind].count of them. The caller frees them. */
struct showback_cost *showback_costs(const struct showback *, const struct showback_bill *,
                                     enum showback_kind);

/* Returns the cost of a job so far, rounded separately; -1 if prices are unknown. */
int64_t showback_job_micro_usd(const struct showback *, const struct sim *,
                               const struct work_job *);

/* Returns the account's name; "" if the trace has none. */
const char *showback_name(const struct sim *, enum showback_kind, size_t account);

/*
 * Divides `total` in proportion to `weights`, all at least 0, into whole parts that add up to it.
 * The largest remainders are rounded up, ties in order. All parts are 0 if all weights are.
 */
void showback_divide(int64_t total, const wide *weights, size_t count, int64_t *parts);

#endif
