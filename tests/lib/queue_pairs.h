/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two queues with the same jobs, like two runs with common random numbers, without a simulator.
 * Jobs arrive as a Poisson process, need one server for an exponential time of mean 1 and start
 * first come, first served. A has one server, B has two. Waits follow from the recursions of D. V.
 * Lindley ("The theory of queues with a single server", Proceedings of the Cambridge Philosophical
 * Society 48, 1952) and J. Kiefer and J. Wolfowitz ("On the theory of queues with many servers",
 * Transactions of the AMS 78, 1955): a job starts when it arrives or when the first server is free,
 * whichever is later. Both begin empty.
 */
#ifndef TESTS_LIB_QUEUE_PAIRS_H
#define TESTS_LIB_QUEUE_PAIRS_H

#include "sim/base/rng.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_sort.h>
#include <math.h>

enum { QUEUE_JOBS = 400 };

enum queue_metric { QUEUE_MEAN, QUEUE_P95, QUEUE_METRICS }; /* of the waits */

/* One replica: [metric][side]. */
struct queue_pair {
    double wait[QUEUE_METRICS][2];
};

/* The start of a job that arrives at `now`, on the server that is free first; `work` is added to
 * that server. */
static inline double queue_start(double *free_at, int servers, double now, double work)
{
    int first = 0;
    for (int i = 1; i < servers; i++)
        first = free_at[i] < free_at[first] ? i : first;
    double start = fmax(now, free_at[first]);
    free_at[first] = start + work;
    return start;
}

/*
 * `load` is A's: arrivals per mean service time. Jobs take `slow` times as long in B: 1 is a second
 * server like the first; with 2 both queues have the same load.
 */
static inline struct queue_pair queue_pair_draw(uint64_t seed, uint64_t replica, int jobs,
                                                double load, double slow)
{
    double wait[2][QUEUE_JOBS], free_at[2][2] = {{0}}, now = 0;
    struct queue_pair pair = {{{0}}};
    struct rng_stream stream;
    rng_init(&stream, seed, RNG_TEST, replica);
    for (int i = 0; i < jobs; i++) {
        now += i > 0 ? gsl_ran_exponential(rng_gsl(&stream), 1 / load) : 0;
        double work = gsl_ran_exponential(rng_gsl(&stream), 1);
        wait[0][i] = queue_start(free_at[0], 1, now, work) - now;
        wait[1][i] = queue_start(free_at[1], 2, now, slow * work) - now;
    }
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < jobs; i++)
            pair.wait[QUEUE_MEAN][side] += wait[side][i] / jobs;
        gsl_sort(wait[side], 1, (size_t)jobs);
        pair.wait[QUEUE_P95][side] = wait[side][(jobs * 95 + 99) / 100 - 1]; // nearest rank
    }
    return pair;
}

#endif
