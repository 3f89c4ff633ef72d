/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as the results of a sweep: the plan of its points, and after a zero byte the result of
 * the first one. Accepted ones become a table with a row per point.
 */
#include "report/results/sweep_results.h"
#include "tests/fuzz/folder.h"

static void put_result(const struct sweep_row *row, const uint8_t *data, size_t size)
{
    char path[FUZZ_PATH], name[96];
    (void)mkdir(fuzz_path(path, "points"), 0700);
    fuzz_folder_empty(path);
    (void)snprintf(name, sizeof name, "points/%s.json", row->id);
    fuzz_put(name, data, size);
}

static void read_result(const struct sweep_table *table, const struct sweep_row *row,
                        struct out *out)
{
    struct json_source result;
    struct err err = {0};
    enum sweep_found found = sweep_result_open(&result, fuzz_folder(), row->id, &err);
    BUG_ON((found == SWEEP_DAMAGED) != (err.msg[0] != '\0'));
    if (found != SWEEP_FOUND)
        return;
    if (sweep_metrics_check(table, sweep_result_summary(&result), &err))
        sweep_csv_row(table, row, sweep_result_summary(&result), out);
    else
        BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
    json_source_close(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sweep_manifest manifest;
    struct err err = {0};
    fuzz_put_part("plan.json", &data, &size);
    if (!sweep_manifest_open(&manifest, fuzz_folder(), &err)) {
        BUG_ON(err.code != EXIT_INPUT || err.msg[0] == '\0');
        return 0;
    }
    struct out *out = out_memory();
    sweep_csv_header(&manifest.table, out);
    if (manifest.table.row_count > 0 && size > 0) {
        put_result(&manifest.table.rows[0], data, size);
        read_result(&manifest.table, &manifest.table.rows[0], out);
    }
    sweep_table_print(&manifest.table, out);
    out_discard(out);
    sweep_manifest_close(&manifest);
    return 0;
}
