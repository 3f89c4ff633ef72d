/* SPDX-License-Identifier: MIT */
/*
 * A policy of your own, as a shared library. It exports one struct of this name, and fills in what it brings:
 *
 *     static int64_t smallest(void *self, const struct policy_job_spec *job) { ... }
 *     const struct policy_plugin fauxpolicy_plugin = {
 *         POLICY_PLUGIN_HEAD("smallest-first", "fewest devices first"), .key = smallest};
 *
 *     cc -shared -fPIC -o smallest_first.so smallest_first.c
 *     fauxfleet run scenario.json --policy ./smallest_first.so -o out
 *
 * What it may bring
 *   - an order by what is known when a job is submitted (`key`),
 *   - an order by what is known while jobs run, which evicts who has fallen behind (`rank`),
 *   - a placement (`score`),
 *   - or a whole policy (`decide`), which looks at nodes and jobs and says who starts where and who has to go. It may
 *     have `key` or `rank` beside it (they sort the jobs that it sees) and `score` (where place() puts tasks).
 * Everything else (places, blocking, backfill, options) is that of the built-in policy `base`.
 *
 * Rules
 *   - Equal calls give equal answers: no clock, no random numbers, no files, nothing kept in globals. State belongs into
 *     what `create` returns; several policies of one plugin may live side by side, each used by one thread at a time.
 *   - What a function is given lives until it returns.
 *   - A whole policy decides through the functions of its plan. Each checks first: what cannot be (a device that is
 *     taken, a gang in part, a job that does not run) is refused, and fails the policy: the embedder's policy_decide()
 *     ends with POLICY_WRONG_PLUGIN and a message with the plugin's name. What was decided before stands.
 *   - The policy core calls a plugin, a plugin never calls the policy core but for the functions of its plan.
 *
 * Units are those of policy.h: devices in thousandths where they may be shared, milliseconds, MiB. The embedder loads
 * the library; see policy_config_plugin() in policy.h.
 */
#ifndef POLICY_PLUGIN_H
#define POLICY_PLUGIN_H

#include "policy.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POLICY_PLUGIN_VERSION 1                   /* of this header; raised when something breaks */
#define POLICY_PLUGIN_SYMBOL  "fauxpolicy_plugin" /* the name of the struct in the library */
#define POLICY_PLUGIN_NAME    32                  /* characters of a plugin's name, with the last 0 */

/* The first members of the struct. */
#define POLICY_PLUGIN_HEAD(name, summary)                                                                    \
    (uint32_t)sizeof(struct policy_plugin), POLICY_PLUGIN_VERSION, name, summary

/* ---- what a plugin sees --------------------------------------------------------------------------------------- */

/* A node. Those that are down or draining take no new tasks. */
struct policy_plugin_node {
    policy_node id;
    uint32_t rank; /* ties: the smallest first */
    uint32_t pool, type;
    int32_t state;                        /* enum policy_node_state */
    int32_t devices, tasks, max_tasks;    /* of these, those that run here, and how many may; -1 any number */
    int32_t free_milli;                   /* free on usable devices */
    uint64_t usable;                      /* the devices that are healthy, */
    uint64_t whole;                       /* of these those that are entirely free, */
    uint64_t shared;                      /* and those that are taken in part */
    const uint16_t *room;                 /* thousandths left of each device */
    int64_t cpu_free_milli, mem_free_mib; /* -1: not modelled */
    int64_t cpu_total_milli, mem_total_mib; /* -1: not modelled */
    uint64_t reserved[4];
};

enum policy_plugin_state {
    POLICY_JOB_WAITS = 0,
    POLICY_JOB_RUNS = 1,
    POLICY_JOB_LEAVES = 2, /* evicted, but not gone yet: it holds its devices still */
};

/* Like tasks of a job. */
struct policy_plugin_role {
    int32_t tasks;
    int32_t devices, device_milli; /* of one task: how many, and the share of each: 1..1000 */
    int64_t cpu_milli, mem_mib;
    uint64_t types; /* set of device types that will do */
    uint64_t reserved[2];
};

/* Where a task is, or is to be. */
struct policy_plugin_seat {
    policy_node node;
    uint64_t devices; /* for start(): 0 the usual ones */
};

