/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The step-time model against published throughput: validation rows V1 to V16, each with its
 * tolerance. The work of a model comes from the row of one node; the others are compared.
 * Parameters missing in the tables (global batch, bytes per parameter) are those of the published
 * configurations: 3 bytes per parameter for a distributed optimizer (gradients and parameters in
 * bf16 and fp32), 2 for plain data parallel in fp16.
 */
#include "sim/perf/table.h"
#include "tests/sim/perf/nodes.h"

static struct perf_rules rules;
static struct node_traits dgx;

static void setup(void)
{
    perf_rules_init(&rules);
    dgx = nodes_dgx_a100();
}

static struct perf_model llm(double batch, double gradient_gb)
{
    struct perf_model model = perf_model_empty();
    model.batch = batch;
    model.gradient_gb = gradient_gb;
    model.fixed_s = 0.020;
    return model;
}

static void calibrate(struct perf_model *model, double samples_per_s)
{
    struct perf_part part = nodes_part(&dgx, 8, 1, 8);
    struct err err = {0};
    bool ok = perf_calibrate(&rules, model, &(struct perf_place){.parts = &part, .count = 1},
                             samples_per_s, &err);
    ck_assert_msg(ok, "%s", err.msg);
}

#define SCALING_ROWS 6

static const struct scaling_row {
    const char *id;
    double batch, gradient_gb, imbalance;
    int tensor;
    double one_node; /* samples per second */
    int nodes[SCALING_ROWS];
    double published[SCALING_ROWS];
    double percent;
} scaling_rows[] = {
    {"V1 GPT-3 5B, Kubernetes", 524288, 15.15, 1, 1, 48131, {2, 4}, {95545, 182791}, 2},
    {"V2 GPT-3 5B, bare metal", 524288, 15.15, 1, 1, 48941, {2, 4}, {97541, 185090}, 2},
    {"V3 GPT-3 126M, bare metal", 524288, 0.378, 1, 1, 919803, {2, 4}, {1747626, 3236345}, 2.5},
    {"GPT-3 126M, Kubernetes, corrected (no row of its own: bound of V7)",
     524288,
     0.378,
     1,
     1,
     894208,
     {2, 4},
     {1724417, 3268835},
     5},
    {"V7 NeMo 5B, older release",
     1440 * 2048,
     15.15,
     1,
     1,
     39543,
     {2, 5, 9, 10, 18, 20},
     {79128, 195047, 344523, 383500, 670254, 731791},
     5},
    {"V9 NeMo BERT-4B",
     2048 * 512,
     12,
     2,
     1,
     57287,
     {2, 4, 8, 16},
     {108695, 215358, 393167, 728178},
     7},
    {"V10 NeMo T5-3B, TP2",
     1920 * 512,
     4.5,
     1,
     2,
     110769,
     {2, 4, 5, 10, 20},
     {215579, 417644, 515100, 957506, 1626353},
     10},
};

START_TEST(throughput_scales_as_published)
{
    const struct scaling_row *row = &scaling_rows[_i];
    struct perf_model model = llm(row->batch, row->gradient_gb);
    model.imbalance = row->imbalance;
    model.tensor_parallel = row->tensor;
    calibrate(&model, row->one_node);
    struct perf_step step;
    nodes_step_s(&rules, &model, &dgx, 8, 1, 8, &step);
    ck_assert_double_eq_tol(step.samples_per_s / row->one_node, 1, 1e-9);
    for (int i = 0; i < SCALING_ROWS && row->nodes[i]; i++) {
        nodes_step_s(&rules, &model, &dgx, 8, row->nodes[i], 8, &step);
        nodes_within(step.samples_per_s, row->published[i], row->percent);
    }
}
END_TEST

/* The work that follows from these one-node rates, and the rate of each device: 59 to 60 % of its
 * peak for 5B. */
static const struct {
    double gradient_gb, rate, work_s, per_device;
} work_rows[] = {
    {15.15, 48131, 86.1, 6090},
    {15.15, 48941, 84.6, 6200},
    {0.378, 894208, 4.51, 116000},
    {0.378, 919803, 4.38, 120000},
};

START_TEST(one_point_gives_the_work)
{
    struct perf_model model = llm(524288, work_rows[_i].gradient_gb);
    calibrate(&model, work_rows[_i].rate);
    nodes_within(model.work_s, work_rows[_i].work_s, 0.5);
    nodes_within(model.batch / model.work_s, work_rows[_i].per_device, 0.5);
}
END_TEST

