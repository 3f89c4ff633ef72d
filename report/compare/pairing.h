/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs that may be compared: they have the same number of replicas, the same seeds and traces
 * pair by pair, and the same workload and window. Other differences between the scenarios (policy,
 * fleet, quotas, faults ...) are what the comparison is about; each such key is reported as a
 * change. Runs are directories or were simulated in memory.
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
    char *text[SIDES]; /* as JSON, cut when long; "-" when absent */
    bool follows;      /* a weight that was not given and is the quota's, which changed */
};

struct pairing {
    struct rundir run[SIDES];
    const cJSON **summary[SIDES]; /* [replica], within run */
    size_t replicas;
    struct pairing_change *changes;
    size_t change_count, change_capacity;
    size_t same_decisions; /* replicas whose journals have the same hash */
};

/* A run in memory; everything is the caller's and is copied. */
struct pairing_side {
    const char *name;       /* stands where a directory's would: "base" */
    const char *scenario;   /* resolved, as JSON (struct scenario's `resolved`) */
    char *const *summaries; /* [replica]: texts of summary.json */
    int count;              /* of replicas, at least 1 */
    bool any_workload;      /* workload and window may differ from the other side's: that is what is
                               studied */
};

/* False with err set: EXIT_INPUT when a directory cannot be read, EXIT_BASELINE when they do not
 * pair. */
bool pairing_open(struct pairing *, const char *dir_a, const char *dir_b, struct err *);
bool pairing_make(struct pairing *, const struct pairing_side sides[SIDES], struct err *);
void pairing_close(struct pairing *);

/* "8 -> 24", and of a weight that changed with its quota that it did. The caller's. */
char *pairing_change_text(const struct pairing_change *);

/* The run as if replica k (0..) were all of it, for its CSV files; *data is freed by the caller. */
struct rundir pairing_replica(const struct pairing *, int side, size_t replica, char **data);

#endif
