/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files about speed: speed.c decides when, speed_place.c where and with which
 * neighbours, speed_device.c on which devices, and speed_best.c computes the best case.
 */
#ifndef SIM_SPEED_INTERNAL_H
#define SIM_SPEED_INTERNAL_H

#include "sim/fabric/share.h"
#include "sim/internal.h"
#include "sim/perf/share.h"
#include "sim/perf/step.h"

#include "sim/base/symbols.h"

/* Jobs of a model recorded on one kind of node: the speed of devices for them, relative to an
 * A100-SXM. */
struct yardstick {
    const struct perf_model *model;
    const struct sim_node_kind *recorded_on; /* NULL: each job's own nodes */
    double recorded;                         /* speed of its devices */
    double *device;                          /* speed of the devices of each kind of node in the
                                                fleet */
    struct perf_ratio there, *here;          /* the ratios these are computed from */
    bool *alike;                             /* kinds equal to the recorded kind for the purpose
                                                of speed */
    bool *links_known;                       /* of both the kind and the recorded kind */
    bool *used;
    bool even; /* all kinds with devices are equally fast */
};

/* State of a job in flight, by its id in the core. */
struct pace {
    const struct perf_model *model; /* NULL: nothing is computed, the job runs at ideal speed */
    const struct yardstick *yard;   /* NULL if model is */
    double counted;                 /* its speed where devices are counted, not placed */
    uint32_t gen;                   /* generation of the job */
    uint32_t name;                  /* name of its model, in names.models; SYMBOL_NONE: none */
    int32_t gpus;                   /* devices at work since its speed was last set, 0 not yet */
    double best_s;    /* seconds of a step on the best placement of that many where it was
                         recorded */
    uint32_t flow;    /* in the share of uplinks; WORK_NONE: it crosses none */
    uint32_t tenant;  /* its first tenant */
    double most_gbps; /* of its NICs, while it has a flow */
    bool noted;       /* listed: its speed may have changed */
    bool moved;       /* and so may its placement */
};

/* A job on shared devices of a node. */
struct tenant {
    uint64_t devices;
    uint32_t job, node;
    uint32_t prev, next; /* on the node */
    uint32_t sibling;    /* next tenant of the job, or next free entry */
};

/* The part of a job on one node, or on several equal ones. */
struct piece {
    struct perf_part part;
    uint32_t node, kind;
};

struct best_entry;

struct sim_speed {
    struct perf_rules rules;
    struct pace *paces;
    size_t pace_count;
    const struct perf_model **models; /* by names.models; NULL not looked up yet */
    size_t model_count;
    struct best_entry *best; /* cached steps on the best placements */
    struct yardstick **yards;
    size_t yard_count, yard_capacity;
    const struct sim_node_kind **recorded; /* by names.nodes; NULL not looked up yet */
    size_t recorded_count;

    uint32_t *noted; /* jobs listed */
    size_t noted_count, noted_capacity;

    struct tenant *tenants;
    size_t tenant_count, tenant_capacity;
    uint32_t free_tenant;
    uint32_t *first_on; /* first tenant of each node; WORK_NONE none */

    struct fabric_share *share; /* NULL: no contention */
    struct fabric_finder finder;
    int32_t *nic_ppm; /* of each node, the working share of its NICs; NULL: all work */
    uint32_t *job_of_flow;
    size_t flow_capacity;
    bool left; /* a flow left since the last settlement */

    struct perf_tenant *beside; /* tenants of one device */
    size_t beside_capacity;

    /* the placement read last */
    struct piece *pieces;
    struct perf_part *parts;
    uint32_t *nodes;    /* nodes of its pieces */
    uint32_t *piece_on; /* the piece on each node, plus 1; 0 between calls */
    size_t piece_count, part_count;
    size_t piece_capacity, part_capacity, node_capacity;
};

/* speed_place.c: reads the job's placement, with current tenants, into the sim's buffer; returns
 * the number of devices */
int speed_read_place(struct sim *, const struct work_job *, const struct pace *);

/*
 * The same placement, with instances as parts of devices. The job asked for instances, so they do
 * not slow it down, but they determine its throughput.
 */
void speed_on_instances(struct sim *, const struct work_job *, const struct perf_model *);

/* Adds or removes the job's tenants on shared devices; marks all neighbours. */
void speed_add_tenants(struct sim *, const struct work_job *, struct pace *);
void speed_drop_tenants(struct sim *, struct pace *);

/* speed_health.c: working share of the NICs on the worst node of the placement read last; 0..1 */
double speed_nics(const struct sim_speed *);

bool speed_health_audit(const struct sim *, struct err *);

/* Bounds of computed speeds, relative to the recorded one. */
#define SPEED_MOST (1000 * WORK_IDEAL)

/* speed.c */
void speed_note(struct sim *, uint32_t job);

/*
 * speed_rate.c: throughput of an elastic job with its current tasks, in millionths of its recorded
 * rate times running over recorded tasks; `best_s` is the step of its `gpus` devices on their best
 * placement where it was recorded.
 */
#define SPEED_SCALING_MOST (1000 * WORK_IDEAL)
int64_t speed_scaling(struct sim *, const struct work_job *, const struct pace *, int gpus,
                      double best_s);

/*
 * speed_device.c: the yardstick for jobs of a model recorded on such nodes, which stays valid; then
 * the fastest and slowest devices of a running job over the recorded one. Returns false if it has
 * none.
 */
bool speed_same_device(const struct sim_node_kind *, const struct sim_node_kind *);
struct yardstick *speed_yardstick(struct sim *, const struct perf_model *,
                                  const struct sim_node_kind *);
bool speed_devices(const struct sim *, const struct work_job *, const struct pace *,
                   double *fastest, double *slowest);

/* Where devices are counted, not placed: the common speed of all devices that the job may use.
 * Returns false with err set if they differ. */
bool speed_counted(struct sim *, const struct work_job *, struct pace *, struct err *);
void speed_device_free(struct sim_speed *);

/*
 * speed_best.c: seconds of a step on the best placement of that many devices, on any number of
 * nodes of a kind, given the speed of its devices
 */
double speed_best(struct sim *, const struct work_job *, const struct perf_model *,
                  const struct sim_node_kind *, double device, int gpus);
void speed_best_free(struct sim_speed *);

/* For the placement read last: on the best of its kinds of node, and where it was recorded. */
double speed_best_here(struct sim *, const struct work_job *, const struct pace *, int gpus);
double speed_best_there(struct sim *, const struct work_job *, const struct pace *, int gpus);

#endif
