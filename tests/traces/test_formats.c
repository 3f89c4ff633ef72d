/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detection of formats. */
#include "tests/lib/harness.h"
#include "traces/formats.h"

#include <string.h>

static const struct {
    const char *head, *format;
} heads[] = {
    {"job_id,submit_s,duration_s,gpus\n", "native"},
    {"gpus_per_task,job_id,duration_s,submit_s,tasks", "native"},
    {"\n\r\n\xef\xbb\xbf", NULL},
    {"\xef\xbb\xbf"
     "job_id,submit_s,duration_s,mig\r\n",
     "native"},
    {"job_id,sbmit_s,duration_s,gpus\n", "native"}, // one name is wrong
    {"job_id,submit,duration_s,gpus,tasks,class\n", "native"},
    {"job_id,submit,duration_s,gpus\n", "table"}, // which has other names
    {"job_id;submit_s;duration_s;gpus\n", "native"},
    {"\"job_id\"\t\"submit_s\"\t\"duration_s\"\t\"gpus\"\n", "native"},
    {"JobID;State;Submit;Elapsed;ReqTRES\n", "sacct"},
    {"Pod,Created,Started At,Finished At,nvidia.com/gpu\n", "table"},
    {"job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,"
     "queue\n",
     "helios"},
    {"seq,job_id,user,vc,gpu_num,cpu_num,state,submit_s,duration_s\n", "helios"},
    {"name,cpu_milli,memory_mib,num_gpu,gpu_milli\n", "openb"},
    {"gpu_milli,num_gpu,memory_mib,cpu_milli,name,gpu_spec,qos\n", "openb"},
    {"; UnixStartTime: 0\n1 2 3\n", "swf"},
    {";", "swf"},
    {"1 297 -1 21401 2 -1 -1 2 62305 1 1 0 1 -1 1 1 -1 -1\n", "swf"},
    {"1 297 -1 21401 2 -1 -1 2 62305 1 1 0 1 -1 1 1 -1\n", NULL},
    {"sn,cpu_milli,memory_mib,gpu,model\n", NULL}, // a list of nodes
    {"a,b,c\n", NULL},
    {"\n\n", NULL},
    {"{\"json\": 1}\n", NULL},
};

START_TEST(formats_by_content)
{
    struct err err = {0};
    const struct trace_format *format =
        format_detect("t", heads[_i].head, strlen(heads[_i].head), &err);
    if (heads[_i].format) {
        ck_assert_msg(format != NULL, "%s", err.msg);
        ck_assert_str_eq(format_name(format), heads[_i].format);
    } else {
        ck_assert_ptr_null(format);
        ck_assert_int_eq(err.code, EXIT_INPUT);
        harness_contains(err.msg, "t:");
    }
}
END_TEST

START_TEST(what_is_said_of_an_unknown_header)
{
    struct err err = {0};
    ck_assert_ptr_null(format_detect("jobs.csv", "\nwhen,what,\x01where\nx", 18, &err));
    ck_assert_str_eq(
        err.msg,
        "jobs.csv:2:1: unknown format ('list formats' shows what is read; a "
        "table of jobs is read with --map "
        "submit=COLUMN,duration=COLUMN,gpus=COLUMN); the file begins 'when,what,\\x01where'");
}
END_TEST

START_TEST(formats_by_name)
{
    struct err err = {0};
    size_t count;
    const struct trace_format_row *rows = trace_formats(&count);
    ck_assert_uint_ge(count, 4);
    for (size_t i = 0; i < count; i++) {
        ck_assert_uint_gt(strlen(rows[i].summary), 10);
        ck_assert_str_eq(format_name(format_find(rows[i].name, &err)), rows[i].name);
    }
    ck_assert_ptr_null(format_find("nativ", &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    ck_assert_str_eq(
        err.msg, "unknown trace format 'nativ', did you mean 'native'? ('list formats' shows all)");
}
END_TEST

/* A format has either columns or a reader of lines or of objects, with everything that belongs to
 * it. */
START_TEST(formats_are_complete)
{
    struct err err = {0};
    size_t count;
    const struct trace_format_row *rows = trace_formats(&count);
    for (size_t i = 0; i < count; i++) {
        const struct trace_format *format = format_find(rows[i].name, &err);
        ck_assert_int_eq(format->columns != NULL, format->finish != NULL);
        ck_assert_int_eq(format->columns != NULL, format->column_count > 0);
        ck_assert_int_eq(format->columns == NULL,
                         format->line_read != NULL || format->object_read != NULL);
        ck_assert(!format->line_read || !format->object_read);
        ck_assert_int_eq(format->columns == NULL || format->header != NULL, format->detect != NULL);
        ck_assert_int_eq(format->open != NULL, format->close != NULL);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("formats");
    TCase *tcase = tcase_create("formats");
    tcase_add_loop_test(tcase, formats_by_content, 0, ROWS(heads));
    tcase_add_test(tcase, what_is_said_of_an_unknown_header);
    tcase_add_test(tcase, formats_by_name);
    tcase_add_test(tcase, formats_are_complete);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
