/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The catalogue of models reproduces the tables behind it; and models given by users. */
#include "scenarios/catalog/models.h"
#include "scenarios/catalog/speeds.h"
#include "scenarios/scenario.h"
#include "scenarios/schema/figures.h"
#include "scenarios/schema/model.h"
#include "tests/sim/perf/nodes.h"

#include <string.h>

static struct catalog_models *catalog;
static struct catalog_speeds *speeds;
static struct perf_rules rules;

static void setup(void)
{
    struct err err = {0};
    bool ok = catalog_models(&catalog, &err);
    ck_assert_msg(ok, "%s", err.msg);
    ok = catalog_speeds(&speeds, &err);
    ck_assert_msg(ok, "%s", err.msg);
    perf_rules_init(&rules);
}

static void teardown(void)
{
    catalog_models_free(catalog);
    catalog_speeds_free(speeds);
}

static double speed_on(const struct perf_model *model, const char *gpu_type)
{
    return perf_ratio_of(&speeds->table, model, gpu_type, &traits_unknown, false).speed;
}

static const struct perf_model *model_of(const char *name)
{
    struct err err = {0};
    const struct catalog_model *model = catalog_models_find(catalog, name, &err);
    ck_assert_msg(model != NULL, "%s", err.msg);
    return &model->model;
}

/* Published rates on DGX A100, validation rows V1, V9, V10 and the corrected row of 126M; 1 node
 * comes first. */
static const struct {
    const char *name;
    int nodes[6];
    double rate[6];
    double percent;
} rate_rows[] = {
    {"gpt3-5b", {1, 2, 4}, {48131, 95545, 182791}, 2},
    {"gpt3-126m", {1, 2, 4}, {894208, 1724417, 3268835}, 3},
    {"bert-4b", {1, 2, 4, 8, 16}, {57287, 108695, 215358, 393167, 728178}, 7},
    {"t5-3b", {1, 2, 4, 5, 10, 20}, {110769, 215579, 417644, 515100, 957506, 1626353}, 10},
};

START_TEST(models_reproduce_their_tables)
{
    struct node_traits dgx = nodes_dgx_a100();
    const struct perf_model *model = model_of(rate_rows[_i].name);
    struct perf_step step;
    for (int i = 0; i < 6 && rate_rows[_i].nodes[i]; i++) {
        nodes_step_s(&rules, model, &dgx, 8, rate_rows[_i].nodes[i], 8, &step);
        nodes_within(step.samples_per_s, rate_rows[_i].rate[i],
                     i == 0 ? 0.2 : rate_rows[_i].percent);
    }
}
END_TEST

/* V14's first row, on a V100; and Sia's profiles of one device. */
static const struct {
    const char *name, *gpu_type;
    double rate, percent;
} device_rows[] = {
    {"megatron-498m", "v100", 4.31, 0.1},
    {"bert", "a100-40", 140.44, 0.1},
    {"bert", "t4", 13.0, 3},
    {"bert", "2080ti", 26.9, 3},
    {"bert", "rtx6000", 37.4, 3},
    {"resnet50", "a100-40", 1034, 0.1},
    {"resnet50", "t4", 217, 3},
    {"resnet50", "2080ti", 432, 3},
    {"resnet50", "rtx6000", 548, 3},
};

START_TEST(one_device_is_as_fast_as_measured)
{
    struct node_traits dgx = nodes_dgx_a100();
    const struct perf_model *model = model_of(device_rows[_i].name);
    struct perf_part part = perf_part(&dgx, 8, 1);
    part.speed = speed_on(model, device_rows[_i].gpu_type);
    struct perf_step step;
    perf_step(&rules, model, &(struct perf_place){.parts = &part, .count = 1}, &step);
    nodes_within(step.samples_per_s, device_rows[_i].rate, device_rows[_i].percent);
}
END_TEST

/* Nodes of the catalogue: C1, C5, N1 and other rows of the table of large all-reduces, through the
 * same function. */
static const struct {
    const char *node;
    int nodes, gpus;
    double published, percent;
} node_rows[] = {
    {"dgx-a100", 1, 8, 231.6, 2},  {"dgx-h100", 1, 8, 478.9, 2},   {"dgx-h100", 16, 8, 350, 3},
    {"dgx-a100", 4, 8, 192, 2},    {"dgx-b200", 4, 8, 381.8, 3},   {"dgx-b200", 1, 8, 845.7, 2},
    {"gb200-nvl72", 1, 4, 680, 2}, {"dgx-1v", 1, 8, 130, 5},       {"pcie-8x-a100", 1, 2, 208, 2},
    {"pcie-8x-a100", 1, 3, 20, 2}, {"pcie-8x-h100", 1, 2, 115, 2},
};

