/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Means and deviations over summaries; see replicas.h. */
#include "report/results/replicas.h"

#include "sim/base/file.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)64 << 20)
#define DIGITS     6

static cJSON *read_summary(const char *dir, int replica, struct err *err)
{
    char *path = mem_format("%s/rep-%d/summary.json", dir, replica);
    char *text;
    size_t n;
    enum file_found found = file_read(path, MOST_BYTES, &text, &n, err);
    cJSON *json = found == FILE_FOUND ? cJSON_ParseWithLength(text, n) : NULL;
    free(text);
    if (json == NULL && found == FILE_FOUND)
        err_set(err, EXIT_INTERNAL, "cannot read %s back", path);
    free(path);
    return json;
}

/* The JSON nodes at the same place in all replicas. */
struct place {
    const cJSON **nodes;
    int count;
};

static struct place child(const struct place *at, const cJSON *like, int index)
{
    struct place down = {mem_alloc((size_t)at->count, sizeof *down.nodes), at->count};
    for (int i = 0; i < at->count; i++)
        down.nodes[i] = cJSON_IsArray(at->nodes[i])
                            ? cJSON_GetArrayItem(at->nodes[i], index)
                            : cJSON_GetObjectItemCaseSensitive(at->nodes[i], like->string);
    return down;
}

static double mean_of(const struct place *at)
{
    double sum = 0;
    for (int i = 0; i < at->count; i++)
        sum += cJSON_IsNumber(at->nodes[i]) ? at->nodes[i]->valuedouble : (double)NAN;
    return sum / at->count;
}

static double deviation_of(const struct place *at)
{
    double mean = mean_of(at);
    double squares = 0;
    for (int i = 0; i < at->count; i++)
        squares += cJSON_IsNumber(at->nodes[i])
                       ? (at->nodes[i]->valuedouble - mean) * (at->nodes[i]->valuedouble - mean)
                       : (double)NAN;
    return at->count > 1 ? sqrt(squares / (at->count - 1)) : (double)NAN;
}

static void copy(struct json *j, const char *key, const cJSON *node)
{
    if (cJSON_IsObject(node) || cJSON_IsArray(node)) {
        cJSON_IsObject(node) ? json_begin_object(j, key) : json_begin_array(j, key);
        for (const cJSON *c = node->child; c != NULL; c = c->next)
            copy(j, cJSON_IsObject(node) ? c->string : NULL, c);
        cJSON_IsObject(node) ? json_end_object(j) : json_end_array(j);
    } else if (cJSON_IsString(node)) {
        json_text(j, key, node->valuestring);
    } else {
        json_f64(j, key, cJSON_IsNumber(node) ? node->valuedouble : (double)NAN, DIGITS);
    }
}

/* Hardware assumptions are not a measure: copies those of the replica with the most. */
static void copy_longest(struct json *j, const char *key, const struct place *at)
{
    const cJSON *longest = at->nodes[0];
    for (int i = 1; i < at->count; i++)
        if (cJSON_GetArraySize(at->nodes[i]) > cJSON_GetArraySize(longest))
            longest = at->nodes[i];
    copy(j, key, longest);
}

/* The depth is that of our own summaries, which is small. */
static void combine(struct json *j, const char *key, const struct place *at, bool deviations,
                    bool top)
{
    const cJSON *first = at->nodes[0];
    bool object = cJSON_IsObject(first);
    if (key != NULL && strcmp(key, "speeds") == 0) {
        if (!deviations)
            copy_longest(j, key, at);
    } else if (object || cJSON_IsArray(first)) {
        if (!top)
            object ? json_begin_object(j, key) : json_begin_array(j, key);
        int index = 0;
        for (const cJSON *c = first->child; c != NULL; c = c->next, index++) {
            struct place down = child(at, c, index);
            combine(j, object ? c->string : NULL, &down, deviations, false);
            free(down.nodes);
        }
        if (!top)
            object ? json_end_object(j) : json_end_array(j);
    } else if (cJSON_IsString(first)) {
        bool same = true;
        for (int i = 1; i < at->count; i++)
            same &= cJSON_IsString(at->nodes[i]) &&
                    strcmp(at->nodes[i]->valuestring, first->valuestring) == 0;
        if (!deviations)
            json_text(j, key, same ? first->valuestring : NULL);
    } else if (key != NULL && strcmp(key, "seed") == 0) {
        json_f64(j, key, deviations ? (double)NAN : first->valuedouble,
                 0); /* of the first replica */
    } else {
        json_f64(j, key, deviations ? deviation_of(at) : mean_of(at), DIGITS);
    }
}

static void print_all(const struct place *all, struct out *out)
{
    struct json j;
    json_init(&j, out, 1);
    json_begin_object(&j, NULL);
    combine(&j, NULL, all, false, true);
    combine(&j, "sd", all, true, false);
    json_begin_array(&j, "replicas");
    for (int i = 0; i < all->count; i++)
        copy(&j, NULL, all->nodes[i]);
    json_end_array(&j);
    json_end_object(&j);
    out_char(out, '\n');
}

static void forget(struct place *all)
{
    for (int i = 0; i < all->count; i++)
        cJSON_Delete((cJSON *)(uintptr_t)all->nodes[i]);
    free(all->nodes);
}

bool replicas_summary(char *const *summaries, int count, struct out *out, struct err *err)
{
    struct place all = {mem_alloc((size_t)count, sizeof *all.nodes), 0};
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        all.nodes[i] = cJSON_Parse(summaries[i]);
        ok = all.nodes[i] != NULL ||
             err_set(err, EXIT_INTERNAL, "the summary of replica %d is not JSON", i + 1);
        all.count += ok;
    }
    if (ok)
        print_all(&all, out);
    forget(&all);
    return ok;
}

bool replicas_write_summary(const char *dir, int count, struct err *err)
{
    struct place all = {mem_alloc((size_t)count, sizeof *all.nodes), 0};
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        all.nodes[i] = read_summary(dir, i + 1, err);
        ok = all.nodes[i] != NULL;
        all.count += ok;
    }
    struct out *out = ok ? out_open_in(dir, "summary.json", err) : NULL;
    if (out != NULL)
        print_all(&all, out);
    forget(&all);
    return out != NULL && out_close(out, err);
}
