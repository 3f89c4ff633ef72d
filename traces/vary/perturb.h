/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Variations of given traces, to ask what would have happened in other circumstances: other users
 * of the same kind, more or fewer of them, other weeks.
 *
 *     blocks     cuts time into blocks of block_ms, starting at the midnight before the first job.
 *                From several traces, block i of the result is block i of one of them, drawn at
 *                random among those that are long enough (a splice); with `shuffle`, or from one
 *                trace, any block of one of them (a block bootstrap). Blocks of days keep hours,
 *                blocks of weeks keep days of the week.
 *     resample   draws as many users as there are, with replacement, each with all their jobs
 *     (after
 *                Zakay and Feitelson)
 *     load       f times the GPU time over the same span, within 0.5 % if some jobs are small
 *                enough, by f times the users: above 1, users are drawn with replacement and added;
 *                below 1, users drawn without replacement are kept. Gaps too small for a whole user
 *                are filled with bursts and chains of jobs, then with single ones. No job becomes
 *                longer, larger or denser. If fewer than two users are named, bursts of a queue and
 *                class replace them.
 *
 * A user drawn more than once becomes several, "eva", "eva#1", ...; the copies are shifted by whole
 * weeks (days, in a trace below two weeks) that wrap at the end of the trace (crowd.h), so that
 * hours of the week stay and copies do not move in step. The whole trace is held in memory (picks.h
 * explains the names of copies).
 */
#ifndef TRACES_VARY_PERTURB_H
#define TRACES_VARY_PERTURB_H

#include "traces/trace.h"

struct trace_perturbation {
    int64_t block_ms; /* 0: no blocks */
    bool shuffle;
    bool resample;
    double load; /* above 0; 1: unchanged */
    uint64_t seed;
    struct trace_names names; /* those that the traces were opened with */
};

/* True if any perturbation is requested. */
bool trace_perturbs(const struct trace_perturbation *, size_t traces);

/*
 * Takes ownership of the traces. They are read at the first trace_next(), which fails if users are
 * to be resampled and the trace names fewer than two. Digest and notes are those of the original
 * traces.
 */
struct trace *trace_perturb(struct trace **, size_t count, const struct trace_perturbation *);

#endif
