/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `fauxfleet sweep`: simulates a scenario at many points, or a shard of them, skipping points that
 * have a result. */
#include "report/plan/target.h"
#include "report/results/replicas.h"
#include "report/results/rundir.h"
#include "report/sweep/page.h"
#include "report/terminal/charts.h"
#include "report/words/metric_rows.h"
#include "report/words/price_note.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/base/workers.h"
#include "sim/program/command.h"
#include "sim/program/overrides.h"
#include "sim/program/progress.h"
#include "sim/program/screen.h"
#include "sim/program/signals.h"
#include "sim/study/experiment.h"
#include "sim/study/run_dir.h"
#include "sim/study/sweep_emit.h"
#include "sim/study/sweep_points.h"
#include "sim/world/network.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 100 /* of charts that go to no terminal */

struct sweep {
    const struct cli *cli;
    const char *dir;
    struct sweep_plan plan;
    struct scen_overrides command_line;
    struct sweep_points points;
    struct shard shard;
    struct screen screen;
    int threads;
    size_t *mine; /* points of the shard, in the order of the plan */
    size_t mine_count;
    size_t *todo; /* points without a result */
    size_t todo_count;
    char **paths; /* of the plan's metrics */
    struct price_notes prices;
    size_t path_count;
    bool *has_value; /* [metric]: some point of the shard has one */
    size_t row_count;

    pthread_mutex_t lock; /* of the members below */
    struct progress progress;
    size_t done;
    char *recorded; /* the note on which nodes run times count as recorded; NULL: none so far */
};

/* ---- what may be asked for ---- */

/* Of plans that name none. */
static const char *const usual_metrics[] = {
    "jobs.completed",
    "utilization.allocation",
    "utilization.fleet_goodput",
    "wait_s.mean",
    "wait_s.p50",
    "wait_s.p95",
    "jct_s.mean",
    "bounded_slowdown.mean",
    "fairness.jain",
    "fragmentation.mean_ratio",
};

/* Such as mean(jct){queue=vision}: as dotted paths from here on. */
static bool translate_metrics(struct sweep *sweep, struct err *err)
{
    struct sweep_plan *plan = &sweep->plan;
    sweep->paths = mem_alloc(plan->metric_count + 1, sizeof *sweep->paths);
    for (; sweep->path_count < plan->metric_count; sweep->path_count++) {
        char *path = target_metric(plan->metrics[sweep->path_count], err);
        if (path == NULL)
            return err_prefix(err, "%s:%zu: metrics", plan->source.name,
                              json_source_line(&plan->source, "metrics"));
        plan->metrics[sweep->path_count] = sweep->paths[sweep->path_count] = path;
    }
    return true;
}

static bool unknown_metric(const struct sweep_plan *plan, const char *path, struct err *err)
{
    size_t count;
    const char **names = metric_names(&count);
    char hint[128];
    (void)text_suggest(hint, sizeof hint, path, names, count, sizeof *names);
    free(names);
    return err_set(err, EXIT_INPUT,
                   "%s:%zu: metrics: no metric is named '%s' (see 'list metrics')%s",
                   plan->source.name, json_source_line(&plan->source, "metrics"), path, hint);
}

static bool check_metrics(struct sweep *sweep, struct err *err)
{
    const struct sweep_plan *plan = &sweep->plan;
    if (!translate_metrics(sweep, err))
        return false;
    for (size_t i = 0; i < plan->metric_count; i++) {
        const char *path = plan->metrics[i];
        if (metric_find(strncmp(path, "sd.", 3) == 0 ? path + 3 : path) == NULL)
            return unknown_metric(plan, path, err);
    }
    return true;
}

static bool varies(const struct sweep_plan *plan, const char *key, size_t n)
{
    for (size_t k = 0; k < plan->key_count; k++)
        if (strlen(plan->keys[k]) == n && memcmp(plan->keys[k], key, n) == 0)
            return true;
    return false;
}

