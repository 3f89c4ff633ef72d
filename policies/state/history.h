/* SPDX-License-Identifier: MIT */
/*
 * What is remembered of the past, as records that can be handed out and reported: a row for each
 * kind of record. Modules name theirs in pc_module.history, at most one of the kind
 * POLICY_HISTORY_MODULE; what the state itself remembers stands in query/history.c. Records are
 * handed out in the order of the modules, then of the rows, so what one kind needs of another
 * stands before it. A policy that remembers nothing of a kind hands out none, and takes none.
 */
#ifndef POLICY_STATE_HISTORY_H
#define POLICY_STATE_HISTORY_H

#include "state/engine.h"

struct pc_history_row {
    int32_t kind;                           /* enum policy_history_kind */
    bool (*is_kept)(const struct policy *); /* NULL: always */
    /*
     * Fills in the record number *i, or the first one behind it that there is, and puts its number
     * into *i. False: there is none. What the kind does not use is as pc_no_history() leaves it.
     */
    bool (*get)(const struct policy *, uint32_t *i, struct policy_history *);
    /* Takes it over; a status, with the error set. Refused it has changed nothing. */
    int (*set)(struct policy *, policy_time at, const struct policy_history *);
    const char
        *lost; /* what is lost without these records, for people; NULL: nothing to speak of */
};

/* A record without any content. */
struct policy_history pc_no_history(void);

/* How all of these begin: the record names a job that is not over, and a time that is not in the
 * future. */
int pc_history_check_job(struct policy *, policy_job, uint32_t *job);
int pc_history_check_time(struct policy *, policy_time at, policy_time of);

/* What every policy may have; the records of modules stand in their `history`. */
extern const struct pc_history_row
    pc_reservation_history; /* query/history_quotas.c: POLICY_HISTORY_PROMISE, */
extern const struct pc_history_row pc_usage_history;      /* _USAGE, */
extern const struct pc_history_row pc_idle_history;       /* _IDLE, */
extern const struct pc_history_row pc_nomination_history; /* _NOMINATION, */
extern const struct pc_history_row pc_stale_history;      /* _STALE, */
extern const struct pc_history_row pc_started_history;    /* _STARTED, */
extern const struct pc_history_row pc_displaced_history;  /* _DISPLACED, */
extern const struct pc_history_row pc_settled;            /* _DECIDED */
extern const struct pc_history_row
    pc_blocked_history; /* query/history_lanes.c: POLICY_HISTORY_BLOCKED, */
extern const struct pc_history_row pc_evicted_history; /* _EVICTED, */
extern const struct pc_history_row pc_lanes_settled;   /* _DECIDED */

#endif
