/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists of nodes, pools, queues, loads, outages and numbers. One loop reads all CSV kinds by their
 * tables of columns. */
#include "traces/nodes.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "traces/csv.h"
#include "traces/fields.h"
#include "traces/lines.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NODES 100000000
#define MOST_GPUS  1024 /* of a node */
#define MOST_MIB   1000000000000

static const struct csv_column node_columns[] = {
    {"sn", CSV_NEEDED, field_text, offsetof(struct trace_node, name), 0, 0},
    {"cpu_milli", CSV_NEEDED, field_i64, offsetof(struct trace_node, cpu_milli), 0, 1000000000},
    {"memory_mib", CSV_NEEDED, field_i64, offsetof(struct trace_node, mem_mib), 0, MOST_MIB},
    {"gpu", CSV_NEEDED, field_i64, offsetof(struct trace_node, gpus), 0, MOST_GPUS},
    {"model", 0, field_text, offsetof(struct trace_node, gpu_type), 0, 0},
};

static const struct csv_column pool_columns[] = {
    {"name", CSV_NEEDED, field_text, offsetof(struct trace_pool, name), 0, 0},
    {"nodes", CSV_NEEDED, field_i64, offsetof(struct trace_pool, nodes), 0, MOST_NODES},
    {"gpus_per_node", CSV_NEEDED, field_i64, offsetof(struct trace_pool, gpus_per_node), 0,
     MOST_GPUS},
    {"gpu_type", 0, field_text, offsetof(struct trace_pool, gpu_type), 0, 0},
};

static const struct csv_column queue_columns[] = {
    {"name", CSV_NEEDED, field_text, offsetof(struct trace_queue, name), 0, 0},
    {"parent", 0, field_text, offsetof(struct trace_queue, parent), 0, 0},
    {"gpu_quota", CSV_NEEDED, field_quota, offsetof(struct trace_queue, quota_milli), 0, 0},
    {"gpu_limit", 0, field_quota, offsetof(struct trace_queue, limit_milli), 0, 0},
    {"gpu_weight", 0, field_milli, offsetof(struct trace_queue, weight_milli), 0, 0},
};

static const struct csv_column load_columns[] = {
    {"time_s", CSV_NEEDED, field_span, offsetof(struct trace_load, at_ms), 0, 0},
    {"rps", CSV_NEEDED, field_milli, offsetof(struct trace_load, milli), 0, 0},
};

static const struct csv_column outage_columns[] = {
    {"node", CSV_NEEDED, field_text, offsetof(struct trace_outage, node), 0, 0},
    {"down_s", CSV_NEEDED, field_time, offsetof(struct trace_outage, down_ms), 0, 0},
    {"up_s", 0, field_time, offsetof(struct trace_outage, up_ms), 0, 0},
};

static const struct trace_node blank_node = {.name = "", .gpu_type = ""};
static const struct trace_pool blank_pool = {.name = "", .gpu_type = "any"};
static const struct trace_queue blank_queue = {
    .name = "", .parent = "", .limit_milli = -1, .weight_milli = 1000};
static const struct trace_load blank_load = {0};
static const struct trace_outage blank_outage = {.node = "", .up_ms = INT64_MAX};

/*
 * A kind of list: its columns, its default record, which begins with its origin, the names of the
 * columns in the origin, and the offsets of the record's texts.
 */
static const struct list_kind {
    const struct csv_column *columns;
    size_t column_count;
    const void *blank;
    size_t size;
    const char *origin[3];
    size_t texts[2], text_count;
} kinds[] = {
    {node_columns,
     sizeof node_columns / sizeof *node_columns,
     &blank_node,
     sizeof blank_node,
     {"sn", "gpu", ""},
     {offsetof(struct trace_node, name), offsetof(struct trace_node, gpu_type)},
     2},
    {pool_columns,
     sizeof pool_columns / sizeof *pool_columns,
     &blank_pool,
     sizeof blank_pool,
     {"name", "gpus_per_node", "nodes"},
     {offsetof(struct trace_pool, name), offsetof(struct trace_pool, gpu_type)},
     2},
    {queue_columns,
     sizeof queue_columns / sizeof *queue_columns,
     &blank_queue,
     sizeof blank_queue,
     {"name", "gpu_quota", "parent"},
     {offsetof(struct trace_queue, name), offsetof(struct trace_queue, parent)},
     2},
    {load_columns,
     sizeof load_columns / sizeof *load_columns,
     &blank_load,
     sizeof blank_load,
     {"time_s", "", ""},
     {0, 0},
     0},
    {outage_columns,
     sizeof outage_columns / sizeof *outage_columns,
     &blank_outage,
     sizeof blank_outage,
     {"node", "down_s", "up_s"},
     {offsetof(struct trace_outage, node), 0},
     1},
};

enum { NODES, POOLS, QUEUES, LOADS, OUTAGES };

/* fields.record is the element after the last of `rows`, which always has room for it. */
struct list {
    struct field_context fields;
    const struct list_kind *kind;
    struct trace_origin origin; /* of the current row */
    char *rows;
    size_t count, capacity;
};

static void begin(void *context)
{
    struct list *list = context;
    size_t size = list->kind->size;
    list->rows = mem_grow(list->rows, &list->capacity, list->count + 1, size);
    list->fields.record = memcpy(list->rows + list->count * size, list->kind->blank, size);
}