/* An option for a key that the plan varies would be without effect. */
static bool check_options(const struct sweep *sweep, struct err *err)
{
    static const struct {
        enum option_id id;
        const char *key;
    } rows[] = {
        {OPT_POLICY, "policy"},
        {OPT_TRACE, "trace"},
        {OPT_SEED, "seed"},
        {OPT_REPLICAS, "replicas"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (cli_given(sweep->cli, rows[i].id) &&
            varies(&sweep->plan, rows[i].key, strlen(rows[i].key)))
            return err_set(err, EXIT_INPUT, "--%s: the plan varies '%s' itself",
                           option_rows[rows[i].id].name, rows[i].key);
    for (size_t i = 0; i < sweep->command_line.set_count; i++) {
        const char *set = sweep->command_line.set[i];
        size_t n = strcspn(set, "=");
        if (varies(&sweep->plan, set, n))
            return err_set(err, EXIT_INPUT, "--set %s: the plan varies this key itself", set);
    }
    return true;
}

/* ---- one point ---- */

/* The summary as `run` would write it; NULL when it failed or was interrupted. */
static char *simulate(const struct sweep *sweep, const struct scenario *scenario, bool *ok,
                      struct err *err)
{
    struct experiment_side side = {.scenario = scenario};
    struct experiment experiment = {
        .sides = &side, .side_count = 1, .threads = 1, .audit = cli_given(sweep->cli, OPT_AUDIT)};
    char *summary = NULL;
    *ok = experiment_run(&experiment, scenario->replicas, err);
    if (side.count == 1)
        summary = mem_text(side.summaries[0]);
    if (side.count > 1) {
        struct out *out = out_memory();
        size_t n;
        *ok = replicas_summary(side.summaries, side.count, out, err);
        const char *text = out_memory_text(out, &n);
        summary = *ok ? mem_text_n(text, n) : NULL;
        out_discard(out);
    }
    experiment_forget(&experiment);
    return summary;
}

/* A metric that is no single value is found out at the first result, not after the last. */
static bool check_summary(const struct sweep *sweep, const char *text, struct err *err)
{
    cJSON *summary = cJSON_Parse(text);
    bool ok = summary != NULL || err_set(err, EXIT_INTERNAL, "a summary is not JSON");
    ok = ok && sweep_metrics_check(&sweep->points.table, summary, err);
    cJSON_Delete(summary);
    return ok;
}

static void count_one(struct sweep *sweep)
{
    pthread_mutex_lock(&sweep->lock);
    sweep->done++;
    progress_count(&sweep->progress, sweep->done, sweep->todo_count, "points");
    pthread_mutex_unlock(&sweep->lock);
}

/* It follows from the scenario file as written, so it is the same at all points where there is one.
 */
static void see_recorded(struct sweep *sweep, const struct scenario *scenario)
{
    pthread_mutex_lock(&sweep->lock);
    if (sweep->recorded == NULL)
        sweep->recorded = network_note_text(scenario);
    pthread_mutex_unlock(&sweep->lock);
}

static bool run_point(void *self, size_t number, struct err *err)
{
    struct sweep *sweep = self;
    size_t point = sweep->todo[number];
    const struct sweep_table *table = &sweep->points.table;
    struct scenario *scenario;
    struct steady steady = {0};
    bool ok = sweep_points_scenario(&sweep->points, point, &scenario, &steady, err);
    if (!ok) /* an interrupted point has no result */
        return cli_interrupted() != 0;
    see_recorded(sweep, scenario);
    char *summary = simulate(sweep, scenario, &ok, err);
    scenario_destroy(scenario);
    if (summary != NULL)
        ok = check_summary(sweep, summary, err) &&
             sweep_result_write(table, &table->rows[point], sweep->dir, summary, err);
    if (ok && summary != NULL)
        count_one(sweep);
    free(summary);
    char text[256];
    return ok || err_prefix(err, "point %zu (%s)", point + 1,
                            sweep_point_text(table, point, text, sizeof text));
}

/* ---- all of them ---- */

/* Complete points are not repeated; damaged results are. */
static void find_todo(struct sweep *sweep)
{
    sweep->mine = sweep_points_of(&sweep->points, &sweep->shard, &sweep->mine_count);
    sweep->todo = mem_alloc(sweep->mine_count + 1, sizeof *sweep->todo);
    for (size_t i = 0; i < sweep->mine_count; i++) {
        struct json_source result;
        struct err err = {0};
        const char *id = sweep->points.table.rows[sweep->mine[i]].id;
        enum sweep_found found = sweep_result_open(&result, sweep->dir, id, &err);
        if (found == SWEEP_FOUND)
            json_source_close(&result);
        else
            sweep->todo[sweep->todo_count++] = sweep->mine[i];
        if (found == SWEEP_DAMAGED)
            cli_note("%s: simulated again", err.msg);
    }
}

static bool simulate_todo(struct sweep *sweep, struct err *err)
{
    struct work work = {.count = sweep->todo_count,
                        .threads = sweep->threads,
                        .piece = run_point,
                        .stop = cli_stop,
                        .self = sweep};
    pthread_mutex_init(&sweep->lock, NULL);
    progress_begin(&sweep->progress, cli_given(sweep->cli, OPT_QUIET));
    bool ok = workers_run(&work, err);
    progress_end(&sweep->progress);
    if (sweep->recorded != NULL && !cli_given(sweep->cli, OPT_QUIET))
        cli_note("%s", sweep->recorded);
    free(sweep->recorded);
    sweep->recorded = NULL;
    pthread_mutex_destroy(&sweep->lock);
    return ok;
}

/* One that is undefined at all points may well be misspelt. */
static void see_values(struct sweep *sweep, const cJSON *summary)
{
    sweep->row_count++;
    price_notes_add(&sweep->prices, summary);
    for (size_t m = 0; m < sweep->plan.metric_count; m++) {
        const cJSON *value = json_at(summary, sweep->plan.metrics[m]);
        sweep->has_value[m] |= value != NULL && !cJSON_IsNull(value);
    }
}

static void note_empty_metrics(const struct sweep *sweep)
{
    if (sweep->row_count == 0 || cli_given(sweep->cli, OPT_QUIET))
        return;
    for (size_t m = 0; m < sweep->plan.metric_count; m++)
        if (!sweep->has_value[m])
            cli_note("no point has a value of the metric '%s' (see 'list metrics')",
                     sweep->plan.metrics[m]);
}

/* Where the table shows money. */
static void note_prices(const struct sweep *sweep)
{
    bool money = false;
    for (size_t m = 0; m < sweep->plan.metric_count; m++)
        money |= strncmp(sweep->plan.metrics[m], "cost.", 5) == 0;
    char *text =
        money && !cli_given(sweep->cli, OPT_QUIET) ? price_notes_text(&sweep->prices) : NULL;
    if (text != NULL)
        cli_note("%s", text);
    free(text);
}

static bool write_row(struct sweep *sweep, size_t point, struct out *csv, struct err *err)
{
    const struct sweep_table *table = &sweep->points.table;
    struct json_source result;
    enum sweep_found found = sweep_result_open(&result, sweep->dir, table->rows[point].id, err);
    if (found != SWEEP_FOUND) /* interrupted before it was done */
        return found == SWEEP_ABSENT;
    const cJSON *summary = sweep_result_summary(&result);
    bool ok = sweep_metrics_check(table, summary, err);
    if (ok) {
        sweep_csv_row(table, &table->rows[point], summary, csv);
        see_values(sweep, summary);
    }
    json_source_close(&result);
    return ok;
}

/* Several shards may share the folder. */
static char *csv_name(const struct shard *shard)
{
    return shard->count > 1 ? mem_format("results-%zu-of-%zu.csv", shard->index + 1, shard->count)
                            : mem_text("results.csv");
}

static bool write_csv(struct sweep *sweep, struct err *err)
{
    char *name = csv_name(&sweep->shard), *path = mem_format("%s/%s", sweep->dir, name);
    struct out *csv = out_open(path, err);
    bool ok = csv != NULL;
    sweep->has_value = mem_alloc(sweep->plan.metric_count + 1, sizeof *sweep->has_value);
    if (ok)
        sweep_csv_header(&sweep->points.table, csv);
    for (size_t i = 0; ok && i < sweep->mine_count; i++)
        ok = write_row(sweep, sweep->mine[i], csv, err);
    if (ok)
        ok = out_close(csv, err);
    else
        out_discard(csv);
    ok = ok && charts_sweep(sweep->dir, name, sweep->plan.metric_count, sweep->cli->out,
                            sweep->screen.spark, sweep->screen.columns, err);
    out_flush(sweep->cli->out);
    if (ok && !cli_given(sweep->cli, OPT_QUIET))
        cli_message("table: %s", path);
    if (ok) {
        note_empty_metrics(sweep);
        note_prices(sweep);
    }
    free(path);
    free(name);
    return ok;
}

/* Of a sweep that is complete; shards are merged first. */
static bool write_page(const struct sweep *sweep, struct err *err)
{
    if (sweep->shard.count > 1 || cli_interrupted() || cli_given(sweep->cli, OPT_NO_REPORT))
        return true;
    char *path = mem_format("%s/report.html", sweep->dir);
    bool ok = sweep_write_html(sweep->dir, path, err);
    if (ok && !cli_given(sweep->cli, OPT_QUIET))
        cli_message("report: %s", path);
    free(path);
    return ok;
}

static bool prepare_folder(const struct sweep *sweep, struct err *err)
{
    char *results = mem_format("%s/points", sweep->dir);
    bool changed = false;
    bool ok = run_dir_make(results, err) &&
              sweep_table_write(&sweep->points.table, sweep->dir, &changed, err);
    if (ok && changed && !cli_given(sweep->cli, OPT_QUIET))
        cli_note("%s held another plan: points that both plans share are not simulated again",
                 sweep->dir);
    free(results);
    return ok;
}

static int run_shard(struct sweep *sweep)
{
    struct err err = {0};
    if (!prepare_folder(sweep, &err))
        return cli_fail(&err);
    find_todo(sweep);
    char *complete = mem_format(
        "the points in %s that were complete; the same command does the rest", sweep->dir);
    cli_holds(complete);
    bool ok = simulate_todo(sweep, &err);
    cli_holds(NULL);
    free(complete);
    cli_keep();
    ok = ok && write_csv(sweep, &err) && write_page(sweep, &err);
    cli_kept();
    if (!ok)
        return cli_fail(&err);
    if (!cli_given(sweep->cli, OPT_QUIET))
        cli_note("%zu points%s: %zu simulated, %zu were complete", sweep->mine_count,
                 sweep->shard.count > 1 ? " of this shard" : "", sweep->done,
                 sweep->mine_count - sweep->todo_count);
    if (!cli_interrupted())
        return EXIT_OK;
    cli_message(
        "interrupted: %s holds the points that were complete; the same command does the rest",
        sweep->dir);
    return 128 + cli_interrupted();
}

/* ---- the command ---- */

static int emit(const struct sweep *sweep, const char *engine)
{
    struct err err = {0};
    const char *shard = cli_option(sweep->cli, OPT_SHARD);
    size_t shards = 0;
    if (shard != NULL && (!shard_is_auto(shard, &shards) || shards == 0))
        return cli_misuse(sweep->cli, "--emit: expected --shard auto/N, for N shards, got '%s'",
                          shard);
    if (shard == NULL) /* sites limit how many jobs may wait */
        shards = sweep->plan.count < 100 ? sweep->plan.count : 100;
    struct sweep_emit emit = {sweep->cli, sweep->plan.name, shards, sweep->threads};
    return sweep_emit(engine, &emit, cli_data(sweep->cli), &err) ? EXIT_OK : cli_fail(&err);
}

/* getenv() with a type of its own, since its result must not be written to. */
static const char *variable(const char *name)
{
    return getenv(name);
}

static int interrupted(void)
{
    cli_message("interrupted before any point was simulated");
    return 128 + cli_interrupted();
}

static int sweep_plan(struct sweep *sweep)
{
    struct err err = {0};
    const char *shard = cli_option(sweep->cli, OPT_SHARD),
               *engine = cli_option(sweep->cli, OPT_EMIT);
    if (sweep->plan.metric_count == 0) {
        sweep->plan.metrics =
            mem_resize(sweep->plan.metrics, sizeof usual_metrics / sizeof *usual_metrics,
                       sizeof *usual_metrics);
        memcpy(sweep->plan.metrics, usual_metrics, sizeof usual_metrics);
        sweep->plan.metric_count = sizeof usual_metrics / sizeof *usual_metrics;
    }
    if (!check_metrics(sweep, &err) || !check_options(sweep, &err))
        return cli_fail(&err);
    if (engine == NULL && shard != NULL && !shard_parse(&sweep->shard, shard, variable, &err))
        return cli_fail(&err);
    cli_catch_signals();
    bool ok = sweep_points_init(&sweep->points, &sweep->plan, &sweep->command_line, sweep->threads,
                                cli_stop, &err);
    int code = !ok                 ? cli_fail(&err)
               : cli_interrupted() ? interrupted()
               : engine != NULL    ? emit(sweep, engine)
                                   : run_shard(sweep);
    sweep_points_free(&sweep->points);
    return code;
}

int cmd_sweep(struct cli *cli)
{
    struct err err = {0};
    struct sweep sweep = {.cli = cli,
                          .dir = cli_option(cli, OPT_OUTPUT),
                          .command_line = overrides_of(cli),
                          .shard = {0, 1},
                          .threads = (int)cli_number(cli, OPT_JOBS, 1)};
    if (sweep.dir == NULL)
        return cli_misuse(cli, "no output directory given (-o DIR)");
    if (!screen_of(&sweep.screen, cli, WIDTH, &err))
        return cli_fail(&err);
    if (!sweep_plan_open(&sweep.plan, cli->operands[0], &err))
        return cli_fail(&err);
    int code = sweep_plan(&sweep);
    for (size_t i = 0; i < sweep.path_count; i++)
        free(sweep.paths[i]);
    free(sweep.paths);
    free(sweep.mine);
    free(sweep.todo);
    free(sweep.has_value);
    price_notes_fini(&sweep.prices);
    sweep_plan_close(&sweep.plan);
    return code;
}
