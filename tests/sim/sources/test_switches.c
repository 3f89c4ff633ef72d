/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spines and cores of a fleet against the plans of its fabrics: their number, that together they
 * make up each uplink, the nodes below them; and the resulting faults.
 */
#include "sim/sources/faults.h"
#include "sim/sources/switches.h"
#include "tests/lib/faults.h"
#include "tests/sim/fabric/fabrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two pools with a fabric each (the nodes of the second known to be in no pod), and one without. */
struct world {
    struct fabric_plan plans[3];
    const struct fabric_plan *known[3];
    struct fleet fleet;
    struct fabric_tree tree;
    struct fault_switches switches;
};

static void add_nodes(struct world *w, uint32_t pool, const char *name, int64_t nodes)
{
    struct fleet_node node = {
        .name = "n", .gpus = 8, .cpu_milli = -1, .mem_mib = -1, .max_tasks = -1};
    node.pool = fleet_add_pool(&w->fleet, name);
    for (int64_t i = 0; i < nodes; i++) {
        static const char *const levels[] = {"core", "pod", "leaf"};
        uint32_t domains[3];
        char text[64];
        for (int level = 0; level < 3; level++) {
            int at = pool < 2 ? fabric_find_level(&w->plans[pool], levels[level]) : -1;
            long long domain =
                at >= 0 ? (long long)fabric_domain(&w->plans[pool], at, i) : (long long)i;
            (void)snprintf(text, sizeof text, "%s-%s-%lld", name, levels[level], domain);
            domains[level] = fleet_domain(&w->fleet, (uint32_t)level, text);
        }
        node.domains = domains;
        node.rank = (uint32_t)w->fleet.node_count;
        (void)fleet_add_node(&w->fleet, &node);
    }
}

/* 127 H100 nodes in two tiers, 600 B200 nodes in three, three nodes with unknown network. */
static void begin(struct world *w)
{
    struct fabric_spec h100 = rails_of(32, 8, 64), b200 = rails_of(32, 8, 64);
    h100.spare_slots = 1;
    memset(w, 0, sizeof *w);
    w->plans[0] = planned(&h100, 127);
    w->plans[1] = planned(&b200, 600);
    w->known[0] = &w->plans[0];
    w->known[1] = &w->plans[1];
    fleet_init(&w->fleet);
    fleet_add_level(&w->fleet, "core");
    fleet_add_level(&w->fleet, "pod");
    fleet_add_level(&w->fleet, "leaf");
    fleet_close_levels(&w->fleet);
    add_nodes(w, 0, "h", 127);
    add_nodes(w, 1, "b", 600);
    add_nodes(w, 2, "x", 3);
    const struct fabric_site sites[3] = {
        {w->known[0], 400, 1}, {w->known[1], 400, 1}, {NULL, 0, 1}};
    struct err err = {0};
    ck_assert_msg(fabric_tree_of_fleet(&w->tree, &w->fleet, sites, &err), "%s", err.msg);
    fault_switches_init(&w->switches, &w->fleet, w->known, &w->tree);
}

static void end(struct world *w)
{
    fault_switches_fini(&w->switches);
    fabric_tree_fini(&w->tree);
    fleet_fini(&w->fleet);
}

START_TEST(switches_are_those_of_the_plans)
{
    struct world w;
    begin(&w);
    const struct fabric_plan *h = &w.plans[0], *b = &w.plans[1];
    ck_assert_int_eq(h->spine, 16);
    ck_assert_int_gt(b->core, 0);
    ck_assert_uint_eq(w.switches.count, (uint32_t)(h->spine + b->spine + b->core));
    double *sum = calloc(w.tree.uplink_count, sizeof *sum);
    for (uint32_t i = 0; i < w.switches.count; i++) {
        const struct fault_switch *s = &w.switches.of[i];
        ck_assert_uint_le(s->first_node + s->nodes, i < (uint32_t)h->spine ? 127 : 727);
        ck_assert_uint_gt(s->uplinks, 0);
        for (uint32_t k = 0; k < s->uplinks; k++) {
            uint32_t uplink = w.switches.uplinks[s->first + k];
            ck_assert(k == 0 || uplink > w.switches.uplinks[s->first + k - 1]);
            sum[uplink] += s->part;
        }
    }
    int leaf = fabric_tier_find(&w.tree, "leaf"), pod = fabric_tier_find(&w.tree, "pod");
    for (uint32_t node = 0; node < w.tree.node_count; node++) {
        double leaves = sum[w.tree.tiers[leaf].first + fabric_group_of(&w.tree, leaf, node)];
        double pods = sum[w.tree.tiers[pod].first + fabric_group_of(&w.tree, pod, node)];
        ck_assert_double_eq_tol(leaves, node < 727 ? 1 : 0, 1e-9);
        ck_assert_double_eq_tol(pods, node < 127 || node >= 727 ? 0 : 1, 1e-9);
    }
    free(sum);
    end(&w);
}
END_TEST

