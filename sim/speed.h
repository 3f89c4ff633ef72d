/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast jobs go where they are. The driver works out the speed of a job, in millionths of its ideal one, whenever
 * that may be another one: it starts, grows, shrinks or is moved, a device that it shares gets or loses a tenant, a
 * fault slows it down, and with contention whenever another job changes what it has of the uplinks.
 *
 *     speed = best step / step here * what faults leave it            (sim/perf; at most 1)
 *
 * The best step is that of as many devices on an empty cluster, of types and in pools that the job may use. What is not
 * known does not slow anybody down. A job that shares devices stands beside the others on them (MPS, or in turn); instances do not
 * disturb each other. With `placement` a job has of oversubscribed uplinks the share of its nodes, as if everybody used
 * them all the time; with `contention` it has what the jobs that are there leave it (sim/fabric/share.h, by duty).
 * Time that people and services take is no work: sessions and inference that name no model always go at ideal speed.
 *
 * All that changes at one instant is settled at its end, at once. Everything here belongs to the caller and outlives
 * the sim.
 */
#ifndef SIM_SPEED_H
#define SIM_SPEED_H

#include "sim/base/err.h"
#include "sim/perf/share.h"
#include "traces/trace.h"

#include <stdbool.h>
#include <stdint.h>

enum sim_network_mode { SIM_NETWORK_OFF = 0, SIM_NETWORK_PLACEMENT, SIM_NETWORK_CONTENTION };

struct perf_model;
struct node_traits;
struct fabric_tree;

struct sim_node_kind {
    const struct node_traits *traits;
    const char *gpu_type;
    const struct perf_vnic *vnic; /* between its tasks and its NICs; NULL: nothing */
};

/*
 * An elastic job of whole devices has, with more or fewer tasks than recorded, the throughput that its model gives to as
 * many devices on their best placement, over that of the recorded number; its speed says how much of that is left here.
 * Models with strong scaling keep the batch and divide it, so twice the tasks do less than twice the work and half of
 * them more than half; with weak scaling each task brings its own batch. Without a model it is linear in tasks.
 */

struct sim;
struct work_job;

/* What a job that names a model gets done now, from when its speed was set until it changes. */
struct sim_rate {
    uint32_t model;      /* in names.models */
    int32_t gpus;        /* that it works on */
    const char *samples; /* what they are called */
    double step_s, samples_per_s;
};

/* False for a job that names none, or has not been at work. Until its speed changes the same for each of its spans. */
bool sim_rate_of(const struct sim *, const struct work_job *, struct sim_rate *);

struct sim_network {
    enum sim_network_mode mode;
    const struct sim_node_kind *kinds;
    uint32_t kind_count;
    const uint32_t *kind_of; /* of each node of the fleet */
    struct perf_interference interference;
    const struct fabric_tree *tree; /* of the fleet; its GB/s are those that collectives reach */
    const struct perf_model
        *of_class[TRACE_CLASSES]; /* of jobs that name none; NULL: always at ideal speed */
    const struct perf_model *(*find)(void *self, const char *name, struct err *); /* NULL with err: unknown */
    void *self;
};

struct sim;

/*
 * With contention, between two instants: the mean of what jobs send over an uplink of the tree, by their duty, to what it
 * can carry. NAN for an uplink without limit, and without contention.
 */
double sim_uplink_use(const struct sim *, uint32_t uplink);

#endif
