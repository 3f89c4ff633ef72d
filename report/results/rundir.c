/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens a run directory: the summary as a cJSON tree, checked for what other code relies on. Sizes
 * are bounded because the directory may come from elsewhere.
 */
#include "report/results/rundir.h"

#include "sim/base/file.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUMMARY_LIMIT ((size_t)256 << 20)

void rundir_fail(const struct rundir *run, const struct err *why)
{
    if (run->failed != NULL && run->failed->code == EXIT_OK)
        *run->failed = *why;
}

bool rundir_intact(const struct rundir *run, struct err *err)
{
    if (run->failed == NULL || run->failed->code == EXIT_OK)
        return true;
    *err = *run->failed;
    return false;
}

static int line_of(const char *text, const char *at)
{
    int line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* Frees the text. */
static cJSON *parse(const char *path, char *text, size_t length, struct err *err)
{
    const char *end = text;
    cJSON *tree = cJSON_ParseWithLengthOpts(text, length + 1, &end, true);
    if (!tree)
        err_set(err, EXIT_INPUT, "%s: line %d: not valid JSON", path, line_of(text, end));
    free(text);
    return tree;
}

const cJSON *json_at(const cJSON *object, const char *path)
{
    char key[128];
    while (object && *path) {
        size_t n = strcspn(path, ".");
        if (n >= sizeof key)
            return NULL;
        memcpy(key, path, n);
        key[n] = '\0';
        object = cJSON_GetObjectItemCaseSensitive(object, key);
        path += n + (path[n] == '.');
    }
    return object;
}

double json_number_at(const cJSON *object, const char *path)
{
    const cJSON *item = json_at(object, path);
    return cJSON_IsNumber(item) && isfinite(item->valuedouble) ? item->valuedouble : (double)NAN;
}

const char *json_text_at(const cJSON *object, const char *path)
{
    const cJSON *item = json_at(object, path);
    return cJSON_IsString(item) && item->valuestring ? item->valuestring : "";
}

static bool check_schema(const char *file, const cJSON *tree, struct err *err)
{
    const cJSON *schema = cJSON_GetObjectItemCaseSensitive(tree, "fauxfleet_summary");
    if (!cJSON_IsObject(tree) || !schema)
        return err_set(err, EXIT_INPUT, "%s: not a summary of a run: no key 'fauxfleet_summary'",
                       file);
    if (!cJSON_IsNumber(schema) || !(schema->valuedouble >= 1 && schema->valuedouble < 2))
        return err_set(err, EXIT_INPUT, "%s: fauxfleet_summary: unknown version, expected 1", file);
    return true;
}

/* A file whose existence cannot be checked counts as absent; rundir_intact() reports it. */
static bool is_there(const struct rundir *run, const char *path)
{
    struct err why;
    enum file_found found = file_find(path, &why);
    if (found == FILE_FAILED)
        rundir_fail(run, &why);
    return found == FILE_FOUND;
}

static void count_replicas(struct rundir *run)
{
    const cJSON *replicas = cJSON_GetObjectItemCaseSensitive(run->summary, "replicas");
    if (cJSON_IsArray(replicas) && cJSON_GetArraySize(replicas) > 1)
        run->replicas = cJSON_GetArraySize(replicas);
}

bool rundir_open(struct rundir *run, const char *path, struct err *err)
{
    *run = (struct rundir){.replicas = 1, .failed = mem_alloc(1, sizeof *run->failed)};
    char *file = mem_format("%s/summary.json", path), *text;
    size_t length;
    if (file_read(file, SUMMARY_LIMIT, &text, &length, err) == FILE_FOUND)
        run->summary = parse(file, text, length, err);
    bool ok = run->summary && check_schema(file, run->summary, err);
    free(file);
    if (!ok) {
        rundir_close(run);
        return false;
    }
    count_replicas(run);
    char *first = mem_format("%s/rep-1/summary.json", path);
    bool split = run->replicas > 1 ||
                 (cJSON_IsArray(json_at(run->summary, "replicas")) && is_there(run, first));
    free(first);
    run->path = mem_text(path);
    run->prefix = mem_text(split ? "rep-1/" : "");
    run->data = split ? mem_format("%s/rep-1", path) : mem_text(path);
    return true;
}

bool rundir_make(struct rundir *run, const char *name, const char *summary, struct err *err)
{
    struct err why;
    *run = (struct rundir){.replicas = 1, .summary = cJSON_Parse(summary)};
    if (run->summary == NULL || !check_schema(name, run->summary, &why)) {
        rundir_close(run);
        return err_set(err, EXIT_INTERNAL, "%s: the simulation left no summary", name);
    }
    count_replicas(run);
    run->path = mem_text(name);
    run->prefix = mem_text("");
    return true;
}

void rundir_close(struct rundir *run)
{
    cJSON_Delete(run->summary);
    free(run->path);
    free(run->data);
    free(run->prefix);
    free(run->failed);
    *run = (struct rundir){0};
}

bool rundir_scenario(const struct rundir *run, cJSON **scenario, struct err *err)
{
    *scenario = NULL;
    if (run->data == NULL)
        return true;
    char *path = mem_format("%s/scenario.json", run->data), *text;
    size_t length;
    enum file_found found = file_read(path, SUMMARY_LIMIT, &text, &length, err);
    if (found == FILE_FOUND)
        *scenario = parse(path, text, length, err);
    free(path);
    return *scenario != NULL || found == FILE_ABSENT;
}

bool rundir_has(const struct rundir *run, const char *prefix, const char *name)
{
    if (run->data == NULL)
        return false;
    char *path = mem_format("%s/%s%s", run->path, prefix, name);
    bool has = is_there(run, path);
    free(path);
    return has;
}

bool rundir_is_fill(const struct rundir *run)
{
    const cJSON *curve = json_at(run->summary, "fill.curve");
    return cJSON_IsArray(curve) && cJSON_GetArraySize(curve) > 0;
}

double rundir_window_start(const struct rundir *run)
{
    return json_number_at(run->summary, "window.start_s");
}

double rundir_window_end(const struct rundir *run)
{
    return json_number_at(run->summary, "window.end_s");
}
