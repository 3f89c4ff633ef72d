/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The embedded faults.json, and profiles of the same form from elsewhere. */
#include "scenarios/catalog/faults.h"

#include "scenarios/catalog/file.h"
#include "scenarios/catalog/read_faults.h"
#include "scenarios/schema/faults.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/faults/rates.h"

#include <stdlib.h>
#include <string.h>

/* ---- marks */

bool catalog_mark_verified(char mark)
{
    return mark == 'P' || mark == 'S' || mark == 'D';
}

char catalog_mark_of(const struct catalog_marks *marks, const char *key)
{
    for (size_t i = 0; i < marks->count; i++) {
        if (strcmp(marks->of[i].key, key) == 0)
            return marks->of[i].mark;
    }
    return 'A';
}

/* A mark has to refer to a key of the object; any other is a typing error. */
static bool read_marks(struct check *check, const cJSON *object, struct catalog_marks *marks)
{
    const cJSON *all = json_member(object, "marks");
    size_t length = strlen(check->path);
    marks->count = 0;
    for (const cJSON *mark = all ? all->child : NULL; mark; mark = mark->next) {
        json_path_add(check->path, "marks");
        if (!json_member(object, mark->string))
            return check_fail(check, "there is no key '%.64s' for this to refer to", mark->string);
        if (marks->count == CATALOG_MARKS)
            return check_fail(check, "more than %d marks", CATALOG_MARKS);
        check->path[length] = '\0';
        marks->of[marks->count++] = (struct catalog_mark){mark->string, mark->valuestring[0]};
    }
    return true;
}

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    return value ? value->valuestring : NULL;
}

/* ---- profiles */

const struct catalog_fault_profile *catalog_faults_find(const struct catalog_faults *catalog,
                                                        const char *name)
{
    for (size_t i = 0; i < catalog->profile_count; i++) {
        if (strcmp(catalog->profiles[i].name, name) == 0)
            return &catalog->profiles[i];
    }
    return NULL;
}

static bool begin(struct check *check, const struct catalog_faults *catalog, const cJSON *object,
                  struct fault_profile *profile)
{
    const char *name = text_of(object, "based_on");
    const struct catalog_fault_profile *base = name ? catalog_faults_find(catalog, name) : NULL;
    if (base) {
        *profile = base->profile;
        return true;
    }
    if (name) {
        char hint[256];
        const char *const *names = catalog->profile_count > 0 ? &catalog->profiles[0].name : NULL;
        text_suggest(hint, sizeof hint, name, names, catalog->profile_count,
                     sizeof *catalog->profiles);
        json_path_add(check->path, "based_on");
        return check_fail(check, "there is no profile '%.64s' of faults%s", name, hint);
    }
    *profile = (struct fault_profile){.hbm_gb = 80, .lemon_factor = 1};
    for (int i = 0; i < FAULT_CLASSES; i++)
        profile->classes[i] = catalog->classes[i].class;
    return true;
}

/* Uses the profile's repairs for figures that a class lacks. */
static bool read_repairs(struct check *check, const struct catalog_faults *catalog,
                         const cJSON *object, struct fault_profile *profile)
{
    for (int i = 0; i < FAULT_CLASSES; i++) {
        const struct catalog_fault_class *row = &catalog->classes[i];
        struct fault_class *class = &profile->classes[i];
        const cJSON *share = json_member(object, "transient_share"),
                    *relapse = json_member(object, "relapse");
        if (share && !row->own_share)
            class->transient_share = share->valuedouble;
        if (relapse && !row->own_relapse)
            class->relapse = relapse->valuedouble;
        struct fault_span none;
        if (!read_fault_span(check, object, "transient",
                             row->own_transient ? &none : &class->transient) ||
            !read_fault_span(check, object, "hardware",
                             row->own_hardware ? &none : &class->hardware) ||
            !read_fault_span(check, object, "relapses",
                             row->own_relapses ? &none : &class->relapses))
            return false;
    }
    return true;
}

/* Rates are stored for nodes of 8 GPUs, whatever node they are stated for. */
static bool read_changes(struct check *check, const cJSON *object, double gpus,
                         struct fault_profile *profile)
{
    const cJSON *changes = json_member(object, "classes");
    size_t length = strlen(check->path);
    for (const cJSON *change = changes ? changes->child : NULL; change; change = change->next) {
        if (cJSON_IsNull(change))
            continue;
        json_path_add(check->path, "classes");
        json_path_add(check->path, change->string);
        struct fault_class *class = &profile->classes[fault_class_find(change->string)];
        if (!read_fault_class(check, change, class))
            return false;
        if (json_member(change, "rate"))
            class->rate /= fault_per_node(class->scope, gpus);
        check->path[length] = '\0';
    }
    return true;
}

