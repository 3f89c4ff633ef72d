/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policy, window and outputs: from keys to fields. */
#include "sim/base/mem.h"
#include "sim/faults/rates.h"
#include "sim/sim.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

static const struct window_row {
    const char *json;
    int64_t warmup_ms, horizon_ms;
    bool drain;
    int64_t drain_cap_ms;
} window_rows[] = {
    {"{}", 0, SIM_TO_LAST_SUBMISSION, true, -1},
    {"{\"warmup\": \"1h\", \"horizon\": \"14d\", \"drain\": true}", 3600000, 1209600000, true, -1},
    {"{\"warmup\": 0.5, \"horizon\": 90, \"drain\": false}", 500, 90000, false, -1},
    {"{\"warmup\": \"auto\", \"horizon\": 0}", 0, 0, true, -1},
    {"{\"drain\": \"2h\"}", 0, SIM_TO_LAST_SUBMISSION, true, 7200000},
    {"{\"drain\": 0}", 0, SIM_TO_LAST_SUBMISSION, true, 0},
    {"{\"horizon\": null}", 0, SIM_TO_LAST_SUBMISSION, true, -1},
    {"{\"horizon\": \"last-submission\"}", 0, SIM_TO_LAST_SUBMISSION, true, -1},
    {"{\"horizon\": \"all\"}", 0, SIM_TO_LAST_JOB, true, -1},
};

START_TEST(windows_become_milliseconds)
{
    const struct window_row *row = &window_rows[_i];
    char *text = mem_format(WITH("\"window\": %s"), row->json);
    struct scenario *scenario = load_text(text, NULL);
    ck_assert_int_eq(scenario->window.warmup_ms, row->warmup_ms);
    ck_assert_int_eq(scenario->window.horizon_ms, row->horizon_ms);
    ck_assert_int_eq(scenario->window.drain, row->drain);
    ck_assert_int_eq(scenario->window.drain_cap_ms, row->drain_cap_ms);
    scenario_destroy(scenario);
    free(text);
}
END_TEST

START_TEST(tau_is_a_duration)
{
    struct scenario *scenario = load_text(WITH("\"metrics\": {}"), NULL);
    ck_assert_int_eq(scenario->tau_ms, 60000);
    scenario_destroy(scenario);
    scenario = load_text(WITH("\"metrics\": {\"tau\": \"10s\"}"), NULL);
    ck_assert_int_eq(scenario->tau_ms, 10000);
    scenario_destroy(scenario);
    refuse_text(WITH("\"metrics\": {\"tau\": 0}"), NULL,
                "t.json:4: metrics.tau: expected more than 0 s");
}
END_TEST

/* Rates given by a scenario are for its own nodes, unless it says otherwise; inherited ones are for
 * nodes of 8 GPUs. */
static const struct {
    const char *profile;
    int gpus;              /* of the first pool's nodes */
    double gpu, nic, host; /* faults of such a node per 1,000 days */
} stated_rates[] = {
    {"{\"classes\": {\"gpu\": {\"rate\": 10}, \"nic\": {\"rate\": 2}, \"host\": {\"rate\": 3}}}", 1,
     10, 2, 3},
    {"{\"classes\": {\"gpu\": {\"rate\": 10}, \"nic\": {\"rate\": 2}, \"host\": {\"rate\": 3}}}", 8,
     10, 2, 3},
    {"{\"gpus\": 8, \"classes\": {\"gpu\": {\"rate\": 10}, \"nic\": {\"rate\": 2}, \"host\": "
     "{\"rate\": 3}}}",
     1, 1.25, 0.25, 3},
    {"\"h100\"", 1, 1.1375 / 8, 0.0633 / 8, 0.1266},
    {"\"h100\"", 8, 1.1375, 0.0633, 0.1266},
};