static bool row(void *context, uint64_t line, const char **at_fault, struct err *err)
{
    struct list *list = context;
    (void)at_fault;
    (void)err;
    list->origin.line = line;
    memcpy(list->fields.record, &list->origin, sizeof list->origin);
    list->count++;
    return true;
}

static const char **text_of(const struct list *list, char *rows, size_t index, size_t text)
{
    return (const char **)(void *)(rows + index * list->kind->size + list->kind->texts[text]);
}

/* Copies the records, and after them their texts, into one allocation. */
static void *packed(const struct list *list)
{
    size_t bytes = 0, head = list->count * list->kind->size, each = list->kind->text_count;
    for (size_t i = 0; i < each * list->count; i++)
        bytes += strlen(*text_of(list, list->rows, i / each, i % each)) + 1;
    char *block = mem_resize(NULL, head + bytes, 1);
    memcpy(block, list->rows, head);
    char *at = block + head;
    for (size_t i = 0; i < each * list->count; i++) {
        const char **text = text_of(list, block, i / each, i % each);
        size_t n = strlen(*text) + 1;
        *text = memcpy(at, *text, n);
        at += n;
    }
    return block;
}

static bool read_rows(struct list *list, struct input *input, struct err *err)
{
    const struct csv_table table = {
        .columns = list->kind->columns,
        .count = list->kind->column_count,
        .begin = begin,
        .row = row,
    };
    struct csv_reader *reader = csv_open(input, &table, list, err);
    if (!reader)
        return false;
    list->origin = (struct trace_origin){
        .name = csv_column_number(reader, list->kind->origin[0]),
        .gpus = csv_column_number(reader, list->kind->origin[1]),
        .other = csv_column_number(reader, list->kind->origin[2]),
    };
    int got;
    do
        got = csv_more(reader, err);
    while (got > 0);
    uint64_t line = csv_line(reader);
    csv_close(reader);
    if (got == 0 && list->count == 0)
        return err_set(err, EXIT_INPUT, "%s:%llu:1: no rows below the header", input_name(input),
                       (unsigned long long)line);
    return got == 0;
}

static bool read_list(const char *path, const struct list_kind *kind, void **rows, size_t *count,
                      struct err *err)
{
    struct input *input = input_open(path, err);
    if (!input)
        return false;
    struct texts texts;
    texts_init(&texts);
    struct list list = {.fields = {.texts = &texts}, .kind = kind};
    bool ok = read_rows(&list, input, err);
    if (ok) {
        *rows = packed(&list);
        *count = list.count;
    }
    free(list.rows);
    texts_fini(&texts);
    input_close(input);
    return ok;
}

bool trace_read_nodes(const char *path, struct trace_node **nodes, size_t *count, struct err *err)
{
    void *rows;
    if (!read_list(path, &kinds[NODES], &rows, count, err))
        return false;
    *nodes = rows;
    return true;
}

bool trace_read_pools(const char *path, struct trace_pool **pools, size_t *count, struct err *err)
{
    void *rows;
    if (!read_list(path, &kinds[POOLS], &rows, count, err))
        return false;
    *pools = rows;
    return true;
}

bool trace_read_queues(const char *path, struct trace_queue **queues, size_t *count,
                       struct err *err)
{
    void *rows;
    if (!read_list(path, &kinds[QUEUES], &rows, count, err))
        return false;
    *queues = rows;
    return true;
}

bool trace_read_loads(const char *path, struct trace_load **loads, size_t *count, struct err *err)
{
    void *rows;
    if (!read_list(path, &kinds[LOADS], &rows, count, err))
        return false;
    *loads = rows;
    return true;
}

bool trace_read_outages(const char *path, struct trace_outage **outages, size_t *count,
                        struct err *err)
{
    void *rows;
    if (!read_list(path, &kinds[OUTAGES], &rows, count, err))
        return false;
    *outages = rows;
    return true;
}

static int read_integers(struct lines *lines, const char *name, int64_t **values, size_t *count,
                         struct err *err)
{
    size_t n, capacity = 0;
    const char *text;
    int got;
    while ((got = lines_next(lines, &text, &n, err)) > 0) {
        if (n == 0)
            continue;
        *values = mem_grow(*values, &capacity, *count + 1, sizeof **values);
        if (!text_i64(text, n, &(*values)[*count])) {
            char shown[80];
            err_set(err, EXIT_INPUT, "%s:%llu:1: '%s' is not valid, expected a whole number", name,
                    (unsigned long long)lines_number(lines),
                    texts_show(shown, sizeof shown, text, n));
            return -1;
        }
        ++*count;
    }
    if (got == 0 && *count == 0) {
        err_set(err, EXIT_INPUT, "%s:%llu:1: no numbers, expected one a line", name,
                (unsigned long long)lines_number(lines) + 1);
        return -1;
    }
    return got;
}

bool trace_read_integers(const char *path, int64_t **values, size_t *count, struct err *err)
{
    struct input *input = input_open(path, err);
    if (!input)
        return false;
    struct lines *lines = lines_create(input);
    int64_t *read = NULL;
    size_t n = 0;
    int got = read_integers(lines, input_name(input), &read, &n, err);
    lines_destroy(lines);
    input_close(input);
    if (got < 0) {
        free(read);
        return false;
    }
    *values = read;
    *count = n;
    return true;
}
