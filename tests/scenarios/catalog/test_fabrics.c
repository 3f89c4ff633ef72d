/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of fabrics: F1, exact leaf, spine and core switches of the reference architectures;
 * descriptions; refusals.
 */
#include "scenarios/catalog/fabrics.h"
#include "sim/fabric/plan.h"
#include "tests/lib/harness.h"

#include <string.h>

static struct catalog_fabrics *load(void)
{
    struct catalog_fabrics *catalog = NULL;
    struct err err = {0};
    ck_assert_msg(catalog_fabrics(&catalog, &err), "%s", err.msg);
    return catalog;
}

/* Switches by nodes, as published: superpod-h100 and -a100 by units, -b200 by nodes, -b300 one
 * unit. */
static const struct count_row {
    const char *name;
    int64_t nodes, leaf, spine, core, leaf_cables;
} count_rows[] = {
    {"superpod-a100", 20, 8, 4, 0, 0},         {"superpod-a100", 40, 16, 8, 0, 0},
    {"superpod-a100", 140, 56, 80, 28, 0},     {"superpod-h100", 31, 8, 4, 0, 256},
    {"superpod-h100", 63, 16, 8, 0, 512},      {"superpod-h100", 95, 24, 16, 0, 768},
    {"superpod-h100", 127, 32, 16, 0, 1024},   {"superpod-b200", 64, 16, 8, 0, 0},
    {"superpod-b200", 128, 32, 16, 0, 0},      {"superpod-b200", 256, 64, 32, 0, 0},
    {"superpod-b200", 512, 128, 128, 64, 0},   {"superpod-b200", 1024, 256, 256, 128, 0},
    {"superpod-b200", 2048, 512, 512, 256, 0}, {"superpod-b300-eth", 64, 16, 8, 0, 0},
    {"superpod-b300-xdr", 72, 8, 4, 0, 0},     {"basepod", 20, 8, 4, 0, 0},
    {"single-leaf", 64, 1, 0, 0, 0},
};

START_TEST(switches_are_as_published)
{
    const struct count_row *row = &count_rows[_i];
    struct catalog_fabrics *catalog = load();
    const struct fabric_spec *spec = catalog_fabrics_find(catalog, row->name);
    struct fabric_plan plan;
    struct err err = {0};
    ck_assert_ptr_nonnull(spec);
    ck_assert_msg(fabric_plan(&plan, spec, row->nodes, &err), "%s", err.msg);
    ck_assert_int_eq(plan.leaf, row->leaf);
    ck_assert_int_eq(plan.spine, row->spine);
    ck_assert_int_eq(plan.core, row->core);
    if (row->leaf_cables > 0)
        ck_assert_int_eq(plan.leaf_cables, row->leaf_cables);
    catalog_fabrics_free(catalog);
}
END_TEST

static const struct level_row {
    const char *name;
    int64_t nodes;
    const char *level;
    int64_t domain;
    double ratio;
} level_rows[] = {
    {"superpod-h100", 127, "leaf", 32, 1},    {"superpod-h100", 127, "pod", 128, 1},
    {"superpod-b200", 2048, "pod", 1024, 1},  {"superpod-b200", 2048, "core", 2048, 1},
    {"superpod-gb200", 288, "nvlink", 18, 1}, {"superpod-gb200", 288, "rack", 18, 1},
    {"meta-24k", 3072, "pod", 384, 7}, // 3,072 GPUs
    {"meta-24k", 3072, "core", 3072, 7},
};

START_TEST(levels_have_their_domains)
{
    const struct level_row *row = &level_rows[_i];
    struct catalog_fabrics *catalog = load();
    struct fabric_plan plan;
    struct err err = {0};
    ck_assert_msg(fabric_plan(&plan, catalog_fabrics_find(catalog, row->name), row->nodes, &err),
                  "%s", err.msg);
    int level = fabric_find_level(&plan, row->level);
    ck_assert_int_ge(level, 0);
    ck_assert_int_eq(plan.levels[level].nodes, row->domain);
    ck_assert_double_eq(fabric_ratio(&plan, level), row->ratio);
    catalog_fabrics_free(catalog);
}
END_TEST

/* Each fabric has a description and a source, and its `unverified` and `sources` name keys that it
 * has. */
START_TEST(every_fabric_is_described)
{
    struct catalog_fabrics *catalog = load();
    ck_assert_uint_ge(catalog->count, 8);
    for (size_t i = 0; i < catalog->count; i++) {
        const cJSON *object = catalog->objects[i], *sources = json_member(object, "sources"),
                    *unverified = json_member(object, "unverified");
        ck_assert_str_ne(catalog->fabrics[i].summary, "");
        ck_assert_ptr_nonnull(json_member(object, "source"));
        for (const cJSON *entry = sources ? sources->child : NULL; entry; entry = entry->next)
            ck_assert_msg(json_member(object, entry->string) != NULL, "%s: %s", object->string,
                          entry->string);
        for (const cJSON *entry = unverified ? unverified->child : NULL; entry;
             entry = entry->next) {
            ck_assert_msg(json_member(object, entry->valuestring) != NULL, "%s: %s", object->string,
                          entry->valuestring);
            ck_assert_msg(json_member(sources, entry->valuestring) != NULL,
                          "%s: %s is not explained", object->string, entry->valuestring);
        }
    }
    ck_assert_ptr_null(catalog_fabrics_find(catalog, "superpod"));
    catalog_fabrics_free(catalog);
    catalog_fabrics_free(NULL);
}
END_TEST

