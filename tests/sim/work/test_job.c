/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs in flight: the table and the lists of tasks. */
#include "sim/work/job.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <string.h>

START_TEST(places_are_used_again_clean)
{
    struct work_table table;
    work_init(&table);
    char id[64] = "a name that is much longer than the short ones";
    struct work_job *job = work_add(&table, (policy_job){3, 1}, id);
    id[0] = 'X'; /* the table has its copy */
    ck_assert_str_eq(work_id(job), "a name that is much longer than the short ones");
    ck_assert_int_eq(job->state, WORK_PENDING);
    ck_assert_int_eq(job->first_start_ms, WORK_NEVER);
    job->running = 5;
    job->gpu_milli = 9;
    work_add_task(&table, job, &(struct work_task){.node = 1});
    work_remove(&table, job);
    job = work_add(&table, (policy_job){3, 2}, "short");
    ck_assert_str_eq(work_id(job), "short");
    ck_assert_int_eq(job->running, 0);
    ck_assert_int_eq(job->gpu_milli, 0);
    ck_assert_uint_eq(job->first_task, WORK_NONE);
    work_fini(&table);
}
END_TEST

START_TEST(ids_of_every_length_are_kept)
{
    struct work_table table;
    work_init(&table);
    char id[2 * WORK_SHORT_ID + 1];
    for (uint32_t n = 0; n < sizeof id; n++) {
        memset(id, 'x', n);
        id[n] = '\0';
        ck_assert_str_eq(work_id(work_add(&table, (policy_job){n, 0}, id)), id);
    }
    for (uint32_t n = 0; n < sizeof id; n++)
        ck_assert_uint_eq(strlen(work_id(&table.jobs[n])), n);
    work_fini(&table);
}
END_TEST

static void check_tasks(const struct work_table *table, const struct work_job *job, uint32_t first,
                        uint32_t count)
{
    uint32_t seen = 0;
    for (uint32_t id = job->first_task; id != WORK_NONE; id = table->tasks[id].next)
        ck_assert_uint_eq(table->tasks[id].node, first + seen++);
    ck_assert_uint_eq(seen, count);
}

START_TEST(tasks_keep_their_order)
{
    struct work_table table;
    work_init(&table);
    work_add(&table, (policy_job){0, 0}, "a");
    work_add(&table, (policy_job){1, 0}, "b");
    struct work_job *a = &table.jobs[0];
    struct work_job *b = &table.jobs[1];
    for (uint32_t i = 0; i < 20; i++) { /* interleaved: each list has its own links */
        work_add_task(&table, a, &(struct work_task){.node = i});
        work_add_task(&table, b, &(struct work_task){.node = 100 + i});
    }
    check_tasks(&table, a, 0, 20);
    check_tasks(&table, b, 100, 20);
    size_t most = table.task_count;
    work_drop_tasks(&table, a);
    check_tasks(&table, a, 0, 0);
    for (uint32_t i = 0; i < 20; i++)
        work_add_task(&table, a, &(struct work_task){.node = 500 + i});
    ck_assert_uint_eq(table.task_count, most); /* reuses freed places */
    check_tasks(&table, a, 500, 20);
    check_tasks(&table, b, 100, 20);
    work_fini(&table);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("job");
    TCase *tcase = tcase_create("table");
    tcase_add_test(tcase, places_are_used_again_clean);
    tcase_add_test(tcase, ids_of_every_length_are_kept);
    tcase_add_test(tcase, tasks_keep_their_order);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
