/* SPDX-License-Identifier: MIT */
/*
 * From one life of the adapter to the next. Every life, and every chapter of a long one, is a
 * section of the journal: all that its core was told, and all that it decided, on the disk before
 * any order is given. So whoever comes next, wherever the one before was ended, finds out what that
 * core remembered:
 *
 *     journal   section | section | section      the last one that came to a decision is told and
 *                                                decided again (recall.h)
 *     state            ^N                        stands for all records up to N (state.h): what is
 *                                                behind them counts, if anything is
 *
 * A state of which the journal lacks records is refused, and so is one of another journal. Without
 * a journal of the user's there is one beside the state, "STATE.log", which begins anew with each
 * state. Orders are Slurm's to remember: what was decided and not done when a life ended is decided
 * anew, by a core that knows what Slurm says and what was remembered.
 *
 *     life_begin()                 at the start
 *     tracker_observe(), life_tell(), tracker_decide(), ...
 *     life_save()                  at the end of a life or chapter; then a new tracker, which is
 *                                  told again
 */
#ifndef ADAPTERS_SLURM_LIFE_H
#define ADAPTERS_SLURM_LIFE_H

#include "policies/adapters/slurm/recall.h"
#include "policies/adapters/slurm/state.h"

struct life_options {
    const char *journal, *state; /* NULL: not given */
    int64_t sync_ms;             /* of struct fact_log */
    int64_t most_jump_ms;        /* forward, of the clock */
    uint64_t chapter;            /* records of a section, after which a new one may begin */
};

struct life {
    struct life_options options;
    const char *policy; /* its name */
    struct facts *facts;
    char *log;        /* the journal's file; NULL: none */
    struct past past; /* what is to be told to the next tracker */
    bool is_told;
    uint64_t failed_at;   /* the record with which a state could not be saved; 0: none */
    policy_time clock_ms; /* of the last look, and what a clock that nobody sets said then */
    int64_t steady_ms;
};

/* All of it stays the caller's. False with the reason, which names a file. life_end() gives back
 * what there is. */
bool life_begin(struct life *, const struct life_options *, const char *policy, struct facts *,
                policy_time now, char *error, size_t size);
void life_end(struct life *);

/* Reads the state, if there is one, and changes nothing: for --check. */
bool life_check(const struct life_options *, char *error, size_t size);

/* False with the reason: the clock has gone further than time has. `steady_ms` is of a clock that
 * nobody sets. */
bool life_clock(struct life *, policy_time now, int64_t steady_ms, char *error, size_t size);

/* What is remembered, once, to a tracker that has observed and not decided. */
void life_tell(struct life *, struct tracker *, const struct view *);

/*
 * True if the section is so long that it should be closed now: when nothing is under way, or it is
 * much too long. Where that has failed it is tried again a chapter later.
 */
bool life_is_long(const struct life *, const struct tracker *);

/*
 * Brings all that was told to the journal and what is remembered to the state; the next tracker is
 * told it. False with the reason: then the old files are as they were, and nothing is lost.
 */
bool life_save(struct life *, const struct tracker *, policy_time now, char *error, size_t size);

#endif
