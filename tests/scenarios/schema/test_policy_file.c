/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Policies named by file, and files with name and options. */
#include "scenarios/json/paths.h"
#include "scenarios/schema/policy_file.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    bool library, file;
} names[] = {
    {"fifo", false, false},        {"best-fit", false, false},     {"mine.so", true, false},
    {"./mine", true, false},       {"dir/mine.so", true, false},   {".so", false, false},
    {"mine.json", false, true},    {"dir/mine.json", false, true}, {".json", false, false},
    {"mine.so.json", false, true}, {"mine.json.so", true, false},
};

START_TEST(a_name_says_what_it_is)
{
    ck_assert_int_eq(policy_name_is_library(names[_i].name), names[_i].library);
    ck_assert_int_eq(policy_name_is_file(names[_i].name), names[_i].file);
}
END_TEST

static const struct {
    const char *file, *name, *opened;
} places[] = {
    {"a.json", "fifo", "fifo"},
    {"dir/a.json", "fifo", "fifo"},
    {"dir/a.json", "mine.so", "dir/mine.so"},
    {"dir/a.json", "./mine.so", "dir/./mine.so"},
    {"dir/a.json", "/abs/mine.so", "/abs/mine.so"},
    {"a.json", "mine.so", "mine.so"},
    {"/a.json", "mine.so", "/mine.so"},
};

START_TEST(a_library_is_beside_the_file)
{
    char *opened = policy_name_beside(places[_i].file, places[_i].name);
    ck_assert_str_eq(opened, places[_i].opened);
    free(opened);
}
END_TEST

/* Writes the text to a file and reads it; the caller closes and forgets. */
static bool open_text(struct policy_file *f, char path[256], const char *text, struct err *err)
{
    harness_file(path, 256, ".json", text, strlen(text));
    return policy_file_open(f, path, err);
}

START_TEST(options_are_text)
{
    static const char text[] = "{\"name\": \"las\", \"options\": {\"a\": \"x\", \"b\": true, "
                               "\"c\": 3, \"d\": 0.25, \"threshold_gpu_s\": [1, 2.5]}}";
    static const char *const expected[][2] = {
        {"a", "x"}, {"b", "true"}, {"c", "3"}, {"d", "0.25"}, {"threshold_gpu_s", "1,2.5"}};
    struct policy_file f;
    struct err err = {0};
    char path[256];
    ck_assert_msg(open_text(&f, path, text, &err), "%s", err.msg);
    ck_assert_str_eq(f.name, "las");
    ck_assert_uint_eq(f.option_count, ROWS(expected));
    for (size_t i = 0; i < f.option_count; i++) {
        ck_assert_str_eq(f.option[i].name, expected[i][0]);
        ck_assert_str_eq(f.option[i].value, expected[i][1]);
    }
    policy_file_close(&f);
    harness_forget(path);
}
END_TEST

START_TEST(a_name_is_enough)
{
    struct policy_file f;
    struct err err = {0};
    char path[256];
    ck_assert(open_text(&f, path, "{\"name\": \"fifo\"}", &err));
    ck_assert_ptr_null(f.options);
    ck_assert_uint_eq(f.option_count, 0);
    policy_file_close(&f);
    harness_forget(path);
}
END_TEST

static const struct {
    const char *text, *part;
} refused[] = {
    {"{}", "name"},
    {"{\"name\": \"\"}", "name"},
    {"{\"name\": 3}", "name"},
    {"{\"name\": \"a.json\"}", "another file"},
    {"{\"name\": \"fifo\", \"option\": {}}", "did you mean 'options'"},
    {"{\"name\": \"fifo\", \"options\": []}", "options"},
    {"{\"name\": \"fifo\", \"options\": {\"a\": {}}}", "options.a"},
    {"[]", "object"},
    {"{", ":1"},
};

START_TEST(errors_are_reported)
{
    struct policy_file f;
    struct err err = {0};
    char path[256];
    ck_assert(!open_text(&f, path, refused[_i].text, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, path);
    harness_contains(err.msg, refused[_i].part);
    harness_forget(path);
}
END_TEST

START_TEST(the_digest_is_that_of_the_bytes)
{
    struct digest a;
    struct digest b;
    struct err err = {0};
    char path[256];
    char hex_a[DIGEST_HEX];
    char hex_b[DIGEST_HEX];
    harness_file(path, sizeof path, ".so", "12345", 5);
    digest_init(&a);
    digest_init(&b);
    ck_assert(path_digest(&a, path, &err));
    digest_add(&b, "12345", 5);
    digest_hex(&a, hex_a);
    digest_hex(&b, hex_b);
    ck_assert_str_eq(hex_a, hex_b);
    harness_forget(path);
    ck_assert(!path_digest(&a, path, &err));
    harness_contains(err.msg, "cannot open");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("policy_file");
    TCase *tcase = tcase_create("policy_file");
    tcase_add_loop_test(tcase, a_name_says_what_it_is, 0, ROWS(names));
    tcase_add_loop_test(tcase, a_library_is_beside_the_file, 0, ROWS(places));
    tcase_add_test(tcase, options_are_text);
    tcase_add_test(tcase, a_name_is_enough);
    tcase_add_loop_test(tcase, errors_are_reported, 0, ROWS(refused));
    tcase_add_test(tcase, the_digest_is_that_of_the_bytes);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
