/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Switch counts against the tables of the reference architectures (DGX SuperPOD A100, H100, B200,
 * B300); levels, uplinks and hops against arithmetic.
 */
#include "tests/sim/fabric/fabrics.h"

#include <string.h>

/* Nodes for which a table gives leaf, spine and core switches; `cables` between leaf and spine, 0
 * if not given. */

/* Nodes for which a table states leaf, spine and core switches; `cables` between leaf and spine, 0
 * where it is silent. */
static const struct count_row {
    int64_t unit;
    int rails, radix;
    int64_t spare, nodes, leaf, spine, core, cables;
} count_rows[] = {
    {20, 8, 40, 0, 20, 8, 4, 0, 0}, // A100
    {20, 8, 40, 0, 40, 16, 8, 0, 0},
    {32, 8, 64, 1, 31, 8, 4, 0, 256}, // H100, one slot for the fabric manager
    {32, 8, 64, 1, 63, 16, 8, 0, 512},
    {32, 8, 64, 1, 127, 32, 16, 0, 1024},
    {32, 8, 64, 0, 64, 16, 8, 0, 0}, // B200
    {32, 8, 64, 0, 128, 32, 16, 0, 0},
    {32, 8, 64, 0, 256, 64, 32, 0, 0},
    {32, 8, 64, 0, 512, 128, 128, 64, 0},
    {32, 8, 64, 0, 1024, 256, 256, 128, 0},
    {32, 8, 64, 0, 2048, 512, 512, 256, 0},
    {64, 16, 128, 0, 64, 16, 8, 0, 0}, // B300 Ethernet: each rail on two planes
    {72, 8, 144, 0, 72, 8, 4, 0, 0},   // B300 XDR
};

START_TEST(switches_are_as_published)
{
    const struct count_row *row = &count_rows[_i];
    struct fabric_spec spec = rails_of(row->unit, row->rails, row->radix);
    spec.spare_slots = row->spare;
    struct fabric_plan plan = planned(&spec, row->nodes);
    ck_assert_int_eq(plan.units, (row->nodes + row->unit - 1) / row->unit);
    ck_assert_int_eq(plan.leaf, row->leaf);
    ck_assert_int_eq(plan.spine, row->spine);
    ck_assert_int_eq(plan.core, row->core);
    ck_assert_int_eq(plan.tiers, row->core > 0 ? 3 : 2);
    ck_assert_int_eq(plan.node_cables, row->nodes * row->rails);
    if (row->cables > 0)
        ck_assert_int_eq(plan.leaf_cables, row->cables);
    ck_assert(!plan.installed);
}
END_TEST

/* With a slot for the fabric manager, 32 nodes are one more than a unit holds. */
START_TEST(spare_slots_take_the_place_of_nodes)
{
    struct fabric_spec spec = rails_of(32, 8, 64);
    spec.spare_slots = 1;
    ck_assert_int_eq(planned(&spec, 31).units, 1);
    ck_assert_int_eq(planned(&spec, 32).units, 2);
    ck_assert_int_eq(planned(&spec, 1).units, 1);
}
END_TEST

/* H100 with 3 units: 12 spines would suffice, 16 are installed; still 768 cables. */
START_TEST(installed_switches_count)
{
    struct fabric_spec spec = rails_of(32, 8, 64);
    spec.spare_slots = 1;
    ck_assert_int_eq(planned(&spec, 95).spine, 12);
    spec.installed[spec.installed_count++] =
        (struct fabric_counts){.units = 3, .leaf = 24, .spine = 16};
    struct fabric_plan plan = planned(&spec, 95);
    ck_assert(plan.installed);
    ck_assert_int_eq(plan.leaf, 24);
    ck_assert_int_eq(plan.spine, 16);
    ck_assert_int_eq(plan.core, 0);
    ck_assert_int_eq(plan.leaf_cables, 768);
    ck_assert(!planned(&spec, 63).installed);
}
END_TEST

/*
 * 3:1 at the leaf: 48 of 64 ports down, 16 up. 4 units of 48 nodes on one rail: 4 leaf switches, 64
 * cables, 1 spine. 64 units: 64 leaf switches, 1,024 cables, 16 spines, which each leaf switch
 * still reaches.
 */
