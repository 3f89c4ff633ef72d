/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Simulating for the gate; see run.h. */
#include "sim/gate/run.h"

#include "report/gate/resources.h"
#include "report/gate/timing.h"
#include "report/gate/words.h"
#include "report/plan/target.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/gate/pieces.h"
#include "sim/program/command_words.h"
#include "sim/program/machine.h"
#include "sim/study/steady.h"
#include "sim/world/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS_FLOOR 30.0 /* for metrics in seconds, unless the suite has another */

/* ---- metrics ---- */

static bool unknown_metric(const struct gate_run *run, const struct gate_suite_metric *metric,
                           struct err *err)
{
    size_t count;
    const char **names = metric_names(&count);
    char hint[128];
    (void)text_suggest(hint, sizeof hint, metric->path, names, count, sizeof *names);
    free(names);
    return err_set(err, EXIT_INPUT,
                   "%s:%zu: metrics: no metric is named '%.200s' (see 'list metrics')%s",
                   run->source.suite.source.name, metric->line, metric->path, hint);
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
                       "%s:%zu: metrics: '%.200s' is neither better nor worse when it changes: "
                       "expected a \"direction\", lower or higher",
                       run->source.suite.source.name, from->line, from->path);
    double floor = strcmp(row->unit, "s") == 0 ? SECONDS_FLOOR : 0;
    *to = (struct gate_metric){
        .path = from->path,
        .row = row,
        .rule = {.better = better,
                 .margin = from->margin,
                 .floor = from->floor >= 0 ? from->floor : floor},
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
        OPT_BASE,         OPT_CANDIDATE, OPT_BASELINE, OPT_TRACE,
        OPT_SET,          OPT_SEED,      OPT_REPLICAS, OPT_REQUIRE_IDENTICAL,
        OPT_INCONCLUSIVE, OPT_AA,        OPT_AUDIT,    OPT_DECISION_LIMIT};
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
    const struct gate_suite *suite = &run->source.suite;
    const struct cli *cli = run->cli;
    g->suite = suite->name;
    g->suite_file = cli->operands[0];
    g->version = FAUXFLEET_VERSION;
    g->alpha = suite->alpha;
    g->jittered = cli_given(cli, OPT_AA);
    g->command = reproduce(cli);
    g->machine = machine_text();
    g->look_count = run->source.look_count;
    for (size_t k = 0; k < g->look_count; k++)
        g->looks[k] = run->source.looks[k];
    for (int which = 0; which < GATE_RESOURCE_COUNT; which++) {
        const struct gate_suite_resource *from = &suite->resources[which];
        gate_resource_rule(g, (enum gate_resource)which, from->margin, from->floor, from->guard,
                           from->off);
    }
    for (int side = 0; side < SIDES; side++)
        g->names[side] =
            mem_text(run->source.policies[side] != NULL ? run->source.policies[side] : "");
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
    return true;
}

/* ---- scenarios ---- */

static bool load_world(struct gate_run *run, size_t s, struct err *err)
{
    struct scenario *own = NULL;
    struct gate_scenario *to = &run->gate.scenarios[s];
    struct gate_world *world = &run->worlds[s];
    if (!gate_source_world(&run->source, s, &own, err))
        return false;
    (void)snprintf(to->digest, GATE_DIGEST, "sha256:%s", own->digest);
    bool find = own->window.warmup_auto;
    gate_queues_take(&run->queues, s, own);
    scenario_destroy(own);
    if (find && run->baseline.source.root != NULL) /* 0 where it has none: it is refused then */
        world->steady = (struct steady){
            .known = true,
            .warmup_ms = baseline_warmup_ms(&run->baseline, to->name),
        };
    return true;
}

bool gate_run_open(struct gate_run *run, const struct cli *cli, struct err *err)
{
    *run = (struct gate_run){.cli = cli};
    if (!gate_side_limits(cli, &run->limits, err) || !gate_source_open(&run->source, cli, err) ||
        !translate_metrics(&run->source.suite, err) || !fill_gate(run, err))
        return false;
    if (!replica_store_open(&run->store, cli_option(cli, OPT_OUTPUT), "a gate", err))
        return false;
    const char *baseline = cli_option(cli, OPT_BASELINE);
    if (baseline != NULL && !baseline_open(&run->baseline, baseline, err))
        return false;
    run->worlds = mem_alloc(run->gate.scenario_count, sizeof *run->worlds);
    for (size_t s = 0; s < run->gate.scenario_count; s++)
        if (!load_world(run, s, err))
            return false;
    if (!gate_queues_expand(&run->queues, &run->gate, err))
        return false;
    gate_begin(&run->gate);
    return true;
}

