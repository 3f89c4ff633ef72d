/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What goes wrong, as the simulator carries it out. Where faults come from is no business of the
 * driver: a source hands them out in the order of their times (sim/faults makes them at random).
 *
 *     fault        detected                 repaired
 *       |.............|........................|
 *       | jobs hang   | jobs are interrupted,  | nodes take tasks again
 *       | (not stop)  | nodes leave            |
 *
 * A job of which one task stands on what is struck hangs as a whole until the fault is detected: it
 * holds its devices and does nothing. Then it loses what it did since its last checkpoint, gives
 * everything back at once, is pending again and goes on after a restart. Jobs that start on a node
 * between a fault and its detection do not notice before that. A job that is evicted meanwhile
 * hangs no longer, since it is stopped; what it did that is worth nothing it takes along, and loses
 * it when that is detected, wherever it is then. Nodes that leave for repair are down, for the
 * policy too; with `after_job` they take no more tasks and leave when the last one on them has
 * ended.
 *
 * A job may also fail by its own doing: after so much work it has ended as failed, and does not
 * come back. That is a fault of one job which is over at once, in its own class.
 *
 * Capacity that is reclaimed (`reclaims`) is not broken: it goes to somebody else for a time, and
 * was announced. From the notice on the nodes take no more tasks. Jobs there work on, and begin to
 * write a checkpoint just in time for it to be through when the nodes leave; a job that cannot
 * write one within the notice loses its unsaved work.
 */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_ALL_DEVICES (-1)

enum sim_fault_effect {
    SIM_FAULT_KILLS = 0, /* the jobs that it strikes */
    SIM_FAULT_SLOWS, /* they go on at `slow_ppm` of their speed until it is repaired; nothing leaves
                      */
    SIM_FAULT_CORRUPTS, /* when detected jobs lose all that they did since it struck, and since the
                           checkpoint before */
    SIM_FAULT_DRAINS,   /* planned: jobs are evicted with the usual grace, then the nodes leave */
    SIM_FAULT_EFFECTS
};

struct sim_fault {
    int64_t at_ms;
    uint32_t class; /* its number among sim_config.faults.classes */
    enum sim_fault_effect effect;
    const uint32_t *nodes; /* that it strikes, rising */
    uint32_t node_count;
    int device;   /* of the only node, or SIM_ALL_DEVICES */
    bool one_job; /* of the jobs there only the one that was submitted first (its own software) */
    int64_t detect_ms; /* from then on */
    int64_t repair_ms; /* from its detection on; 0: the nodes stay. SIM_FAULT_SLOWS: how long it
                          lasts */
    bool after_job;
    bool reclaims; /* SIM_FAULT_DRAINS: for others; detect_ms is the notice, repair_ms > 0 how long
                      they are away */
    int32_t slow_ppm; /* above 0 */
    /*
     * SIM_FAULT_SLOWS of bandwidth: where speeds follow the network (sim_config.network) slow_ppm
     * is what is left of these uplinks, or without any of the NICs of its nodes, and jobs go as
     * fast as that lets them. Several faults of one uplink multiply, or their losses add up.
     */
    bool narrows, adds_up;
    const uint32_t *uplinks; /* numbers in the fabric's tree, rising; valid like `nodes` */
    uint32_t uplink_count;
};

struct sim_faults {
    void *self; /* NULL: nothing ever goes wrong */
    void (*begin)(void *self,
                  int64_t first_ms); /* told when the first job is submitted; NULL: not needed */
    int64_t (*next_ms)(void *self);
    bool (*take)(void *self, struct sim_fault *); /* the next one; its `nodes` are valid until the
                                                     next call. False: no more */
    const char *const *classes;                   /* names, for reports */
    uint32_t class_count;
    /*
     * Work in milliseconds after which the job of that row of the trace fails by its own doing,
     * INT64_MAX: it does not. NULL: no job does but those of which the trace says so.
     */
    int64_t (*user_after_ms)(void *self, uint64_t job);
    uint32_t user_class; /* of such failures */
    bool reclaims;       /* some of them may be reclaims */
};

#endif
