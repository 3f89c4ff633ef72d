/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What happened according to a journal of facts, put together for a simulation of the same world:
 * which nodes existed and when they were down, which queues, and for each job its request, when the
 * policy learnt of it, when its start was decided, when it ran and for how long.
 *
 *     reported      decided        started                    ended
 *       |..............|..............|=========================|
 *                       start overhead        run time
 *
 * Jobs are identified by name, and within a section by id: a second job of a name, or one that
 * appears after the first has ended, becomes "name#number.generation". Sections of a journal (its
 * writer was restarted) continue previous ones: facts repeated in a new section before its first
 * decision are known already; jobs that are missing ended unobserved. Initial sections without
 * decisions say nothing about jobs. The run time of an evicted job is that of its last run if it
 * started over, and the total of all runs if it continued. A job without a reported end, because it
 * still runs at the end of the journal or was cancelled after an eviction, takes at least as long
 * as its longest run.
 */
#ifndef SIM_REPLAY_RECORDED_H
#define SIM_REPLAY_RECORDED_H

#include "policies/policy.h"
#include "sim/base/err.h"
#include "sim/base/symbols.h"
#include "sim/replay/spans.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORDED_NEVER INT64_MIN /* of a time */

struct recorded_node {
    const char *name; /* of recorded.node_names */
    struct policy_node_spec spec;
    struct policy_label *labels; /* spec.labels */
    int64_t down_since;          /* RECORDED_NEVER: it is up */
    size_t last_outage;          /* 1 + its number; 0: none so far */
    bool is_told, is_up;         /* in this section: known, and accepts tasks */
};

struct recorded_outage {
    uint32_t node;
    int64_t down_ms, up_ms; /* up_ms INT64_MAX: to the end */
};

struct recorded_queue {
    const char *name;
    struct policy_queue_spec spec; /* without pools */
    uint32_t parent;               /* SYMBOL_NONE: a root */
    uint32_t *pools;
    bool is_told;
};

struct recorded_place { /* of a task that was found running */
    uint32_t task, node;
    uint64_t devices;
};

enum recorded_state { RECORDED_WAITS, RECORDED_RUNS, RECORDED_OVER };

struct recorded_job {
    const char *name;
    struct policy_job_spec spec; /* as first reported to the policy; queue: not used */
    struct policy_role *roles;   /* spec.roles, without terms */
    uint32_t queue;
    bool is_odd;       /* requests more than a trace can express: labels, topology, groups */
    bool is_early;     /* reported before the first decision of the journal */
    bool was_found;    /* and running then, at `places` */
    bool is_told;      /* in this section, */
    bool is_placed;    /* and found running in it */
    policy_job handle; /* in the section that reported it last */
    uint32_t
        namesake; /* the next job of the same name, which has another one here; SYMBOL_NONE: none */
    struct recorded_place *places;
    size_t place_count, place_capacity;
    int64_t told_ms;    /* the policy could start it from then on */
    int64_t decided_ms; /* of the present or last run; likewise */
    int64_t started_ms; /* confirmed; else decided */
    int64_t
        evicted_ms; /* the last decision to evict it since it was started; RECORDED_NEVER: none */
    int64_t first_decided_ms, first_started_ms; /* RECORDED_NEVER: it never was */
    int64_t run_ms, longest_ms,
        all_ms;          /* of its last run, once that is over; of the longest; of all */
    int64_t held;        /* tasks that hold something */
    int64_t unconfirmed; /* of these: starts never confirmed */
    bool is_cancelled;   /* that is why it is over */
    bool is_resumed;     /* it runs, and its last run is this one, too */
    uint32_t runs, evictions;
    enum recorded_state state;
    bool failed; /* how it ended */
};

struct recorded {
    char *policy; /* of the first section with a decision */
    char **option_names, **option_values;
    size_t option_count;
    struct symbols *node_names, *queue_names, *job_names;
    struct recorded_node *nodes;
    struct recorded_queue *queues;
    struct recorded_job *jobs; /* in the order of their reports */
    struct recorded_outage *outages;
    size_t node_count, queue_count, job_count, outage_count;
    size_t node_capacity, queue_capacity, job_capacity, outage_capacity;
    int64_t begin_ms, end_ms; /* the first decision, and the last line */
    bool goes_on;             /* an evicted job continues instead of starting over */
    uint64_t sections, cycles;
    int64_t silent_ms;    /* time between sections, without decisions */
    uint64_t unheard;     /* jobs that ended unobserved */
    uint64_t drains;      /* number of times that a node stopped accepting tasks, which is not
                             simulated */
    uint64_t devices;     /* times that a device could not be used, likewise */
    struct spans seen;    /* from a job's submission until the policy learns of it */
    struct spans starts;  /* from the decision until the start is confirmed */
    struct spans cycling; /* between decisions that follow each other, gaps of sections left out */
    struct spans stops;   /* from the decision to evict until the devices are free */
};

/* Reads the journal. False with err set (EXIT_INPUT); to be released in any case. */
bool recorded_read(struct recorded *, const char *path, bool goes_on, struct err *err);
void recorded_fini(struct recorded *);

#endif
