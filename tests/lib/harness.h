/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every check program shares. A program is one suite and a main of one line:
 *
 *     int main(void)
 *     {
 *         Suite *suite = suite_create("text");
 *         TCase *tcase = tcase_create("numbers");
 *         tcase_add_loop_test(tcase, numbers_are_exact, 0, ROWS(number_rows));
 *         suite_add_tcase(suite, tcase);
 *         return harness_run(suite);
 *     }
 *
 * Programs run with the repository as working directory. Paths that these functions give out are
 * the caller's buffers; temporary files lie in TMPDIR (or /tmp) and are removed by
 * harness_forget().
 */
#ifndef TESTS_LIB_HARNESS_H
#define TESTS_LIB_HARNESS_H

#include <check.h>
#include <stdbool.h>
#include <stddef.h>

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

/*
 * Like check's, but faster: for every assertion that holds, check writes its place to a file, in
 * order to report where a program crashed, and most programs spend most of their time on it. Here
 * only the first time at each place is written.
 */
#undef ck_assert_msg
#define ck_assert_msg(expr, ...)                                                                   \
    ((expr) ? harness_reached(__FILE__, __LINE__)                                                  \
            : _ck_assert_failed(__FILE__, __LINE__, "Assertion '" #expr "' failed", __VA_ARGS__))
void harness_reached(const char *file, int line);

/*
 * A test that repeats itself many times (random runs, failing each allocation in turn) does one in
 * this many repetitions: $FAUXFLEET_THIN, 1 to 1,000; the default 1 does all of them.
 * tests/tests.mk sets it where programs run slowly.
 */
int harness_thin(void);

/*
 * Returns true if all repetitions are done. Statistics over many draws, which a part of them would
 * not give, and tests of large sizes need whole runs:
 *
 *     if (harness_whole())
 *         tcase_add_test(tcase, shares_are_as_published);
 */
bool harness_whole(void);

/* The number of repetitions to do of `n`, at least one: tcase_add_loop_test(tcase, random_jobs_end,
 * 0, harness_repeats(200)). */
int harness_repeats(int n);

/* Runs the suite (CK_NORMAL: a line of totals and one per failure) and frees it; EXIT_SUCCESS if
 * all tests passed. */
int harness_run(Suite *suite);

/*
 * The path of a file in the optional folder of real traces and published results:
 * $FAUXFLEET_SHARED, else ../shared. If it is absent, prints what was skipped and returns false.
 */
bool harness_shared(char *path, size_t size, const char *relative);

/* Writes bytes to a new temporary file whose name ends in `suffix`, e.g. ".csv". */
void harness_file(char *path, size_t size, const char *suffix, const void *bytes, size_t n);

/* Creates the name of a temporary file that does not exist yet. */
void harness_name(char *path, size_t size, const char *suffix);

/* Returns a whole file, NUL-terminated, freed by the caller; fails the test if it cannot be read.
 */
char *harness_read(const char *path, size_t *n);

bool harness_exists(const char *path);
void harness_forget(const char *path); /* removes the file if it exists */

/* Fails the test, showing both, unless `text` contains `part`. */
void harness_contains(const char *text, const char *part);

#endif
