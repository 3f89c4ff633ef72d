/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs that may be compared: they have the same number of replicas, pairwise the same seeds and
 * traces, and the same workload and window. Other differences between the scenarios (policy, fleet,
 * quotas, faults ...) are the subject of the comparison; each such key is reported as a change.
 * Runs are directories or simulated in memory.
 *
 * Runs that do not pair are refused with EXIT_BASELINE and the reason; they are never compared
 * silently.
 */
#ifndef REPORT_COMPARE_PAIRING_H
#define REPORT_COMPARE_PAIRING_H

#include "report/compare/measures.h"
#include "report/results/rundir.h"

struct pairing_change {
    char *path;        /* "policy.options.placement" */
    char *text[SIDES]; /* as JSON, cut if long; "-" if absent */
    bool follows;      /* a default weight that changed with its quota */
};

struct pairing {
    struct rundir run[SIDES];
    const cJSON **summary[SIDES]; /* [replica], owned by run */
    size_t replicas;
    struct pairing_change *changes;
    size_t change_count, change_capacity;
    size_t same_decisions; /* replicas whose journals have the same hash */
};

/* A run in memory. Everything is copied and stays the caller's. */
struct pairing_side {
    const char *name;       /* used instead of a directory: "base" */
    const char *scenario;   /* resolved, as JSON (struct scenario's `resolved`) */
    char *const *summaries; /* [replica]: texts of summary.json */
    int count;              /* number of replicas, at least 1 */
    bool any_workload; /* workload and window may differ between the sides: they are the subject of
                          the study */
};

/*
 * Returns false with err set: EXIT_INPUT if a directory cannot be read, EXIT_BASELINE if the runs
 * do not pair.
 */
bool pairing_open(struct pairing *, const char *dir_a, const char *dir_b, struct err *);
bool pairing_make(struct pairing *, const struct pairing_side sides[SIDES], struct err *);
void pairing_close(struct pairing *);

/*
 * Returns "8 -> 24", and for a weight, if it changed with its quota, a note. The caller frees it.
 */
char *pairing_change_text(const struct pairing_change *);

/*
 * Returns the run as if replica k (from 0) were all of it, for its CSV files. The caller frees
 * *data.
 */
struct rundir pairing_replica(const struct pairing *, int side, size_t replica, char **data);

#endif
