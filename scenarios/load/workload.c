/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The workload: traces and generators, how they are replayed, and the lists of exact packing
 * studies.
 */
#include "scenarios/load/fill.h"

#include "sim/base/file.h"
#include "sim/base/mem.h"
#include "sim/base/order.h"
#include "sim/base/text.h"
#include "traces/nodes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_MAX_HERE 96

/* A named queue must exist, unless queues are made from the trace. */
static bool check_queue(struct build *build, const char *path, const char *name)
{
    const struct scenario *scenario = &build->scenario;
    if (!name || scenario->queue_count == 0 ||
        symbols_find(build->queues, name, strlen(name)) != SYMBOL_NONE)
        return true;
    char hint[128];
    text_suggest(hint, sizeof hint, name, &scenario->queues[0].name, scenario->queue_count,
                 sizeof *scenario->queues);
    return build_fail(build, path, "unknown queue '%.64s'%s", name, hint);
}

static bool check_format(struct build *build, const char *path, const char *name)
{
    size_t count;
    const struct trace_format_row *rows = trace_formats(&count);
    if (strcmp(name, "auto") == 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return true;
    }
    char hint[128];
    text_suggest(hint, sizeof hint, name, &rows[0].name, count, sizeof *rows);
    return build_fail(build, path, "unknown trace format '%.64s'%s (list formats shows all)", name,
                      hint);
}

/* Reports an unreadable trace at once, while the key that names it is known. */
static bool check_readable(struct build *build, const char *path, const char *name)
{
    if (!build->files || strcmp(name, "-") == 0)
        return true;
    struct err why;
    return file_find(name, &why) == FILE_FOUND || build_fail(build, path, "%s", why.msg);
}

/* ---- generators */

static const struct trace_profile_row *find_profile(const char *name)
{
    size_t count;
    const struct trace_profile_row *rows = trace_profiles(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    }
    return NULL;
}

static bool is_time(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && strcmp(name + n - 2, "_s") == 0;
}

/*
 * Returns the parameter of that name; a time may be named without its unit, as in "horizon": "14d".
 * NULL: none.
 */
static const char *find_parameter(const struct trace_profile_row *profile, const char *name)
{
    size_t n = strlen(name);
    for (const char *const *known = profile->parameter_names; *known; known++)
        if (strcmp(*known, name) == 0 ||
            (is_time(*known) && strlen(*known) == n + 2 && strncmp(*known, name, n) == 0))
            return *known;
    return NULL;
}

/* Reads the value of a parameter: a number, or for a time a duration. */
static bool parameter_value(const char *name, const cJSON *entry, double *value)
{
    if (cJSON_IsNumber(entry)) {
        *value = entry->valuedouble;
        return true;
    }
    int64_t ms = 0;
    bool known =
        is_time(name) && text_duration_ms(entry->valuestring, strlen(entry->valuestring), &ms);
    *value = (double)ms / 1000.0;
    return known;
}

static bool unknown_parameter(struct build *build, const char *at,
                              const struct trace_profile_row *profile, const char *name)
{
    size_t known = 0;
    while (profile->parameter_names[known])
        known++;
    char hint[128];
    text_suggest(hint, sizeof hint, name, profile->parameter_names, known, sizeof(const char *));
    return build_fail(build, at, "unknown parameter '%.64s' of the profile '%s'%s", name,
                      profile->name, hint);
}

static bool fill_parameters(struct build *build, const char *path, const cJSON *tree,
                            const struct trace_profile_row *profile, struct scen_source *source)
{
    source->generate.parameters =
        build_alloc(build, (size_t)cJSON_GetArraySize(tree), sizeof *source->generate.parameters);
    for (const cJSON *entry = tree->child; entry; entry = entry->next) {
        if (strcmp(entry->string, "profile") == 0 || strcmp(entry->string, "teams") == 0)
            continue;
        char at[JSON_PATH_MAX];
        (void)snprintf(at, sizeof at, "%s", path);
        json_path_add(at, entry->string);
        const char *name = find_parameter(profile, entry->string);
        if (!name)
            return unknown_parameter(build, at, profile, entry->string);
        double value;
        if (!parameter_value(name, entry, &value))
            return build_fail(build, at, "'%.64s': expected a number", entry->valuestring);
        source->generate.parameters[source->generate.parameter_count++] =
            (struct trace_parameter){.name = name, .value = value};
        source->generate.gpus_given = source->generate.gpus_given || strcmp(name, "gpus") == 0;
    }
    return true;
}

