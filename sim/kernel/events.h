/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event queue: what happens next. An event is one 128-bit number, so the heap compares integers
 * and never looks anything up:
 *
 *      127            64 63   60 59             26 25              0
 *     +-----------------+-------+-----------------+-----------------+
 *     | time (ms) +2^63 | kind  |    sequence     |     subject     |
 *     +-----------------+-------+-----------------+-----------------+
 *
 * Earlier time first; at one time smaller kind first (ends before wake-ups); then the order of
 * scheduling. The subject (a job) rides in the low bits. Arrivals are not in here: they are
 * streamed, sorted, beside it.
 *
 * The heap is 4-ary. pop() walks the hole to a leaf, choosing children without branches, then sifts
 * the last element up from there: about half the cost of the textbook way, whose branches no
 * processor can predict.
 *
 * Nothing is taken out of the middle when it is rescheduled: the caller ignores outdated events.
 * Where these may become many, event_drop() takes all of them out now and then.
 */
#ifndef SIM_KERNEL_EVENTS_H
#define SIM_KERNEL_EVENTS_H

#include "sim/base/wide.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned_wide event_key;

/* At most 16; in the order in which they happen at one instant. */
enum event_kind {
    EVENT_JOB_END = 0,
    EVENT_RELEASE = 1,    /* devices of evicted tasks are free */
    EVENT_RESTARTED = 2,  /* a job's startup and restart are over: it is at work */
    EVENT_ACTIVITY = 3,   /* a build session becomes active, or idle, or has been idle for long */
    EVENT_LAST_WRITE = 4, /* a job on capacity that is being reclaimed has just enough time for a
                             checkpoint */
    EVENT_STEP = 5,       /* a job begins or ends to read or write */
    EVENT_DETECTED = 6,   /* a fault is noticed; the first kind that is not about a job */
    EVENT_REPAIRED = 7,   /* the effects of a fault end */
    EVENT_EMPTIED = 8,    /* the last task has left a node that drains */
    EVENT_SWAPPED = 9,    /* a spare node has taken the place of another */
    EVENT_MEMORY = 10,    /* a job's demand for device memory changes, or it may retry */
    EVENT_ARRIVED = 11,   /* an ordered node accepts jobs, or a removed one is taken */
    EVENT_TESTED = 12,    /* a test of repaired or new nodes begins or ends */
};

#define EVENT_MAX_SUBJECT ((1u << 26) - 1)

struct event {
    int64_t time_ms;
    enum event_kind kind;
    uint32_t subject;
};

struct event_queue {
    event_key *keys;
    size_t count, capacity;
    uint64_t sequence;
};

void event_queue_init(struct event_queue *);
void event_queue_fini(struct event_queue *);
void event_push(struct event_queue *, int64_t time_ms, enum event_kind kind, uint32_t subject);
struct event event_top(const struct event_queue *); /* count > 0 */
struct event event_pop(struct event_queue *);       /* count > 0 */

/* Removes all events for which `drop` returns true; the others keep their order. */
void event_drop(struct event_queue *, bool (*drop)(const void *self, const struct event *),
                const void *self);

/* Time of the next event; INT64_MAX if there is none. */
static inline int64_t event_next_time(const struct event_queue *q)
{
    return q->count > 0 ? (int64_t)((uint64_t)(q->keys[0] >> 64) ^ (UINT64_C(1) << 63)) : INT64_MAX;
}

#endif
