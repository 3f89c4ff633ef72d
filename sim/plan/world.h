/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scenario of a plan, with any number of nodes of any alternative (report/plan/variant.h). The demand is the same in all of
 * them: that of the scenario, grown where growth is asked for; a generated load that refers to the fleet means the one that
 * is given. All are measured in the same window.
 *
 * Pools of the file and of `pools_file` may be mixed with new ones. A node list (`nodes_file`) is one pool, "all": with more
 * or fewer nodes it keeps its mixture (fleet.count); with another node ("all=dgx-b200") it is replaced by a pool of those.
 */
#ifndef SIM_PLAN_WORLD_H
#define SIM_PLAN_WORLD_H

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

/* False with err set; to be closed in any case. */
bool plan_world_open(struct plan_world *, const struct cli *, const struct growth *, struct err *);
void plan_world_close(struct plan_world *);

/* Says once on which nodes run times count as recorded: where nodes of today's fleet or of an alternative are others. */
void plan_world_note(struct plan_world *, const struct cli *, const struct scenario *);

/* Whether the variant can be built at all; its default, the pool of that name or (NULL) the one with the most GPUs. */
bool plan_world_check(const struct plan_world *, const struct variant *, struct err *);
bool plan_world_default(const struct plan_world *, const char *pool, struct variant *, struct err *);

/* With so many nodes spread over the pools that grow; `single`: with one replica, as `run` has it. */
bool plan_world_load(const struct plan_world *, const struct variant *, int64_t nodes, bool single,
                     struct scenario **, struct err *);

/* Nodes that the scenario has in the pools that grow; and the fewest that make sense: one each, beside their spares. */
int64_t plan_world_given(const struct plan_world *, const struct variant *);
int64_t plan_world_least(const struct plan_world *, const struct variant *);
int64_t plan_world_spares(const struct plan_world *, const struct variant *); /* of all pools that grow */

/* Nodes of a pool that are kept apart until another one of it goes down: at most the others run jobs at a time. */
int64_t plan_spares(const struct scenario *, size_t pool);

/* Of the whole fleet. */
int64_t plan_nodes_of(const struct scenario *);
int64_t plan_gpus_of(const struct scenario *);

#endif
