/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searching the number of nodes; see plan_slo.h. */
#include "sim/cli/plan_slo.h"

#include "report/plan/capacity.h"
#include "scenarios/json_source.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/cli/experiment.h"
#include "sim/cli/overrides.h"
#include "sim/cli/plan_bound.h"
#include "sim/cli/run_dir.h"
#include "sim/cli/signals.h"
#include "sim/cli/simulate.h"
#include "sim/cli/steady.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define REPLICAS     20 /* of a scenario that has one */
#define RANGE_FACTOR INT64_C(8)
#define MOST_NODES   INT64_C(4194304) /* of a pool */
#define WIDTH        110

struct plan_slo {
    const struct cli *cli;
    const char *path;
    struct scen_overrides overrides; /* of the command line, with the replicas */
    struct steady steady;            /* the given fleet's: all others are measured in the same window */
    struct scenario *given;
    struct target targets[SEARCH_TARGETS];
    struct capacity c;
    size_t pool;
    cJSON *resolved; /* of `given` */
    int threads;
    double top_never_fits; /* on the most nodes, of the range or as given; below 0: not known yet */
    bool interrupted;
};

/* ---- one number of nodes ---- */

/* A load that refers to the fleet means the given one: the demand stays while the fleet grows. */
static size_t fix_demand(const struct plan_slo *plan, struct scen_change *changes, char **texts)
{
    const struct scenario *sc = plan->given;
    bool list = cJSON_IsArray(json_member(plan->resolved, "workload"));
    int64_t gpus = 0;
    size_t count = 0;
    for (size_t i = 0; i < sc->pool_count; i++)
        gpus += (sc->pools[i].count - plan_spares(sc, i)) * sc->pools[i].node.gpus;
    for (size_t i = 0; i < sc->source_count; i++) {
        if (sc->sources[i].trace != NULL || sc->sources[i].generate.gpus_given)
            continue;
        char *path = list ? mem_format("workload[%zu].generate.gpus", i) : mem_text("workload.generate.gpus");
        char *value = mem_format("%" PRId64, gpus);
        texts[2 * count] = path;
        texts[2 * count + 1] = value;
        changes[count++] = (struct scen_change){
            .label = "plan: GPUs that the load refers to", .path = path, .value = value, .folder = ""};
    }
    return count;
}

static bool load_with(const struct plan_slo *plan, int64_t nodes, struct scenario **scenario, struct err *err)
{
    size_t most = plan->given->source_count + 1;
    struct scen_change *changes = mem_alloc(most, sizeof *changes);
    char **texts = mem_alloc(2 * most, sizeof *texts);
    size_t count = fix_demand(plan, changes, texts);
    char *path = mem_format("fleet.pools[%zu].count", plan->pool), *value = mem_format("%" PRId64, nodes);
    changes[count] =
        (struct scen_change){.label = "plan: nodes of the pool", .path = path, .value = value, .folder = ""};
    struct scen_overrides overrides = plan->overrides;
    overrides.changes = changes;
    overrides.change_count = count + 1;
    struct steady steady = plan->steady;
    bool ok = steady_load(scenario, plan->path, &overrides, &steady, err) ||
              err_prefix(err, "with %" PRId64 " nodes (see --range)", nodes);
    for (size_t i = 0; i < 2 * count; i++)
        free(texts[i]);
    free(texts);
    free(path);
    free(value);
    free(changes);
    return ok;
}

static bool judge(struct plan_slo *plan, const struct experiment_side *side, struct capacity_point *point,
                  struct err *err)
{
    cJSON **summaries = mem_alloc((size_t)side->count + 1, sizeof(cJSON *));
    bool ok = true;
    for (int i = 0; i < side->count; i++) {
        summaries[i] = cJSON_Parse(side->summaries[i]);
        ok = ok && (summaries[i] != NULL || err_set(err, EXIT_INTERNAL, "a summary is no JSON"));
    }
    ok = ok && capacity_judge(&plan->c, point, summaries, (size_t)side->count, err);
    for (int i = 0; i < side->count; i++)
        cJSON_Delete(summaries[i]);
    free(summaries);
    return ok;
}

