/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents that the schema refuses, with the place and the text of the message; and values that it
 * accepts.
 */
#include "tests/scenarios/scenarios.h"

#include <stdio.h>

/* Keys are on line 4 of WITH(). */
static const struct refused_row {
    const char *text, *part;
} refused_rows[] = {
    // unknown keys
    {WITH("\"sede\": 1"), "t.json:4: sede: unknown key 'sede', did you mean 'seed'?"},
    {WITH("\"Seed\": 1"), "t.json:4: Seed: unknown key 'Seed', did you mean 'seed'?"},
    {WITH("\"xyzzy\": 1"), "unknown key 'xyzzy'; known here: fauxfleet_scenario, extends, name"},
    {WITH("\"policy\": {\n\"option\": {}}"),
     "t.json:5: policy.option: unknown key 'option', did you mean 'options'?"},
    {WITH("\"queues\": [{\"name\": \"a\"},\n{\"name\": \"b\",\n\"gpu\": {\"qouta\": 1}}]"),
     "t.json:6: queues[1].gpu.qouta: unknown key 'qouta', did you mean 'quota'?"},
    {WITH("\"window\": {\"warm_up\": 0}"),
     "window.warm_up: unknown key 'warm_up', did you mean 'warmup'?"},
    // wrong types
    {WITH("\"seed\": true"), "t.json:4: seed: expected an integer from 0 to"},
    {WITH("\"seed\": 1.5"), "got 1.5"},
    {WITH("\"seed\": \"1x\""), "got \"1x\""},
    {WITH("\"seed\": \"18446744073709551616\""), "up to 2^64-1, as text"},
    {WITH("\"name\": 3"), "name: expected non-empty text, got 3"},
    {WITH("\"name\": \"\""), "expected non-empty text, got \"\""},
    {WITH("\"replicas\": 0"), "replicas: expected an integer from 1 to 100000, got 0"},
    {WITH("\"replicas\": 1e999"), "replicas: expected an integer from 1 to 100000, got inf"},
    {WITH("\"policy\": []"), "policy: expected an object, got a list"},
    {WITH("\"policy\": {\"options\": {\"x\": {}}}"),
     "policy.options.x: expected text, a number, true or false, got an object"},
    {WITH("\"policies\": {\"sjf\": 1}"), "policies.sjf: expected an object, got 1"},
    {WITH("\"queues\": \"from-tarce\""),
     "expected \"from-trace\" or a list of 1 to 1000000 elements, got \"from-tarce\", did you mean "
     "'from-trace'?"},
    {WITH("\"queues\": []"), "a list of 1 to 1000000 elements, got 0"},
    {WITH("\"queues\": [1]"), "queues[0]: expected an object, got 1"},
    {WITH("\"queues\": [null]"), "queues[0]: expected an object, got null"},
    {WITH("\"outputs\": {\"jobs\": \"yes\"}"), "outputs.jobs: expected true or false, got \"yes\""},
    {WITH("\"window\": {\"drain\": []}"), "expected true or false or a duration"},
    // ranges
    {WITH("\"queues\": [{\"name\": \"a\", \"gpu\": {\"quota\": -0.5}}]"),
     "a number from 0 to 1000000000 or -1, got -0.5"},
    {WITH("\"queues\": [{\"name\": \"a\", \"priority\": 2e9}]"),
     "queues[0].priority: expected an integer"},
    {WITH("\"window\": {\"horizon\": -1}"),
     "window.horizon: expected a duration: seconds, or text such as"},
    {WITH("\"window\": {\"horizon\": \"2 weeks\"}"), "got \"2 weeks\""},
    {WITH("\"window\": {\"horizon\": 1e300}"), "window.horizon: expected a duration"},
    {WITH("\"policy\": {\"cycle_s\": \"1y\"}"), "policy.cycle_s: expected a duration"},
    {WITH("\"faults\": {\"profile\": \"h10\"}"),
     "t.json:4: faults.profile: unknown profile of faults 'h10', did you mean 'h100'?"},
    {WITH("\"faults\": {\"scale\": 2}"), "faults: the key 'profile' is missing"},
    {WITH("\"faults\": {\"profile\": \"h100\", \"only\": [\"gpus\"]}"),
     "faults.only[0]: unknown class of faults 'gpus', did you mean 'gpu'?"},
    {WITH("\"faults\": {\"profile\": {\"based_on\": \"h10\"}}"), "h10"},
    {WITH("\"cost\": {\"pue\": 0.9}"), "cost.pue: expected"},
    {WITH("\"cost\": {\"tariff\": 0.9}"), "cost.tariff: unknown key"},
    {WITH("\"checkpoint\": {\"intervall\": 60}"), "did you mean 'interval'?"},
    {WITH("\"gpu_memory\": {\"mode\": \"waits\"}"), "did you mean 'wait'?"},
    {WITH("\"gpu_memory\": {\"grow_share\": 1.5}"),
     "gpu_memory.grow_share: expected a number from 0 to 1"},
    {WITH("\"gpu_memory\": {\"host_gbps\": 0}"), "gpu_memory.host_gbps: expected a number"},
    {WITH("\"checkpoint\": {\"write\": -1}"), "checkpoint.write: expected a duration"},
    {WITH("\"policy\": {\"grace_s\": \"soon\"}"), "policy.grace_s: expected a duration"},
    {WITH("\"network\": \"on\""), "network: expected one of off|placement|contention, got \"on\""},
    {WITH("\"window\": {\"warmup\": \"autp\"}"), "window.warmup: expected a duration"},
    {WITH("\"outputs\": {\"events\": true}"),
     "outputs.events: 'true' is not available in this version"},
    // missing keys, and keys that exclude each other
    {WITH("\"queues\": [{\"parent\": \"a\"}]"), "t.json:4: queues[0]: the key 'name' is missing"},
    {WITH("\"queues\": \"from-trace\", \"queues_file\": \"q.csv\""),
     "give either 'queues' or 'queues_file', not both"},
    {"{\"name\": \"t\"}", "the key 'fauxfleet_scenario' is missing"},
    {"{\"fauxfleet_scenario\": 2}", "t.json:1: fauxfleet_scenario: expected 1, got 2"},
    {"[]", "t.json:1: expected an object, got a list"},
    {"{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {}, "
     "\"count\": 1}]}}",
     "fleet.pools[0].node: the key 'gpus' is missing: devices of one node"},
    {"{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": 3, "
     "\"count\": 1}]}}",
     "fleet.pools[0].node: expected non-empty text or an object, got 3"},
    {"{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": "
     "65}, \"count\": 1}]}}",
     "fleet.pools[0].node.gpus: expected an integer from 0 to 64, got 65"},
    {"{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": "
     "8, \"cpus\": 1, \"cpu_milli\": 1}, "
     "\"count\": 1}]}}",
     "give either 'cpus' or 'cpu_milli', not both"},
    {"{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": "
     "\"dgx-h100\", \"count\": 0}]}}",
     "fleet.pools[0].count: expected an integer from 1 to 4194304, got 0"},
    {"{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": "
     "\"dgx-h100\", \"count\": 1, "
     "\"fabric\": [\"x\"]}]}}",
     "fleet.pools[0].fabric: expected non-empty text or an object, got"},
    {"{\"fauxfleet_scenario\": 1, \"fleet\": {\"format\": \"openbb\"}}",
     "expected one of openb|snapshot, got \"openbb\", did you mean 'openb'?"},
    {"{\"fauxfleet_scenario\": 1, \"outputs\": {\"events\": true}}",
     "outputs.events: 'true' is not available"},
    {"{\"fauxfleet_scenario\": 1, \"workload\": {\"mode\": \"fil\"}}",
     "expected one of replay|fill|closed, got \"fil\", did you mean 'fill'?"},
    {"{\"fauxfleet_scenario\": 1, \"workload\": {\"trace\": \"\"}}",
     "workload.trace: expected a file name, got \"\""},
    {"{\"fauxfleet_scenario\": 1, \"workload\": [{\"trace\": \"a\"}, {\"mode\": \"fill\"}]}",
     "workload[1].mode: unknown key 'mode'"},
    {"{\"fauxfleet_scenario\": 1, \"workload\": {\"load_scale\": 0}}",
     "workload.load_scale: expected a number from 1e-06 to 1000000, got 0"},
    {"{\"fauxfleet_scenario\": 1, \"workload\": {\"assign\": {\"class\": \"trian\"}}}",
     "did you mean 'train'?"},
    {"{\"fauxfleet_scenario\": 1, \"workload\": {\"generate\": {\"profile\": \"batch\", \"load\": "
     "\"x\"}}}",
     "workload.generate.load: expected a number from"},
    {"{\"fauxfleet_scenario\": 1, \"workload\": {\"generate\": {}, \"trace\": \"x\"}}",
     "give either 'trace' or 'generate', not both"},
};

