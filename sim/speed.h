/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast jobs go where they are. The driver works out the speed of a job, in millionths of the
 * speed at which its run time was recorded, whenever that may be another one: it starts, grows,
 * shrinks or is moved, a device that it shares gets or loses a tenant, a fault slows it down, and
 * with contention whenever another job changes what it has of the uplinks.
 *
 *     speed      = hardware * efficiency * what faults and memory leave it        (sim/perf)
 *     hardware   = best step there / best step on its kind of node                above 1 on faster
 *                nodes
 *     efficiency = best step on its kind of node / step here                      at most 1
 *
 * "There" is the kind of node on which the run time was recorded, with an unlimited supply of such
 * nodes: the yardstick knows nothing of the simulated fleet. Both best steps are those of as many
 * devices as the job has here. On several kinds the best one of them counts, and what the others
 * cost is efficiency. A type of device of which nothing is known is as fast as the recorded one;
 * where nothing is known of the links of either node, they count as equal.
 *
 * With network `off` only the devices count: speed = the slowest of them over the recorded one, for
 * the job's model. A run in which all devices equal the recorded ones works out nothing. A job that
 * shares devices stands beside the others on them (MPS, or in turn); instances do not disturb each
 * other. With `placement` a job has of oversubscribed uplinks the share of its nodes, as if
 * everybody used them all the time; with `contention` it has what the jobs that are there leave it
 * (sim/fabric/share.h, by duty). Time that people and services take is no work: sessions and
 * inference that name no model always go at ideal speed.
 *
 * All that changes at one instant is settled at its end, at once. Everything here belongs to the
 * caller and outlives the sim.
 */
#ifndef SIM_SPEED_H
#define SIM_SPEED_H

#include "sim/network.h"

/*
 * An elastic job of whole devices has, with more or fewer tasks than recorded, the throughput that
 * its model gives to as many devices on their best placement on recorded nodes, over that of the
 * recorded number; its speed says what becomes of that here. Models with strong scaling keep the
 * batch and divide it, so twice the tasks do less than twice the work and half of them more than
 * half; with weak scaling each task brings its own batch. Without a model it is linear in tasks.
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

/* False for a job that names none, or has not been at work. Until its speed changes the same for
 * each of its spans. */
bool sim_rate_of(const struct sim *, const struct work_job *, struct sim_rate *);

/*
 * What a run assumed of hardware: devices of a kind of node, for jobs of a model that were recorded
 * on another kind. `speed` is relative to the recorded device.
 */
struct sim_assumed_speed {
    const struct sim_node_kind *recorded_on, *node;
    const struct perf_model *model;
    double speed;
    struct perf_ratio here, there; /* from which it follows */
};

/* The hardware of a job's recorded run time; NULL if not given: that on which it runs, or would. */
const struct sim_node_kind *sim_recorded_on(const struct sim *, const struct work_job *);

/*
 * How fast the devices of a node are for a job, relative to those on which its run time was
 * recorded; 1 for jobs that always go at their ideal speed. What placement and links do is left
 * out.
 */
double sim_device_speed(const struct sim *, const struct work_job *, uint32_t node);

/* The i-th of them, in order of first use; false when there are fewer. */
bool sim_assumed_speed(const struct sim *, size_t i, struct sim_assumed_speed *);

/*
 * With contention, between two instants: the mean of what jobs send over an uplink of the tree, by
 * their duty, to what it can carry. NAN for an uplink without limit, and without contention.
 */
double sim_uplink_use(const struct sim *, uint32_t uplink);

#endif
