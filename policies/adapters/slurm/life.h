/* SPDX-License-Identifier: MIT */
/*
 * Continuity between runs of the adapter. Every run, and every chapter of a long one, is a section
 * of the journal: all facts reported to its core and all its decisions, on disk before any order is
 * sent. So the next run can recover the core's history wherever the previous one ended:
 *     journal   section | section | section   the last section with a decision is replayed
 *                                             (recall.h)
 *     state                     ^N            supersedes all records up to N (state.h): later
 *                                             records count, if there are any
 *
 * A state is refused if the journal lacks its records or is another journal. Without a
 * user-specified journal there is one next to the state, "STATE.log", which restarts with each
 * state. Orders are remembered by Slurm: what was decided but not carried out at the end of a run
 * is decided anew, by a core with Slurm's current state and the recovered history.
 *     life_begin()     at the start
 *     tracker_observe(), life_tell(), tracker_decide(), ...
 *     life_save()      at the end of a run or chapter; then a new tracker, restored again
 */
#ifndef ADAPTERS_SLURM_LIFE_H
#define ADAPTERS_SLURM_LIFE_H

#include "policies/adapters/slurm/recall.h"
#include "policies/adapters/slurm/state.h"

struct life_options {
    const char *journal, *state; /* NULL: not given */
    int64_t sync_ms;             /* as in struct fact_log */
    int64_t most_jump_ms;        /* largest accepted forward jump of the clock */
    uint64_t chapter;            /* records per section before a new one may begin */
};

struct life {
    struct life_options options;
    const char *policy; /* its name */
    struct facts *facts;
    char *log;        /* the journal's file; NULL: none */
    struct past past; /* history for the next tracker */
    bool is_told;
    uint64_t failed_at;   /* the record at which saving the state failed; 0: none */
    policy_time clock_ms; /* time of the last look, by the wall clock and by the monotonic clock */
    int64_t steady_ms;
};

/* All pointers stay the caller's. Returns false with the reason, which names a file. life_end()
 * releases everything. */
bool life_begin(struct life *, const struct life_options *, const char *policy, struct facts *,
                policy_time now, char *error, size_t size);
void life_end(struct life *);

/* Reads the state, if any, without changing anything: for --check. */
bool life_check(const struct life_options *, char *error, size_t size);

/* Returns false with the reason if the clock advanced further than elapsed time. `steady_ms` is
 * monotonic. */
bool life_clock(struct life *, policy_time now, int64_t steady_ms, char *error, size_t size);

/* Restores the history, once, in a tracker that has observed but not decided. */
void life_tell(struct life *, struct tracker *, const struct view *);

/*
 * Returns true if the section should be closed now because of its length: if no order is
 * outstanding, or if it is far too long. After a failure it is retried a chapter later.
 */
bool life_is_long(const struct life *, const struct tracker *);

/*
 * Syncs the journal and saves the history to the state; the next tracker restores it. Returns false
 * with the reason: then the old files are unchanged, and nothing is lost.
 */
bool life_save(struct life *, const struct tracker *, policy_time now, char *error, size_t size);

#endif
