/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cell for the jobs of a snapshot: some of its nodes, or copies of them, empty, with all running
 * and pending work pending. For packing the same work from scratch (plan --method compaction).
 *
 *     work      tasks that hold something or wait, of jobs that are tried; not those that are
 *               gated, over, or not yet eligible, and no gang that waits for tasks of its own to be
 *               there or released. One that runs below its minimum is packed as it runs.
 *     copies    node k of copy c has the labels of node k, but for those that topologies are made
 *               of: a copied rack is another rack
 *     soft      jobs that want more than `soft_milli` GPUs: what they require they prefer, and they
 *               take any node
 */
#ifndef SCENARIOS_SNAPSHOT_CELL_H
#define SCENARIOS_SNAPSHOT_CELL_H

#include "scenarios/snapshot/snapshot.h"

/* Node `index` of the snapshot in copy `copy`; copy 0 is the node itself. */
struct cell_node {
    size_t copy, index;
};

/*
 * Makes a cell of the nodes in the given order. Shares texts with the snapshot, which must outlive
 * it. For snapshot_tell(); free it with snapshot_cell_destroy().
 */
struct snapshot *snapshot_cell_create(const struct snapshot *, const struct cell_node *,
                                      size_t count, int64_t soft_milli);
void snapshot_cell_destroy(struct snapshot *);

/*
 * Returns the GPUs (in thousandths) that a job of the snapshot requests in total, as far as that is
 * a number.
 */
int64_t snapshot_job_milli(const struct snap_job *);

/*
 * Return true for jobs and tasks that are work as defined above. A task is work only if its job is.
 */
bool snapshot_job_works(const struct snapshot *, const struct snap_job *);
bool snapshot_task_works(const struct snapshot *, const struct snap_job *,
                         const struct snap_task *);

#endif
