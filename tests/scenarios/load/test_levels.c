/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Levels of a pool from its fabric, from nodes_per, from its kind of node, and refusals if they
 * disagree. */
#include "tests/scenarios/scenarios.h"

#define FLEET(more, pool)                                                                          \
    "{\"fauxfleet_scenario\": 1,\n \"workload\": {\"generate\": {\"profile\": \"batch\"}},\n "     \
    "\"fleet\": "                                                                                  \
    "{" more "\"pools\": [{\"name\": \"p\", " pool "}]}}"
#define NODES(count, keys) "\"node\": {\"gpus\": 8}, \"count\": " count ", " keys
#define LIST(levels)       "\"levels\": " levels ", "

/* Nodes in one domain of each level; 0: unknown. */
static const struct level_row {
    const char *text;
    size_t count;
    struct {
        const char *name;
        int64_t nodes;
    } levels[6];
} level_rows[] = {
    {FLEET("", NODES("70", "\"fabric\": \"superpod-h100\"")),
     5,
     {{"core", 96}, {"pod", 96}, {"leaf", 32}, {"rack", 4}, {"nvlink", 0}}},
    {FLEET("", NODES("2048", "\"fabric\": \"superpod-b200\"")),
     5,
     {{"core", 2048}, {"pod", 1024}, {"leaf", 32}, {"rack", 4}, {"nvlink", 0}}},
    {FLEET("", NODES("9", "\"fabric\": \"flat\"")),
     5,
     {{"core", 4194304}, {"pod", 4194304}, {"leaf", 4194304}, {"rack", 0}, {"nvlink", 0}}},
    {FLEET("", "\"node\": \"gb200-nvl72\", \"count\": 40"),
     5,
     {{"core", 0}, {"pod", 0}, {"leaf", 0}, {"rack", 0}, {"nvlink", 18}}},
    {FLEET("", "\"node\": \"gb200-nvl72\", \"count\": 40, \"fabric\": \"superpod-gb200\""),
     5,
     {{"core", 144}, {"pod", 144}, {"leaf", 18}, {"rack", 18}, {"nvlink", 18}}},
    // nodes_per adds levels that the fabric lacks, and may repeat those that it has
    {FLEET("",
           NODES("64", "\"fabric\": \"basepod-ndr\", \"nodes_per\": {\"rack\": 8, \"leaf\": 32}")),
     5,
     {{"core", 64}, {"pod", 64}, {"leaf", 32}, {"rack", 8}, {"nvlink", 0}}},
    // own levels; the fabric's levels without switches may be omitted
    {FLEET(LIST("[\"leaf\", \"row\"]"),
           NODES("64", "\"fabric\": \"superpod-h100\", \"nodes_per\": {\"row\": 16}")),
     2,
     {{"leaf", 32}, {"row", 16}}},
    // the fabric itself
    {FLEET(LIST("[\"hall\", \"row\", \"rack\"]"),
           NODES("64", "\"fabric\": {\"nodes_per\": {\"rack\": 4, \"row\": 16, \"hall\": 64}, "
                       "\"oversubscription\": {\"row\": 2, \"rack\": 3}}")),
     3,
     {{"hall", 64}, {"row", 16}, {"rack", 4}}},
};

