/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The folder of a sweep: results are read back, and damaged files are not taken for results. */
#include "report/results/sweep_results.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

#define ID_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define ID_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

static const char *const keys[] = {"policy", "x.y", "faults"};
static const char *const metrics[] = {"wait_s.p95", "jobs.completed", "sd.jobs.completed",
                                      "engine.journal_sha256", "none"};

/* Two points: {"policy": "a, \"b\"", "x.y": 0.25} and {"faults": null}. */
struct example {
    cJSON *policy, *number, *null;
    const cJSON *values[2][3];
    struct sweep_row rows[2];
    struct sweep_table table;
};

static void example_make(struct example *e)
{
    *e = (struct example){cJSON_CreateString("a, \"b\""),
                          cJSON_CreateNumber(0.25),
                          cJSON_CreateNull(),
                          {{NULL}},
                          {{{0}, NULL}},
                          {0}};
    e->values[0][0] = e->policy;
    e->values[0][1] = e->number;
    e->values[1][2] = e->null;
    memcpy(e->rows[0].id, ID_A, DIGEST_HEX);
    memcpy(e->rows[1].id, ID_B, DIGEST_HEX);
    e->rows[0].values = e->values[0];
    e->rows[1].values = e->values[1];
    e->table = (struct sweep_table){"n\"1", keys, metrics, ROWS(keys), ROWS(metrics), e->rows, 2};
}

static void example_free(struct example *e)
{
    cJSON_Delete(e->policy);
    cJSON_Delete(e->number);
    cJSON_Delete(e->null);
}

static const char expected_plan[] =
    "{\n \"fauxfleet_sweep_results\": 1,\n \"name\": \"n\\\"1\",\n \"keys\": [\"policy\", \"x.y\", "
    "\"faults\"],\n"
    " \"metrics\": [\"wait_s.p95\", \"jobs.completed\", \"sd.jobs.completed\", "
    "\"engine.journal_sha256\", \"none\"],\n"
    " \"points\": [\n"
    "  {\"id\": \"" ID_A "\", \"changes\": {\"policy\": \"a, \\\"b\\\"\", \"x.y\": 0.25}},\n"
    "  {\"id\": \"" ID_B "\", \"changes\": {\"faults\": null}}\n ]\n}\n";

START_TEST(a_plan_is_read_back)
{
    struct example e;
    struct folder folder;
    struct sweep_manifest manifest;
    struct err err = {0};
    bool changed = true;
    example_make(&e);
    folder_make(&folder);
    ck_assert_msg(sweep_table_write(&e.table, folder.path, &changed, &err), "%s", err.msg);
    ck_assert(!changed);
    char *text = folder_read(&folder, "plan.json");
    ck_assert_str_eq(text, expected_plan);
    free(text);
    ck_assert(!folder_has(&folder, "plan-1-of-2.json"));
    ck_assert_msg(sweep_manifest_open(&manifest, folder.path, &err), "%s", err.msg);
    struct out *out = out_memory();
    size_t n;
    sweep_table_print(&manifest.table, out);
    ck_assert_str_eq(out_memory_text(out, &n), expected_plan);
    out_discard(out);
    sweep_manifest_close(&manifest);
    /* The same again, then another one. */
    ck_assert(sweep_table_write(&e.table, folder.path, &changed, &err));
    ck_assert(!changed);
    e.table.row_count = 1;
    ck_assert(sweep_table_write(&e.table, folder.path, &changed, &err));
    ck_assert(changed);
    folder_remove(&folder);
    example_free(&e);
}
END_TEST

static const char summary[] =
    "{\n \"wait_s\": {\n  \"p95\": 12.5\n },\n \"jobs\": {\n  \"completed\": 3\n },\n \"sd\": {\n  "
    "\"jobs\": {\n   \"completed\": null\n  }\n },\n \"engine\": {\n  \"journal_sha256\": \"ab\"\n "
    "}\n}\n";

