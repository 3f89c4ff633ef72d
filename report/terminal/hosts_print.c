/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of queues that use CPUs without GPUs; see hosts_print.h. */
#include "report/terminal/hosts_print.h"

#include "report/results/rundir.h"
#include "report/terminal/table.h"
#include "report/words/units.h"

#include <stdlib.h>

#define ROWS       20
#define NAME_WIDTH ((size_t)28)

static bool used_hosts(const cJSON *queue)
{
    return json_number_at(queue, "used_core_h") > 0 || json_number_at(queue, "used_gib_h") > 0;
}

static void add_queue(struct table *table, const cJSON *queue)
{
    char cores[UNIT_TEXT], of_cores[UNIT_TEXT], gib[UNIT_TEXT], of_gib[UNIT_TEXT],
        dominant[UNIT_TEXT];
    char *name = unit_name(queue->string, NAME_WIDTH);
    table_row(table, (const char *const[]){
                         name, unit_amount(cores, json_number_at(queue, "used_core_h")),
                         unit_amount(of_cores, json_number_at(queue, "entitled_core_h")),
                         unit_amount(gib, json_number_at(queue, "used_gib_h")),
                         unit_amount(of_gib, json_number_at(queue, "entitled_gib_h")),
                         unit_percent(dominant, json_number_at(queue, "dominant_share"))});
    free(name);
}

void hosts_print(struct out *out, const cJSON *summary, size_t width)
{
    const cJSON *queue, *all = json_at(summary, "fairness.queues");
    size_t alone = 0, count = 0;
    struct table *table = table_create(6);
    table_row(table, (const char *const[]){"queue", "used core-h", "entitled core-h", "used GiB-h",
                                           "entitled GiB-h", "dominant share"});
    cJSON_ArrayForEach(queue, all)
    {
        if (!queue->string || !used_hosts(queue))
            continue;
        alone += !(json_number_at(queue, "used_gpu_h") > 0);
        if (count++ < ROWS)
            add_queue(table, queue);
    }
    if (alone > 0) {
        out_char(out, '\n');
        table_print(table, out, width);
        if (count > ROWS)
            out_format(out, "(%zu more queues)\n", count - ROWS);
        char jain[UNIT_TEXT];
        out_format(out, "(Jain's index of dominant shares %s)\n",
                   unit_ratio(jain, json_number_at(summary, "fairness.jain_dominant")));
    }
    table_destroy(table);
}
