/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulating for the gate; see gate_run.h. */
#include "sim/cli/gate_run.h"

#include "report/gate/words.h"
#include "report/plan/target.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/cli/command_words.h"
#include "sim/cli/gate_difference.h"
#include "sim/cli/network.h"
#include "sim/cli/overrides.h"
#include "sim/cli/simulate.h"
#include "sim/cli/workload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_FLOOR 30.0 /* of metrics in seconds, unless the suite says another */

/* An A/A gate shakes the candidate's arrivals with seeds that are this far from the base's. */
#define OTHER_SHAKES ((uint64_t)1 << 32)

/* ---- metrics ---- */

static bool unknown_metric(const struct gate_run *run, const struct gate_suite_metric *metric,
                           struct err *err)
{
    size_t count;
    const struct metric_row *rows = metric_rows(&count);
    char hint[128];
    return err_set(err, EXIT_INPUT, "%s:%zu: metrics: no metric is named '%.200s' (see 'list metrics')%s",
                   run->suite.source.name, metric->line, metric->path,
                   text_suggest(hint, sizeof hint, metric->path, &rows[0].name, count, sizeof *rows));
}

static bool take_metric(const struct gate_run *run, const struct gate_suite_metric *from,
                        struct gate_metric *to, struct err *err)
{
    const struct metric_row *row = metric_find(from->path);
    if (row == NULL)
        return unknown_metric(run, from, err);
    enum metric_better better = from->direction == NULL                 ? row->better
                                : strcmp(from->direction, "lower") == 0 ? METRIC_LOWER
                                                                        : METRIC_HIGHER;
    if (better == METRIC_NEUTRAL)
        return err_set(err, EXIT_INPUT,
                       "%s:%zu: metrics: '%.200s' is neither better nor worse when it changes: expected a "
                       "\"direction\", lower or higher",
                       run->suite.source.name, from->line, from->path);
    double floor = strcmp(row->unit, "s") == 0 ? SECONDS_FLOOR : 0;
    *to = (struct gate_metric){
        .path = from->path,
        .row = row,
        .rule = {.better = better, .margin = from->margin, .floor = from->floor >= 0 ? from->floor : floor},
        .guard = from->guard,
        .line = from->line,
    };
    return true;
}

/* Such as mean(jct){queue=vision}: as dotted paths from here on. */
static bool translate_metrics(struct gate_suite *suite, struct err *err)
{
    for (size_t i = 0; i < suite->metric_count; i++) {
        char *path = target_metric(suite->metrics[i].path, err);
        if (path == NULL)
            return err_prefix(err, "%s:%zu: metrics", suite->source.name, suite->metrics[i].line);
        free(suite->metrics[i].path);
        suite->metrics[i].path = path;
    }
    return true;
}

/* ---- the gate, from the suite ---- */

static char *reproduce(const struct cli *cli)
{
    static const enum option_id options[] = {
        OPT_BASE,     OPT_CANDIDATE,         OPT_BASELINE,     OPT_TRACE, OPT_SET,   OPT_SEED,
        OPT_REPLICAS, OPT_REQUIRE_IDENTICAL, OPT_INCONCLUSIVE, OPT_AA,    OPT_AUDIT, OPT_DECISION_LIMIT};
    struct command_words words = {0};
    command_word(&words, mem_text("fauxfleet"));
    command_word(&words, mem_text("gate"));
    command_word(&words, mem_text(cli->operands[0]));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        command_option(&words, cli, options[i]);
    char *text = command_text(&words);
    command_forget(&words);
    return text;
}

