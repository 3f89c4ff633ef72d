/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An independent picture of a small cluster, made from facts and decisions alone: arrays and plain
 * scans, no index, nothing remembered from one decision to the next. Two things are built on it: an
 * auditor (world_apply() fails the test when a decision cannot be carried out) and a naive twin of
 * the policy core (twin.h) that says what has to be decided.
 */
#ifndef TESTS_LIB_WORLD_H
#define TESTS_LIB_WORLD_H

#include "policies/policy.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    WORLD_NODES = 24, /* ids are the policy's: they are small because they are dense */
    WORLD_QUEUES = 6,
    WORLD_POOLS = 4,
    WORLD_JOBS = 128,
    WORLD_ROLES = 3,
    WORLD_TASKS = 24,
};

struct world_node {
    bool exists;
    int32_t state;
    struct policy_node_spec spec;
    uint64_t usable;
    int32_t room[POLICY_MAX_DEVICES]; /* thousandths left */
    int32_t tasks;
    int64_t cpu, mem; /* left; far from 0 where not modelled */
};

struct world_queue {
    bool exists;
    uint32_t pools; /* as a set; all bits: any */
};

enum world_state { WORLD_NONE = 0, WORLD_HELD, WORLD_PENDING, WORLD_ACTIVE };

struct world_task {
    bool holds;
    uint32_t node;
    uint64_t devices;
};

struct world_job {
    enum world_state state;
    policy_job id;
    uint32_t queue;
    int64_t key; /* of the order */
    uint64_t rank;
    policy_time eligible;
    struct policy_role roles[WORLD_ROLES];
    uint32_t role_count;
    uint32_t tasks;
    struct world_task task[WORLD_TASKS];
    bool counted; /* holds gpu_milli in `pool`, no nodes */
    uint32_t pool;
    int64_t gpu_milli;
    bool evicted;
};

struct world {
    bool counts, strict, by_queue;
    struct world_node nodes[WORLD_NODES];
    struct world_queue queues[WORLD_QUEUES];
    struct world_job jobs[WORLD_JOBS]; /* by the policy's number */
    int64_t taken[WORLD_POOLS];        /* where devices are only counted */
};

void world_add_node(struct world *, policy_node, const struct policy_node_spec *);
void world_add_job(struct world *, policy_job, const struct policy_job_spec *, int64_t key,
                   policy_time now);
const struct policy_request *world_request(const struct world_job *, uint32_t task);

bool world_uses(const struct world *, uint32_t queue, uint32_t pool);

/* Whether the task could start on the node now, and whether it could on the devices of the set
 * alone. */
bool world_fits(const struct world_node *, const struct policy_request *);
bool world_fits_on(const struct world_node *, const struct policy_request *, uint64_t devices);

int32_t world_whole(const struct world_node *); /* usable devices that are entirely free */
int64_t world_free(const struct world_node *);  /* thousandths left on usable devices */
uint64_t
world_shared(const struct world_node *); /* usable devices that are partly taken, with room left */
int32_t world_milli(const struct policy_request *);

/* The lowest free devices; for shares the fullest that have room, the lowest of these. */
uint64_t world_devices(const struct world_node *, const struct policy_request *);

/* Takes (sign 1) or gives back (-1) what the task holds. */
void world_hold(struct world *, struct world_job *, uint32_t task, uint32_t node, uint64_t devices,
                int sign);
int64_t world_pool_free(const struct world *, uint32_t pool);

/* Whether the empty, healthy fleet could hold each role, and all of its devices together. */
bool world_ever_fits(const struct world *, const struct world_job *);

void world_release_held(struct world *, policy_time now);

/* Carries out the decisions of one call; fails the test when one is impossible or a gang is not
 * whole. */
void world_apply(struct world *, const struct policy_decision *, size_t count);

/* One task or all of a job end. Returns true when the job is gone. */
bool world_end(struct world *, struct world_job *, uint32_t task, int32_t outcome);
void world_start_failed(struct world *, struct world_job *);

/* Total order of waiting jobs. */
bool world_before(const struct world_job *, const struct world_job *);

#endif
