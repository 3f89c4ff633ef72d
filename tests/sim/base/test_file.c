/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading whole files: found, absent and failed are three results, and limits hold. */
#include "sim/base/file.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum file_found found;
    const char *message; /* of the reader of all; NULL: none */
} rows[] = {
    {"text", FILE_FOUND, NULL},
    {"empty", FILE_FOUND, NULL},
    {"none", FILE_ABSENT, "none': No such file or directory"},
    {"text/none", FILE_ABSENT, "text/none': Not a directory"},
    {".", FILE_FAILED, "cannot read '"},
    {"large", FILE_FAILED, "large: larger than 0 MiB"},
};

START_TEST(outcomes_stay_apart)
{
    struct folder folder;
    struct err err = {0};
    size_t n;
    char *text, large[9000];
    folder_make(&folder);
    folder_put(&folder, "text", "one\ntwo\n");
    folder_put(&folder, "empty", "");
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    folder_put(&folder, "large", large);
    enum file_found found =
        file_read(folder_path(&folder, rows[_i].name), sizeof large - 2, &text, &n, &err);
    ck_assert_int_eq(found, rows[_i].found);
    ck_assert_int_eq(text != NULL, found == FILE_FOUND);
    ck_assert_int_eq(err.code, found == FILE_FOUND ? EXIT_OK : EXIT_INPUT);
    if (rows[_i].message != NULL)
        harness_contains(err.msg, rows[_i].message);
    if (found == FILE_FOUND) {
        ck_assert_str_eq(text, _i == 0 ? "one\ntwo\n" : "");
        ck_assert_uint_eq(n, strlen(text));
    }
    free(text);
    ck_assert_int_eq(file_read(folder_path(&folder, "large"), sizeof large - 1, &text, &n, &err),
                     FILE_FOUND);
    ck_assert_str_eq(text, large);
    free(text);
    folder_remove(&folder);
}
END_TEST

START_TEST(the_start_is_enough)
{
    struct folder folder;
    struct err err = {0};
    char start[4];
    folder_make(&folder);
    folder_put(&folder, "text", "one\ntwo\n");
    ck_assert_int_eq(file_head(folder_path(&folder, "text"), start, sizeof start, &err),
                     FILE_FOUND);
    ck_assert_str_eq(start, "one");
    ck_assert_int_eq(err.code, EXIT_OK);
    ck_assert_int_eq(file_head(folder_path(&folder, "none"), start, sizeof start, &err),
                     FILE_ABSENT);
    ck_assert_str_eq(start, "");
    ck_assert_int_eq(file_head(folder_path(&folder, "."), start, sizeof start, &err), FILE_FAILED);
    ck_assert_str_eq(start, "");
    ck_assert_int_eq(file_find(folder_path(&folder, "text"), &err), FILE_FOUND);
    ck_assert_int_eq(file_find(folder_path(&folder, "none"), &err), FILE_ABSENT);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("file");
    TCase *tcase = tcase_create("file");
    tcase_add_loop_test(tcase, outcomes_stay_apart, 0, ROWS(rows));
    tcase_add_test(tcase, the_start_is_enough);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
