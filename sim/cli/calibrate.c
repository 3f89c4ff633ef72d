/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet calibrate`: does the simulation of a log show the waits that were recorded? */
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/calibrate/figures.h"
#include "sim/calibrate/page.h"
#include "sim/calibrate/print.h"
#include "sim/calibrate/run.h"
#include "sim/program/command.h"
#include "sim/program/overrides.h"
#include "sim/program/signals.h"
#include "sim/study/steady.h"
#include "sim/world/workload.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 120

struct calibrating {
    struct cli *cli;
    struct progress progress;
    struct steady steady; /* all tries are measured in the same window */
    struct scenario *scenario;
    struct calibrate result;
    struct fit fit;
};

/* The values of the fit as texts for --set; freed by the caller. */
static size_t texts_of(const struct fit *fit, char *texts[FIT_KEYS])
{
    size_t count = 0;
    for (size_t i = 0; i < fit->count; i++)
        if (fit->keys[i].set)
            texts[count++] = mem_format("%s=%.10g", fit->keys[i].key, fit->keys[i].value);
    return count;
}

/* The log as recorded: one replica, which neither resamples its jobs nor moves their arrivals. */
static void take_as_recorded(struct scenario *scenario)
{
    scenario->replicas = 1;
    scenario->replicate = SCEN_REPLICATE_NONE;
    scenario->jitter_ms = 0;
}

static bool check(const struct scenario *scenario, const char *path, struct err *err)
{
    if (scenario->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT, "%s: a packing study has no time, so nothing waits", path);
    return workload_rereadable(scenario, "calibrate reads", err);
}

/* --set of the command line comes first, then the values of the fit. */
static bool load(struct calibrating *c, struct err *err)
{
    struct cli *cli = c->cli;
    struct scen_overrides overrides = overrides_of(cli);
    char *fitted[FIT_KEYS];
    size_t given = overrides.set_count, count = texts_of(&c->fit, fitted);
    const char **sets = mem_alloc(given + count + 1, sizeof *sets);
    for (size_t i = 0; i < given + count; i++)
        sets[i] = i < given ? overrides.set[i] : fitted[i - given];
    overrides.set = sets;
    overrides.set_count = given + count;
    if (cli->operand_count > 1)
        overrides.trace = cli->operands[1];
    bool ok = steady_load(&c->scenario, cli->operands[0], &overrides, &c->steady, err) &&
              check(c->scenario, cli->operands[0], err);
    if (ok)
        take_as_recorded(c->scenario);
    for (size_t i = 0; i < count; i++)
        free(fitted[i]);
    free(sets);
    return ok;
}

static void forget(struct calibrating *c)
{
    calibrate_fini(&c->result);
    scenario_destroy(c->scenario);
    c->result = (struct calibrate){.queues = NULL};
    c->scenario = NULL;
}

/* With the values of the fit, if there are any. */
static bool simulate(struct calibrating *c, struct err *err)
{
    forget(c);
    return load(c, err) && calibrate_run(&c->result, c->scenario, &c->progress, err);
}

static bool measure(void *self, const struct fit *fit, double *distance, struct err *err)
{
    struct calibrating *c = self;
    (void)fit;
    if (!simulate(c, err))
        return false;
    *distance = calibrate_distance(&c->result);
    return true;
}

static bool run(struct calibrating *c, struct err *err)
{
    cli_catch_signals();
    progress_begin(&c->progress, cli_given(c->cli, OPT_QUIET));
    c->fit.measure = measure;
    c->fit.self = c;
    bool ok = (c->fit.count == 0 || fit_search(&c->fit, err)) && simulate(c, err);
    progress_end(&c->progress);
    cli_release_signals();
    return ok;
}

static bool print(struct calibrating *c, struct err *err)
{
    struct calibrate_verdict verdict;
    const char *path = cli_option(c->cli, OPT_OUTPUT);
    const struct fit *fit = c->fit.count > 0 ? &c->fit : NULL;
    calibrate_verdict_make(&verdict, &c->result);
    if (cli_given(c->cli, OPT_JSON))
        calibrate_json(c->cli->out, &c->result, &verdict, fit);
    else
        calibrate_print(c->cli->out, &c->result, &verdict, fit, WIDTH);
    bool ok =
        path == NULL || calibrate_page(path, c->scenario->name, &c->result, &verdict, fit, err);
    calibrate_verdict_fini(&verdict);
    return ok;
}

static bool read_keys(struct calibrating *c, struct err *err)
{
    size_t count;
    const char *const *texts = cli_all(c->cli, OPT_FIT, &count);
    for (size_t i = 0; i < count; i++)
        if (!fit_add(&c->fit, texts[i], err))
            return false;
    return true;
}

int cmd_calibrate(struct cli *cli)
{
    struct err err = {0};
    struct calibrating c = {.cli = cli};
    const char *path = cli_option(cli, OPT_OUTPUT);
    if (path != NULL && !text_ends_in(path, ".html"))
        return cli_misuse(cli, "-o '%s': expected a name that ends in .html", path);
    bool ok = read_keys(&c, &err) && run(&c, &err);
    if (ok) {
        steady_note(&c.steady, NULL);
        ok = print(&c, &err);
    }
    forget(&c);
    fit_fini(&c.fit);
    return ok ? EXIT_OK : cli_fail(&err);
}
