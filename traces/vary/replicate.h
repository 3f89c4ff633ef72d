/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A replica of a recorded trace: what the next span of this kind might be like, drawn from the
 * known one (a block bootstrap of users and weeks).
 *
 *     users     draws `growth` times as many users as the trace has, each with all their jobs and,
 *               from the second time on, under a new name. Each is shifted by a random number of
 *               weeks that wraps at the end of the trace (crowd.h), so that hours of the week,
 *               bursts
 *               and chains stay. Copies of a user take turns without replacement; those for which
 *               none is left have jitter of up to half an hour. Copies that submit at the same
 *               instants, as no two users do, would need a larger fleet than the users that they
 *               represent.
 *     weeks     that are busy for all users are drawn, too. level(w), how busy week w was, is
 *               estimated from the numbers of bursts: the variance between weeks minus the part
 *               that
 *               independent users explain. Each week of the replica has the level l of a week of
 *               the
 *               trace; a burst of week w occurs l / level(w) times (in the mean; further times take
 *               another turn).
 *
 * A plan makes claims about another span than the recorded one: a fresh sample of a population that
 * is only known through n users or weeks. Drawing n of n with replacement has only one of the two
 * variances, and that is too low by (n - 1) / n. So draws come from a Polya urn that begins with
 * the n, each of mass a, and returns every one drawn together with a second one of mass 1. The mean
 * of m = n draws then has the variance (1 + a) / (n a + 1) s^2 (n - 1) / n, which is the 2 s^2 / n
 * of a prediction for
 *
 *     a = (n - 3) / (n + 1)
 *
 * (Lo, "A Bayesian bootstrap for a finite population", Annals of Statistics 16, 1988, has a = 1.)
 * For up to three weeks there is no such a: all weeks of a replica are then the same one, the
 * largest variance that n values allow, and still too little.
 *
 * Fewer than REPLICATE_USERS named users say nothing about others: then bursts of a queue and class
 * replace them. The whole trace is held in memory. Draws are keyed by (seed, user or week of the
 * replica) and do not depend on the policy.
 */
#ifndef TRACES_VARY_REPLICATE_H
#define TRACES_VARY_REPLICATE_H

#include "traces/trace.h"

#define REPLICATE_USERS 10

struct trace_replication {
    int64_t block_ms;         /* the unit drawn as a week; 0: that of crowd.h */
    double growth;            /* above 0: factor of the number of users */
    uint64_t seed;            /* of the replica */
    struct trace_names names; /* those that the trace was opened with */
};

/* Takes ownership of the trace; it is read at the first trace_next(). Digest and notes are those of
 * the trace. */
struct trace *trace_replicate(struct trace *, const struct trace_replication *);

/* What the replicas of a trace are drawn from. */
struct trace_variety {
    size_t users; /* or bursts */
    bool bursts;
    size_t blocks; /* whole ones; with fewer than two, levels are not drawn */
    int64_t block_ms;
};

/* Takes ownership of the trace and reads it to its end. Returns TRACE_END, or a negative result
 * with err set. */
enum trace_result trace_variety(struct trace *, const struct trace_replication *,
                                struct trace_variety *, struct err *);

#endif
