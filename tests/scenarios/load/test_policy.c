/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of policies: the simulator's own, lists, overheads by size; all others are passed to the
 * policy core as text. */
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

#define OPTIONS(text) WITH("\"policy\": {\"cycle_s\": 7, \"options\": {" text "}}")

static const struct {
    const char *json, *text;
} lists[] = {
    {"18000", "18000"},
    {"[3250]", "3250"},
    {"[3250,7200]", "3250,7200"},
    {"[0.5, 1e6]", "0.5,1000000"},
    {"\"1,2\"", NULL}, /* text is only valid on the command line */
};

START_TEST(lists_become_text)
{
    char *text = mem_format(OPTIONS("\"threshold_gpu_s\": %s"), lists[_i].json);
    if (lists[_i].text == NULL) {
        refuse_text(text, NULL,
                    "policy.options.threshold_gpu_s: expected a number from 0 to 1000000000000 or");
        free(text);
        return;
    }
    struct scenario *scenario = load_text(text, NULL);
    ck_assert_uint_eq(scenario->policy.option_count, 1);
    ck_assert_str_eq(scenario->policy.options[0].name, "threshold_gpu_s");
    ck_assert_str_eq(scenario->policy.options[0].value, lists[_i].text);
    scenario_destroy(scenario);
    free(text);
}
END_TEST

START_TEST(the_simulators_own_are_taken_out)
{
    struct scenario *scenario =
        load_text(OPTIONS("\"tick_s\": \"1m\", \"launch_s\": 1.5, \"preempt_overhead_s\": 40, "
                          "\"scope\": \"queue\""),
                  NULL);
    ck_assert_int_eq(scenario->policy.cycle_ms, 60000);
    ck_assert_int_eq(scenario->policy.overheads.launch_ms, 1500);
    ck_assert_int_eq(work_overhead_ms(&scenario->policy.overheads, 1000), 40000);
    ck_assert_int_eq(work_overhead_ms(&scenario->policy.overheads, 512000), 40000);
    ck_assert_uint_eq(scenario->policy.option_count, 1);
    ck_assert_str_eq(scenario->policy.options[0].name, "scope");
    scenario_destroy(scenario);
    scenario = load_text(OPTIONS("\"scope\": \"queue\""), NULL);
    ck_assert_int_eq(scenario->policy.cycle_ms, 7000);
    ck_assert_int_eq(scenario->policy.overheads.launch_ms, 0);
    ck_assert_uint_eq(scenario->policy.overheads.preempt_count, 0);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(overheads_go_by_size)
{
    struct scenario *scenario = load_text(
        OPTIONS("\"preempt_overhead_s\": {\"1\": 7, \"2-8\": \"30s\", \"9+\": 60.5}"), NULL);
    const struct work_overheads *overheads = &scenario->policy.overheads;
    ck_assert_uint_eq(overheads->preempt_count, 3);
    ck_assert_int_eq(overheads->preempt[0].most_gpus, 1);
    ck_assert_int_eq(overheads->preempt[1].most_gpus, 8);
    ck_assert_int_eq(overheads->preempt[1].ms, 30000);
    ck_assert_int_eq(overheads->preempt[2].most_gpus, WORK_ANY_SIZE);
    ck_assert_int_eq(overheads->preempt[2].ms, 60500);
    scenario_destroy(scenario);
}
END_TEST

/* Ranges of two scenarios are not merged by key: they would overlap. */
START_TEST(overheads_replace_one_another)
{
    const char *sets[] = {"policy.options.preempt_overhead_s={\"1+\": 5}"};
    struct scenario *scenario =
        load_text(OPTIONS("\"preempt_overhead_s\": {\"1-8\": 40, \"9+\": 60}"),
                  &(struct scen_overrides){.set = sets, .set_count = 1});
    ck_assert_uint_eq(scenario->policy.overheads.preempt_count, 1);
    ck_assert_int_eq(scenario->policy.overheads.preempt[0].ms, 5000);
    scenario_destroy(scenario);
}
END_TEST

static const struct {
    const char *json, *message;
} wrong[] = {
    {"{}", "expected a last range such as \"1+\""},
    {"{\"1-8\": 1}", "expected a last range such as \"9+\""},
    {"{\"2+\": 1}", "follow one another from 1 on, got \"2+\""},
    {"{\"1\": 1, \"3+\": 1}", "got \"3+\" where another one has to begin"},
    {"{\"1-4\": 1, \"4+\": 1}", "got \"4+\" where another one has to begin"},
    {"{\"1+\": 1, \"9+\": 1}", "got \"9+\" where no range is left"},
    {"{\"few\": 1}", "such as \"1\", \"2-8\" or \"9+\", got \"few\""},
    {"{\"1-\": 1}", "got \"1-\""},
    {"{\"8-1\": 1}", "got \"8-1\""},
    {"{\"1-8x\": 1}", "got \"1-8x\""},
    {"{\"\": 1}", "got \"\""},
    {"{\"99999999999999999999\": 1}", "got \"99999999999999999999\""},
    {"{\"1+\": -1}", "expected a duration"},
    {"-1", "expected a duration"},
    {"[1]", "expected a duration"},
};

START_TEST(wrong_sizes_are_refused)
{
    char *text = mem_format(OPTIONS("\"preempt_overhead_s\": %s"), wrong[_i].json);
    refuse_text(text, NULL, wrong[_i].message);
    refuse_text(text, NULL, "t.json:4: policy.options.preempt_overhead_s");
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_policy");
    TCase *tcase = tcase_create("fill_policy");
    tcase_add_loop_test(tcase, lists_become_text, 0, ROWS(lists));
    tcase_add_test(tcase, the_simulators_own_are_taken_out);
    tcase_add_test(tcase, overheads_go_by_size);
    tcase_add_test(tcase, overheads_replace_one_another);
    tcase_add_loop_test(tcase, wrong_sizes_are_refused, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
