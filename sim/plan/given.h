/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inputs of a plan: its scenario, with the changes that fix the demand (world.h). */
#ifndef SIM_PLAN_GIVEN_H
#define SIM_PLAN_GIVEN_H

#include "report/plan/growth.h"
#include "report/plan/variant.h"
#include "scenarios/scenario.h"
#include "sim/program/command.h"
#include "sim/study/steady.h"

#include <cjson/cJSON.h>

struct plan_world {
    const char *path;
    struct scen_overrides overrides; /* of the command line, with the replicas */
    struct steady steady;
    struct scenario *given;      /* as it is, with the grown demand */
    cJSON *resolved;             /* of the scenario as it is */
    struct scen_change *changes; /* that fix the demand */
    size_t change_count;
    bool noted; /* on which nodes run times count as recorded */
};

/* Nodes of a pool that are kept apart until another one of it goes down: at most the others run
 * jobs at a time. */
int64_t plan_spares(const struct scenario *, size_t pool);

/* Of the whole fleet. */
int64_t plan_nodes_of(const struct scenario *);
int64_t plan_gpus_of(const struct scenario *);

#endif
