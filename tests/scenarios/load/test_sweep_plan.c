/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans of sweeps: the number of points, their order, their changes; and messages about wrong
 * plans. */
#include "scenarios/load/sweep_plan.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static bool parse(struct sweep_plan *plan, const char *text, struct err *err)
{
    return sweep_plan_parse(plan, "dir/plan.json", text, strlen(text), err);
}

/* "policy=\"sjf\" a.b=1", in the order of the keys. */
static char *point_text(const struct sweep_plan *plan, size_t point)
{
    static char text[512];
    text[0] = '\0';
    for (size_t k = 0; k < plan->key_count; k++) {
        const cJSON *value = sweep_plan_value(plan, point, k);
        if (value == NULL)
            continue;
        char *shown = cJSON_PrintUnformatted(value);
        size_t used = strlen(text);
        (void)snprintf(text + used, sizeof text - used, "%s%s=%s", used ? " " : "", plan->keys[k],
                       shown);
        free(shown);
    }
    return text;
}

#define START "{\"fauxfleet_sweep\": 1, \"scenario\": \"demo.json\""

static const struct {
    const char *plan, *points; /* one per line */
} counted[] = {
    {START "}", "\n"},
    {START ", \"points\": []}", "\n"},
    {START ", \"seeds\": 3}", "seed=1\nseed=2\nseed=3\n"},
    {START ", \"seeds\": [7, \"18446744073709551615\"]}",
     "seed=7\nseed=\"18446744073709551615\"\n"},
    {START ", \"grid\": {\"a\": [1, 2], \"b.c\": [null, {\"d\": []}, \"x\"]}}",
     "a=1 b.c=null\na=1 b.c={\"d\":[]}\na=1 b.c=\"x\"\na=2 b.c=null\na=2 b.c={\"d\":[]}\na=2 "
     "b.c=\"x\"\n"},
    {START ", \"points\": [{\"a\": 1}, {\"b\": true, \"a\": 2}, {}]}", "a=1\na=2 b=true\n\n"},
    {START ", \"seeds\": [5], \"grid\": {\"g\": [1, 2]}, \"points\": [{\"a\": 1}, {\"b\": 0}]}",
     "a=1 g=1 seed=5\na=1 g=2 seed=5\nb=0 g=1 seed=5\nb=0 g=2 seed=5\n"},
};

START_TEST(points_are_counted_through)
{
    struct sweep_plan plan;
    struct err err = {0};
    ck_assert_msg(parse(&plan, counted[_i].plan, &err), "%s", err.msg);
    const char *expected = counted[_i].points;
    size_t lines = 0;
    for (; *expected != '\0'; lines++) {
        size_t n = strcspn(expected, "\n");
        ck_assert_uint_lt(lines, plan.count);
        const char *got = point_text(&plan, lines);
        ck_assert_msg(strlen(got) == n && memcmp(got, expected, n) == 0, "point %zu: %s", lines,
                      got);
        expected += n + 1;
    }
    ck_assert_uint_eq(plan.count, lines);
    ck_assert_str_eq(plan.scenario, "dir/demo.json");
    ck_assert_str_eq(plan.name, "plan");
    sweep_plan_close(&plan);
}
END_TEST

START_TEST(changes_name_where_they_were_said)
{
    static const char text[] = START
        ", \"replicas\": 4,\n"
        "\"points\": [{}, {\"policy\": \"sjf\", \"policy.cycle_s\": 30, \"trace\": \"t.csv\"}],\n"
        "\"grid\": {\"x\": [1],\n \"fleet.nodes_file\": [\"n.csv\"]}}";
    struct sweep_plan plan;
    struct sweep_changes changes;
    struct err err = {0};
    struct scen_overrides none = {.policy = "fifo", .has_seed = true, .seed = 3};
    ck_assert_msg(parse(&plan, text, &err), "%s", err.msg);
    ck_assert(sweep_plan_changes(&plan, 1, &none, &changes, &err));
    const struct scen_overrides *o = &changes.overrides;
    ck_assert_str_eq(o->policy, "sjf");
    ck_assert_str_eq(o->trace, "dir/t.csv");
    ck_assert(o->has_seed && o->seed == 3 && o->has_replicas && o->replicas == 4);
    ck_assert_uint_eq(o->change_count, 3);
    ck_assert_str_eq(o->changes[0].label, "dir/plan.json: points[1]: policy.cycle_s");
    ck_assert_str_eq(o->changes[0].value, "30");
    ck_assert_str_eq(o->changes[1].label, "dir/plan.json:3: x");
    ck_assert_str_eq(o->changes[2].label, "dir/plan.json:4: fleet.nodes_file");
    ck_assert_str_eq(o->changes[2].path, "fleet.nodes_file");
    ck_assert_str_eq(o->changes[2].value, "\"n.csv\"");
    ck_assert_str_eq(o->changes[2].folder, "dir");
    sweep_changes_free(&changes);
    ck_assert(sweep_plan_changes(&plan, 0, &none, &changes, &err));
    ck_assert_str_eq(changes.overrides.policy, "fifo");
    ck_assert_ptr_null(changes.overrides.trace);
    sweep_changes_free(&changes);
    sweep_plan_close(&plan);
}
END_TEST

