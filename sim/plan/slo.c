/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searching the number of nodes of each alternative; see slo.h. */
#include "sim/plan/slo.h"

#include "report/plan/capacity.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/plan/bound.h"
#include "sim/plan/try.h"
#include "sim/plan/world.h"
#include "sim/program/page_output.h"
#include "sim/program/signals.h"
#include "sim/study/replicas.h"
#include "sim/study/run_dir.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RANGE_FACTOR INT64_C(8)
#define MOST_NODES   INT64_C(4194304) /* of a pool */
#define WIDTH        120

struct plan_slo {
    const struct cli *cli;
    struct plan_world world;
    struct replica_store store;
    struct plan_progress progress;
    struct plan_try trial;
    struct target targets[SEARCH_TARGETS];
    struct capacity common; /* what all alternatives begin with */
    struct capacity_plan plan;
    double *never_fits;       /* today, of each replica */
    struct variant *variants; /* one for each of plan.options */
    size_t variant_count;
    char *price_note;
    bool interrupted;
};

/* An alternative that is searched. */
struct option {
    struct plan_slo *plan;
    const struct variant *variant;
    struct capacity *c;
    double *top; /* never_fits of each replica on the most nodes; NULL: not known yet */
    size_t top_count;
};

/* ---- one number of nodes ---- */

static bool simulate(struct option *o, int64_t nodes, struct capacity_point *point,
                     double *never_fits, struct err *err)
{
    struct plan_slo *plan = o->plan;
    struct scenario *scenario;
    *point = (struct capacity_point){.nodes = nodes};
    if (!plan_world_load(&plan->world, o->variant, nodes, false, &scenario, err))
        return false;
    if (strcmp(scenario->digest, plan->world.given->digest) == 0) { /* today's fleet */
        *point = plan->plan.today;
        point->nodes = nodes;
        memcpy(never_fits, plan->never_fits, plan->plan.today.risk.tried * sizeof *never_fits);
        scenario_destroy(scenario);
        return true;
    }
    bool ok = plan_try(&plan->trial, o->c, scenario, point, never_fits, err);
    plan->interrupted |= plan->trial.interrupted;
    scenario_destroy(scenario);
    return ok;
}

static double *room(const struct option *o)
{
    return mem_alloc((size_t)o->c->replicas, sizeof(double));
}

/* Finds what never fits on the largest number of nodes that is tried. */
static bool see_top(struct option *o, int64_t most, struct err *err)
{
    struct capacity_point top;
    o->top = room(o);
    if (!simulate(o, most, &top, o->top, err))
        return false;
    o->top_count = top.risk.tried;
    if (most == o->c->high && capacity_find(o->c, most) == NULL)
        (void)capacity_add(o->c, &top);
    return true;
}

/* Finds jobs that never fit these nodes but fit the largest fleet: that of the range, or the given
 * one. */
static bool compare_with_top(struct option *o, struct capacity_point *point,
                             const double *never_fits, struct err *err)
{
    int64_t most = o->c->high > o->c->given ? o->c->high : o->c->given;
    if (o->top == NULL && !see_top(o, most, err))
        return false;
    bool crowded = false;
    for (size_t i = 0; i < o->top_count && i < point->risk.tried; i++)
        crowded |= never_fits[i] > o->top[i];
    if (crowded)
        capacity_reject(point);
    return true;
}

static bool see_crowd(struct option *o, struct capacity_point *point, const double *never_fits,
                      struct err *err)
{
    int64_t most = o->c->high > o->c->given ? o->c->high : o->c->given;
    return !(point->never_fits > 0) || point->nodes == most ||
           compare_with_top(o, point, never_fits, err);
}

/* Today's fleet is shown beside the answers, so it has to hold what they hold. */
static bool see_crowd_today(struct option *o, struct err *err)
{
    struct capacity_point *today = &o->plan->plan.today;
    return !(today->never_fits > 0) || today->crowded ||
           compare_with_top(o, today, o->plan->never_fits, err);
}

static bool try_nodes(void *self, int64_t nodes, uint32_t *met, struct err *err)
{
    struct option *o = self;
    const struct capacity_point *known = capacity_find(o->c, nodes);
    bool ok = true;
    if (known == NULL) {
        struct capacity_point point;
        double *never_fits = room(o);
        ok = simulate(o, nodes, &point, never_fits, err) && see_crowd(o, &point, never_fits, err);
        known = ok ? capacity_add(o->c, &point) : NULL;
        free(never_fits);
    }
    *met = ok ? known->met : 0;
    return ok;
}

static void expect_numbers(void *self, size_t numbers)
{
    const struct option *o = self;
    plan_progress_expect(&o->plan->progress, numbers);
}

