/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of devices that tasks share, as the driver carries it out: phases of demand
 * (sim/memory/demand.h), what each tenant of a device holds, and what happens when several want
 * more than there is (sim/memory/device.h).
 *
 *     phase ends --> the job asks --> it fits on all its devices: granted
 *                                     else by mode: killed, stands still, others are ended, all
 *                                     take turns
 *     memory is given back --> those that stand still on that node ask again, in the order in which
 *     they began to wait
 *
 * Tenants are tasks that ask for a share of a device or for memory on it, also where they never
 * grow. All tasks of a job are in the same phase, and the job gets what it asks for on all its
 * devices, or on none. Where a task starts and its request is not free, since others have grown, it
 * asks for that first.
 *
 * Phases run on while the job holds its devices, whether it works or stands still: people and
 * services do not care. A build session of which the trace knows how much of its time it is active
 * is high while it is active and low while it is idle (activity.c), and begins active. A job that
 * comes back begins with its next low phase.
 *
 * Who stands still works no more; a restart or a checkpoint that is being written goes on. When
 * jobs wait for each other so that none of them could ever go on, the youngest one in the way of
 * the oldest is killed. Who is killed or ended is pending at once, as after a fault: it loses what
 * it did since its last checkpoint. After its next start it asks only when `retry` is over, twice
 * as long each time that it gets nothing (at most 32 times as long, much as Kubernetes backs off),
 * so that a device that is full is not tried again and again at one instant.
 *
 * No job can use more of a device than it has, whatever the limits of its tasks there. With `swap`
 * tenants hold what they want, and what goes beyond the device is on the host. All that changes at
 * one instant is settled at its end: first jobs that want less, then jobs that want more.
 */
#ifndef SIM_GPU_MEMORY_H
#define SIM_GPU_MEMORY_H

#include <stdint.h>

struct sim;
struct work_job;

/* In the measurement window; a device counts while it has tenants. */
struct sim_memory_stats {
    uint64_t collisions; /* times that a job asked for more than was free */
    uint64_t waits;      /* of these: it had to stand still */
    uint64_t oom_kills, stuck_kills, evicted_idle, evicted_priority; /* jobs, each time counted */
    double swapped_gb;                                               /* both ways; 1e9 bytes */
    double mean_use; /* resident memory over memory, of devices with tenants; NaN without any */
    double peak_use; /* of one device */
    double mean_tenants, peak_tenants; /* tasks on one such device */
};

/* Wants sim.memory; after sim_finish(). */
struct sim_memory_stats sim_memory_stats(const struct sim *);

/* What swapping leaves the job of its speed now, in millionths; all without sim.memory, and in
 * other modes. */
int64_t sim_memory_ppm(const struct sim *, const struct work_job *);

#endif
