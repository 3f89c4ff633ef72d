/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary for a terminal: each line answers one of a planner's first questions (did the jobs
 * run, how much of the fleet worked, where did the hours go, how long did jobs wait, was it fair)
 * from summary.json alone.
 */
#include "report/measure/speeds.h"
#include "report/report.h"
#include "report/results/items.h"
#include "report/results/rundir.h"
#include "report/terminal/hosts_print.h"
#include "report/terminal/pools_print.h"
#include "report/terminal/published.h"
#include "report/terminal/services_print.h"
#include "report/terminal/table.h"
#include "report/words/losses.h"
#include "report/words/price_note.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH        100
#define NARROWEST    80
#define LABEL        9 /* columns of the label at the start of a line */
#define QUEUE_ROWS   ((size_t)16)
#define MODEL_ROWS   ((size_t)24)
#define DIGEST_SHOWN 12
#define LOSSES_SHOWN ((size_t)12)
#define NAME_WIDTH   ((size_t)28)
#define MOST_ITEMS   12

/*
 * Lines of "label   item  item"; an item that does not fit starts a new line under the first item.
 */
struct lines {
    struct out *out;
    size_t width, column;
    const char *label;
};

static void pad(struct out *out, const char *text, size_t width)
{
    out_text(out, text);
    for (size_t n = unit_width(text); n < width; n++)
        out_char(out, ' ');
}

static void add_item(struct lines *lines, const char *text)
{
    size_t n = unit_width(text);
    if (lines->column > 0 && lines->column + 2 + n > lines->width) {
        out_char(lines->out, '\n');
        lines->column = 0;
        lines->label = "";
    }
    if (lines->column == 0) {
        pad(lines->out, lines->label, LABEL);
        lines->column = LABEL;
    } else {
        out_text(lines->out, "  ");
        lines->column += 2;
    }
    out_text(lines->out, text);
    lines->column += n;
}

static void end_lines(struct lines *lines)
{
    if (lines->column > 0)
        out_char(lines->out, '\n');
    lines->column = 0;
}

static void add_named(struct lines *lines, const char *name, const char *value)
{
    char item[2 * UNIT_TEXT];
    (void)snprintf(item, sizeof item, "%s %s", name, value);
    add_item(lines, item);
}

/* Continues the current line. */
static void add_items(struct lines *lines, const struct item *items, size_t count,
                      const cJSON *summary)
{
    char text[UNIT_TEXT];
    for (size_t i = 0; i < count; i++) {
        const char *shown = item_text(text, &items[i], summary);
        if (shown != NULL)
            add_named(lines, items[i].name, shown);
    }
    end_lines(lines);
}

static void print_title(struct out *out, const struct rundir *run)
{
    char *scenario = unit_name(json_text_at(run->summary, "scenario"), 40);
    char *policy = unit_name(json_text_at(run->summary, "policy"), 24);
    double seed = json_number_at(run->summary, "seed");
    double span = rundir_window_end(run) - rundir_window_start(run);
    char text[UNIT_TEXT];
    out_format(out, "%s, policy %s", *scenario ? scenario : "unnamed scenario",
               *policy ? policy : "-");
    if (!isnan(seed))
        out_format(out, ", seed %.0f", seed);
    if (run->replicas > 1)
        out_format(out, ", means of %d replicas", run->replicas);
    if (span > 0)
        out_format(out, ", window %s", unit_duration(text, span));
    out_text(out, "\n\n");
    free(scenario);
    free(policy);
}

/* Submitted and completed are always printed, the others only if above 0. */
static void print_jobs(struct lines *lines, const cJSON *summary)
{
    static const struct {
        const char *path, *name;
        bool always;
    } counts[] = {
        {"jobs.submitted", "submitted", true},  {"jobs.completed", "completed", true},
        {"jobs.stopped", "stopped", false},     {"jobs.failed", "failed", false},
        {"jobs.cancelled", "cancelled", false}, {"jobs.running", "running", false},
        {"jobs.pending", "pending", true},      {"jobs.never_fits", "never fits", false},
    };
    char text[UNIT_TEXT];
    lines->label = "jobs";
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        double n = json_number_at(summary, counts[i].path);
        if (counts[i].always || n > 0)
            add_named(lines, counts[i].name, unit_count(text, n));
    }
    end_lines(lines);
}

