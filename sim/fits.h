/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Can a job ever start? Only if its minimum fits the configured fleet, empty and healthy, on the
 * nodes that its queue may use and within one domain of the topology level that it requires. Any
 * policy sets all other jobs aside: they do not wait, have no demand, and are counted separately
 * (jobs.never_fits).
 *
 * Limits and quotas of queues belong to the policy, so a job larger than its queue's limit stays
 * pending: otherwise a policy would look better for jobs that it does not admit.
 *
 * The answer may be a false yes, never a false no: roles are checked one by one, and together by
 * their whole devices. It is exact for a gang of equal tasks, alone or with one smaller task.
 */
#ifndef SIM_FITS_H
#define SIM_FITS_H

#include "sim/sim.h"

struct sim_ask {
    const struct sim_queue *queue;
    const struct policy_role *roles; /* each with the minimum that starts together */
    uint32_t role_count;
    int32_t profile;         /* 1 + index of the MIG profile that each task requests; 0 none */
    const int32_t *profiles; /* NULL, or one for each role instead */
    int32_t required;        /* 1 + the level whose domain all tasks must share; 0 none */
};

bool sim_could_start(const struct sim *, const struct sim_ask *);

#endif
