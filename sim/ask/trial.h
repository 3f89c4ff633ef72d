/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcome of one job of a snapshot in one cycle, unchanged or changed:
 *
 *     trial_read()    from the decisions of a dry run: whether the job starts, where, and which
 * jobs are evicted for it trial_run()     the same for a changed job, with a fresh policy in its
 * own cycle
 *
 * Names in a trial belong to the snapshot, which must outlive it.
 */
#ifndef SIM_ASK_TRIAL_H
#define SIM_ASK_TRIAL_H

#include "sim/ask/dry_run.h"

/* Ordered by how soon the job runs, and the cost to others. */
enum trial_outcome {
    TRIAL_WAITS,
    TRIAL_EVICTS,   /* others are evicted or moved for it; it starts when they are gone */
    TRIAL_RELEASES, /* it has a place that is being released */
    TRIAL_STARTS,   /* now */
};

struct trial_victim { /* a job some of whose tasks are evicted for this one */
    const struct snap_job *job;
    uint32_t tasks;
    int64_t gpu_milli;
    bool moved; /* it continues elsewhere */
};

struct trial {
    enum trial_outcome outcome;
    uint32_t tasks;     /* that start, or have the promise of a place */
    int64_t gpu_milli;  /* requested by these tasks */
    const char **nodes; /* different ones, in the order of the decisions */
    size_t node_count, node_capacity;
    struct trial_victim *victims;
    size_t victim_count, victim_capacity;
};

/* Of the last cycle of the dry run. To be released with trial_fini(). */
void trial_read(struct trial *, const struct dry_run *, const struct snap_job *);

/*
 * Puts `changed` in the job's place for one cycle of a fresh policy of the same kind. A job that
 * the policy refuses as it is then waits. The snapshot is as before afterwards.
 */
void trial_run(struct trial *, const struct dry_run *, const struct snap_job *,
               const struct snap_job *changed);
void trial_fini(struct trial *);

void trial_print(const struct trial *,
                 struct out *); /* " on a0, a1; evicts low (2 GPUs)": the nodes and the victims */
void trial_print_victims(const struct trial *,
                         struct out *); /* "evicts low (2 GPUs), high (4 GPUs)" */

#endif