static void forget_side(struct gate_simulated *side)
{
    free(side->costs);
    free(side->again);
}

void gate_run_close(struct gate_run *run)
{
    for (size_t s = 0; run->worlds != NULL && s < run->gate.scenario_count; s++)
        for (int side = 0; side < SIDES; side++) {
            forget_side(&run->worlds[s].sides[side]);
            scenario_destroy(run->worlds[s].scenario[side]);
        }
    free(run->worlds);
    gate_queues_free(&run->queues);
    replica_store_close(&run->store);
    gate_fini(&run->gate);
    baseline_close(&run->baseline);
    gate_source_close(&run->source);
}

/* The scenarios of a side, once its policy and the end of the warm-up are known to be fine. */
static bool load_side(struct gate_run *run, int side, struct err *err)
{
    bool quiet = cli_given(run->cli, OPT_QUIET);
    for (size_t s = 0; s < run->gate.scenario_count; s++) {
        struct gate_world *world = &run->worlds[s];
        if (!gate_source_side(&run->source, s, side, &world->steady, &world->scenario[side], err))
            return false;
        if (!quiet && !run->noted)
            run->noted = network_note(world->scenario[side]);
        if (!quiet && side == SIDE_A && run->baseline.source.root == NULL)
            steady_note(&world->steady, run->gate.scenarios[s].name);
        run->gate.scenarios[s].warmup_ms = world->steady.known ? world->steady.warmup_ms : -1;
    }
    return true;
}

/* The base comes first, since it determines where "auto" warm-ups end. Returns false with err set;
 * there may be a verdict, or a signal. */
static bool prepare(struct gate_run *run, bool *decided, struct err *err)
{
    for (int side = 0; side < SIDES; side++) {
        if (run->source.policies[side] == NULL)
            continue;
        if (!gate_prepare(run, side, err))
            return false;
        *decided = !run->interrupted && gate_broken(&run->gate);
        if (*decided || run->interrupted)
            return true;
        if (!load_side(run, side, err))
            return false;
    }
    return true;
}

/* ---- looks ---- */

static bool must_be_identical(struct gate_run *run)
{
    if (!cli_given(run->cli, OPT_REQUIRE_IDENTICAL))
        return false;
    size_t pairs = 0, same = 0;
    for (size_t s = 0; s < run->gate.scenario_count; s++) {
        pairs += gate_pairs(&run->gate, s);
        same += run->gate.scenarios[s].same;
    }
    return gate_decide(
        &run->gate, GATE_IDENTITY, GATE_DIFFERENT,
        mem_format("Decisions differ in %zu of %zu pairs of replicas, and had to be the same.",
                   pairs - same, pairs));
}

/* True if both sides have the decisions of the replica. */
static bool can_tell(const struct gate_run *run, size_t s, size_t k)
{
    const struct gate_world *world = &run->worlds[s];
    return world->scenario[SIDE_B] != NULL &&
           (world->scenario[SIDE_A] != NULL ||
            run->gate.scenarios[s].sides[SIDE_A].replicas[k].decisions != NULL);
}

static bool find_difference(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    for (size_t s = 0; s < g->scenario_count; s++) {
        const struct gate_scenario *scenario = &g->scenarios[s];
        for (size_t k = 0; k < gate_pairs(g, s); k++)
            if (can_tell(run, s, k) && strcmp(scenario->sides[SIDE_A].replicas[k].journal,
                                              scenario->sides[SIDE_B].replicas[k].journal) != 0) {
                g->difference.scenario = s;
                g->difference.replica = k;
                if (!gate_difference(run, err))
                    return false;
                if (!g->difference.known && run->worlds[s].scenario[SIDE_A] == NULL)
                    g->difference.unknown =
                        mem_text("The decisions kept in the baseline do not show the difference.");
                return true;
            }
    }
    g->difference.unknown =
        mem_text("The baseline keeps no decisions of the replicas that differ. Make it again with "
                 "--save-baseline, or give its policy with --base.");
    return true;
}

/* After a look; true when there is a verdict, or err is set. */
static bool ask(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    bool first = g->looked == 0;
    if (first && !gate_check_metrics(g, err))
        return true;
    if (gate_incompatible(g) || gate_random(g) || gate_identical(g))
        return true;
    if (first && !g->jittered && !find_difference(run, err))
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
    if (!gate_simulate(run, replicas, &found)) {
        *decided = true;
        return is_verdict(run, err, &found);
    }
    if (run->interrupted)
        return true;
    *decided = gate_broken(&run->gate) || ask(run, &found);
    return found.code == 0 || is_verdict(run, err, &found);
}

/* The summaries of the pairs; false when one is missing, of an old baseline. The array is the
 * caller's, the texts are not. */
