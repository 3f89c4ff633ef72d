/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Non-trace tables, by their headers; and that none of our formats is mistaken for one. */
#include "tests/lib/harness.h"
#include "traces/formats.h"
#include "traces/non_traces.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *line, *what; /* NULL: unknown */
} rows[] = {
    {"sn,cpu_milli,memory_mib,gpu,model", "a list of nodes"},
    {"ip,DSW,PSW,ASW\r", "places in a network"},
    {"TIMESTAMP,ContextTokens,GeneratedTokens", "requests to a language model"},
    {"job_name,inst_id,user,status", "pai_task_table.csv"},
    {"runtime", "run times alone"},
    {"runtimes,snow", NULL},
    {"", NULL},
};

START_TEST(headers)
{
    const char *what = non_trace_table(rows[_i].line, strlen(rows[_i].line));
    ck_assert_int_eq(what != NULL, rows[_i].what != NULL);
    if (what)
        harness_contains(what, rows[_i].what);
}
END_TEST

/* The first two are the output of sacct without options, and with -P alone. */
static const struct {
    const char *line;
    bool is;
} sacct_rows[] = {
    {"JobID           JobName  Partition    Account  AllocCPUS      State ExitCode", true},
    {"JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode", true},
    {"       JobIDRaw      State", true},
    {"JobID|State|Submit|ElapsedRaw|ReqTRES", false},
    {"JobID|Submit", false},
    {"JobIDs|State", false},
    {"JobID", false},
    {"job_id,submit_s,duration_s,gpus", false},
    {"", false},
};

START_TEST(output_of_sacct)
{
    struct err err = {0};
    const char *line = sacct_rows[_i].line;
    ck_assert_int_eq(non_trace_sacct(line, strlen(line)), sacct_rows[_i].is);
    if (!sacct_rows[_i].is)
        return;
    ck_assert_ptr_null(format_detect("t", line, strlen(line), &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "write them with: sacct -a -X -P ");
    harness_contains(err.msg, " > sacct.txt");
}
END_TEST

START_TEST(objects)
{
    static const struct {
        const char *head, *what;
    } heads[] = {
        {"{\n    \"apiVersion\": \"v1\",\n    \"items\": [", "objects of Kubernetes"},
        {"{\"meta\": {\"slurm\": {\"version\": {", "of a Slurm cluster"},
        {"{\n \"jobs\": [{\"job_id\": 1, \"job_state\": \"R", "of a Slurm cluster"},
        {"{\"fauxfleet_snapshot\": 1", "a snapshot of a cluster"},
        {"{\"fauxfleet_scenario\": 1", "a scenario"},
        {"{\"alexnet\": 1}", NULL},
        {"\"apiVersion\"", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < ROWS(heads); i++) {
        struct err err = {0};
        const char *what = non_trace_object(heads[i].head, strlen(heads[i].head));
        ck_assert_int_eq(what != NULL, heads[i].what != NULL);
        if (!what)
            continue;
        harness_contains(what, heads[i].what);
        ck_assert_ptr_null(format_detect("t", heads[i].head, strlen(heads[i].head), &err));
        harness_contains(err.msg, "t:1:1: no job trace: this is ");
        harness_contains(err.msg, heads[i].what);
    }
}
END_TEST

/* A header row with all columns of a format is detected as that format, or as one that needs no
 * more of them. */
START_TEST(formats_are_traces)
{
    size_t count;
    struct err err = {0};
    const struct trace_format_row *formats = trace_formats(&count);
    for (size_t i = 0; i < count; i++) {
        const struct trace_format *format = format_find(formats[i].name, &err);
        char line[4096] = "";
        for (size_t c = 0; c < format->column_count; c++) {
            size_t used = strlen(line);
            (void)snprintf(line + used, sizeof line - used, "%s%s",
                           c ? format->delimiter ? "|" : "," : "", format->columns[c].name);
        }
        if (!format->columns)
            continue;
        const struct trace_format *found = format_detect("t", line, strlen(line), &err);
        ck_assert_msg(found != NULL, "%s: %s", formats[i].name, err.msg);
        ck_assert_str_eq(format_name(found), formats[i].name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("non_traces");
    TCase *tcase = tcase_create("non_traces");
    tcase_add_loop_test(tcase, headers, 0, ROWS(rows));
    tcase_add_loop_test(tcase, output_of_sacct, 0, ROWS(sacct_rows));
    tcase_add_test(tcase, objects);
    tcase_add_test(tcase, formats_are_traces);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