/* The rungs as shares of the installed hours, then the verdict. */
static void print_ladder(struct lines *lines, const cJSON *summary)
{
    static const char *const rungs[] = {"available", "allocated", "running", "productive"};
    double installed = json_number_at(summary, "gpu_hours.installed");
    if (!(installed > 0))
        return;
    char text[UNIT_TEXT], item[2 * UNIT_TEXT];
    lines->label = "fleet";
    (void)snprintf(item, sizeof item, "%s GPU-h installed", unit_amount(text, installed));
    add_item(lines, item);
    for (size_t i = 0; i < sizeof rungs / sizeof *rungs; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "gpu_hours.%s", rungs[i]);
        (void)snprintf(item, sizeof item, "> %s %s", rungs[i],
                       unit_percent(text, json_number_at(summary, path) / installed));
        add_item(lines, item);
    }
    end_lines(lines);
}

struct loss {
    const char *name;
    double hours;
    size_t index;
};

static int larger_first(const void *left, const void *right)
{
    const struct loss *a = left, *b = right;
    if (a->hours > b->hours || a->hours < b->hours)
        return a->hours > b->hours ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static void print_losses(struct lines *lines, const cJSON *summary)
{
    const cJSON *lost = json_at(summary, "gpu_hours.lost"), *item;
    struct loss *losses = mem_alloc((size_t)cJSON_GetArraySize(lost) + 1, sizeof *losses);
    size_t count = 0;
    cJSON_ArrayForEach(item, lost)
    {
        if (!item->string || !cJSON_IsNumber(item) || !(item->valuedouble > 0))
            continue;
        losses[count] =
            (struct loss){.name = item->string, .hours = item->valuedouble, .index = count};
        count++;
    }
    qsort(losses, count, sizeof *losses, larger_first);
    double installed = json_number_at(summary, "gpu_hours.installed");
    lines->label = "lost";
    for (size_t i = 0; i < count && i < LOSSES_SHOWN; i++) {
        char text[UNIT_TEXT];
        bool idle = loss_group(losses[i].name) == LOSS_IDLE;
        const char *label = loss_label(losses[i].name);
        char *name = idle ? mem_format("idle, %s", label)
                          : unit_name(strchr(losses[i].name, '_') != NULL ? label : losses[i].name,
                                      NAME_WIDTH);
        add_named(lines, name, unit_percent(text, losses[i].hours / installed));
        free(name);
    }
    end_lines(lines);
    free(losses);
}

static void print_drain(struct lines *lines, const cJSON *summary)
{
    char text[UNIT_TEXT], item[2 * UNIT_TEXT];
    double length = json_number_at(summary, "drain.length_s");
    if (!(length > 0))
        return;
    lines->label = "drain";
    (void)snprintf(item, sizeof item, "%s after the window", unit_duration(text, length));
    add_item(lines, item);
    add_named(lines, "jobs ended in it", unit_count(text, json_number_at(summary, "drain.jobs")));
    add_named(lines, "allocated", unit_percent(text, json_number_at(summary, "drain.allocation")));
    end_lines(lines);
}

static void print_evictions(struct lines *lines, const cJSON *summary)
{
    char text[UNIT_TEXT], item[2 * UNIT_TEXT];
    double evictions = json_number_at(summary, "preemption.evictions");
    if (!(evictions > 0))
        return;
    lines->label = "evicted";
    (void)snprintf(item, sizeof item, "%s time%s", unit_count(text, evictions),
                   evictions == 1 ? "" : "s");
    add_item(lines, item);
    add_named(lines, "jobs", unit_count(text, json_number_at(summary, "preemption.jobs")));
    add_named(lines, "moved", unit_count(text, json_number_at(summary, "preemption.moves")));
    add_named(lines, "lost GPU-h",
              unit_amount(text, json_number_at(summary, "preemption.lost_gpu_h")));
    double reclaim = json_number_at(summary, "fairness.reclaim_p95_s");
    if (!isnan(reclaim))
        add_named(lines, "reclaim p95", unit_duration(text, reclaim));
    end_lines(lines);
}

static void print_faults(struct lines *lines, const cJSON *summary)
{
    static const struct item items[] = {
        {"reliability.node_failures", "nodes out", unit_count, false},
        {"reliability.job_interruptions", "interrupted", unit_count, false},
        {"reliability.lost_gpu_h", "lost GPU-h", unit_amount, false},
        {"reliability.ettr", "ETTR", unit_percent, false},
    };
    char text[UNIT_TEXT];
    double faults = json_number_at(summary, "reliability.faults");
    if (!(faults > 0))
        return;
    lines->label = "faults";
    add_named(lines, "struck", unit_count(text, faults));
    add_items(lines, items, sizeof items / sizeof *items, summary);
}

/*
 * Lines that only print metrics, each if the run has them: burn-in tests, spares, shared device
 * memory, dependencies, deadlines, fairness, shared storage.
 */
static const struct {
    const char *label;
    struct item items[MOST_ITEMS]; /* ends at the first item without a path */
} figure_lines[] = {
    {"burn-in",
     {
         {"reliability.burn_in.tests", "tests", unit_count, false},
         {"reliability.burn_in.rejected", "rejected", unit_count, false},
         {"reliability.burn_in.rejected_share", "of them", unit_percent, false},
         {"reliability.burn_in.gpu_h", "GPU-h", unit_amount, false},
     }},
    {"spares",
     {
         {"reliability.spares.total", "nodes", unit_count, false},
         {"reliability.spares.in_use_mean", "in use", unit_amount, false},
         {"reliability.spares.in_use_peak", "peak", unit_count, false},
         {"reliability.spares.exhausted", "exhausted", unit_percent, false},
     }},
    {"memory",
     {
         {"gpu_memory.mean_use", "in use", unit_percent, false},
         {"gpu_memory.mean_tenants", "tasks/device", unit_amount, false},
         {"gpu_memory.collisions", "collisions", unit_count, false},
         {"gpu_memory.waits", "waits", unit_count, true},
         {"gpu_memory.wait_gpu_h", "wait GPU-h", unit_amount, true},
         {"gpu_memory.oom_kills", "OOM kills", unit_count, true},
         {"gpu_memory.stuck_kills", "stuck kills", unit_count, true},
         {"gpu_memory.evicted_idle", "idle ended", unit_count, true},
         {"gpu_memory.evicted_priority", "lower ended", unit_count, true},
         {"gpu_memory.swapped_gb", "GB swapped", unit_amount, true},
         {"gpu_memory.swap_lost_gpu_h", "lost GPU-h", unit_amount, true},
     }},
    {"links",
     {
         {"dependencies.linked", "follow others", unit_count, true},
         {"dependencies.unknown", "unknown", unit_count, true},
         {"dependencies.cancelled", "cancelled", unit_count, true},
         {"dependencies.arrays", "arrays", unit_count, true},
         {"dependencies.array_jobs", "of jobs", unit_count, true},
         {"dependencies.capped", "capped", unit_count, true},
         {"dependencies.reactions", "reactions", unit_count, true},
         {"dependencies.still_held", "still held", unit_count, true},
         {"dependencies.held_s.mean", "held, mean", unit_duration, true},
     }},
    {"due",
     {
         {"deadlines.jobs", "jobs", unit_count, true},
         {"deadlines.met_share", "met", unit_percent, false},
         {"deadlines.lateness_s.mean", "late mean", unit_duration, false},
         {"deadlines.lateness_s.p95", "p95", unit_duration, false},
         {"deadlines.lateness_s.max", "max", unit_duration, false},
     }},
    {"fairness",
     {
         {"fairness.jain", "Jain", unit_ratio, false},
         {"fairness.gini", "Gini", unit_ratio, false},
         {"fairness.min_share", "worst share", unit_percent, false},
         {"fairness.share_deficit_gpu_h", "owed GPU-h", unit_amount, false},
         {"fairness.share_deficit_core_h", "owed core-h", unit_amount, true},
         {"fairness.share_deficit_gib_h", "owed GiB-h", unit_amount, true},
         {"fairness.quota_satisfaction", "quota satisfaction", unit_percent, false},
         {"fairness.rho.p95", "rho p95", unit_ratio, false},
         {"fairness.rho.share_above_1", "rho above 1", unit_percent, false},
     }},
    {"storage",
     {
         {"storage.models_gb", "models GB", unit_amount, true},
         {"storage.restored_gb", "restored GB", unit_amount, true},
         {"storage.written_gb", "written GB", unit_amount, true},
         {"storage.data_gb", "data GB", unit_amount, true},
         {"storage.read_use", "read at", unit_ratio, true},
         {"storage.write_use", "written at", unit_ratio, true},
         {"storage.input_lost_gpu_h", "waiting for data GPU-h", unit_amount, true},
     }},
};

static void print_figures(struct lines *lines, const cJSON *summary)
{
    for (size_t i = 0; i < sizeof figure_lines / sizeof *figure_lines; i++) {
        size_t count = 0;
        while (count < MOST_ITEMS && figure_lines[i].items[count].path != NULL)
            count++;
        lines->label = figure_lines[i].label;
        add_items(lines, figure_lines[i].items, count, summary);
    }
}

static void print_cost(struct lines *lines, const cJSON *summary)
{
    static const struct item items[] = {
        {"cost.energy_kwh", "energy kWh", unit_amount, false},
        {"cost.usd", "USD", unit_amount, false},
        {"cost.usd_per_productive_gpu_h", "USD per productive GPU-h", unit_amount, false},
        {"cost.idle_usd", "idle USD", unit_amount, false},
    };
    char *note = price_note(summary);
    bool told = !isnan(json_number_at(summary, "cost.usd")) ||
                !isnan(json_number_at(summary, "cost.energy_kwh"));
    lines->label = "cost";
    add_items(lines, items, sizeof items / sizeof *items, summary);
    if (told && note != NULL) {
        lines->label = "";
        add_item(lines, note);
        end_lines(lines);
    }
    free(note);
}

static void print_speeds(struct lines *lines, const cJSON *summary)
{
    char *note = speeds_note(summary, NULL);
    lines->label = "speeds";
    if (note != NULL)
        add_item(lines, note);
    end_lines(lines);
    free(note);
}

/* Formats a quantile, or ">=" its lower bound if too many jobs are still pending. */
static const char *wait_text(char text[UNIT_TEXT], const cJSON *waits, const char *key)
{
    char at_least[32], bound[UNIT_TEXT];
    (void)snprintf(at_least, sizeof at_least, "%s_at_least", key);
    double value = json_number_at(waits, key), lower = json_number_at(waits, at_least);
    if (!isnan(value) || isnan(lower))
        return unit_duration(text, value);
    (void)snprintf(text, UNIT_TEXT, ">=%.40s", unit_duration(bound, lower));
    return text;
}

enum {
    WAIT_NAME,
    WAIT_JOBS,
    WAIT_MEAN,
    WAIT_P50,
    WAIT_P95,
    WAIT_P99,
    WAIT_MAX,
    WAIT_NOT_STARTED,
    WAIT_COLUMNS
};

static void add_waits(struct table *table, const char *name, double jobs, const cJSON *waits)
{
    static const char *const keys[] = {"mean", "p50", "p95", "p99", "max"};
    char text[WAIT_COLUMNS][UNIT_TEXT];
    const char *cells[WAIT_COLUMNS] = {
        [WAIT_NAME] = name, [WAIT_JOBS] = unit_count(text[WAIT_JOBS], jobs)};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        cells[WAIT_MEAN + i] = wait_text(text[WAIT_MEAN + i], waits, keys[i]);
    double censored = json_number_at(waits, "censored");
    cells[WAIT_NOT_STARTED] = unit_count(text[WAIT_NOT_STARTED], censored);
    table_row(table, cells);
}

static void print_waits(struct out *out, const cJSON *summary, size_t width)
{
    struct table *table = table_create(WAIT_COLUMNS);
    const cJSON *item, *all = json_at(summary, "wait_s");
    table_row(table, (const char *const[]){"wait", "jobs", "mean", "p50", "p95", "p99", "max",
                                           "not started"});
    size_t rows = 0;
    cJSON_ArrayForEach(item, json_at(summary, "by_class"))
    {
        double jobs = json_number_at(item, "jobs");
        if (!item->string || !(jobs > 0))
            continue;
        add_waits(table, *item->string ? item->string : "(no class)", jobs,
                  json_at(item, "wait_s"));
        rows++;
    }
    bool known = !isnan(json_number_at(all, "mean")) || !isnan(json_number_at(all, "p50_at_least"));
    if (rows > 0 || known) {
        add_waits(table, "all", json_number_at(summary, "jobs.submitted"), all);
        out_char(out, '\n');
        table_print(table, out, width);
    }
    table_destroy(table);
}

static struct rundir_queue queue_of(const cJSON *item)
{
    return (struct rundir_queue){.name = item->string,
                                 .entitled_gpu_h = json_number_at(item, "entitled_gpu_h"),
                                 .used_gpu_h = json_number_at(item, "used_gpu_h")};
}

static void add_queue(struct table *table, const struct rundir_queue *queue, const cJSON *waits)
{
    char used[UNIT_TEXT], entitled[UNIT_TEXT], share[UNIT_TEXT], p95[UNIT_TEXT];
    double ratio =
        queue->entitled_gpu_h > 0 ? queue->used_gpu_h / queue->entitled_gpu_h : (double)NAN;
    table_row(table,
              (const char *const[]){*queue->name ? queue->name : "(no name)",
                                    unit_amount(used, queue->used_gpu_h),
                                    unit_amount(entitled, queue->entitled_gpu_h),
                                    unit_percent(share, ratio), wait_text(p95, waits, "p95")});
}

/* The queues with the largest entitlement. */
static void print_queues(struct out *out, const cJSON *summary, size_t width)
{
    const cJSON *all = json_at(summary, "fairness.queues"), *item;
    size_t count = 0, capacity = (size_t)cJSON_GetArraySize(all) + 1;
    struct rundir_queue *queues = mem_alloc(capacity, sizeof *queues);
    const cJSON **waits = mem_alloc(capacity, sizeof *waits);
    cJSON_ArrayForEach(item, all)
    {
        if (!item->string || !cJSON_IsObject(item))
            continue;
        waits[count] = json_at(item, "wait_s");
        queues[count++] = queue_of(item);
    }
    size_t *ranks = rundir_queue_ranks(queues, count),
           shown = count < QUEUE_ROWS ? count : QUEUE_ROWS;
    struct table *table = table_create(5);
    table_row(table, (const char *const[]){"queue", "used GPU-h", "entitled GPU-h", "used/entitled",
                                           "wait p95"});
    for (size_t i = 0; i < shown; i++)
        add_queue(table, &queues[ranks[i]], waits[ranks[i]]);
    if (count > 0) {
        out_char(out, '\n');
        table_print(table, out, width);
    }
    if (shown < count)
        out_format(out, "(%zu more queues)\n", count - shown);
    table_destroy(table);
    free(ranks);
    free(waits);
    free(queues);
}

/* The throughput of the first models. */
static void print_models(struct out *out, const cJSON *summary, size_t width)
{
    const cJSON *model, *cell, *all = json_at(summary, "models");
    size_t count = 0;
    struct table *table = table_create(6);
    table_row(table,
              (const char *const[]){"model", "GPUs", "GPU-h", "samples/s", "step s", "slowdown"});
    cJSON_ArrayForEach(model, all)
    {
        char *name = unit_name(model->string, NAME_WIDTH);
        cJSON_ArrayForEach(cell, json_at(model, "by_gpus"))
        {
            char hours[UNIT_TEXT], rate[UNIT_TEXT], step[UNIT_TEXT], slowdown[UNIT_TEXT];
            if (count++ < MODEL_ROWS)
                table_row(table,
                          (const char *const[]){
                              name, cell->string, unit_amount(hours, json_number_at(cell, "gpu_h")),
                              unit_amount(rate, json_number_at(cell, "samples_per_s")),
                              unit_amount(step, json_number_at(cell, "mean_step_s")),
                              unit_ratio(slowdown, json_number_at(cell, "mean_slowdown"))});
        }
        free(name);
    }
    if (count > 0) {
        out_char(out, '\n');
        table_print(table, out, width);
    }
    if (count > MODEL_ROWS)
        out_format(out, "(%zu more)\n", count - MODEL_ROWS);
    table_destroy(table);
}

static void print_fill(struct lines *lines, const cJSON *summary)
{
    const cJSON *curve = json_at(summary, "fill.curve");
    int points = cJSON_IsArray(curve) ? cJSON_GetArraySize(curve) : 0;
    if (points == 0)
        return;
    const cJSON *last = cJSON_GetArrayItem(curve, points - 1);
    char text[UNIT_TEXT];
    lines->label = "fill";
    add_named(lines, "requested", unit_percent(text, json_number_at(last, "arrived_pct") / 100));
    add_named(lines, "allocated", unit_percent(text, json_number_at(last, "alloc_pct") / 100));
    add_named(lines, "fragmented",
              unit_percent(text, json_number_at(last, "frag_amount_pct") / 100));
    add_named(lines, "tasks not placed",
              unit_count(text, json_number_at(summary, "fill.failed_tasks")));
    end_lines(lines);
}

static void print_engine(struct lines *lines, const cJSON *summary)
{
    static const char *const names[] = {"events", "decisions", "cycles"};
    char text[UNIT_TEXT];
    lines->label = "engine";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        double n = json_number_at(json_at(summary, "engine"), names[i]);
        if (!isnan(n))
            add_named(lines, names[i], unit_count(text, n));
    }
    char *digest = unit_name(json_text_at(summary, "engine.journal_sha256"), 0);
    if (strlen(digest) > DIGEST_SHOWN)
        digest[DIGEST_SHOWN] = '\0';
    if (*digest)
        add_named(lines, "journal", digest);
    end_lines(lines);
    free(digest);
}

bool report_print_summary(const char *dir, struct out *out, int columns, struct err *err)
{
    struct rundir run;
    if (!rundir_open(&run, dir, err))
        return false;
    size_t width = columns <= 0 ? WIDTH : columns < NARROWEST ? NARROWEST : (size_t)columns;
    struct lines lines = {.out = out, .width = width};
    print_title(out, &run);
    print_jobs(&lines, run.summary);
    print_fill(&lines, run.summary);
    print_ladder(&lines, run.summary);
    print_losses(&lines, run.summary);
    print_drain(&lines, run.summary);
    print_evictions(&lines, run.summary);
    print_faults(&lines, run.summary);
    print_figures(&lines, run.summary);
    print_speeds(&lines, run.summary);
    print_cost(&lines, run.summary);
    print_engine(&lines, run.summary);
    if (!rundir_is_fill(&run)) {
        print_waits(out, run.summary, width);
        print_queues(out, run.summary, width);
        pools_print(out, run.summary, width);
        hosts_print(out, run.summary, width);
        services_print(out, run.summary, width);
        print_models(out, run.summary, width);
    }
    bool ok = published_print(&run, out, width, err);
    rundir_close(&run);
    return ok;
}
