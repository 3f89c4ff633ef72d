/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet run`: simulate one scenario, all its replicas, and write the run directory. */
#include "report/report.h"
#include "report/results/replicas.h"
#include "report/terminal/charts.h"
#include "scenarios/scenario.h"
#include "sim/base/file.h"
#include "sim/base/mem.h"
#include "sim/base/workers.h"
#include "sim/program/command.h"
#include "sim/program/overrides.h"
#include "sim/program/progress.h"
#include "sim/program/screen.h"
#include "sim/program/signals.h"
#include "sim/study/replicas.h"
#include "sim/study/run_dir.h"
#include "sim/study/run_one.h"
#include "sim/study/steady.h"
#include "sim/study/timing.h"
#include "sim/trace/read.h"
#include "sim/world/scenario_notes.h"
#include "sim/world/simulate.h"
#include "sim/world/start_memory.h"
#include "sim/world/workload.h"

#include <stdlib.h>

#define WIDTH 100 /* of the table, where it goes to no terminal */

struct run {
    const struct cli *cli;
    struct scenario *scenario;
    const char *dir;
    int replicas;
    struct screen screen;
    struct progress progress;
    bool interrupted;
};

/* ---- replicas ---- */

static bool run_replica(struct run *run, int replica, struct err *err)
{
    char *dir = run->replicas > 1 ? mem_format("%s/rep-%d", run->dir, replica) : mem_text(run->dir);
    struct run_one one = {
        .scenario = run->scenario,
        .dir = dir,
        .replica = replica,
        .audit = cli_given(run->cli, OPT_AUDIT),
        .snapshot_at = cli_option(run->cli, OPT_SNAPSHOT_AT),
        .trace_events = cli_option(run->cli, OPT_TRACE_EVENTS),
        .notes = replica == 1 && !cli_given(run->cli, OPT_QUIET),
        .progress = run->replicas == 1 ? &run->progress : NULL,
    };
    double began = timing_now_s();
    bool ok = run_dir_make(dir, err) && run_one(&one, err);
    if (ok && run->replicas > 1)
        ok = timing_write(dir, run->cli, run->cli->operands[0], run->scenario,
                          timing_now_s() - began, err);
    free(dir);
    return ok;
}

static bool run_piece(void *self, size_t number, struct err *err)
{
    return run_replica(self, (int)number + 1, err);
}

/* All replicas on up to `threads` threads. Each has its own simulation: nothing is shared. */
static bool run_replicas(struct run *run, int threads, struct err *err)
{
    struct work work = {.count = (size_t)run->replicas,
                        .threads = threads,
                        .piece = run_piece,
                        .stop = cli_stop,
                        .self = run};
    bool ok = workers_run(&work, err);
    run->interrupted = cli_interrupted() != 0;
    return ok;
}

/* ---- what comes after ---- */

/* The scenario is written next to the summary of several replicas, and in each replica's folder. */
static bool write_top(const struct run *run, struct err *err)
{
    if (run->replicas == 1 || run->interrupted)
        return true;
    return out_write_in(run->dir, "scenario.json", run->scenario->resolved, err) &&
           replicas_write_summary(run->dir, run->replicas, err);
}

static bool print_json(const struct run *run, struct err *err)
{
    char *path = mem_format("%s/summary.json", run->dir), *text;
    size_t n;
    bool ok = file_read(path, (size_t)256 << 20, &text, &n, err) == FILE_FOUND;
    free(path);
    if (ok)
        out_bytes(run->cli->out, text, n);
    free(text);
    return ok;
}

static bool print_varied(const struct run *run, struct err *err)
{
    char *varied;
    if (!replicas_vary(run->scenario, &varied, err))
        return false;
    if (varied != NULL)
        out_format(run->cli->out, "R%s.\n", varied + 1); /* "replicas ..." as a sentence */
    free(varied);
    return true;
}

/* For people: the table, what varied, and charts where they are drawn. */
static bool print_table(const struct run *run, struct err *err)
{
    return report_print_summary(run->dir, run->cli->out, (int)run->screen.columns, err) &&
           print_varied(run, err) &&
           charts_run(run->dir, run->cli->out, run->screen.spark, run->screen.columns, err);
}

/* The table first, then the messages. */
static bool report(const struct run *run, double wall_s, struct err *err)
{
    bool quiet = cli_given(run->cli, OPT_QUIET);
    bool ok = cli_given(run->cli, OPT_JSON) ? print_json(run, err) : print_table(run, err);
    out_flush(run->cli->out);
    if (ok && !quiet) {
        start_memory_note(run->scenario);
        cli_note("%.2f s, %.0f MiB at most", wall_s, timing_peak_rss_mib());
    }
    if (!ok || cli_given(run->cli, OPT_NO_REPORT))
        return ok;
    char *path = mem_format("%s/report.html", run->dir);
    ok = report_write_html(run->dir, path, err);
    if (ok && !quiet)
        cli_message("report: %s", path);
    free(path);
    return ok;
}

/* Until the run directory holds exactly the files of this run; the report is made from them. */
static bool fill_directory(struct run *run, double *wall_s, struct err *err)
{
    struct run_dir_previous former = {0};
    if (!run_dir_look(&former, run->dir, err))
        return false;
    double began = timing_now_s();
    progress_begin(&run->progress, cli_given(run->cli, OPT_QUIET) || run->replicas > 1);
    bool ok = run_replicas(run, (int)cli_number(run->cli, OPT_JOBS, 1), err);
    progress_end(&run->progress);
    *wall_s = timing_now_s() - began;
    ok = ok && write_top(run, err) &&
         timing_write(run->dir, run->cli, run->cli->operands[0], run->scenario, *wall_s, err);
    if (ok && !run->interrupted) /* an interrupted run may be a mistake, and does not replace the
                                    previous one */
        ok = run_dir_tidy(&former, err);
    run_dir_forget(&former);
    return ok;
}

static int simulate(struct run *run)
{
    struct err err = {0};
    double wall_s;
    if (!run_dir_make(run->dir, &err))
        return cli_fail(&err);
    cli_catch_signals();
    char *complete =
        run->replicas > 1 ? mem_format("the replicas in %s that were complete", run->dir) : NULL;
    cli_holds(complete);
    bool ok = fill_directory(run, &wall_s, &err);
    cli_holds(NULL);
    free(complete);
    if (!ok)
        return cli_fail(&err);
    if (run->interrupted) {
        cli_message("interrupted: %s holds what was simulated until then", run->dir);
        return 128 + cli_interrupted();
    }
    char *all = mem_format("%s, but for the report", run->dir);
    cli_holds(all);
    cli_release_signals(); /* from here on other programs are started, and nothing is left
                              half-written */
    ok = report(run, wall_s, &err);
    cli_holds(NULL);
    free(all);
    return ok ? EXIT_OK : cli_fail(&err);
}

/* --trace-events FILE: one timeline of one run. */
static bool check_trace_events(const struct run *run, struct err *err)
{
    const char *path = cli_option(run->cli, OPT_TRACE_EVENTS);
    if (path == NULL)
        return true;
    if (trace_is_stream(path))
        return err_set(err, EXIT_INPUT, "--trace-events: '-', expected the name of a file");
    if (run->scenario->mode == SCEN_FILL)
        return err_set(err, EXIT_INPUT, "--trace-events: a packing study has no time");
    if (run->replicas > 1)
        return err_set(err, EXIT_INPUT,
                       "--trace-events: expected one replica, got %d (one of them: --replicas 1)",
                       run->replicas);
    return true;
}

int cmd_run(struct cli *cli)
{
    struct err err = {0};
    struct run run = {.cli = cli, .dir = cli_option(cli, OPT_OUTPUT)};
    bool check = cli_given(cli, OPT_CHECK);
    if (run.dir == NULL && !check)
        return cli_misuse(cli, "no output directory given (-o DIR)");
    if (!screen_of(&run.screen, cli, WIDTH, &err))
        return cli_fail(&err);
    struct scen_overrides overrides = overrides_of(cli);
    struct steady steady = {0};
    if (!(check ? scenario_load(&run.scenario, cli->operands[0], &overrides, &err)
                : steady_load(&run.scenario, cli->operands[0], &overrides, &steady, &err)))
        return cli_fail(&err);
    if (!cli_given(cli, OPT_QUIET)) {
        steady_note(&steady, NULL);
        if (!check)
            (void)network_note(run.scenario);
        scenario_notes(run.scenario);
    }
    int code = EXIT_OK;
    run.replicas = run.scenario->replicas;
    bool several = run.replicas > 1;
    if (!simulation_check_policy(run.scenario, &err) || !check_trace_events(&run, &err) ||
        (several && !workload_rereadable(run.scenario, "replicas read", &err)))
        code = cli_fail(&err);
    else if (check)
        out_text(cli->out, run.scenario->resolved);
    else
        code = simulate(&run);
    scenario_destroy(run.scenario);
    return code;
}
