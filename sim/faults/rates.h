/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rates of a profile: their total, rescaling, and the resulting rates of one component of a fleet.
 * A "knd" is 1,000 node-days.
 */
#ifndef SIM_FAULTS_RATES_H
#define SIM_FAULTS_RATES_H

#include "sim/faults/classes.h"

/* Nodes of one kind. Their numbers are the caller's, and random streams are keyed by them. */
struct fault_pool {
    uint32_t first_node, nodes;
    int gpus, nics;            /* of a node */
    double hbm_gb;             /* memory of one device; 0: that of the profile */
    uint32_t nodes_per_domain; /* nodes in one NVLink domain, >= 1 */
    const struct fault_profile *profile;
};

/* "Every that many hours" as a rate per 1,000 days; hours > 0. */
double fault_rate_of_hours(double hours);

/* The counted classes of a node of 8 GPUs together, per 1,000 node-days: 6.5 on a busy A100 fleet.
 */
double fault_profile_total(const struct fault_profile *);

/* Rates of device classes apply to nodes of that many GPUs and NICs: converts one to a node of
 * `gpus`. */
#define FAULT_USUAL_GPUS 8
double fault_per_node(enum fault_scope, double gpus);

/* Multiplies the counted classes so that their total on a node of `gpus` is `total`; does nothing
 * if all are 0. */
void fault_profile_rescale(struct fault_profile *, double total, double gpus);

/* Multiplies the rates of all classes but planned maintenance and users. */
void fault_profile_scale(struct fault_profile *, double factor);

/* Removes the classes whose bit (1 << id) is not in the mask. */
void fault_profile_only(struct fault_profile *, uint32_t mask);

/* The classes that the total counts, as such a mask. */
uint32_t fault_profile_counted(const struct fault_profile *);

/*
 * Memoryless mode, as published formulas assume: no clusters, lemons or drift, and repairs always
 * help. Periodic classes stay periodic.
 */
void fault_profile_exponential(struct fault_profile *);

/* Mean of the factor of all nodes, lemons among them: 1 - share + share x factor. */
double fault_profile_frailty(const struct fault_profile *);

/*
 * Number of nodes in a component of a class whose components are sets of nodes; 0 for switches,
 * racks, the fleet and jobs.
 */
uint32_t fault_width(const struct fault_class *, const struct fault_pool *);

/*
 * Mean faults per day of one component, averaged over lemons and others. The pool is irrelevant for
 * classes of components other than nodes. An incomplete domain or set at the end of a pool counts
 * as complete; otherwise adding a node would move the faults of all others in it.
 */
double fault_daily(const struct fault_profile *, enum fault_class_id, const struct fault_pool *);

/*
 * Mean faults per day that stop a job on one node of the pool: those that kill it, hang it until it
 * is killed, or corrupt its work. Excludes faults of components without nodes (switches, racks, the
 * fleet), of users, and planned stops.
 */
double fault_stops_daily(const struct fault_profile *, const struct fault_pool *);

#endif
