/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files about speed share. speed.c says when, speed_place.c where and beside whom,
 * speed_device.c on which devices, speed_best.c what would be.
 */
#ifndef SIM_SPEED_INTERNAL_H
#define SIM_SPEED_INTERNAL_H

#include "sim/fabric/share.h"
#include "sim/internal.h"
#include "sim/perf/share.h"
#include "sim/perf/step.h"

#include "sim/base/symbols.h"

/* Jobs of a model that were recorded on one kind of node: how fast devices are for them, relative
 * to an A100-SXM. */
struct yardstick {
    const struct perf_model *model;
    const struct sim_node_kind *recorded_on; /* NULL: each job's own */
    double recorded;                         /* its devices */
    double *device;                          /* those of each kind of the fleet */
    struct perf_ratio there, *here;          /* from which these follow */
    bool *alike;                             /* as far as speed goes it is the recorded kind */
    bool *links_known;                       /* of it and of the recorded kind */
    bool *used;
    bool even; /* all kinds that have devices are equally fast */
};

/* What is known of a job in flight, by its number in the core. */
struct pace {
    const struct perf_model *model; /* NULL: nothing is worked out, it goes at ideal speed */
    const struct yardstick *yard;   /* NULL where model is */
    double counted;                 /* its speed where devices are only counted */
    uint32_t gen;                   /* of the job that it is about */
    uint32_t name;    /* in names.models, of the model that it names; SYMBOL_NONE: none */
    int32_t gpus;     /* that it works on since its speed was set last, 0 not yet; */
    double best_s;    /* of a step on the best placement of as many where it was recorded */
    uint32_t flow;    /* in the share of uplinks, WORK_NONE: it crosses none */
    uint32_t tenant;  /* its first one */
    double most_gbps; /* of its NICs, while it has a flow */
    bool noted;       /* listed: its speed may be another one, */
    bool moved;       /* and so may be where it is */
};

/* A job on devices of a node that it shares. */
struct tenant {
    uint64_t devices;
    uint32_t job, node;
    uint32_t prev, next; /* on the node */
    uint32_t sibling;    /* of the job, or of the free ones */
};

/* What a job has on one node, or on several alike. */
struct piece {
    struct perf_part part;
    uint32_t node, kind;
};

struct best_entry;

struct sim_speed {
    struct perf_rules rules;
    struct pace *paces;
    size_t pace_count;
    const struct perf_model **models; /* by names.models; NULL not asked for yet */
    size_t model_count;
    struct best_entry *best; /* steps on the best placements */
    struct yardstick **yards;
    size_t yard_count, yard_capacity;
    const struct sim_node_kind **recorded; /* by names.nodes; NULL not asked for yet */
    size_t recorded_count;

    uint32_t *noted; /* jobs */
    size_t noted_count, noted_capacity;

    struct tenant *tenants;
    size_t tenant_count, tenant_capacity;
    uint32_t free_tenant;
    uint32_t *first_on; /* tenant of each node; WORK_NONE none */

    struct fabric_share *share; /* NULL: no contention */
    struct fabric_finder finder;
    int32_t *nic_ppm; /* of each node, how much of its NICs works; NULL: all of all */
    uint32_t *job_of_flow;
    size_t flow_capacity;
    bool left; /* somebody left it since it was settled */

    struct perf_tenant *beside; /* tenants of one device */
    size_t beside_capacity;

    /* the place that was read last */
    struct piece *pieces;
    struct perf_part *parts;
    uint32_t *nodes;    /* of its pieces */
    uint32_t *piece_on; /* the piece on each node, plus 1; 0 between calls */
    size_t piece_count, part_count;
    size_t piece_capacity, part_capacity, node_capacity;
};

/* speed_place.c: reads where the job is into the sim's room for it; devices in all. Tenants are
 * those of now. */
int speed_read_place(struct sim *, const struct work_job *, const struct pace *);

/*
 * The same place, with what instances are of devices. A job asked for them, so they do not slow it
 * down, but they say how much it gets done.
 */
void speed_on_instances(struct sim *, const struct work_job *, const struct perf_model *);

/* The job gets or loses its places on shared devices; marks all jobs beside it. */
void speed_add_tenants(struct sim *, const struct work_job *, struct pace *);
void speed_drop_tenants(struct sim *, struct pace *);

/* speed_health.c: what works of the NICs of the place that was read last, on its worst node; 0..1.
 */
double speed_nics(const struct sim_speed *);

bool speed_health_audit(const struct sim *, struct err *);

/* The fastest and slowest speed that is worked out, relative to the recorded one. */
#define SPEED_MOST (1000 * WORK_IDEAL)

/* speed.c */
void speed_note(struct sim *, uint32_t job);

/*
 * speed_rate.c: what an elastic job gets done with its tasks, in millionths of its recorded rate
 * times running over recorded tasks; `best_s` is the step of its `gpus` devices on their best
 * placement where it was recorded.
 */
#define SPEED_SCALING_MOST (1000 * WORK_IDEAL)
int64_t speed_scaling(struct sim *, const struct work_job *, const struct pace *, int gpus,
                      double best_s);

/*
 * speed_device.c: the yardstick of jobs of a model that were recorded on such nodes, which stays.
 * Then the devices of a job that runs: the fastest and the slowest of them over the recorded one;
 * false: it has none.
 */
bool speed_same_device(const struct sim_node_kind *, const struct sim_node_kind *);
struct yardstick *speed_yardstick(struct sim *, const struct perf_model *,
                                  const struct sim_node_kind *);
bool speed_devices(const struct sim *, const struct work_job *, const struct pace *,
                   double *fastest, double *slowest);

/* Where devices are only counted: the speed of all that the job may use; false with err set when
 * they differ. */
bool speed_counted(struct sim *, const struct work_job *, struct pace *, struct err *);
void speed_device_free(struct sim_speed *);

/*
 * speed_best.c: seconds of a step on the best placement of so many devices, on as many nodes of a
 * kind as wanted; its devices are so fast.
 */
double speed_best(struct sim *, const struct work_job *, const struct perf_model *,
                  const struct sim_node_kind *, double device, int gpus);
void speed_best_free(struct sim_speed *);

/* Of the place that was read last: on the best of its kinds, and where it was recorded. */
double speed_best_here(struct sim *, const struct work_job *, const struct pace *, int gpus);
double speed_best_there(struct sim *, const struct work_job *, const struct pace *, int gpus);

#endif