static bool fill_gate(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    const struct gate_suite *suite = &run->suite;
    const struct cli *cli = run->cli;
    g->suite = suite->name;
    g->suite_file = cli->operands[0];
    g->version = FAUXFLEET_VERSION;
    g->alpha = suite->alpha;
    g->shaken = cli_given(cli, OPT_AA);
    g->command = reproduce(cli);
    g->look_count = suite->look_count;
    for (size_t k = 0; k < suite->look_count; k++)
        g->looks[k] = suite->looks[k];
    if (cli_given(cli, OPT_REPLICAS)) {
        g->look_count = 1;
        g->looks[0] = (int)cli_number(cli, OPT_REPLICAS, 0);
    }
    for (int side = 0; side < SIDES; side++)
        g->names[side] = mem_text(run->policies[side] != NULL ? run->policies[side] : "");
    g->metrics = mem_alloc(suite->metric_count, sizeof *g->metrics);
    for (; g->metric_count < suite->metric_count; g->metric_count++)
        if (!take_metric(run, &suite->metrics[g->metric_count], &g->metrics[g->metric_count], err))
            return false;
    g->scenarios = mem_alloc(suite->scenario_count, sizeof *g->scenarios);
    for (; g->scenario_count < suite->scenario_count; g->scenario_count++)
        g->scenarios[g->scenario_count] = (struct gate_scenario){
            .name = mem_text(suite->scenarios[g->scenario_count].name),
            .file = mem_text(suite->scenarios[g->scenario_count].file),
            .starvation_ms = suite->scenarios[g->scenario_count].starvation_ms,
        };
    gate_begin(g);
    return true;
}

/* ---- scenarios ---- */

/*
 * `side` SIDES: with the scenario's own policy, which the digest of its world is taken with, and an end of the warm-up
 * that is left to be found.
 */
static bool load(const struct gate_run *run, size_t s, int side, int replicas, struct scenario **scenario,
                 struct err *err)
{
    struct scen_overrides command_line = overrides_of(run->cli);
    struct gate_changes changes;
    const char *file = run->suite.scenarios[s].file;
    command_line.policy = side < SIDES ? run->policies[side] : NULL;
    command_line.policy_option = side == SIDE_B ? "--candidate" : "--base";
    command_line.has_replicas = true; /* more than one: they are shaken */
    command_line.replicas = replicas;
    bool ok = gate_suite_changes(&run->suite, s, &command_line, &changes, err) &&
              (side == SIDES ? scenario_load(scenario, file, &changes.overrides, err)
                             : steady_load(scenario, file, &changes.overrides, &run->worlds[s].steady, err));
    gate_changes_free(&changes);
    return ok;
}

static bool load_side(struct gate_run *run, size_t s, int side, struct err *err)
{
    const struct gate *g = &run->gate;
    struct gate_world *world = &run->worlds[s];
    int replicas = g->looks[g->look_count - 1];
    if (run->policies[side] == NULL)
        return true;
    if (!load(run, s, side, replicas > 1 ? replicas : 2, &world->scenario[side], err) ||
        !simulation_check_policy(world->scenario[side], err))
        return false;
    struct scenario *sc = world->scenario[side];
    if (workload_reads_stdin(sc))
        return err_set(err, EXIT_INPUT, "a gate cannot read jobs from standard input: give a file");
    if (side == SIDE_B && g->shaken) {
        sc->shake_seed = (sc->has_shake_seed ? sc->shake_seed : sc->seed) + OTHER_SHAKES;
        sc->has_shake_seed = true;
    }
    world->names[side] = mem_format("scenario '%s': %s", g->scenarios[s].name, gate_side_names[side]);
    world->sides[side] = (struct experiment_side){.scenario = sc, .name = world->names[side]};
    return true;
}

static bool load_world(struct gate_run *run, size_t s, struct err *err)
{
    struct scenario *own = NULL;
    struct gate_scenario *to = &run->gate.scenarios[s];
    struct gate_world *world = &run->worlds[s];
    if (!load(run, s, SIDES, 2, &own, err))
        return false;
    (void)snprintf(to->digest, GATE_DIGEST, "sha256:%s", own->digest);
    bool find = own->window.warmup_auto;
    scenario_destroy(own);
    if (find && run->baseline.source.root != NULL) /* 0 where it has none: it is refused then */
        world->steady = (struct steady){
            .known = true,
            .warmup_ms = baseline_warmup_ms(&run->baseline, to->name),
        };
    if (!load_side(run, s, SIDE_A, err) || !load_side(run, s, SIDE_B, err))
        return false;
    bool quiet = cli_given(run->cli, OPT_QUIET);
    for (int side = 0; side < SIDES && !quiet && !run->noted; side++)
        run->noted = world->scenario[side] != NULL && network_note(world->scenario[side]);
    to->warmup_ms = world->steady.known ? world->steady.warmup_ms : -1;
    if (find && run->baseline.source.root == NULL && !quiet)
        steady_note(&world->steady, to->name);
    return true;
}

