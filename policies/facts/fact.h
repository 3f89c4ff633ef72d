/* SPDX-License-Identifier: MIT */
/*
 * A common vocabulary for the facts that a policy core accepts and for its answers: a fact is a
 * struct that can be passed to a core, written as a line of JSON and read back. Journals of
 * simulations, of the decision service and of adapters consist of such lines, and so do the
 * requests of the service.
 *     {"t_ms": 5000, "fact": "job_add", "job": 3, "name": "train-17", "queue": 1, "rank": "3",
 *      "roles": [{...}], "chain": "..."}
 *     {"t_ms": 5000, "fact": "decide", "decisions": 1, "chain": "..."}
 *     {"t_ms": 5000, "decision": "start", "job": 3, "name": "train-17", "task": 0, "node": 4,
 *      "devices": "15", "action": "allocate", ...}
 *
 * A kind of fact is a row of a table (fact_kinds), and so is each of its members (fields.h): writer
 * and reader both use them. Members with their default value are omitted. Numbers of nodes, queues
 * and jobs are the writer's: those of the core that wrote the journal, or chosen by a client of the
 * service; map.h translates them. Sets and ranks have 64 bits and are decimal texts, and so is any
 * integer beyond 2^53, which JSON readers would round.
 *
 * Facts own nothing: `name` and `spec` are the caller's.
 */
#ifndef POLICY_FACTS_FACT_H
#define POLICY_FACTS_FACT_H

#include "policies/policy.h"

#include <stdbool.h>

#define FACTS_VERSION 1 /* of the lines; raised only for breaking changes */

enum fact_kind {
    FACT_POLICY, /* begins a section: what follows goes to a new core of its own */
    FACT_NODE_ADD,
    FACT_NODE_REMOVE,
    FACT_NODE_STATE,
    FACT_DEVICE_HEALTH,
    FACT_TOPOLOGY,
    FACT_MIG_PROFILE,
    FACT_TYPICAL_TASKS,
    FACT_NAME,
    FACT_OFFER,
    FACT_QUEUE_ADD,
    FACT_QUEUE_SET,
    FACT_QUEUE_REMOVE,
    FACT_USAGE,
    FACT_JOB_ADD,
    FACT_JOB_CANCEL,
    FACT_STALE_SINCE,
    FACT_ACTIVITY,
    FACT_PROGRESS,
    FACT_JOB_PRIORITY,
    FACT_JOB_SUSPEND,
    FACT_TASK_RUNNING,
    FACT_TASK_STARTED,
    FACT_TASK_RELEASING,
    FACT_TASK_GATED,
    FACT_START_FAILED,
    FACT_TASK_ENDED,
    FACT_HISTORY,
    FACT_DECIDE,
    FACT_END, /* the last line of a state, see saved.h */
    FACT_KINDS
};

struct fact_option {
    const char *name, *value;
};

/* Of FACT_POLICY: everything needed to create the same core again. */
struct fact_policy {
    int32_t version, contract; /* FACTS_VERSION, POLICY_VERSION */
    const char *name;          /* of a preset, or the path of a shared library */
    uint64_t seed;
    const struct fact_option *options; /* set in this order */
    uint32_t option_count;
    const char *after; /* the last chain value of the previous section; NULL: it is the first */
    int64_t records;   /* a state, or a log cut to its end: number of earlier records, of which
                          `after` is the last chain value */
    uint32_t facts;    /* of a section that continues from a state: number of facts at its beginning
                          that restore the state */
    bool closed;       /* a state saved when its writer ended, so no facts followed it */
};

/* Each kind uses the members in its row; the rest is zero. */
struct fact {
    int32_t kind;
    uint32_t task; /* or POLICY_ALL_TASKS */
    policy_time at;
    policy_node node;
    policy_queue queue;
    policy_job job;
    uint32_t number,
        count; /* number: a device, topology or profile; count: elements of `spec`, or decisions */
    uint64_t devices;        /* set */
    int64_t value;           /* ms, ppm, or total number of tasks */
    int32_t state;           /* of a node, an outcome, a priority, or a boolean */
    int32_t compute, memory; /* slices */
    const char *name;        /* of the node, queue or job, for display; NULL: none */
    const void *spec; /* a spec of policy.h, struct policy_amounts, struct fact_policy, or an array
                         of `count` */
};

/*
 * Passes the fact to the core and fills in the number that it assigns. Returns the core's status,
 * explained by policy_last_error(); POLICY_INVALID for FACT_POLICY, FACT_DECIDE and FACT_END, which
 * are handled elsewhere.
 */
int fact_tell(struct policy *, struct fact *);

#endif
