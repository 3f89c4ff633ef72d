/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best placement, and laws for any: none is faster than the best one, more nodes do not help if
 * NVSwitch connects the devices of a node, more bandwidth never hurts.
 */
#include "tests/sim/perf/nodes.h"

static struct perf_rules rules;

static void setup(void)
{
    perf_rules_init(&rules);
}

#define KINDS 8

static const char *const kind_names[KINDS] = {"dgx-a100", "dgx-h100", "dgx-1v", "pairs",
                                              "gb200",    "t4",       "dgx-2",  "mesh"};

static struct node_traits kind_traits(int i, int *node_gpus)
{
    static const int gpus[KINDS] = {8, 8, 8, 8, 4, 4, 16, 4};
    *node_gpus = gpus[i];
    struct node_traits (*const make[6])(void) = {nodes_dgx_a100, nodes_dgx_h100, nodes_dgx1v,
                                                 nodes_pairs,    nodes_gb200,    nodes_t4};
    if (i < 6)
        return make[i]();
    return i == 6 ? nodes_make(LINKS_SWITCH, 135, NETWORK_INFINIBAND, 8, 100, 16)
                  : nodes_make(LINKS_MESH, 240, NETWORK_ROCE, 4, 200, 4);
}

struct draw {
    uint64_t state;
};

/* Marsaglia's xorshift64: the test draws independently of the program. */
static uint64_t draw(struct draw *from, uint64_t below)
{
    from->state ^= from->state << 13;
    from->state ^= from->state >> 7;
    from->state ^= from->state << 17;
    return from->state % below;
}

static struct perf_model random_model(struct draw *from)
{
    struct perf_model model = perf_model_empty();
    model.weak = draw(from, 2) == 1;
    model.work_s = 0.05 * (double)(1 + draw(from, 200));
    model.batch = 1000;
    model.gradient_gb = 0.02 * (double)(1 + draw(from, 500));
    model.overlap = 0.25 * (double)draw(from, 4);
    model.bucket_gb = draw(from, 2) ? 0.2 : 0;
    model.fixed_s = 0.005;
    return model;
}

/* A random set of `gpus` devices of a node. */
static uint64_t random_devices(struct draw *from, int node_gpus, int gpus)
{
    uint64_t devices = 0;
    for (int n = 0; n < gpus;) {
        uint64_t bit = UINT64_C(1) << draw(from, (uint64_t)node_gpus);
        n += !(devices & bit);
        devices |= bit;
    }
    return devices;
}

#define PARTS 16

/* A random placement that fills domains of several nodes one after the other. Returns its devices.
 */
static int random_place(struct draw *from, const struct node_traits *traits, int node_gpus,
                        struct perf_part parts[PARTS], size_t *count)
{
    int gpus = 0;
    *count = 1 + draw(from, PARTS);
    for (size_t i = 0; i < *count; i++) {
        int here = 1 + (int)draw(from, (uint64_t)node_gpus);
        parts[i] = nodes_part(traits, node_gpus, 1, here);
        parts[i].devices = random_devices(from, node_gpus, here);
        parts[i].domain = i == 0 ? 0 : parts[i - 1].domain + (draw(from, 4) == 0);
        gpus += here;
    }
    return gpus;
}

START_TEST(nothing_beats_the_best_placement)
{
    struct draw from = {UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)_i};
    int node_gpus;
    struct node_traits traits = kind_traits(_i, &node_gpus);
    struct perf_kind kind = {
        .traits = &traits, .node_gpus = node_gpus, .speed = 1, .cores_per_gpu = -1};
    int runs = 4000 / harness_thin();
    for (int run = 0; run < runs; run++) {
        rules.two_node_tree = draw(&from, 2) == 1;
        struct perf_model model = random_model(&from);
        struct perf_part parts[PARTS];
        size_t count;
        int gpus = random_place(&from, &traits, node_gpus, parts, &count);
        struct perf_place place = {.parts = parts, .count = count};
        double best_s = perf_best_step(&rules, &model, &kind, 1, gpus);
        double speed = perf_speed(&rules, &model, &place, best_s);
        ck_assert_msg(speed > 0 && speed <= 1 + 1e-9,
                      "%s, %d devices on %zu nodes: speed %.12f of the best", kind_names[_i], gpus,
                      count, speed);
    }
}
END_TEST

START_TEST(more_bandwidth_never_harms)
{
    struct draw from = {UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)_i};
    int node_gpus;
    struct node_traits traits = kind_traits(_i, &node_gpus);
    int runs = 2000 / harness_thin();
    for (int run = 0; run < runs; run++) {
        struct perf_model model = random_model(&from);
        model.tensor_parallel = 1 << draw(&from, 3);
        model.tensor_gb = 10;
        struct perf_part parts[PARTS];
        size_t count;
        (void)random_place(&from, &traits, node_gpus, parts, &count);
        double uplink = 20;
        struct perf_place place = {
            .parts = parts, .count = count, .uplink_gbps = &uplink, .uplinks = 1};
        double before = perf_step(&rules, &model, &place, NULL);
        struct node_traits faster = traits;
        switch (draw(&from, 4)) {
        case 0:
            faster.nic_gbit *= 2;
            break;
        case 1:
            faster.busbw_gbps *= 2;
            break;
        case 2:
            uplink *= 2;
            break;
        default:
            faster.pcie_gbps *= 2;
            faster.pair_gbps *= 2;
            faster.nvlink_domain_gbps *= 2;
            break;
        }
        for (size_t i = 0; i < count; i++)
            parts[i].traits = &faster;
        double after = perf_step(&rules, &model, &place, NULL);
        ck_assert_msg(after <= before * (1 + 1e-12), "%s: %.12f, before %.12f", kind_names[_i],
                      after, before);
    }
}
END_TEST

