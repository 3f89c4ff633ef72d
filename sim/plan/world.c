/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading the scenario of a plan with its changes; see world.h. The fleet of a variant is in
 * fleet.c. */
#include "sim/plan/world.h"

#include "scenarios/json/source.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/plan/fleet.h"
#include "sim/program/overrides.h"
#include "sim/world/network.h"
#include "sim/world/scenario_notes.h"
#include "sim/world/simulate.h"
#include "sim/world/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REPLICAS 20 /* of a scenario that has one */

static int64_t working_gpus(const struct scenario *sc)
{
    int64_t gpus = plan_gpus_of(sc);
    for (size_t i = 0; i < sc->pool_count; i++)
        gpus -= (plan_spares(sc, i) + scen_pool_extra(&sc->pools[i])) * sc->pools[i].node.gpus;
    for (size_t k = 1; sc->node_count > 0 && k <= (size_t)plan_spares(sc, 0); k++)
        gpus -= sc->nodes[sc->node_count - k].node.gpus;
    return gpus;
}

/* ---- the demand ---- */

static void add_change(struct plan_world *world, const char *label, char *path, char *value)
{
    world->changes = mem_resize(world->changes, world->change_count + 1, sizeof *world->changes);
    world->changes[world->change_count++] =
        (struct scen_change){.label = label, .path = path, .value = value, .folder = ""};
}

/* A load relative to the fleet refers to the given one: the demand stays while the fleet grows. */
static void fix_demand(struct plan_world *world, bool list)
{
    const struct scenario *sc = world->given;
    for (size_t i = 0; i < sc->source_count; i++)
        if (sc->sources[i].trace == NULL && !sc->sources[i].generate.gpus_given)
            add_change(world, "plan: GPUs that the load refers to",
                       list ? mem_format("workload[%zu].generate.gpus", i)
                            : mem_text("workload.generate.gpus"),
                       mem_format("%" PRId64, working_gpus(sc)));
}

/* The only place that derives the demand of a later time from today's. */
static void grow_demand(struct plan_world *world, bool list, const struct growth *growth)
{
    if (growth->factor < 1 || growth->factor > 1)
        add_change(world, "--growth", mem_text(list ? "workload[0].growth" : "workload.growth"),
                   mem_format("%.17g", world->given->growth * growth->factor));
}

/* ---- loading ---- */

static bool load(const struct plan_world *world, const struct scen_change *more, size_t count,
                 bool single, struct scenario **scenario, struct err *err)
{
    struct scen_change *changes = mem_alloc(world->change_count + count + 1, sizeof *changes);
    for (size_t i = 0; i < world->change_count; i++)
        changes[i] = world->changes[i];
    for (size_t i = 0; i < count; i++)
        changes[world->change_count + i] = more[i];
    struct scen_overrides overrides = world->overrides;
    overrides.changes = changes;
    overrides.change_count = world->change_count + count;
    if (single) {
        overrides.has_replicas = true;
        overrides.replicas = 1;
    }
    struct steady steady = world->steady;
    bool ok = steady_load(scenario, world->path, &overrides, &steady, err);
    free(changes);
    return ok;
}

bool plan_world_load(const struct plan_world *world, const struct variant *variant, int64_t nodes,
                     bool single, struct scenario **scenario, struct err *err)
{
    struct plan_fleet fleet;
    plan_fleet_init(&fleet, world, variant, nodes);
    const struct scen_change change = {
        .label = "plan: its fleet", .path = fleet.path, .value = fleet.value, .folder = ""};
    bool ok = load(world, &change, 1, single, scenario, err) ||
              err_prefix(err, "%s with %" PRId64 " nodes", variant->text, nodes);
    plan_fleet_fini(&fleet);
    return ok;
}

static bool check_scenario(struct plan_world *world, struct err *err)
{
    const struct scenario *sc = world->given;
    world->resolved = cJSON_Parse(sc->resolved);
    if (sc->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT, "%s: a packing study has no waits to plan by", world->path);
    if (sc->node_count > 0 && sc->nodes[0].own != NULL)
        return err_set(err, EXIT_INPUT,
                       "%s: the fleet is that of a snapshot, whose nodes stand where they are: ask "
                       "for more of them with whatif --add-nodes, or give the fleet as pools",
                       world->path);
    return workload_rereadable(sc, "plan reads", err);
}

/* Loads the scenario with the number of replicas of the plan. */
static bool load_base(struct plan_world *world, struct err *err)
{
    if (!scenario_load(&world->given, world->path, &world->overrides, err))
        return false;
    if (world->given->replicas == 1 && world->overrides.has_replicas)
        return err_set(
            err, EXIT_INPUT,
            "--replicas 1: one replay is one sample and gives no confidence; at least 2");
    if (world->given->replicas == 1) {
        world->overrides.has_replicas = true;
        world->overrides.replicas = REPLICAS;
    }
    return check_scenario(world, err);
}

void plan_world_note(struct plan_world *world, const struct cli *cli,
                     const struct scenario *scenario)
{
    if (!world->noted && !cli_given(cli, OPT_QUIET))
        world->noted = network_note(scenario);
}

bool plan_world_open(struct plan_world *world, const struct cli *cli, const struct growth *growth,
                     struct err *err)
{
    *world = (struct plan_world){.path = cli->operands[0], .overrides = overrides_of(cli)};
    world->overrides.resample = true;
    if (!load_base(world, err))
        return false;
    bool list = cJSON_IsArray(json_member(world->resolved, "workload"));
    fix_demand(world, list);
    grow_demand(world, list, growth);
    scenario_destroy(world->given);
    world->given = NULL;
    struct scen_overrides overrides = world->overrides;
    overrides.changes = world->changes;
    overrides.change_count = world->change_count;
    if (!steady_load(&world->given, world->path, &overrides, &world->steady, err))
        return false;
    if (!cli_given(cli, OPT_QUIET))
        steady_note(&world->steady, NULL);
    plan_world_note(world, cli, world->given);
    if (!cli_given(cli, OPT_QUIET))
        scenario_notes(world->given);
    return simulation_check_policy(world->given, err);
}

static void free_text(const char *text)
{
    free((char *)(uintptr_t)text);
}

void plan_world_close(struct plan_world *world)
{
    for (size_t i = 0; i < world->change_count; i++) {
        free_text(world->changes[i].path);
        free_text(world->changes[i].value);
    }
    free(world->changes);
    cJSON_Delete(world->resolved);
    scenario_destroy(world->given);
    *world = (struct plan_world){0};
}
