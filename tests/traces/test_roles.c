/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Roles of a table's columns: by name, by content, and mapped. */
#include "tests/lib/harness.h"
#include "traces/roles.h"

#include <string.h>

static const struct {
    const char *head, *map;
    const char *words; /* after "columns: ", up to the words about --map; or part of the error */
} tables[] = {
    {"id,submit_s,duration_min,gpu count\n1,2,3,4\n", NULL,
     "job_id=id, submit=submit_s, duration=duration_min, gpus=gpu count"},
    /* The better name gets the role. */
    {"Elapsed,ElapsedRaw,SubmitTime,ReqTRES,AllocTRES\n", NULL,
     "submit=SubmitTime, duration=ElapsedRaw, gpus=ReqTRES; not used: Elapsed, AllocTRES"},
    /* Three moments in the order of a job's life, whatever the order of columns. */
    {"c,a,b,GPUs\n2026-01-05 09:00:00,2026-01-05 08:00:00,2026-01-05 08:30:00,1\n", NULL,
     "submit=a, start=b, end=c, gpus=GPUs"},
    /* Epoch numbers are moments, small numbers are not. */
    {"when,n,took,gpus\n1767600000,17,1:00:00,1\n", NULL,
     "submit=when, duration=took, gpus=gpus; not used: n"},
    {"when,took,what\n1767600000,1:00:00,gres/gpu:h100=8\n", NULL,
     "submit=when, duration=took, gpus=what"},
    /* Two candidates are none. */
    {"when,then,took,gpus\n1767600000,1767600000,1:00:00,1\n", NULL,
     "no column says when a job was submitted; name it: --map submit=COLUMN"},
    {"when,took,gpus\n1767600000,5,1\n", NULL,
     "no column says how long a job ran; name it: --map duration=COLUMN, or --map "
     "start=COLUMN,end=COLUMN"},
    {"submit,duration,size\n1,5,1\n", NULL,
     "no column says how many GPUs a job had; name it: --map gpus=COLUMN"},
    {"submit,duration,size\n1,5,1\n", "gpus=size", "submit=submit, duration=duration, gpus=size"},
    /* A mapped role is not guessed as well, and one mapped to nothing is not guessed at all. */
    {"submit,duration,gpus,user,who\n1,5,1,a,b\n", "user=who",
     "submit=submit, duration=duration, gpus=gpus, user=who; not used: user"},
    {"submit,duration,gpus,user,who\n1,5,1,a,b\n",
     "user=", "submit=submit, duration=duration, gpus=gpus; not used: user, who"},
    {"submit,duration,gpus\n", "gpus=gpu",
     "map: the header has no column 'gpu', did you mean "
     "'gpus'?"},
    {"submit,duration,gpus\n", "start=submit,submit=submit",
     "map: column 'submit' is both start and submit"},
    {"submit,duration,gpus\n", "gpus", "map: 'gpus', expected ROLE=COLUMN"},
    {"no table\n", NULL, "no table: expected a header row with several columns"},
};

START_TEST(roles_of_columns)
{
    struct roles roles;
    struct err err = {0};
    bool found =
        roles_find(&roles, tables[_i].head, strlen(tables[_i].head), ',', tables[_i].map, &err);
    const char *words = found ? roles.words + strlen("columns: ") : err.msg;
    ck_assert_msg(strncmp(words, tables[_i].words, strlen(tables[_i].words)) == 0, "%s", words);
    if (found)
        ck_assert_str_eq(words + strlen(tables[_i].words), " (--map says it otherwise)");
    roles_fini(&roles);
}
END_TEST

START_TEST(units_of_names)
{
    ck_assert_int_eq(roles_unit_ms("duration"), 1000);
    ck_assert_int_eq(roles_unit_ms("duration_s"), 1000);
    ck_assert_int_eq(roles_unit_ms("Run Time (min)"), 60000);
    ck_assert_int_eq(roles_unit_ms("runtimeHours"), 3600000);
    ck_assert_int_eq(roles_unit_ms("wall_ms"), 1);
    ck_assert_int_eq(roles_unit_ms("TimelimitRaw"), 60000);
    ck_assert_int_eq(roles_unit_ms("hours"), 1000); // the whole name is no unit
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("roles");
    TCase *tcase = tcase_create("roles");
    tcase_add_loop_test(tcase, roles_of_columns, 0, ROWS(tables));
    tcase_add_test(tcase, units_of_names);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
