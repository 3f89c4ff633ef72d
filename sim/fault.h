/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults as the simulator carries them out. A source supplies them in order of time (sim/faults
 * draws them at random); the simulator does not know where they come from.
 *
 *     fault        detected                 repaired
 *       |.............|........................|
 *       | jobs hang   | jobs are interrupted,  | nodes accept tasks again
 *       | (not stop)  | nodes leave            |
 *
 * A job with a task on affected hardware hangs as a whole until the fault is detected: it holds its
 * devices and makes no progress. Then it loses all work since its last checkpoint, releases
 * everything at once, is pending again and continues after a restart. Jobs that start on a node
 * between a fault and its detection are unaffected before that. A job that is evicted meanwhile is
 * stopped and so no longer hangs; it carries its corrupt work along and loses it upon detection,
 * wherever it is then. Nodes that leave for repair are down for the policy too; with `after_job`
 * they accept no more tasks and leave when their last task has ended.
 *
 * A job may also fail by itself: after a certain amount of work it ends as failed and does not
 * return. Such a fault affects one job, is over at once, and has a class of its own.
 *
 * Reclaimed capacity (`reclaims`) is not broken: it was announced, and is absent for a time. From
 * the notice on its nodes accept no more tasks. Their jobs continue and start a last checkpoint
 * just in time to finish before the nodes leave; a job that cannot write one within the notice
 * loses its unsaved work.
 */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_ALL_DEVICES (-1)

enum sim_fault_effect {
    SIM_FAULT_KILLS = 0, /* affected jobs are interrupted */
    SIM_FAULT_SLOWS,    /* they run at `slow_ppm` of their speed until the repair; no node leaves */
    SIM_FAULT_CORRUPTS, /* upon detection, jobs lose all work since the last checkpoint before
                           the fault struck */
    SIM_FAULT_DRAINS,   /* planned: jobs are evicted with the usual grace period, then the nodes
                           leave */
    SIM_FAULT_EFFECTS
};

struct sim_fault {
    int64_t at_ms;
    uint32_t class; /* index in sim_config.faults.classes */
    enum sim_fault_effect effect;
    const uint32_t *nodes; /* affected nodes, ascending */
    uint32_t node_count;
    int device;         /* device of the only node, or SIM_ALL_DEVICES */
    bool one_job;       /* only the job submitted first is affected (its own software) */
    int64_t detect_ms;  /* time of detection */
    int64_t repair_ms;  /* repair time from detection; 0: the nodes stay. SIM_FAULT_SLOWS:
                           duration */
    uint32_t burn_ins;  /* tests of the nodes before they return (sim/faults/burn_in.h), ... */
    int64_t burn_in_ms; /* ... each of this length, at the end of equal parts of repair_ms */
    bool fresh;         /* no fault: the nodes are new, and are tested for the first time */
    bool after_job;
    bool reclaims;    /* SIM_FAULT_DRAINS: capacity goes to others; detect_ms is the notice,
                         repair_ms > 0 the absence */
    int32_t slow_ppm; /* positive */
    /*
     * SIM_FAULT_SLOWS of bandwidth: where speeds follow the network (sim_config.network), slow_ppm
     * is the remaining share of these uplinks, or without uplinks of the nodes' NICs, and jobs slow
     * down accordingly. Several faults of one uplink multiply, or their losses add up.
     */
    bool narrows, adds_up;
    const uint32_t *uplinks; /* indices in the fabric tree, ascending; valid as long as `nodes` */
    uint32_t uplink_count;
};

struct sim_faults {
    void *self; /* NULL: no faults */
    void (*begin)(void *self,
                  int64_t first_ms); /* called when the first job is submitted; NULL: not needed */
    int64_t (*next_ms)(void *self);
    bool (*take)(void *self, struct sim_fault *); /* The next fault; its `nodes` are valid until
                                                     the next call. Returns false when there are
                                                     no more. */
    const char *const *classes;                   /* names, for reports */
    uint32_t class_count;
    /*
     * Work in milliseconds after which the job in that row of the trace fails by itself; INT64_MAX:
     * never. NULL: only jobs that failed in the trace fail.
     */
    int64_t (*user_after_ms)(void *self, uint64_t job);
    uint32_t user_class; /* class of such failures */
    bool reclaims;       /* some faults may be reclaims */
    bool burns_in;       /* nodes are tested before they return */
};

/* Time from the beginning of the repair to that of a test, test < burn_ins. */
static inline int64_t sim_fault_test_ms(const struct sim_fault *f, uint32_t test)
{
    int64_t first = f->fresh ? 0 : f->repair_ms / f->burn_ins - f->burn_in_ms;
    int64_t between = !f->fresh         ? f->repair_ms / f->burn_ins
                      : f->burn_ins > 1 ? (f->repair_ms - f->burn_in_ms) / (f->burn_ins - 1)
                                        : 0;
    return first + test * between;
}

#endif