static bool summaries_of(const struct gate_side *side, size_t pairs, char ***texts)
{
    *texts = mem_alloc(pairs, sizeof **texts);
    for (size_t k = 0; k < pairs; k++)
        (*texts)[k] = side->replicas[k].summary;
    for (size_t k = 0; k < pairs; k++)
        if ((*texts)[k] == NULL)
            return false;
    return pairs > 0;
}

/* Of the replicas that the verdict was taken from. Both sides have one scenario but for the policy,
 * which losers do not depend on. */
static bool find_losers(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    bool ok = true;
    for (size_t s = 0; s < g->scenario_count && ok; s++) {
        struct scenario *const *own = run->worlds[s].scenario;
        struct pairing_side sides[SIDES];
        char **texts[SIDES];
        bool both = true;
        for (int side = 0; side < SIDES; side++) {
            both =
                summaries_of(&g->scenarios[s].sides[side], gate_pairs(g, s), &texts[side]) && both;
            sides[side] =
                (struct pairing_side){.name = gate_side_names[side],
                                      .scenario = own[own[side] != NULL ? side : SIDE_B]->resolved,
                                      .summaries = texts[side],
                                      .count = (int)gate_pairs(g, s),
                                      .any_workload = true};
        }
        ok = !both || gate_find_losers(g, s, sides, err);
        free(texts[SIDE_A]);
        free(texts[SIDE_B]);
    }
    return ok;
}

/* Values differ from run to run, so they are shown beside the verdict, not in it. */
static void judge_costs(struct gate_run *run)
{
    gate_judge_resources(&run->gate);
    char *text = gate_resources_text(&run->gate), *line = text;
    for (char *end = strchr(line, '\n'); end != NULL && !cli_given(run->cli, OPT_QUIET);
         end = strchr(line, '\n')) {
        *end = '\0';
        cli_note("%s", line);
        line = end + 1;
    }
    free(text);
}

static bool decide(struct gate_run *run, bool *decided, struct err *err)
{
    const struct gate *g = &run->gate;
    bool ok = prepare(run, decided, err);
    for (size_t k = 0; ok && !*decided && !run->interrupted && k < g->look_count; k++)
        ok = look(run, g->looks[k], decided, err);
    return ok;
}

/* The base's cost when the baseline was made. */
static bool take_timing(struct gate_run *run, struct err *err)
{
    char *why;
    if (run->baseline.source.root == NULL)
        return true;
    if (!gate_timing_apply(&run->gate, cli_option(run->cli, OPT_BASELINE), &why, err))
        return false;
    if (why != NULL && !cli_given(run->cli, OPT_QUIET))
        cli_note("time and memory are not compared with those of the baseline: %s", why);
    free(why);
    return true;
}

/* Each scenario at the last look, and replica 1 of each side once more. */
static void begin_progress(struct gate_run *run, size_t sides)
{
    const struct gate *g = &run->gate;
    size_t replicas = (size_t)g->looks[g->look_count - 1] + 1;
    if (run->baseline.source.root != NULL)
        sides = 1;
    run->progress.most = g->scenario_count * sides * replicas;
    progress_begin(&run->progress.bar, cli_given(run->cli, OPT_QUIET));
}

bool gate_run_decide(struct gate_run *run, struct err *err)
{
    struct gate *g = &run->gate;
    struct err found = {0};
    if (run->baseline.source.root != NULL && !baseline_apply(&run->baseline, g, &found))
        return gate_decide(g, GATE_COMPATIBILITY, GATE_INCOMPATIBLE, mem_text(found.msg));
    if (!take_timing(run, err))
        return false;
    bool decided = false;
    begin_progress(run, SIDES);
    bool ok = decide(run, &decided, err);
    progress_end(&run->progress.bar);
    if (!ok || run->interrupted || !decided)
        return ok;
    bool judged = g->stage == GATE_STATISTICS;
    if (judged || g->stage == GATE_IDENTITY)
        judge_costs(run);
    return !judged || find_losers(run, err);
}

bool gate_run_base(struct gate_run *run, bool *failed, struct err *err)
{
    const struct gate *g = &run->gate;
    begin_progress(run, 1);
    *failed = false;
    bool ok = prepare(run, failed, err);
    if (ok && !*failed && !run->interrupted)
        ok = gate_simulate(run, g->looks[g->look_count - 1], err);
    if (ok && !run->interrupted && !gate_broken(&run->gate))
        ok = gate_keep_decisions(run, err);
    progress_end(&run->progress.bar);
    *failed |= ok && !run->interrupted && (gate_broken(&run->gate) || gate_random(&run->gate));
    return ok;
}
