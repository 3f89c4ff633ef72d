/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues: units, defaults, trees, pools, files. */
#include "sim/base/mem.h"
#include "tests/scenarios/scenarios.h"

#include <stdlib.h>

// clang-format off
static const struct queue_row {
    const char *json;
    int priority;
    int64_t gpu[3], cpu[3], mem[3]; // quota, limit, weight as in the struct
} queue_rows[] = {
    {"\"priority\": 100", 100, {0, -1, 1000}, {-1, -1, 1000}, {-1, -1, 1000}},
    {"\"priority\": -3", -3, {0, -1, 1000}, {-1, -1, 1000}, {-1, -1, 1000}},
    {"\"gpu\": {\"quota\": 2}", 100, {2000, -1, 2000}, {-1, -1, 1000}, {-1, -1, 1000}},
    {"\"gpu\": {\"quota\": 0.5, \"limit\": 0.75}", 100, {500, 750, 500}, {-1, -1, 1000}, {-1, -1,
     1000}},
    {"\"gpu\": {\"quota\": -1}", 100, {-1, -1, 1000}, {-1, -1, 1000}, {-1, -1, 1000}},
    {"\"gpu\": {\"quota\": 8, \"weight\": 0.333}", 100, {8000, -1, 333}, {-1, -1, 1000}, {-1, -1,
     1000}},
    {"\"gpu\": {\"limit\": 0, \"weight\": 0}", 100, {0, 0, 0}, {-1, -1, 1000}, {-1, -1, 1000}},
    {"\"cpu\": {\"quota\": 16, \"limit\": 32.5}", 100, {0, -1, 1000}, {16000, 32500, 16000}, {-1,
     -1, 1000}},
    {"\"mem\": {\"quota\": 1024, \"limit\": 4096, \"weight\": 2}", 100, {0, -1, 1000}, {-1, -1,
     1000},
     {1024, 4096, 2000}},
};
// clang-format on

START_TEST(shares_become_smallest_units)
{
    const struct queue_row *row = &queue_rows[_i];
    char *text = mem_format(WITH("\"queues\": [{\"name\": \"q\", %s}]"), row->json);
    struct scenario *scenario = load_text(text, NULL);
    const struct scen_queue *q = &scenario->queues[0];
    ck_assert(!scenario->queues_from_trace);
    ck_assert_int_eq(q->priority, row->priority);
    ck_assert_int_eq(q->gpu_quota_milli, row->gpu[0]);
    ck_assert_int_eq(q->gpu_limit_milli, row->gpu[1]);
    ck_assert_int_eq(q->gpu_weight_milli, row->gpu[2]);
    ck_assert_int_eq(q->cpu_quota_milli, row->cpu[0]);
    ck_assert_int_eq(q->cpu_limit_milli, row->cpu[1]);
    ck_assert_int_eq(q->cpu_weight_milli, row->cpu[2]);
    ck_assert_int_eq(q->mem_quota_mib, row->mem[0]);
    ck_assert_int_eq(q->mem_limit_mib, row->mem[1]);
    ck_assert_int_eq(q->mem_weight_milli, row->mem[2]);
    scenario_destroy(scenario);
    free(text);
}
END_TEST

START_TEST(queues_protect_their_jobs)
{
    struct scenario *scenario =
        load_text(WITH("\"queues\": [{\"name\": \"q\", \"preempt_min_runtime_s\": \"10m\", "
                       "\"reclaim_min_runtime_s\": 0, \"gpu\": {\"quota\": 2, \"fixed\": 1.5}}, "
                       "{\"name\": \"r\"}]"),
                  NULL);
    ck_assert_int_eq(scenario->queues[0].preempt_min_runtime_ms, 600000);
    ck_assert_int_eq(scenario->queues[0].reclaim_min_runtime_ms, 0);
    ck_assert_int_eq(scenario->queues[0].fixed_milli, 1500);
    ck_assert_int_eq(scenario->queues[1].preempt_min_runtime_ms, -1);
    ck_assert_int_eq(scenario->queues[1].reclaim_min_runtime_ms, -1);
    ck_assert_int_eq(scenario->queues[1].fixed_milli, 0);
    scenario_destroy(scenario);
}
END_TEST

#define Q(name, parent) "{\"name\": \"" name "\", \"parent\": \"" parent "\"}"
// clang-format off
static const struct refused_row {
    const char *queues, *part;
} refused_rows[] = {
    {Q("a", "") ",\n" Q("a", ""), "t.json:5: queues[1].name: there are two queues of the name 'a'"},
    {Q("dept", "") ",\n" Q("team", "detp"),
     "t.json:5: queues[1].parent: unknown queue 'detp', did you mean 'dept'?"},
    {Q("a", "a"), "queues[0].parent: the queue 'a' is its own ancestor"},
    {Q("x", "") "," Q("a", "b") "," Q("b", "c") "," Q("c", "a"),
     "queues[1].parent: the queue 'a' is its own ancestor"},
    {Q("top", "a") "," Q("a", "b") "," Q("b", "a"), "queues[1].parent: the queue 'a' is its own "
                                                    "ancestor"},
    {"{\"name\": \"a\", \"pools\": [\"p\", \"q\"]}", "queues[0].pools[1]: unknown pool 'q'"},
    {"{\"name\": \"a\", \"pools\": [\"p\", \"p\"]}", "queues[0].pools[1]: the pool 'p' is named "
                                                     "twice"},
    {"{\"name\": \"a\", \"pools\": [\"P\"]}", "queues[0].pools[0]: unknown pool 'P'"},
    {"{\"name\": \"a\", \"gpu\": {\"fixed\": 2}}",
     "queues[0].gpu.fixed: 2 GPUs are kept for sessions that never get more than the queue's quota "
     "of 0"},
    {"{\"name\": \"a\"},\n{\"name\": \"b\", \"gpu\": {\"quota\": -1, \"limit\": 1.5, \"fixed\": "
     "2}}",
     "t.json:5: queues[1].gpu.fixed: 2 GPUs are kept for sessions that never get more than the "
     "queue's limit of 1.5"},
};
// clang-format on

