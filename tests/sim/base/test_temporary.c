/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temporary files: created under unpredictable names, gone with their writer, and never those of
 * others. */
#include "policies/adapters/ending/temporary.h"
#include "sim/base/out.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define OURS "a.csv.fauxfleet-0123456789ab.tmp"

static struct folder folder;

static void begin(void)
{
    folder_make(&folder);
}

static void end(void)
{
    folder_remove(&folder);
}

static char *target(const char *name)
{
    char *path = strdup(folder_path(&folder, name));
    ck_assert_ptr_nonnull(path);
    return path;
}

START_TEST(names_differ_and_modes_are_the_users)
{
    struct temporary a, b;
    struct stat status;
    char *path = target("a.csv");
    mode_t before = umask(027);
    ck_assert(temporary_create(&a, path));
    ck_assert(temporary_create(&b, path));
    (void)umask(before);
    ck_assert_str_ne(a.path, b.path);
    ck_assert_int_eq(strncmp(a.path, path, strlen(path)), 0);
    ck_assert_int_eq(fstat(a.file, &status), 0);
    ck_assert_uint_eq(status.st_mode & 0777, 0640);
    ck_assert_int_ne(fcntl(a.file, F_GETFD) & FD_CLOEXEC, 0);
    ck_assert(temporary_rename(&a, path));
    ck_assert(a.path == NULL && a.file == -1);
    temporary_remove(&b);
    temporary_remove(&b);
    ck_assert_uint_eq(folder_count(&folder, ""), 1);
    ck_assert(folder_has(&folder, "a.csv"));
    free(path);
}
END_TEST

/* File systems allow 255 bytes, all of which the target may use. */
START_TEST(long_names_fit)
{
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    struct err err = {0};
    struct out *out = out_open_in(folder.path, name, &err);
    ck_assert_msg(out != NULL, "%s", err.msg);
    out_text(out, "x");
    ck_assert_msg(out_close(out, &err), "%s", err.msg);
    ck_assert(folder_has(&folder, name));
    ck_assert_uint_eq(folder_count(&folder, ""), 1);
}
END_TEST

static const struct {
    const char *file;
    bool all, of_target; /* removed by a sweep of the folder for the target a.csv */
} left[] = {
    {OURS, true, true},
    {"b.csv.fauxfleet-vvvvvvvvvvvv.tmp", true, false},
    {"a.csv", false, false},
    {"a.csv.tmp", false, false},
    {".fauxfleet-0123456789ab.tmp", false, false},
    {"a.csv.fauxfleet-0123456789a.tmp", false, false},
    {"a.csv.fauxfleet-0123456789abc.tmp", false, false},
    {"a.csv.fauxfleet-0123456789AB.tmp", false, false},
    {"a.csv.fauxfleet-0123456789ab.tmp.gz", false, false},
    {"a.csv.fauxfleet-0123456789ab", false, false},
};

START_TEST(only_leftovers_are_removed)
{
    struct temporary alive;
    char *path = target("a.csv");
    ck_assert(temporary_create(&alive, path));
    folder_put(&folder, left[_i].file, "left");
    temporary_sweep_of(path);
    ck_assert(folder_has(&folder, left[_i].file) == !left[_i].of_target);
    folder_put(&folder, left[_i].file, "left");
    temporary_sweep(folder.path);
    ck_assert(folder_has(&folder, left[_i].file) == !left[_i].all);
    ck_assert(harness_exists(alive.path));
    temporary_remove(&alive);
    free(path);
}
END_TEST

START_TEST(links_and_folders_are_not_swept)
{
    char *link = target(OURS), *victim = target("victim");
    folder_put(&folder, "victim", "precious");
    ck_assert_int_eq(symlink(victim, link), 0);
    folder_sub(&folder, "b.csv.fauxfleet-0123456789ab.tmp");
    temporary_sweep(folder.path);
    ck_assert_uint_eq(folder_count(&folder, ""), 3);
    free(link);
    free(victim);
}
END_TEST

START_TEST(a_killed_writer_is_swept_by_the_next)
{
    struct err err = {0};
    char *path = target("a.csv");
    pid_t child = fork();
    if (child == 0) {
        struct out *out = out_open(path, &err);
        out_text(out, "half");
        out_flush(out);
        (void)raise(SIGKILL);
    }
    ck_assert_int_eq(waitpid(child, NULL, 0), child);
    ck_assert_uint_eq(folder_count(&folder, ".tmp"), 1);
    struct out *out = out_open(path, &err);
    ck_assert_ptr_nonnull(out);
    ck_assert_uint_eq(folder_count(&folder, ".tmp"), 1);
    ck_assert(out_close(out, &err));
    ck_assert_uint_eq(folder_count(&folder, ""), 1);
    free(path);
}
END_TEST

/* The name in use before names were random, and a link instead of the file itself. */
START_TEST(links_are_not_written_through)
{
    struct err err = {0};
    struct stat status;
    char *victim = target("victim"), *old = target("a.csv.tmp"), *path = target("a.csv");
    folder_put(&folder, "victim", "precious");
    ck_assert_int_eq(symlink(victim, old), 0);
    ck_assert_int_eq(symlink(victim, path), 0);
    ck_assert(out_write_in(folder.path, "a.csv", "mine", &err));
    char *kept = folder_read(&folder, "victim"), *written = folder_read(&folder, "a.csv");
    ck_assert_str_eq(kept, "precious");
    ck_assert_str_eq(written, "mine");
    ck_assert_int_eq(lstat(path, &status), 0);
    ck_assert(S_ISREG(status.st_mode));
    free(kept);
    free(written);
    free(victim);
    free(old);
    free(path);
}
END_TEST

#define WRITERS 4
#define ROUNDS  50
#define LETTERS 300000

/* Several processes, one target: each renames a complete file, and no sweep removes another's file.
 */
START_TEST(writers_at_once_leave_one_whole_file)
{
    char *path = target("a.csv");
    for (int w = 0; w < WRITERS; w++) {
        if (fork() != 0)
            continue;
        char *text = malloc(LETTERS);
        bool ok = text != NULL;
        for (int i = 0; ok && i < ROUNDS; i++) {
            struct err err = {0};
            struct out *out = out_open(path, &err);
            memset(text, 'a' + w, LETTERS);
            ok = out != NULL;
            if (ok)
                out_bytes(out, text, LETTERS);
            ok = ok && out_close(out, &err);
        }
        free(text);
        free(path);
        _exit(ok ? 0 : 1);
    }
    for (int w = 0; w < WRITERS; w++) {
        int status = 0;
        ck_assert_int_gt(wait(&status), 0);
        ck_assert_int_eq(status, 0);
    }
    size_t n;
    char *text = harness_read(path, &n);
    ck_assert_uint_eq(n, LETTERS);
    ck_assert_uint_eq(strspn(text, (const char[]){text[0], '\0'}), LETTERS);
    ck_assert_uint_eq(folder_count(&folder, ""), 1);
    free(text);
    free(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("temporary");
    TCase *tc = tcase_create("temporary");
    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, names_differ_and_modes_are_the_users);
    tcase_add_test(tc, long_names_fit);
    tcase_add_loop_test(tc, only_leftovers_are_removed, 0, ROWS(left));
    tcase_add_test(tc, links_and_folders_are_not_swept);
    tcase_add_test(tc, a_killed_writer_is_swept_by_the_next);
    tcase_add_test(tc, links_are_not_written_through);
    tcase_add_test(tc, writers_at_once_leave_one_whole_file);
    suite_add_tcase(suite, tc);
    return harness_run(suite);
}
