/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What can fail in a fleet, and what one fault of it is like. */
#ifndef SIM_FAULTS_FAULT_H
#define SIM_FAULTS_FAULT_H

#include "sim/faults/classes.h"
#include "sim/faults/rates.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* numbers of nodes, racks and switches are below this */
#define FAULT_COMPONENTS (UINT32_C(1) << 26)

/* What can fail. Pools do not overlap and stand in order of their first nodes. */
struct fault_plan {
    const struct fault_pool *pools;
    size_t pool_count;
    uint32_t leaves, spines, racks; /* how many there are, with numbers from 0 */
    bool storage;                   /* the fleet has shared storage that can fail as a whole */
    bool dual_homed; /* a NIC has two links: one failure halves its bandwidth, and kills nothing */
    bool nic_failover;  /* the remaining NICs take over the traffic of a failed one: a share of
                           the bandwidth is lost */
    bool fixed_routing; /* no adaptive routing: a failed spine takes 50 to 75 % of the bandwidth */
    const struct fault_profile *shared; /* rates of what belongs to no pool */
    int64_t horizon_ms; /* > 0: no fault after this is asked for; at most FAULT_SPAN_MOST_MS */
};

struct fault {
    int64_t time_ms;
    uint64_t key; /* tells it from all other faults */
    enum fault_class_id id;
    const struct fault_class *class; /* the profile's row */
    bool lemon;                      /* from a lemon's excess over other nodes */
    unsigned attempt;                /* 0; n: it recurs after n repairs */
    uint32_t component;              /* the node, or the first of `nodes`; the switch or rack; 0 */
    uint32_t nodes;                  /* 0 where the component is no node */
    int device;                      /* GPU or NIC of the node; -1 where the class has none */
    uint64_t pick; /* any number: which of several jobs on the node it hits is pick % jobs */

    enum fault_effect effect;
    double loss; /* SLOW: share of speed, or of a NIC's or spine level's bandwidth, that is lost; 1:
                    all */
    int64_t detect_ms; /* from time_ms until it is noticed */
    int64_t lasts_ms;  /* SLOW: how long; when `kills`, the jobs die at the end */
    bool kills;
    int rollback; /* CORRUPT */
    enum fault_drain drain;
    bool hardware;     /* the repair replaces a part */
    int64_t repair_ms; /* from the drain until the component is back */
};

#endif
