/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trees of groups from labels and from fleets, and the uplinks that jobs cross, against hand counts
 * and scans. */
#include "sim/base/rng.h"
#include "sim/fabric/tree.h"
#include "tests/sim/fabric/fabrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* 8 nodes of 100 GB/s, two below each leaf at 1:1, four in each pod at 4:1. */
static struct fabric_tree small_tree(void)
{
    static const double nics[8] = {100, 100, 100, 100, 100, 100, 100, 100};
    static const uint32_t leaf[8] = {0, 0, 1, 1, 2, 2, 3, 3}, pod[8] = {0, 0, 0, 0, 1, 1, 1, 1};
    struct fabric_tree tree;
    struct err err = {0};
    fabric_tree_init(&tree, 8, nics);
    ck_assert(fabric_tree_add_tier(&tree, "leaf", leaf, 4, 1, &err));
    ck_assert(fabric_tree_add_tier(&tree, "pod", pod, 2, 4, &err));
    return tree;
}

START_TEST(uplinks_have_what_is_below)
{
    struct fabric_tree tree = small_tree();
    ck_assert_int_eq(tree.tier_count, 3);
    ck_assert_uint_eq(tree.uplink_count, 8 + 4 + 2);
    ck_assert_double_eq(fabric_gbps(&tree, 0), 100);
    ck_assert_double_eq(fabric_gbps(&tree, 8), 200);  // leaf 0
    ck_assert_double_eq(fabric_gbps(&tree, 12), 100); // pod 0: 400 / 4
    ck_assert_double_eq(tree.ratio[12], 4);
    ck_assert_int_eq(fabric_tier_find(&tree, "pod"), 2);
    ck_assert_int_eq(fabric_tier_find(&tree, "core"), -1);
    ck_assert_int_eq(fabric_tier_of(&tree, 7), 0);
    ck_assert_int_eq(fabric_tier_of(&tree, 11), 1);
    ck_assert_int_eq(fabric_tier_of(&tree, 12), 2);
    ck_assert_uint_eq(fabric_group_of(&tree, 1, 5), 2);
    fabric_tree_fini(&tree);
}
END_TEST

START_TEST(nodes_without_a_figure_limit_no_job)
{
    static const double nics[4] = {100, 0, 50, 50};
    static const uint32_t leaf[4] = {0, 0, 1, 1};
    struct fabric_tree tree;
    struct err err = {0};
    fabric_tree_init(&tree, 4, nics);
    ck_assert(fabric_tree_add_tier(&tree, "leaf", leaf, 2, 2, &err));
    ck_assert(isinf(fabric_gbps(&tree, 1)));
    ck_assert(isinf(fabric_gbps(&tree, 4)));
    ck_assert_double_eq(fabric_gbps(&tree, 5), 50);
    fabric_tree_fini(&tree);
}
END_TEST

START_TEST(labels_that_cut_each_other_are_refused)
{
    static const double nics[4] = {1, 1, 1, 1};
    static const uint32_t rack[4] = {0, 0, 1, 1}, row[4] = {0, 1, 1, 1};
    struct fabric_tree tree;
    struct err err = {0};
    fabric_tree_init(&tree, 4, nics);
    ck_assert(fabric_tree_add_tier(&tree, "rack", rack, 2, 1, &err));
    ck_assert(!fabric_tree_add_tier(&tree, "row", row, 2, 1, &err));
    harness_contains(err.msg, "a 'rack' has nodes in two domains of level 'row'");
    fabric_tree_fini(&tree);
}
END_TEST

/* ---- uplinks that a job crosses ---- */

static const struct cross_row {
    uint32_t nodes[8];
    size_t count;
    uint32_t distinct;
    struct fabric_crossing expected[16];
    size_t crossings;
    double ratio;
} cross_rows[] = {
    {{3}, 1, 1, {{0}}, 0, 1},
    {{3, 3}, 2, 1, {{0}}, 0, 1},
    {{0, 1}, 2, 2, {{0, 1}, {1, 1}}, 2, 1},                 // below one leaf
    {{1, 2}, 2, 2, {{1, 1}, {2, 1}, {8, 1}, {9, 1}}, 4, 1}, // in one pod
    {{2, 0, 1, 0}, 4, 3, {{2, 1}, {0, 1}, {1, 1}, {9, 1}, {8, 2}}, 5, 1},
    {{0, 4}, 2, 2, {{0, 1}, {4, 1}, {8, 1}, {10, 1}, {12, 1}, {13, 1}}, 6, 4},
    {{0, 1, 2, 3, 4, 5, 6, 7},
     8,
     8,
     {{0, 1},
      {1, 1},
      {2, 1},
      {3, 1},
      {4, 1},
      {5, 1},
      {6, 1},
      {7, 1},
      {8, 2},
      {9, 2},
      {10, 2},
      {11, 2},
      {12, 4},
      {13, 4}},
     14,
     4},
};

