/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The resolved scenario: all defaults, a stable order, itself a scenario, and a digest of its
 * contents. */
#include "scenarios/schema/resolve.h"
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

static const char rich[] =
    "{\"outputs\": {\"journal\": false, \"timeline_s\": \"1m\"}, \"fauxfleet_scenario\": 1, "
    "\"name\": \"r\\u00e9\\n\",\n"
    " \"seed\": \"18446744073709551615\", \"replicas\": 2,\n"
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": \"dgx-h100\", \"count\": 2},\n"
    "   {\"name\": \"q\", \"node\": {\"gpus\": 4, \"cpus\": 16.5, \"mem_gb\": 256, \"gpu_mem_gb\": "
    "24, \"gpu_type\": \"t4\"},\n"
    "    \"count\": 1}]},\n"
    " \"queues\": [{\"name\": \"a\", \"gpu\": {\"quota\": 0.1}}, {\"parent\": \"a\", \"name\": "
    "\"b\", \"pools\": [\"q\", \"p\"],\n"
    "   \"gpu\": {\"quota\": 2, \"limit\": 6, \"weight\": 0.333}, \"priority\": -5, "
    "\"created_ms\": -9007199254740991}],\n"
    " \"workload\": [{\"generate\": {\"teams\": [{\"queue\": \"b\"}], \"profile\": \"teams\", "
    "\"load\": 0.7, \"gpus\": 12},\n"
    "    \"shake_s\": 3}, {\"trace\": \"Makefile\", \"format\": \"native\", \"time_scale\": "
    "1e-3}],\n"
    " \"policy\": {\"options\": {\"z\": 0.1, \"a\": true, \"m\": \"x\"}, \"cycle_s\": 1, \"name\": "
    "\"sjf\"},\n"
    " \"policies\": {\"b\": {}, \"a\": {\"k\": 1e-7}},\n"
    " \"window\": {\"drain\": \"2h\", \"horizon\": \"14d\", \"warmup\": 3600}}\n";

static const struct round_row {
    const char *text;
} round_rows[] = {
    {WITHOUT_KEYS},
    {rich},
    {WITH("\"queues\": [{\"name\": \"a\"}], \"window\": {\"drain\": false}")},
};

START_TEST(the_resolved_text_is_the_same_scenario)
{
    struct scenario *first = load_text(round_rows[_i].text, NULL);
    struct scenario *second = load_text(first->resolved, NULL);
    ck_assert_str_eq(second->resolved, first->resolved);
    ck_assert_str_eq(second->digest, first->digest);
    ck_assert_uint_eq(second->seed, first->seed);
    ck_assert_str_eq(second->name, first->name);
    ck_assert_uint_eq(second->pool_count, first->pool_count);
    ck_assert_uint_eq(second->queue_count, first->queue_count);
    for (size_t i = 0; i < first->queue_count; i++) {
        ck_assert_int_eq(second->queues[i].gpu_quota_milli, first->queues[i].gpu_quota_milli);
        ck_assert_int_eq(second->queues[i].gpu_weight_milli, first->queues[i].gpu_weight_milli);
        ck_assert_int_eq(second->queues[i].created_ms, first->queues[i].created_ms);
    }
    ck_assert_uint_eq(second->policy.option_count, first->policy.option_count);
    for (size_t i = 0; i < first->policy.option_count; i++)
        ck_assert_str_eq(second->policy.options[i].value, first->policy.options[i].value);
    ck_assert_int_eq(second->window.drain_cap_ms, first->window.drain_cap_ms);
    scenario_destroy(first);
    scenario_destroy(second);
}
END_TEST

START_TEST(order_of_keys_does_not_matter)
{
    struct scenario *a = load_text(
        WITH("\"seed\": 2, \"policy\": {\"options\": {\"x\": 1, \"y\": 2}, \"name\": \"sjf\"}"),
        NULL);
    struct scenario *b = load_text(
        WITH("\"policy\": {\"name\": \"sjf\", \"options\": {\"y\": 2, \"x\": 1}}, \"seed\": 2"),
        NULL);
    ck_assert_str_eq(a->resolved, b->resolved);
    ck_assert_str_eq(a->digest, b->digest);
    scenario_destroy(a);
    scenario_destroy(b);
}
END_TEST

static const char *const written[] = {
    "\"description\": \"\"", "\"seed\": 1",
    "\"replicas\": 1",       "\"count\": 2",
    "\"gpu_type\": \"any\"", "\"gpu_mem_mib\": 0",
    "\"cpu_milli\": -1",     "\"mem_mib\": -1",
    "\"max_tasks\": -1",     "\"queues\": \"from-trace\"",
    "\"mode\": \"replay\"",  "\"format\": \"auto\"",
    "\"jobs\": -1",          "\"time_scale\": 1",
    "\"load_scale\": 1",     "\"assign\": {}",
    "\"tune\": 0",           "\"shake_s\": null",
    "\"name\": \"fifo\"",    "\"cycle_s\": 0",
    "\"options\": {}",       "\"policies\": {}",
    "\"faults\": null",      "\"checkpoint\": null",
    "\"network\": \"off\"",  "\"warmup\": 0",
    "\"last-submission\"",   "\"drain\": true",
    "\"timeline_s\": 300",   "\"events\": false",
    "\"journal\": true",     "\"grace_s\": 30",
    "\"gangs\": true",       "\"skip_idle_cycles\": true",
    "\"whole_only\": false", "\"pue\": null",
    "\"usd_per_kwh\": null", "\"depreciation_years\": null",
};

