/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON texts from files and memory, checked on loading, and paths into their trees. */
#include "scenarios/json/source.h"

#include "scenarios/json/relax.h"
#include "sim/base/file.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sorts the keys of one object in byte order, which makes duplicates adjacent. */
static int by_key(const void *a, const void *b)
{
    const cJSON *x = *(const cJSON *const *)a, *y = *(const cJSON *const *)b;
    return strcmp(x->string, y->string);
}

/* Returns the second of two members with the same key, or NULL. */
static const cJSON *duplicate_in(const cJSON *object)
{
    int count = cJSON_GetArraySize(object);
    if (count < 2)
        return NULL;
    const cJSON **members = mem_alloc((size_t)count, sizeof *members);
    size_t n = 0;
    for (const cJSON *member = object->child; member; member = member->next)
        members[n++] = member;
    qsort(members, n, sizeof *members, by_key);
    const cJSON *found = NULL;
    for (size_t i = 1; i < n && !found; i++)
        found = strcmp(members[i - 1]->string, members[i]->string) == 0 ? members[i] : NULL;
    free(members);
    return found;
}

/* json_scan_clean() bounds the depth, and so the recursion. */
static bool has_duplicate(const cJSON *node)
{
    if (cJSON_IsObject(node) && duplicate_in(node))
        return true;
    for (const cJSON *child = node->child; child; child = child->next)
        if (child->child && has_duplicate(child))
            return true;
    return false;
}

/* Finds the location, which is rarely needed. */
static const cJSON *find_duplicate(const cJSON *node, char *path)
{
    const cJSON *found = cJSON_IsObject(node) ? duplicate_in(node) : NULL;
    if (found)
        return found;
    size_t length = strlen(path), index = 0;
    for (const cJSON *child = node->child; child && !found; child = child->next) {
        path[length] = '\0';
        if (cJSON_IsObject(node))
            json_path_add(path, child->string);
        else
            json_path_add_index(path, index++);
        found = find_duplicate(child, path);
    }
    return found;
}

/* Returns the line of the value at a path, or of its member if `member` is not NULL. */
static size_t line_of(const struct json_source *source, const char *path, const cJSON *member)
{
    unsigned ordinals[JSON_MAX_DEPTH + 1];
    size_t depth = 0;
    char step[JSON_STEP_MAX];
    const cJSON *node = source->root;
    while (node && depth < JSON_MAX_DEPTH && json_path_step(&path, step)) {
        node = json_child(node, step, &ordinals[depth]);
        depth += node != NULL;
    }
    if (member && node) {
        ordinals[depth] = 0;
        for (const cJSON *child = node->child; child && child != member; child = child->next)
            ordinals[depth]++;
        depth++;
    }
    size_t offset = json_scan_find(source->text, source->n, ordinals, depth);
    return json_place_of(source->text, source->n, offset).line;
}

size_t json_source_line(const struct json_source *source, const char *path)
{
    return line_of(source, path, NULL);
}

static bool refuse_duplicates(const struct json_source *source, struct err *err)
{
    if (!has_duplicate(source->root))
        return true;
    char path[JSON_PATH_MAX] = "";
    const cJSON *twice = find_duplicate(source->root, path);
    size_t line = line_of(source, path, twice);
    return err_set(err, EXIT_INPUT, "%s:%zu: %s%sthe key '%.64s' is given twice", source->name,
                   line, path, *path ? ": " : "", twice->string);
}

/* Returns up to 24 printable characters of the text at an offset. */
static const char *excerpt(const struct json_source *source, size_t offset, char buffer[32])
{
    size_t n = 0;
    while (n < 24 && offset + n < source->n && (unsigned char)source->text[offset + n] >= 0x20 &&
           (unsigned char)source->text[offset + n] < 0x7f) {
        buffer[n] = source->text[offset + n];
        n++;
    }
    buffer[n] = '\0';
    return buffer;
}

static bool refuse_at(const struct json_source *source, size_t offset, const char *what,
                      struct err *err)
{
    struct json_place place = json_place_of(source->text, source->n, offset);
    char near[32];
    excerpt(source, offset, near);
    return err_set(err, EXIT_INPUT, "%s:%zu:%zu: %s%s%s%s", source->name, place.line, place.column,
                   what, *near ? ", at '" : "", near, *near ? "'" : "");
}

/* Takes ownership of `text`, which has n bytes and a NUL. */
static bool take(struct json_source *source, const char *name, char *text, size_t n, size_t most,
                 struct err *err)
{
    *source = (struct json_source){.name = mem_text(name), .text = text, .n = n};
    if (n > most)
        return err_set(err, EXIT_INPUT, "%s: larger than %zu MiB", name, most >> 20);
    json_relax(text, n);
    size_t offset = 0;
    const char *what = NULL;
    if (!json_scan_clean(text, n, &offset, &what))
        return refuse_at(source, offset, what, err);
    if (strspn(text, " \t\r\n") == n)
        return err_set(err, EXIT_INPUT, "%s: the file is empty; expected a JSON object", name);
    const char *end = NULL;
    source->root = cJSON_ParseWithLengthOpts(text, n + 1, &end, 1);
    if (!source->root) {
        offset = end ? (size_t)(end - text) : 0;
        what = json_scan_guess(text, n, &offset);
        return refuse_at(source, offset, what, err);
    }
    return refuse_duplicates(source, err);
}