START_TEST(jobs_cross_the_uplinks_of_their_groups)
{
    const struct cross_row *row = &cross_rows[_i];
    struct fabric_tree tree = small_tree();
    struct fabric_finder finder;
    fabric_finder_init(&finder, &tree);
    for (int round = 0; round < 2; round++) { // the second time reuses the first one's memory
        size_t count;
        uint32_t distinct;
        const struct fabric_crossing *found =
            fabric_find_crossings(&finder, row->nodes, row->count, &count, &distinct);
        ck_assert_uint_eq(distinct, row->distinct);
        ck_assert_uint_eq(count, row->crossings);
        for (size_t i = 0; i < count; i++) {
            ck_assert_uint_eq(found[i].uplink, row->expected[i].uplink);
            ck_assert_uint_eq(found[i].inside, row->expected[i].inside);
        }
        ck_assert_double_eq(fabric_ring_ratio(&finder, row->nodes, row->count), row->ratio);
    }
    fabric_finder_fini(&finder);
    fabric_tree_fini(&tree);
}
END_TEST

/* On random trees: a job crosses an uplink exactly if some but not all of its nodes are below it.
 */
START_TEST(crossings_agree_with_a_scan)
{
    struct rng_stream rng;
    rng_init(&rng, 4, RNG_TEST, (uint64_t)_i);
    uint32_t nodes = 2 + (uint32_t)(rng_u64(&rng) % 60), of[3][64];
    double nics[64];
    for (uint32_t i = 0; i < nodes; i++)
        nics[i] = 1;
    struct fabric_tree tree;
    struct err err = {0};
    fabric_tree_init(&tree, nodes, nics);
    uint32_t groups = nodes;
    for (int tier = 0; tier < 3;
         tier++) { // groups of the tier below are distributed over fewer and fewer groups
        uint32_t around[64], next = 1 + (uint32_t)(rng_u64(&rng) % groups);
        for (uint32_t i = 0; i < groups; i++)
            around[i] = (uint32_t)(rng_u64(&rng) % next);
        for (uint32_t i = 0; i < nodes; i++)
            of[tier][i] = around[tier == 0 ? i : of[tier - 1][i]];
        ck_assert_msg(fabric_tree_add_tier(&tree, "t", of[tier], next, 2, &err), "%s", err.msg);
        groups = next;
    }
    struct fabric_finder finder;
    fabric_finder_init(&finder, &tree);
    for (int job = 0; job < 50; job++) {
        uint32_t of_job[64];
        size_t count = 1 + rng_u64(&rng) % nodes, crossings, expected = 0;
        bool in[64] = {false};
        for (size_t i = 0; i < count; i++)
            in[of_job[i] = (uint32_t)(rng_u64(&rng) % nodes)] = true;
        uint32_t distinct, total = 0;
        for (uint32_t i = 0; i < nodes; i++)
            total += in[i];
        const struct fabric_crossing *found =
            fabric_find_crossings(&finder, of_job, count, &crossings, &distinct);
        ck_assert_uint_eq(distinct, total);
        for (uint32_t uplink = 0; uplink < tree.uplink_count; uplink++) {
            int tier = fabric_tier_of(&tree, uplink);
            uint32_t inside = 0, told = 0;
            for (uint32_t i = 0; i < nodes; i++)
                inside +=
                    in[i] && fabric_group_of(&tree, tier, i) == uplink - tree.tiers[tier].first;
            for (size_t i = 0; i < crossings; i++)
                told = found[i].uplink == uplink ? found[i].inside : told;
            ck_assert_uint_eq(told, inside < total ? inside : 0);
            expected += inside > 0 && inside < total;
        }
        ck_assert_uint_eq(crossings, expected);
    }
    fabric_finder_fini(&finder);
    fabric_tree_fini(&tree);
}
END_TEST