START_TEST(a_rate_beyond_communication_is_refused)
{
    struct perf_model model = llm(1000, 15.15);
    struct perf_part part = nodes_part(&dgx, 8, 1, 8);
    struct err err = {0};
    ck_assert(!perf_calibrate(&rules, &model, &(struct perf_place){.parts = &part, .count = 1}, 1e5,
                              &err));
    harness_contains(err.msg, "communication and fixed time alone take");
}
END_TEST

/* Slowdown of 8 devices over 1, 2, 4 and 8 nodes: arithmetic of the formula, not measurements;
 * three digits. */
static const struct {
    const char *what;
    double work_s, gradient_gb, fixed_s, slowdown[4];
    double slack;
} spread_rows[] = {
    {"5B", 86.06, 15.15, 0.020, {1, 1.004, 1.040, 1.091}, 0.0006},
    {"126M", 4.51, 0.378, 0.020, {1, 1.002, 1.019, 1.042}, 0.0006},
    {"VGG16-like", 0.8, 0.552, 0.005, {1, 1.01, 1.15, 1.33}, 0.006},
};

START_TEST(spreading_costs_what_the_formula_says)
{
    static const int nodes[] = {1, 2, 4, 8};
    struct perf_model model = llm(1, spread_rows[_i].gradient_gb);
    model.work_s = spread_rows[_i].work_s;
    model.fixed_s = spread_rows[_i].fixed_s;
    double one = nodes_step_s(&rules, &model, &dgx, 8, 1, 8, NULL);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(
            nodes_step_s(&rules, &model, &dgx, 8, nodes[i], 8 / nodes[i], NULL) / one,
            spread_rows[_i].slowdown[i], spread_rows[_i].slack);
}
END_TEST

/*
 * V13: Megatron 177B, strong scaling on H100: 47 % of peak with 96 devices, 42 % with 4,608. These
 * two give the work and the constant part; the others were read off a chart.
 */
START_TEST(V13_strong_scaling_in_between)
{
    const double few = 0.47, many = 0.42;
    struct perf_model model = perf_model_empty();
    /* efficiency ~ 1 / (n t(n)), t = W / n + t0: t0 / W from the ratio of both ends */
    double t0 = (few / many - 1) / (4608 - 96 * few / many);
    ck_assert_double_eq_tol(t0, 2.645e-5, 0.01e-5);
    model.work_s = 1;
    model.batch = 1;
    model.fixed_s = t0;
    struct node_traits h100 = nodes_dgx_h100();
    struct perf_step at;
    nodes_step_s(&rules, &model, &h100, 8, 12, 8, &at);
    double per_device = at.samples_per_s / 96;
    static const struct {
        int devices;
        double mfu;
    } rows[] = {{2304, 0.439}, {3072, 0.431}, {4608, 0.42}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        nodes_step_s(&rules, &model, &h100, 8, rows[i].devices / 8, 8, &at);
        nodes_within(few * at.samples_per_s / rows[i].devices / per_device, rows[i].mfu, 3);
    }
}
END_TEST

/*
 * V14: Megatron 498M, plain data parallel in fp16, two sequences a device, V100 nodes with one 100
 * Gbit/s NIC. The NIC gives 9.3 GB/s (fitted to the row of 16), which is 0.744 of it.
 */
START_TEST(V14_weak_scaling_on_thin_nodes)
{
    struct node_traits v100 = nodes_dgx1v();
    v100.nics = 1;
    v100.nic_efficiency = 0.744;
    for (int i = 0; i < 8; i++)
        v100.nic_of[i] = 0;
    rules.two_node_tree = false;
    struct perf_model model = perf_model_empty();
    model.weak = true;
    model.batch = 2;
    model.gradient_gb = 2 * 0.498;
    model.work_s = 2 / 4.31;
    static const struct {
        int nodes;
        double published;
    } rows[] = {{1, 33.27}, {2, 48.16}, {4, 93.63}};
    struct perf_step step;
    nodes_step_s(&rules, &model, &v100, 8, 1, 1, &step);
    nodes_within(step.samples_per_s, 4.31, 0.001);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        nodes_step_s(&rules, &model, &v100, 8, rows[i].nodes, 8, &step);
        nodes_within(step.samples_per_s, rows[i].published, 4);
    }
}
END_TEST