static void read_number(const cJSON *object, const char *key, double *value)
{
    if (json_member(object, key))
        *value = json_member(object, key)->valuedouble;
}

bool catalog_faults_read(struct check *check, const struct catalog_faults *catalog,
                         const cJSON *object, double gpus, struct fault_profile *profile)
{
    read_number(object, "gpus", &gpus);
    if (!begin(check, catalog, object, profile) || !read_repairs(check, catalog, object, profile) ||
        !read_changes(check, object, gpus, profile))
        return false;
    read_number(object, "hbm_gb", &profile->hbm_gb);
    read_number(object, "lemon_share", &profile->lemon_share);
    read_number(object, "lemon_factor", &profile->lemon_factor);
    read_number(object, "drift", &profile->drift_sigma);
    const cJSON *total = json_member(object, "total");
    if (total && total->valuedouble > 0 && !(fault_profile_total(profile) > 0)) {
        json_path_add(check->path, "total");
        return check_fail(check, "no class that it counts has a rate");
    }
    if (total)
        fault_profile_rescale(profile, total->valuedouble, gpus);
    if (cJSON_IsTrue(json_member(object, "exponential")))
        fault_profile_exponential(profile);
    const char *what;
    return fault_profile_check(profile, &what) || check_fail(check, "out of range: %s", what);
}

/* ---- the file */

static bool read_class(struct check *check, struct catalog_fault_class *row, const cJSON *object,
                       int id)
{
    if (!object)
        return check_fail(check, "there is no class '%s'",
                          fault_class_name((enum fault_class_id)id));
    size_t length = strlen(check->path);
    json_path_add(check->path, object->string);
    *row = (struct catalog_fault_class){
        .name = object->string,
        .id = text_of(object, "id"),
        .summary = text_of(object, "summary"),
        .source = text_of(object, "source"),
        .class = fault_class_plain((enum fault_class_id)id),
        .own_share = json_member(object, "transient_share"),
        .own_transient = json_member(object, "transient"),
        .own_hardware = json_member(object, "hardware"),
        .own_relapse = json_member(object, "relapse"),
        .own_relapses = json_member(object, "relapses"),
    };
    if (!row->id || !row->summary || !row->source)
        return check_fail(check, "expected id, summary and source");
    if (!read_marks(check, object, &row->marks) || !read_fault_class(check, object, &row->class))
        return false;
    check->path[length] = '\0';
    return true;
}

static bool read_profile(struct check *check, struct catalog_faults *catalog, const cJSON *object)
{
    size_t length = strlen(check->path);
    json_path_add(check->path, object->string);
    struct catalog_fault_profile row = {.name = object->string,
                                        .summary = text_of(object, "summary"),
                                        .source = text_of(object, "source"),
                                        .based_on = text_of(object, "based_on")};
    if (!row.summary || !row.source)
        return check_fail(check, "expected summary and source");
    if (!read_marks(check, object, &row.marks) ||
        !catalog_faults_read(check, catalog, object, FAULT_USUAL_GPUS, &row.profile))
        return false;
    catalog->profiles[catalog->profile_count++] = row;
    check->path[length] = '\0';
    return true;
}

static bool read_tree(void *made, struct check *check, cJSON *tree)
{
    struct catalog_faults *catalog = made;
    const cJSON *classes = json_member(tree, "classes"), *faults = json_member(tree, "faults");
    catalog->tree = tree;
    json_path_add(check->path, "classes");
    for (int i = 0; i < FAULT_CLASSES; i++) {
        const cJSON *object = json_member(classes, fault_class_name((enum fault_class_id)i));
        if (!read_class(check, &catalog->classes[i], object, i))
            return false;
    }
    check->path[0] = '\0';
    json_path_add(check->path, "faults");
    catalog->profiles =
        mem_alloc((size_t)cJSON_GetArraySize(faults) + 1, sizeof *catalog->profiles);
    for (const cJSON *object = faults->child; object; object = object->next) {
        if (!read_profile(check, catalog, object))
            return false;
    }
    return true;
}

static void release(void *catalog)
{
    catalog_faults_free(catalog);
}

static const struct catalog_kind kind = {"faults.json", &schema_faults_catalog,
                                         sizeof(struct catalog_faults), read_tree, release};

bool catalog_faults_parse(struct catalog_faults **catalog, const char *name, const char *text,
                          size_t n, struct err *err)
{
    *catalog = catalog_file_parse(&kind, name, text, n, err);
    return *catalog != NULL;
}

bool catalog_faults(struct catalog_faults **catalog, struct err *err)
{
    *catalog = catalog_file_open(&kind, err);
    return *catalog != NULL;
}

void catalog_faults_free(struct catalog_faults *catalog)
{
    if (!catalog)
        return;
    cJSON_Delete(catalog->tree);
    free(catalog->profiles);
    free(catalog);
}
