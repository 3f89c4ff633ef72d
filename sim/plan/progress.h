/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One progress bar for a whole plan. The number of simulations still to come is an estimate: the
 * rest of this number of nodes, one number's worth for each further number that the search expects
 * to try, and as much as was needed so far for each remaining alternative. Estimates change; the
 * displayed share never falls.
 */
#ifndef SIM_PLAN_PROGRESS_H
#define SIM_PLAN_PROGRESS_H

#include "sim/program/progress.h"

#include <pthread.h>

struct plan_progress {
    struct progress bar;
    pthread_mutex_t lock;        /* of what follows */
    size_t replicas;             /* of a number of nodes */
    size_t done;                 /* simulations */
    size_t here;                 /* of them, of this number of nodes */
    size_t numbers;              /* that are still to be tried after it, as far as known */
    size_t options, option_from; /* alternatives after this one; `done` when this one began */
    double share;                /* shown */
};

void plan_progress_begin(struct plan_progress *, bool quiet, size_t replicas, size_t options);
void plan_progress_end(struct plan_progress *);

void plan_progress_option(struct plan_progress *); /* the next alternative begins */
void plan_progress_number(struct plan_progress *); /* the next number of nodes begins */
void plan_progress_expect(struct plan_progress *, size_t numbers); /* numbers of nodes to be tried,
                                                                      including the next */
void plan_progress_count(struct plan_progress *); /* a simulation is done; thread-safe */

/* Updates the share, and returns of how many simulations `done` are that share. */
size_t plan_progress_total(struct plan_progress *);

#endif
