/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the bill by size; see bill.h. */
#include "report/results/bill.h"

#include "report/results/rundir.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

const struct bill_rest bill_rest[BILL_REST] = {
    {"idle GPUs", "cost.idle_usd"},
    {"idle nodes without GPUs", "cost.idle_cpu_usd"},
    {"idle energy", "cost.idle_energy_usd"},
    {"unused storage", "cost.unused_storage_usd"},
};

/* The index keeps equal parts in the order of their objects. */
struct ranked {
    struct bill_part part;
    size_t index;
};

static int before(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    double x = isnan(a->part.usd) ? 0 : a->part.usd, y = isnan(b->part.usd) ? 0 : b->part.usd;
    if (x > y || x < y)
        return x > y ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static bool held_something(const cJSON *part)
{
    return json_number_at(part, "usd") > 0 || json_number_at(part, "gpu_h") > 0 ||
           json_number_at(part, "cpu_core_h") > 0 || json_number_at(part, "mem_gib_h") > 0;
}

struct bill_part *bill_parts(const cJSON *summary, const char *path, size_t *count)
{
    const cJSON *item, *all = json_at(summary, path);
    size_t n = 0, room = cJSON_IsObject(all) ? (size_t)cJSON_GetArraySize(all) : 0;
    struct ranked *ranked = mem_alloc(room + 1, sizeof *ranked);
    struct bill_part *parts = mem_alloc(room + 1, sizeof *parts);
    cJSON_ArrayForEach(item, all)
    {
        if (n == room || item->string == NULL || !held_something(item))
            continue;
        ranked[n] = (struct ranked){{item->string, item, json_number_at(item, "usd")}, n};
        n++;
    }
    qsort(ranked, n, sizeof *ranked, before);
    for (size_t i = 0; i < n; i++)
        parts[i] = ranked[i].part;
    free(ranked);
    *count = n;
    return parts;
}
