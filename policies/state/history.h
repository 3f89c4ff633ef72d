/* SPDX-License-Identifier: MIT */
/*
 * State from the past, as records that can be exported and restored: one row per kind of record.
 * Modules name theirs in pc_module.history, at most one of kind POLICY_HISTORY_MODULE; those of the
 * state itself are in query/history.c. Records are exported in the order of the modules, then of
 * the rows, so dependencies come first. A policy that does not keep a kind exports none and refuses
 * it.
 */
#ifndef POLICY_STATE_HISTORY_H
#define POLICY_STATE_HISTORY_H

#include "state/engine.h"

struct pc_history_row {
    int32_t kind;                           /* enum policy_history_kind */
    bool (*is_kept)(const struct policy *); /* NULL: always */
    /*
     * Fills in record *i, or the next existing one, and sets *i to its number. Returns false if
     * there is none. Unused members keep the values of pc_no_history().
     */
    bool (*get)(const struct policy *, uint32_t *i, struct policy_history *);
    /* Restores a record; returns a status, with the error set. A refused record changes nothing. */
    int (*set)(struct policy *, policy_time at, const struct policy_history *);
    const char
        *lost; /* what is lost without these records, for display; NULL: nothing significant */
};

/* An empty record. */
struct policy_history pc_no_history(void);

/* Common checks: the record names an unfinished job, and a time that is not in the future. */
int pc_history_check_job(struct policy *, policy_job, uint32_t *job);
int pc_history_check_time(struct policy *, policy_time at, policy_time of);

/* Records of every policy; those of modules are in their `history`. */
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
