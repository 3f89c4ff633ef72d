/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults for a simulation: what sim/faults draws for components becomes what the driver can carry
 * out on nodes (sim/fault.h). Numbers of switches and racks become the nodes below them, and what
 * follows from a fault (a slow node that dies in the end) is put among the others.
 *
 * What takes bandwidth and nothing else (a spine; a NIC, link or leaf that others stand in for; a
 * link that flaps) says so, and where the network is modelled that decides how slow jobs become,
 * and which. A collective waits for its slowest NIC: a NIC with one of its two links is half as
 * fast, and so is the ring; when the others carry what a NIC did, all of them are slower by its
 * share.
 *
 * Simplifications, each stated where it is made: who is killed at once leaves its node at once;
 * what is slow until it is repaired stays where it is; without a model of the network spine
 * switches have no effect on jobs.
 */
#ifndef SIM_SOURCES_FAULTS_H
#define SIM_SOURCES_FAULTS_H

#include "sim/base/err.h"
#include "sim/fault.h"
#include "sim/faults/rates.h"
#include "sim/fleet/fleet.h"
#include "sim/sources/switches.h"

struct fault_source;

struct fault_source_options {
    const struct fleet *fleet;
    const struct fault_profile *profile; /* of all pools */
    const struct fault_pool
        *pools;         /* one for each pool of the fleet: gpus, nics, memory, domains */
    int64_t horizon_ms; /* from the first submission; -1 as long as it takes */
    const struct fault_switches
        *switches; /* outlive the source; NULL: no spines, as their faults change nothing */
    bool dual_homed, nic_failover, fixed_routing; /* as in struct fault_plan */
    bool catch_lemons;  /* nodes that fail repeatedly are tested and repaired */
    bool user_failures; /* jobs fail by their own doing as the class `user` says */
    bool patient; /* nodes leave when the jobs on them have ended, where the fault allows it */
};

struct fault_source *fault_source_create(const struct fault_source_options *, uint64_t seed);
void fault_source_destroy(struct fault_source *); /* NULL is fine */

/* As the driver takes it; valid as long as the source. */
struct sim_faults fault_source_faults(struct fault_source *);

#endif