START_TEST(levels_are_filled)
{
    const struct level_row *row = &level_rows[_i];
    struct scenario *scenario = load_text(row->text, NULL);
    ck_assert_uint_eq(scenario->level_count, row->count);
    for (size_t i = 0; i < row->count; i++) {
        ck_assert_str_eq(scenario->levels[i], row->levels[i].name);
        ck_assert_msg(scenario->pools[0].nodes_per[i] == row->levels[i].nodes,
                      "%s: %lld, expected %lld", row->levels[i].name,
                      (long long)scenario->pools[0].nodes_per[i], (long long)row->levels[i].nodes);
    }
    ck_assert_ptr_eq(scenario->pools[0].fabric == NULL ? NULL : scenario,
                     _i == 3 ? NULL : scenario);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(pools_know_their_fabric)
{
    struct scenario *scenario =
        load_text(FLEET("", NODES("95", "\"fabric\": \"superpod-h100\"")), NULL);
    const struct scen_pool *pool = &scenario->pools[0];
    ck_assert_str_eq(pool->fabric->name, "superpod-h100");
    ck_assert_int_eq(pool->plan->nodes, 95);
    ck_assert_int_eq(pool->plan->spine, 16);
    scenario_destroy(scenario);
    scenario = load_text(FLEET(LIST("[\"rack\"]"),
                               NODES("9", "\"fabric\": {\"nodes_per\": {\"rack\": 4}, "
                                          "\"oversubscription\": {\"rack\": 3}, \"ecmp\": 0.5}")),
                         NULL);
    pool = &scenario->pools[0];
    ck_assert_str_eq(pool->fabric->name, "");
    ck_assert_double_eq(pool->fabric->ecmp, 0.5);
    ck_assert_double_eq(fabric_ratio(pool->plan, 0), 3);
    scenario_destroy(scenario);
}
END_TEST

static const struct refused_row {
    const char *text, *part;
} refused_rows[] = {
    {FLEET("", NODES("9", "\"fabric\": \"superpod-h10\"")),
     "t.json:3: fleet.pools[0].fabric: unknown fabric 'superpod-h10', did you mean "
     "'superpod-h100'? (list fabrics shows all)"},
    {FLEET("", NODES("9", "\"fabric\": 7")), "fleet.pools[0].fabric: expected"},
    {FLEET("", NODES("65", "\"fabric\": \"single-leaf\"")),
     "fleet.pools[0].fabric: 65 nodes are too many: 1 tier"},
    {FLEET("", NODES("64", "\"fabric\": \"superpod-b200\", \"nodes_per\": {\"leaf\": 16}")),
     "fleet.pools[0].fabric: the fabric has 32 nodes in one 'leaf', and nodes_per says 16"},
    {FLEET("", NODES("64", "\"fabric\": \"superpod-b200\", \"nodes_per\": {\"rack\": 5}")),
     "the fabric has 4 nodes in one 'rack', and nodes_per says 5"},
    {FLEET("", NODES("64", "\"fabric\": \"basepod-ndr\", \"nodes_per\": {\"rack\": 5}")),
     "fleet.pools[0].nodes_per: 32 nodes of the level above do not make whole domains of 5 "
     "('rack')"},
    {FLEET(LIST("[\"pod\"]"), NODES("64", "\"fabric\": \"superpod-b200\"")),
     "fleet.pools[0].fabric: the fabric has a level 'leaf', and fleet.levels does not list it"},
    {FLEET(LIST("[\"leaf\", \"pod\"]"), NODES("64", "\"fabric\": \"superpod-b200\"")),
     "32 nodes of the level above do not make whole domains of 64 ('pod')"},
    {FLEET("", NODES("64", "\"fabric\": {\"nodes_per\": {\"row\": 16}}")),
     "fleet.pools[0].fabric: the fabric has a level 'row', and fleet.levels does not list it"},
    {FLEET("", NODES("64", "\"fabric\": {\"nodes_per\": {\"rack\": 16}, \"rails\": 2}")),
     "t.json:3: fleet.pools[0].fabric.rails: 'rails' goes with unit_nodes"},
    {FLEET("", NODES("64", "\"fabric\": {\"node_per\": {}}")),
     "fleet.pools[0].fabric.node_per: unknown key 'node_per', did you mean 'nodes_per'?"},
    {FLEET("", "\"node\": \"gb200-nvl72\", \"count\": 40, \"nodes_per\": {\"nvlink\": 9}"),
     "fleet.pools[0].node: 18 nodes of this kind are one NVLink domain, and the pool has 9 in one "
     "'nvlink'"},
};

START_TEST(contradictions_are_refused)
{
    refuse_text(refused_rows[_i].text, NULL, refused_rows[_i].part);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_levels");
    TCase *tcase = tcase_create("levels");
    tcase_add_loop_test(tcase, levels_are_filled, 0, ROWS(level_rows));
    tcase_add_test(tcase, pools_know_their_fabric);
    tcase_add_loop_test(tcase, contradictions_are_refused, 0, ROWS(refused_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
