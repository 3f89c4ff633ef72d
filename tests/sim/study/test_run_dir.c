/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a run directory keeps of a previous run. The source is in no library, so it is included. */
#include "sim/study/run_dir.c"

#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#define SUMMARY "{\n \"fauxfleet_summary\": 1\n}\n"

/*
 * Files of a directory with a previous run and its replicas, before and after a run that wrote
 * summary.json and queues.csv at the top.
 */
static const struct {
    const char *path;
    bool stays;
} rows[] = {
    {"summary.json", true}, /* rewritten */
    {"queues.csv", true},
    {"jobs.csv", false},
    {"journal.jsonl", false},
    {"timeline.csv", false},
    {"reasons.csv", false},
    {"heatmap.csv", false},
    {"faults.csv", false},
    {"scenario.json", false},
    {"timing.json", false},
    {"report.html", false},
    {"jobs.csv.gz", true}, /* not our names */
    {"notes.txt", true},
    {"figures/ladder.svg", false},
    {"figures/ladder.dat", false},
    {"figures/fill.gp", false},
    {"rep-1/summary.json", false},
    {"rep-1/jobs.csv", false},
    {"rep-1/figures/waits.svg", false},
    {"rep-1/figures", false},
    {"rep-1", false},
    {"rep-20/summary.json", false},
    {"rep-20/mine.csv", true},
    {"rep-3/jobs.csv", true}, /* there was no run here */
    {"rep-03/summary.json", true},
    {"rep-x/summary.json", true},
    {"replica/summary.json", true},
    {"figures/mine.svg", true},
    {"figures/ladder.png", true},
};

static bool is_folder_name(const char *path)
{
    return strcmp(path, "rep-1") == 0 || strcmp(path, "rep-1/figures") == 0;
}

/* As the program writes: under another name first. */
static void write_anew(struct folder *folder, const char *name)
{
    char from[FOLDER_PATH];
    folder_put(folder, "new.tmp", SUMMARY);
    (void)snprintf(from, sizeof from, "%s", folder_path(folder, "new.tmp"));
    ck_assert_int_eq(rename(from, folder_path(folder, name)), 0);
}

static void fill(struct folder *folder)
{
    static const char *const folders[] = {"figures", "rep-1",  "rep-1/figures", "rep-20",
                                          "rep-3",   "rep-03", "rep-x",         "replica"};
    folder_make(folder);
    for (int i = 0; i < ROWS(folders); i++)
        folder_sub(folder, folders[i]);
    for (int i = 0; i < ROWS(rows); i++)
        if (!is_folder_name(rows[i].path))
            folder_put(folder, rows[i].path, SUMMARY);
}

START_TEST(only_files_not_rewritten_are_removed)
{
    struct folder folder;
    fill(&folder);
    struct run_dir_previous former = {0};
    struct err err = {0};
    ck_assert(run_dir_look(&former, folder.path, &err));
    write_anew(&folder, "summary.json");
    write_anew(&folder, "queues.csv");
    ck_assert_msg(run_dir_tidy(&former, &err), "%s", err.msg);
    run_dir_forget(&former);
    for (int i = 0; i < ROWS(rows); i++)
        ck_assert_msg(folder_has(&folder, rows[i].path) == rows[i].stays, "%s %s", rows[i].path,
                      rows[i].stays ? "is gone" : "is still there");
    folder_remove(&folder);
}
END_TEST

/* A user's directory may contain files with our names: without a run they are not leftovers. */
START_TEST(where_no_run_has_been_nothing_goes)
{
    static const char *const summaries[] = {NULL, "", "{\"total\": 3}\n"};
    struct folder folder;
    folder_make(&folder);
    folder_put(&folder, "jobs.csv", "job_id\n");
    if (summaries[_i] != NULL)
        folder_put(&folder, "summary.json", summaries[_i]);
    struct run_dir_previous former = {0};
    struct err err = {0};
    ck_assert(run_dir_look(&former, folder.path, &err));
    ck_assert_uint_eq(former.file_count, 0);
    ck_assert(run_dir_tidy(&former, &err));
    run_dir_forget(&former);
    ck_assert(folder_has(&folder, "jobs.csv"));
    folder_remove(&folder);
}
END_TEST

START_TEST(links_are_left_alone)
{
    struct folder folder, elsewhere;
    folder_make(&folder);
    folder_make(&elsewhere);
    folder_put(&folder, "summary.json", SUMMARY);
    folder_put(&elsewhere, "summary.json", SUMMARY);
    folder_put(&elsewhere, "ladder.svg", "<svg/>");
    folder_put(&elsewhere, "jobs.csv", "job_id\n");
    ck_assert_int_eq(symlink(elsewhere.path, folder_path(&folder, "figures")), 0);
    ck_assert_int_eq(symlink(elsewhere.path, folder_path(&folder, "rep-1")), 0);
    ck_assert_int_eq(symlink(folder_path(&elsewhere, "jobs.csv"), folder_path(&folder, "jobs.csv")),
                     0);
    struct run_dir_previous former = {0};
    struct err err = {0};
    ck_assert(run_dir_look(&former, folder.path, &err));
    ck_assert(run_dir_tidy(&former, &err));
    run_dir_forget(&former);
    ck_assert(!folder_has(&folder, "summary.json"));
    ck_assert(folder_has(&folder, "jobs.csv"));
    ck_assert(folder_has(&folder, "figures"));
    ck_assert(folder_has(&elsewhere, "summary.json"));
    ck_assert(folder_has(&elsewhere, "ladder.svg"));
    folder_remove(&folder);
    folder_remove(&elsewhere);
}
END_TEST

START_TEST(a_directory_that_is_not_there_is_empty)
{
    struct folder folder;
    folder_make(&folder);
    struct run_dir_previous former = {0};
    struct err err = {0};
    ck_assert(run_dir_look(&former, folder_path(&folder, "none"), &err));
    ck_assert_uint_eq(former.file_count, 0);
    ck_assert_uint_eq(former.folder_count, 0);
    run_dir_forget(&former);
    folder_remove(&folder);
}
END_TEST

START_TEST(directories_are_made_with_those_above)
{
    static const char *const names[] = {"a", "b/c/d", "e//f/", "g/./h"};
    struct folder folder;
    struct err err = {0};
    struct stat info;
    folder_make(&folder);
    for (int again = 0; again < 2; again++)
        ck_assert_msg(run_dir_make(folder_path(&folder, names[_i]), &err), "%s", err.msg);
    ck_assert_int_eq(stat(folder_path(&folder, names[_i]), &info), 0);
    ck_assert(S_ISDIR(info.st_mode));
    folder_remove(&folder);
}
END_TEST

START_TEST(a_file_is_no_directory)
{
    static const char *const names[] = {"file", "file/below"};
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    folder_put(&folder, "file", "");
    ck_assert(!run_dir_make(folder_path(&folder, names[_i]), &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "file");
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("run_dir");
    TCase *tcase = tcase_create("run_dir");
    tcase_add_test(tcase, only_files_not_rewritten_are_removed);
    tcase_add_loop_test(tcase, where_no_run_has_been_nothing_goes, 0, 3);
    tcase_add_test(tcase, links_are_left_alone);
    tcase_add_test(tcase, a_directory_that_is_not_there_is_empty);
    tcase_add_loop_test(tcase, directories_are_made_with_those_above, 0, 4);
    tcase_add_loop_test(tcase, a_file_is_no_directory, 0, 2);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
