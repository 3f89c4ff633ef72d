/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The modelled fleet: pools of nodes with devices, and their current use. This is the simulator's
 * own state, separate from the policy core's: fleet_take() refuses the impossible (a device taken
 * twice, CPU that does not exist), so a policy's mistake is caught where it happens, whatever the
 * core believes.
 */
#ifndef SIM_FLEET_FLEET_H
#define SIM_FLEET_FLEET_H

#include "sim/base/err.h"
#include "sim/base/symbols.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLEET_DEVICES  64 /* on one node, at most: a set of devices is one uint64_t */
#define FLEET_WHOLE    1000
#define FLEET_PROFILES 16 /* of MIG instances in one fleet */
#define FLEET_LEVELS   16 /* of the fabric */
#define FLEET_COMPUTE  7  /* compute slices of a device with MIG */
#define FLEET_NAME     24

/* A kind of MIG instance: 3g.40gb computes with 3 of 7 slices and occupies 4 of 8 memory slices. */
struct fleet_profile {
    char name[FLEET_NAME];
    int compute, memory;
};

/*
 * A level of the fabric and its domains: nodes under one switch, in one rack. Levels go from the
 * top down and their domains lie in each other; the last one is always `node`, where each node is a
 * domain of its own.
 */
struct fleet_level {
    const char *name;
    struct symbols *domains; /* their names by id; NULL: nodes, with theirs */
};

/* Device memory and MIG instances of a node. */
struct fleet_parts {
    int instances[FLEET_PROFILES], instances_used[FLEET_PROFILES]; /* a fixed number of each */
    int64_t load[FLEET_DEVICES];    /* memory in use, in MiB / 1000: by tasks that request it,
                                       and by tasks that share */
    uint8_t compute[FLEET_DEVICES]; /* slices that are instances made freely */
    uint8_t memory[FLEET_DEVICES];
};

/* Keys from FLEET_LEVELS on: smaller ones are levels of the fabric. */
struct fleet_label {
    uint32_t key, value;
};

struct fleet_node {
    const char *name;
    uint32_t pool, gpu_type; /* gpu_type: an id of the run's table of types */
    uint32_t rank;           /* tie-break of placements, unique */
    int gpus;
    int64_t cpu_milli, mem_mib; /* -1 not modelled */
    int max_tasks;              /* -1 no bound */
    int64_t device_mem_mib;     /* of each device; 0 unknown */
    int mig;                    /* enum policy_mig_mode */
    bool whole_only;            /* accepts only tasks that request all its devices */
    const uint32_t *domains; /* its domain on each level but the last; NULL without such levels */
    const struct fleet_label
        *labels; /* labels that tasks may request; owned by the caller, must outlive the fleet */
    uint32_t label_count;
    /* in use now */
    int away;      /* reasons for which it is down */
    int reclaimed; /* of these: its capacity was reclaimed */
    int testing;   /* of these: its burn-in, after a repair or when it is new */
    int draining;  /* number of reasons to accept no more tasks */
    bool off;      /* it is not there, and may be ordered */
    bool ordered;  /* it is on its way; a reason to drain */
    bool leaving;  /* it is removed once empty; a reason to drain */
    int tasks;
    int idle; /* devices of which nothing is in use */
    int64_t cpu_used, mem_used, milli_used;
    uint16_t *used;            /* thousandths of each device */
    struct fleet_parts *parts; /* NULL until it has to do with parts of devices other than shares */
};

/* Returns true if the node accepts tasks. */
static inline bool fleet_is_up(const struct fleet_node *node)
{
    return !node->off && node->away == 0 && node->draining == 0;
}

/* Returns true if the node is away for its tests alone. */
static inline bool fleet_is_tested(const struct fleet_node *node)
{
    return node->testing > 0 && node->testing == node->away;
}

struct fleet_pool {
    const char *name;
    uint32_t first_node, node_count;
    int gpus_per_node; /* of its largest node */
    int64_t milli, milli_used;
};

struct fleet {
    struct fleet_node *nodes;
    size_t node_count, node_capacity;
    struct fleet_pool *pools;
    size_t pool_count, pool_capacity;
    int64_t milli, milli_used; /* thousandths of devices, installed and in use */
    struct fleet_level levels[FLEET_LEVELS];
    uint32_t level_count; /* at least 1 once fleet_close_levels() was called */
    struct fleet_profile profiles[FLEET_PROFILES];
    int profile_count;
};

/*
 * What a task takes on a node. A memory request counts as the thousandths of the device that it
 * fills completely, and is checked in MiB. A MIG instance counts its compute slices as sevenths of
 * a device, so that any seven make a whole device (4g + 3g, 7 x 1g); a device whose memory is
 * exhausted earlier (2 x 3g) is 6/7 in use. Sevenths are not whole thousandths: each instance gets
 * the amount that brings the sum of its device (or of the node, where instances are not tied to a
 * device) to the rounded value (143, 143, 143, 142, ...).
 */
struct fleet_use {
    uint64_t devices; /* none for instances that the node has a fixed number of */
    int milli;        /* of each device, 1..1000 */
    int64_t cpu_milli, mem_mib;
    int64_t device_mem_mib; /* on each device; 0: thousandths are asked for */
    int profile;            /* 1 + its index; 0 none */
};

void fleet_init(struct fleet *);
void fleet_fini(struct fleet *);

/*
 * Levels from the top down, then fleet_close_levels(), which adds `node`, all before the first
 * node. The number of a domain, made at its first use.
 */
void fleet_add_level(struct fleet *, const char *name);
void fleet_close_levels(struct fleet *);
uint32_t fleet_domain(struct fleet *, uint32_t level, const char *name);
const char *fleet_domain_name(const struct fleet *, uint32_t level,
                              uint32_t node); /* where the node is */
uint32_t fleet_domain_of(const struct fleet *, uint32_t level, uint32_t node);
uint32_t fleet_find_level(const struct fleet *,
                          const char *name); /* level_count if there is none */

/* Names and domains are copied. Nodes are added pool by pool, right after their pool. */
uint32_t fleet_add_pool(struct fleet *, const char *name);
uint32_t fleet_add_node(struct fleet *, const struct fleet_node *); /* pool, resources, rank */

/* GPUs of the largest node; 0 for a fleet without. */
int fleet_most_gpus(const struct fleet *);

/* The parts of the node's devices, created at the first call. */
struct fleet_parts *fleet_parts(struct fleet *, uint32_t node);

/* mig.c: the profile of that name, found or added; *index is 0-based. */
bool fleet_profile(struct fleet *, const char *name, int *index, struct err *err);

/* Thousandths that a task takes of each device of the node: as requested, or according to its
 * memory. */
int fleet_milli(const struct fleet_node *, int milli, int64_t device_mem_mib);

/* Thousandths that a MIG instance takes of the device, or of the node, if it is taken now; and
 * alone, of any. */
int fleet_instance_milli(const struct fleet *, uint32_t node, uint64_t devices, int profile);
int fleet_profile_milli(const struct fleet_profile *);

bool fleet_take(struct fleet *, uint32_t node, const struct fleet_use *, struct err *);
void fleet_give(struct fleet *, uint32_t node, const struct fleet_use *);

/* Devices that are only counted, in a pool. */
bool fleet_count(struct fleet *, uint32_t pool, int64_t milli,
                 struct err *); /* negative to release */

#endif