/* DGX A100, DGX H100, DGX-2: 16 devices on 1 (or 2) to 16 nodes, evenly. */
START_TEST(spreading_over_switched_nodes_never_helps)
{
    static const int kinds[] = {0, 1, 6};
    int node_gpus;
    struct node_traits traits = kind_traits(kinds[_i], &node_gpus);
    struct draw from = {88172645463325252u};
    for (int run = 0; run < 200; run++) {
        rules.two_node_tree = draw(&from, 2) == 1;
        struct perf_model model = random_model(&from);
        double before = 0;
        for (int nodes = 16 / node_gpus; nodes <= 16; nodes *= 2) {
            double step_s =
                nodes_step_s(&rules, &model, &traits, node_gpus, nodes, 16 / nodes, NULL);
            ck_assert_double_ge(step_s, before * (1 - 1e-12));
            before = step_s;
        }
    }
}
END_TEST

/*
 * Cases in which it does help. PCIe with bridges: pairs on four nodes beat eight devices on one.
 * TCP: each node adds its own NIC, but the slowest still dominates, so nothing changes. NVL72: a
 * rack beats a tray.
 */
START_TEST(spreading_helps_where_a_node_is_slower_than_its_nics)
{
    struct perf_model model = perf_model_of_intensity(1);
    struct node_traits pairs = nodes_make(LINKS_PAIRS, 20, NETWORK_INFINIBAND, 8, 200, 8),
                       t4 = nodes_t4(), gb200 = nodes_gb200();
    pairs.pair_gbps = 208;
    pairs.pcie_gbps = 20;
    ck_assert_double_lt(nodes_step_s(&rules, &model, &pairs, 8, 4, 2, NULL),
                        nodes_step_s(&rules, &model, &pairs, 8, 1, 8, NULL));
    rules.two_node_tree = false;
    ck_assert_double_eq_tol(nodes_step_s(&rules, &model, &t4, 4, 4, 1, NULL),
                            nodes_step_s(&rules, &model, &t4, 4, 2, 2, NULL), 1e-12);
    ck_assert_double_lt(nodes_step_s(&rules, &model, &gb200, 4, 2, 2, NULL),
                        nodes_step_s(&rules, &model, &gb200, 4, 1, 4, NULL));
}
END_TEST

/* 12 devices on nodes of eight: six and six have six NICs, eight and four only four. */
START_TEST(the_best_of_an_odd_number_is_even)
{
    rules.two_node_tree = false;
    struct node_traits traits = nodes_dgx_a100();
    struct perf_kind kind = {.traits = &traits, .node_gpus = 8, .speed = 1, .cores_per_gpu = -1};
    struct perf_model model = perf_model_of_intensity(1);
    struct perf_part uneven[] = {nodes_part(&traits, 8, 1, 8), nodes_part(&traits, 8, 1, 4)};
    double best_s = perf_best_step(&rules, &model, &kind, 1, 12);
    ck_assert_double_eq_tol(best_s, nodes_step_s(&rules, &model, &traits, 8, 2, 6, NULL), 1e-12);
    ck_assert_double_gt(
        perf_step(&rules, &model, &(struct perf_place){.parts = uneven, .count = 2}, NULL), best_s);
}
END_TEST

/* Uses the best kind of node as long as there are enough nodes of it. */
START_TEST(the_best_kind_of_node)
{
    struct node_traits a100 = nodes_dgx_a100(), h100 = nodes_dgx_h100();
    struct perf_model model = perf_model_of_intensity(0.1);
    struct perf_kind kinds[] = {
        {.traits = &a100, .node_gpus = 8, .speed = 1, .cores_per_gpu = -1, .nodes = 100},
        {.traits = &h100, .node_gpus = 8, .speed = 2.5, .cores_per_gpu = -1, .nodes = 2},
    };
    ck_assert_double_eq(perf_best_step(&rules, &model, kinds, 2, 16),
                        perf_best_step(&rules, &model, &kinds[1], 1, 16));
    ck_assert_double_eq(perf_best_step(&rules, &model, kinds, 2, 24),
                        perf_best_step(&rules, &model, &kinds[0], 1, 24));
    ck_assert(isinf(perf_best_step(&rules, &model, kinds, 2, 801)));
    kinds[0].node_gpus = 0; /* nodes without devices */
    ck_assert(isinf(perf_best_step(&rules, &model, kinds, 2, 24)));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("best");
    TCase *tcase = tcase_create("placements");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_loop_test(tcase, nothing_beats_the_best_placement, 0, KINDS);
    tcase_add_loop_test(tcase, more_bandwidth_never_harms, 0, KINDS);
    tcase_add_loop_test(tcase, spreading_over_switched_nodes_never_helps, 0, 3);
    tcase_add_test(tcase, spreading_helps_where_a_node_is_slower_than_its_nics);
    tcase_add_test(tcase, the_best_of_an_odd_number_is_even);
    tcase_add_test(tcase, the_best_kind_of_node);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