bool json_source_parse(struct json_source *source, const char *name, const char *text, size_t n,
                       struct err *err)
{
    *source = (struct json_source){0};
    if (take(source, name, mem_text_n(text, n), n, JSON_SOURCE_MAX, err))
        return true;
    json_source_close(source);
    return false;
}

bool json_source_open_max(struct json_source *source, const char *path, size_t most,
                          struct err *err)
{
    *source = (struct json_source){0};
    char *text;
    size_t n;
    if (file_read(path, most, &text, &n, err) != FILE_FOUND)
        return false;
    if (take(source, path, text, n, most, err))
        return true;
    json_source_close(source);
    return false;
}

bool json_source_open(struct json_source *source, const char *path, struct err *err)
{
    return json_source_open_max(source, path, JSON_SOURCE_MAX, err);
}

void json_source_close(struct json_source *source)
{
    cJSON_Delete(source->root);
    free(source->text);
    free(source->name);
    *source = (struct json_source){0};
}

bool json_path_step(const char **path, char step[JSON_STEP_MAX])
{
    const char *p = *path + strspn(*path, ".[]");
    size_t n = strcspn(p, ".[]");
    if (n == 0)
        return false;
    *path = p + n;
    size_t kept = n < JSON_STEP_MAX ? n : JSON_STEP_MAX - 1;
    memcpy(step, p, kept);
    step[kept] = '\0';
    return true;
}

size_t json_path_depth(const char *path)
{
    char step[JSON_STEP_MAX];
    size_t depth = 0;
    while (json_path_step(&path, step))
        depth++;
    return depth;
}

void json_path_add(char *path, const char *key)
{
    size_t used = strlen(path);
    if (used > 0 && used + 1 < JSON_PATH_MAX)
        path[used++] = '.';
    size_t n = strnlen(key, JSON_PATH_MAX - 1 - used);
    memcpy(path + used, key, n);
    path[used + n] = '\0';
}

void json_path_add_index(char *path, size_t index)
{
    size_t used = strlen(path);
    (void)snprintf(path + used, JSON_PATH_MAX - used, "[%zu]", index);
}

/* A list index has only digits. */
static bool is_index(const char *step, unsigned *index)
{
    unsigned value = 0;
    for (const char *p = step; *p; p++) {
        if (*p < '0' || *p > '9' || value > 100000000)
            return false;
        value = value * 10 + (unsigned)(*p - '0');
    }
    *index = value;
    return *step != '\0';
}

/* Elements of lists may be addressed by name: queues.research is the queue with that name. */
static bool is_named(const cJSON *element, const char *name)
{
    const cJSON *own = cJSON_IsObject(element) ? json_member(element, "name") : NULL;
    return cJSON_IsString(own) && strcmp(own->valuestring, name) == 0;
}

cJSON *json_child(const cJSON *node, const char *step, unsigned *ordinal)
{
    unsigned wanted = 0, i = 0;
    bool list = cJSON_IsArray(node), indexed = list && is_index(step, &wanted);
    if (!list && !cJSON_IsObject(node))
        return NULL;
    for (cJSON *child = node->child; child; child = child->next, i++) {
        if (indexed ? i == wanted
            : list  ? is_named(child, step)
                    : strcmp(child->string, step) == 0) {
            if (ordinal)
                *ordinal = i;
            return child;
        }
    }
    return NULL;
}

cJSON *json_find(const cJSON *root, const char *path)
{
    char step[JSON_STEP_MAX];
    const cJSON *parent = root;
    cJSON *found = NULL;
    while (parent && json_path_step(&path, step)) {
        found = json_child(parent, step, NULL);
        parent = found;
    }
    return found;
}

cJSON *json_member(const cJSON *object, const char *key)
{
    cJSON *member = cJSON_GetObjectItemCaseSensitive(object, key);
    return member && !cJSON_IsNull(member) ? member : NULL;
}

const char *json_shown(const cJSON *value, char buffer[JSON_SHOWN_MAX])
{
    if (cJSON_IsString(value)) {
        bool cut = strlen(value->valuestring) > 64;
        (void)snprintf(buffer, JSON_SHOWN_MAX, "\"%.64s%s\"", value->valuestring, cut ? "..." : "");
    } else if (cJSON_IsNumber(value)) {
        (void)snprintf(buffer, JSON_SHOWN_MAX, "%.15g", value->valuedouble);
    } else {
        const char *name = cJSON_IsArray(value)    ? "a list"
                           : cJSON_IsObject(value) ? "an object"
                           : cJSON_IsTrue(value)   ? "true"
                           : cJSON_IsFalse(value)  ? "false"
                                                   : "null";
        (void)snprintf(buffer, JSON_SHOWN_MAX, "%s", name);
    }
    return buffer;
}
