/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening a run directory: values of the summary, and the errors of a damaged one. */
#include "report/results/rundir.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *summary; /* NULL: no file */
    const char *message;
} damaged_rows[] = {
    {NULL, "summary.json': No such file"},
    {"", "summary.json: line 1: not valid JSON"},
    {"{\n \"a\": 1,\n \"b\": }\n", "summary.json: line 3: not valid JSON"},
    {"{\"fauxfleet_summary\": 1} trailing", "not valid JSON"},
    {"[1, 2]", "no key 'fauxfleet_summary'"},
    {"{\"jobs\": {}}", "no key 'fauxfleet_summary'"},
    {"{\"fauxfleet_summary\": 2}", "fauxfleet_summary: unknown version"},
    {"{\"fauxfleet_summary\": \"1\"}", "fauxfleet_summary: unknown version"},
    {"\x7F"
     "ELF\x01\x02",
     "line 1: not valid JSON"},
};

START_TEST(damage_is_an_input_error)
{
    struct folder folder;
    struct rundir run;
    struct err err = {0};
    folder_make(&folder);
    if (damaged_rows[_i].summary)
        folder_put(&folder, "summary.json", damaged_rows[_i].summary);
    ck_assert(!rundir_open(&run, folder.path, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, damaged_rows[_i].message);
    folder_remove(&folder);
}
END_TEST

START_TEST(paths_lead_to_values)
{
    struct folder folder;
    struct rundir run;
    struct err err = {0};
    folder_make(&folder);
    folder_put(
        &folder, "summary.json",
        "{\"fauxfleet_summary\": 1, \"policy\": \"fifo\", \"window\": {\"start_s\": 5, \"end_s\": "
        "65.5},\"a\": {\"b\": {\"c\": 7, \"n\": null, \"big\": 1e999}}, \"fill\": null}");
    ck_assert_msg(rundir_open(&run, folder.path, &err), "%s", err.msg);
    ck_assert_str_eq(json_text_at(run.summary, "policy"), "fifo");
    ck_assert_str_eq(json_text_at(run.summary, "a"), "");
    ck_assert_double_eq(json_number_at(run.summary, "a.b.c"), 7);
    ck_assert(isnan(json_number_at(run.summary, "a.b.n")));
    ck_assert(isnan(json_number_at(run.summary, "a.b.big")));
    ck_assert(isnan(json_number_at(run.summary, "a.b.c.d")));
    ck_assert(isnan(json_number_at(run.summary, "A.b.c")));
    ck_assert_double_eq(rundir_window_start(&run), 5);
    ck_assert_double_eq(rundir_window_end(&run), 65.5);
    ck_assert_int_eq(run.replicas, 1);
    ck_assert_str_eq(run.data, folder.path);
    ck_assert_str_eq(run.prefix, "");
    ck_assert(!rundir_is_fill(&run));
    rundir_close(&run);
    folder_remove(&folder);
}
END_TEST

START_TEST(files_of_replicas_are_those_of_the_first)
{
    struct folder folder;
    struct rundir run;
    struct err err = {0};
    folder_make(&folder);
    folder_sub(&folder, "rep-1");
    folder_put(&folder, "rep-1/timeline.csv", "time_s\n");
    folder_put(&folder, "summary.json", "{\"fauxfleet_summary\": 1, \"replicas\": [{}, {}, {}]}");
    ck_assert_msg(rundir_open(&run, folder.path, &err), "%s", err.msg);
    ck_assert_int_eq(run.replicas, 3);
    ck_assert_str_eq(run.prefix, "rep-1/");
    ck_assert_str_eq(run.data, folder_path(&folder, "rep-1"));
    rundir_close(&run);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rundir");
    TCase *tcase = tcase_create("open");
    tcase_add_loop_test(tcase, damage_is_an_input_error, 0, ROWS(damaged_rows));
    tcase_add_test(tcase, paths_lead_to_values);
    tcase_add_test(tcase, files_of_replicas_are_those_of_the_first);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
