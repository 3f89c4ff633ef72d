/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a chain of scenario files, merges them, and finds the source of a merged value. */
#include "scenarios/load/layers.h"

#include "scenarios/json/paths.h"
#include "scenarios/load/merge.h"
#include "scenarios/schema/scenario.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- file names ---- */

/* Makes the file names in a tree relative to the folder of the first file. */
static void rebase(cJSON *value, const struct schema_row *row, const char *folder)
{
    row = row ? schema_pick(row, value) : NULL;
    if (!row || *folder == '\0')
        return;
    if (schema_names_file(row, value)) {
        char *name = path_beside(folder, value->valuestring);
        // cJSON frees its strings with free(), as we do ours
        free(value->valuestring);
        value->valuestring = name;
    }
    size_t index = 0;
    for (cJSON *child = value->child; child; child = child->next, index++)
        rebase(child,
               row->type == SCHEMA_LIST ? schema_element(row, index)
                                        : schema_member(row, child->string),
               folder);
}

void layers_rebase(const struct layers *layers, const char *path, cJSON *value, const char *folder)
{
    const struct schema_row *row = &schema_scenario;
    const cJSON *node = layers->merged;
    char step[JSON_STEP_MAX];
    while (row && json_path_step(&path, step)) {
        unsigned index = 0;
        cJSON *child = node ? json_child(node, step, &index) : NULL;
        if (row->type == SCHEMA_LIST)
            row = schema_element(row, index);
        else
            row = row->type == SCHEMA_OBJECT ? schema_member(row, step) : NULL;
        cJSON none = {.type = cJSON_Object};
        bool last = path[strspn(path, ".[]")] == '\0';
        if (row && !last)
            row = schema_pick(row, child ? child : &none);
        node = child;
    }
    rebase(value, row, folder);
}

/* ---- reading */

static bool check_file(const struct json_source *source, struct err *err)
{
    struct check check = {.where = check_where_file, .of = source, .err = err};
    if (!check_value(&check, &schema_scenario, source->root))
        return false;
    // a file that extends another inherits its version
    if (!json_member(source->root, "fauxfleet_scenario") && !json_member(source->root, "extends"))
        return check_fail(&check,
                          "not a scenario: the key 'fauxfleet_scenario' is missing (expected 1)");
    return true;
}

/* A file that cannot be found stays unidentified; opening it reports the reason. */
static void identify(struct layer_file *file, const char *name)
{
    struct stat status;
    if (stat(name, &status) == 0) {
        file->device = status.st_dev;
        file->inode = status.st_ino;
    }
}

/* Refuses a file that is already in the chain. */
static bool check_circle(const struct layers *layers, const struct layer_file *next,
                         struct err *err)
{
    for (size_t i = 0; i < layers->file_count; i++) {
        const struct layer_file *file = &layers->files[i];
        if (next->inode != 0 && next->inode == file->inode && next->device == file->device)
            return err_set(err, EXIT_INPUT, "'%s' extends itself, directly or through others",
                           layers->files[i].source.name);
    }
    return true;
}

/* Reads the file that the last one extends. */
static bool open_parent(struct layers *layers, const char *extends, struct err *err)
{
    struct layer_file *child = &layers->files[layers->file_count - 1];
    if (layers->file_count == LAYERS_FILES_MAX)
        return err_set(err, EXIT_INPUT, "more than %d scenarios extend one another",
                       LAYERS_FILES_MAX);
    struct layer_file *parent = &layers->files[layers->file_count];
    char *relative = path_beside(child->folder, extends);
    char *name = path_beside(layers->folder, relative);
    *parent = (struct layer_file){.folder = path_folder(relative)};
    identify(parent, name);
    bool ok = check_circle(layers, parent, err) && json_source_open(&parent->source, name, err);
    free(name);
    free(relative);
    if (!ok) {
        free(parent->folder);
        return false;
    }
    layers->file_count++;
    return check_file(&parent->source, err);
}

static bool open_parents(struct layers *layers, struct err *err)
{
    for (;;) {
        const struct json_source *last = &layers->files[layers->file_count - 1].source;
        const cJSON *extends = json_member(last->root, "extends");
        if (!extends)
            return true;
        size_t count = layers->file_count;
        if (!open_parent(layers, extends->valuestring, err)) {
            if (layers->file_count == count)
                err_prefix(err, "%s:%zu: extends", last->name, json_source_line(last, "extends"));
            return false;
        }
    }
}

static void merge_files(struct layers *layers)
{
    layers->merged = cJSON_CreateObject();
    for (size_t i = layers->file_count; i-- > 0;) {
        rebase(layers->files[i].source.root, &schema_scenario, layers->files[i].folder);
        merge_object(layers->merged, layers->files[i].source.root, &schema_scenario);
    }
    cJSON_DeleteItemFromObjectCaseSensitive(layers->merged, "extends");
}