static bool fill_teams(struct build *build, const char *path, const cJSON *list,
                       struct scen_source *source)
{
    size_t n = 0;
    source->generate.teams =
        build_alloc(build, (size_t)cJSON_GetArraySize(list), sizeof *source->generate.teams);
    for (const cJSON *entry = list->child; entry; entry = entry->next) {
        struct trace_team team = {
            .queue = fill_text(entry, "queue"),
            .weight = fill_number(entry, "weight"),
            .users = (int)fill_integer(entry, "users"),
        };
        char at[PATH_MAX_HERE];
        (void)snprintf(at, sizeof at, "%s.teams[%zu].queue", path, n);
        if (!check_queue(build, at, team.queue))
            return false;
        source->generate.teams[n++] = team;
    }
    source->generate.team_count = n;
    return true;
}

static bool fill_generate(struct build *build, const char *part, const cJSON *tree,
                          struct scen_source *source)
{
    char path[PATH_MAX_HERE / 2], at[PATH_MAX_HERE];
    (void)snprintf(path, sizeof path, "%s.generate", part);
    source->generate.profile = fill_text(tree, "profile");
    const struct trace_profile_row *profile = find_profile(source->generate.profile);
    if (!profile) {
        size_t count;
        char hint[128];
        const struct trace_profile_row *rows = trace_profiles(&count);
        text_suggest(hint, sizeof hint, source->generate.profile, &rows[0].name, count,
                     sizeof *rows);
        (void)snprintf(at, sizeof at, "%s.profile", path);
        return build_fail(build, at, "unknown profile '%.64s'%s", source->generate.profile, hint);
    }
    const cJSON *teams = json_member(tree, "teams");
    return fill_parameters(build, path, tree, profile, source) &&
           (!teams || fill_teams(build, path, teams, source));
}

/* ---- parts */

static bool setting_is_path(const char *key)
{
    size_t count;
    const struct trace_setting_row *rows = trace_settings(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].key, key) == 0)
            return rows[i].path;
    return false;
}

/* Names and values are checked here; whether they suit the trace is known only with its format. */
static bool fill_settings(struct build *build, const char *part, const cJSON *tree,
                          struct scen_source *source)
{
    source->settings =
        build_alloc(build, (size_t)cJSON_GetArraySize(tree), sizeof *source->settings);
    for (const cJSON *entry = tree ? tree->child : NULL; entry; entry = entry->next) {
        char at[JSON_PATH_MAX];
        struct err err;
        (void)snprintf(at, sizeof at, "%s.options", part);
        json_path_add(at, entry->string);
        struct trace_setting setting = {entry->string, fill_option(build, entry)};
        if (!trace_setting_check(&setting, &err))
            return build_fail(build, at, "%s", err.msg);
        if (setting_is_path(setting.key)) {
            setting.value = build_file(build, at, setting.value);
            if (!check_readable(build, at, setting.value))
                return false;
        }
        source->settings[source->setting_count++] = setting;
    }
    return true;
}

static bool fill_part(struct build *build, const char *path, const cJSON *tree)
{
    const cJSON *assign = json_member(tree, "assign"), *generate = json_member(tree, "generate");
    const char *trace = fill_text(tree, "trace");
    struct scen_source *source = &build->scenario.sources[build->scenario.source_count++];
    *source = (struct scen_source){
        .format = fill_text(tree, "format"),
        .jobs = fill_integer(tree, "jobs"),
        .time_scale = fill_number(tree, "time_scale"),
        .load_scale = fill_number(tree, "load_scale"),
        .users_scale = fill_number(tree, "users_scale"),
        .resample_users = cJSON_IsTrue(json_member(tree, "resample_users")),
        .block_ms = fill_ms(tree, "block_s", 0),
        .assign_queue = fill_text(assign, "queue"),
        .assign_class = fill_text(assign, "class"),
    };
    char at[PATH_MAX_HERE];
    if (!fill_recorded_on(build, path, tree, source))
        return false;
    if (!trace && !generate)
        return build_fail(build, path, "no trace: give --trace FILE or workload.trace");
    (void)snprintf(at, sizeof at, "%s.assign.queue", path);
    if (!check_queue(build, at, source->assign_queue))
        return false;
    if (generate)
        return fill_generate(build, path, generate, source);
    (void)snprintf(at, sizeof at, "%s.format", path);
    if (!check_format(build, at, source->format) ||
        !fill_settings(build, path, json_member(tree, "options"), source))
        return false;
    (void)snprintf(at, sizeof at, "%s.trace", path);
    source->trace = build_file(build, at, trace);
    return check_readable(build, at, source->trace);
}