#define ONE(keys) "{\"fauxfleet_catalog\": 1,\n\"fabrics\": {\n\"x\": {" keys "}}}"
static const struct refused_row {
    const char *text, *part;
} refused_rows[] = {
    {ONE("\"unit_node\": 1"),
     "f.json:3: fabrics.x.unit_node: unknown key 'unit_node', did you mean 'unit_nodes'?"},
    {ONE("\"unit_nodes\": 32"), "f.json:3: fabrics.x: unit_nodes goes with rails"},
    {ONE("\"unit_nodes\": 40, \"rails\": 8, \"radix\": 64"),
     "has no room for 40 nodes and 40 uplinks"},
    {ONE("\"rails\": 8"), "f.json:3: fabrics.x.rails: 'rails' goes with unit_nodes"},
    {ONE("\"nodes_per\": {\"rack\": 4, \"row\": 10}"),
     "10 nodes of a 'row' do not make whole domains of 4 ('rack')"},
    {ONE("\"nodes_per\": {\"rack\": 0}"), "fabrics.x.nodes_per.rack: expected an integer from 1"},
    {ONE("\"nodes_per\": {\"abcdefghijklmnopqrstuvwxyz\": 4}"), "expected a name of 1 to 23 bytes"},
    {ONE("\"nodes_per\": "
         "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1}"),
     "more than 8 levels"},
    {ONE("\"oversubscription\": {\"pod\": 7}"),
     "fabrics.x.oversubscription.pod: nodes_per does not have this level"},
    {ONE("\"nodes_per\": {\"pod\": 4}, \"oversubscription\": {\"pod\": 0.5}"),
     "fabrics.x.oversubscription.pod: expected a number from 1"},
    {ONE("\"unit_nodes\": 32, \"rails\": 8, \"radix\": 64, \"oversubscription\": {\"rack\": 2}"),
     "fabrics.x.oversubscription.rack: with unit_nodes there are switches at the levels 'leaf' and "
     "'pod' alone"},
    {ONE("\"unit_nodes\": 32, \"rails\": 8, \"radix\": 64, \"installed\": [{\"units\": 2, "
         "\"leaf\": 1}, {\"units\": 2, \"leaf\": 2}]"),
     "fabrics.x.installed[1]: two rows for as many units"},
    {"{\"fauxfleet_catalog\": 1}", "the key 'fabrics' is missing"},
};

START_TEST(contradictions_are_refused)
{
    struct catalog_fabrics *catalog = NULL;
    struct err err = {0};
    const char *text = refused_rows[_i].text;
    ck_assert(!catalog_fabrics_parse(&catalog, "f.json", text, strlen(text), &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, refused_rows[_i].part);
}
END_TEST

/* Every key of a fabric. */
START_TEST(keys_have_their_meaning)
{
    static const char text[] = ONE(
        "\"summary\": \"s\", \"unit_nodes\": 96, \"leaf_nodes\": 48, \"spare_slots\": 2, "
        "\"rails\": 4, \"radix\": 64, \"max_tiers\": 2, \"nic_gbit_s\": 100, \"ecmp\": 0.7, "
        "\"nodes_per\": {\"rack\": 8, \"row\": 24}, \"oversubscription\": {\"leaf\": 3, \"pod\": "
        "2}, \"installed\": [{\"units\": 2, \"leaf\": 16, \"spine\": 4, \"core\": 1}]");
    struct catalog_fabrics *catalog = NULL;
    struct err err = {0};
    ck_assert_msg(catalog_fabrics_parse(&catalog, "f.json", text, strlen(text), &err), "%s",
                  err.msg);
    const struct fabric_spec *spec = catalog_fabrics_find(catalog, "x");
    ck_assert_str_eq(spec->summary, "s");
    ck_assert(spec->unit_nodes == 96 && spec->leaf_nodes == 48 && spec->spare_slots == 2);
    ck_assert(spec->rails == 4 && spec->radix == 64 && spec->max_tiers == 2);
    ck_assert_double_eq(spec->nic_gbit, 100);
    ck_assert_double_eq(spec->ecmp, 0.7);
    ck_assert_double_eq(spec->leaf_over, 3);
    ck_assert_double_eq(spec->pod_over, 2);
    ck_assert_int_eq(spec->level_count, 2);
    ck_assert_str_eq(spec->levels[0].name, "row");
    ck_assert_int_eq(spec->levels[1].nodes, 8);
    ck_assert_int_eq(spec->installed_count, 1);
    ck_assert(spec->installed[0].units == 2 && spec->installed[0].leaf == 16 &&
              spec->installed[0].spine == 4 && spec->installed[0].core == 1);
    catalog_fabrics_free(catalog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalog_fabrics");
    TCase *tcase = tcase_create("fabrics");
    tcase_add_loop_test(tcase, switches_are_as_published, 0, ROWS(count_rows));
    tcase_add_loop_test(tcase, levels_have_their_domains, 0, ROWS(level_rows));
    tcase_add_test(tcase, every_fabric_is_described);
    tcase_add_loop_test(tcase, contradictions_are_refused, 0, ROWS(refused_rows));
    tcase_add_test(tcase, keys_have_their_meaning);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