START_TEST(oversubscription_saves_spines)
{
    struct fabric_spec spec = rails_of(48, 1, 64);
    spec.leaf_over = 3;
    struct fabric_plan plan = planned(&spec, 4 * 48);
    ck_assert_int_eq(plan.leaf, 4);
    ck_assert_int_eq(plan.leaf_cables, 64);
    ck_assert_int_eq(plan.spine, 1);
    plan = planned(&spec, 64 * 48);
    ck_assert_int_eq(plan.tiers, 2);
    ck_assert_int_eq(plan.spine, 16);
    plan = planned(&spec, 65 * 48);
    ck_assert_int_eq(plan.tiers, 3);
    ck_assert_int_eq(plan.spine, 33); // 1,040 cables to 32 ports
    ck_assert_int_eq(plan.core, 17);  // 1,040 to 64
    spec.pod_over = 7;                // 56 ports of a spine down, 8 up
    plan = planned(&spec, 65 * 48);
    ck_assert_int_eq(plan.spine, 19);         // 1,040 / 56
    ck_assert_int_eq(plan.spine_cables, 149); // 1,040 / 7
    ck_assert_int_eq(plan.core, 3);
}
END_TEST

/* Fat trees: radix^2/2 end points in two tiers, radix^3/4 in three; 8 rails take 8 of them for a
 * node. */
START_TEST(tiers_have_an_end)
{
    struct fabric_spec spec = rails_of(32, 8, 64);
    struct fabric_plan plan;
    struct err err = {0};
    ck_assert_int_eq(planned(&spec, 64 * 64 / 2 / 8).tiers, 2);
    ck_assert_int_eq(planned(&spec, 64 * 64 / 2 / 8 + 1).tiers, 3);
    ck_assert_int_eq(planned(&spec, 64 * 64 * 64 / 4 / 8).core,
                     1024); // 8 rails * 256 nodes * 32 / 64
    ck_assert(!fabric_plan(&plan, &spec, 64 * 64 * 64 / 4 / 8 + 1, &err));
    harness_contains(
        err.msg,
        "8193 nodes are too many: 3 tiers of switches with 64 ports and 8 rails carry 8192");
    spec.max_tiers = 2;
    ck_assert(!fabric_plan(&plan, &spec, 257, &err));
    harness_contains(
        err.msg, "257 nodes are too many: 2 tiers of switches with 64 ports and 8 rails carry 256");
    spec = rails_of(64, 1, 64);
    spec.max_tiers = 1;
    ck_assert_int_eq(planned(&spec, 64).leaf, 1);
    ck_assert_int_eq(planned(&spec, 64).spine, 0);
    ck_assert(!fabric_plan(&plan, &spec, 65, &err));
    harness_contains(
        err.msg, "65 nodes are too many: 1 tier of switches with 64 ports and 1 rails carry 64");
}
END_TEST

/* ---- levels ---- */

static void has_level(const struct fabric_plan *plan, int at, const char *name, int64_t nodes)
{
    ck_assert_int_lt(at, plan->level_count);
    ck_assert_str_eq(plan->levels[at].name, name);
    ck_assert_int_eq(plan->levels[at].nodes, nodes);
    ck_assert_int_eq(fabric_find_level(plan, name), at);
}

START_TEST(levels_follow_from_the_switches)
{
    struct fabric_spec spec = rails_of(32, 8, 64);
    spec.levels[spec.level_count++] = (struct fabric_level){.name = "rack", .nodes = 4};
    struct fabric_plan plan = planned(&spec, 70); // two tiers: all below the same spines
    ck_assert_int_eq(plan.level_count, 4);
    has_level(&plan, 0, "core", 96);
    has_level(&plan, 1, "pod", 96);
    has_level(&plan, 2, "leaf", 32);
    has_level(&plan, 3, "rack", 4);
    plan = planned(&spec, 2000); // a spine has 32 ports down: 32 leaf switches of a rail
    has_level(&plan, 0, "core", 2048);
    has_level(&plan, 1, "pod", 1024);
    has_level(&plan, 2, "leaf", 32);
    char name[64];
    ck_assert_str_eq(fabric_domain_name(&plan, 1, 1999, "train", name, sizeof name), "train-pod-1");
    ck_assert_str_eq(fabric_domain_name(&plan, 2, 63, "train", name, sizeof name), "train-leaf-1");
    ck_assert_str_eq(fabric_domain_name(&plan, 3, 7, "p", name, sizeof name), "p-rack-1");
    ck_assert_int_eq(fabric_domain(&plan, 2, 64), 2);
    ck_assert_int_eq(fabric_find_level(&plan, "row"), -1);
}
END_TEST