/* ---- lists of exact studies */

static void digest_integers(struct build *build, const int64_t *values, size_t count)
{
    char text[32];
    for (size_t i = 0; i < count; i++) {
        int n = snprintf(text, sizeof text, "%" PRId64 "\n", values[i]);
        digest_add(&build->digest, text, (size_t)n);
    }
}

static bool read_integers(struct build *build, const char *path, const char *name, int64_t **values,
                          size_t *count)
{
    if (!trace_read_integers(build_file(build, path, name), values, count, build->err))
        return build_blame(build, path);
    build_keep(build, *values);
    digest_integers(build, *values, *count);
    return true;
}

static bool read_arrivals(struct build *build, const char *path, const char *name)
{
    struct scenario *scenario = &build->scenario;
    if (!read_integers(build, path, name, &scenario->fill_arrivals, &scenario->fill_arrival_count))
        return false;
    for (size_t i = 0; i < scenario->fill_arrival_count; i++) {
        if (scenario->fill_arrivals[i] < 0)
            return build_fail(build, path,
                              "entry %zu is %" PRId64 ", expected a data row, 0 or more", i + 1,
                              scenario->fill_arrivals[i]);
    }
    return true;
}

/* Ranks have to be unique and fit the policy core (22 bits), one for each node. */
static bool check_ranks(struct build *build, const char *path)
{
    const struct scenario *scenario = &build->scenario;
    int64_t nodes = (int64_t)scenario->node_count;
    for (size_t i = 0; i < scenario->pool_count; i++)
        nodes += scenario->pools[i].count;
    size_t count = scenario->node_rank_count;
    if (nodes != (int64_t)count)
        return build_fail(build, path,
                          "%zu ranks for %" PRId64 " nodes; expected one for each node", count,
                          nodes);
    int64_t *sorted = mem_alloc(count, sizeof *sorted);
    memcpy(sorted, scenario->node_rank, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, order_i64);
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        if (sorted[i] < 0 || sorted[i] >= 1 << 22)
            ok = build_fail(build, path, "the rank %" PRId64 " is out of range, expected 0 to %d",
                            sorted[i], (1 << 22) - 1);
        else if (i > 0 && sorted[i] == sorted[i - 1])
            ok = build_fail(build, path, "the rank %" PRId64 " is given twice; ranks are unique",
                            sorted[i]);
    }
    free(sorted);
    return ok;
}

static enum scen_replicate replicate_named(const char *name)
{
    static const char *const names[] = {[SCEN_REPLICATE_JITTER] = "jitter",
                                        [SCEN_REPLICATE_RESAMPLE] = "resample",
                                        [SCEN_REPLICATE_NONE] = "none"};
    size_t i = SCEN_REPLICATE_UNSET + 1;
    while (name != NULL && i < sizeof names / sizeof *names && strcmp(names[i], name) != 0)
        i++;
    return name != NULL ? (enum scen_replicate)i : SCEN_REPLICATE_UNSET;
}

