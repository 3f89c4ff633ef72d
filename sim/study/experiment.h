/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replicas of one scenario or of several, simulated in memory on several threads: what sweep, plan
 * and whatif do with a scenario. Replica k of every side has the same seed, and with it the same
 * arrivals, durations and failures (common random numbers), so the sides are paired. Nothing is
 * written but the texts of the summaries.
 *
 *     struct experiment_side sides[2] = {{.scenario = base}, {.scenario = candidate}};
 *     struct experiment experiment = {.sides = sides, .side_count = 2, .threads = 4};
 *     bool ok = experiment_run(&experiment, 20, &err);     replicas 1..20 of both
 *     ok = ok && experiment_run(&experiment, 40, &err);    and 21..40
 *     experiment_forget(&experiment);
 */
#ifndef SIM_STUDY_EXPERIMENT_H
#define SIM_STUDY_EXPERIMENT_H

#include "scenarios/scenario.h"
#include "sim/base/err.h"
#include "sim/program/progress.h"
#include "sim/world/run_watch.h"

struct experiment_side {
    const struct scenario *scenario; /* the caller's */
    const char *name; /* how errors begin: "base: replica 3: ..."; NULL: with neither */
    char **summaries; /* [replica - 1]: the text of its summary.json, owned */
    int count;        /* replicas that are done */
};

struct experiment {
    struct experiment_side *sides; /* the caller's array; summaries start as NULL */
    size_t side_count;
    int threads; /* maximum; results do not depend on it */
    bool audit;  /* check the invariants of each simulation: EXIT_INVARIANT when one is violated */
    /* The observer of one simulation, created on its thread; NULL: none. */
    struct run_watch (*watch)(void *self, size_t side, int replica);
    void *watch_self;
    /*
     * A store of results that outlives the process. recall() returns the text of a summary that is
     * known already, to be freed, or NULL; keep() gets each new one, and returns false with err set
     * when it cannot take it. On any thread; NULL: none.
     */
    char *(*recall)(void *self, size_t side, int replica);
    bool (*keep)(void *self, size_t side, int replica, const char *summary, struct err *);
    void *store;
    struct progress *progress; /* counts simulations; NULL: none */
    bool interrupted; /* out: a signal stopped it, and no side has more replicas than before */
};

/*
 * Ensures that every side has the replicas 1..`replicas` by simulating the missing ones. Returns
 * false with err set if one failed; then no side has more replicas than before.
 */
bool experiment_run(struct experiment *, int replicas, struct err *err);

/* Frees the summaries. */
void experiment_forget(struct experiment *);

#endif