bool gate_run_open(struct gate_run *run, const struct cli *cli, struct err *err)
{
    *run = (struct gate_run){.cli = cli};
    run->policies[SIDE_A] = cli_option(cli, OPT_BASE);
    run->policies[SIDE_B] = cli_option(cli, OPT_CANDIDATE);
    if (!gate_suite_open(&run->suite, cli->operands[0], err) || !translate_metrics(&run->suite, err) ||
        !fill_gate(run, err))
        return false;
    const char *baseline = cli_option(cli, OPT_BASELINE);
    if (baseline != NULL && !baseline_open(&run->baseline, baseline, err))
        return false;
    run->worlds = mem_alloc(run->gate.scenario_count, sizeof *run->worlds);
    for (size_t s = 0; s < run->gate.scenario_count; s++)
        if (!load_world(run, s, err))
            return false;
    return true;
}

void gate_run_close(struct gate_run *run)
{
    for (size_t s = 0; run->worlds != NULL && s < run->gate.scenario_count; s++) {
        struct experiment experiment = {.sides = run->worlds[s].sides, .side_count = SIDES};
        experiment_forget(&experiment);
        for (int side = 0; side < SIDES; side++) {
            scenario_destroy(run->worlds[s].scenario[side]);
            free(run->worlds[s].names[side]);
        }
    }
    free(run->worlds);
    gate_fini(&run->gate);
    baseline_close(&run->baseline);
    gate_suite_close(&run->suite);
}

/* ---- simulating ---- */

/* The summaries that the gate has not seen yet. */
static bool take_new(struct gate_run *run, size_t s, struct err *err)
{
    for (int side = 0; side < SIDES; side++) {
        const struct experiment_side *from = &run->worlds[s].sides[side];
        for (size_t k = run->gate.scenarios[s].sides[side].count; k < (size_t)from->count; k++)
            if (!gate_take(&run->gate, s, side, from->scenario->seed + k, from->summaries[k], err))
                return false;
    }
    return true;
}

/* Sides without a scenario have no replicas to simulate: those that there are stand first. */
static bool simulate(struct gate_run *run, size_t s, int replicas, bool audit, struct err *err)
{
    struct gate_world *world = &run->worlds[s];
    int first = world->scenario[SIDE_A] != NULL && run->baseline.source.root == NULL ? SIDE_A : SIDE_B;
    size_t count = world->scenario[SIDE_B] == NULL ? 1 : (size_t)(SIDES - first);
    struct experiment experiment = {.sides = &world->sides[first],
                                    .side_count = count,
                                    .threads = (int)cli_number(run->cli, OPT_JOBS, 1),
                                    .audit = audit,
                                    .progress = &run->progress};
    bool ok = experiment_run(&experiment, replicas, err);
    run->interrupted |= experiment.interrupted;
    return ok;
}

/* Of the first replicas of a scenario the suite may want all invariants checked after every event. */
static bool extend(struct gate_run *run, size_t s, int replicas, struct err *err)
{
    bool all = cli_given(run->cli, OPT_AUDIT);
    int audited = run->suite.audit < replicas ? run->suite.audit : replicas;
    bool ok = (all || audited == 0 || simulate(run, s, audited, true, err)) &&
              (run->interrupted || simulate(run, s, replicas, all, err));
    return ok && (run->interrupted || take_new(run, s, err));
}

static bool find_difference(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    for (size_t s = 0; s < g->scenario_count; s++) {
        const struct scenario *const sides[SIDES] = {run->worlds[s].scenario[SIDE_A],
                                                     run->worlds[s].scenario[SIDE_B]};
        const struct gate_scenario *scenario = &g->scenarios[s];
        for (size_t k = 0; k < gate_pairs(g, s) && sides[SIDE_A] != NULL; k++)
            if (strcmp(scenario->sides[SIDE_A].replicas[k].journal,
                       scenario->sides[SIDE_B].replicas[k].journal) != 0) {
                g->difference.scenario = s;
                g->difference.replica = k;
                return gate_find_difference(sides, (int)k + 1, &g->difference, err);
            }
    }
    return true;
}

