/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by all parts of filling: memory, errors with locations, values of the tree; and the small
 * parts.
 */
#include "scenarios/load/fill.h"

#include "scenarios/json/paths.h"
#include "scenarios/schema/policy_file.h"
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void build_keep(struct build *build, void *block)
{
    build->blocks = mem_grow(build->blocks, &build->block_capacity, build->block_count + 1,
                             sizeof *build->blocks);
    build->blocks[build->block_count++] = block;
}

void *build_alloc(struct build *build, size_t count, size_t size)
{
    void *block = mem_alloc(count, size);
    build_keep(build, block);
    return block;
}

const char *build_text(struct build *build, const char *text)
{
    char *copy = mem_text(text);
    build_keep(build, copy);
    return copy;
}

bool build_fail(struct build *build, const char *path, const char *format, ...)
{
    char message[sizeof build->err->msg];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    struct check check = {.where = layers_where, .of = &build->layers, .err = build->err};
    (void)snprintf(check.path, sizeof check.path, "%s", path);
    return check_fail(&check, "%s", message);
}

const char *build_file(struct build *build, const char *path, const char *value)
{
    char *name = layers_open_name(&build->layers, path, value);
    build_keep(build, name);
    return name;
}

bool build_blame(struct build *build, const char *path)
{
    char where[CHECK_WHERE_MAX];
    bool follows = layers_where(&build->layers, path, where);
    return err_prefix(build->err, "%s%s%s", where, follows ? ": " : "", follows ? path : "");
}

bool build_fail_row(struct build *build, const char *path, const char *file,
                    const struct trace_origin *origin, size_t column, const char *format, ...)
{
    char message[sizeof build->err->msg];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    err_set(build->err, EXIT_INPUT, "%s:%" PRIu64 ":%zu: %s", file, origin->line, column, message);
    return build_blame(build, path);
}

/* ---- policy, window, outputs */

/* Takes the user's price settings from one level. */
static void take_level(const cJSON *tree, struct price_level *level)
{
    if (json_member(tree, "depreciation_years"))
        level->years = fill_number(tree, "depreciation_years");
    if (json_member(tree, "hosting_usd_kw_month"))
        level->hosting_usd_kw_month = fill_number(tree, "hosting_usd_kw_month");
    if (json_member(tree, "usd_per_kwh"))
        level->usd_per_kwh = fill_number(tree, "usd_per_kwh");
}

bool fill_cost(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "cost");
    const char *basis = json_member(tree, "basis") ? fill_text(tree, "basis") : NULL;
    static const char *const of_own[] = {"depreciation_years", "interest", "network_share",
                                         "hosting_usd_kw_month"};
    bool owned = basis != NULL ? strcmp(basis, "own") == 0 : json_member(tree, of_own[0]) != NULL;
    for (size_t i = 0; i < sizeof of_own / sizeof *of_own; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "cost.%s", of_own[i]);
        if (!owned && json_member(tree, of_own[i]))
            return build_fail(build, path,
                              "says nothing about rents: write \"basis\": \"own\" beside it");
    }
    struct price_terms *cost = &build->scenario.cost;
    *cost = price_terms_usual(owned ? PRICE_OWN : PRICE_RENT);
    if (json_member(tree, "pue"))
        cost->pue = fill_number(tree, "pue");
    if (json_member(tree, "interest"))
        cost->interest = fill_number(tree, "interest");
    if (json_member(tree, "network_share"))
        cost->network = fill_number(tree, "network_share");
    take_level(tree, &cost->low);
    take_level(tree, &cost->mid);
    take_level(tree, &cost->high);
    cost->tariff_given = json_member(tree, "usd_per_kwh") && cost->mid.usd_per_kwh > 0;
    return true;
}

void fill_network(struct build *build)
{
    const char *network = fill_text(build->tree, "network");
    build->scenario.network = strcmp(network, "placement") == 0    ? SCEN_NETWORK_PLACEMENT
                              : strcmp(network, "contention") == 0 ? SCEN_NETWORK_CONTENTION
                                                                   : SCEN_NETWORK_OFF;
}

/* Returns the length of the window, or which jobs determine it. */
static int64_t horizon_of(const cJSON *window)
{
    const cJSON *horizon = json_member(window, "horizon");
    bool named = cJSON_IsString(horizon);
    if (named && strcmp(horizon->valuestring, "all") == 0)
        return SIM_TO_LAST_JOB;
    if (named && strcmp(horizon->valuestring, "last-submission") == 0)
        return SIM_TO_LAST_SUBMISSION;
    return fill_ms(window, "horizon", SIM_TO_LAST_SUBMISSION);
}

bool fill_window(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "window"),
                *outputs = json_member(build->tree, "outputs");
    const cJSON *drain = json_member(tree, "drain");
    const cJSON *warmup = json_member(tree, "warmup"), *journal = json_member(outputs, "journal");
    bool find = cJSON_IsString(warmup) && strcmp(warmup->valuestring, "auto") == 0;
    struct scen_window *window = &build->scenario.window;
    *window = (struct scen_window){
        .warmup_ms = find ? 0 : fill_ms(tree, "warmup", 0),
        .warmup_auto = find,
        .horizon_ms = horizon_of(tree),
        .drain = !cJSON_IsFalse(drain),
        .drain_cap_ms = cJSON_IsBool(drain) ? -1 : check_duration_ms(drain),
    };
    build->scenario.outputs = (struct scen_outputs){
        .jobs = fill_true(outputs, "jobs"),
        .journal = !cJSON_IsFalse(journal),
        .facts = cJSON_IsString(journal) && strcmp(journal->valuestring, "facts") == 0,
        .timeline_ms = fill_ms(outputs, "timeline_s", 0),
    };
    if (window->horizon_ms >= 0 && window->warmup_ms >= window->horizon_ms && !find)
        return build_fail(build, "window.warmup",
                          "expected less than window.horizon (%g s), got %g s",
                          (double)window->horizon_ms / 1000, (double)window->warmup_ms / 1000);
    return true;
}

bool fill_metrics(struct build *build)
{
    build->scenario.rho = cJSON_IsTrue(json_member(json_member(build->tree, "metrics"), "rho"));
    build->scenario.tau_ms = fill_ms(json_member(build->tree, "metrics"), "tau", 0);
    if (build->scenario.tau_ms <= 0)
        return build_fail(build, "metrics.tau",
                          "expected more than 0 s: it bounds slowdowns of jobs of no length");
    if (build->scenario.rho && build->scenario.mode == SCEN_FILL)
        return build_fail(build, "metrics.rho",
                          "expected false: a packing study has no completion times");
    for (size_t i = 0; build->scenario.rho && i < build->scenario.pool_count; i++)
        if (build->scenario.pools[i].elastic.planned)
            return build_fail(build, "metrics.rho",
                              "expected false: pool '%.64s' changes its size by the calendar, so "
                              "what a queue would have alone is not defined",
                              build->scenario.pools[i].name);
    return !build->scenario.rho || build->scenario.start.snapshot == NULL ||
           build_fail(build, "metrics.rho",
                      "expected false: the run begins with a snapshot, and when its jobs would "
                      "have ended alone is not known");
}
