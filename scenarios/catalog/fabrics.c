/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The embedded fabrics.json, and fabrics of the same form from elsewhere. */
#include "scenarios/catalog/fabrics.h"

#include "scenarios/catalog/file.h"
#include "scenarios/schema/fabrics.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- one fabric */

static double number_of(const cJSON *object, const char *key, double otherwise)
{
    const cJSON *value = json_member(object, key);
    return value ? value->valuedouble : otherwise;
}

/* Sets the error at a key of the object. */
static bool fail_at(struct check *check, const char *key, const char *name, const char *what)
{
    json_path_add(check->path, key);
    json_path_add(check->path, name);
    return check_fail(check, "%s", what);
}

static bool read_levels(struct check *check, const cJSON *object, struct fabric_spec *spec)
{
    const cJSON *list = json_member(object, "nodes_per"),
                *overs = json_member(object, "oversubscription");
    for (const cJSON *entry = list ? list->child : NULL; entry; entry = entry->next) {
        if (cJSON_IsNull(entry))
            continue;
        struct fabric_level level = {.nodes = (int64_t)entry->valuedouble,
                                     .oversubscription = number_of(overs, entry->string, 0)};
        size_t n = strlen(entry->string);
        if (n == 0 || n >= sizeof level.name)
            return fail_at(check, "nodes_per", entry->string, "expected a name of 1 to 23 bytes");
        memcpy(level.name, entry->string, n);
        if (!fabric_add_level(spec->levels, &spec->level_count, FABRIC_GIVEN, &level))
            return fail_at(check, "nodes_per", entry->string, "more than 8 levels");
    }
    return true;
}

/* Levels with switches are leaf and pod; in a tree, those of nodes_per. */
static bool read_overs(struct check *check, const cJSON *object, struct fabric_spec *spec)
{
    const cJSON *overs = json_member(object, "oversubscription");
    for (const cJSON *entry = overs ? overs->child : NULL; entry; entry = entry->next) {
        if (cJSON_IsNull(entry))
            continue;
        bool leaf = strcmp(entry->string, "leaf") == 0, pod = strcmp(entry->string, "pod") == 0;
        if (spec->unit_nodes > 0 && !leaf && !pod)
            return fail_at(
                check, "oversubscription", entry->string,
                "with unit_nodes there are switches at the levels 'leaf' and 'pod' alone");
        if (spec->unit_nodes == 0 && !json_member(json_member(object, "nodes_per"), entry->string))
            return fail_at(check, "oversubscription", entry->string,
                           "nodes_per does not have this level");
    }
    spec->leaf_over = number_of(overs, "leaf", 1);
    spec->pod_over = number_of(overs, "pod", 1);
    return true;
}

static bool read_installed(struct check *check, const cJSON *object, struct fabric_spec *spec)
{
    const cJSON *list = json_member(object, "installed");
    for (const cJSON *entry = list ? list->child : NULL; entry; entry = entry->next)
        spec->installed[spec->installed_count++] =
            (struct fabric_counts){.units = (int64_t)number_of(entry, "units", 0),
                                   .leaf = (int64_t)number_of(entry, "leaf", 0),
                                   .spine = (int64_t)number_of(entry, "spine", 0),
                                   .core = (int64_t)number_of(entry, "core", 0)};
    for (int i = 0; i < spec->installed_count; i++)
        for (int k = 0; k < i; k++)
            if (spec->installed[i].units == spec->installed[k].units) {
                json_path_add(check->path, "installed");
                json_path_add_index(check->path, (size_t)i);
                return check_fail(check, "two rows for as many units");
            }
    return true;
}

/* Keys without effect in a tree are refused rather than ignored. */
static bool check_tree_keys(struct check *check, const cJSON *object)
{
    static const char *const keys[] = {"leaf_nodes", "spare_slots", "rails",
                                       "radix",      "max_tiers",   "installed"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (json_member(object, keys[i])) {
            json_path_add(check->path, keys[i]);
            return check_fail(check, "'%s' goes with unit_nodes", keys[i]);
        }
    return true;
}

bool catalog_fabrics_read(struct check *check, const cJSON *object, const char *name,
                          struct fabric_spec *spec)
{
    const cJSON *summary = json_member(object, "summary");
    double unit = number_of(object, "unit_nodes", 0);
    *spec = (struct fabric_spec){
        .name = name,
        .summary = summary ? summary->valuestring : "",
        .unit_nodes = (int64_t)unit,
        .leaf_nodes = (int64_t)number_of(object, "leaf_nodes", unit),
        .spare_slots = (int64_t)number_of(object, "spare_slots", 0),
        .rails = (int)number_of(object, "rails", 0),
        .radix = (int)number_of(object, "radix", 0),
        .max_tiers = (int)number_of(object, "max_tiers", 3),
        .nic_gbit = number_of(object, "nic_gbit_s", 0),
        .ecmp = number_of(object, "ecmp", 1),
    };
    if (unit == 0 && !check_tree_keys(check, object))
        return false;
    if (!read_levels(check, object, spec) || !read_overs(check, object, spec) ||
        !read_installed(check, object, spec))
        return false;
    struct err err;
    return fabric_check(spec, &err) || check_fail(check, "%s", err.msg);
}

/* ---- the catalogue */

const struct fabric_spec *catalog_fabrics_find(const struct catalog_fabrics *catalog,
                                               const char *name)
{
    for (size_t i = 0; i < catalog->count; i++)
        if (strcmp(catalog->fabrics[i].name, name) == 0)
            return &catalog->fabrics[i];
    return NULL;
}

static bool read_all(void *made, struct check *check, cJSON *tree)
{
    struct catalog_fabrics *catalog = made;
    const cJSON *all = json_member(tree, "fabrics");
    catalog->tree = tree;
    size_t room = (size_t)cJSON_GetArraySize(all) + 1;
    catalog->fabrics = mem_alloc(room, sizeof *catalog->fabrics);
    catalog->objects = mem_alloc(room, sizeof *catalog->objects);
    for (const cJSON *object = all->child; object; object = object->next) {
        (void)memset(check->path, 0, sizeof check->path);
        json_path_add(check->path, "fabrics");
        json_path_add(check->path, object->string);
        if (!catalog_fabrics_read(check, object, object->string, &catalog->fabrics[catalog->count]))
            return false;
        catalog->objects[catalog->count++] = object;
    }
    return true;
}

static void release(void *catalog)
{
    catalog_fabrics_free(catalog);
}

static const struct catalog_kind kind = {"fabrics.json", &schema_fabrics_catalog,
                                         sizeof(struct catalog_fabrics), read_all, release};

bool catalog_fabrics_parse(struct catalog_fabrics **catalog, const char *name, const char *text,
                           size_t n, struct err *err)
{
    *catalog = catalog_file_parse(&kind, name, text, n, err);
    return *catalog != NULL;
}

bool catalog_fabrics(struct catalog_fabrics **catalog, struct err *err)
{
    *catalog = catalog_file_open(&kind, err);
    return *catalog != NULL;
}

void catalog_fabrics_free(struct catalog_fabrics *catalog)
{
    if (!catalog)
        return;
    cJSON_Delete(catalog->tree);
    free(catalog->fabrics);
    free((void *)catalog->objects);
    free(catalog);
}