/*
 * V16: Megatron's weak scaling on A100 never falls below 43 % of peak, so tensor parallelism inside
 * a node must cost at most a tenth. Shapes of the four models without pipelines (layers, hidden
 * size, tensor parallel, sequences, devices) are from memory of the published table. FLOP per step:
 * 96 B s l h^2 (1 + s/6h + V/16lh), at 137 TFLOP/s without tensor parallelism; four all-reduces of
 * 2 b s h bytes per layer.
 */
static const struct {
    double layers, hidden, sequences;
    int tensor, devices;
} tensor_rows[] = {
    {24, 2304, 512, 1, 32},
    {30, 3072, 512, 2, 64},
    {36, 4096, 512, 4, 128},
    {40, 6144, 1024, 8, 256},
};

START_TEST(V16_tensor_groups_in_a_node_cost_little)
{
    const double s = 2048, vocabulary = 51200, l = tensor_rows[_i].layers,
                 h = tensor_rows[_i].hidden;
    double flop = 96 * tensor_rows[_i].sequences * s * l * h * h *
                  (1 + s / (6 * h) + vocabulary / (16 * l * h));
    struct perf_model model = perf_model_empty();
    model.batch = tensor_rows[_i].sequences;
    model.tensor_parallel = tensor_rows[_i].tensor;
    model.work_s = flop / 137e12;
    model.tensor_gb = 4 * l * tensor_rows[_i].sequences * s * h * 2 / 1e9;
    struct perf_step inside, across;
    nodes_step_s(&rules, &model, &dgx, 8, tensor_rows[_i].devices / 8, 8, &inside);
    ck_assert_double_le(inside.tensor_s / inside.seconds, 0.10);
    if (tensor_rows[_i].tensor < 8)
        return;
    /* Seven of eight in a node: very slow. */
    struct perf_part parts[] = {nodes_part(&dgx, 8, 36, 7), nodes_part(&dgx, 8, 1, 4)};
    perf_step(&rules, &model, &(struct perf_place){.parts = parts, .count = 2}, &across);
    ck_assert_double_gt(across.tensor_s, 1.2 * inside.tensor_s);
}
END_TEST

/* A pipeline of 8 stages and 32 micro-batches idles for 7/32 of the time; with 2 chunks per device,
 * for half of that. */
START_TEST(pipelines_have_bubbles)
{
    struct perf_model model = llm(1, 0);
    model.work_s = 64;
    model.fixed_s = 0;
    model.pipeline_parallel = 8;
    model.micro_batches = 32;
    ck_assert_double_eq_tol(nodes_step_s(&rules, &model, &dgx, 8, 1, 8, NULL), 8 * (1 + 7 / 32.0),
                            1e-9);
    model.virtual_stages = 2;
    ck_assert_double_eq_tol(nodes_step_s(&rules, &model, &dgx, 8, 1, 8, NULL), 8 * (1 + 7 / 64.0),
                            1e-9);
    /* 23 GB between stages: a tenth of a second inside a node, and one NIC's 24 GB/s per device
     * between two nodes. */
    model.pipeline_gb = 23;
    struct perf_step step;
    nodes_step_s(&rules, &model, &dgx, 8, 1, 8, &step);
    ck_assert_double_eq_tol(step.pipeline_s, 0.1, 1e-9);
    nodes_step_s(&rules, &model, &dgx, 8, 2, 4, &step);
    ck_assert_double_eq_tol(step.pipeline_s, 23 / 24.0, 1e-9);
}
END_TEST

/* Two replicas halve the batch, so each fills its pipeline with half as many micro-batches; with
 * weak scaling each has its own. */
START_TEST(replicas_divide_micro_batches)
{
    struct perf_model model = llm(1, 0);
    model.work_s = 64;
    model.fixed_s = 0;
    model.pipeline_parallel = 8;
    model.micro_batches = 32;
    ck_assert_double_eq_tol(nodes_step_s(&rules, &model, &dgx, 8, 2, 8, NULL), 4 * (1 + 7 / 16.0),
                            1e-9);
    ck_assert_double_eq_tol(nodes_step_s(&rules, &model, &dgx, 8, 64, 8, NULL), 0.125 * (1 + 7.0),
                            1e-9);
    model.weak = true;
    ck_assert_double_eq_tol(nodes_step_s(&rules, &model, &dgx, 8, 2, 8, NULL), 64 * (1 + 7 / 32.0),
                            1e-9);
}
END_TEST

