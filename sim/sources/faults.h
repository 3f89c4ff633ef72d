/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults for a simulation: converts what sim/faults draws for components into faults of nodes that
 * the driver carries out (sim/fault.h). Switches and racks become the nodes below them, and
 * consequences of a fault (a slow node that eventually dies) are inserted in order of time.
 *
 * Faults that take only bandwidth (a spine; a NIC, link or leaf with a substitute; a link that
 * flaps) are marked so, and if the network is modelled it determines which jobs slow down and how
 * much. A collective waits for its slowest NIC: a NIC with one of its two links runs at half speed,
 * and so does the ring; if the other NICs take over its traffic, all of them slow down by its
 * share.
 *
 * Simplifications, each noted where it is made: a job that is killed at once leaves its node at
 * once; a component that is slow until its repair stays in place; without a model of the network,
 * spine switches have no effect on jobs.
 */
#ifndef SIM_SOURCES_FAULTS_H
#define SIM_SOURCES_FAULTS_H

#include "sim/base/err.h"
#include "sim/fault.h"
#include "sim/faults/burn_in.h"
#include "sim/faults/rates.h"
#include "sim/fleet/fleet.h"
#include "sim/sources/switches.h"

struct fault_source;

struct fault_source_options {
    const struct fleet *fleet;
    const struct fault_profile *profile; /* of all pools */
    const struct fault_pool
        *pools;         /* one for each pool of the fleet: gpus, nics, memory, domains */
    int64_t horizon_ms; /* from the first submission; -1 unlimited */
    const struct fault_switches
        *switches; /* must outlive the source; NULL: no spines, since their faults have no effect */
    bool dual_homed, nic_failover, fixed_routing; /* as in struct fault_plan */
    bool catch_lemons;  /* nodes that fail repeatedly are tested and repaired */
    bool user_failures; /* jobs fail by themselves at the rate of the class `user` */
    struct fault_burn_in burn_in;
    const bool *new_pools; /* by pool of the fleet: its nodes are tested when the run begins;
                              outlives the source. NULL: none are new */
    bool patient; /* nodes leave when the jobs on them have ended, where the fault allows it */
};

struct fault_source *fault_source_create(const struct fault_source_options *, uint64_t seed);
void fault_source_destroy(struct fault_source *); /* NULL is fine */

/* The interface that the driver uses; valid as long as the source. */
struct sim_faults fault_source_faults(struct fault_source *);

#endif