START_TEST(nodes_of_the_catalogue_are_as_fast_as_measured)
{
    struct scen_node *nodes = NULL;
    size_t count = 0, found = 0;
    struct err err = {0};
    ck_assert_msg(catalog_nodes(&nodes, &count, &err), "%s", err.msg);
    rules.two_node_tree = false;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(nodes[i].name, node_rows[_i].node) != 0)
            continue;
        found++;
        nodes_within(nodes_gbps(&rules, nodes[i].traits, nodes[i].gpus, node_rows[_i].nodes,
                                node_rows[_i].gpus),
                     node_rows[_i].published, node_rows[_i].percent);
    }
    ck_assert_uint_eq(found, 1);
    catalog_free(nodes, count);
}
END_TEST

/* Classes of the communication intensity. */
static const struct {
    const char *name;
    double least, most;
} class_rows[] = {
    {"gpt3-126m", 0.08, 0.09}, {"gpt3-5b", 0.17, 0.18},    {"vgg16", 0.65, 0.75},
    {"generic-low", 0, 0.1},   {"generic-medium", 0.1, 1}, {"generic-high", 1, 10},
};

START_TEST(models_are_of_their_class)
{
    double q = perf_model_intensity(model_of(class_rows[_i].name));
    ck_assert_double_ge(q, class_rows[_i].least);
    ck_assert_double_le(q, class_rows[_i].most);
}
END_TEST

START_TEST(every_model_is_described_and_every_figure_has_a_source)
{
    ck_assert_uint_ge(catalog->count, 11);
    for (size_t i = 0; i < catalog->count; i++) {
        struct figure figures[FIGURES];
        const cJSON *object = catalog_models_object(catalog, &catalog->models[i]);
        ck_assert_str_ne(catalog->models[i].summary, "");
        size_t count = figures_of(object, &schema_model, figures);
        ck_assert_uint_gt(count, 0);
        for (size_t k = 0; k < count; k++)
            ck_assert_msg(figures[k].source != NULL, "%s: %s", catalog->models[i].name,
                          figures[k].row->key);
        ck_assert_double_eq(speed_on(&catalog->models[i].model, "a100"),
                            1); /* the reference of speeds */
    }
}
END_TEST

START_TEST(unknown_names_get_the_nearest)
{
    struct err err = {0};
    ck_assert_ptr_null(catalog_models_find(catalog, "vgg61", &err));
    harness_contains(err.msg, "unknown model 'vgg61', did you mean 'vgg16'?");
}
END_TEST

#define FILE_WITH(models) "{\"fauxfleet_catalog\": 1,\n\"models\": {\n" models "\n}}"

/* V5: the row as printed, and other impossible values. */
static const struct {
    const char *text, *refusal;
} refused_rows[] = {
    {FILE_WITH(
         "\"m\": {\"work_s\": 4.51, \"batch\": 524288, \"gradient_gb\": 0.378, \"calibration\":\n"
         "{\"nodes\": [1, 2, 4], \"rate\": [892208, 1724417, 3568835]}}"),
     "t.json:3: models.m.calibration: the table contradicts itself: 4 nodes run 4.000 times as "
     "fast as 1, but 2 only "
     "1.933 times; efficiency cannot rise from 96.6 to 100.0 % as nodes are added, so 892208 or "
     "3568835 is a misprint"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"calibration\": {\"nodes\": [1, 2], \"rate\": [8, 16], "
               "\"node\": \"dgx-a10\"}}"),
     "models.m.calibration.node: unknown kind of node 'dgx-a10', did you mean 'dgx-a100'?"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"calibration\": {\"nodes\": [1, 2], \"rate\": [8, 15], "
               "\"node\": \"dgx-a100\"}}"),
     "models.m.calibration: the model contradicts the table: 2 nodes run 16 samples a second by "
     "the model, 15 by the table: +6.7 %, and the tolerance is 5 %"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"calibration\": {\"nodes\": [1, 2], \"rate\": [4, 8], "
               "\"node\": {\"gpus\": 4, \"numa_of\": [0]}}}"),
     "models.m.calibration.node.numa_of: expected an element for each of 4 devices"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"calibration\": {\"nodes\": [1], \"rate\": [4], "
               "\"tolerance\": 0.1}}"),
     "models.m.calibration.tolerance"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"calibration\": {\"nodes\": [1, 2], \"rate\": [1]}}"),
     "models.m.calibration.rate: expected 2 elements, as 'nodes' has, got 1"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"calibration\": {\"nodes\": [1, 2], \"rate\": [1, 2], "
               "\"difference_pct\": [0, 0]}}"),
     "reference"},
    {FILE_WITH("\"m\": {\"batch\": 1}"),
     "models.m: expected 'work_s', the device-seconds of a step, or 'intensity'"},
    {FILE_WITH("\"m\": {\"intensity\": 1, \"work_s\": 1}"), "work_s"},
    {FILE_WITH("\"m\": {\"intensity\": 1, \"gradient_gb\": 1}"),
     "models.m.gradient_gb: says nothing about a model that has an 'intensity' only"},
    {FILE_WITH("\"m\": {\"intensity\": 1, \"tensor_parallel\": 8}"), "models.m.tensor_parallel"},
    {FILE_WITH("\"m\": {\"work_s\": 0}"), "models.m.work_s"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"speeds\": {\"t4\": 0}}"), "models.m.speeds.t4"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"gradients_gb\": 1}"), "gradient_gb"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"unverified\": [\"batch\"]}"),
     "models.m.unverified: the model has no figure 'batch'"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"unverified\": [\"speeds.t4\"]}"), "no figure 'speeds.t4'"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"sources\": {\"speed\": \"x\"}}"), "no figure 'speed'"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"input_core_s\": 1, \"cpu_curve\": \"alexnet\"}"),
     "cpu_curve"},
    {FILE_WITH("\"m\": {\"work_s\": 1, \"family\": \"resnet\"}"), "resnet18"},
    {"{\"fauxfleet_catalog\": 1}", "models"},
};

