/* SPDX-License-Identifier: MIT */
/*
 * What Slurm says at one moment, without a type of Slurm in it: nodes, partitions and jobs. load.c
 * makes it from a slurmctld, tests make it by hand; tracker.c turns the difference between two of
 * them into facts.
 *
 * All texts belong to the view, and none is NULL. Times are milliseconds since 1970, 0 where there
 * is none.
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
}; /* as enum policy_node_state */

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
    bool up;   /* takes and starts jobs */
};

enum view_job_state {
    VIEW_FRESH = 0,     /* pending, held by job_submit.lua when it was submitted */
    VIEW_LOOSE = 1,     /* pending and not held: Slurm itself may start it */
    VIEW_HELD = 2,      /* pending, held with the adapter's mark: to be started by the policy */
    VIEW_NOBODYS = 3,   /* pending, held by somebody else */
    VIEW_RUNNING = 4,   /* or suspended, or its nodes are being prepared */
    VIEW_LEAVING = 5,   /* it is being stopped or cleaned up: its nodes are not free yet */
    VIEW_SUCCEEDED = 6, /* over */
    VIEW_FAILED = 7,    /* over: failed, cancelled, out of time */
};

/* A job of its own, or a task of an array: one thing that starts and ends. */
struct view_key {
    uint32_t job, task; /* task VIEW_NO_TASK: no array */
};
#define VIEW_NO_TASK UINT32_MAX

/* Where it is, and with how many GPUs. */
struct view_place {
    uint32_t node;
    int32_t gpus;
};

struct view_job {
    struct view_key key;
    const char *id; /* for orders about it: "12", "12_3" */
    const char
        *record; /* for orders about all pending tasks of its array at once: "12", "12_[3-7]" */
    enum view_job_state state;
    bool held;              /* Slurm will not start it as it is (again): its priority is 0 */
    const char *dependency; /* "afterok:4(unfulfilled),afterany:7_2" */
    const char *partition, *account, *qos, *comment; /* the administrator's comment */
    const char *gpus_per_job, *gpus_per_node, *gpus_per_task, *gpus_per_socket;
    const char *cpus_per_gpu, *mem_per_gpu;
    const char *features, *excluded_nodes, *wanted_nodes, *reservation, *licenses;
    uint32_t nodes, tasks, tasks_per_node, cpus, cpus_per_node; /* at least; 0: not said */
    int64_t mem_mib;                                            /* see mem_per_cpu; 0: not said */
    bool mem_per_cpu, exclusive, heterogeneous;
    bool may_requeue;                                /* a batch job that allows it */
    int64_t submit_ms, begin_ms, start_ms, limit_ms; /* limit -1: none */
    int32_t nice;
    uint32_t user;
    uint32_t restarts;
    uint32_t array_limit; /* tasks of its array that may run at one time; 0: any number */
    const struct view_place *places;
    uint32_t place_count;
};

struct view {
    struct view_node *nodes; /* by name, as bytes */
    size_t node_count;
    struct view_partition *partitions;
    size_t partition_count;
    struct view_job *jobs; /* by key */
    size_t job_count;
    bool counts_cpus, counts_memory; /* Slurm does */
    void **blocks;                   /* all memory of the above */
    size_t block_count;
};

void *view_get(struct view *, size_t count, size_t size); /* zeroed, lives as long as the view */
const char *view_text(struct view *, const char *);       /* a copy; of NULL "" */
void view_sort_jobs(struct view *);
void view_fini(struct view *);

/* Its number, or UINT32_MAX. Nodes have to be in order. */
uint32_t view_find_node(const struct view *, const char *name);
const struct view_partition *view_find_partition(const struct view *,
                                                 const char *name); /* or NULL */
int view_compare_keys(struct view_key, struct view_key);

#endif
