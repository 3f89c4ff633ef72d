/* SPDX-License-Identifier: MIT */
/* What the files of the tracker share; see tracker.h. */
#ifndef ADAPTERS_SLURM_TRACKER_INTERNAL_H
#define ADAPTERS_SLURM_TRACKER_INTERNAL_H

#include "policies/adapters/slurm/tracker.h"

#include "policies/adapters/slurm/memory.h"

#include <stdlib.h>
#include <string.h>

/* Numbers of jobs are close together: the product (2^32 divided by the golden ratio) spreads them.
 */
static inline unsigned track_hash(const void *key)
{
    struct view_key k;
    memcpy(&k, key, sizeof k);
    uint32_t mixed = (k.job ^ k.task << 20 ^ k.task >> 12) * UINT32_C(2654435769);
    return mixed ^ mixed >> 16;
}

#define HASH_FUNCTION(key, length, value) ((value) = track_hash(key))
#define uthash_malloc(size)               memory_get(1, size)
#define uthash_free(ptr, size)            free(ptr)
#include <uthash.h>

enum track_state { TRACK_WAITING = 0, TRACK_STARTING = 1, TRACK_RUNNING = 2, TRACK_STOPPING = 3 };

struct track_place {
    uint32_t node; /* of the tracker */
    uint64_t devices;
    bool taken; /* the core has decided, or was told, that the task is there */
};

/* One job that the core knows. */
struct track_job {
    struct view_key key;
    char *id;
    policy_job core;
    enum track_state state;
    struct request request;
    struct track_place *places; /* request.nodes */
    uint32_t placed;            /* how many are taken */
    int32_t *gpus;              /* of each task, if it was found running; else NULL: as requested */
    bool released, cancel;      /* STARTING: Slurm was told; STOPPING: for good */
    bool evicted, started;      /* in the decisions being looked at */
    int64_t stopped_ms;         /* when it was last seen to have stopped; 0: it never ran */
    int64_t since_ms;           /* of the state, or of the last order */
    int64_t release_at_ms;      /* STARTING: not before this */
    int64_t limit_ms;
    uint32_t restarts;
    const char *reason; /* of its stop, static */
    uint64_t seen;      /* number of the last view that had it */
    UT_hash_handle hh;
};

/* Jobs that the core does not know, and why: said once. Also how often a start of a job has failed.
 */
struct track_note {
    struct view_key key;
    const char *said;
    uint32_t failures;
    int64_t not_before_ms;
    uint64_t seen;
    UT_hash_handle hh;
};

struct track_node {
    char *name;
    policy_node core; /* i = POLICY_NO_ID: not told */
    int32_t gpus;
    int64_t cpus, mem_mib;
    uint32_t type, pool;
    uint32_t *labels;
    uint32_t label_count;
    enum view_node_state state; /* as told */
    uint64_t used;              /* devices that jobs have */
    uint32_t tasks;
};

struct track_queue {
    char *name;
    policy_queue core;
};

struct tracker {
    struct tracker_options options;
    struct tracker_world at;
    struct policy *policy;
    struct request_world world;
    struct track_node *nodes;
    uint32_t node_count;
    uint32_t *from_view; /* the number of each node of the view */
    struct track_queue *queues;
    size_t queue_count;
    struct track_job *jobs; /* hash by key, in the order of their coming */
    struct track_job **by_core;
    size_t by_core_room;
    struct track_note *notes;
    struct names pools; /* sets of partitions that a node is in, "build,train," */
    uint64_t views;
    policy_time now;
};

/* ---- tracker_nodes.c ---- */
bool track_nodes(struct tracker *, const struct view *, char error[CONFIG_ERROR]);

/* ---- tracker_queues.c ---- */
bool track_configured_queues(struct tracker *, const struct view *, char error[CONFIG_ERROR]);
/* The leaf for the job; i = POLICY_NO_ID with *why set when there is none. */
policy_queue track_queue(struct tracker *, const struct view *, const struct view_job *,
                         const char **why);
/* The queue of that name, which is made if its partition is there, or queues are accounts; else i =
 * POLICY_NO_ID. */
policy_queue track_named_queue(struct tracker *, const struct view *, const char *name);
/* True if only part of the nodes is in the partition; false for NULL. */
bool track_is_partial(const struct view *, const struct view_partition *);
/* A job may name several partitions, "a,b"; the first one counts. */
void track_first_name(char *to, size_t size, const char *list);

/* ---- tracker_pending.c ---- */
/* What becomes of jobs that wait: told of, taken, or left alone. */
void track_pending(struct tracker *, const struct view *, struct orders *);

/* ---- tracker_jobs.c ---- */
struct track_job *track_find(const struct tracker *, struct view_key);
/* What a pending job asks for; false with *why set when the core cannot express it. */
bool track_request(struct tracker *, const struct view *, const struct view_job *, struct request *,
                   const char **why);
/* Tells the core of a pending job; NULL when it cannot, which was said. */
struct track_job *track_submit(struct tracker *, const struct view *, const struct view_job *);
void track_cancel(struct tracker *, struct track_job *); /* it is pending */
/* Its nodes are taken from it: its start has failed, or, where gangs do not count, it did not have
 * all yet. */
void track_give_back(struct tracker *, struct track_job *);
void track_start_failed(struct tracker *,
                        struct track_job *); /* and it is forgotten, until it is told of anew */
void track_forget(struct tracker *, struct track_job *); /* the core does so already */
/* The core is told of a job that runs, as it runs. NULL when that contradicts what it knows, which
 * was said. */
struct track_job *track_adopt(struct tracker *, const struct view *, const struct view_job *);
void track_place(struct tracker *, struct track_job *, uint32_t task, uint32_t node,
                 uint64_t devices);
void track_free_places(struct tracker *, struct track_job *);
bool track_has_node(const struct track_job *, uint32_t node); /* one of its places is there */
struct track_note *track_find_note(const struct tracker *, struct view_key); /* NULL: none */
struct track_note *track_note(struct tracker *, struct view_key); /* makes it if need be */
void track_say(struct tracker *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Says what is the matter with a job, once: texts that stand in the same place are taken for the
 * same. */
void track_complain(struct tracker *, const struct view_job *, const char *why);
/* The administrator's comment by which the adapter knows a job that it has taken: when it was
 * submitted, in seconds. */
#define TRACK_MARK 64 /* bytes of it */
bool track_is_marked(const struct view_job *);
void track_mark(const struct view_job *, char mark[TRACK_MARK]);
/* A fact that the core should have accepted. */
void track_check(struct tracker *, const struct track_job *, const char *fact, int status);

#endif
