/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --shard by number and from the variables of engines. The source is in no library. */
#include "sim/study/shard.c"

#include "tests/lib/harness.h"

#include <stdio.h>

/* A row: the argument, the environment as NAME=VALUE separated by blanks, and "i/n" or a part of
 * the error. */
static const struct row {
    const char *text, *environment, *expected;
    bool ok;
} rows[] = {
    {"1/1", "", "1/1", true},
    {"2/5", "", "2/5", true},
    {"5/5", "SLURM_PROCID=3 SLURM_NTASKS=7", "5/5", true},
    {"6/5", "", "expected i/n", false},
    {"0/5", "", "expected i/n", false},
    {"-1/5", "", "expected i/n", false},
    {"1/5x", "", "expected i/n", false},
    {" 1/5", "", "expected i/n", false},
    {"1", "", "expected i/n", false},
    {"/5", "", "expected i/n", false},
    {"1/0", "", "expected i/n", false},
    {"1/99999999999999", "", "expected i/n", false},
    {"auto/", "", "expected i/n", false},
    {"auto/0", "", "expected i/n", false},
    {"automatic", "", "expected i/n", false},
    {"auto", "", "nothing says which part", false},
    {"auto/3", "", "nothing says which part", false},
    /* variables of engines */
    {"auto", "FAUXFLEET_SHARD_INDEX=0 FAUXFLEET_SHARD_TOTAL=4", "1/4", true},
    {"auto",
     "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=1 "
     "SLURM_ARRAY_TASK_COUNT=16",
     "3/16", true},
    {"auto", "SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_COUNT=16", "1/16",
     true},
    {"auto",
     "SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_STEP=4 "
     "SLURM_ARRAY_TASK_COUNT=5",
     "4/5", true},
    {"auto/5",
     "SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_MIN=2 SLURM_ARRAY_TASK_STEP=4 "
     "SLURM_ARRAY_TASK_COUNT=5",
     "4/5", true},
    {"auto",
     "SLURM_ARRAY_TASK_ID=3 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_COUNT=16 SLURM_PROCID=0 "
     "SLURM_NTASKS=8",
     "3/16", true},
    {"auto", "SLURM_PROCID=7 SLURM_NTASKS=8", "8/8", true},
    {"auto", "SLURM_PROCID=0 SLURM_NTASKS=1", "1/1", true},
    {"auto", "SLURM_PROCID=0 SLURM_NTASKS=1 OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2", "2/2",
     true},
    {"auto", "OMPI_COMM_WORLD_RANK=2 OMPI_COMM_WORLD_SIZE=4", "3/4", true},
    {"auto", "PMI_RANK=0 PMI_SIZE=3", "1/3", true},
    {"auto", "JOB_COMPLETION_INDEX=4 JOB_COMPLETIONS=5", "5/5", true},
    {"auto/5", "JOB_COMPLETION_INDEX=4", "5/5", true},
    {"auto/9", "PARALLEL_SEQ=1", "1/9", true},
    {"auto/9", "PARALLEL_SEQ=9", "9/9", true},
    {"auto", "PARALLEL_SEQ=1", "auto/N", false},
    {"auto", "JOB_COMPLETION_INDEX=4", "JOB_COMPLETIONS", false},
    {"auto/9", "PARALLEL_SEQ=10", "one of 9 values from 1", false},
    {"auto/9", "PARALLEL_SEQ=0", "one of 9 values from 1", false},
    {"auto",
     "SLURM_ARRAY_TASK_ID=7 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=1 "
     "SLURM_ARRAY_TASK_COUNT=3",
     "one of 3 values", false},
    {"auto",
     "SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_STEP=2 "
     "SLURM_ARRAY_TASK_COUNT=3",
     "one of 3 values", false},
    {"auto", "SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_STEP=0 SLURM_ARRAY_TASK_COUNT=3",
     "one of 3 values", false},
    {"auto/4", "SLURM_PROCID=7 SLURM_NTASKS=8", "SLURM_NTASKS is 8", false},
    {"auto/4", "SLURM_PROCID=0 SLURM_NTASKS=1", "more than one process", false},
    {"auto", "SLURM_PROCID=x SLURM_NTASKS=8", "expected a whole number", false},
    {"auto", "SLURM_PROCID=-1 SLURM_NTASKS=8", "expected a whole number", false},
    {"auto", "PMI_RANK=0 PMI_SIZE=99999999", "expected one of", false},
};

static const char *environment;

static const char *variable(const char *name)
{
    static char value[64];
    size_t n = strlen(name);
    for (const char *at = environment; at != NULL; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (strncmp(at, name, n) != 0 || at[n] != '=')
            continue;
        (void)snprintf(value, sizeof value, "%.*s", (int)strcspn(at + n + 1, " "), at + n + 1);
        return value;
    }
    return NULL;
}

START_TEST(a_shard_is_a_number_of_a_number)
{
    const struct row *row = &rows[_i];
    struct shard shard;
    struct err err = {0};
    environment = row->environment;
    bool ok = shard_parse(&shard, row->text, variable, &err);
    ck_assert_msg(ok == row->ok, "%s with '%s': %s", row->text, row->environment,
                  ok ? "accepted" : err.msg);
    if (!ok) {
        harness_contains(err.msg, row->expected);
        ck_assert_int_eq(err.code, EXIT_INPUT);
        return;
    }
    char got[64];
    (void)snprintf(got, sizeof got, "%zu/%zu", shard.index + 1, shard.count);
    ck_assert_str_eq(got, row->expected);
}
END_TEST

START_TEST(asking_only_the_number_needs_no_environment)
{
    size_t count = 7;
    ck_assert(shard_is_auto("auto", &count));
    ck_assert_uint_eq(count, 0);
    ck_assert(shard_is_auto("auto/12", &count));
    ck_assert_uint_eq(count, 12);
    ck_assert(!shard_is_auto("3/12", &count));
    ck_assert(!shard_is_auto("auto/x", &count));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("shard");
    TCase *tcase = tcase_create("shard");
    tcase_add_loop_test(tcase, a_shard_is_a_number_of_a_number, 0, ROWS(rows));
    tcase_add_test(tcase, asking_only_the_number_needs_no_environment);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
