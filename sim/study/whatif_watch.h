/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes of single jobs in the replicas of two worlds: jobs that are evicted in the one with
 * the changes and not in the other, jobs that never fit there, jobs on lost nodes. One record a
 * side and replica, which the thread that simulates it fills; all are put together when all are
 * done, in an order that does not depend on threads.
 */
#ifndef SIM_STUDY_WHATIF_WATCH_H
#define SIM_STUDY_WHATIF_WATCH_H

#include "sim/world/run_watch.h"

#include <stddef.h>

enum watch_fate {
    FATE_EVICTED,    /* at least once, moves included */
    FATE_DISPLACED,  /* it ran on nodes that are lost when the run begins */
    FATE_NEVER_FITS, /* pending at the end, and not even the empty fleet would take it */
    FATES
};

/* A job with a fate in some replicas of B that it does not have in A. */
struct watch_case {
    const char *job, *queue, *class;
    int64_t gpu_milli;
    enum watch_fate fate;
    int replicas;       /* of B and not of A, in which it has it */
    int first_replica;  /* 1.. */
    const char *reason; /* EVICTED: of the first time in that replica */
    int64_t at_ms;      /* likewise; else 0 */
};

struct watch;
struct watch *watch_create(int replicas);
void watch_destroy(struct watch *);

/* The run_watch of a simulation: side 0 or 1, replica 1.. */
struct run_watch watch_of(struct watch *, size_t side, int replica);

/* Cases of one fate: most replicas first, then the larger jobs, then by id. They belong to the
 * watch. */
const struct watch_case *watch_cases(struct watch *, enum watch_fate, size_t *count);

/* Jobs with the fate on a side, summed over replicas: for "... fewer". */
uint64_t watch_total(const struct watch *, size_t side, enum watch_fate);

#endif
