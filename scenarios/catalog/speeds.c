/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The embedded speeds.json. */
#include "scenarios/catalog/speeds.h"

#include "scenarios/catalog/file.h"
#include "scenarios/schema/speeds.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

#define PEAK_SHARE 0.8 /* share of a data sheet's dense peak that large matmuls reach */

static const char *const table_keys[PERF_TABLES] = {"speeds", "fp8", "fp4"};

static const char *text(const cJSON *object, const char *key)
{
    const cJSON *value = json_member(object, key);
    return value != NULL ? value->valuestring : NULL;
}

static double number(const cJSON *object, const char *key, double absent)
{
    const cJSON *value = json_member(object, key);
    return value != NULL ? value->valuedouble : absent;
}

/* ---- types ---- */

static size_t count_names(const cJSON *gpus)
{
    size_t count = 0;
    for (const cJSON *object = gpus->child; object; object = object->next)
        count += (size_t)cJSON_GetArraySize(json_member(object, "names"));
    return count;
}

static void read_gpu(const cJSON *object, const char **names, struct perf_gpu *gpu)
{
    *gpu = (struct perf_gpu){
        .name = object->string,
        .summary = text(object, "summary"),
        .source = text(object, "source"),
        .names = names,
        .variant_of = text(object, "variant_of"),
        .mem_gb = number(object, "mem_gb", 0),
        .matmul_tflops =
            number(object, "matmul_tflops", PEAK_SHARE * number(object, "peak_tflops", 0)),
        .mem_tb_s = number(object, "mem_tb_s", 0),
        .pcie = cJSON_IsTrue(json_member(object, "pcie")),
        .bf16 = number(object, "bf16", 0),
    };
    const cJSON *list = json_member(object, "names");
    for (const cJSON *name = list ? list->child : NULL; name; name = name->next)
        names[gpu->name_count++] = name->valuestring;
}

static void read_gpus(struct catalog_speeds *catalog, const cJSON *gpus)
{
    struct perf_generations *table = &catalog->table;
    const char **names = catalog->names = mem_alloc(count_names(gpus) + 1, sizeof *names);
    table->gpus = mem_alloc((size_t)cJSON_GetArraySize(gpus) + 1, sizeof *table->gpus);
    for (const cJSON *object = gpus->child; object; object = object->next) {
        struct perf_gpu *gpu = &table->gpus[table->gpu_count++];
        read_gpu(object, names, gpu);
        names += gpu->name_count;
    }
}

/* ---- classes ---- */

static enum perf_mark mark_of(const char *letter)
{
    int mark = PERF_MARK_UNKNOWN;
    while (strcmp(perf_mark_letter((enum perf_mark)mark), letter) != 0)
        mark++; /* the schema has checked the letters */
    return (enum perf_mark)mark;
}

/* Returns the uncertainty factor of a figure whose row has none. */
static double spread_of(enum perf_mark mark, const struct perf_class *class)
{
    static const double spreads[PERF_MARKS] = {[PERF_MARK_MEASURED] = 1.1,
                                               [PERF_MARK_VENDOR] = 1.25,
                                               [PERF_MARK_DERIVED] = 1.25,
                                               [PERF_MARK_ASSUMED] = 1.4};
    return mark == PERF_MARK_RULE ? class->error : spreads[mark];
}

static const struct perf_gpu *gpu_named(const struct perf_generations *table, const char *name)
{
    for (size_t i = 0; i < table->gpu_count; i++)
        if (strcmp(table->gpus[i].name, name) == 0)
            return &table->gpus[i];
    return NULL;
}

static bool read_rows(struct check *check, const struct perf_generations *table, const cJSON *rows,
                      struct perf_class *class, int which)
{
    if (rows == NULL)
        return true;
    class->rows[which] =
        mem_alloc((size_t)cJSON_GetArraySize(rows) + 1, sizeof *class->rows[which]);
    for (const cJSON *object = rows->child; object; object = object->next) {
        struct perf_class_row *row = &class->rows[which][class->row_count[which]++];
        double speed = number(object, "speed", 1);
        enum perf_mark mark = mark_of(text(object, "mark"));
        double spread = spread_of(mark, class);
        *row = (struct perf_class_row){
            .gpu = gpu_named(table, object->string),
            .speed = speed,
            .low = number(object, "low", speed / spread),
            .high = number(object, "high", speed * spread),
            .chip = number(object, "chip", speed),
            .mark = mark,
            .source = text(object, "source"),
        };
        json_path_add(check->path, object->string);
        if (row->gpu == NULL)
            return check_fail(check, "no such type in 'gpus'");
        if (row->low > speed || row->high < speed)
            return check_fail(check, "the speed is outside its range");
        *strrchr(check->path, '.') = '\0';
    }
    return true;
}

static bool read_class(struct check *check, struct perf_generations *table, const cJSON *object)
{
    const cJSON *rule = json_member(object, "rule");
    const char *like = text(object, "like");
    struct perf_class *class = &table->classes[table->class_count];
    *class = (struct perf_class){
        .name = object->string,
        .summary = text(object, "summary"),
        .like = like != NULL ? perf_class_find(table, like) : NULL,
        .a = number(rule, "a", 0),
        .b = number(rule, "b", 0),
        .p = number(rule, "p", 1),
        .error = number(rule, "error", 1),
    };
    table->class_count++;
    if (like != NULL && class->like == NULL)
        return check_fail(check, "like: no class '%.64s' before it", like);
    size_t length = strlen(check->path);
    for (int which = 0; which < PERF_TABLES; which++) {
        check->path[length] = '\0';
        json_path_add(check->path, table_keys[which]);
        if (!read_rows(check, table, json_member(object, table_keys[which]), class, which))
            return false;
    }
    return true;
}

/* ---- the catalogue ---- */

static bool read_all(void *made, struct check *check, cJSON *tree)
{
    struct catalog_speeds *catalog = made;
    const cJSON *classes = json_member(tree, "classes");
    struct perf_generations *table = &catalog->table;
    catalog->tree = tree;
    read_gpus(catalog, json_member(tree, "gpus"));
    table->classes = mem_alloc((size_t)cJSON_GetArraySize(classes) + 1, sizeof *table->classes);
    for (const cJSON *object = classes->child; object; object = object->next) {
        check->path[0] = '\0';
        json_path_add(check->path, "classes");
        json_path_add(check->path, object->string);
        if (!read_class(check, table, object))
            return false;
    }
    return true;
}

static void release(void *catalog)
{
    catalog_speeds_free(catalog);
}

static const struct catalog_kind kind = {"speeds.json", &schema_speeds,
                                         sizeof(struct catalog_speeds), read_all, release};

bool catalog_speeds_parse(struct catalog_speeds **catalog, const char *name, const char *text,
                          size_t n, struct err *err)
{
    *catalog = catalog_file_parse(&kind, name, text, n, err);
    return *catalog != NULL;
}

bool catalog_speeds(struct catalog_speeds **catalog, struct err *err)
{
    *catalog = catalog_file_open(&kind, err);
    return *catalog != NULL;
}

void catalog_speeds_free(struct catalog_speeds *catalog)
{
    if (!catalog)
        return;
    for (size_t i = 0; i < catalog->table.class_count; i++)
        for (int which = 0; which < PERF_TABLES; which++)
            free(catalog->table.classes[i].rows[which]);
    free(catalog->table.classes);
    free(catalog->table.gpus);
    free(catalog->names);
    cJSON_Delete(catalog->tree);
    free(catalog);
}
