/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cluster snapshot: nodes, queues and jobs at one time, with their names, read from JSON. Loading
 * checks the text against the tables of schema.c (errors name file, line, JSON path and the nearest
 * name), fills in all defaults, and sorts the rest as the policy core needs it:
 *
 *     nodes, queues     as in the file; `rank` is the place of the name among all names in byte
 *                       order
 *     jobs              as in the file; `rank` by age, then by id
 *                       (a "rank" that the file gives goes before names, and before age)
 *     groups of a job   parents before what is inside them, siblings by name
 *     roles of a job    by name
 *     tasks of a job    by role, then larger priority, then id: the place of a task is its number
 *                       in the core
 *
 * A queue without its parent is dropped with all queues below it, and a job without a leaf queue is
 * never tried: both stay in the snapshot with the reason. A role with fewer tasks than its minimum
 * gets one more, gated and without an id, so that the core sees an incomplete gang.
 *
 * facts.h reports a snapshot to a policy. Everything here is owned by the snapshot and lives until
 * snapshot_destroy().
 */
#ifndef SCENARIOS_SNAPSHOT_SNAPSHOT_H
#define SCENARIOS_SNAPSHOT_SNAPSHOT_H

#include "policies/policy.h"
#include "scenarios/scenario.h"
#include "scenarios/snapshot/history.h"
#include "scenarios/snapshot/life.h"
#include "scenarios/snapshot/name_set.h"
#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SNAPSHOT_MAX_BYTES ((size_t)1 << 30)

struct snap_count { /* instances of a MIG profile */
    const char *profile;
    int32_t count;
};

struct snap_label {
    const char *key, *value;
};

struct snap_node {
    const char *name, *gpu_type, *pool;
    uint32_t rank;
    int64_t own_rank;                    /* as in the file; INT64_MAX: not stated */
    int32_t gpus, max_tasks, mig, state; /* enum policy_mig_mode, policy_node_state */
    int64_t gpu_mem_mib, cpu_milli, mem_mib;
    struct snap_count *mig_profiles;
    size_t mig_profile_count;
    struct snap_label *labels;
    size_t label_count;
    uint64_t unusable; /* set of devices */
    bool whole_only;
};

/* A pool whose nodes can be ordered. */
struct snap_offer {
    const char *pool;
    struct policy_offer offer; /* without the pool's number */
};

struct snap_topology {
    const char *name;
    const char **levels; /* keys of labels, top first */
    uint32_t level_count;
};

#define SNAP_NONE SIZE_MAX

/* The Kubernetes object that something was imported from. */
struct snap_origin {
    const char *resource; /* "queues.scheduling.run.ai"; "": none */
    int64_t generation;   /* 0: unknown */
};

struct snap_queue {
    const char *name, *parent; /* parent "" for a root */
    struct snap_origin origin;
    size_t parent_index;  /* SNAP_NONE for a root, or if the parent is unknown */
    const char *lost;     /* the unknown parent for which it is dropped, else NULL */
    bool inner;           /* it has queues below it, so it holds no jobs */
    uint32_t rank, depth; /* depth 0: a root */
    int64_t own_rank;
    int32_t priority;
    int64_t created_ms;
    struct policy_share gpu, cpu, mem;
    int64_t fixed_milli;
    bool suspended;
    int64_t preempt_min_runtime_ms, reclaim_min_runtime_ms; /* or POLICY_INHERIT */
    struct policy_amounts usage_ppm;
    struct policy_amounts request; /* in files of shares; else 0 */
    const char **pools;
    size_t pool_count;
    bool ordered_pools, strict_order; /* in order of preference; before any other rule */
    struct scen_pool_quota *by_pool;  /* gpu.quota is their sum; none: it applies in all pools */
    size_t by_pool_count;
    bool spans_pools; /* its gangs may span pools with different quotas */
};

enum snap_task_state {
    SNAP_PENDING,
    SNAP_GATED,
    SNAP_RUNNING,
    SNAP_RELEASING,
    SNAP_SUCCEEDED,
    SNAP_FAILED
};

struct snap_term { /* the label has one of the values */
    const char *key;
    const char **values; /* in byte order */
    size_t value_count;
};

struct snap_request {
    int32_t devices, device_milli; /* as in struct policy_request */
    int64_t device_mem_mib, cpu_milli, mem_mib;
    const char *gpu_types;  /* names separated by '|'; "": any */
    struct snap_count *mig; /* by profile name */
    size_t mig_count;
    struct snap_term *terms; /* by key */
    size_t term_count;
};

