/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads the folder of a sweep; see sweep_results.h. */
#include "report/results/sweep_results.h"

#include "report/results/rundir.h"
#include "sim/base/file.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MANIFEST_MAX ((size_t)1 << 30)
#define RESULT_MAX   ((size_t)256 << 20)
#define DIGITS       6 /* of numbers in summaries */

/* ---- plan.json ---- */

static void print_texts(struct out *out, const char *key, const char *const *texts, size_t count)
{
    out_format(out, " \"%s\": [", key);
    for (size_t i = 0; i < count; i++) {
        out_text(out, i > 0 ? ", " : "");
        json_quoted(out, texts[i]);
    }
    out_text(out, "],\n");
}

static void print_changes(const struct sweep_table *table, const struct sweep_row *row,
                          struct out *out)
{
    bool first = true;
    out_text(out, "\"changes\": {");
    for (size_t k = 0; k < table->key_count; k++) {
        if (row->values[k] == NULL)
            continue;
        char *value = cJSON_PrintUnformatted(row->values[k]);
        out_text(out, first ? "" : ", ");
        json_quoted(out, table->keys[k]);
        out_format(out, ": %s", value);
        free(value);
        first = false;
    }
    out_char(out, '}');
}

void sweep_table_print(const struct sweep_table *table, struct out *out)
{
    out_text(out, "{\n \"fauxfleet_sweep_results\": 1,\n \"name\": ");
    json_quoted(out, table->name);
    out_text(out, ",\n");
    print_texts(out, "keys", table->keys, table->key_count);
    print_texts(out, "metrics", table->metrics, table->metric_count);
    out_text(out, " \"points\": [\n");
    for (size_t i = 0; i < table->row_count; i++) {
        out_format(out, "  {\"id\": \"%s\", ", table->rows[i].id);
        print_changes(table, &table->rows[i], out);
        out_text(out, i + 1 < table->row_count ? "},\n" : "}\n");
    }
    out_text(out, " ]\n}\n");
}

/*
 * Sets *same if the file has exactly this text, and *exists if there is one. Returns false if it
 * cannot be read.
 */
static bool compare_with(const char *path, const char *text, size_t n, bool *exists, bool *same,
                         struct err *err)
{
    char *there;
    size_t length;
    enum file_found found = file_read(path, MANIFEST_MAX, &there, &length, err);
    *exists = found == FILE_FOUND;
    *same = *exists && length == n && memcmp(there, text, n) == 0;
    free(there);
    return found != FILE_FAILED;
}

bool sweep_table_write(const struct sweep_table *table, const char *dir, bool *changed,
                       struct err *err)
{
    struct out *text = out_memory();
    sweep_table_print(table, text);
    size_t n;
    const char *bytes = out_memory_text(text, &n);
    char *path = mem_format("%s/plan.json", dir);
    bool exists, same, ok = compare_with(path, bytes, n, &exists, &same, err);
    if (changed != NULL)
        *changed = exists && !same;
    if (ok && !same) {
        struct out *out = out_open_in(dir, "plan.json", err);
        if (out != NULL)
            out_bytes(out, bytes, n);
        ok = out != NULL && out_close(out, err);
    }
    free(path);
    out_discard(text);
    return ok;
}

static const char *const *read_texts(const cJSON *list, size_t *count)
{
    const char **texts = mem_alloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *texts);
    *count = 0;
    for (const cJSON *item = list ? list->child : NULL; item; item = item->next)
        if (cJSON_IsString(item))
            texts[(*count)++] = item->valuestring;
    return texts;
}

static bool is_id(const cJSON *item)
{
    return cJSON_IsString(item) && strlen(item->valuestring) == DIGEST_HEX - 1 &&
           strspn(item->valuestring, "0123456789abcdef") == DIGEST_HEX - 1;
}

static bool read_row(const struct sweep_table *table, const cJSON *point, struct sweep_row *row)
{
    const cJSON *id = cJSON_GetObjectItemCaseSensitive(point, "id");
    const cJSON *changes = cJSON_GetObjectItemCaseSensitive(point, "changes");
    if (!is_id(id) || !cJSON_IsObject(changes))
        return false;
    memcpy(row->id, id->valuestring, DIGEST_HEX);
    row->values = mem_alloc(table->key_count + 1, sizeof *row->values);
    for (size_t k = 0; k < table->key_count; k++)
        row->values[k] = cJSON_GetObjectItemCaseSensitive(changes, table->keys[k]);
    return true;
}

static bool read_table(struct sweep_manifest *manifest)
{
    const cJSON *root = manifest->source.root;
    struct sweep_table *table = &manifest->table;
    const cJSON *version = cJSON_GetObjectItemCaseSensitive(root, "fauxfleet_sweep_results");
    const cJSON *points = cJSON_GetObjectItemCaseSensitive(root, "points");
    if (!cJSON_IsNumber(version) || version->valueint != 1 || !cJSON_IsArray(points))
        return false;
    table->name = json_text_at(root, "name");
    table->keys = read_texts(cJSON_GetObjectItemCaseSensitive(root, "keys"), &table->key_count);
    table->metrics =
        read_texts(cJSON_GetObjectItemCaseSensitive(root, "metrics"), &table->metric_count);
    table->rows = mem_alloc((size_t)cJSON_GetArraySize(points) + 1, sizeof *table->rows);
    for (const cJSON *point = points->child; point; point = point->next) {
        if (!read_row(table, point, &table->rows[table->row_count]))
            return false;
        table->row_count++;
    }
    return true;
}

