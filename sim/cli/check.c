/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet check`: finds every error in files before anything runs. A JSON file is checked
 * against its schema, key by key, continuing after each error; only if there are none is it loaded
 * as the command that uses it would, with the files it names.
 */
#include "scenarios/schema/check.h"
#include "scenarios/load/gate_suite.h"
#include "scenarios/load/sweep_plan.h"
#include "scenarios/schema/gate.h"
#include "scenarios/schema/scenario.h"
#include "scenarios/schema/sweep.h"
#include "scenarios/snapshot/snapshot.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/program/command.h"
#include "sim/trace/read.h"
#include "sim/world/simulate.h"
#include "sim/world/workload.h"

#include <stdlib.h>
#include <string.h>

struct checking {
    struct cli *cli;
    size_t troubles; /* in all files */
};

static void note(void *to, const struct err *err)
{
    struct checking *checking = to;
    checking->troubles++;
    cli_message("%s", err->msg);
}

/* ---- what files refer to ---- */

struct counting {
    struct sink sink; /* first */
    struct checking *checking;
    size_t jobs, rejected;
};

#define ROWS_SHOWN 20 /* of one file; the others are counted */

static bool count_begin(struct sink *sink, struct err *err)
{
    (void)err;
    ((struct counting *)sink)->jobs = 0;
    return true;
}

static void count_job(struct sink *sink, const struct trace_job *job)
{
    (void)job;
    ((struct counting *)sink)->jobs++;
}

static void reject_row(void *sink, const struct err *err)
{
    struct counting *counting = sink;
    if (counting->rejected++ < ROWS_SHOWN)
        note(counting->checking, err);
}

/* Reads the traces of the scenario to their ends and notes rows with errors; false with the first
 * other trouble in one. */
static bool check_workload(struct checking *checking, const struct scenario *scenario,
                           struct err *err)
{
    bool ok = true;
    for (size_t i = 0; i < scenario->source_count && ok; i++) {
        struct trace *trace;
        if (scenario->sources[i].trace == NULL || trace_is_stream(scenario->sources[i].trace))
            continue;
        struct trace_names names = trace_names_create();
        struct counting counting = {.checking = checking};
        const struct workload_rejects rejects = {
            .reject = reject_row, .to = &counting, .all = true};
        ok = workload_recorded(scenario, i, scenario->seed, &names, true, &rejects, &trace, err);
        if (ok) {
            ok = trace_drain(trace, NULL, err) == TRACE_END;
            trace_close(trace);
        }
        trace_names_destroy(&names);
    }
    return ok;
}

static bool load_scenario(struct checking *checking, const char *path,
                          const struct scen_overrides *overrides, struct err *err)
{
    struct scenario *scenario;
    if (!scenario_load(&scenario, path, overrides, err))
        return false;
    bool ok = simulation_check_policy(scenario, err) && check_workload(checking, scenario, err);
    scenario_destroy(scenario);
    return ok;
}

/* ---- the kinds of JSON files ---- */

static bool check_scenario(struct checking *checking, const char *path, struct err *err)
{
    return load_scenario(checking, path, &(struct scen_overrides){0}, err);
}

static bool check_sweep(struct checking *checking, const char *path, struct err *err)
{
    struct sweep_plan plan;
    if (!sweep_plan_open(&plan, path, err))
        return false;
    bool ok = load_scenario(checking, plan.scenario, &(struct scen_overrides){0}, err);
    sweep_plan_close(&plan);
    return ok;
}

static bool check_gate(struct checking *checking, const char *path, struct err *err)
{
    struct gate_suite suite;
    if (!gate_suite_open(&suite, path, err))
        return false;
    bool ok = true;
    for (size_t i = 0; i < suite.scenario_count && ok; i++)
        ok = load_scenario(checking, suite.scenarios[i].file, &(struct scen_overrides){0}, err);
    gate_suite_close(&suite);
    return ok;
}

static bool check_snapshot(struct checking *checking, const char *path, struct err *err)
{
    (void)checking;
    struct snapshot *snapshot;
    if (!snapshot_load(&snapshot, path, err))
        return false;
    snapshot_destroy(snapshot);
    return true;
}

static const struct file_kind {
    const char *key, *name;
    const struct schema_row *root; /* NULL: loading it reports the errors */
    bool (*load)(struct checking *, const char *path, struct err *);
} kinds[] = {
    {"fauxfleet_scenario", "a scenario", &schema_scenario, check_scenario},
    {"extends", "a scenario", &schema_scenario, check_scenario},
    {"fauxfleet_sweep", "a sweep plan", &schema_sweep, check_sweep},
    {"fauxfleet_gate", "a gate suite", &schema_gate, check_gate},
    {"fauxfleet_snapshot", "a snapshot", NULL, check_snapshot},
};

static const struct file_kind *kind_of(const struct json_source *source)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (json_member(source->root, kinds[i].key))
            return &kinds[i];
    return NULL;
}

/* Hands every trouble of the file itself to note(). False: there were some. */
static bool check_schema(struct checking *checking, const struct json_source *source,
                         const struct file_kind *kind)
{
    if (kind->root == NULL)
        return true;
    struct err err = {0};
    size_t before = checking->troubles;
    struct check check = {.where = check_where_file,
                          .of = source,
                          .whole = kind->root != &schema_scenario,
                          .err = &err,
                          .each = note,
                          .to = checking};
    if (!check_value(&check, kind->root, source->root))
        note(checking, &err);
    return checking->troubles == before;
}

static void check_json(struct checking *checking, const char *path)
{
    struct err err = {0};
    struct json_source source;
    if (!json_source_open(&source, path, &err)) {
        note(checking, &err);
        return;
    }
    const struct file_kind *kind = kind_of(&source);
    if (kind == NULL) {
        err_set(&err, EXIT_INPUT,
                "%s: expected a scenario, a sweep plan, a gate suite or a snapshot, with its key "
                "'fauxfleet_scenario', 'fauxfleet_sweep', 'fauxfleet_gate' or "
                "'fauxfleet_snapshot'",
                path);
        note(checking, &err);
    } else if (check_schema(checking, &source, kind)) {
        size_t before = checking->troubles;
        if (!kind->load(checking, path, &err))
            note(checking, &err);
        else if (checking->troubles == before)
            out_format(checking->cli->out, "%s: %s, in order\n", path, kind->name);
    }
    json_source_close(&source);
}

static void check_trace(struct checking *checking, const char *path)
{
    struct err err = {0};
    struct counting counting = {
        .sink = {.begin = count_begin, .job = count_job, .reject = reject_row},
        .checking = checking};
    struct trace *trace;
    counting.sink.names = trace_names_create();
    bool ok = trace_read_path(&trace, checking->cli, path, &counting.sink, true, &err);
    if (counting.rejected > ROWS_SHOWN)
        cli_message("%s: %zu more rows with errors", path, counting.rejected - ROWS_SHOWN);
    if (!ok)
        note(checking, &err);
    else if (counting.rejected == 0)
        out_format(checking->cli->out, "%s: a trace in the format %s, %zu jobs, in order\n", path,
                   trace_format_name(trace), counting.jobs);
    if (ok)
        trace_close(trace);
    trace_names_destroy(&counting.sink.names);
}

int cmd_check(struct cli *cli)
{
    struct checking checking = {.cli = cli};
    for (size_t i = 0; i < cli->operand_count; i++)
        (text_ends_in(cli->operands[i], ".json") ? check_json : check_trace)(&checking,
                                                                             cli->operands[i]);
    return checking.troubles == 0 ? EXIT_OK : EXIT_INPUT;
}