START_TEST(queues_are_refused)
{
    char *text = mem_format(WITH("\"queues\": [%s]"), refused_rows[_i].queues);
    refuse_text(text, NULL, refused_rows[_i].part);
    free(text);
}
END_TEST

START_TEST(trees_and_pools_are_kept)
{
    struct scenario *scenario = load_text(
        WITH("\"queues\": [" Q("leaf", "mid") "," Q("mid", "root") "," Q("root", "") "," Q(
            "leaf2", "mid") ","
                            "{\"name\": \"bound\", \"pools\": [\"p\"]}, {\"name\": \"free\", "
                            "\"pools\": []}]"),
        NULL);
    ck_assert_uint_eq(scenario->queue_count, 6);
    ck_assert_str_eq(scenario->queues[0].parent, "mid");
    ck_assert_str_eq(scenario->queues[2].parent, "");
    ck_assert_uint_eq(scenario->queues[4].pool_count, 1);
    ck_assert_str_eq(scenario->queues[4].pools[0], "p");
    ck_assert_uint_eq(scenario->queues[5].pool_count, 0);
    ck_assert_ptr_null(scenario->queues[5].pools);
    scenario_destroy(scenario);
}
END_TEST

START_TEST(long_chains_of_parents_are_no_circles)
{
    struct out *out = out_memory();
    enum { COUNT = 2000 };
    for (int i = 0; i < COUNT; i++)
        out_format(out, "%s{\"name\": \"q%d\", \"parent\": \"%s%.0d\"}", i ? "," : "", i,
                   i + 1 < COUNT ? "q" : "", i + 1 < COUNT ? i + 1 : 0);
    size_t n;
    char *text = mem_format(WITH("\"queues\": [%s]"), out_memory_text(out, &n));
    struct scenario *scenario = load_text(text, NULL);
    ck_assert_uint_eq(scenario->queue_count, COUNT);
    scenario_destroy(scenario);
    free(text);
    out_discard(out);
}
END_TEST

START_TEST(files_of_queues_are_read)
{
    static const char csv[] =
        "name,parent,gpu_quota,gpu_limit,gpu_weight\ndept,,8,-1,2\nteam,dept,0.5,4,1\n";
    char path[256];
    harness_file(path, sizeof path, ".csv", csv, strlen(csv));
    char *set = mem_format("queues_file=%s", path);
    const char *sets[] = {set};
    struct scen_overrides overrides = {.set = sets, .set_count = 1};
    struct scenario *scenario = load_text(WITH("\"queues\": [{\"name\": \"old\"}]"), &overrides);
    ck_assert(!scenario->queues_from_trace);
    ck_assert_uint_eq(scenario->queue_count, 2);
    ck_assert_str_eq(scenario->queues[1].parent, "dept");
    ck_assert_int_eq(scenario->queues[0].gpu_quota_milli, 8000);
    ck_assert_int_eq(scenario->queues[0].gpu_limit_milli, -1);
    ck_assert_int_eq(scenario->queues[0].gpu_weight_milli, 2000);
    ck_assert_int_eq(scenario->queues[1].gpu_quota_milli, 500);
    ck_assert_int_eq(scenario->queues[1].priority, 100);
    scenario_destroy(scenario);
    harness_forget(path);
    refuse_text(WITHOUT_KEYS, &overrides, "--set queues_file: ");
    free(set);
}
END_TEST

static const struct file_row {
    const char *csv, *part; // the message begins with the file's name
} file_rows[] = {
    {"name,parent,gpu_quota\ndept,,8\nteam,detp,0.5\n",
     ":3:2: unknown queue 'detp', did you mean 'dept'?"},
    {"gpu_quota,name\n8,a\n\n4,a\n", ":4:2: there are two queues of the name 'a'"},
    {"name,gpu_quota,parent\na,1,b\nb,1,a\n", ":2:3: the queue 'a' is its own ancestor"},
};

START_TEST(rows_of_files_are_refused_where_they_stand)
{
    char path[256];
    harness_file(path, sizeof path, ".csv", file_rows[_i].csv, strlen(file_rows[_i].csv));
    char *set = mem_format("queues_file=%s", path);
    char *part = mem_format("--set queues_file: %s%s", path, file_rows[_i].part);
    const char *sets[] = {set};
    refuse_text(WITHOUT_KEYS, &(struct scen_overrides){.set = sets, .set_count = 1}, part);
    harness_forget(path);
    free(part);
    free(set);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_queues");
    TCase *tcase = tcase_create("queues");
    tcase_add_loop_test(tcase, shares_become_smallest_units, 0, ROWS(queue_rows));
    tcase_add_test(tcase, queues_protect_their_jobs);
    tcase_add_loop_test(tcase, queues_are_refused, 0, ROWS(refused_rows));
    tcase_add_test(tcase, trees_and_pools_are_kept);
    tcase_add_test(tcase, long_chains_of_parents_are_no_circles);
    tcase_add_test(tcase, files_of_queues_are_read);
    tcase_add_loop_test(tcase, rows_of_files_are_refused_where_they_stand, 0, ROWS(file_rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