bool sweep_manifest_open(struct sweep_manifest *manifest, const char *dir, struct err *err)
{
    *manifest = (struct sweep_manifest){0};
    char *path = mem_format("%s/plan.json", dir);
    bool ok = json_source_open_max(&manifest->source, path, MANIFEST_MAX, err);
    if (!ok)
        err_prefix(err, "'%s' is not the folder of a sweep", dir);
    else if (!read_table(manifest))
        ok = err_set(err, EXIT_INPUT, "%s: not what 'sweep' writes (fauxfleet_sweep_results 1)",
                     path);
    free(path);
    if (!ok)
        sweep_manifest_close(manifest);
    return ok;
}

void sweep_manifest_close(struct sweep_manifest *manifest)
{
    struct sweep_table *table = &manifest->table;
    for (size_t i = 0; i < table->row_count; i++)
        free(table->rows[i].values);
    free(table->rows);
    free((void *)(uintptr_t)table->keys);
    free((void *)(uintptr_t)table->metrics);
    json_source_close(&manifest->source);
    *manifest = (struct sweep_manifest){0};
}

/* ---- points/ID.json ---- */

/* Prints the text of a summary one level further indented; its strings contain no newlines. */
static void print_indented(const char *text, struct out *out)
{
    size_t n = strlen(text);
    n -= n > 0 && text[n - 1] == '\n';
    for (size_t i = 0; i < n; i++) {
        out_char(out, text[i]);
        if (text[i] == '\n')
            out_char(out, ' ');
    }
}

static char *result_path(const char *dir, const char *id)
{
    return mem_format("%s/points/%s.json", dir, id);
}

bool sweep_result_write(const struct sweep_table *table, const struct sweep_row *row,
                        const char *dir, const char *summary, struct err *err)
{
    char *name = mem_format("points/%s.json", row->id);
    struct out *out = out_open_in(dir, name, err);
    free(name);
    if (out == NULL)
        return false;
    out_format(out, "{\n \"fauxfleet_point\": 1,\n \"id\": \"%s\",\n ", row->id);
    print_changes(table, row, out);
    out_text(out, ",\n \"summary\": ");
    print_indented(summary, out);
    out_text(out, "\n}\n");
    return out_close(out, err);
}

const cJSON *sweep_result_summary(const struct json_source *result)
{
    return cJSON_GetObjectItemCaseSensitive(result->root, "summary");
}

enum sweep_found sweep_result_open(struct json_source *result, const char *dir, const char *id,
                                   struct err *err)
{
    char *path = result_path(dir, id);
    enum sweep_found found = file_find(path, err) == FILE_ABSENT ? SWEEP_ABSENT : SWEEP_DAMAGED;
    if (found == SWEEP_DAMAGED) {
        bool read = json_source_open_max(result, path, RESULT_MAX, err);
        if (read && strcmp(json_text_at(result->root, "id"), id) == 0 &&
            cJSON_IsObject(sweep_result_summary(result)))
            found = SWEEP_FOUND;
        else if (read) {
            err_set(err, EXIT_INPUT, "%s: not the result of point %s", path, id);
            json_source_close(result);
        }
    }
    free(path);
    return found;
}

/* ---- results.csv ---- */

bool sweep_metrics_check(const struct sweep_table *table, const cJSON *summary, struct err *err)
{
    for (size_t m = 0; m < table->metric_count; m++) {
        const cJSON *value = json_at(summary, table->metrics[m]);
        if (!cJSON_IsObject(value) && !cJSON_IsArray(value))
            continue;
        const char *first = cJSON_IsObject(value) && value->child ? value->child->string : NULL;
        return err_set(err, EXIT_INPUT, "metric '%s' is %s: name one value in it%s%s%s%s%s",
                       table->metrics[m], cJSON_IsObject(value) ? "an object" : "a list",
                       first ? ", such as '" : "", first ? table->metrics[m] : "", first ? "." : "",
                       first ? first : "", first ? "'" : "");
    }
    return true;
}

char *sweep_value_text(const cJSON *value)
{
    if (value == NULL)
        return NULL;
    return cJSON_IsString(value) ? mem_text(value->valuestring) : cJSON_PrintUnformatted(value);
}

void sweep_csv_header(const struct sweep_table *table, struct out *out)
{
    for (size_t k = 0; k < table->key_count; k++) {
        out_csv(out, table->keys[k]);
        out_char(out, ',');
    }
    for (size_t m = 0; m < table->metric_count; m++) {
        out_csv(out, table->metrics[m]);
        out_char(out, ',');
    }
    out_text(out, "point\n");
}

static void print_metric(const cJSON *value, struct out *out)
{
    if (cJSON_IsNumber(value))
        out_f64(out, value->valuedouble, DIGITS);
    else if (cJSON_IsString(value))
        out_csv(out, value->valuestring);
    else if (cJSON_IsBool(value))
        out_text(out, cJSON_IsTrue(value) ? "true" : "false");
}

void sweep_csv_row(const struct sweep_table *table, const struct sweep_row *row,
                   const cJSON *summary, struct out *out)
{
    for (size_t k = 0; k < table->key_count; k++) {
        char *value = sweep_value_text(row->values[k]);
        if (value != NULL)
            out_csv(out, value);
        out_char(out, ',');
        free(value);
    }
    for (size_t m = 0; m < table->metric_count; m++) {
        print_metric(json_at(summary, table->metrics[m]), out);
        out_char(out, ',');
    }
    out_format(out, "%s\n", row->id);
}
