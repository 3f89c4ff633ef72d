/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes a merged tree by path, as the command line does. */
#include "scenarios/load/layers.h"
#include "scenarios/load/merge.h"
#include "scenarios/schema/scenario.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <string.h>

static bool last_step(const char *path)
{
    return path[strspn(path, ".[]")] == '\0';
}

/*
 * Returns the object or list at a key, an empty object if absent; NULL with err set if it is
 * something else. `row` describes the outer object, *next the inner one.
 */
static cJSON *enter(struct check *check, cJSON *object, const char *key,
                    const struct schema_row *row, const struct schema_row **next)
{
    if (!check_key(check, row, key, next))
        return NULL;
    json_path_add(check->path, key);
    cJSON *child = json_member(object, key);
    if ((*next)->type == SCHEMA_LATER) {
        check_fail(check, "'%s' is not available in this version", key);
        return NULL;
    }
    if (!child) {
        cJSON *made = cJSON_CreateObject();
        const struct schema_row *picked = schema_pick(*next, made);
        if (picked && picked->type == SCHEMA_OBJECT)
            merge_member(object, key, made, row);
        cJSON_Delete(made);
        child = json_member(object, key);
    }
    if (!child) {
        check_fail(check, "'%s' is not given here: nothing can stand below it", key);
        return NULL;
    }
    if (!cJSON_IsObject(child) && !cJSON_IsArray(child)) {
        char shown[JSON_SHOWN_MAX];
        check_fail(check, "'%s' is %s here: nothing can stand below it", key,
                   json_shown(child, shown));
        return NULL;
    }
    return child;
}

static void no_element(struct check *check, const cJSON *list, const char *step)
{
    size_t count = 0;
    char hint[160];
    const char **names = mem_alloc((size_t)cJSON_GetArraySize(list) + 1, sizeof *names);
    for (const cJSON *element = list->child; element; element = element->next) {
        const cJSON *name = cJSON_IsObject(element) ? json_member(element, "name") : NULL;
        if (cJSON_IsString(name))
            names[count++] = name->valuestring;
    }
    bool number = strspn(step, "0123456789") == strlen(step);
    check_fail(check, "no element '%s': the list has %d, numbered from 0%s%s", step,
               cJSON_GetArraySize(list), count > 0 && !number ? ", and none of that name" : "",
               number ? "" : text_suggest(hint, sizeof hint, step, names, count, sizeof *names));
    free(names);
}

static cJSON *enter_list(struct check *check, cJSON *list, const char *step,
                         const struct schema_row *row, const struct schema_row **next)
{
    unsigned index = 0;
    cJSON *element = json_child(list, step, &index);
    if (!element) {
        no_element(check, list, step);
        return NULL;
    }
    json_path_add_index(check->path, index);
    *next = schema_element(row, index);
    return element;
}

/* Sets the value, which has been checked, at the last step. */
static bool put(struct check *check, cJSON *node, const char *step, const struct schema_row *row,
                const cJSON *value)
{
    if (cJSON_IsObject(node)) {
        const struct schema_row *member;
        bool known = check_key(check, row, step, &member);
        json_path_add(check->path, step);
        if (!known || (!cJSON_IsNull(value) && !check_value(check, member, value)))
            return false;
        merge_member(node, step, value, row);
        return true;
    }
    const struct schema_row *element;
    cJSON *old = enter_list(check, node, step, row, &element);
    if (!old || !check_value(check, element, value))
        return false;
    if (cJSON_IsObject(old) && cJSON_IsObject(value))
        merge_object(old, value, schema_pick(element, value));
    else
        cJSON_ReplaceItemViaPointer(node, old, cJSON_Duplicate(value, true));
    return true;
}

static bool change(struct check *check, cJSON *root, const char *path, const cJSON *value)
{
    cJSON *node = root;
    const struct schema_row *row = &schema_scenario, *next;
    char step[JSON_STEP_MAX];
    if (!json_path_step(&path, step))
        return check_fail(check, "expected a key such as fleet.nodes_file");
    if (strcmp(step, "extends") == 0)
        return check_fail(check, "only a scenario file can extend another");
    for (size_t depth = 1; !last_step(path); depth++) {
        if (depth == JSON_MAX_DEPTH)
            return check_fail(check, "more than %d steps", JSON_MAX_DEPTH);
        node = cJSON_IsObject(node) ? enter(check, node, step, row, &next)
                                    : enter_list(check, node, step, row, &next);
        if (!node)
            return false;
        row = schema_pick(next, node);
        if (!row || (row->type != SCHEMA_OBJECT && row->type != SCHEMA_LIST))
            return check_fail(check, "nothing can stand below '%s'", step);
        json_path_step(&path, step);
    }
    return put(check, node, step, row, value);
}

/* Errors of a change name its option, followed by its path if that adds information. */
struct change_place {
    const char *label, *path;
};

static bool change_where(const void *of, const char *path, char where[CHECK_WHERE_MAX])
{
    const struct change_place *place = of;
    size_t n = strlen(place->label);
    n = n < CHECK_WHERE_MAX ? n : CHECK_WHERE_MAX - 1;
    memcpy(where, place->label, n);
    where[n] = '\0';
    // inside a value of several levels, the path is longer than the key on the command line
    return json_path_depth(path) > json_path_depth(place->path);
}

bool layers_change(struct layers *layers, const char *label, const char *path, cJSON *value,
                   struct err *err)
{
    struct change_place place = {label, path};
    struct check check = {.where = change_where, .of = &place, .err = err};
    if (!change(&check, layers->merged, path, value)) {
        cJSON_Delete(value);
        return false;
    }
    layers->changes = mem_grow(layers->changes, &layers->change_capacity, layers->change_count + 1,
                               sizeof *layers->changes);
    layers->changes[layers->change_count++] = (struct layer_change){
        .label = mem_text(label), .path = mem_text(check.path), .value = value};
    return true;
}
