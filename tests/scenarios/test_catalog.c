/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue's rows, against the figures of the vendor. */
#include "scenarios/scenario.h"
#include "tests/lib/harness.h"

#include <string.h>

static const struct node_row {
    const char *name;
    int gpus;
    const char *gpu_type;
    int64_t gpu_mem_mib, cpu_milli, mem_mib;
} node_rows[] = {
    {"dgx-a100", 8, "a100", 81920, 128000, 2097152},
    {"dgx-h100", 8, "h100", 81920, 112000, 2097152},
};

START_TEST(nodes_have_their_figures)
{
    const struct node_row *row = &node_rows[_i];
    struct scen_node *nodes = NULL;
    size_t count = 0, found = 0;
    struct err err = {0};
    ck_assert_msg(catalog_nodes(&nodes, &count, &err), "%s", err.msg);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(nodes[i].name, row->name) != 0)
            continue;
        found++;
        ck_assert_int_eq(nodes[i].gpus, row->gpus);
        ck_assert_str_eq(nodes[i].gpu_type, row->gpu_type);
        ck_assert_int_eq(nodes[i].gpu_mem_mib, row->gpu_mem_mib);
        ck_assert_int_eq(nodes[i].cpu_milli, row->cpu_milli);
        ck_assert_int_eq(nodes[i].mem_mib, row->mem_mib);
        ck_assert_int_eq(nodes[i].max_tasks, -1);
    }
    ck_assert_uint_eq(found, 1);
    catalog_free(nodes, count);
}
END_TEST

START_TEST(every_node_is_described_once)
{
    struct scen_node *nodes = NULL;
    size_t count = 0;
    struct err err = {0};
    ck_assert_msg(catalog_nodes(&nodes, &count, &err), "%s", err.msg);
    ck_assert_uint_ge(count, 2);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_ne(nodes[i].summary, "");
        for (size_t k = 0; k < i; k++)
            ck_assert_str_ne(nodes[i].name, nodes[k].name);
    }
    catalog_free(nodes, count);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalog");
    TCase *tcase = tcase_create("nodes");
    tcase_add_loop_test(tcase, nodes_have_their_figures, 0, ROWS(node_rows));
    tcase_add_test(tcase, every_node_is_described_once);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
