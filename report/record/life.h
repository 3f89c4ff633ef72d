/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of one job of a run: what happened to it, and why it waited when it did. While it waits
 * the policy core is asked in each cycle, after what it decided was carried out; a reason counts
 * from the cycle in which the core gave it until the next one in which it gives another. (When a
 * new job changes nothing that the core could decide there is no cycle: then it is asked as soon as
 * the job is there.)
 *
 *     struct life life;
 *     life_init(&life, "t957");
 *     ... a simulation with the observer life_observer(&life) ...
 *     life_close(&life, sim->now_ms);
 *
 *     spans   |-- HELD --|-- NOT_ELIGIBLE --|-- DEVICES_BUSY --|-- BEHIND --|-- starting --|--
 *             running --|
 *     events  arrival    submitted                                        started       launched
 *             ended
 *
 * Spans follow on one another without gaps from the arrival to the end, and none is empty. Asking
 * changes nothing: the run takes the same decisions as without the observer. Texts and arrays are
 * owned by the life.
 */
#ifndef REPORT_RECORD_LIFE_H
#define REPORT_RECORD_LIFE_H

#include "sim/base/json.h"
#include "sim/sim.h"

enum life_state {
    LIFE_HELD,     /* by other jobs or by its user: the policy core does not know it yet */
    LIFE_PENDING,  /* with a reason */
    LIFE_STOPPING, /* it was evicted, and still holds its devices */
    LIFE_PARTLY,   /* some tasks hold devices, and wait for the rest of the gang */
    LIFE_STARTING, /* it starts up, or restarts */
    LIFE_RUNNING,
};

struct life_span {
    int64_t from_ms, to_ms;
    int32_t state;  /* enum life_state */
    int32_t reason; /* enum policy_reason; POLICY_REASON_NONE unless it is pending */
};

enum life_kind {
    LIFE_ARRIVED,     /* before it is submitted, when it is held */
    LIFE_SUBMITTED,   /* other: its queue */
    LIFE_STARTED,     /* tasks, on the nodes of `other` */
    LIFE_LAUNCHED,    /* startup or restart is over */
    LIFE_EVICTED,     /* all its tasks, for the job `other` (NULL: for none) */
    LIFE_SHRUNK,      /* some of its tasks, likewise */
    LIFE_GROWN,       /* while it ran more tasks were started */
    LIFE_TOOK,        /* the job `other` was evicted for it */
    LIFE_INTERRUPTED, /* by a fault of the class `other` */
    LIFE_ENDED,       /* other: completed, failed, cancelled */
};

struct life_event {
    int64_t at_ms;
    int32_t kind;
    int32_t action, reason; /* of an eviction: enum policy_action, enum policy_reason */
    int32_t tasks;
    char *other;
};

struct life {
    const char *id;            /* the caller's */
    bool seen, started, ended; /* submitted to the policy core; ever; at all */
    int64_t first_submit_ms;   /* of the run */
    int64_t submit_ms, eligible_ms, start_ms, end_ms; /* start: the first */
    policy_job core;                                  /* its place in the run */
    struct life_span *spans;
    size_t span_count, span_capacity;
    struct life_event *events;
    size_t event_count, event_capacity;
    char *victor; /* the job that the eviction which is decided now is for */
};

/* The id is that of a job of the trace; the first of that name is followed. */
void life_init(struct life *, const char *id);
struct sim_observer life_observer(struct life *);
void life_close(struct life *, int64_t end_ms); /* the last span ends now */
void life_fini(struct life *);

/* A wait: pending from one time to another without a break, for whatever reasons; not before it was
 * eligible. */
struct life_wait {
    int64_t from_ms, to_ms;
    bool over; /* something else followed; else it waited to the end of the run */
};

/* The wait at that time (the last one includes its end). False: there is none. */
bool life_wait_at(const struct life *, int64_t at_ms, struct life_wait *);

/* Time spent pending for a reason, from when it was eligible on. */
struct life_share {
    int32_t reason;
    int64_t ms;
};

/* The longest first, at most POLICY_REASONS; *total_ms is their sum. Returns how many. */
size_t life_shares(const struct life *, struct life_share shares[POLICY_REASONS],
                   int64_t *total_ms);

/* The longest span of a wait for that reason, the first of equal ones; NULL: there is none. */
const struct life_span *life_longest_span(const struct life *, int32_t reason);

#endif