static const struct {
    const char *plan, *expected;
} wrong[] = {
    {"{}", "plan.json:1: the key 'fauxfleet_sweep' is missing"},
    {"{\"fauxfleet_sweep\": 2, \"scenario\": \"x\"}", "fauxfleet_sweep: expected 1, got 2"},
    {"{\"fauxfleet_sweep\": 1}", "the key 'scenario' is missing"},
    {START ", \"gird\": {}}", "did you mean 'grid'?"},
    {START ",\n \"grid\": []}", "plan.json:2: grid: expected an object"},
    {START ",\n \"points\": {}}", "plan.json:2: points: expected a list"},
    {START ", \"points\": [{},\n 3]}",
     "plan.json:2: points[1]: expected an object of values by key, got 3"},
    {START ", \"grid\": {\n\"a\": 1}}",
     "plan.json:2: grid: 'a': expected a list of at least one value, got 1"},
    {START ", \"grid\": {\n\"a\": []}}",
     "plan.json:2: grid: 'a': expected a list of at least one value, got an empty list"},
    {START ", \"grid\": {\"a\": [1]}, \"points\": [{\"a\": 2}]}", "'a' is varied twice"},
    {START ", \"grid\": {\"seed\": [1]},\n \"seeds\": [2]}", "plan.json:2: 'seed' is varied twice"},
    {START ", \"seeds\": 0}", "seeds: expected an integer from 1"},
    {START ", \"seeds\": []}", "seeds: expected"},
    {START ", \"seeds\": [-1]}", "seeds[0]"},
    {START ", \"seeds\": 1000000, \"grid\": {\"a\": [1, 2]}}", "more than 1000000 points"},
    {START ", \"grid\": {\"\": [1]}}", "expected a key of the scenario"},
    {START ", \"metrics\": [\"\"]}", "metrics[0]: expected non-empty text"},
    {START ", \"replicas\": 0}", "replicas: expected an integer from 1 to 100000"},
};

START_TEST(errors_are_reported)
{
    struct sweep_plan plan;
    struct err err = {0};
    ck_assert(!parse(&plan, wrong[_i].plan, &err));
    harness_contains(err.msg, wrong[_i].expected);
    ck_assert_int_eq(err.code, EXIT_INPUT);
}
END_TEST

START_TEST(a_trace_is_a_name)
{
    struct sweep_plan plan;
    struct sweep_changes changes;
    struct scen_overrides none = {0};
    struct err err = {0};
    ck_assert(parse(&plan, START ", \"grid\": {\"trace\": [3]}}", &err));
    ck_assert(!sweep_plan_changes(&plan, 0, &none, &changes, &err));
    ck_assert_str_eq(err.msg, "dir/plan.json:1: trace: expected the name of a file, got 3");
    sweep_changes_free(&changes);
    sweep_plan_close(&plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep_plan");
    TCase *tcase = tcase_create("plans");
    tcase_add_loop_test(tcase, points_are_counted_through, 0, ROWS(counted));
    tcase_add_test(tcase, changes_name_where_they_were_said);
    tcase_add_loop_test(tcase, errors_are_reported, 0, ROWS(wrong));
    tcase_add_test(tcase, a_trace_is_a_name);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