/* Every domain is within one of the level above, for any size of the fabric. */
START_TEST(domains_lie_in_each_other)
{
    struct fabric_spec spec = rails_of(20, 8, 40);
    spec.levels[spec.level_count++] = (struct fabric_level){.name = "row", .nodes = 40};
    spec.levels[spec.level_count++] = (struct fabric_level){.name = "rack", .nodes = 4};
    for (int64_t nodes = 1; nodes <= 2000; nodes += 7) {
        struct fabric_plan plan = planned(&spec, nodes);
        for (int i = 1; i < plan.level_count; i++)
            ck_assert_int_eq(plan.levels[i - 1].nodes % plan.levels[i].nodes, 0);
        ck_assert_int_eq(fabric_domain(&plan, 0, nodes - 1), 0);
    }
}
END_TEST

/* Meta: pods of 3,072 GPUs, 384 nodes, 7:1 between them (glennklockwood.com). */
static struct fabric_spec meta(void)
{
    struct fabric_spec spec = {.ecmp = 1};
    const struct fabric_level pod = {"pod", 384, 7}, core = {"core", 3072, 0};
    ck_assert(fabric_add_level(spec.levels, &spec.level_count, FABRIC_GIVEN, &pod));
    ck_assert(fabric_add_level(spec.levels, &spec.level_count, FABRIC_GIVEN, &core));
    return spec;
}

START_TEST(uplinks_are_oversubscribed)
{
    struct fabric_spec spec = meta();
    struct fabric_plan plan = planned(&spec, 3000);
    ck_assert_int_eq(plan.leaf, 0);
    has_level(&plan, 0, "core", 3072);
    has_level(&plan, 1, "pod", 384);
    ck_assert_double_eq(fabric_ratio(&plan, 1), 7);
    ck_assert_double_eq_tol(fabric_uplinks(&plan, 1, 0), 384.0 / 7, 1e-9);
    ck_assert_double_eq_tol(fabric_uplinks(&plan, 1, 7), 384.0 / 7,
                            1e-9); // complete, although only part of it is in use
    ck_assert_double_eq(fabric_uplinks(&plan, 0, 0), 0);
    // Synthetic: 2:1 at the leaf, 3:1 at the pods; the last unit has its switches, the rest of the
    // pod has none.
    spec = rails_of(32, 8, 64);
    spec.leaf_over = 2;
    spec.pod_over = 3;
    plan = planned(&spec, 48 * 32 + 1); // a spine has 48 ports down
    ck_assert_double_eq(fabric_uplinks(&plan, fabric_find_level(&plan, "leaf"), 0), 16);
    ck_assert_double_eq(fabric_uplinks(&plan, fabric_find_level(&plan, "leaf"), 48), 16);
    ck_assert_double_eq(fabric_uplinks(&plan, fabric_find_level(&plan, "pod"), 0), 48 * 32 / 6.0);
    ck_assert_double_eq(fabric_uplinks(&plan, fabric_find_level(&plan, "pod"), 1), 32 / 6.0);
}
END_TEST

/* ---- hops and parts ---- */

START_TEST(hops_count_switches)
{
    struct fabric_spec spec = rails_of(32, 8, 64);
    struct fabric_plan plan = planned(&spec, 128); // leaf and spine
    ck_assert_int_eq(fabric_hops(&plan, 3, 0, 3, 5), 0);
    ck_assert_int_eq(fabric_hops(&plan, 0, 2, 31, 2), 1);
    ck_assert_int_eq(fabric_hops(&plan, 0, 2, 31, 3), 3);
    ck_assert_int_eq(fabric_hops(&plan, 0, 2, 32, 2), 3);
    ck_assert_int_eq(fabric_hops(&plan, 0, 2, 127, 3), 3);
    plan = planned(&spec, 2048); // with cores: pods of 1,024 nodes
    ck_assert_int_eq(fabric_hops(&plan, 0, 2, 31, 2), 1);
    ck_assert_int_eq(fabric_hops(&plan, 0, 2, 1023, 2), 3);
    ck_assert_int_eq(fabric_hops(&plan, 0, 2, 1024, 2), 5);
    ck_assert_int_eq(fabric_hops(&plan, 0, 2, 31, 3), 5); // spines serve one rail each
    spec = meta();
    plan = planned(&spec, 3000);
    ck_assert_int_eq(fabric_hops(&plan, 0, 0, 383, 1), 1);
    ck_assert_int_eq(fabric_hops(&plan, 0, 0, 384, 0), 3);
}
END_TEST

