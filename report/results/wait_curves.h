/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long jobs of each class waited, as the share that had started within a time: the estimate of
 * Kaplan and Meier, since some had not started when the simulation stopped. jobs.csv is streamed
 * into counts on a fixed grid of times, so a million jobs take no more memory than ten; the grid is
 * the E24 series of preferred numbers, within 10 % everywhere.
 */
#ifndef REPORT_RESULTS_WAIT_CURVES_H
#define REPORT_RESULTS_WAIT_CURVES_H

#include "report/results/rundir.h"

#define WAIT_PER_DECADE  ((size_t)24)
#define WAIT_EDGES       (WAIT_PER_DECADE * 9 + 1) /* 1 s to 10^9 s */
#define WAIT_CLASSES     ((size_t)7) /* told apart; the rest together are the last one */
#define WAIT_CLASS_BYTES ((size_t)64)

/* started[i]: first starts after a wait in (edge[i - 1], edge[i]]; waiting[i]: still pending after
 * such a wait. */
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

/* Of the jobs of jobs.csv that count; wait_curves_free() in any case. err as with rundir_csv(). */
enum rundir_read wait_curves_read(const struct rundir *, struct wait_curves *, struct err *);
void wait_curves_free(struct wait_curves *);

/*
 * The share of the class that had started at each edge, up to the last start that was seen, whose
 * index is returned; nothing is known of what lies behind it.
 */
size_t wait_curve_started(const struct wait_curve *, double share[WAIT_EDGES]);

/* The last edge with a job that is still pending; 0 when there is none. */
size_t wait_curve_last_waiting(const struct wait_curve *);

/* The longest wait of any class, but at least 100 s. */
double wait_curves_longest_s(const struct wait_curves *);

#endif
