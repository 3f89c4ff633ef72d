/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the catalogue with sources and marks, and the object to copy into a scenario. */
#include "scenarios/catalog/node_figures.h"
#include "scenarios/schema/node.h"
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

static cJSON *catalog(void)
{
    cJSON *nodes = NULL;
    struct err err = {0};
    ck_assert_msg(catalog_node_tree(&nodes, &err), "%s", err.msg);
    return nodes;
}

static const struct figure *find(const struct figure *figures, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(figures[i].row->key, key) == 0)
            return &figures[i];
    return NULL;
}

/* Every figure has a source; estimates and prices are marked. */
START_TEST(every_figure_has_a_source)
{
    cJSON *nodes = catalog();
    static const char *const weak[] = {"idle_w", "gpu_idle_w", "usd", "rent_usd_per_hour",
                                       "spot_usd_per_hour"};
    for (const cJSON *node = nodes->child; node; node = node->next) {
        struct figure figures[FIGURES];
        size_t count = figures_of(node, &schema_node, figures);
        ck_assert_uint_gt(count, 10);
        for (size_t i = 0; i < count; i++) {
            const struct figure *figure = &figures[i];
            ck_assert_msg(figure->source != NULL, "%s.%s has no source", node->string,
                          figure->row->key);
            bool guess = strstr(figure->source, "estimate") || strstr(figure->source, "assumed") ||
                         strstr(figure->source, "derived") || strstr(figure->source, "no document");
            ck_assert_msg(figure->unverified || !guess, "%s.%s is not marked: %s", node->string,
                          figure->row->key, figure->source);
        }
        for (size_t i = 0; i < sizeof weak / sizeof *weak; i++) {
            const struct figure *figure = find(figures, count, weak[i]);
            ck_assert_msg(!figure || figure->unverified, "%s.%s is not marked", node->string,
                          weak[i]);
        }
    }
    cJSON_Delete(nodes);
}
END_TEST

/* "x": the value in the object; NULL: no such figure. */
static const struct figure_row {
    const char *key, *text, *source;
    bool unverified;
} figure_rows[] = {
    {"gpus", "4", "vendor", false},
    {"gpu_type", "x1", "vendor", false},
    {"busbw_of", "2:80.5 3:160", "a paper", true},
    {"numa_of", "0 0 1 1", "vendor", true},
    {"speed", "0.1", "vendor", false},
    {"idle_w", NULL, NULL, false},
    {"summary", NULL, NULL, false},
    {"sources", NULL, NULL, false},
};

static const char node_text[] =
    "{\"speed\": 0.1, \"summary\": \"s\", \"source\": \"vendor\", \"gpus\": 4, \"gpu_type\": "
    "\"x1\", \"idle_w\": null, "
    "\"busbw_of\": {\"2\": 80.5, \"3\": 160}, \"numa\": 2, \"numa_of\": [0, 0, 1, 1], "
    "\"sources\": {\"busbw_of\": \"a paper\"}, \"unverified\": [\"numa_of\", \"busbw_of\"]}";

START_TEST(figures_carry_source_and_mark)
{
    const struct figure_row *row = &figure_rows[_i];
    cJSON *node = cJSON_Parse(node_text);
    struct figure figures[FIGURES];
    size_t count = figures_of(node, &schema_node, figures);
    ck_assert_uint_eq(count, 6);
    ck_assert_str_eq(figures[0].row->key, "gpus"); // the schema's order
    ck_assert_str_eq(figures[5].row->key, "speed");
    const struct figure *figure = find(figures, count, row->key);
    ck_assert_int_eq(figure != NULL, row->text != NULL);
    if (figure) {
        char *text = node_figure_text(figure);
        ck_assert_str_eq(text, row->text);
        ck_assert_str_eq(figure->source, row->source);
        ck_assert_int_eq(figure->unverified, row->unverified);
        free(text);
    }
    cJSON_Delete(node);
}
END_TEST

START_TEST(a_source_need_not_be_said)
{
    cJSON *node = cJSON_Parse("{\"gpus\": 4}");
    struct figure figures[FIGURES];
    ck_assert_uint_eq(figures_of(node, &schema_node, figures), 1);
    ck_assert_ptr_null(figures[0].source);
    ck_assert(!figures[0].unverified);
    cJSON_Delete(node);
}
END_TEST

/* The text written for a node of the catalogue is a node: in a scenario it has the same amounts and
 * traits. */
START_TEST(written_nodes_go_into_scenarios)
{
    cJSON *nodes = catalog();
    for (const cJSON *node = nodes->child; node; node = node->next) {
        struct out *out = out_memory();
        struct json json;
        json_init(&json, out, 2);
        node_figures_write(node, &json, NULL);
        char *text = mem_format("{\"fauxfleet_scenario\": 1, \"workload\": {\"generate\": "
                                "{\"profile\": \"batch\"}}, \"fleet\": {\"pools\": "
                                "[{\"name\": \"a\", \"node\": %s, \"count\": 1}, {\"name\": \"b\", "
                                "\"node\": \"%s\", \"count\": 1}]}}",
                                out_memory_text(out, NULL), node->string);
        struct scenario *scenario = load_text(text, NULL);
        const struct scen_node *copy = &scenario->pools[0].node, *named = &scenario->pools[1].node;
        ck_assert_int_eq(copy->gpus, named->gpus);
        ck_assert_str_eq(copy->gpu_type, named->gpu_type);
        ck_assert_str_eq(copy->summary, named->summary);
        ck_assert_int_eq(copy->gpu_mem_mib, named->gpu_mem_mib);
        ck_assert_int_eq(copy->cpu_milli, named->cpu_milli);
        ck_assert_int_eq(copy->mem_mib, named->mem_mib);
        ck_assert_mem_eq(copy->traits, named->traits, sizeof(struct node_traits));
        scenario_destroy(scenario);
        free(text);
        out_discard(out);
    }
    cJSON_Delete(nodes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("node_figures");
    TCase *tcase = tcase_create("figures");
    tcase_add_test(tcase, every_figure_has_a_source);
    tcase_add_loop_test(tcase, figures_carry_source_and_mark, 0, ROWS(figure_rows));
    tcase_add_test(tcase, a_source_need_not_be_said);
    tcase_add_test(tcase, written_nodes_go_into_scenarios);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