START_TEST(parts_take_their_share)
{
    struct fabric_spec spec = rails_of(32, 8, 64);
    struct fabric_plan plan = planned(&spec, 128);
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_LEAF), 8);
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_SPINE), 16);
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_CORE), 0);
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_LEAF_CABLE), 256); // of a unit
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_SPINE_CABLE), 0);
    plan = planned(&spec, 2048);
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_SPINE), 256); // of a pod
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_CORE), 256);
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_SPINE_CABLE), 8192);
    spec = meta();
    plan = planned(&spec, 3000);
    ck_assert_int_eq(fabric_parts(&plan, FABRIC_LEAF), 0);
}
END_TEST

/* ---- refusals ---- */

START_TEST(figures_that_contradict_are_refused)
{
    struct err err = {0};
    struct fabric_spec spec = rails_of(33, 8, 64);
    ck_assert(!fabric_check(&spec, &err));
    harness_contains(err.msg, "a leaf switch of 64 ports has no room for 33 nodes and 33 uplinks");
    spec = rails_of(32, 8, 64);
    spec.leaf_nodes = 24;
    ck_assert(!fabric_check(&spec, &err));
    harness_contains(err.msg,
                     "a unit of 32 nodes does not make whole groups of 24 below a leaf switch");
    spec = rails_of(32, 0, 64);
    ck_assert(!fabric_check(&spec, &err));
    harness_contains(err.msg, "unit_nodes goes with rails");
    spec = rails_of(32, 8, 64);
    spec.levels[spec.level_count++] = (struct fabric_level){.name = "pod", .nodes = 64};
    ck_assert(!fabric_check(&spec, &err));
    harness_contains(err.msg, "the level 'pod' follows from unit_nodes");
    spec.levels[0] = (struct fabric_level){.name = "node", .nodes = 1};
    ck_assert(!fabric_check(&spec, &err));
    harness_contains(err.msg, "'node' is always the lowest level");
    spec = (struct fabric_spec){.levels = {{"row", 10, 1}, {"rack", 4, 1}}, .level_count = 2};
    ck_assert(!fabric_check(&spec, &err));
    harness_contains(err.msg, "10 nodes of a 'row' do not make whole domains of 4 ('rack')");
    spec = rails_of(32, 8, 64);
    spec.levels[spec.level_count++] = (struct fabric_level){.name = "rack", .nodes = 5};
    struct fabric_plan plan;
    ck_assert(fabric_check(&spec, &err));
    ck_assert(!fabric_plan(&plan, &spec, 64, &err));
    harness_contains(err.msg, "32 nodes of a 'leaf' do not make whole domains of 5 ('rack')");
}
END_TEST

START_TEST(levels_are_ordered_by_size)
{
    struct fabric_level levels[FABRIC_LEVELS];
    int count = 0;
    static const struct fabric_level given[] = {
        {"rack", 2, 0}, {"hall", 512, 0}, {"leaf", 2, 0}, {"row", 16, 0}, {"aisle", 16, 0}};
    static const char *const expected[] = {"hall", "aisle", "row", "leaf", "rack"};
    for (int i = 0; i < ROWS(given); i++)
        ck_assert(fabric_add_level(levels, &count, ROWS(given), &given[i]));
    for (int i = 0; i < count; i++)
        ck_assert_str_eq(levels[i].name, expected[i]);
    ck_assert(!fabric_add_level(levels, &count, ROWS(given), &given[0]));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fabric_plan");
    TCase *tcase = tcase_create("plan");
    tcase_add_loop_test(tcase, switches_are_as_published, 0, ROWS(count_rows));
    tcase_add_test(tcase, spare_slots_take_the_place_of_nodes);
    tcase_add_test(tcase, installed_switches_count);
    tcase_add_test(tcase, oversubscription_saves_spines);
    tcase_add_test(tcase, tiers_have_an_end);
    tcase_add_test(tcase, levels_follow_from_the_switches);
    tcase_add_test(tcase, domains_lie_in_each_other);
    tcase_add_test(tcase, uplinks_are_oversubscribed);
    tcase_add_test(tcase, hops_count_switches);
    tcase_add_test(tcase, parts_take_their_share);
    tcase_add_test(tcase, figures_that_contradict_are_refused);
    tcase_add_test(tcase, levels_are_ordered_by_size);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