START_TEST(a_result_is_read_back_and_becomes_a_row)
{
    struct example e;
    struct folder folder;
    struct json_source result;
    struct err err = {0};
    size_t n;
    example_make(&e);
    folder_make(&folder);
    folder_sub(&folder, "points");
    ck_assert_int_eq(sweep_result_open(&result, folder.path, ID_A, &err), SWEEP_ABSENT);
    ck_assert_msg(sweep_result_write(&e.table, &e.rows[0], folder.path, summary, &err), "%s",
                  err.msg);
    char *text = folder_read(&folder, "points/" ID_A ".json");
    harness_contains(text, "{\n \"fauxfleet_point\": 1,\n \"id\": \"" ID_A
                           "\",\n \"changes\": {\"policy\": \"a, \\\"b\\\"\", \"x.y\": 0.25},\n"
                           " \"summary\": {\n  \"wait_s\": {\n   \"p95\": 12.5\n  },\n");
    free(text);
    ck_assert_int_eq(sweep_result_open(&result, folder.path, ID_A, &err), SWEEP_FOUND);
    struct out *out = out_memory();
    sweep_csv_header(&e.table, out);
    ck_assert(sweep_metrics_check(&e.table, sweep_result_summary(&result), &err));
    sweep_csv_row(&e.table, &e.rows[0], sweep_result_summary(&result), out);
    sweep_csv_row(&e.table, &e.rows[1], sweep_result_summary(&result), out);
    ck_assert_str_eq(out_memory_text(out, &n), "policy,x.y,faults,wait_s.p95,jobs.completed,sd."
                                               "jobs.completed,engine.journal_sha256,none,point\n"
                                               "\"a, \"\"b\"\"\",0.25,,12.5,3,,ab,," ID_A "\n"
                                               ",,null,12.5,3,,ab,," ID_B "\n");
    out_discard(out);
    json_source_close(&result);
    folder_remove(&folder);
    example_free(&e);
}
END_TEST

START_TEST(a_metric_is_one_value)
{
    static const char *const families[] = {"wait_s"};
    struct sweep_table table = {.metrics = families, .metric_count = 1};
    struct err err = {0};
    cJSON *json = cJSON_Parse(summary);
    ck_assert(!sweep_metrics_check(&table, json, &err));
    ck_assert_str_eq(err.msg,
                     "metric 'wait_s' is an object: name one value in it, such as 'wait_s.p95'");
    cJSON_Delete(json);
}
END_TEST

static const char *const damaged[] = {
    "",
    "{",
    "[]",
    "{\"id\": \"" ID_B "\", \"summary\": {}}",
    "{\"id\": \"" ID_A "\"}",
    "{\"id\": \"" ID_A "\", \"summary\": 3}",
};

START_TEST(a_damaged_file_is_no_result)
{
    struct folder folder;
    struct json_source result;
    struct err err = {0};
    folder_make(&folder);
    folder_sub(&folder, "points");
    folder_put(&folder, "points/" ID_A ".json", damaged[_i]);
    ck_assert_int_eq(sweep_result_open(&result, folder.path, ID_A, &err), SWEEP_DAMAGED);
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, ID_A);
    folder_remove(&folder);
}
END_TEST

static const char *const no_plans[] = {
    "",
    "3",
    "{}",
    "{\"fauxfleet_sweep_results\": 2, \"points\": []}",
    "{\"fauxfleet_sweep_results\": 1}",
    "{\"fauxfleet_sweep_results\": 1, \"points\": [3]}",
    "{\"fauxfleet_sweep_results\": 1, \"points\": [{\"id\": \"../x\", \"changes\": {}}]}",
    "{\"fauxfleet_sweep_results\": 1, \"points\": [{\"id\": \"" ID_A "\"}]}",
};

START_TEST(an_invalid_plan_is_refused)
{
    struct folder folder;
    struct sweep_manifest manifest;
    struct err err = {0};
    folder_make(&folder);
    ck_assert(!sweep_manifest_open(&manifest, folder.path, &err));
    harness_contains(err.msg, "is not the folder of a sweep");
    folder_put(&folder, "plan.json", no_plans[_i]);
    ck_assert(!sweep_manifest_open(&manifest, folder.path, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sweep_results");
    TCase *tcase = tcase_create("results");
    tcase_add_test(tcase, a_plan_is_read_back);
    tcase_add_test(tcase, a_result_is_read_back_and_becomes_a_row);
    tcase_add_test(tcase, a_metric_is_one_value);
    tcase_add_loop_test(tcase, a_damaged_file_is_no_result, 0, ROWS(damaged));
    tcase_add_loop_test(tcase, an_invalid_plan_is_refused, 0, ROWS(no_plans));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