static bool must_be_identical(struct gate_run *run)
{
    if (!cli_given(run->cli, OPT_REQUIRE_IDENTICAL))
        return false;
    size_t pairs = 0, same = 0;
    for (size_t s = 0; s < run->gate.scenario_count; s++) {
        pairs += gate_pairs(&run->gate, s);
        same += run->gate.scenarios[s].same;
    }
    return gate_decide(&run->gate, GATE_IDENTITY, GATE_DIFFERENT,
                       mem_format("Decisions differ in %zu of %zu pairs of replicas, and had to be the same.",
                                  pairs - same, pairs));
}

/* After a look; true when there is a verdict, or err is set. */
static bool ask(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    bool first = g->looked == 0;
    if (first && !gate_check_metrics(g, err))
        return true;
    if (gate_incompatible(g) || gate_identical(g))
        return true;
    if (first && !g->shaken && !find_difference(run, err))
        return true;
    return must_be_identical(run) || gate_starved(g) || gate_judge(g);
}

static bool is_verdict(struct gate_run *run, struct err *err, struct err *found)
{
    if (found->code == EXIT_INVARIANT)
        return gate_decide(&run->gate, GATE_INVARIANTS, GATE_VIOLATED, mem_text(found->msg));
    *err = *found;
    return false;
}

static bool look(struct gate_run *run, int replicas, bool *decided, struct err *err)
{
    struct err found = {0};
    for (size_t s = 0; s < run->gate.scenario_count && !run->interrupted; s++) {
        bool wanted = run->gate.looked == 0 || gate_is_open(&run->gate, s);
        if (wanted && !extend(run, s, replicas, &found)) {
            *decided = true;
            return is_verdict(run, err, &found);
        }
    }
    *decided = !run->interrupted && ask(run, &found);
    return found.code == 0 || is_verdict(run, err, &found);
}

/* Of the replicas that the verdict was taken from. A stored baseline has only the metrics of its suite. */
static bool find_losers(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    for (size_t s = 0; s < g->scenario_count; s++) {
        const struct gate_world *world = &run->worlds[s];
        struct pairing_side sides[SIDES];
        bool both = run->baseline.source.root == NULL;
        for (int side = 0; side < SIDES && both; side++) {
            both = world->scenario[side] != NULL;
            if (both)
                sides[side] = (struct pairing_side){.name = gate_side_names[side],
                                                    .scenario = world->scenario[side]->resolved,
                                                    .summaries = world->sides[side].summaries,
                                                    .count = (int)gate_pairs(g, s),
                                                    .any_workload = true};
        }
        if (both && !gate_find_losers(g, s, sides, err))
            return false;
    }
    return true;
}

bool gate_run_decide(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    struct err found = {0};
    if (run->baseline.source.root != NULL && !baseline_apply(&run->baseline, g, &found))
        return gate_decide(g, GATE_COMPATIBILITY, GATE_INCOMPATIBLE, mem_text(found.msg));
    bool ok = true, decided = false;
    progress_begin(&run->progress, cli_given(run->cli, OPT_QUIET));
    for (size_t k = 0; ok && !decided && !run->interrupted && k < g->look_count; k++)
        ok = look(run, g->looks[k], &decided, err);
    progress_end(&run->progress);
    return ok && (!decided || g->stage != GATE_STATISTICS || find_losers(run, err));
}

bool gate_run_base(struct gate_run *run, struct err *err)
{
    bool ok = true;
    progress_begin(&run->progress, cli_given(run->cli, OPT_QUIET));
    for (size_t s = 0; ok && !run->interrupted && s < run->gate.scenario_count; s++)
        ok = extend(run, s, run->gate.looks[run->gate.look_count - 1], err);
    progress_end(&run->progress);
    return ok;
}
