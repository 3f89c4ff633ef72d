/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast jobs run where they are placed. The driver computes a job's speed, in millionths of the
 * speed at which its run time was recorded, whenever it may have changed: the job starts, grows,
 * shrinks or is moved, a device that it shares gains or loses a tenant, a fault slows it down, and
 * under contention whenever another job changes its use of the uplinks.
 *
 *     speed      = hardware * efficiency * share left by faults and memory   (sim/perf)
 *     hardware   = best step there / best step on its kind of node      above 1 on faster nodes
 *     efficiency = best step on its kind of node / step here            at most 1
 *
 * "There" is the kind of node on which the run time was recorded, in unlimited supply: the
 * yardstick does not depend on the simulated fleet. Both best steps are for as many devices as the
 * job has here. On several kinds of nodes the best one is the reference, and the cost of the others
 * is part of efficiency. An unknown type of device is as fast as the recorded one; if the links of
 * either node are unknown, they count as equal.
 *
 * With network `off` only devices matter: speed = slowest device / recorded device, for the job's
 * model. If all devices equal the recorded ones, nothing is computed. A job that shares devices
 * competes with the other tenants (MPS, or by turns); MIG instances do not disturb each other. With
 * `placement` a job gets the share of oversubscribed uplinks that its nodes entitle it to, as if
 * everyone used them all the time; with `contention` it gets what the jobs present leave it
 * (sim/fabric/share.h, by duty). Time of people and services is not work: sessions and inference
 * jobs without a model always run at ideal speed.
 *
 * All changes at one instant are settled together at its end. Everything here belongs to the caller
 * and outlives the sim.
 */
#ifndef SIM_SPEED_H
#define SIM_SPEED_H

#include "sim/network.h"

/*
 * An elastic job of whole devices, with more or fewer tasks than recorded, has the throughput that
 * its model gives for that many devices on their best placement on recorded nodes, relative to the
 * recorded number; its speed then accounts for the actual placement. Models with strong scaling
 * keep and divide the batch, so twice the tasks do less than twice the work, and half of them more
 * than half; with weak scaling each task adds its own batch. Without a model throughput is linear
 * in tasks.
 */

struct sim;
struct work_job;

/* Throughput of a job with a model, from when its speed was set until it changes. */
struct sim_rate {
    uint32_t model;      /* in names.models */
    int32_t gpus;        /* on which it works */
    const char *samples; /* unit of its samples */
    double step_s, samples_per_s;
};

/* Returns false for a job without a model, or one that has not been at work. The same for all spans
 * until its speed changes. */
bool sim_rate_of(const struct sim *, const struct work_job *, struct sim_rate *);

/*
 * Hardware speeds that a run assumed: devices of a kind of node, for jobs of a model recorded on
 * another kind. `speed` is relative to the recorded device.
 */
struct sim_assumed_speed {
    const struct sim_node_kind *recorded_on, *node;
    const struct perf_model *model;
    double speed;
    struct perf_ratio here, there; /* the ratios it is computed from */
};

/* The hardware of a job's recorded run time; if not given, NULL: the hardware on which it runs. */
const struct sim_node_kind *sim_recorded_on(const struct sim *, const struct work_job *);

/*
 * Speed of a node's devices for a job, relative to those on which its run time was recorded; 1 for
 * jobs that always run at ideal speed. Excludes the effects of placement and links.
 */
double sim_device_speed(const struct sim *, const struct work_job *, uint32_t node);

/* The i-th of them in order of first use. Returns false if there are fewer. */
bool sim_assumed_speed(const struct sim *, size_t i, struct sim_assumed_speed *);

/*
 * With contention, between two instants: mean traffic of jobs over an uplink, by duty, relative to
 * its capacity. NAN for an uplink without limit, and without contention.
 */
double sim_uplink_use(const struct sim *, uint32_t uplink);

#endif