/* A job that waits, or holds devices. */
struct policy_plugin_job {
    policy_job id;
    policy_queue queue;
    int32_t state; /* enum policy_plugin_state */
    int32_t priority;
    bool preemptible;
    uint64_t rank;         /* ties: the smallest first */
    policy_time submitted; /* first */
    policy_time since;     /* it has been in this state; of a job that waits: in the queue */
    uint64_t turn;         /* among jobs of one state: the order in which they came to it */
    int64_t key;           /* what the plugin's key or rank said; 0 without one */
    int64_t run_ms;        /* expected run time, -1 unknown */
    int64_t limit_ms;      /* declared limit, -1 none */
    int64_t estimate_ms;   /* of a predictor, 0 none */
    int64_t remaining_ms;  /* to run from now on (or its next start); INT64_MAX unknown */
    int64_t attained;      /* devices x time that it had, thousandths x ms */
    int64_t gpu_milli;     /* of the whole gang */
    int32_t tasks;         /* of the gang */
    uint32_t role_count;   /* tasks are numbered through the roles; */
    uint32_t seat_count;   /* those that hold devices, in that order; none while it waits */
    const struct policy_plugin_role *roles;
    const struct policy_plugin_seat *seats;
    uint64_t reserved[4];
};

/* ---- what a whole policy does --------------------------------------------------------------------------------- */

/*
 * The view and the ways to decide. Decisions are in effect at once: nodes and jobs show what is left after each. Jobs
 * are in the order of `key` or `rank`, equal ones by `rank`; those that leave come last. Jobs that could not even run
 * on the empty fleet, or whose time has not come, are not shown.
 */
struct policy_plan {
    uint32_t size;
    policy_time now;
    const struct policy_plugin_node *nodes; /* by rank */
    const struct policy_plugin_job *jobs;
    uint32_t node_count, job_count;
    /*
     * When to ask again although nothing has happened; INT64_MAX (as it is at first): never. In any case the plugin is
     * asked when something happened while jobs wait, and when an eviction is answered.
     */
    policy_time wake_at;

    /* The node of a seat; NULL when there is no such node. */
    const struct policy_plugin_node *(*node)(const struct policy_plan *, policy_node);

    /* Whether such a task fits the node now. */
    bool (*fits)(const struct policy_plan *, const struct policy_plugin_node *,
                 const struct policy_plugin_role *);

    /* Starts a job that waits, all of its tasks, where the placement puts them. False: they do not fit now. */
    bool (*place)(struct policy_plan *, const struct policy_plugin_job *);

    /* Starts a job that waits, with one seat for each of its tasks. False: refused. */
    bool (*start)(struct policy_plan *, const struct policy_plugin_job *,
                  const struct policy_plugin_seat *seats, uint32_t count);

    /*
     * Evicts a job that runs and may be preempted; `for_job` (or NULL) is served by it. Not one that this very decision has
     * started, nor one a second time at the same time. Its devices are free when the embedder has answered, and then the plugin is asked again. False: refused.
     */
    bool (*evict)(struct policy_plan *, const struct policy_plugin_job *,
                  const struct policy_plugin_job *for_job);

    /* Gives up, with a reason for people: what the plugin needs is not there. */
    void (*give_up)(struct policy_plan *, const char *why);

    uint64_t reserved[4];
};

/* ---- the plugin ------------------------------------------------------------------------------------------------ */

struct policy_plugin {
    uint32_t size, version; /* POLICY_PLUGIN_HEAD() */
    const char *name, *summary;

    /* The built-in policy (a line or ranked line) that the rest is taken from; NULL: fifo, or srtf for rank and decide. */
    const char *base;

    /* State of one policy, from the embedder's memory; NULL: none is needed. create returns NULL without memory. */
    void *(*create)(const struct policy_allocator *);
    void (*destroy)(void *self, const struct policy_allocator *);

    /* Place in the order, smaller first; asked once, when the job is submitted. */
    int64_t (*key)(void *self, const struct policy_job_spec *);

    /*
     * Place in the order now, smaller first; asked for every job that waits or runs, whenever something happened. The
     * devices are divided in this order, and running jobs that get none are evicted (see the preset srtf). The job has
     * no seats.
     */
    int64_t (*rank)(void *self, const struct policy_plugin_job *, policy_time now);

    /* With rank: when time alone changes the place of this running job; INT64_MAX never. NULL: never, for all. */
    policy_time (*changes)(void *self, const struct policy_plugin_job *, policy_time now);

    /*
     * How good the node, which it fits, is for such a task: the highest wins, then the smallest rank. Goes by its
     * arguments alone: answers are kept as long as the node does not change.
     */
    int64_t (*score)(void *self, const struct policy_plugin_node *, const struct policy_plugin_role *);

    /* Decides what is to be done now. */
    void (*decide)(void *self, struct policy_plan *);
};

/* The one symbol of the library. */
extern POLICY_API const struct policy_plugin fauxpolicy_plugin;

#ifdef __cplusplus
}
#endif
#endif
