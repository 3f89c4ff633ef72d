/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random streams keyed by what they are for. Draw i of the stream (seed, purpose, entity) is a hash
 * of those four numbers: a counter, no state to share. So policy B, drawing more numbers than
 * policy A, never shifts A's failures; the same node fails at the same time under both (common
 * random numbers by construction). Reseeding costs a few nanoseconds, so every entity can have its
 * own stream.
 *
 * rng_stream is a gsl_rng_type: all of gsl_ran_* works on it.
 *
 *     struct rng_stream s;
 *     rng_init(&s, seed, RNG_ARRIVAL, job);
 *     double gap = gsl_ran_exponential(rng_gsl(&s), mean);
 */
#ifndef SIM_BASE_RNG_H
#define SIM_BASE_RNG_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

/* Append only: a number that changes its meaning changes every result. */
enum rng_purpose {
    RNG_ARRIVAL = 1,
    RNG_SHAPE = 2, /* class, size, queue, user of a generated job */
    RNG_DURATION = 3,
    RNG_JITTER = 4,
    RNG_OUTCOME = 5,
    RNG_POLICY = 6,       /* the seed handed to the policy core */
    RNG_ACTIVITY = 7,     /* what build sessions do with their devices */
    RNG_FAULT = 8,        /* when a component fails */
    RNG_FAULT_KIND = 9,   /* what a fault is like: device, effect, detection */
    RNG_REPAIR = 10,      /* how long repairs take, and whether they help */
    RNG_LEMON = 11,       /* which nodes are lemons; what a test of one finds */
    RNG_DRIFT = 12,       /* by how much a month is better or worse than others */
    RNG_USER_FAULT = 13,  /* when a job fails by its own doing */
    RNG_SPOT = 14,        /* when spot capacity is reclaimed, and which */
    RNG_LOAD = 15,        /* noise of the load of a service */
    RNG_GPU_MEMORY = 17,  /* phases of demand for device memory, and their levels */
    RNG_BOOTSTRAP = 18,   /* resamples of replicas; the entity is the resample */
    RNG_MIX_GROUP = 20,   /* a session of a mix: user, kind, number of jobs */
    RNG_MIX_JOB = 21,     /* a job of it */
    RNG_MIX_TIME = 22,    /* where sessions lie in time */
    RNG_MIX_HOUR = 23,    /* how busy an hour is */
    RNG_RESAMPLE = 24,    /* which users and blocks a perturbed trace takes */
    RNG_REMAINING = 26,   /* how long a job of a snapshot takes */
    RNG_REPLICATE = 27,   /* users and weeks of a replica of a recorded trace */
    RNG_SCORE = 30,       /* how good a member of an array is that stops losers early */
    RNG_COMPACTION = 31,  /* the order in which nodes are removed; the entity is the trial */
    RNG_TURN = 32,        /* in which order copies of a user turn */
    RNG_PROVISION = 33,   /* how long a node takes to arrive; the entity is node and order */
    RNG_MIX_SERVERS = 34, /* which sessions of a mix have parameter servers */
    RNG_BURN_IN = 35,     /* how many tests a node needs before it is used */
    RNG_TEST = 99,
};

struct rng_state {
    uint64_t key;
    uint64_t counter;
};

struct rng_stream {
    gsl_rng gsl;
    struct rng_state state;
};

/* Seed 0 is as good as any. The stream must not be moved or copied after this (GSL keeps a pointer
 * into it). */
void rng_init(struct rng_stream *, uint64_t seed, enum rng_purpose purpose, uint64_t entity);

/* An entity that has a name and no number: a hash of it (FNV-1a), which no other entity that comes
 * or goes moves. */
uint64_t rng_entity(const char *name);

static inline gsl_rng *rng_gsl(struct rng_stream *stream)
{
    return &stream->gsl;
}

uint64_t rng_u64(struct rng_stream *);
double rng_uniform(struct rng_stream *); /* [0, 1), 53 bits */

extern const gsl_rng_type *const rng_type;

#endif
