/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workloads: traces, generators, lists of both, and the lists for exact packing studies. */
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

/* Two nodes in a pool, one in another; queues a and b. */
#define FLEET                                                                                      \
    "{\"fauxfleet_scenario\": 1,\n"                                                                \
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": 8}, \"count\": 2},\n"         \
    "   {\"name\": \"q\", \"node\": {\"gpus\": 8}, \"count\": 1}]},\n"                             \
    " \"queues\": [{\"name\": \"alpha\"}, {\"name\": \"beta\"}],\n"
#define WORKLOAD(json) FLEET " \"workload\": " json "}"

START_TEST(parts_have_their_fields)
{
    struct scenario *scenario = load_text(
        WORKLOAD(
            "[{\"generate\": {\"profile\": \"teams\", \"load\": 0.8, \"gpus\": 64, \"teams\": "
            "[{\"queue\": \"alpha\"},"
            "{\"queue\": \"beta\", \"weight\": 2.5, \"users\": 3}]}, \"shake_s\": 1.5, \"growth\": "
            "1.3, \"jobs\": 10},"
            "{\"trace\": \"Makefile\", \"format\": \"swf\", \"time_scale\": 0.5, \"load_scale\": 2,"
            " \"assign\": {\"queue\": \"beta\", \"class\": \"build\"}}]"),
        NULL);
    ck_assert_uint_eq(scenario->source_count, 2);
    ck_assert_int_eq(scenario->mode, SCEN_REPLAY);
    ck_assert_int_eq(scenario->jitter_ms, 1500);
    ck_assert_double_eq(scenario->growth, 1.3);
    const struct scen_source *made = &scenario->sources[0], *read = &scenario->sources[1];
    ck_assert_ptr_null(made->trace);
    ck_assert_int_eq(made->jobs, 10);
    ck_assert_str_eq(made->generate.profile, "teams");
    ck_assert(made->generate.gpus_given);
    ck_assert_uint_eq(made->generate.parameter_count, 2);
    ck_assert_str_eq(made->generate.parameters[0].name, "gpus");
    ck_assert_double_eq(made->generate.parameters[1].value, 0.8);
    ck_assert_uint_eq(made->generate.team_count, 2);
    ck_assert_str_eq(made->generate.teams[0].queue, "alpha");
    ck_assert_double_eq(made->generate.teams[0].weight, 1);
    ck_assert_int_eq(made->generate.teams[0].users, 10);
    ck_assert_int_eq(made->generate.teams[1].users, 3);
    ck_assert_str_eq(read->trace, "Makefile");
    ck_assert_str_eq(read->format, "swf");
    ck_assert_int_eq(read->jobs, -1);
    ck_assert_double_eq(read->time_scale, 0.5);
    ck_assert_double_eq(read->load_scale, 2);
    ck_assert_str_eq(read->assign_queue, "beta");
    ck_assert_str_eq(read->assign_class, "build");
    scenario_destroy(scenario);
}
END_TEST

START_TEST(absent_keys_have_defaults)
{
    struct scenario *scenario =
        load_text(WORKLOAD("{\"generate\": {\"profile\": \"batch\"}}"), NULL);
    ck_assert_int_eq(scenario->jitter_ms, -1);
    ck_assert_double_eq(scenario->growth, 1);
    ck_assert(!scenario->sources[0].generate.gpus_given);
    ck_assert_uint_eq(scenario->sources[0].generate.team_count, 0);
    ck_assert_ptr_null(scenario->sources[0].assign_queue);
    ck_assert_ptr_null(scenario->fill_arrivals);
    ck_assert_ptr_null(scenario->node_rank);
    scenario_destroy(scenario);
}
END_TEST