START_TEST(impossible_values_are_refused)
{
    struct catalog_models *models = NULL;
    struct err err = {0};
    const char *text = refused_rows[_i].text;
    bool ok = catalog_models_parse(&models, "t.json", text, strlen(text), &err);
    ck_assert_msg(!ok, "accepted: %s", text);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, refused_rows[_i].refusal);
}
END_TEST

START_TEST(a_user_may_say_little_or_all)
{
    const char *text = FILE_WITH(
        "\"guess\": {\"intensity\": 0.3, \"tensor_parallel\": 1},\n"
        "\"mine\": {\"scaling\": \"weak\", \"work_s\": 2, \"batch\": 64, \"samples\": \"rows\", "
        "\"gradient_gb\": 3, \"imbalance\": 1.5, \"overlap\": 0.25, \"bucket_gb\": 0.1, "
        "\"fixed_s\": 0.5, \"tensor_parallel\": 4, \"pipeline_parallel\": 2, "
        "\"micro_batches\": 16, \"virtual_stages\": 2, \"tensor_gb\": 7, \"pipeline_gb\": 5, "
        "\"input_core_s\": 0.01, \"numa_slowdown\": 1.1, \"family\": \"lm\", "
        "\"speed_class\": \"moe\", \"precision\": \"fp8\", \"utilization\": 0.6, \"speeds\": "
        "{\"h100\": 2.2, \"t4\": null}}");
    struct catalog_models *models = NULL;
    struct err err = {0};
    bool ok = catalog_models_parse(&models, "t.json", text, strlen(text), &err);
    ck_assert_msg(ok, "%s", err.msg);
    ck_assert_uint_eq(models->count, 2);
    ck_assert_double_eq_tol(perf_model_intensity(&models->models[0].model), 0.3, 1e-12);
    ck_assert_double_eq(models->models[0].model.imbalance, 1);
    const struct perf_model *m = &models->models[1].model;
    ck_assert_str_eq(m->samples, "rows");
    ck_assert(m->weak);
    const double got[] = {m->work_s,      m->batch,         m->gradient_gb,    m->imbalance,
                          m->overlap,     m->bucket_gb,     m->fixed_s,        m->tensor_gb,
                          m->pipeline_gb, m->micro_batches, m->virtual_stages, m->input_core_s,
                          m->numa,        m->utilization};
    const double expected[] = {2, 64, 3, 1.5, 0.25, 0.1, 0.5, 7, 5, 16, 2, 0.01, 1.1, 0.6};
    for (int i = 0; i < ROWS(got); i++)
        ck_assert_double_eq(got[i], expected[i]);
    ck_assert_int_eq(m->tensor_parallel, 4);
    ck_assert_int_eq(m->pipeline_parallel, 2);
    ck_assert_int_eq(m->family, PERF_FAMILY_LM);
    ck_assert_str_eq(m->speed_class, "moe");
    ck_assert_int_eq(m->precision, PERF_PRECISION_FP8);
    ck_assert_uint_eq(m->speed_count, 1); /* t4 has no speed */
    ck_assert_str_eq(m->speeds[0].gpu_type, "h100");
    ck_assert_double_eq(m->speeds[0].speed, 2.2);
    catalog_models_free(models);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("catalog of models");
    TCase *tcase = tcase_create("built in");
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, models_reproduce_their_tables, 0, ROWS(rate_rows));
    tcase_add_loop_test(tcase, one_device_is_as_fast_as_measured, 0, ROWS(device_rows));
    tcase_add_loop_test(tcase, nodes_of_the_catalogue_are_as_fast_as_measured, 0, ROWS(node_rows));
    tcase_add_loop_test(tcase, models_are_of_their_class, 0, ROWS(class_rows));
    tcase_add_test(tcase, every_model_is_described_and_every_figure_has_a_source);
    tcase_add_test(tcase, unknown_names_get_the_nearest);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("from a user");
    tcase_add_loop_test(tcase, impossible_values_are_refused, 0, ROWS(refused_rows));
    tcase_add_test(tcase, a_user_may_say_little_or_all);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