bool layers_open(struct layers *layers, const char *path, const char *base_dir, struct err *err)
{
    *layers = (struct layers){.folder = base_dir ? mem_text(base_dir) : path_folder(path)};
    if (!json_source_open(&layers->files[0].source, path, err)) {
        layers_close(layers);
        return false;
    }
    layers->file_count = 1;
    layers->files[0].folder = mem_text("");
    identify(&layers->files[0], path);
    if (!check_file(&layers->files[0].source, err) || !open_parents(layers, err)) {
        layers_close(layers);
        return false;
    }
    merge_files(layers);
    return true;
}

bool layers_parse(struct layers *layers, const char *name, const char *text, size_t n,
                  const char *base_dir, struct err *err)
{
    *layers = (struct layers){.folder = mem_text(base_dir ? base_dir : "")};
    struct json_source *source = &layers->files[0].source;
    bool ok = json_source_parse(source, name, text, n, err);
    if (ok) {
        layers->file_count = 1;
        layers->files[0].folder = mem_text("");
        ok = check_file(source, err);
    }
    if (ok && json_member(source->root, "extends"))
        ok = err_set(err, EXIT_INPUT, "%s:%zu: extends: needs a scenario that is a file", name,
                     json_source_line(source, "extends"));
    if (!ok) {
        layers_close(layers);
        return false;
    }
    merge_files(layers);
    return true;
}

void layers_close(struct layers *layers)
{
    for (size_t i = 0; i < layers->file_count; i++) {
        json_source_close(&layers->files[i].source);
        free(layers->files[i].folder);
    }
    for (size_t i = 0; i < layers->change_count; i++) {
        free(layers->changes[i].label);
        free(layers->changes[i].path);
        cJSON_Delete(layers->changes[i].value);
    }
    free(layers->changes);
    free(layers->folder);
    free(layers->options_from);
    cJSON_Delete(layers->merged);
    *layers = (struct layers){0};
}

/* ---- sources of values ---- */

/* Returns what follows `prefix` in `path`, or NULL if `path` does not lead through it. */
static const char *behind(const char *path, const char *prefix)
{
    size_t n = strlen(prefix);
    if (strncmp(path, prefix, n) != 0 || (path[n] != '\0' && path[n] != '.' && path[n] != '['))
        return NULL;
    return path + n;
}

/* Returns true if the change set a value at this path. */
static bool change_holds(const struct layer_change *change, const char *path)
{
    const char *rest = behind(path, change->path);
    return rest && (*rest == '\0' || json_find(change->value, rest));
}

static const struct layer_change *find_change(const struct layers *layers, const char *path)
{
    for (size_t i = layers->change_count; i-- > 0;) {
        if (change_holds(&layers->changes[i], path))
            return &layers->changes[i];
    }
    return NULL;
}

/*
 * Finds the uppermost layer with the path: a change, else a file; returns false if there is none.
 */
static bool find_layer(const struct layers *layers, const char *path,
                       const struct layer_change **change, const struct layer_file **file)
{
    *file = NULL;
    *change = find_change(layers, path);
    if (*change)
        return true;
    for (size_t i = 0; i < layers->file_count; i++) {
        if (*path == '\0' || json_find(layers->files[i].source.root, path)) {
            *file = &layers->files[i];
            return true;
        }
    }
    return false;
}

bool layers_where(const void *of, const char *path, char where[CHECK_WHERE_MAX])
{
    const struct layers *layers = of;
    const char *options = layers->options_from ? behind(path, "policy.options") : NULL;
    char said[JSON_PATH_MAX], at[JSON_PATH_MAX];
    bool moved = options && !find_change(layers, path);
    (void)snprintf(said, sizeof said, "%s%s", moved ? layers->options_from : path,
                   moved ? options : "");
    memcpy(at, said, strlen(said) + 1);
    const struct layer_change *change;
    const struct layer_file *file;
    // A value in no layer (a default, a missing key) is reported where it would be.
    while (!find_layer(layers, at, &change, &file)) {
        size_t n = strlen(at);
        while (n > 0 && at[n - 1] != '.' && at[n - 1] != '[')
            n--;
        at[n > 0 ? n - 1 : 0] = '\0';
    }
    if (change)
        (void)snprintf(where, CHECK_WHERE_MAX, "%.300s", change->label);
    else
        (void)check_where_file(&file->source, at, where);
    bool follows = !change || strcmp(said, change->path) != 0;
    size_t used = strlen(where);
    if (moved && follows)
        (void)snprintf(where + used, CHECK_WHERE_MAX - used, ": %s", said);
    return follows && !moved;
}

char *layers_open_name(const struct layers *layers, const char *path, const char *value)
{
    const struct layer_change *change;
    const struct layer_file *file;
    find_layer(layers, path, &change, &file);
    return change ? mem_text(value) : path_beside(layers->folder, value);
}