/* Fills how replicas differ, and how demand is scaled. */
static bool fill_demand(struct build *build, const char *path, const cJSON *tree)
{
    struct scenario *scenario = &build->scenario;
    char at[PATH_MAX_HERE];
    scenario->growth = tree != NULL ? fill_number(tree, "growth") : 1;
    scenario->replicate = replicate_named(fill_text(tree, "replicate"));
    scenario->replicate_block_ms = fill_ms(tree, "replicate_block", 0);
    (void)snprintf(at, sizeof at, "%s.growth", path);
    if (scenario->mode == SCEN_FILL && (scenario->growth < 1 || scenario->growth > 1))
        return build_fail(
            build, at, "is not used where workload.mode is \"fill\": tune says how much arrives");
    (void)snprintf(at, sizeof at, "%s.replicate", path);
    if (scenario->mode == SCEN_FILL && scenario->replicate == SCEN_REPLICATE_RESAMPLE)
        return build_fail(build, at, "'resample' is not used where workload.mode is \"fill\"");
    (void)snprintf(at, sizeof at, "%s.replicate_block", path);
    if (json_member(tree, "replicate_block") != NULL && scenario->replicate_block_ms <= 0)
        return build_fail(build, at, "expected more than 0, such as 7d");
    return true;
}

/* Fills keys of the workload as a whole, in its only or first part. */
static bool fill_whole(struct build *build, const char *path, const cJSON *tree)
{
    struct scenario *scenario = &build->scenario;
    const char *arrivals = fill_text(tree, "arrivals"), *ranks = fill_text(tree, "node_rank");
    scenario->mode = strcmp(fill_text(tree, "mode"), "fill") == 0 ? SCEN_FILL : SCEN_REPLAY;
    scenario->closed = strcmp(fill_text(tree, "mode"), "closed") == 0;
    scenario->think_max_ms = fill_ms(tree, "think_max_s", -1);
    scenario->fill_tune = fill_number(tree, "tune");
    scenario->jitter_ms = fill_ms(tree, "shake_s", -1);
    const cJSON *shake_seed = json_member(tree, "shake_seed");
    scenario->has_jitter_seed = shake_seed != NULL;
    scenario->jitter_seed = shake_seed != NULL ? check_seed(shake_seed) : 0;
    char at[PATH_MAX_HERE];
    (void)snprintf(at, sizeof at, "%s.mode", path);
    if (json_member(build->tree, "start") && (scenario->mode == SCEN_FILL || scenario->closed))
        return build_fail(build, at,
                          "'%s' does not go with a run that begins with a snapshot (start)",
                          fill_text(tree, "mode"));
    (void)snprintf(at, sizeof at, "%s.%s", path, arrivals ? "arrivals" : "tune");
    if (scenario->mode != SCEN_FILL && (arrivals || scenario->fill_tune > 0))
        return build_fail(build, at, "is only used where workload.mode is \"fill\"");
    if (!fill_demand(build, path, tree))
        return false;
    (void)snprintf(at, sizeof at, "%s.think_max_s", path);
    if (!scenario->closed && scenario->think_max_ms >= 0)
        return build_fail(build, at, "is only used where workload.mode is \"closed\"");
    (void)snprintf(at, sizeof at, "%s.arrivals", path);
    if (arrivals && scenario->source_count > 1)
        return build_fail(build, at,
                          "numbers the rows of one trace, but the workload has %zu parts",
                          scenario->source_count);
    if (arrivals && build->files && !read_arrivals(build, at, arrivals))
        return false;
    (void)snprintf(at, sizeof at, "%s.node_rank", path);
    if (!ranks || !build->files)
        return true;
    return read_integers(build, at, ranks, &scenario->node_rank, &scenario->node_rank_count) &&
           check_ranks(build, at);
}

bool fill_workload(struct build *build)
{
    const cJSON *tree = json_member(build->tree, "workload");
    bool list = cJSON_IsArray(tree);
    if (!list && json_member(build->tree, "start") && !json_member(tree, "trace") &&
        !json_member(tree, "generate")) { /* all jobs come from the snapshot */
        struct scen_source none = {0};
        return fill_recorded_on(build, "workload", tree, &none) &&
               fill_whole(build, "workload", tree);
    }
    size_t count = list ? (size_t)cJSON_GetArraySize(tree) : 1;
    build->scenario.sources = build_alloc(build, count, sizeof(struct scen_source));
    const cJSON *part = list ? tree->child : tree;
    for (size_t i = 0; i < count; i++, part = part->next) {
        char path[32] = "workload";
        if (list)
            (void)snprintf(path, sizeof path, "workload[%zu]", i);
        if (!fill_part(build, path, part))
            return false;
    }
    return fill_whole(build, list ? "workload[0]" : "workload", list ? tree->child : tree);
}
