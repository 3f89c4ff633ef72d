/* SPDX-License-Identifier: MIT */
/*
 * A snapshot of Slurm's state without Slurm's types: nodes, partitions and jobs. load.c builds it
 * from a slurmctld, tests build it by hand; tracker.c turns the difference between two snapshots
 * into facts.
 *
 * All texts belong to the view, and none is NULL. Times are milliseconds since 1970, 0 for none.
 */
#ifndef ADAPTERS_SLURM_VIEW_H
#define ADAPTERS_SLURM_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum view_node_state {
    VIEW_UP = 0,
    VIEW_DRAINING = 1,
    VIEW_DOWN = 2
}; /* same values as enum policy_node_state */

struct view_node {
    const char *name;
    int32_t gpus;
    const char *gpu_type;
    int64_t cpus, mem_mib;
    const char *features; /* "a,b" */
    enum view_node_state state;
};

struct view_partition {
    const char *name;
    bool *has; /* by node */
    bool up;   /* accepts and starts jobs */
};

enum view_job_state {
    VIEW_FRESH = 0,     /* pending, held by job_submit.lua at submission */
    VIEW_LOOSE = 1,     /* pending and not held: Slurm may start it by itself */
    VIEW_HELD = 2,      /* pending, held with the adapter's mark: the policy starts it */
    VIEW_NOBODYS = 3,   /* pending, held by someone else */
    VIEW_RUNNING = 4,   /* or suspended, or configuring */
    VIEW_LEAVING = 5,   /* stopping or completing: its nodes are not free yet */
    VIEW_SUCCEEDED = 6, /* completed */
    VIEW_FAILED = 7,    /* failed, cancelled or timed out */
};

/* A job, or a task of an array: the unit that starts and ends. */
struct view_key {
    uint32_t job, task; /* task VIEW_NO_TASK: not an array */
};
#define VIEW_NO_TASK UINT32_MAX

/* Its node and number of GPUs there. */
struct view_place {
    uint32_t node;
    int32_t gpus;
};

struct view_job {
    struct view_key key;
    const char *id;     /* for orders: "12", "12_3" */
    const char *record; /* for orders about all pending tasks of its array: "12", "12_[3-7]" */
    enum view_job_state state;
    bool held;              /* Slurm will not start it (again): its priority is 0 */
    const char *dependency; /* "afterok:4(unfulfilled),afterany:7_2" */
    const char *partition, *account, *qos, *comment; /* comment: the admin comment */
    const char *gpus_per_job, *gpus_per_node, *gpus_per_task, *gpus_per_socket;
    const char *cpus_per_gpu, *mem_per_gpu;
    const char *features, *excluded_nodes, *wanted_nodes, *reservation, *licenses;
    uint32_t nodes, tasks, tasks_per_node, cpus, cpus_per_node; /* minimums; 0: unspecified */
    int64_t mem_mib; /* see mem_per_cpu; 0: unspecified */
    bool mem_per_cpu, exclusive, heterogeneous;
    bool may_requeue;                                /* a batch job that allows requeueing */
    int64_t submit_ms, begin_ms, start_ms, limit_ms; /* limit -1: none */
    int32_t nice;
    uint32_t user;
    uint32_t restarts;
    uint32_t array_limit; /* concurrent tasks of its array; 0: unlimited */
    const struct view_place *places;
    uint32_t place_count;
};

struct view {
    struct view_node *nodes; /* sorted by name, bytewise */
    size_t node_count;
    struct view_partition *partitions;
    size_t partition_count;
    struct view_job *jobs; /* sorted by key */
    size_t job_count;
    bool counts_cpus, counts_memory; /* Slurm's configuration */
    void **blocks;                   /* all memory of the view */
    size_t block_count;
};

void *view_get(struct view *, size_t count, size_t size); /* zeroed, lives as long as the view */
const char *view_text(struct view *, const char *);       /* a copy; "" for NULL */
void view_sort_jobs(struct view *);
void view_fini(struct view *);

/* Its index, or UINT32_MAX. The nodes must be sorted. */
uint32_t view_find_node(const struct view *, const char *name);
const struct view_partition *view_find_partition(const struct view *,
                                                 const char *name); /* or NULL */
int view_compare_keys(struct view_key, struct view_key);

#endif
