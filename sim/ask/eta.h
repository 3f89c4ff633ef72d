/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Predicts when a job of a snapshot will start: simulates the run that begins with the snapshot
 * (scenario key `start`) in several replicas, each until the job starts. Replicas differ in their
 * random draws: run times (start.remaining), jitter of arrivals, failures. The answer is a median
 * and an interval from order statistics: of n start times, those in which it never starts being the
 * latest, the nearest-rank quantiles of 10, 50 and 90 % (rank ceil(p n)).
 */
#ifndef SIM_ASK_ETA_H
#define SIM_ASK_ETA_H

#include "scenarios/snapshot/snapshot.h"
#include "sim/base/json.h"

#define ETA_LOW  0.1
#define ETA_HIGH 0.9

struct eta_question {
    const struct scenario *scenario; /* begins with a snapshot; has the number of replicas */
    const char *job;                 /* id of a pending job */
    const struct snap_job *instead;  /* replaces it; NULL: unchanged */
    int threads;                     /* at most; answers do not depend on it */
};

struct eta {
    int replicas, started; /* numbers of replicas; of those in which it started */
    int64_t *after_ms;     /* ascending, over replicas in which it started; since the time of the
                              snapshot */
    int64_t waited_ms;     /* of the others: the shortest time that was simulated in vain */
};

/* To be released with eta_fini() in any case. */
bool eta_find(struct eta *, const struct eta_question *, struct err *);
void eta_fini(struct eta *);

/* The quantile p in (0, 1]. Returns false if it had not started in so many replicas. */
bool eta_quantile(const struct eta *, double p, int64_t *after_ms);

void eta_print(const struct eta *, struct out *); /* "in 2h10m; 80 % between 1h35m and 2h45m" */
void eta_json(const struct eta *, const char *key, struct json *); /* an object */

/* How long jobs take in the replicas, in words. */
const char *eta_remaining(const struct scenario *);

#endif
