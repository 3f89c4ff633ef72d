/* SPDX-License-Identifier: MIT */
/* Shared by the files of the tracker; see tracker.h. */
#ifndef ADAPTERS_SLURM_TRACKER_INTERNAL_H
#define ADAPTERS_SLURM_TRACKER_INTERNAL_H

#include "policies/adapters/slurm/tracker.h"

#include "policies/adapters/slurm/memory.h"

#include <stdlib.h>
#include <string.h>

/* Job numbers are close together: the product with 2^32 / golden ratio spreads them. */
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
    uint32_t node; /* index in the tracker */
    uint64_t devices;
    bool taken; /* decided by the core or reported to it */
};

/* A job known to the core. */
struct track_job {
    struct view_key key;
    char *id;
    policy_job core;
    enum track_state state;
    struct request request;
    struct track_place *places; /* request.nodes of them */
    uint32_t placed;            /* number of places taken */
    int32_t *gpus;              /* per task, if it was found running; NULL: as requested */
    bool released, cancel;      /* STARTING: released in Slurm; STOPPING: for good */
    bool evicted, started;      /* in the decisions being processed */
    int64_t stopped_ms;         /* when it was last seen stopped; 0: it never ran */
    int64_t since_ms;           /* start of the state, or time of the last order */
    int64_t release_at_ms;      /* STARTING: earliest release */
    int64_t limit_ms;
    uint32_t restarts;
    const char *reason; /* why it was stopped, static */
    uint64_t seen;      /* number of the last view that contained it */
    UT_hash_handle hh;
};

/* Jobs unknown to the core, and why: reported once. Also counts failed starts. */
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
    policy_node core; /* i = POLICY_NO_ID: not reported */
    int32_t gpus;
    int64_t cpus, mem_mib;
    uint32_t type, pool;
    uint32_t *labels;
    uint32_t label_count;
    enum view_node_state state; /* as reported */
    uint64_t used;              /* devices in use by jobs */
    uint32_t tasks;
};

struct track_queue {
    char *name;
    policy_queue core;
    struct policy_queue_spec spec; /* as last reported */
    uint32_t *pools;               /* of the spec */
    bool configured;
};

struct tracker {
    struct tracker_options options;
    struct tracker_world at;
    struct policy *policy;
    struct request_world world;
    struct track_node *nodes;
    uint32_t node_count;
    uint32_t *from_view; /* index of each node of the view */
    struct track_queue *queues;
    size_t queue_count;
    uint32_t edition;       /* of the configuration that the queues follow */
    struct track_job *jobs; /* hash by key, in order of arrival */
    struct track_job **by_core;
    size_t by_core_room;
    struct track_note *notes;
    struct names pools; /* partition sets of nodes, "build,train," */
    uint64_t views;
    policy_time now;
};

/* ---- tracker_nodes.c ---- */
bool track_nodes(struct tracker *, const struct view *, char error[CONFIG_ERROR]);

/* ---- tracker_queues.c ---- */
/* Creates the configured queues, and later applies the changes of a replaced configuration,
 * printing those that the core refuses. Returns false with the error set if a first queue is
 * refused. */
bool track_configured_queues(struct tracker *, const struct view *, char error[CONFIG_ERROR]);
/* The leaf for the job; i = POLICY_NO_ID with *why set if there is none. */
policy_queue track_queue(struct tracker *, const struct view *, const struct view_job *,
                         const char **why);
/* The queue of that name, created if its partition exists, or if queues are accounts; else i =
 * POLICY_NO_ID. */
policy_queue track_named_queue(struct tracker *, const struct view *, const char *name);
/* Returns true if the partition has only some of the nodes; false for NULL. */
bool track_is_partial(const struct view *, const struct view_partition *);
/* A job may name several partitions, "a,b"; the first one counts. */
void track_first_name(char *to, size_t size, const char *list);

/* ---- tracker_pending.c ---- */
/* Handles pending jobs: reports them, takes them, or leaves them alone. */
void track_pending(struct tracker *, const struct view *, struct orders *);

/* ---- tracker_jobs.c ---- */
struct track_job *track_find(const struct tracker *, struct view_key);
/* A pending job's request; false with *why set if the core cannot express it. */
bool track_request(struct tracker *, const struct view *, const struct view_job *, struct request *,
                   const char **why);
/* Reports a pending job to the core; NULL if that fails, with a message printed. */
struct track_job *track_submit(struct tracker *, const struct view *, const struct view_job *);
void track_cancel(struct tracker *, struct track_job *); /* for pending jobs */
/* Takes its nodes back: its start failed, or, if gangs are not enforced, it did not have all of
 * them yet. */
void track_give_back(struct tracker *, struct track_job *);
void track_start_failed(struct tracker *,
                        struct track_job *); /* also forgets it until it is reported again */
void track_forget(struct tracker *,
                  struct track_job *); /* when the core has forgotten it already */
/* Reports a running job to the core as it runs. NULL if that contradicts the core's state, with a
 * message printed. */
struct track_job *track_adopt(struct tracker *, const struct view *, const struct view_job *);
void track_place(struct tracker *, struct track_job *, uint32_t task, uint32_t node,
                 uint64_t devices);
void track_free_places(struct tracker *, struct track_job *);
bool track_has_node(const struct track_job *, uint32_t node); /* one of its places is there */
struct track_note *track_find_note(const struct tracker *, struct view_key); /* NULL: none */
struct track_note *track_note(struct tracker *, struct view_key); /* creates it if needed */
void track_say(struct tracker *, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints a job's problem once: texts at the same address count as the same. */
void track_complain(struct tracker *, const struct view_job *, const char *why);
/* The admin comment that marks a job as taken by the adapter: its submission time in seconds. */
#define TRACK_MARK 64 /* size in bytes */
bool track_is_marked(const struct view_job *);
void track_mark(const struct view_job *, char mark[TRACK_MARK]);
/* Reports a fact that the core should have accepted but refused. */
void track_check(struct tracker *, const struct track_job *, const char *fact, int status);

#endif
