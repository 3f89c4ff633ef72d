/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A replica of a recorded trace: what the next such span might be like, drawn from the one that is
 * known (a block bootstrap of users and weeks).
 *
 *     users     `growth` times as many are drawn from those of the trace, each with all their jobs,
 *               under a name of their own from the second time on. Each is turned by a random
 *               number of weeks round the end of the trace (crowd.h), so that hours of the week,
 *               bursts and chains stay. Copies of a user take turns without replacement; those for
 *               which none is left jitter by up to half an hour. Copies that submit at the same
 *               instants, as no two users do, would need a larger fleet than the users that they
 *               stand for.
 *     weeks     that are busy for all are drawn too. How busy week w was, level(w), is estimated
 *               from the numbers of bursts: the variance between weeks less what users who act
 *               independently explain. Each week of the replica has the level of one of the trace,
 *               l; a burst that was in week w comes there l / level(w) times (in the mean; another
 *               time means another turn).
 *
 * What a plan promises is about a span that is not the recorded one: a fresh draw of a population
 * that is itself known through n users or weeks only. Drawing n of n with replacement has the
 * variance of one of the two, and that too low by (n - 1) / n. So draws come from a Polya urn that
 * begins with the n, each of mass a, and takes every one that is drawn back with a second of mass
 * 1. The mean of m = n draws then has the variance (1 + a) / (n a + 1) s^2 (n - 1) / n, which is
 * the 2 s^2 / n of a prediction for
 *
 *     a = (n - 3) / (n + 1)
 *
 * (Lo, "A Bayesian bootstrap for a finite population", Annals of Statistics 16, 1988, has a = 1.)
 * Up to three weeks leave no such a: all weeks of a replica are then one of them, the most that n
 * values can vary, and still too little.
 *
 * Fewer than REPLICATE_USERS named users say nothing about others: then bursts of a queue and class
 * take their place. All of the trace is held in memory. Draws are keyed by (seed, user or week of
 * the replica), never by what a policy does.
 */
#ifndef TRACES_VARY_REPLICATE_H
#define TRACES_VARY_REPLICATE_H

#include "traces/trace.h"

#define REPLICATE_USERS 10

struct trace_replication {
    int64_t block_ms;         /* what is drawn as a week; 0: as crowd.h has it */
    double growth;            /* above 0: so many times the users */
    uint64_t seed;            /* of the replica */
    struct trace_names names; /* that the trace was opened with */
};

/* Takes the trace over; it is read at the first trace_next(). Digest and notes are its own. */
struct trace *trace_replicate(struct trace *, const struct trace_replication *);

/* What a replica of a trace draws from. */
struct trace_variety {
    size_t users; /* or bursts */
    bool bursts;
    size_t blocks; /* whole ones; fewer than two: their levels are not drawn */
    int64_t block_ms;
};

/* Takes the trace over and reads it to its end: TRACE_END, or negative with err set. */
enum trace_result trace_variety(struct trace *, const struct trace_replication *,
                                struct trace_variety *, struct err *);

#endif
