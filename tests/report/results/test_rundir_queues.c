/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues come from queues.csv, else from the summary; ranks are a total order. */
#include "report/results/rundir.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <math.h>
#include <stdlib.h>

static const char summary[] = "{\"fauxfleet_summary\": 1, \"fairness\": {\"queues\": {"
                              "\"s.1\": {\"entitled_gpu_h\": 10, \"used_gpu_h\": 5},"
                              "\"none\": {\"entitled_gpu_h\": 0, \"used_gpu_h\": 0}}}}";

static const struct {
    const char *csv; /* NULL: no file */
    bool damaged;
    size_t count;
    const char *first;
    double share;
} load_rows[] = {
    {NULL, false, 2, "s.1", 0.5},
    {"queue,used_gpu_h,entitled_gpu_h,share,weight\nq,8,4,2,1\n", false, 1, "q", 2},
    {"entitled_gpu_h,used_gpu_h,queue\n4,1,\"a, \"\"b\"\"\"\n,,z\n", false, 2, "a, \"b\"", 0.25},
    {"name,share\nq,2\n", true, 2, "s.1", 0.5},
    {"queue,share\nq,much\n", true, 2, "s.1", 0.5},
};

START_TEST(queues_come_from_the_best_source)
{
    struct folder folder;
    struct rundir run;
    struct err err = {0};
    folder_make(&folder);
    folder_put(&folder, "summary.json", summary);
    if (load_rows[_i].csv)
        folder_put(&folder, "queues.csv", load_rows[_i].csv);
    ck_assert_msg(rundir_open(&run, folder.path, &err), "%s", err.msg);
    size_t count;
    char *damage;
    struct rundir_queue *queues = rundir_queues(&run, &count, &damage);
    ck_assert_int_eq(damage != NULL, load_rows[_i].damaged);
    ck_assert_uint_eq(count, load_rows[_i].count);
    ck_assert_str_eq(queues[0].name, load_rows[_i].first);
    ck_assert_double_eq(queues[0].share, load_rows[_i].share);
    if (count > 1)
        ck_assert(isnan(queues[1].share));
    free(damage);
    rundir_queues_free(queues, count);
    rundir_close(&run);
    folder_remove(&folder);
}
END_TEST

START_TEST(ranks_end_in_the_position)
{
    struct rundir_queue queues[] = {
        {.entitled_gpu_h = 1, .used_gpu_h = 1}, {.entitled_gpu_h = (double)NAN, .used_gpu_h = 9},
        {.entitled_gpu_h = 5, .used_gpu_h = 1}, {.entitled_gpu_h = 5, .used_gpu_h = 2},
        {.entitled_gpu_h = 1, .used_gpu_h = 1}, {.entitled_gpu_h = 0, .used_gpu_h = (double)NAN},
    };
    static const size_t expected[] = {3, 2, 0, 4, 1, 5};
    size_t *ranks = rundir_queue_ranks(queues, sizeof queues / sizeof *queues);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ck_assert_uint_eq(ranks[i], expected[i]);
    free(ranks);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rundir_queues");
    TCase *tcase = tcase_create("queues");
    tcase_add_loop_test(tcase, queues_come_from_the_best_source, 0, ROWS(load_rows));
    tcase_add_test(tcase, ranks_end_in_the_position);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
