/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Kinds of faults: what can break, how often, how long it takes until somebody notices, what it
 * does to the job, whether the node has to go, and how long it is away. A class is a row of
 * figures; they come from the catalogue of faults (scenarios/catalog/faults.json), where each has
 * its source. A profile is such a table for one kind of fleet, and what holds of all of it.
 *
 * Rates here are those of nodes of 8 devices; a profile may state them for others (`gpus`). Not
 * every class is about nodes. Where a fault strikes is its scope, and a rate counts per 1,000 days
 * of what the scope's row says:
 *
 *     scope      component           rate per 1,000 days of
 *     GPU        a node              a node of 8 devices; nodes with more or fewer have more or
 *                                    fewer faults
 *     MEMORY     a node              a node of 8 devices with the profile's device memory: per
 *                                    device and GB
 *     DOMAIN     an NVLink domain    a node; a domain of several nodes has as many more
 *     NIC, LINK  a node              a node of 8 NICs
 *     HOST       a node              a node
 *     JOB        a node              a node: it hits the job that runs there
 *     SET        `width` nodes       a node; the set has `width` times as many
 *     LEAF, SPINE, RACK              a switch, a switch, a rack
 *     FLEET      one                 the fleet
 *     USER       a job               (rate: the share of jobs that fail by their own doing; user.h)
 */
#ifndef SIM_FAULTS_CLASSES_H
#define SIM_FAULTS_CLASSES_H

#include "sim/faults/span.h"

#include <stdbool.h>
#include <stdint.h>

/* Append only: random streams are keyed by these numbers. */
enum fault_class_id {
    FAULT_GPU = 0,          /* C1 dead, off the bus, unclassified */
    FAULT_NVLINK,           /* C2 NVLink or NVSwitch */
    FAULT_HBM,              /* C3 uncorrectable memory error */
    FAULT_SRAM,             /* C4 */
    FAULT_GSP,              /* C5 firmware hang */
    FAULT_THERMAL,          /* C6 thermal interface, sensor */
    FAULT_SDC,              /* C7 silent data corruption */
    FAULT_NIC,              /* C8 */
    FAULT_LINK,             /* C9 NIC to leaf: link, optic, cable */
    FAULT_LEAF,             /* C10 leaf switch */
    FAULT_SPINE,            /* C11 spine or core switch, or uplink */
    FAULT_FLAP,             /* C12 a link that goes and comes back */
    FAULT_HOST,             /* C13 power supply, disk, board, CPU, memory of the host */
    FAULT_HOST_MAINTENANCE, /* C14 unplanned maintenance */
    FAULT_SOFTWARE,         /* C15 bug or dependency */
    FAULT_HANG,             /* C16 cause unknown */
    FAULT_SLOW_DEVICE,      /* C17 fail-slow GPU or host */
    FAULT_SLOW_NETWORK,     /* C18 fail-slow network */
    FAULT_RACK,             /* C19 power, cooling, backplane */
    FAULT_MOUNT,            /* C20 file system of a node */
    FAULT_STORAGE,          /* C20 storage of the fleet */
    FAULT_MAINTENANCE,      /* C21 planned */
    FAULT_USER,             /* C22 code, configuration, out of memory */
    FAULT_CLASSES
};

enum fault_scope {
    FAULT_SCOPE_GPU = 0,
    FAULT_SCOPE_MEMORY,
    FAULT_SCOPE_DOMAIN,
    FAULT_SCOPE_NIC,
    FAULT_SCOPE_LINK,
    FAULT_SCOPE_HOST,
    FAULT_SCOPE_JOB,
    FAULT_SCOPE_SET,
    FAULT_SCOPE_LEAF,
    FAULT_SCOPE_SPINE,
    FAULT_SCOPE_RACK,
    FAULT_SCOPE_FLEET,
    FAULT_SCOPE_USER,
    FAULT_SCOPES
};

enum fault_arrival {
    FAULT_ARRIVAL_EXPONENTIAL = 0, /* without memory */
    FAULT_ARRIVAL_WEIBULL,  /* gaps of shape `shape`, with the mean of the rate; below 1: faults
                               come in clusters */
    FAULT_ARRIVAL_PERIODIC, /* equal gaps from a random beginning */
    FAULT_ARRIVALS
};

/* What happens to the jobs that use the component. */
enum fault_effect {
    FAULT_EFFECT_KILL = 0, /* they end at once, and go back to their last checkpoint */
    FAULT_EFFECT_SLOW,     /* jobs lose a share of their speed for a time; all of it: they stall */
    FAULT_EFFECT_CORRUPT, /* jobs continue, and when the fault is detected roll back to before it */
    FAULT_EFFECT_HANG,    /* jobs stall until detection, then they are killed */
    FAULT_EFFECT_STOP,    /* they write a checkpoint, then stop */
    FAULT_EFFECTS
};

/* When the component, or its node, is taken out. */
enum fault_drain {
    FAULT_DRAIN_NO = 0,
    FAULT_DRAIN_REPEAT, /* only when it happens again within the window of the rules for lemons */
    FAULT_DRAIN_AFTER_JOB, /* what runs there may finish */
    FAULT_DRAIN_NOW,
    FAULT_DRAINS
};

struct fault_class {
    enum fault_scope scope;
    double rate;  /* >= 0; see above */
    bool counted; /* included in the profile's total */
    bool frail;   /* more frequent on lemons */
    enum fault_arrival arrival;
    double shape;   /* WEIBULL: > 0 */
    uint32_t width; /* SET: nodes in a set, >= 1 */

    struct fault_span detect; /* from the fault until it is noticed; HANG: the watchdog */
    enum fault_effect effect; /* in a share `effect_share` of cases, `otherwise` in the rest */
    enum fault_effect otherwise;
    double effect_share; /* 0..1 */
    double loss_low,
        loss_high; /* SLOW: share of speed lost, 0..1, anything in between equally likely */
    struct fault_span
        lasts; /* SLOW: how long, NONE until it is repaired; USER: work until it strikes */
    double kills_after_s; /* SLOW with `lasts`: kills if it lasts this long; 0: never */
    int rollback;         /* CORRUPT: number of checkpoints that are lost */

    enum fault_drain drain, drain_hardware; /* when a reset helps, and when a part is replaced */
    double transient_share;                 /* 0..1: repairs that need no part */
    struct fault_span transient, hardware;  /* from the drain until the node is back */
    double relapse;                         /* 0..1: share of transient repairs that do not help */
    struct fault_span relapses; /* from the return of the component until the same fault recurs */
};

struct fault_profile {
    double hbm_gb;       /* device memory that MEMORY rates are for, > 0 */
    double lemon_share;  /* 0..1 of the nodes */
    double lemon_factor; /* >= 1: multiple of the faults of other nodes, in frail classes */
    double drift_sigma; /* of the logarithm of a month's multiplier, whose mean is 1; 0: no drift */
    struct fault_class classes[FAULT_CLASSES];
};

/* ---- names, as in the catalogue: one word each; and back, -1 for what is none */

const char *fault_class_name(enum fault_class_id);
const char *fault_scope_name(enum fault_scope);
const char *fault_arrival_name(enum fault_arrival);
const char *fault_effect_name(enum fault_effect);
const char *fault_drain_name(enum fault_drain);
int fault_class_find(const char *name);

/* A class that never strikes, kills the jobs it hits and needs no repair; its scope, and whether it
 * is counted, are set. */
struct fault_class fault_class_plain(enum fault_class_id);

/* Returns false, with the reason in *what, if a figure is out of range. */
bool fault_profile_check(const struct fault_profile *, const char **what);

#endif
