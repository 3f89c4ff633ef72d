/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of one job in a run: its events, and the reasons why it was pending. While it is
 * pending, the policy core is asked for the reason in each cycle, after its decisions were carried
 * out. A reason lasts from the cycle in which the core gave it to the next cycle with another
 * reason. (If a new job leaves nothing to decide, there is no cycle; then the core is asked when
 * the job is submitted.)
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
 * Spans cover the time from arrival to end without gaps, and none is empty. Asking for reasons does
 * not change decisions. The life owns its texts and arrays.
 */
#ifndef REPORT_RECORD_LIFE_H
#define REPORT_RECORD_LIFE_H

#include "sim/base/json.h"
#include "sim/sim.h"

enum life_state {
    LIFE_HELD,     /* held by dependencies or its user; unknown to the policy core */
    LIFE_PENDING,  /* with a reason */
    LIFE_STOPPING, /* evicted, but still holding its devices */
    LIFE_PARTLY,   /* some tasks hold devices and wait for the rest of the gang */
    LIFE_STARTING, /* starting up or restarting */
    LIFE_RUNNING,
};

struct life_span {
    int64_t from_ms, to_ms;
    int32_t state;  /* enum life_state */
    int32_t reason; /* enum policy_reason; POLICY_REASON_NONE unless pending */
};

enum life_kind {
    LIFE_ARRIVED,     /* held before its submission */
    LIFE_SUBMITTED,   /* other: its queue */
    LIFE_STARTED,     /* tasks, on the nodes in `other` */
    LIFE_LAUNCHED,    /* startup or restart has ended */
    LIFE_EVICTED,     /* all its tasks, for the job `other` (NULL: for none) */
    LIFE_SHRUNK,      /* some of its tasks, likewise */
    LIFE_GROWN,       /* more tasks started while it ran */
    LIFE_TOOK,        /* the job `other` was evicted for it */
    LIFE_INTERRUPTED, /* by a fault of class `other` */
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
    bool seen, started, ended; /* submitted to the policy core; started; ended */
    int64_t first_submit_ms;   /* of the run */
    int64_t submit_ms, eligible_ms, start_ms, end_ms; /* start: the first one */
    policy_job core;                                  /* its number in the policy core */
    struct life_span *spans;
    size_t span_count, span_capacity;
    struct life_event *events;
    size_t event_count, event_capacity;
    char *victor; /* the job that benefits from the eviction being decided */
};

/* The id is a job of the trace; if it is not unique, the first job is tracked. */
void life_init(struct life *, const char *id);
struct sim_observer life_observer(struct life *);
void life_close(struct life *, int64_t end_ms); /* ends the last span */
void life_fini(struct life *);

/*
 * A wait: continuously pending from one time to another, for any reasons; it starts when the job is
 * eligible.
 */
struct life_wait {
    int64_t from_ms, to_ms;
    bool over; /* it ended before the end of the run */
};

/* Finds the wait at that time (the last one includes its end). Returns false if there is none. */
bool life_wait_at(const struct life *, int64_t at_ms, struct life_wait *);

/* Time pending for a reason, counted from when the job was eligible. */
struct life_share {
    int32_t reason;
    int64_t ms;
};

/*
 * Fills the shares, longest first, at most POLICY_REASONS; *total_ms is their sum. Returns their
 * number.
 */
size_t life_shares(const struct life *, struct life_share shares[POLICY_REASONS],
                   int64_t *total_ms);

/*
 * Returns the longest pending span with that reason, the first of equal ones; NULL if there is
 * none.
 */
const struct life_span *life_longest_span(const struct life *, int32_t reason);

#endif
