/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that start a run from a snapshot. */
#ifndef SIM_START_INTERNAL_H
#define SIM_START_INTERNAL_H

#include "scenarios/snapshot/draft.h"
#include "sim/sim.h"
#include "sim/start/start.h"
#include "sim/start/times.h"

struct start {
    struct start_of of;
    const struct snapshot *snapshot; /* NULL: nodes are set aside, that is all */
    int32_t *states;                 /* of the nodes of the fleet */
    uint32_t *node_of; /* in the fleet, by index in the snapshot; POLICY_NO_ID: it has none */
    size_t *order;     /* jobs by rank */
    size_t at;         /* of them: the next one */
    struct snap_names names;
    struct snap_numbers numbers;
    uint32_t *type_ids, *profile_ids;
    struct fleet_label *labels; /* of all nodes */
    struct start_times *times;
    policy_job *cores; /* by index in the snapshot; i = POLICY_NO_ID: it is left out */
    size_t taking;     /* that of the job that was handed out last */
    /* of the job that was handed out last */
    struct snap_draft draft;
    struct trace_job about;
    struct sim_initial_task *tasks;
    size_t task_capacity;
    struct start_displaced *displaced;
    size_t displaced_count, displaced_capacity;
};

/* jobs.c: the next job of the snapshot, for sim_initial_state. */
bool start_next_job(void *self, struct sim *, struct sim_initial_job *, bool *more, struct err *);

/* same.c: returns true if nodes, queues and policy are those of the snapshot, so nothing has
 * changed since it was taken */
bool start_is_same(const struct start *, const struct sim *);

/* history.c: restores the memory of the policy; called last. */
bool start_tell_history(struct start *, struct sim *, struct err *);

#endif
