/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Can a job ever start? Only if its minimum fits the configured fleet, empty and healthy, on the
 * nodes that its queue may use and within one domain of the level that it requires. No policy can
 * start any other job, so every policy sets it aside: it does not wait, has no demand, and is
 * counted separately (jobs.never_fits).
 *
 * Limits and quotas of queues have no say in it. They are the policy's, which is why a job that is
 * larger than its queue may ever have waits: else a policy would look better for the jobs that it
 * does not let in.
 *
 * What is said to fit may not, never the reverse: roles are looked at one by one and by their whole
 * devices together; a gang of equal tasks, alone or with one smaller task, is judged exactly.
 */
#ifndef SIM_FITS_H
#define SIM_FITS_H

#include "sim/sim.h"

struct sim_ask {
    const struct sim_queue *queue;
    const struct policy_role *roles; /* with the minimum that has to start together */
    uint32_t role_count;
    int32_t profile;  /* 1 + the index of the MIG profile that each task asks for; 0 none */
    int32_t required; /* 1 + the level of the fleet that all tasks have to share; 0 none */
};

bool sim_could_start(const struct sim *, const struct sim_ask *);

#endif
