/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotas that promise more than the fleet has. The fleet of WITH() is a pool "p" of 16 GPUs. */
#include "scenarios/load/quotas.h"
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

#define QUEUES(...) WITH("\"queues\": [" __VA_ARGS__ "]")

static const struct {
    const char *json;
    const char *texts[2];
} rows[] = {
    {QUEUES(
         "{\"name\": \"a\", \"gpu\": {\"quota\": 12}}, {\"name\": \"b\", \"gpu\": {\"quota\": 4}}"),
     {NULL, NULL}},
    {QUEUES("{\"name\": \"a\", \"gpu\": {\"quota\": 12}}, {\"name\": \"b\", \"gpu\": {\"quota\": "
            "4.5}}"),
     {"quotas exceed the fleet: the top-level queues are promised 16.5 GPUs in all, and it has 16",
      NULL}},
    /* An unlimited quota promises nothing definite. */
    {QUEUES("{\"name\": \"a\", \"gpu\": {\"quota\": -1}}, {\"name\": \"b\", \"gpu\": {\"quota\": "
            "16}}"),
     {NULL, NULL}},
    /* Of a tree only the top counts against the fleet, and the queues below one count against it.
     */
    {QUEUES("{\"name\": \"d\", \"gpu\": {\"quota\": 10}}, {\"name\": \"a\", \"parent\": \"d\", "
            "\"gpu\": {\"quota\": 9}}, "
            "{\"name\": \"b\", \"parent\": \"d\", \"gpu\": {\"quota\": 9}}"),
     {"quotas exceed that of queue 'd': the queues below it are promised 18 GPUs in all, and it is "
      "promised 10",
      NULL}},
    {QUEUES("{\"name\": \"d\", \"gpu\": {\"quota\": -1}}, {\"name\": \"a\", \"parent\": \"d\", "
            "\"gpu\": {\"quota\": 90}}"),
     {NULL, NULL}},
    {QUEUES("{\"name\": \"a\", \"gpu\": {\"quota\": 17}, \"pools\": [\"p\"]}"),
     {"quotas exceed the fleet: the top-level queues are promised 17 GPUs in all, and it has 16",
      "the quota of queue 'a' exceeds its pools: it is promised 17 GPUs, and p has 16"}},
};

START_TEST(what_is_promised_is_compared_with_what_there_is)
{
    struct scenario *scenario = load_text(rows[_i].json, NULL);
    size_t count;
    struct quota_excess *excesses = quota_excesses(scenario, &count);
    ck_assert_int_eq(quota_fleet_milli(scenario), 16000);
    ck_assert_uint_eq(count, (size_t)(rows[_i].texts[0] != NULL) + (rows[_i].texts[1] != NULL));
    for (size_t i = 0; i < count; i++) {
        char *text = quota_excess_text(&excesses[i]);
        ck_assert_str_eq(text, rows[_i].texts[i]);
        free(text);
    }
    free(excesses);
    scenario_destroy(scenario);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("quotas");
    TCase *tcase = tcase_create("quotas");
    tcase_add_loop_test(tcase, what_is_promised_is_compared_with_what_there_is, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