/*
 * V13 with its pipeline: tensor groups of 8, 12 stages of 8 chunks (96 layers), 1,152 micro-batches
 * of one sequence. The bubble is 11 / (8 x 24) at 4,608 devices. Both ends give the exposed part of
 * the all-reduce; the values between were read off a chart.
 */
START_TEST(V13_with_its_pipeline)
{
    const double few = 0.47, many = 0.42;
    struct perf_model model = perf_model_empty();
    model.work_s = 1;
    model.batch = 1;
    model.tensor_parallel = 8;
    model.pipeline_parallel = 12;
    model.micro_batches = 1152;
    model.virtual_stages = 8;
    struct node_traits h100 = nodes_dgx_h100();
    struct perf_step at;
    nodes_step_s(&rules, &model, &h100, 8, 576, 8, &at);
    ck_assert_double_eq_tol(at.bubble_s / at.compute_s, 11 / (8 * 24.0), 1e-9);
    double one = 1 + 11 / (8 * 1152.0);
    double left = few / many * one - (1 + 11 / (8 * 24.0)); /* share of the step at 4,608 devices */
    ck_assert_double_gt(left, 0);
    ck_assert_double_lt(left, 11 / (8 * 24.0) * 1.2);
    model.fixed_s = left / 4608;
    nodes_step_s(&rules, &model, &h100, 8, 12, 8, &at);
    double per_device = at.samples_per_s / 96;
    static const struct {
        int devices;
        double mfu;
    } rows[] = {{2304, 0.439}, {3072, 0.431}, {4608, 0.42}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        nodes_step_s(&rules, &model, &h100, 8, rows[i].devices / 8, 8, &at);
        nodes_within(few * at.samples_per_s / rows[i].devices / per_device, rows[i].mfu, 3);
    }
}
END_TEST

/* One device in eight is a V100 at 0.4: all wait for it. Half a device beside seven whole ones: the
 * same. */
START_TEST(the_slowest_device_rules)
{
    struct perf_model model = llm(1, 0);
    model.work_s = 80;
    model.fixed_s = 0;
    struct perf_part parts[] = {nodes_part(&dgx, 8, 1, 7), nodes_part(&dgx, 8, 1, 1)};
    struct perf_place place = {.parts = parts, .count = 2};
    ck_assert_double_eq_tol(perf_step(&rules, &model, &place, NULL), 10, 1e-9);
    parts[1].speed = 0.4;
    ck_assert_double_eq_tol(perf_step(&rules, &model, &place, NULL), 25, 1e-9);
    parts[0].keeps = 0.25;
    ck_assert_double_eq_tol(perf_step(&rules, &model, &place, NULL), 40, 1e-9);
    parts[0].cores_remote = true;
    model.numa = 1.1;
    ck_assert_double_eq_tol(perf_step(&rules, &model, &place, NULL), 44, 1e-9);
}
END_TEST

/* 1,024 samples of 0.05 core-seconds: 51.2 s of one core, so 8 x 4 cores need 1.6 s for a step that
 * computes in 1 s. */
START_TEST(few_cores_bind_a_job_to_its_input)
{
    struct perf_model model = llm(1024, 0);
    model.work_s = 8;
    model.fixed_s = 0;
    model.input_core_s = 0.05;
    struct perf_part part = nodes_part(&dgx, 8, 1, 8);
    struct perf_place place = {.parts = &part, .count = 1};
    struct perf_step step;
    ck_assert_double_eq_tol(perf_step(&rules, &model, &place, &step), 1, 1e-9);
    part.cores = 32;
    ck_assert_double_eq_tol(perf_step(&rules, &model, &place, &step), 1.6, 1e-9);
    ck_assert_double_eq_tol(step.input_s, 1.6, 1e-9);
    part.cores = 64;
    ck_assert_double_eq_tol(perf_step(&rules, &model, &place, &step), 1, 1e-9);
    /* Weak scaling: each device adds its own samples. */
    model.weak = true;
    model.work_s = 1;
    model.batch = 128;
    part.cores = 32;
    ck_assert_double_eq_tol(perf_step(&rules, &model, &place, &step), 1.6, 1e-9);
}
END_TEST

/* Half of the all-reduce hidden; 15.15 GB in pieces of 0.2 make 75.75 latencies of 60 + 87 log2 4
 * us. */
