/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spreading of small jobs on machines without NVSwitch: validation rows P2, P3, P4, P6, P7. The
 * sources say little about these networks, so the tests compare the order of models, and that small
 * batches suffer more; assumptions are noted beside the figures. Step times on one device and rates
 * are measurements of the sources.
 */
#include "tests/sim/perf/nodes.h"

static struct perf_rules rules;

static void setup(void)
{
    perf_rules_init(&rules);
}

/* Plain data parallel in fp32: a step of `batch` samples takes one device of the node step_s. */
static struct perf_model local(double gradient_gb, double batch, double step_s)
{
    struct perf_model model = perf_model_empty();
    model.weak = true;
    model.batch = batch;
    model.work_s = step_s;
    model.gradient_gb = gradient_gb;
    return model;
}

static double slowdown(const struct perf_model *model, const struct node_traits *traits,
                       int node_gpus, int gpus, int nodes)
{
    return nodes_step_s(&rules, model, traits, node_gpus, nodes, gpus / nodes, NULL) /
           nodes_step_s(&rules, model, traits, node_gpus, 1, gpus, NULL);
}

/* ---- P2: four T4, one node or two of two, 50 Gbit/s */

#define BATCHES 8

/* Placement "1" of Sia's profiles (siasosp23/artifacts, aws): samples a device, seconds a step. */
static const struct t4_row {
    const char *name;
    double
        gradient_gb; /* 4 bytes a parameter: 110, 62, 25.6, 11.2 M; of DeepSpeech2 assumed 38 M */
    double published;
    int count;
    double batch[BATCHES], step_s[BATCHES];
} t4_rows[] = {
    {"BERT", 0.440, 2.83, 5, {4, 6, 8, 11, 12}, {0.4553, 0.5694, 0.7033, 0.8553, 0.9215}},
    {"YOLOv3", 0.248, 2.19, 5, {4, 6, 8, 11, 16}, {0.2669, 0.4507, 0.3261, 0.5717, 0.5726}},
    {"ResNet-50",
     0.102,
     1.32,
     8,
     {20, 28, 40, 57, 81, 115, 163, 200},
     {0.1474, 0.2081, 0.2535, 0.3239, 0.4207, 0.5602, 0.7624, 0.9235}},
    {"ResNet-18",
     0.045,
     1.29,
     8,
     {45, 64, 91, 129, 182, 257, 363, 513},
     {0.0505, 0.0598, 0.0759, 0.1039, 0.1372, 0.1871, 0.2595, 0.3554}},
    {"DeepSpeech2",
     0.152,
     1.23,
     7,
     {10, 14, 20, 28, 40, 57, 80},
     {0.4664, 0.5585, 0.6812, 0.8509, 1.1217, 1.6642, 2.5406}},
};

static double t4_mean(const struct t4_row *row, const struct node_traits *traits)
{
    double logs = 0;
    for (int i = 0; i < row->count; i++) {
        struct perf_model model = local(row->gradient_gb, row->batch[i], row->step_s[i]);
        logs += log(slowdown(&model, traits, 4, 4, 2));
    }
    return exp(logs / row->count);
}

/* At the usual rate of TCP, and at a tenth of it: the rate with few flows, according to its own
 * sync times. */
START_TEST(P2_models_rank_as_measured)
{
    struct node_traits traits = nodes_t4();
    traits.nic_efficiency = _i ? PERF_EFFICIENCY_TCP / 10 : 0;
    double bert = t4_mean(&t4_rows[0], &traits), yolo = t4_mean(&t4_rows[1], &traits);
    ck_assert_double_gt(bert, yolo);
    for (int i = 2; i < ROWS(t4_rows); i++) {
        ck_assert_double_gt(yolo, t4_mean(&t4_rows[i], &traits));
        ck_assert_double_ge(t4_mean(&t4_rows[i], &traits), 1);
    }
}
END_TEST

START_TEST(P2_small_batches_suffer_more)
{
    struct node_traits traits = nodes_t4();
    const struct t4_row *row = &t4_rows[_i];
    int last = row->count - 1;
    struct perf_model few = local(row->gradient_gb, row->batch[0], row->step_s[0]);
    struct perf_model many = local(row->gradient_gb, row->batch[last], row->step_s[last]);
    ck_assert_double_gt(slowdown(&few, &traits, 4, 4, 2), slowdown(&many, &traits, 4, 4, 2));
}
END_TEST

/* P3: eight devices without peer-to-peer: PCIe (assumed 6 GB/s) is slower than the network; 0.99 to
 * 1.10 measured. */
START_TEST(P3_where_pcie_is_slow_a_second_node_costs_little)
{
    struct node_traits traits = nodes_make(LINKS_PCIE, 0, NETWORK_ROCE, 1, 100, 8);
    traits.pcie_gbps = 6;
    for (int i = 0; i < 8; i++)
        traits.nic_of[i] = 0;
    for (int i = 0; i < ROWS(t4_rows); i++) {
        struct perf_model model =
            local(t4_rows[i].gradient_gb, t4_rows[i].batch[0], t4_rows[i].step_s[0] / 2);
        ck_assert_double_le(slowdown(&model, &traits, 8, 8, 2), 1.15);
        nodes_within(slowdown(&model, &traits, 8, 8, 2), 1.045, 10);
    }
}
END_TEST