/* With adaptive routing a spine's part is lost and losses add up; else 50 to 75 % are lost, and
 * nothing adds up. */
START_TEST(spines_take_what_routing_lets_them)
{
    struct world w;
    begin(&w);
    struct fault_profile profile = test_plain_profile();
    profile.classes[FAULT_SPINE] = test_profile("h100").classes[FAULT_SPINE];
    profile.classes[FAULT_SPINE].rate = 100;
    const struct fault_pool pools[3] = {
        {.nodes = 127, .gpus = 8, .nics = 8, .nodes_per_domain = 1},
        {.first_node = 127, .nodes = 600, .gpus = 8, .nics = 8, .nodes_per_domain = 1},
        {.first_node = 727, .nodes = 3, .gpus = 8, .nics = 8, .nodes_per_domain = 1}};
    struct fault_source *source =
        fault_source_create(&(struct fault_source_options){.fleet = &w.fleet,
                                                           .profile = &profile,
                                                           .pools = pools,
                                                           .horizon_ms = 100 * TEST_DAY_MS,
                                                           .switches = &w.switches,
                                                           .fixed_routing = _i == 1},
                            3);
    struct sim_faults faults = fault_source_faults(source);
    struct sim_fault f;
    int count = 0;
    while (faults.next_ms(faults.self) < INT64_MAX && faults.take(faults.self, &f)) {
        ck_assert_int_eq(f.effect, SIM_FAULT_SLOWS);
        ck_assert(f.narrows && f.uplink_count > 0 && f.node_count > 0);
        ck_assert_int_eq(f.adds_up, _i == 0);
        if (_i == 1)
            ck_assert(f.slow_ppm >= 250000 && f.slow_ppm <= 500000);
        else if (f.nodes[0] < 127)
            ck_assert_int_eq(f.slow_ppm, 1000000 - 1000000 / 16);
        count++;
    }
    ck_assert_int_gt(count, 100);
    fault_source_destroy(source);
    end(&w);
}
END_TEST

/* Losing a NIC of eight whose work the others take over costs an eighth; a NIC with two links loses
 * half of itself. */
START_TEST(others_stand_in_for_nics_and_links)
{
    struct world w;
    begin(&w);
    struct fault_profile profile = test_plain_profile();
    profile.classes[FAULT_NIC] = test_profile("h100").classes[FAULT_NIC];
    profile.classes[FAULT_LINK] = test_profile("h100").classes[FAULT_LINK];
    const struct fault_pool pools[3] = {
        {.nodes = 127, .gpus = 8, .nics = 8, .nodes_per_domain = 1},
        {.first_node = 127, .nodes = 600, .gpus = 8, .nics = 4, .nodes_per_domain = 1},
        {.first_node = 727, .nodes = 3, .gpus = 8, .nics = 1, .nodes_per_domain = 1}};
    profile.classes[FAULT_NIC].rate = profile.classes[FAULT_LINK].rate = 50;
    struct fault_source *source =
        fault_source_create(&(struct fault_source_options){.fleet = &w.fleet,
                                                           .profile = &profile,
                                                           .pools = pools,
                                                           .horizon_ms = 200 * TEST_DAY_MS,
                                                           .dual_homed = _i == 1,
                                                           .nic_failover = _i == 1},
                            3);
    struct sim_faults faults = fault_source_faults(source);
    struct sim_fault f;
    int seen[3] = {0};
    while (faults.next_ms(faults.self) < INT64_MAX && faults.take(faults.self, &f)) {
        int pool = f.nodes[0] < 127 ? 0 : f.nodes[0] < 727 ? 1 : 2;
        bool nic = f.class == FAULT_NIC, soft = _i == 1 && (!nic || pool < 2);
        ck_assert_int_eq(f.effect, soft ? SIM_FAULT_SLOWS : SIM_FAULT_KILLS);
        ck_assert_int_eq(f.narrows, soft);
        if (soft)
            ck_assert_int_eq(f.slow_ppm, !nic ? 500000 : pool == 0 ? 875000 : 750000);
        seen[pool] += nic;
    }
    ck_assert(seen[0] > 10 && seen[1] > 10 && seen[2] > 0);
    fault_source_destroy(source);
    end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fault_switches");
    TCase *tcase = tcase_create("fault_switches");
    tcase_add_test(tcase, switches_are_those_of_the_plans);
    tcase_add_loop_test(tcase, spines_take_what_routing_lets_them, 0, 2);
    tcase_add_loop_test(tcase, others_stand_in_for_nics_and_links, 0, 2);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