START_TEST(overlap_and_latency)
{
    struct perf_model model = llm(1, 15.15);
    struct perf_step step;
    nodes_step_s(&rules, &model, &dgx, 8, 4, 8, &step);
    double plain = 2 * 31 / 32.0 * 15.15 / 192;
    ck_assert_double_eq_tol(step.reduce_s, plain, 1e-9);
    model.bucket_gb = 0.2;
    nodes_step_s(&rules, &model, &dgx, 8, 4, 8, &step);
    ck_assert_double_eq_tol(step.reduce_s, plain + 75.75 * 234e-6, 1e-9);
    model.overlap = 0.5;
    nodes_step_s(&rules, &model, &dgx, 8, 4, 8, &step);
    ck_assert_double_eq_tol(step.reduce_s, (plain + 75.75 * 234e-6) / 2, 1e-9);
    nodes_step_s(&rules, &model, &dgx, 8, 1, 1, &step);
    ck_assert_double_eq(step.reduce_s, 0);
}
END_TEST

START_TEST(terms_add_up)
{
    struct perf_model model = llm(1000, 4);
    model.work_s = 100;
    model.tensor_parallel = 4;
    model.pipeline_parallel = 2;
    model.micro_batches = 16;
    model.tensor_gb = 100;
    model.pipeline_gb = 3;
    struct perf_step step;
    double seconds = nodes_step_s(&rules, &model, &dgx, 8, 4, 8, &step);
    ck_assert_double_eq(seconds, step.seconds);
    ck_assert_double_eq_tol(seconds,
                            step.busy_s + step.reduce_s + step.tensor_s + step.bubble_s +
                                step.pipeline_s + step.fixed_s,
                            1e-12);
    ck_assert_double_eq_tol(step.samples_per_s, 1000 / seconds, 1e-9);
    ck_assert_double_gt(step.tensor_s, 0);
    ck_assert_double_gt(step.pipeline_s, 0);
}
END_TEST

/* 8 devices on 8 nodes instead of one: 14 q (1/24 - 1/230) = 0.52 q of the computing. */
START_TEST(a_model_may_be_one_number)
{
    static const double qs[] = {0.01, 0.05, 0.1};
    for (size_t i = 0; i < sizeof qs / sizeof *qs; i++) {
        struct perf_model model = perf_model_of_intensity(qs[i]);
        ck_assert_double_eq_tol(perf_model_intensity(&model), qs[i], 1e-12);
        double one = nodes_step_s(&rules, &model, &dgx, 8, 1, 8, NULL);
        double eight = nodes_step_s(&rules, &model, &dgx, 8, 8, 1, NULL);
        ck_assert_double_eq_tol(eight - one, 0.5225 * qs[i], 1e-3 * qs[i]);
    }
}
END_TEST

START_TEST(speeds_are_looked_up)
{
    static const struct perf_device_speed speeds[] = {{"a100", 1}, {"t4", 0.294}};
    struct perf_model model = perf_model_empty();
    model.speeds = speeds;
    model.speed_count = 2;
    ck_assert_double_eq(perf_model_known_speed(&model, "t4", 0.5), 0.294);
    ck_assert_double_eq(perf_model_known_speed(&model, "v100", 0.5), 0.5);
    ck_assert_double_eq(perf_model_known_speed(&model, "v100", 0), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("step");
    TCase *tcase = tcase_create("published");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_loop_test(tcase, throughput_scales_as_published, 0, ROWS(scaling_rows));
    tcase_add_loop_test(tcase, one_point_gives_the_work, 0, ROWS(work_rows));
    tcase_add_test(tcase, a_rate_beyond_communication_is_refused);
    tcase_add_loop_test(tcase, spreading_costs_what_the_formula_says, 0, ROWS(spread_rows));
    tcase_add_test(tcase, V13_strong_scaling_in_between);
    tcase_add_test(tcase, V14_weak_scaling_on_thin_nodes);
    tcase_add_loop_test(tcase, V16_tensor_groups_in_a_node_cost_little, 0, ROWS(tensor_rows));
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("terms");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, pipelines_have_bubbles);
    tcase_add_test(tcase, replicas_divide_micro_batches);
    tcase_add_test(tcase, V13_with_its_pipeline);
    tcase_add_test(tcase, the_slowest_device_rules);
    tcase_add_test(tcase, few_cores_bind_a_job_to_its_input);
    tcase_add_test(tcase, overlap_and_latency);
    tcase_add_test(tcase, terms_add_up);
    tcase_add_test(tcase, a_model_may_be_one_number);
    tcase_add_test(tcase, speeds_are_looked_up);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
