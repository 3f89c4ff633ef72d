/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other traces out of given ones, for asking what would have happened with other weather: the same
 * kind of people, other ones of them; more or fewer of them; other weeks.
 *
 *     blocks     time is cut into blocks of block_ms, from the midnight before the first job on. Of
 *                several traces block i of the result is block i of one of them, drawn at random
 *                among those that last as long (a splice); with `shuffle`, or of one trace, any
 *                block of one of them (a block bootstrap). Blocks of days keep hours, of weeks days
 *                of the week.
 *     resample   as many users as there are, drawn with replacement, each with all their jobs
 *                (Zakay and Feitelson's way)
 *     load       f times the GPU time over the same span, within 0.5 % where single jobs are small
 *                enough for that, by f times the people: above 1 users are drawn with replacement
 *                and added, below 1 users drawn without are kept; what no whole user fits into is
 *                filled with bursts and chains of jobs, then with single ones. No job becomes
 *                longer, larger or denser. Where fewer than two users are named, bursts of a queue
 *                and class stand for them.
 *
 * A user who is there more than once becomes several, "eva", "eva#1", ...; the others come so many
 * whole weeks later (days, in a trace below two weeks) than the first, round the end of the trace
 * (crowd.h), so that hours of the week stay and copies do not move in step. All of the traces is
 * held in memory (picks.h has the names of copies).
 */
#ifndef TRACES_VARY_PERTURB_H
#define TRACES_VARY_PERTURB_H

#include "traces/trace.h"

struct trace_perturbation {
    int64_t block_ms; /* 0: time stays */
    bool shuffle;
    bool resample;
    double load; /* above 0; 1: as it is */
    uint64_t seed;
    struct trace_names names; /* that the traces were opened with */
};

/* True if any perturbation is requested. */
bool trace_perturbs(const struct trace_perturbation *, size_t traces);

/*
 * Takes the traces over. They are read at the first trace_next(), where what cannot be done is an
 * error: users resampled of a trace that does not name at least two. Digest and notes are those of
 * the traces that come in.
 */
struct trace *trace_perturb(struct trace **, size_t count, const struct trace_perturbation *);

#endif
