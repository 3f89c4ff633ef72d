/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The recorder: the files of each stage, and that equal runs give equal bytes. */
#include "tests/report/recorded.h"

static const char *const files[] = {"summary.json",  "users.csv",   "queues.csv",
                                    "scenario.json", "jobs.csv",    "journal.jsonl",
                                    "timeline.csv",  "reasons.csv", "heatmap.csv"};

static void three_jobs(struct recorded *r)
{
    small_pool(&r->s, "p", 2, 4);
    for (int i = 0; i < 3; i++)
        small_job(&r->s, "j", i * 1000, 5000, 4);
}

START_TEST(a_finished_run_has_all_files)
{
    struct recorded r;
    recorded_begin(&r, "fifo", "", false);
    three_jobs(&r);
    small_run(&r.s);
    for (int i = 0; i < ROWS(files); i++) /* not before they are complete */
        ck_assert_msg(!folder_has(&r.folder, files[i]), "%s is there already", files[i]);
    recorded_write(&r);
    for (int i = 0; i < ROWS(files); i++)
        ck_assert_msg(folder_has(&r.folder, files[i]), "%s is missing", files[i]);
    ck_assert_uint_eq(folder_count(&r.folder, ".tmp"), 0);
    char *text = folder_read(&r.folder, "scenario.json");
    ck_assert_str_eq(text, "{}\n");
    free(text);
    recorded_end(&r);
}
END_TEST

START_TEST(an_unfinished_run_leaves_nothing)
{
    struct recorded r;
    recorded_begin(&r, "fifo", "", false);
    three_jobs(&r);
    small_run(&r.s);
    recorder_destroy(r.recorder);
    r.recorder = NULL;
    ck_assert_uint_eq(folder_count(&r.folder, ""), 0);
    recorded_end(&r);
}
END_TEST

START_TEST(only_what_is_wanted_is_written)
{
    struct recorded r;
    recorded_begin(&r, "best-fit", "", true);
    small_pool(&r.s, "p", 1, 4);
    small_job(&r.s, "a", 0, 0, 1);
    static const int64_t order[] = {0};
    ck_assert(small_create(&r.s));
    recorder_fill(r.recorder, r.s.sim, r.s.jobs, 1);
    ck_assert(sim_fill(r.s.sim, r.s.jobs, order, 1, &r.s.err) && sim_finish(r.s.sim, &r.s.err));
    recorded_write(&r);
    ck_assert(folder_has(&r.folder, "journal.jsonl"));
    ck_assert(!folder_has(&r.folder, "jobs.csv"));
    ck_assert(!folder_has(&r.folder, "timeline.csv"));
    recorded_end(&r);
}
END_TEST

START_TEST(equal_runs_give_equal_bytes)
{
    struct recorded *r = calloc(2, sizeof *r);
    for (int i = 0; i < 2; i++) {
        recorded_begin(&r[i], "fifo", "placement=random", false);
        three_jobs(&r[i]);
        recorded_run(&r[i]);
    }
    for (int i = 0; i < ROWS(files); i++) {
        char *one = folder_read(&r[0].folder, files[i]);
        char *two = folder_read(&r[1].folder, files[i]);
        ck_assert_str_eq(one, two);
        free(one);
        free(two);
    }
    recorded_end(&r[0]);
    recorded_end(&r[1]);
    free(r);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
    struct recorder *recorder;
    struct err err = {0};
    struct recorder_options wanted = {.dir = "/nonexistent/folder", .policy = "fifo", .jobs = true};
    ck_assert(!recorder_create(&recorder, &wanted, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "/nonexistent/folder");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recorder");
    TCase *tcase = tcase_create("recorder");
    tcase_add_test(tcase, a_finished_run_has_all_files);
    tcase_add_test(tcase, an_unfinished_run_leaves_nothing);
    tcase_add_test(tcase, only_what_is_wanted_is_written);
    tcase_add_test(tcase, equal_runs_give_equal_bytes);
    tcase_add_test(tcase, a_folder_that_is_not_there_is_an_error);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