static int64_t gpus_of(const struct scenario *sc)
{
    int64_t gpus = 0;
    for (size_t i = 0; i < sc->pool_count; i++)
        gpus += sc->pools[i].count * sc->pools[i].node.gpus;
    return gpus;
}

/* Simulates all replicas with so many nodes. Not true either when it was interrupted. */
static bool simulate(struct plan_slo *plan, int64_t nodes, struct capacity_point *point, struct err *err)
{
    struct scenario *scenario;
    if (!load_with(plan, nodes, &scenario, err))
        return false;
    struct experiment_side side = {.scenario = scenario};
    struct progress progress;
    struct experiment experiment = {.sides = &side,
                                    .side_count = 1,
                                    .threads = plan->threads,
                                    .audit = cli_given(plan->cli, OPT_AUDIT),
                                    .progress = &progress};
    progress_begin(&progress, cli_given(plan->cli, OPT_QUIET));
    bool ok = experiment_run(&experiment, plan->c.replicas, err);
    progress_end(&progress);
    plan->interrupted = experiment.interrupted;
    *point = (struct capacity_point){.nodes = nodes, .gpus = gpus_of(scenario)};
    ok = ok && !plan->interrupted && judge(plan, &side, point, err);
    experiment_forget(&experiment);
    scenario_destroy(scenario);
    return ok;
}

/* Whether jobs never fit on these nodes that do on the most, of the range or as given. */
static bool see_crowd(struct plan_slo *plan, struct capacity_point *point, struct err *err)
{
    int64_t most = plan->c.high > plan->c.given ? plan->c.high : plan->c.given;
    if (!(point->never_fits > 0) || point->nodes == most)
        return true;
    if (plan->top_never_fits < 0) {
        struct capacity_point top;
        if (!simulate(plan, most, &top, err))
            return false;
        plan->top_never_fits = top.never_fits;
        if (most == plan->c.high && capacity_find(&plan->c, most) == NULL)
            (void)capacity_add(&plan->c, &top);
    }
    point->crowded = point->never_fits > plan->top_never_fits;
    point->met = point->crowded ? 0 : point->met;
    return true;
}

static bool try_nodes(void *self, int64_t nodes, uint32_t *met, struct err *err)
{
    struct plan_slo *plan = self;
    const struct capacity_point *known = capacity_find(&plan->c, nodes);
    if (known == NULL) {
        struct capacity_point point;
        if (!simulate(plan, nodes, &point, err) || !see_crowd(plan, &point, err))
            return false;
        known = capacity_add(&plan->c, &point);
    }
    *met = known->met;
    return true;
}

/* ---- what is asked for ---- */

static bool read_targets(struct plan_slo *plan, struct err *err)
{
    size_t count;
    const char *const *texts = cli_all(plan->cli, OPT_TARGET, &count);
    plan->c.targets = plan->targets;
    if (count > SEARCH_TARGETS)
        return err_set(err, EXIT_INPUT, "--target: at most %zu targets, got %zu", SEARCH_TARGETS, count);
    for (size_t i = 0; i < count; i++) {
        if (!target_parse(&plan->targets[i], texts[i], err))
            return err_prefix(err, "--target");
        plan->c.target_count++;
    }
    return count > 0 || err_set(err, EXIT_INPUT, "no target given (--target 'p95(wait) <= 2h')");
}

static bool read_confidence(struct plan_slo *plan, struct err *err)
{
    const char *text = cli_option(plan->cli, OPT_CONFIDENCE);
    plan->c.confidence = 0.9;
    if (text == NULL || (text_f64(text, strlen(text), &plan->c.confidence) && plan->c.confidence > 0.5 &&
                         plan->c.confidence <= 0.999999))
        return true;
    return err_set(err, EXIT_INPUT,
                   "--confidence '%s': expected a probability above 0.5 and up to 0.999999, such as 0.9",
                   text);
}

