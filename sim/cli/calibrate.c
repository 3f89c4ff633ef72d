/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet calibrate`: does the simulation of a log show the waits that were recorded? */
#include "sim/calibrate/print.h"
#include "sim/calibrate/run.h"
#include "sim/program/command.h"
#include "sim/program/overrides.h"
#include "sim/program/screen.h"
#include "sim/program/signals.h"
#include "sim/study/steady.h"
#include "sim/world/workload.h"

#define WIDTH 120

static bool load(struct cli *cli, struct scenario **scenario, struct steady *steady,
                 struct err *err)
{
    struct scen_overrides overrides = overrides_of(cli);
    if (cli->operand_count > 1)
        overrides.trace = cli->operands[1];
    if (!steady_load(scenario, cli->operands[0], &overrides, steady, err))
        return false;
    if ((*scenario)->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT, "%s: a packing study has no time, so nothing waits",
                       cli->operands[0]);
    return workload_rereadable(*scenario, "calibrate reads", err);
}

static bool run(struct cli *cli, const struct scenario *scenario, struct calibrate *c,
                struct err *err)
{
    struct progress progress;
    cli_catch_signals();
    progress_begin(&progress, cli_given(cli, OPT_QUIET));
    bool ok = calibrate_run(c, scenario, &progress, err);
    progress_end(&progress);
    cli_release_signals();
    return ok;
}

static void print(struct cli *cli, const struct calibrate *c)
{
    struct calibrate_verdict verdict;
    calibrate_verdict_make(&verdict, c);
    if (cli_given(cli, OPT_JSON))
        calibrate_json(cli->out, c, &verdict);
    else
        calibrate_print(cli->out, c, &verdict, WIDTH);
    calibrate_verdict_fini(&verdict);
}

int cmd_calibrate(struct cli *cli)
{
    struct err err = {0};
    struct scenario *scenario = NULL;
    struct steady steady = {0};
    struct calibrate c = {.queues = NULL};
    bool ok = load(cli, &scenario, &steady, &err);
    if (ok) {
        steady_note(&steady, NULL);
        ok = run(cli, scenario, &c, &err);
    }
    if (ok)
        print(cli, &c);
    calibrate_fini(&c);
    scenario_destroy(scenario);
    return ok ? EXIT_OK : cli_fail(&err);
}
