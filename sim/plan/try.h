/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One number of nodes: its replicas are simulated look by look, until all are done or so many miss
 * the target that the rest cannot change the answer (report/plan/rule.h). The set of simulated
 * replicas does not depend on the number of threads.
 */
#ifndef SIM_PLAN_TRY_H
#define SIM_PLAN_TRY_H

#include "report/plan/capacity.h"
#include "report/words/price_note.h"
#include "scenarios/scenario.h"
#include "sim/plan/progress.h"
#include "sim/study/replica_store.h"

struct plan_try {
    struct replica_store *store;
    struct plan_progress *progress;
    int threads;
    bool audit;
    bool interrupted; /* out: a signal stopped it */
    pthread_mutex_t lock;
    size_t simulated, recalled; /* out: number of replicas */
    struct price_notes prices;  /* out: of all that was tried */
    char **speeds; /* out: assumptions about hardware (report/measure/speeds.h), without
                      duplicates */
    size_t speed_count;
};

void plan_try_init(struct plan_try *, struct replica_store *, struct plan_progress *, int threads,
                   bool audit);
void plan_try_fini(struct plan_try *);

/*
 * Fills the point, whose `nodes` is set, and never_fits[replica - 1] (c->replicas of them) of the
 * replicas tried. Also returns false if interrupted.
 */
bool plan_try(struct plan_try *, const struct capacity *c, const struct scenario *,
              struct capacity_point *, double *never_fits, struct err *err);

#endif