static bool is_allowed(const struct plan_slo *plan, int64_t nodes)
{
    struct scenario *scenario;
    struct err ignored = {0};
    if (!load_with(plan, nodes, &scenario, &ignored))
        return false;
    scenario_destroy(scenario);
    return true;
}

/* As many nodes as the scenario allows, whose fabric may have an end; the ones that it has are fine. */
static int64_t most_allowed(const struct plan_slo *plan, int64_t most)
{
    int64_t allowed = plan->c.given, refused = most;
    if (most <= allowed || is_allowed(plan, most))
        return most;
    while (refused - allowed > 1) {
        int64_t middle = allowed + (refused - allowed) / 2;
        if (is_allowed(plan, middle))
            allowed = middle;
        else
            refused = middle;
    }
    return allowed;
}

/* "LO..HI". */
static bool read_range(struct plan_slo *plan, struct err *err)
{
    const char *text = cli_option(plan->cli, OPT_RANGE), *dots = text ? strstr(text, "..") : NULL;
    struct capacity *c = &plan->c;
    if (text == NULL) {
        int64_t most = c->given > c->bound.nodes ? c->given : c->bound.nodes;
        c->low = 1 + plan_spares(plan->given, plan->pool);
        c->high = most_allowed(plan, most > MOST_NODES / RANGE_FACTOR ? MOST_NODES : most * RANGE_FACTOR);
        return true;
    }
    if (dots != NULL && text_i64(text, (size_t)(dots - text), &c->low) &&
        text_i64(dots + 2, strlen(dots + 2), &c->high) && c->low >= 1 && c->low <= c->high &&
        c->high <= MOST_NODES)
        return true;
    return err_set(err, EXIT_INPUT,
                   "--range '%s': expected two numbers of nodes from 1 to %" PRId64 ", such as 4..64", text,
                   MOST_NODES);
}

/* The pool whose nodes are to be found: the named one, else the one with the most GPUs, the first of equals. */
static bool choose_pool(struct plan_slo *plan, struct err *err)
{
    const struct scenario *sc = plan->given;
    const char *name = cli_option(plan->cli, OPT_POOL);
    size_t chosen = sc->pool_count;
    for (size_t i = 0; i < sc->pool_count; i++) {
        const struct scen_pool *pool = &sc->pools[i], *best = chosen < i ? &sc->pools[chosen] : NULL;
        bool larger = best == NULL || pool->count * pool->node.gpus > best->count * best->node.gpus;
        if (name != NULL ? strcmp(pool->name, name) == 0 : larger)
            chosen = i;
    }
    char hint[160];
    if (chosen == sc->pool_count)
        return err_set(
            err, EXIT_INPUT, "--pool: no pool is named '%s'%s", name,
            text_suggest(hint, sizeof hint, name, &sc->pools[0].name, sc->pool_count, sizeof *sc->pools));
    if (sc->pools[chosen].node.gpus == 0)
        return err_set(err, EXIT_INPUT, "pool '%s' has no GPUs: choose another with --pool",
                       sc->pools[chosen].name);
    plan->pool = chosen;
    plan->c.pool = sc->pools[chosen].name;
    plan->c.given = sc->pools[chosen].count;
    return true;
}

static bool check_scenario(struct plan_slo *plan, struct err *err)
{
    const struct scenario *sc = plan->given;
    plan->resolved = cJSON_Parse(sc->resolved);
    const cJSON *fleet = json_member(plan->resolved, "fleet");
    if (sc->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT, "%s: a packing study has no waits to plan by", plan->path);
    if (sc->node_count > 0)
        return err_set(
            err, EXIT_INPUT,
            "%s: the fleet is a list of nodes, each of which may be different: say what is to be added as "
            "a pool (fleet.pools)",
            plan->path);
    if (!cJSON_IsArray(json_member(fleet, "pools")))
        return err_set(
            err, EXIT_INPUT,
            "%s: the pools stand in a file of their own (fleet.pools_file): write the one that is to vary "
            "into the scenario (fleet.pools)",
            plan->path);
    return simulation_check_policy(sc, err);
}

