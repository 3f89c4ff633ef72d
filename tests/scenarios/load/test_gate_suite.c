/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suites of a gate: their contents, refusals with places, and their changes to scenarios. */
#include "scenarios/load/gate_suite.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

#define HEAD    "{\"fauxfleet_gate\": 1,\n"
#define WORLDS  "\"scenarios\": [\"demo.json\"],\n"
#define METRICS "\"metrics\": [{\"metric\": \"wait_s.p95\"}]"

START_TEST(defaults)
{
    static const char text[] = HEAD WORLDS METRICS "}";
    struct gate_suite suite;
    struct err err = {0};
    ck_assert_msg(gate_suite_parse(&suite, "a/b/ci.json", text, strlen(text), &err), "%s", err.msg);
    ck_assert_str_eq(suite.name, "ci");
    ck_assert_uint_eq(suite.scenario_count, 1);
    ck_assert_str_eq(suite.scenarios[0].name, "demo");
    ck_assert_str_eq(suite.scenarios[0].file, "a/b/demo.json");
    ck_assert_int_eq(suite.scenarios[0].starvation_ms, -1);
    ck_assert_str_eq(suite.metrics[0].path, "wait_s.p95");
    ck_assert_double_eq(suite.metrics[0].margin, 0.05);
    ck_assert_double_eq(suite.metrics[0].floor, -1);
    ck_assert(!suite.metrics[0].guard && suite.metrics[0].direction == NULL);
    ck_assert_double_eq(suite.alpha, 0.05);
    ck_assert_uint_eq(suite.look_count, 3);
    ck_assert(suite.looks[0] == 20 && suite.looks[1] == 40 && suite.looks[2] == 80);
    ck_assert_int_eq(suite.audit, 20);
    gate_suite_close(&suite);
}
END_TEST

START_TEST(everything_said)
{
    static const char text[] =
        HEAD "\"name\": \"n\", \"description\": \"d\", \"alpha\": 0.1, \"looks\": [5, 6], "
             "\"starvation\": \"14d\", \"audit\": 0,\n\"scenarios\": [\"/abs/x.json\",\n "
             "{\"scenario\": \"y.json\", \"name\": \"why\", \"starvation\": \"2h\",\n  \"set\": "
             "{\"policy.cycle_s\": 30, \"queues\": [{\"name\": \"a\"}]}}],\n"
             "\"metrics\": [{\"metric\": \"wait_s.p95\", \"class\": \"distributed\", \"margin\": "
             "0, \"floor\": 7,\n"
             "\"direction\": \"higher\", \"role\": \"primary\"},\n{\"metric\": \"fairness.jain\", "
             "\"role\": \"guard\"}]}";
    struct gate_suite suite;
    struct err err = {0};
    ck_assert_msg(gate_suite_parse(&suite, "ci.json", text, strlen(text), &err), "%s", err.msg);
    ck_assert_str_eq(suite.name, "n");
    ck_assert_str_eq(suite.scenarios[0].file, "/abs/x.json");
    ck_assert_int_eq(suite.scenarios[0].starvation_ms, 14 * 86400000LL);
    ck_assert_str_eq(suite.scenarios[1].name, "why");
    ck_assert_int_eq(suite.scenarios[1].starvation_ms, 7200000);
    ck_assert_uint_eq(suite.scenarios[1].line, 4);
    ck_assert_str_eq(suite.metrics[0].path, "by_class.distributed.wait_s.p95");
    ck_assert_double_eq(suite.metrics[0].margin, 0);
    ck_assert_double_eq(suite.metrics[0].floor, 7);
    ck_assert_str_eq(suite.metrics[0].direction, "higher");
    ck_assert(suite.metrics[1].guard);
    ck_assert_uint_eq(suite.metrics[1].line, 8);
    ck_assert_uint_eq(suite.look_count, 2);
    ck_assert_int_eq(suite.audit, 0);
    struct scen_overrides none = {0};
    struct gate_changes changes;
    ck_assert(gate_suite_changes(&suite, 1, &none, &changes, &err));
    ck_assert_uint_eq(changes.overrides.change_count, 2);
    ck_assert_str_eq(changes.overrides.changes[0].path, "policy.cycle_s");
    ck_assert_str_eq(changes.overrides.changes[0].value, "30");
    ck_assert_str_eq(changes.overrides.changes[0].label,
                     "ci.json:4: scenarios[1].set: policy.cycle_s");
    ck_assert_str_eq(changes.overrides.changes[1].value, "[{\"name\":\"a\"}]");
    gate_changes_free(&changes);
    static const char *const set[] = {"policy.cycle_s_=1", "policy.cycle_s=60"};
    struct scen_overrides same = {.set = set, .set_count = 2};
    ck_assert(!gate_suite_changes(&suite, 1, &same, &changes, &err));
    ck_assert_msg(strstr(err.msg, "policy.cycle_s") != NULL && strstr(err.msg, "'why'") != NULL,
                  "%s", err.msg);
    gate_changes_free(&changes);
    same.set_count = 1;
    ck_assert(gate_suite_changes(&suite, 1, &same, &changes, &err));
    gate_changes_free(&changes);
    gate_suite_close(&suite);
}
END_TEST