/* ---- what is asked for ---- */

static bool read_targets(struct plan_slo *plan, struct err *err)
{
    size_t count;
    const char *const *texts = cli_all(plan->cli, OPT_TARGET, &count);
    plan->common.targets = plan->targets;
    if (count > SEARCH_TARGETS)
        return err_set(err, EXIT_INPUT, "--target: at most %zu targets, got %zu", SEARCH_TARGETS,
                       count);
    for (size_t i = 0; i < count; i++) {
        if (!target_parse(&plan->targets[i], texts[i], err))
            return err_prefix(err, "--target");
        plan->common.target_count++;
    }
    return count > 0 || err_set(err, EXIT_INPUT, "no target given (--target 'p95(wait) <= 2h')");
}

static bool read_confidence(struct plan_slo *plan, struct err *err)
{
    const char *text = cli_option(plan->cli, OPT_CONFIDENCE);
    double *confidence = &plan->common.confidence;
    *confidence = 0.9;
    if (text == NULL ||
        (text_f64(text, strlen(text), confidence) && *confidence > 0.5 && *confidence <= 0.999999))
        return true;
    return err_set(
        err, EXIT_INPUT,
        "--confidence '%s': expected a probability above 0.5 and up to 0.999999, such as 0.9",
        text);
}

/* Those of --fleet, else the pool of --pool, else the largest one. */
static bool read_variants(struct plan_slo *plan, struct err *err)
{
    size_t count;
    const char *const *texts = cli_all(plan->cli, OPT_FLEET, &count);
    plan->variants = mem_alloc(count + 1, sizeof *plan->variants);
    if (count == 0) {
        plan->variant_count = 1;
        return plan_world_default(&plan->world, cli_option(plan->cli, OPT_POOL), &plan->variants[0],
                                  err);
    }
    if (cli_given(plan->cli, OPT_POOL))
        return err_set(err, EXIT_INPUT,
                       "--pool: does not go with --fleet, which names the pools itself");
    for (size_t i = 0; i < count; i++) {
        struct variant *variant = &plan->variants[i];
        if (!variant_parse(variant, texts[i], err))
            return false;
        plan->variant_count++;
        if (!plan_world_check(&plan->world, variant, err))
            return false;
    }
    return true;
}

static bool is_allowed(const struct option *o, int64_t nodes)
{
    struct scenario *scenario;
    struct err ignored = {0};
    if (!plan_world_load(&o->plan->world, o->variant, nodes, false, &scenario, &ignored))
        return false;
    scenario_destroy(scenario);
    return true;
}

/* The largest number of nodes that the scenario allows, whose fabric may have a maximum; `allowed`
 * of them are fine. */
static int64_t most_allowed(const struct option *o, int64_t allowed, int64_t most)
{
    int64_t refused = most;
    if (most <= allowed || is_allowed(o, most))
        return most;
    while (refused - allowed > 1) {
        int64_t middle = allowed + (refused - allowed) / 2;
        if (is_allowed(o, middle))
            allowed = middle;
        else
            refused = middle;
    }
    return allowed;
}

/* "LO..HI"; else from the work that must be served on. */
static bool read_range(struct option *o, int64_t start, int64_t least, struct err *err)
{
    const char *text = cli_option(o->plan->cli, OPT_RANGE),
               *dots = text ? strstr(text, "..") : NULL;
    struct capacity *c = o->c;
    if (text == NULL) {
        int64_t today = o->plan->plan.today.fleet_nodes, most = today > start ? today : start;
        most = most > c->bound.nodes ? most : c->bound.nodes;
        c->low = start;
        c->high = most_allowed(o, c->given > least ? c->given : least,
                               most > MOST_NODES / RANGE_FACTOR ? MOST_NODES : most * RANGE_FACTOR);
        c->low = c->low < c->high ? c->low : c->high;
        return true;
    }
    if (dots != NULL && text_i64(text, (size_t)(dots - text), &c->low) &&
        text_i64(dots + 2, strlen(dots + 2), &c->high) && c->low >= 1 && c->low <= c->high &&
        c->high <= MOST_NODES)
        return true;
    return err_set(err, EXIT_INPUT,
                   "--range '%s': expected two numbers of nodes from 1 to %" PRId64
                   ", such as 4..64",
                   text, MOST_NODES);
}

/* ---- the search and its outcome ---- */

/* Today's fleet with the demand that is asked about. */
static bool see_today(struct plan_slo *plan, struct err *err)
{
    plan->never_fits = mem_alloc((size_t)plan->common.replicas, sizeof *plan->never_fits);
    bool ok = plan_try(&plan->trial, &plan->common, plan->world.given, &plan->plan.today,
                       plan->never_fits, err);
    plan->plan.today.nodes = plan->plan.today.fleet_nodes;
    plan->interrupted |= plan->trial.interrupted;
    return ok;
}

