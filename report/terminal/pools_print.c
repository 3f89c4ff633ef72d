/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of queues by pool; see pools_print.h. */
#include "report/terminal/pools_print.h"

#include "report/results/rundir.h"
#include "report/terminal/table.h"
#include "report/words/units.h"

#include <stdlib.h>

#define ROWS       20
#define NAME_WIDTH ((size_t)28)

static void add_queue(struct table *table, const cJSON *pool, const cJSON *queue)
{
    char quota[UNIT_TEXT], entitled[UNIT_TEXT], used[UNIT_TEXT], over[UNIT_TEXT];
    char *pools = unit_name(pool->string, NAME_WIDTH), *name = unit_name(queue->string, NAME_WIDTH);
    table_row(table, (const char *const[]){
                         pools, name, unit_amount(quota, json_number_at(queue, "quota_gpu_h")),
                         unit_amount(entitled, json_number_at(queue, "entitled_gpu_h")),
                         unit_amount(used, json_number_at(queue, "used_gpu_h")),
                         unit_amount(over, json_number_at(queue, "over_quota_gpu_h"))});
    free(pools);
    free(name);
}

void pools_print(struct out *out, const cJSON *summary, size_t width)
{
    const cJSON *pool, *queue;
    size_t count = 0;
    struct table *table = table_create(6);
    table_row(table, (const char *const[]){"pool", "queue", "quota GPU-h", "entitled GPU-h",
                                           "used GPU-h", "over quota"});
    cJSON_ArrayForEach(pool, json_at(summary, "fairness.pools"))
    {
        cJSON_ArrayForEach(queue, json_at(pool, "queues"))
        {
            if (pool->string && queue->string && count++ < ROWS)
                add_queue(table, pool, queue);
        }
    }
    if (count > 0) {
        out_char(out, '\n');
        table_print(table, out, width);
    }
    if (count > ROWS)
        out_format(out, "(%zu more)\n", count - ROWS);
    table_destroy(table);
}