START_TEST(documents_are_refused_with_place_and_reason)
{
    refuse_text(refused_rows[_i].text, NULL, refused_rows[_i].part);
}
END_TEST

static const struct duration_row {
    const char *json;
    int64_t ms;
} duration_rows[] = {
    {"0", 0},
    {"1.5", 1500},
    {"0.0005", 1},
    {"\"90s\"", 90000},
    {"\"15m\"", 900000},
    {"\"2h\"", 7200000},
    {"\"14d\"", 1209600000},
    {"1e12", 1000000000000000},
};

START_TEST(durations_become_milliseconds)
{
    cJSON *value = cJSON_Parse(duration_rows[_i].json);
    ck_assert_int_eq(check_duration_ms(value), duration_rows[_i].ms);
    cJSON_Delete(value);
}
END_TEST

START_TEST(null_counts_as_not_given)
{
    struct scenario *scenario =
        load_text(WITH("\"seed\": null, \"faults\": null, \"queues\": null"), NULL);
    ck_assert_uint_eq(scenario->seed, 1);
    ck_assert(scenario->queues_from_trace);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(seeds_keep_all_their_bits)
{
    struct scenario *scenario = load_text(WITH("\"seed\": \"18446744073709551615\""), NULL);
    ck_assert_uint_eq(scenario->seed, UINT64_MAX);
    scenario_destroy(scenario);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("check");
    TCase *tcase = tcase_create("documents");
    tcase_add_loop_test(tcase, documents_are_refused_with_place_and_reason, 0, ROWS(refused_rows));
    tcase_add_loop_test(tcase, durations_become_milliseconds, 0, ROWS(duration_rows));
    tcase_add_test(tcase, null_counts_as_not_given);
    tcase_add_test(tcase, seeds_keep_all_their_bits);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