static const struct refused_row {
    const char *text, *part;
} refused_rows[] = {
    {WORKLOAD("{}"), "t.json:5: workload: no trace: give --trace FILE or workload.trace"},
    {FLEET "\"seed\": 1}", "workload: no trace: give --trace FILE or workload.trace"},
    {WORKLOAD("[{\"trace\": \"Makefile\"},\n{}]"), "t.json:6: workload[1]: no trace"},
    {WORKLOAD("{\"trace\": \"no/such.csv\"}"),
     "workload.trace: cannot open 'no/such.csv': No such file"},
    {WORKLOAD("{\"trace\": \"Makefile\", \"format\": \"heliso\"}"),
     "workload.format: unknown trace format 'heliso', did you mean 'helios'?"},
    {WORKLOAD("{\"generate\": {\"profile\": \"taems\"}}"),
     "workload.generate.profile: unknown profile 'taems', did you mean 'teams'?"},
    {WORKLOAD("{\"generate\": {\"profile\": \"teams\",\n \"laod\": 1}}"),
     "t.json:6: workload.generate.laod: unknown parameter 'laod' of the profile 'teams', did you "
     "mean 'load'?"},
    {WORKLOAD("{\"generate\": {}}"), "workload.generate: the key 'profile' is missing"},
    {WORKLOAD("{\"generate\": {\"profile\": \"teams\", \"teams\": [{\"queue\": \"alhpa\"}]}}"),
     "workload.generate.teams[0].queue: unknown queue 'alhpa', did you mean 'alpha'?"},
    {WORKLOAD("{\"trace\": \"Makefile\", \"assign\": {\"queue\": \"bteas\"}}"),
     "workload.assign.queue: unknown queue 'bteas'"},
    {WORKLOAD("{\"trace\": \"Makefile\", \"tune\": 1.3}"),
     "workload.tune: is only used where workload.mode is \"fill\""},
    {WORKLOAD("{\"mode\": \"fill\", \"trace\": \"Makefile\", \"growth\": 2}"),
     "workload.growth: is not used where workload.mode is \"fill\""},
    {WORKLOAD("{\"trace\": \"Makefile\", \"growth\": 0}"), "workload.growth"},
    {WORKLOAD("{\"trace\": \"Makefile\", \"arrivals\": \"x\"}"),
     "workload.arrivals: is only used where workload.mode is \"fill\""},
    {WORKLOAD("[{\"mode\": \"fill\", \"trace\": \"Makefile\", \"arrivals\": \"x\"}, {\"trace\": "
              "\"Makefile\"}]"),
     "workload[0].arrivals: numbers the rows of one trace, but the workload has 2 parts"},
    {WORKLOAD("{\"mode\": \"fill\", \"trace\": \"Makefile\", \"arrivals\": \"no/such.txt\"}"),
     "t.json:5: workload.arrivals: "},
};

START_TEST(workloads_are_refused)
{
    refuse_text(refused_rows[_i].text, NULL, refused_rows[_i].part);
}
END_TEST

static const struct list_row {
    const char *key, *lines;
    const char *part; // NULL: accepted
} list_rows[] = {
    {"arrivals", "2\n0\n0\n1\n", NULL},
    {"arrivals", "2\n-1\n", "entry 2 is -1, expected a data row, 0 or more"},
    {"arrivals", "2\nx\n", "workload.arrivals: "},
    {"arrivals", "", "workload.arrivals: "},
    {"node_rank", "2\n0\n1\n", NULL},
    {"node_rank", "7\n4194303\n0\n", NULL},
    {"node_rank", "2\n0\n", "2 ranks for 3 nodes; expected one for each node"},
    {"node_rank", "2\n0\n1\n3\n", "4 ranks for 3 nodes"},
    {"node_rank", "2\n0\n2\n", "the rank 2 is given twice; ranks are unique"},
    {"node_rank", "2\n0\n-1\n", "the rank -1 is out of range, expected 0 to 4194303"},
    {"node_rank", "2\n0\n4194304\n", "the rank 4194304 is out of range"},
};

START_TEST(lists_of_exact_studies_are_read)
{
    const struct list_row *row = &list_rows[_i];
    char path[256];
    harness_file(path, sizeof path, ".txt", row->lines, strlen(row->lines));
    char *set = mem_format("workload.%s=%s", row->key, path);
    const char *sets[] = {set};
    struct scen_overrides overrides = {.set = sets, .set_count = 1};
    static const char text[] =
        WORKLOAD("{\"mode\": \"fill\", \"tune\": 1.3, \"trace\": \"Makefile\"}");
    if (row->part) {
        refuse_text(text, &overrides, row->part);
    } else {
        struct scenario *scenario = load_text(text, &overrides);
        ck_assert_int_eq(scenario->mode, SCEN_FILL);
        ck_assert_double_eq(scenario->fill_tune, 1.3);
        bool arrivals = strcmp(row->key, "arrivals") == 0;
        ck_assert_uint_eq(arrivals ? scenario->fill_arrival_count : scenario->node_rank_count,
                          arrivals ? 4 : 3);
        ck_assert_int_eq((arrivals ? scenario->fill_arrivals : scenario->node_rank)[0],
                         row->lines[0] - '0');
        scenario_destroy(scenario);
    }
    free(set);
    harness_forget(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_workload");
    TCase *tcase = tcase_create("workload");
    tcase_add_test(tcase, parts_have_their_fields);
    tcase_add_test(tcase, absent_keys_have_defaults);
    tcase_add_loop_test(tcase, workloads_are_refused, 0, ROWS(refused_rows));
    tcase_add_loop_test(tcase, lists_of_exact_studies_are_read, 0, ROWS(list_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