static bool find_answer(struct option *o, struct err *err)
{
    struct plan_slo *plan = o->plan;
    struct capacity *c = o->c;
    struct plan_shape shape;
    int64_t least = plan_world_least(&plan->world, o->variant);
    if (!plan_offered(c, &plan->world, o->variant, &shape, &plan->interrupted, err))
        return false;
    int64_t start = plan_start(c, least, plan_world_spares(&plan->world, o->variant));
    const struct plan_bound_of of = {&plan->world, o->variant, &shape,
                                     c->given > least ? c->given : start};
    if (!plan_bound(c, &of, &plan->store, plan->trial.threads, &plan->interrupted, err) ||
        !read_range(o, start, least, err))
        return false;
    if (c->bound.known && c->bound.nodes > start)
        start = c->bound.nodes;
    start = start < c->low ? c->low : start > c->high ? c->high : start;
    struct search search = {.low = c->low,
                            .high = c->high,
                            .start = start,
                            .target_count = c->target_count,
                            .together = c->target_count > 1,
                            .try = try_nodes,
                            .expect = expect_numbers,
                            .self = o};
    uint32_t met;
    if (c->bound.impossible) /* the result on the most nodes is the whole answer */
        return try_nodes(o, c->high, &met, err);
    return search_smallest(&search, &c->found, err);
}

