/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The node on which durations were recorded: given, or that of the file's first pool, whatever the
 * command line changes. */
#include "tests/scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>

#define POOLS(json) "{\"fauxfleet_scenario\": 1, \"fleet\": {\"pools\": [" json "]},\n"
#define A100        "{\"name\": \"a\", \"node\": \"dgx-a100\", \"count\": 2}"
#define H100        "{\"name\": \"h\", \"node\": \"dgx-h100\", \"count\": 2}"
#define INLINE      "{\"name\": \"i\", \"node\": {\"gpus\": 4, \"gpu_type\": \"v100\"}, \"count\": 1}"
#define CPUS        "{\"name\": \"c\", \"node\": {\"gpus\": 0}, \"count\": 1}"
#define MADE        "\"generate\": {\"profile\": \"batch\"}"

static const struct {
    const char *text;
    const char *set;  /* --set */
    const char *name; /* of the node; "" is inline */
    const char *type;
    int gpus;
    bool assumed;
} rows[] = {
    {POOLS(A100 "," H100) "\"workload\": {" MADE "}}", NULL, "dgx-a100", "a100", 8, true},
    {POOLS(A100 "," H100) "\"workload\": {" MADE "}}", "fleet.pools[0].node=dgx-b200", "dgx-a100",
     "a100", 8, true},
    {POOLS(A100) "\"workload\": {" MADE "}}", "fleet.pools=[" H100 "]", "dgx-a100", "a100", 8,
     true},
    {POOLS(INLINE "," A100) "\"workload\": {" MADE "}}", NULL, "", "v100", 4, true},
    {POOLS(CPUS "," H100) "\"workload\": {" MADE "}}", NULL, "dgx-h100", "h100", 8, true},
    {POOLS(A100) "\"workload\": {" MADE ", \"recorded_on\": \"dgx-h100\"}}", NULL, "dgx-h100",
     "h100", 8, false},
    {POOLS(A100) "\"workload\": {" MADE ", \"recorded_on\": {\"gpus\": 2, \"gpu_type\": \"t4\"}}}",
     NULL, "", "t4", 2, false},
    {POOLS(A100) "\"workload\": {" MADE "}}", "workload.recorded_on=dgx-1v", "dgx-1v", "v100", 8,
     false},
    {POOLS(A100) "\"workload\": {" MADE ", \"recorded_on\": null}}", NULL, "dgx-a100", "a100", 8,
     true},
};

START_TEST(it_is_said_or_that_of_the_first_pool_of_the_file)
{
    const struct scen_overrides overrides = {.set = &rows[_i].set,
                                             .set_count = rows[_i].set != NULL};
    struct scenario *scenario = load_text(rows[_i].text, &overrides);
    ck_assert_str_eq(scenario->recorded_on->name, rows[_i].name);
    ck_assert_str_eq(scenario->recorded_on->gpu_type, rows[_i].type);
    ck_assert_int_eq(scenario->recorded_on->gpus, rows[_i].gpus);
    ck_assert_int_eq(scenario->recorded_assumed, rows[_i].assumed);
    struct scenario *again = load_text(scenario->resolved, NULL); /* what a run directory keeps */
    ck_assert_str_eq(again->recorded_on->gpu_type, rows[_i].type);
    ck_assert_int_eq(again->recorded_on->gpus, rows[_i].gpus);
    ck_assert(!again->recorded_assumed);
    ck_assert_str_eq(again->digest, scenario->digest);
    scenario_destroy(again);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(each_part_may_have_its_own)
{
    struct scenario *scenario =
        load_text(POOLS(A100) "\"workload\": [{" MADE "}, {" MADE
                              ", \"recorded_on\": {\"gpus\": 8, \"gpu_type\": \"v100\"}}, {" MADE
                              ", \"recorded_on\": \"dgx-h100\"}]}",
                  NULL);
    ck_assert_str_eq(scenario->sources[0].recorded_name, "dgx-a100");
    ck_assert_str_eq(scenario->sources[1].recorded_name, "workload[1].recorded_on");
    ck_assert_str_eq(scenario->sources[1].recorded_on->gpu_type, "v100");
    ck_assert_str_eq(scenario->sources[2].recorded_name, "dgx-h100");
    ck_assert(scenario->recorded_on == scenario->sources[0].recorded_on);
    ck_assert(scenario->recorded_assumed);
    scenario_destroy(scenario);
}
END_TEST

/* The list in the file, even if the command line names another one. */
START_TEST(of_a_list_it_is_the_first_node_with_gpus)
{
    static const char first[] = "sn,cpu_milli,memory_mib,gpu,model\nn0,1000,1024,0,\nn1,1000,1024,"
                                "2,P100\nn2,1000,1024,8,T4\n";
    static const char second[] = "sn,cpu_milli,memory_mib,gpu,model\nn0,1000,1024,8,V100M32\n";
    char old[128], new[128];
    harness_file(old, sizeof old, ".csv", first, sizeof first - 1);
    harness_file(new, sizeof new, ".csv", second, sizeof second - 1);
    char text[512], set[256];
    (void)snprintf(
        text, sizeof text,
        "{\"fauxfleet_scenario\": 1, \"fleet\": {\"nodes_file\": \"%s\"}, \"workload\": {" MADE
        "}}",
        old);
    (void)snprintf(set, sizeof set, "fleet.nodes_file=%s", new);
    const char *const sets[] = {set};
    const struct scen_overrides overrides = {.set = sets, .set_count = 1};
    for (int i = 0; i < 2; i++) {
        struct scenario *scenario = load_text(text, i == 0 ? NULL : &overrides);
        ck_assert_str_eq(scenario->recorded_on->gpu_type, "p100");
        ck_assert_int_eq(scenario->recorded_on->gpus, 2);
        scenario_destroy(scenario);
    }
    harness_forget(old);
    harness_forget(new);
}
END_TEST

START_TEST(what_is_no_node_with_gpus_is_refused)
{
    refuse_text(POOLS(A100) "\"workload\": {" MADE ", \"recorded_on\": \"dgx-h1000\"}}", NULL,
                "workload.recorded_on: unknown kind of node 'dgx-h1000', did you mean 'dgx-h100'");
    refuse_text(POOLS(A100) "\"workload\": {" MADE ", \"recorded_on\": {\"gpus\": 0}}}", NULL,
                "workload.recorded_on: a node without GPUs");
    refuse_text(POOLS(A100) "\"workload\": {" MADE ", \"recorded_on\": {\"gpu_type\": \"a100\"}}}",
                NULL, "gpus");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorded_on");
    TCase *tcase = tcase_create("recorded_on");
    tcase_add_loop_test(tcase, it_is_said_or_that_of_the_first_pool_of_the_file, 0,
                        sizeof rows / sizeof *rows);
    tcase_add_test(tcase, each_part_may_have_its_own);
    tcase_add_test(tcase, of_a_list_it_is_the_first_node_with_gpus);
    tcase_add_test(tcase, what_is_no_node_with_gpus_is_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