struct snap_task {
    const char *id; /* NULL: represents tasks that the gang lacks */
    const char
        *uid;      /* the cluster's unique id, to distinguish tasks with the same id; "": unknown */
    uint32_t role; /* in its job */
    int32_t priority;
    enum snap_task_state state;
    size_t node;        /* of a running or releasing task */
    uint64_t devices;   /* likewise */
    int64_t release_ms; /* of a releasing task: end of its grace period; POLICY_NEVER: unknown */
    struct snap_request request;
};

struct snap_constraint {
    struct policy_constraint at; /* -1 for unknown names */
    const char *topology, *required, *preferred;
};

struct snap_role {
    const char *name;
    int32_t min_tasks;          /* may exceed its number of tasks */
    int32_t group;              /* 1 + its index; 0: none */
    uint32_t first_task, tasks; /* among the job's tasks */
    struct snap_constraint topology;
};

struct snap_group {
    const char *name;
    int32_t parent; /* 1 + its index; 0: none */
    struct snap_constraint topology;
};

/* The reason why a job is not tried. */
enum snap_stray {
    SNAP_IN_QUEUE,
    SNAP_QUEUE_UNKNOWN,
    SNAP_QUEUE_LOST,
    SNAP_QUEUE_INNER,
    SNAP_STRAYS
};

struct snap_job {
    const char *id, *queue_name;
    struct snap_origin origin; /* its pod group */
    size_t queue;              /* SNAP_NONE if unknown */
    enum snap_stray stray;
    uint64_t rank;
    int64_t own_rank;
    int32_t priority, workload;
    bool preemptible;
    int64_t submit_ms, eligible_ms;        /* eligible POLICY_NEVER: at once */
    int64_t last_start_ms, stale_since_ms; /* POLICY_NEVER: null */
    bool stale;                            /* stale_since_ms was given */
    int64_t run_ms, limit_ms;              /* -1: unknown, none */
    int64_t deadline_ms;                   /* POLICY_NEVER: none */
    bool suspended;
    int64_t interactive_limit_ms; /* 0: the policy's; -1: none */
    struct snap_life life;
    struct snap_constraint topology;
    struct snap_group *groups;
    struct snap_role *roles;
    struct snap_task *tasks;
    uint32_t group_count, role_count, task_count;
};

struct snapshot {
    const char *file; /* as given */
    int64_t now_ms;
    struct {
        const char *name;
        struct scen_option *options;
        size_t option_count;
    } policy;
    struct snap_topology *topologies;
    struct snap_node *nodes;
    struct snap_offer *offers; /* by pool */
    size_t offer_count;
    struct snap_queue *queues;
    struct snap_job *jobs;
    bool has_history;             /* the file has the policy's history, even if empty */
    struct snap_history *history; /* the policy's history, in the order in which it is reported */
    size_t topology_count, node_count, queue_count, job_count, history_count;
    struct name_set node_names, queue_names, job_ids;
    size_t *node_of_name, *queue_of_name, *job_of_name; /* by number in these sets */
    size_t *queue_order; /* queues, parents first, siblings by name */
};

bool snapshot_load(struct snapshot **, const char *path, struct err *err);
bool snapshot_parse(struct snapshot **, const char *name, const char *text, size_t n,
                    struct err *err);
void snapshot_destroy(struct snapshot *); /* NULL is allowed */

/* Adds the text of the file to a digest. */
void snapshot_digest(const struct snapshot *, struct digest *);

/* Returns the job with that id; NULL with err set, which names the nearest id. */
const struct snap_job *snapshot_find_job(const struct snapshot *, const char *id, struct err *err);

/* Returns the location of the value at a JSON path, "x.json:12: jobs[3].queue", in buffer. */
const char *snapshot_where(const struct snapshot *, const char *path, char *buffer, size_t size);

/*
 * Returns a task's request in thousandths of devices, as far as that is one number: memory counts
 * as 0.
 */
int64_t snap_gpu_milli(const struct snap_request *);

static inline bool snap_holds(const struct snap_task *task)
{
    return task->state == SNAP_RUNNING || task->state == SNAP_RELEASING;
}

static inline bool snap_over(const struct snap_task *task)
{
    return task->state == SNAP_SUCCEEDED || task->state == SNAP_FAILED;
}

#endif