static const struct {
    const char *text, *says;
} wrong[] = {
    {HEAD WORLDS "\"metrics\": []}", "ci.json:3: metrics"},
    {HEAD METRICS "}", "scenarios"},
    {"{\"fauxfleet_gate\": 2, " WORLDS METRICS "}", "fauxfleet_gate"},
    {HEAD WORLDS "\"metric\": 1,\n" METRICS "}", "did you mean 'metrics'"},
    {HEAD WORLDS "\"looks\": [20,\n 20],\n" METRICS "}",
     "ci.json:4: looks[1]: expected more than 20, got 20"},
    {HEAD WORLDS "\"looks\": [1],\n" METRICS "}", "looks[0]"},
    {HEAD WORLDS "\"alpha\": 0,\n" METRICS "}", "alpha"},
    {HEAD WORLDS "\"metrics\": [{\"metric\": \"wait_s.p95\", \"role\": \"gard\"}]}",
     "did you mean 'guard'"},
    {HEAD WORLDS "\"metrics\": [{\"metric\": \"wait_s.p95\", \"margin\": -1}]}",
     "metrics[0].margin"},
    {HEAD WORLDS "\"metrics\": [{\"metric\": \"wait_s.p95\", \"role\": \"guard\"}]}",
     "all are guards"},
    {HEAD WORLDS "\"metrics\": [{\"metric\": \"a\"},\n{\"metric\": \"a\"}]}",
     "ci.json:4: metrics[1]: 'a' is there twice"},
    {HEAD "\"scenarios\": [\"x/demo.json\",\n\"y/demo.json\"],\n" METRICS "}",
     "ci.json:3: scenarios[1]: another one"},
    {HEAD "\"scenarios\": [{\"scenario\": \"a.json\",\n\"set\": {\"..\": 1}}],\n" METRICS "}",
     "'..'"},
    {HEAD "\"scenarios\": [{\"scenario\": \"a.json\", \"set\": 1}],\n" METRICS "}",
     "scenarios[0].set"},
    {HEAD "\"scenarios\": [{\"name\": \"a\"}],\n" METRICS "}", "scenarios[0]"},
    {HEAD "\"scenarios\": [null],\n" METRICS "}", "scenarios[0]"},
    {"", "ci.json"},
};

START_TEST(refused_with_the_place)
{
    struct gate_suite suite;
    struct err err = {0};
    ck_assert(!gate_suite_parse(&suite, "ci.json", wrong[_i].text, strlen(wrong[_i].text), &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    ck_assert_msg(strstr(err.msg, wrong[_i].says) != NULL, "%s, expected %s", err.msg,
                  wrong[_i].says);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gate_suite");
    TCase *tcase = tcase_create("gate_suite");
    tcase_add_test(tcase, defaults);
    tcase_add_test(tcase, everything_said);
    tcase_add_loop_test(tcase, refused_with_the_place, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