/* The scenario with as many replicas as the plan takes; shaken, unless it says otherwise. */
static bool load_base(struct plan_slo *plan, struct err *err)
{
    plan->overrides = overrides_of(plan->cli);
    if (!scenario_load(&plan->given, plan->path, &plan->overrides, err))
        return false;
    if (plan->given->replicas == 1 && plan->overrides.has_replicas)
        return err_set(err, EXIT_INPUT,
                       "--replicas 1: one replay is one sample and gives no confidence; at least 2");
    bool single = plan->given->replicas == 1;
    if (single) {
        plan->overrides.has_replicas = true;
        plan->overrides.replicas = REPLICAS;
    }
    if (single || plan->given->window.warmup_auto) {
        scenario_destroy(plan->given);
        plan->given = NULL;
        if (!steady_load(&plan->given, plan->path, &plan->overrides, &plan->steady, err))
            return false;
        if (!cli_given(plan->cli, OPT_QUIET))
            steady_note(&plan->steady, NULL);
    }
    plan->c.replicas = plan->given->replicas;
    plan->c.scenario = plan->given->name;
    plan->c.policy = plan->given->policy.name;
    return check_scenario(plan, err) && choose_pool(plan, err);
}

/* ---- the search and its outcome ---- */

static bool find_answer(struct plan_slo *plan, struct err *err)
{
    struct capacity *c = &plan->c;
    if (!plan_bound(c, plan->given, plan->pool, plan->threads, &plan->interrupted, err) ||
        plan->interrupted || !read_range(plan, err))
        return false;
    int64_t start = c->low;
    if (c->bound.known && c->bound.nodes > start)
        start = c->bound.nodes < c->high ? c->bound.nodes : c->high;
    struct search search = {.low = c->low,
                            .high = c->high,
                            .start = start,
                            .target_count = c->target_count,
                            .try = try_nodes,
                            .self = plan};
    uint32_t met;
    if (c->bound.impossible) /* what it looks like on the most nodes is all there is to say */
        return try_nodes(plan, c->high, &met, err);
    return search_smallest(&search, &c->found, err);
}

static bool print(const struct plan_slo *plan, struct err *err)
{
    struct out *out = plan->cli->out;
    const char *dir = cli_option(plan->cli, OPT_OUTPUT);
    if (cli_given(plan->cli, OPT_JSON)) {
        struct json json;
        json_init(&json, out, 1);
        capacity_json(&plan->c, &json);
        out_char(out, '\n');
    } else {
        capacity_table(&plan->c, out, WIDTH);
    }
    return dir == NULL || (run_dir_make(dir, err) && capacity_write(&plan->c, dir, err));
}

static int run_plan(struct plan_slo *plan)
{
    struct err err = {0};
    if (!read_targets(plan, &err) || !read_confidence(plan, &err) || !load_base(plan, &err))
        return cli_fail(&err);
    cli_catch_signals();
    bool ok = find_answer(plan, &err);
    if (plan->interrupted) {
        cli_message("interrupted");
        return 128 + cli_interrupted();
    }
    cli_release_signals();
    if (!ok || !print(plan, &err))
        return cli_fail(&err);
    return plan->c.found.answer > 0 ? EXIT_OK : EXIT_UNDECIDED;
}

int plan_slo(struct cli *cli)
{
    struct plan_slo plan = {.cli = cli,
                            .path = cli->operands[0],
                            .threads = (int)cli_number(cli, OPT_JOBS, 1),
                            .top_never_fits = -1};
    int code = run_plan(&plan);
    for (size_t i = 0; i < plan.c.target_count; i++)
        target_fini(&plan.targets[i]);
    capacity_fini(&plan.c);
    cJSON_Delete(plan.resolved);
    scenario_destroy(plan.given);
    return code;
}