/* ---- trees of a fleet ---- */

/* A fleet as built from a scenario: domain names from the pool, the level and the index. */
static void add_pool(struct fleet *fleet, const char *name, const struct fabric_plan *plan,
                     uint32_t count)
{
    struct fleet_node node = {.pool = fleet_add_pool(fleet, name), .gpus = 8};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t domains[FLEET_LEVELS];
        char text[64];
        for (uint32_t level = 0; level + 1 < fleet->level_count; level++) {
            int at = fabric_find_level(plan, fleet->levels[level].name);
            ck_assert_int_ge(at, 0);
            domains[level] = fleet_domain(fleet, level,
                                          fabric_domain_name(plan, at, i, name, text, sizeof text));
        }
        (void)snprintf(text, sizeof text, "%s-%u", name, i);
        node.name = text;
        node.domains = domains;
        fleet_add_node(fleet, &node);
    }
}

/* Two pools: 40 nodes in units of 20 at 2:1 with 200 GB/s, and 10 of the same kind without a known
 * fabric. */
START_TEST(fleets_have_trees)
{
    struct fabric_spec spec = rails_of(20, 8, 40);
    spec.leaf_over = 2;
    struct fabric_plan plan = planned(&spec, 40);
    struct fleet fleet;
    fleet_init(&fleet);
    fleet_add_level(&fleet, "core");
    fleet_add_level(&fleet, "leaf");
    fleet_close_levels(&fleet);
    add_pool(&fleet, "a", &plan, 40);
    add_pool(&fleet, "b", &plan, 10);
    const struct fabric_site sites[2] = {{.plan = &plan, .nic_gbps = 200, .ecmp = 0.95}, {0}};
    struct fabric_tree tree;
    struct err err = {0};
    ck_assert_msg(fabric_tree_of_fleet(&tree, &fleet, sites, &err), "%s", err.msg);
    ck_assert_int_eq(tree.tier_count, 2); // no switches at the core: no bottleneck
    ck_assert_str_eq(tree.tiers[1].name, "leaf");
    ck_assert_uint_eq(tree.tiers[1].groups, 3);
    ck_assert_double_eq(fabric_gbps(&tree, 0), 200);
    ck_assert(isinf(fabric_gbps(&tree, 45)));
    ck_assert_double_eq_tol(fabric_gbps(&tree, 50), 20 * 200 * 0.95 / 2, 1e-6);
    ck_assert_double_eq(tree.ratio[51], 2);
    ck_assert(isinf(fabric_gbps(&tree, 52)));
    ck_assert_uint_eq(fabric_group_of(&tree, 1, 19), 0);
    ck_assert_uint_eq(fabric_group_of(&tree, 1, 20), 1);
    ck_assert_uint_eq(fabric_group_of(&tree, 1, 40), 2);
    fabric_tree_fini(&tree);
    fleet_fini(&fleet);
}
END_TEST

START_TEST(fleets_without_the_level_are_refused)
{
    struct fabric_spec spec = rails_of(20, 8, 40);
    struct fabric_plan plan = planned(&spec, 40);
    struct fleet fleet;
    fleet_init(&fleet);
    fleet_add_level(&fleet, "core");
    fleet_close_levels(&fleet);
    add_pool(&fleet, "a", &plan, 40);
    const struct fabric_site site = {.plan = &plan, .nic_gbps = 200, .ecmp = 1};
    struct fabric_tree tree;
    struct err err = {0};
    ck_assert(!fabric_tree_of_fleet(&tree, &fleet, &site, &err));
    harness_contains(
        err.msg,
        "the fabric of pool 'a' has switches at level 'leaf', and the fleet has no such level");
    fleet_fini(&fleet);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fabric_tree");
    TCase *tcase = tcase_create("tree");
    tcase_add_test(tcase, uplinks_have_what_is_below);
    tcase_add_test(tcase, nodes_without_a_figure_limit_no_job);
    tcase_add_test(tcase, labels_that_cut_each_other_are_refused);
    tcase_add_loop_test(tcase, jobs_cross_the_uplinks_of_their_groups, 0, ROWS(cross_rows));
    tcase_add_loop_test(tcase, crossings_agree_with_a_scan, 0, 30);
    tcase_add_test(tcase, fleets_have_trees);
    tcase_add_test(tcase, fleets_without_the_level_are_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