/* The format of a node list does not apply to pools, even if it was given. */
START_TEST(the_format_of_nodes_is_given_beside_them)
{
    struct scenario *scenario = load_text(WITHOUT_KEYS, NULL);
    ck_assert_ptr_null(strstr(scenario->resolved, "openb"));
    scenario_destroy(scenario);
    static const char *const sets[] = {"fleet.format=openb"};
    scenario = load_text(WITHOUT_KEYS, &(struct scen_overrides){.set = sets, .set_count = 1});
    ck_assert_ptr_null(strstr(scenario->resolved, "openb"));
    scenario_destroy(scenario);
    cJSON *tree = cJSON_Parse("{\"fleet\": {\"nodes_file\": \"n.csv\"}}");
    cJSON *resolved = resolve_scenario(tree, "t");
    const cJSON *format = json_member(json_member(resolved, "fleet"), "format");
    ck_assert_ptr_nonnull(format);
    ck_assert_str_eq(format->valuestring, "openb");
    cJSON_Delete(resolved);
    cJSON_Delete(tree);
}
END_TEST

START_TEST(defaults_are_written_out)
{
    struct scenario *scenario = load_text(WITHOUT_KEYS, NULL);
    harness_contains(scenario->resolved, written[_i]);
    scenario_destroy(scenario);
}
END_TEST

/* The changes that affect the digest: all but names of files. */
static const struct digest_row {
    const char *a, *b;
    bool equal;
} digest_rows[] = {
    {"workload.trace=Makefile", "workload.trace=./Makefile", true},
    {"workload.trace=Makefile", "workload.format=native", false},
    {"seed=1", "seed=2", false},
    {"policy.options.x=1", "policy.options.x=2", false},
    {"name=a", "name=b", false},
    {"seed=1", "replicas=1", true},
};

START_TEST(digests_see_what_matters)
{
    const char *a[] = {digest_rows[_i].a}, *b[] = {digest_rows[_i].b};
    struct scenario *x =
        load_text(WITHOUT_KEYS, &(struct scen_overrides){.set = a, .set_count = 1});
    struct scenario *y =
        load_text(WITHOUT_KEYS, &(struct scen_overrides){.set = b, .set_count = 1});
    ck_assert_int_eq(strcmp(x->digest, y->digest) == 0, digest_rows[_i].equal);
    ck_assert_uint_eq(strlen(x->digest), 64);
    scenario_destroy(x);
    scenario_destroy(y);
}
END_TEST

START_TEST(digests_see_what_files_hold)
{
    char paths[2][256], digests[2][DIGEST_HEX];
    static const char *const texts[] = {"name,nodes,gpus_per_node,gpu_type\nx,3,4,t4\n",
                                        "name,nodes,gpus_per_node,gpu_type\nx,3,5,t4\n"};
    for (int i = 0; i < 2; i++) {
        harness_file(paths[i], sizeof paths[i], ".csv", texts[i], strlen(texts[i]));
        struct scenario *scenario;
        char *set = mem_format("fleet.pools_file=%s", paths[i]);
        const char *sets[] = {set};
        scenario = load_text(WITHOUT_KEYS, &(struct scen_overrides){.set = sets, .set_count = 1});
        memcpy(digests[i], scenario->digest, DIGEST_HEX);
        scenario_destroy(scenario);
        free(set);
        harness_forget(paths[i]);
    }
    ck_assert_str_ne(digests[0], digests[1]);
}
END_TEST

static const struct number_row {
    double value;
    const char *text;
} number_rows[] = {
    {0.1, "0.1"},
    {1e-7, "1e-07"},
    {0.30000000000000004, "0.30000000000000004"},
    {-2.5, "-2.5"},
    {1.0 / 3, "0.3333333333333333"},
};

START_TEST(numbers_are_short_and_exact)
{
    char buffer[32];
    ck_assert_str_eq(resolve_number(number_rows[_i].value, buffer), number_rows[_i].text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("resolve");
    TCase *tcase = tcase_create("text");
    tcase_add_loop_test(tcase, the_resolved_text_is_the_same_scenario, 0, ROWS(round_rows));
    tcase_add_test(tcase, order_of_keys_does_not_matter);
    tcase_add_test(tcase, the_format_of_nodes_is_given_beside_them);
    tcase_add_loop_test(tcase, defaults_are_written_out, 0, ROWS(written));
    tcase_add_loop_test(tcase, digests_see_what_matters, 0, ROWS(digest_rows));
    tcase_add_test(tcase, digests_see_what_files_hold);
    tcase_add_loop_test(tcase, numbers_are_short_and_exact, 0, ROWS(number_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