START_TEST(stated_rates_are_for_the_nodes_at_hand)
{
    char *text =
        mem_format("{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [{\"name\": \"p\", "
                   "\"node\": {\"gpus\": %d}, \"count\": 2}]}, \"workload\": {\"generate\": "
                   "{\"profile\": \"batch\"}}, \"faults\": {\"profile\": %s}}",
                   stated_rates[_i].gpus, stated_rates[_i].profile);
    struct scenario *scenario = load_text(text, NULL);
    const struct fault_profile *profile = &scenario->faults.profile;
    const struct fault_pool pool = {
        .gpus = stated_rates[_i].gpus, .nics = stated_rates[_i].gpus, .nodes_per_domain = 1};
    ck_assert_double_eq_tol(1000 * fault_daily(profile, FAULT_GPU, &pool), stated_rates[_i].gpu,
                            0.001 * stated_rates[_i].gpu);
    ck_assert_double_eq_tol(1000 * fault_daily(profile, FAULT_NIC, &pool), stated_rates[_i].nic,
                            0.001 * stated_rates[_i].nic);
    ck_assert_double_eq_tol(1000 * fault_daily(profile, FAULT_HOST, &pool), stated_rates[_i].host,
                            0.005 * stated_rates[_i].host);
    scenario_destroy(scenario);
    free(text);
}
END_TEST

START_TEST(windows_have_room)
{
    refuse_text(
        WITH("\"window\": {\"warmup\": \"1d\", \"horizon\": \"1d\"}"), NULL,
        "t.json:4: window.warmup: expected less than window.horizon (86400 s), got 86400 s");
}
END_TEST

static const struct option_row {
    const char *json, *text;
} option_rows[] = {
    {"\"skip\"", "skip"},
    {"\"\"", ""},
    {"3", "3"},
    {"-1", "-1"},
    {"9007199254740991", "9007199254740991"},
    {"0.1", "0.1"},
    {"1e-7", "1e-07"},
    {"true", "true"},
    {"false", "false"},
};

START_TEST(options_become_text)
{
    char *text = mem_format(
        WITH("\"policy\": {\"name\": \"x\", \"cycle_s\": 1.5, \"options\": {\"b\": 1, \"a\": %s}}"),
        option_rows[_i].json);
    struct scenario *scenario = load_text(text, NULL);
    ck_assert_str_eq(scenario->policy.name, "x");
    ck_assert_int_eq(scenario->policy.cycle_ms, 1500);
    ck_assert_uint_eq(scenario->policy.option_count, 2);
    ck_assert_str_eq(scenario->policy.options[0].name, "a");
    ck_assert_str_eq(scenario->policy.options[0].value, option_rows[_i].text);
    ck_assert_str_eq(scenario->policy.options[1].name, "b");
    scenario_destroy(scenario);
    free(text);
}
END_TEST

START_TEST(outputs_have_defaults)
{
    struct scenario *scenario = load_text(WITHOUT_KEYS, NULL);
    ck_assert(scenario->outputs.jobs);
    ck_assert(scenario->outputs.journal);
    ck_assert_int_eq(scenario->outputs.timeline_ms, 300000);
    ck_assert_str_eq(scenario->policy.name, "fifo");
    ck_assert_int_eq(scenario->policy.cycle_ms, 0);
    scenario_destroy(scenario);
    scenario = load_text(
        WITH("\"outputs\": {\"jobs\": false, \"journal\": false, \"timeline_s\": 0}"), NULL);
    ck_assert(!scenario->outputs.jobs);
    ck_assert(!scenario->outputs.journal);
    ck_assert_int_eq(scenario->outputs.timeline_ms, 0);
    scenario_destroy(scenario);
}
END_TEST

static const struct checkpoint_row {
    const char *json;
    bool given;
    int64_t interval_ms, write_ms, restart_ms;
    bool on_evict;
} checkpoint_rows[] = {
    {"null", false, 0, 0, 0, false},
    {"{}", true, 3600000, 30000, 300000, true},
    {"{\"interval\": 0}", true, 0, 30000, 300000, true},
    {"{\"write\": \"2m\", \"restart\": 10, \"on_evict\": false}", true, 3600000, 120000, 10000,
     false},
};

