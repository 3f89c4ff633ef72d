/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits of each class as the share of jobs that started within a time: the Kaplan-Meier estimate,
 * since some had not started when the simulation stopped. jobs.csv is streamed into counts on a
 * fixed grid of times, so memory does not grow with the number of jobs. The grid is the E24 series
 * of preferred numbers, with steps of about 10 %.
 */
#ifndef REPORT_RESULTS_WAIT_CURVES_H
#define REPORT_RESULTS_WAIT_CURVES_H

#include "report/results/rundir.h"

#define WAIT_PER_DECADE  ((size_t)24)
#define WAIT_EDGES       (WAIT_PER_DECADE * 9 + 1) /* 1 s to 10^9 s */
#define WAIT_CLASSES     ((size_t)7) /* shown separately; the last one combines the rest */
#define WAIT_CLASS_BYTES ((size_t)64)

/*
 * started[i]: first starts after a wait in (edge[i - 1], edge[i]]; waiting[i]: still pending after
 * such a wait.
 */
struct wait_curve {
    char name[WAIT_CLASS_BYTES]; /* as in the file: untrusted */
    size_t started[WAIT_EDGES], waiting[WAIT_EDGES];
    size_t jobs, censored;
};

struct wait_curves {
    double edge_s[WAIT_EDGES];
    struct wait_curve *class; /* in the order of the file */
    size_t count;
};

/*
 * Reads the measured jobs of jobs.csv. Call wait_curves_free() in any case. err as for
 * rundir_csv().
 */
enum rundir_read wait_curves_read(const struct rundir *, struct wait_curves *, struct err *);
void wait_curves_free(struct wait_curves *);

/*
 * Computes the share of the class that had started at each edge. Returns the index of the last
 * observed start, after which the share is unknown.
 */
size_t wait_curve_started(const struct wait_curve *, double share[WAIT_EDGES]);

/* Returns the last edge with a pending job; 0 if there is none. */
size_t wait_curve_last_waiting(const struct wait_curve *);

/* Returns the longest wait of any class, at least 100 s. */
double wait_curves_longest_s(const struct wait_curves *);

#endif
