/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The points of a plan with their ids. An id is the SHA-256 of everything that determines a point's
 * result: the changes, the digest of the resulting scenario, the bytes of the traces that it reads,
 * and the version of the program. So it is the same on every machine, and different as soon as any
 * input is.
 */
#ifndef SIM_STUDY_SWEEP_POINTS_H
#define SIM_STUDY_SWEEP_POINTS_H

#include "report/results/sweep_results.h"
#include "scenarios/load/sweep_plan.h"
#include "sim/study/shard.h"
#include "sim/study/steady.h"
#include "sim/world/scenario_files.h"

struct sweep_points {
    const struct sweep_plan *plan;
    const struct scen_overrides *command_line; /* for all points */
    struct sweep_table table;                  /* in the order of the plan */
    size_t *by_id;                             /* points in the order of their ids */

    struct scenario_files files;
};

/*
 * Loads and checks the scenario of every point, on several threads. False with err set at the first
 * that is wrong, or when two are the same. To be freed in any case.
 */
bool sweep_points_init(struct sweep_points *, const struct sweep_plan *,
                       const struct scen_overrides *, int threads, bool (*stop)(void *),
                       struct err *err);
void sweep_points_free(struct sweep_points *);

/* The scenario of one of them, with a time for "auto" unless steady is NULL; the caller destroys
 * it. */
bool sweep_points_scenario(const struct sweep_points *, size_t point, struct scenario **,
                           struct steady *, struct err *err);

/* The points of a shard in the order of the plan; *count of them, freed by the caller. */
size_t *sweep_points_of(const struct sweep_points *, const struct shard *, size_t *count);

/* A point's changes for display, "policy=sjf seed=3", truncated to the buffer, which it returns. */
const char *sweep_point_text(const struct sweep_table *, size_t point, char *buffer, size_t size);

#endif
