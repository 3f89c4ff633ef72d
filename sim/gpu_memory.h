/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of shared devices: phases of demand (sim/memory/demand.h), what each tenant of a device
 * holds, and what happens when tenants want more than there is (sim/memory/device.h).
 *
 *     phase ends --> the job asks --> it fits on all its devices: granted
 *                                     else, by mode: it is killed, it stalls, other jobs are
 *                                     evicted, or all take turns
 *     memory is released --> stalled jobs on that node ask again, in the order in which they
 * stalled
 *
 * Tenants are tasks that request a share of a device or memory on it, even if they never grow. All
 * tasks of a job are in the same phase, and the job gets what it asks for on all its devices or on
 * none. If a task starts while its request is not free because other tenants have grown, it asks
 * for its request first.
 *
 * Phases advance while the job holds its devices, whether it works or stalls, since people and
 * services do not wait for each other. A build session whose active share is in the trace is high
 * while active and low while idle (activity.c), and begins active. A job that returns begins with
 * its next low phase.
 *
 * A stalled job makes no progress, but a restart or a checkpoint in progress continues. When jobs
 * wait for each other so that none could ever continue, the youngest job in the way of the oldest
 * is killed. A killed or evicted job is pending at once, as after a fault, and loses its work since
 * the last checkpoint. After its next start it asks only after `retry`, which doubles each time it
 * gets nothing (up to 32 times, much as Kubernetes backs off), so that a full device is not tried
 * repeatedly at one instant.
 *
 * No job can use more of a device than it has, whatever the limits of its tasks there. With `swap`
 * tenants hold what they want, and the excess is on the host. All changes at one instant are
 * settled at its end: first jobs that want less, then jobs that want more.
 */
#ifndef SIM_GPU_MEMORY_H
#define SIM_GPU_MEMORY_H

#include <stdint.h>

struct sim;
struct work_job;

/* Within the measurement window; a device counts while it has tenants. */
struct sim_memory_stats {
    uint64_t collisions; /* requests that exceeded the free memory */
    uint64_t waits;      /* of these, requests that stalled the job */
    uint64_t oom_kills, stuck_kills, evicted_idle, evicted_priority; /* jobs, counted each time */
    double swapped_gb;                                               /* in both directions, in
                                                                        units of 1e9 bytes */
    double mean_use; /* resident memory as a share of all memory of devices with tenants; NaN
                        without any */
    double peak_use; /* of one device */
    double mean_tenants, peak_tenants; /* tasks per such device */
};

/* Requires sim.memory; call after sim_finish(). */
struct sim_memory_stats sim_memory_stats(const struct sim *);

/* Remaining speed of the job under swapping, in millionths; all of it without sim.memory and in
 * other modes. */
int64_t sim_memory_ppm(const struct sim *, const struct work_job *);

#endif