START_TEST(checkpoints_have_defaults)
{
    const struct checkpoint_row *row = &checkpoint_rows[_i];
    char *text = mem_format(WITH("\"checkpoint\": %s"), row->json);
    struct scenario *scenario = load_text(text, NULL);
    ck_assert_int_eq(scenario->checkpoint.given, row->given);
    ck_assert_int_eq(scenario->checkpoint.interval_ms, row->interval_ms);
    ck_assert_int_eq(scenario->checkpoint.write_ms, row->write_ms);
    ck_assert_int_eq(scenario->checkpoint.restart_ms, row->restart_ms);
    ck_assert_int_eq(scenario->checkpoint.on_evict, row->on_evict);
    scenario_destroy(scenario);
    free(text);
}
END_TEST

START_TEST(cost_has_defaults)
{
    struct scenario *scenario = load_text(WITHOUT_KEYS, NULL);
    ck_assert_int_eq(scenario->cost.basis, PRICE_RENT);
    ck_assert_double_eq(scenario->cost.pue, 1);
    ck_assert(!scenario->cost.tariff_given);
    scenario_destroy(scenario);
    scenario = load_text(WITH("\"cost\": {\"basis\": \"own\"}"), NULL);
    ck_assert_int_eq(scenario->cost.basis, PRICE_OWN);
    ck_assert_double_eq(scenario->cost.pue, 1.3);
    ck_assert_double_eq(scenario->cost.mid.usd_per_kwh, 0.09);
    ck_assert_double_eq(scenario->cost.mid.years, 5);
    ck_assert_double_eq(scenario->cost.low.years, 6);
    scenario_destroy(scenario);
    /* A scenario that gives the years of use owns its nodes. */
    scenario = load_text(
        WITH("\"cost\": {\"pue\": 1.4, \"usd_per_kwh\": 0.12, \"depreciation_years\": 4}"), NULL);
    ck_assert_int_eq(scenario->cost.basis, PRICE_OWN);
    ck_assert_double_eq(scenario->cost.pue, 1.4);
    ck_assert_double_eq(scenario->cost.high.usd_per_kwh, 0.12);
    ck_assert_double_eq(scenario->cost.mid.years, 4);
    ck_assert_double_eq(scenario->cost.low.years, 4);
    ck_assert(scenario->cost.tariff_given);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(bases_are_not_mixed)
{
    refuse_text(WITH("\"cost\": {\"basis\": \"rent\", \"depreciation_years\": 4}"), NULL,
                "cost.depreciation_years: says nothing about rents");
    refuse_text(WITH("\"cost\": {\"interest\": 0.05}"), NULL,
                "cost.interest: says nothing about rents");
    refuse_text(WITH("\"cost\": {\"basis\": \"lease\"}"), NULL, "rent");
}
END_TEST

START_TEST(policies_have_grace)
{
    struct scenario *scenario = load_text(WITHOUT_KEYS, NULL);
    ck_assert_int_eq(scenario->policy.grace_ms, 30000);
    ck_assert(scenario->policy.skip_idle_cycles);
    ck_assert(scenario->policy.gangs);
    scenario_destroy(scenario);
    scenario = load_text(
        WITH("\"policy\": {\"grace_s\": \"2m\", \"skip_idle_cycles\": false, \"gangs\": false}"),
        NULL);
    ck_assert_int_eq(scenario->policy.grace_ms, 120000);
    ck_assert(!scenario->policy.skip_idle_cycles);
    ck_assert(!scenario->policy.gangs);
    scenario_destroy(scenario);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill");
    TCase *tcase = tcase_create("small parts");
    tcase_add_loop_test(tcase, windows_become_milliseconds, 0, ROWS(window_rows));
    tcase_add_loop_test(tcase, stated_rates_are_for_the_nodes_at_hand, 0, ROWS(stated_rates));
    tcase_add_test(tcase, tau_is_a_duration);
    tcase_add_test(tcase, windows_have_room);
    tcase_add_loop_test(tcase, options_become_text, 0, ROWS(option_rows));
    tcase_add_test(tcase, outputs_have_defaults);
    tcase_add_loop_test(tcase, checkpoints_have_defaults, 0, ROWS(checkpoint_rows));
    tcase_add_test(tcase, cost_has_defaults);
    tcase_add_test(tcase, bases_are_not_mixed);
    tcase_add_test(tcase, policies_have_grace);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
