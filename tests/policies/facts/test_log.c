/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When a journal is synced to the disk, and the consequences if that fails. */
#include "policies/facts/log.h"

#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void open_log(struct fact_log *log, const char *path)
{
    char error[128] = "";
    ck_assert_msg(fact_log_open(log, path, error, sizeof error), "%s", error);
}

static void begin(struct fact_log *log)
{
    fact_log_begin(log, 0, &(struct fact_policy){.version = FACTS_VERSION, .name = "fifo"});
}

static void add(struct fact_log *log)
{
    fact_log_fact(log, &(struct fact){.kind = FACT_DECIDE, .at = 5});
}

static const struct {
    int64_t sync_ms;
    bool first, second; /* whether the first and the second call, each after a line, leave nothing
                         * to do */
} rows[] = {
    {0, true, true},
    {FACT_LOG_NEVER, false, false},
    {3600000, true, false}, /* an hour has not passed */
};

START_TEST(it_is_synced_when_it_is_time)
{
    struct folder folder;
    struct fact_log log;
    folder_make(&folder);
    open_log(&log, folder_path(&folder, "j"));
    log.sync_ms = rows[_i].sync_ms;
    ck_assert(fact_log_sync(&log));
    ck_assert(!log.is_dirty);
    begin(&log);
    ck_assert(log.is_dirty);
    ck_assert(fact_log_sync(&log));
    ck_assert_int_eq(!log.is_dirty, rows[_i].first);
    add(&log);
    ck_assert(fact_log_sync(&log));
    ck_assert_int_eq(!log.is_dirty, rows[_i].second);
    ck_assert(fact_log_close(&log));
    char *text = folder_read(&folder, "j");
    ck_assert_ptr_nonnull(strstr(text, "\"decide\""));
    free(text);
    folder_remove(&folder);
}
END_TEST

/* An invalid descriptor simulates a failing disk. */
START_TEST(after_a_sync_that_failed_nothing_is_written)
{
    struct folder folder;
    struct fact_log log;
    folder_make(&folder);
    open_log(&log, folder_path(&folder, "j"));
    begin(&log);
    int file = log.file;
    log.file = dup(file);
    (void)close(log.file); /* the number of no open file */
    ck_assert(!fact_log_sync(&log));
    ck_assert_int_eq(log.error, EBADF);
    log.file = file;
    ck_assert(!fact_log_sync(&log));
    add(&log);
    ck_assert(!fact_log_close(&log));
    char *text = folder_read(&folder, "j");
    ck_assert_ptr_null(strstr(text, "\"decide\""));
    free(text);
    folder_remove(&folder);
}
END_TEST

START_TEST(of_a_device_nothing_is_to_be_synced)
{
    struct fact_log log;
    open_log(&log, "/dev/null");
    begin(&log);
    ck_assert(fact_log_sync(&log));
    ck_assert(fact_log_close(&log));
    open_log(&log, NULL);
    begin(&log);
    ck_assert(fact_log_sync(&log));
    ck_assert(fact_log_close(&log));
}
END_TEST

/* The file is named in many ways; an unreadable folder is no reason not to write. */
START_TEST(it_is_found_wherever_it_is)
{
    struct folder folder;
    struct fact_log log;
    char here[512];
    folder_make(&folder);
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    ck_assert_int_eq(chdir(folder.path), 0);
    open_log(&log, "j");
    ck_assert(fact_log_close(&log));
    open_log(&log, "./k");
    ck_assert(fact_log_close(&log));
    ck_assert_int_eq(chmod(folder.path, S_IWUSR | S_IXUSR), 0);
    open_log(&log, folder_path(&folder, "l"));
    ck_assert(fact_log_close(&log));
    ck_assert_int_eq(chmod(folder.path, S_IRWXU), 0);
    ck_assert_int_eq(chdir(here), 0);
    ck_assert(folder_has(&folder, "j") && folder_has(&folder, "k") && folder_has(&folder, "l"));
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("facts/log");
    TCase *tcase = tcase_create("disk");
    tcase_add_loop_test(tcase, it_is_synced_when_it_is_time, 0, ROWS(rows));
    tcase_add_test(tcase, after_a_sync_that_failed_nothing_is_written);
    tcase_add_test(tcase, of_a_device_nothing_is_to_be_synced);
    tcase_add_test(tcase, it_is_found_wherever_it_is);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