static bool find_all(struct plan_slo *plan, struct err *err)
{
    struct capacity *common = &plan->common;
    plan->plan.options = mem_alloc(plan->variant_count, sizeof *plan->plan.options);
    if (!see_today(plan, err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < plan->variant_count; i++) {
        struct capacity *c = &plan->plan.options[plan->plan.option_count++];
        *c = *common;
        c->label = plan->variants[i].all ? "all pools" : plan->variants[i].text;
        c->given = plan_world_given(&plan->world, &plan->variants[i]);
        struct option o = {.plan = plan, .variant = &plan->variants[i], .c = c};
        plan_progress_option(&plan->progress);
        ok = find_answer(&o, err) && see_crowd_today(&o, err);
        free(o.top);
    }
    capacity_choose(&plan->plan);
    return ok;
}

static bool print(const struct plan_slo *plan, struct err *err)
{
    struct out *out = plan->cli->out;
    const char *dir = cli_option(plan->cli, OPT_OUTPUT);
    if (cli_given(plan->cli, OPT_JSON)) {
        struct json json;
        json_init(&json, out, 1);
        capacity_json(&plan->plan, &json);
        out_char(out, '\n');
    } else {
        capacity_table(&plan->plan, out, WIDTH);
    }
    switch (page_output_of(dir)) {
    case PAGE_HTML:
        return capacity_write_page(&plan->plan, dir, err);
    case PAGE_MARKDOWN:
        return capacity_write_markdown(&plan->plan, dir, err);
    case PAGE_FOLDER:
        return run_dir_make(dir, err) && capacity_write(&plan->plan, dir, err);
    case PAGE_NONE:
    case PAGE_UNKNOWN: /* refused before */
        break;
    }
    return true;
}

/* Reports what is known when a signal ends the search. */
static void tell_progress(const struct plan_slo *plan)
{
    for (size_t i = 0; i < plan->plan.option_count; i++) {
        const struct capacity *c = &plan->plan.options[i];
        int64_t misses, meets;
        if (c->point_count == 0)
            continue;
        capacity_bracket(c, &misses, &meets);
        for (size_t k = 0; k < c->point_count; k++) {
            const struct capacity_point *point = &c->points[k];
            cli_message(
                "%s: %" PRId64 " node%s enough%s, %zu of %zu replicas miss", c->label, point->nodes,
                point->nodes == 1 ? (point->meets ? " is" : " is not")
                : point->meets    ? "s are"
                                  : "s are not",
                point->open ? ", but not excluded" : "", point->risk.missed, point->risk.tried);
        }
        if (meets > 0)
            cli_message("%s: at most %" PRId64 " nodes; more than %" PRId64 " as far as tried",
                        c->label, meets, misses);
        else
            cli_message("%s: more than %" PRId64 " nodes as far as tried", c->label, misses);
    }
    if (plan->store.dir != NULL)
        cli_message(
            "interrupted after %zu replicas, which %s keeps: the same command resumes from there",
            plan->trial.simulated + plan->trial.recalled, plan->store.dir);
    else
        cli_message("interrupted after %zu replicas; with -o DIR they are kept, and the same "
                    "command resumes",
                    plan->trial.simulated);
}

/* The exit code of a finished search, and its message. */
static int finish(struct plan_slo *plan, bool ok, struct err *err)
{
    struct capacity_plan *result = &plan->plan;
    if (plan->interrupted) {
        tell_progress(plan);
        return 128 + cli_interrupted();
    }
    cli_release_signals();
    if (ok && !cli_given(plan->cli, OPT_QUIET) && plan->store.dir != NULL)
        cli_note("%zu replicas simulated, %zu were complete in %s", plan->trial.simulated,
                 plan->trial.recalled, plan->store.dir);
    result->price_note = plan->price_note = price_notes_text(&plan->trial.prices);
    result->price_unverified = price_notes_unverified(&plan->trial.prices);
    result->speeds = (const char *const *)plan->trial.speeds;
    result->speed_count = plan->trial.speed_count;
    if (!ok || !print(plan, err))
        return cli_fail(err);
    return result->options[result->best].found.answer > 0 ? EXIT_OK : EXIT_UNDECIDED;
}

static int search_and_print(struct plan_slo *plan)
{
    struct err err = {0};
    const char *path = cli_option(plan->cli, OPT_OUTPUT);
    bool folder = page_output_of(path) == PAGE_FOLDER; /* replicas are kept in it */
    bool ok = replica_store_open(&plan->store, folder ? path : NULL, "a plan", &err);
    if (!ok) {
        replica_store_close(&plan->store);
        return cli_fail(&err);
    }
    plan_progress_begin(&plan->progress, cli_given(plan->cli, OPT_QUIET),
                        (size_t)plan->common.replicas, plan->variant_count);
    plan_try_init(&plan->trial, &plan->store, &plan->progress,
                  (int)cli_number(plan->cli, OPT_JOBS, 1), cli_given(plan->cli, OPT_AUDIT));
    char *complete =
        plan->store.dir == NULL
            ? NULL
            : mem_format(
                  "the replicas in %s that were complete; the same command resumes from there",
                  plan->store.dir);
    cli_catch_signals();
    cli_holds(complete);
    ok = find_all(plan, &err);
    cli_holds(NULL);
    free(complete);
    plan_progress_end(&plan->progress);
    int code = finish(plan, ok, &err);
    plan_try_fini(&plan->trial);
    replica_store_close(&plan->store);
    return code;
}

/* Of alternatives that can be built at their present size; others are refused later. */
static void note_recorded(struct plan_slo *plan)
{
    for (size_t i = 0; i < plan->variant_count && !plan->world.noted; i++) {
        const struct variant *variant = &plan->variants[i];
        int64_t given = plan_world_given(&plan->world, variant);
        struct scenario *scenario;
        struct err ignored = {0};
        if (!plan_world_load(&plan->world, variant, given > 0 ? given : (int64_t)variant->growing,
                             false, &scenario, &ignored))
            continue;
        plan_world_note(&plan->world, plan->cli, scenario);
        scenario_destroy(scenario);
    }
}

static int run_plan(struct plan_slo *plan)
{
    struct err err = {0};
    struct growth *growth = &plan->plan.growth;
    if (!growth_parse(growth, cli_option(plan->cli, OPT_GROWTH), cli_option(plan->cli, OPT_HORIZON),
                      &err) ||
        !read_targets(plan, &err) || !read_confidence(plan, &err) ||
        !plan_world_open(&plan->world, plan->cli, growth, &err) ||
        !replicas_vary(plan->world.given, &plan->plan.varied, &err) || !read_variants(plan, &err))
        return cli_fail(&err);
    note_recorded(plan);
    plan->common.replicas = plan->world.given->replicas;
    plan->common.scenario = plan->world.given->name;
    plan->common.policy = plan->world.given->policy.name;
    return search_and_print(plan);
}

int plan_slo(struct cli *cli)
{
    const char *path = cli_option(cli, OPT_OUTPUT);
    if (page_output_of(path) == PAGE_UNKNOWN)
        return cli_misuse(cli, "-o '%s': expected " PAGE_OUTPUT_EXPECTED, path);
    struct plan_slo plan = {.cli = cli};
    int code = run_plan(&plan);
    for (size_t i = 0; i < plan.common.target_count; i++)
        target_fini(&plan.targets[i]);
    for (size_t i = 0; i < plan.plan.option_count; i++)
        capacity_fini(&plan.plan.options[i]);
    for (size_t i = 0; i < plan.variant_count; i++)
        variant_fini(&plan.variants[i]);
    free(plan.plan.options);
    free(plan.plan.varied);
    free(plan.variants);
    free(plan.never_fits);
    free(plan.price_note);
    plan_world_close(&plan.world);
    return code;
}
