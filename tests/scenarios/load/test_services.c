/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Services of a scenario: defaults, given values, and refusals. */
#include "tests/scenarios/scenarios.h"

#define SCENARIO(services)                                                                         \
    "{\"fauxfleet_scenario\": 1,\n \"workload\": {\"generate\": {\"profile\": \"batch\"}},\n"      \
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": 8}, \"count\": 2}]},\n"       \
    " \"startup\": {\"image\": \"20s\", \"engine\": \"10s\"}, \"window\": {\"horizon\": "          \
    "\"1d\"},\n"                                                                                   \
    " \"services\": [" services "]}"
#define CHAT(keys) "{\"name\": \"chat\", \"max\": 4, \"rps_per_replica\": 2.5, " keys "}"
#define LOAD       "\"load\": {\"peak_rps\": 9}"

START_TEST(defaults)
{
    struct scenario *scenario = load_text(SCENARIO(CHAT(LOAD)), NULL);
    ck_assert_uint_eq(scenario->service_count, 1);
    const struct scen_service *s = &scenario->services[0];
    ck_assert_str_eq(s->name, "chat");
    ck_assert_str_eq(s->queue, "default");
    ck_assert_int_eq(s->gpus, 1);
    ck_assert_int_eq(s->gpu_milli, 0);
    ck_assert_int_eq(s->priority, 125);
    ck_assert(!s->preemptible);
    ck_assert_int_eq(s->startup_ms, -1);
    ck_assert_int_eq(s->rule.min, 1);
    ck_assert_int_eq(s->rule.max, 4);
    ck_assert_int_eq(s->rule.replica_milli, 2500);
    ck_assert_int_eq(s->rule.headroom_ppm, 200000);
    ck_assert_int_eq(s->rule.interval_ms, 15000);
    ck_assert_int_eq(s->rule.down_after_ms, 300000);
    ck_assert_int_eq(s->rule.lead_ms, 45000); /* the startup of all jobs, and the interval */
    ck_assert(!s->rule.predictive);
    ck_assert_double_eq(s->shape.peak_rps, 9);
    ck_assert_double_eq(s->shape.base_rps, 0);
    ck_assert_double_eq(s->shape.peak_hour, 15);
    ck_assert_double_eq(s->shape.weekend, 1);
    ck_assert_int_eq(s->shape.step_ms, 300000);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(all_that_can_be_said)
{
    struct scenario *scenario = load_text(
        SCENARIO(
            CHAT(LOAD) ", {\"name\": \"b\", \"queue\": \"q\", \"gpu_milli\": 250, \"priority\": 7, "
                       "\"preemptible\": true, \"min\": 0, \"max\": 3, \"rps_per_replica\": 1, "
                       "\"startup\": \"2m\", \"load\": {\"base_rps\": 1, \"peak_rps\": 2, "
                       "\"peak_hour\": 3, \"weekend\": 0.5, \"noise\": 0.1, \"step\": 60}, "
                       "\"autoscaler\": {\"mode\": \"predictive\", \"headroom\": 0, \"interval\": "
                       "30, \"scale_down_after\": 0, \"season\": \"7d\", \"trend\": \"2h\"}}"),
        NULL);
    const struct scen_service *s = &scenario->services[1];
    ck_assert_str_eq(s->queue, "q");
    ck_assert_int_eq(s->gpus, 1);
    ck_assert_int_eq(s->gpu_milli, 250);
    ck_assert_int_eq(s->priority, 7);
    ck_assert(s->preemptible && s->rule.predictive);
    ck_assert_int_eq(s->startup_ms, 120000);
    ck_assert_int_eq(s->rule.lead_ms, 150000);
    ck_assert_int_eq(s->rule.season_ms, 7 * 86400000);
    ck_assert_int_eq(s->rule.trend_ms, 7200000);
    ck_assert_double_eq(s->shape.noise, 0.1);
    scenario_destroy(scenario);
}
END_TEST

static const struct refused_row {
    const char *text, *part;
} refused_rows[] = {
    {SCENARIO(CHAT(LOAD) ", " CHAT(LOAD)),
     "services[1].name: there are two services of the name 'chat'"},
    {SCENARIO(CHAT(LOAD ", \"gpu_type\": \"H100\"")),
     "services[0]: no node of the fleet has 1 GPU of type H100"},
    {SCENARIO(CHAT(LOAD ", \"gpu_milli\": 5, \"gpus_per_replica\": 2")), "services[0]"},
    {SCENARIO(CHAT("\"load\": {\"file\": \"x\", \"peak_rps\": 2}")), "services[0].load"},
    {SCENARIO(CHAT("\"load\": {\"base_rps\": 3, \"peak_rps\": 2}")),
     "services[0].load.base_rps: expected at most peak_rps, 2"},
    {SCENARIO(CHAT("\"load\": {\"peak_rps\": 2, \"step\": 0}")),
     "services[0].load.step: expected more than 0"},
    {SCENARIO(CHAT(LOAD ", \"autoscaler\": {\"interval\": 0}")),
     "services[0].autoscaler.interval: expected more than 0"},
    {SCENARIO(CHAT(LOAD ", \"autoscaler\": {\"mode\": \"predictive\", \"trend\": 0}")),
     "services[0].autoscaler.trend: expected more than 0"},
    {SCENARIO(CHAT(LOAD ", \"autoscaler\": {\"mod\": \"predictive\"}")),
     "unknown key 'mod', did you mean 'mode'?"},
    {SCENARIO("{\"name\": \"chat\"}"), "services[0]"},
};

START_TEST(nonsense_is_refused)
{
    refuse_text(refused_rows[_i].text, NULL, refused_rows[_i].part);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_services");
    TCase *tcase = tcase_create("services");
    tcase_add_test(tcase, defaults);
    tcase_add_test(tcase, all_that_can_be_said);
    tcase_add_loop_test(tcase, nonsense_is_refused, 0, ROWS(refused_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