/* ---- P4: Gavel's P100, consolidated or not, 2, 4 and 8 devices */

/* Steps per second of one P100 by batch (Gavel's traces: steps over isolated time); parameters x 4
 * bytes. */
static const struct p100_row {
    const char *name;
    double gradient_gb; /* 14 M (LM: 2 x 200 LSTM, 33k words), 11.2, about 50, 25.6 M */
    double published;
    int count;
    double rate[5]; /* batch doubles from one to the next */
} p100_rows[] = {
    {"LM", 0.056, 1.91, 5, {90.776, 77.084, 58.173, 35.766, 21.158}},
    {"ResNet-18", 0.045, 1.50, 5, {35.869, 35.825, 22.305, 11.675, 7.723}},
    {"Transformer", 0.200, 1.39, 5, {9.537, 7.869, 5.092, 3.074, 1.678}},
    {"ResNet-50", 0.102, 1.13, 4, {9.053, 4.888, 2.619, 1.584}},
};

/* Eight on PCIe 3; 25 Gbit/s on TCP (assumed). */
static struct node_traits p100_node(double gbit)
{
    struct node_traits traits = nodes_make(LINKS_PCIE, 0, NETWORK_TCP, 1, gbit, 8);
    traits.pcie_gbps = 12;
    return traits;
}

static double p100_slowdown(const struct p100_row *row, int i)
{
    struct node_traits traits = p100_node(25);
    struct perf_model model = local(row->gradient_gb, 1, 1 / row->rate[i]);
    double logs = 0;
    for (int gpus = 2; gpus <= 8; gpus *= 2)
        logs += log(slowdown(&model, &traits, 8, gpus, gpus));
    return exp(logs / 3);
}

static double p100_mean(const struct p100_row *row)
{
    double logs = 0;
    for (int i = 0; i < row->count; i++)
        logs += log(p100_slowdown(row, i));
    return exp(logs / row->count);
}

START_TEST(P4_models_rank_as_measured)
{
    double mean[ROWS(p100_rows)], squares = 0;
    for (int i = 0; i < ROWS(p100_rows); i++)
        mean[i] = p100_mean(&p100_rows[i]);
    for (int i = 0; i < ROWS(p100_rows); i++) { /* the rows are in the measured order */
        int rank = 0;
        for (int k = 0; k < ROWS(p100_rows); k++)
            rank += mean[k] > mean[i];
        squares += (rank - i) * (rank - i);
    }
    double n = ROWS(p100_rows), spearman = 1 - 6 * squares / (n * (n * n - 1));
    ck_assert_msg(spearman >= 0.8 - 1e-9, "rank correlation %g: %g %g %g %g", spearman, mean[0],
                  mean[1], mean[2], mean[3]);
}
END_TEST

START_TEST(P4_small_batches_suffer_more)
{
    const struct p100_row *row = &p100_rows[_i];
    for (int i = 1; i < row->count; i++)
        ck_assert_double_ge(p100_slowdown(row, i - 1), p100_slowdown(row, i));
}
END_TEST

/*
 * P6 and P7, both unverified: the published tables were quoted from memory, and neither network is
 * known. Checked here with 10 and 25 Gbit/s, 32 images per device. P6's values for servers shared
 * with other jobs (0.66, 0.65) are not modelled: neighbours on other devices of a server take cores
 * and NICs, which the caller knows, and nothing else.
 */
static const double gbits[] = {10, 25};

START_TEST(P6_unverified_resnet50_on_two_servers)
{
    struct node_traits traits = p100_node(gbits[_i]);
    struct perf_model model = local(0.102, 32, 64 / 114.8 - 0.102 / 12);
    nodes_within(1 / slowdown(&model, &traits, 8, 2, 2), 98.0 / 114.8, 15);
}
END_TEST

START_TEST(P7_unverified_vgg16_on_two_servers)
{
    struct node_traits traits = p100_node(gbits[_i]);
    struct perf_model vgg = local(0.552, 32, 128 / 103.6 - 1.5 * 0.552 / 12);
    struct perf_model resnet = local(0.102, 32, 64 / 114.8);
    double kept = 1 / slowdown(&vgg, &traits, 8, 4, 2);
    nodes_within(kept, 80.4 / 103.6, 15);
    ck_assert_double_gt(1 / slowdown(&resnet, &traits, 8, 4, 2), kept + 0.05);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("spread");
    TCase *tcase = tcase_create("published");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_loop_test(tcase, P2_models_rank_as_measured, 0, 2);
    tcase_add_loop_test(tcase, P2_small_batches_suffer_more, 0, ROWS(t4_rows));
    tcase_add_test(tcase, P3_where_pcie_is_slow_a_second_node_costs_little);
    tcase_add_test(tcase, P4_models_rank_as_measured);
    tcase_add_loop_test(tcase, P4_small_batches_suffer_more, 0, ROWS(p100_rows));
    tcase_add_loop_test(tcase, P6_unverified_resnet50_on_two_servers, 0, ROWS(gbits));
    tcase_add_loop_test(tcase, P7_unverified_vgg16_on_two_servers, 0, ROWS(gbits));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
