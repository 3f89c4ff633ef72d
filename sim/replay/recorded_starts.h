/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far simulated starts lie from recorded ones: a watcher of the simulation that notes when each
 * job of the journal first began to work there, and the figures. Jobs that ran when the journal
 * began are not compared.
 */
#ifndef SIM_REPLAY_RECORDED_STARTS_H
#define SIM_REPLAY_RECORDED_STARTS_H

#include "sim/replay/recorded.h"
#include "sim/world/run_watch.h"

struct recorded_start {
    const struct recorded_job *job;
    int64_t simulated_ms, difference_ms; /* recorded minus simulated */
};

struct recorded_starts {
    const struct recorded *recorded;
    int64_t *simulated_ms; /* of each recorded job; RECORDED_NEVER: it did not */
    bool *launched;        /* that is when it began to work, not only when it got its devices */
    struct recorded_start *all; /* jobs that started in both, in the order of recorded.jobs */
    size_t count;
    uint64_t only_recorded;            /* started, and never in the simulation */
    uint64_t in_order;                 /* the most of them that start in the same order in both */
    int64_t median_ms, p90_ms, max_ms; /* of differences without their signs, nearest rank */
    int64_t median_signed_ms;          /* with them */
};

/* To be released with recorded_starts_fini(); recorded outlives it. */
void recorded_starts_init(struct recorded_starts *, const struct recorded *);
void recorded_starts_fini(struct recorded_starts *);

/* The observer of one simulation, valid as long as `starts`. */
struct run_watch recorded_starts_watch(struct recorded_starts *);

/* After the simulation: the figures. */
void recorded_starts_compare(struct recorded_starts *);

/* DIR/starts.csv: job_id,submit_s,told_s,decided_s,start_s,simulated_start_s,difference_s. Returns
 * false with err set. */
bool recorded_starts_write(const struct recorded_starts *, const char *dir, struct err *err);

#endif
