/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario proposed for a log, and what was guessed on the way. Rules:
 *
 *   pools    one for each GPU type in the log. GPUs: the most that were busy at one time, where
 *            the log has starts; else so many that the GPU time of the log fills 80 % of them from
 *            the first to the last submission. Never fewer than the largest job wants. Jobs that
 *            take any type are added to the pool with the most GPU time.
 *            A cluster that describes its nodes (cluster.h) has a pool for each kind instead.
 *   nodes    that of the user; else 1, 2, 4, 8, 16, ... GPUs, the fewest that hold the largest
 *            task, or 8 where the log gives totals only, and the first node of the catalogue with
 *            that type and size, if there is one.
 *   queues   those of the log; quotas divide the GPUs by GPU time (largest remainders), or by the
 *            shares of the accounts where all queues are accounts with shares; limits are theirs.
 *   policy   slurm where the cluster has weights of priorities; else easy where most jobs declare a
 *            time limit, else fifo without blocking.
 *   warm-up  a tenth of the log, at most a day, in whole hours: the cluster begins empty.
 */
#ifndef SIM_INIT_PROPOSAL_H
#define SIM_INIT_PROPOSAL_H

#include "scenarios/scenario.h"
#include "sim/init/cluster.h"
#include "sim/init/log.h"

#define INIT_GUESSES 12
#define INIT_POOLS   (INIT_USES > INIT_KINDS ? INIT_USES : INIT_KINDS)

struct init_pool {
    char *name;
    const char *type; /* of its GPUs, in the log's names or the cluster's; NULL: not said */
    const char *node; /* of the catalogue; NULL: described in place */
    int64_t gpus;     /* of a node */
    int64_t nodes;
};

struct init_queue {
    const char *name; /* in the log's names */
    double gpu_ms;
    int64_t quota; /* GPUs */
    int64_t limit; /* GPUs; -1: none */
};

struct init_proposal {
    struct init_pool pools[INIT_POOLS];
    size_t pool_count;
    struct init_queue *queues;
    size_t queue_count;
    const char *policy;
    bool skips;                         /* fifo: jobs behind a blocked one may start */
    const struct init_cluster *cluster; /* source of the policy's weights, or NULL */
    int64_t warmup_h;
    char *guesses[INIT_GUESSES]; /* sentences about what the log does not contain */
    size_t guess_count;
    struct scen_node *catalogue;
    size_t catalogue_count;
};

/* What the user knows. */
struct init_known {
    const char *node; /* of the catalogue, for a log without GPU types; NULL: not said */
    int64_t nodes;    /* of the only pool; 0: not said */
    const struct init_cluster *cluster; /* NULL: not described */
};

/* A node of the catalogue by name; NULL with err set (EXIT_INPUT) and the nearest name. */
const struct scen_node *init_node(const struct scen_node *catalogue, size_t count, const char *name,
                                  struct err *);

/*
 * Returns false with err set (EXIT_INPUT) for a log without GPU jobs, or if the user's facts
 * contradict it. Names are borrowed from the log.
 */
bool init_propose(struct init_proposal *, const struct init_log *, const struct init_known *,
                  struct err *);
void init_proposal_fini(struct init_proposal *);

/*
 * The parts of it. Pools of a described cluster (the log may be NULL), the policy with its weights
 * if it has any, a sentence to the guesses, which is taken over, and a pool with a name of its own
 * near `name`.
 */
bool init_propose_fleet(struct init_proposal *, const struct init_log *, const struct init_known *,
                        struct err *);
bool init_propose_weights(struct init_proposal *, const struct init_cluster *);
void init_guess(struct init_proposal *, char *sentence);
struct init_pool *init_pool(struct init_proposal *, const char *name);
int64_t init_gpus(const struct init_proposal *); /* of all pools */

#endif
