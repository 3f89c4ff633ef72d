/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading JSON texts: refusals with line and column; paths into trees. */
#include "scenarios/json/source.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static const struct bad_row {
    const char *text, *part, *what;
} bad_rows[] = {
    {"", "t.json: ", "empty"},
    {" \n\t ", "t.json: ", "empty"},
    {"{", "t.json:1:2: ", "ends too early"},
    {"{\"a\": 1", "t.json:1:8: ", "ends too early"},
    {"{\"a\":", "t.json:1:6: ", "ends too early"},
    {"{\"a\": \"b", "t.json:1:7: ", "without a closing"},
    {"{\"a\": [1,\n  2", "t.json:2:4: ", "ends too early"},
    {"{\n \"a\": 1,,\n}\n", "t.json:2:9: ", "expected a value or a key"},
    {"{\n \"a\": [,]\n}\n", "t.json:2:8: ", "at ',]'"},
    {"{\n \"a\": 1\n \"b\": 2\n}\n", "t.json:3:2: ", "expected ','"},
    {"{\n \"a\" 1\n}\n", "t.json:2:6: ", "expected ','"},
    {"{\n 'a': 1\n}\n", "t.json:2:2: ", "strings are written"},
    {"{\n # c\n}\n", "t.json:2:2: ", "comments begin with"},
    {"{\n /* c\n}\n", "t.json:2:2: ", "without its"},
    {"{\n \"a\": 1\n}}\n", "t.json:3:2: ", "does not belong"},
    {"{\"a\": tru}", "t.json:1:7: ", "at 'tru}'"},
    {"{\"a\": 1}\n{\"b\": 1}", "t.json:2:1: ", "expected ','"},
    {"id,submit\n1,2\n", "t.json:1:1: ", "at 'id,submit'"},
    {"{\"a\": \"\\x\"}", "t.json:1:8: ", "an escape"},
    {"{\"a\": [1,'x']}", "t.json:1:10: ", "strings are written"},
    {"{\"a\": 1, b: 2}", "t.json:1:10: ", "expected a value or a key"},
    {"{\n \"a\": 1,\n \"b\": 2,\n \"a\": 3\n}", "t.json:4: ", "'a' is given twice"},
    {"{\"x\": [0, {\n\"k\": 1,\n\"\\u006b\": 2}]}", "t.json:3: x[1]: ", "'k' is given twice"},
};

START_TEST(bad_texts_are_refused_with_their_place)
{
    const struct bad_row *row = &bad_rows[_i];
    struct json_source source;
    struct err err = {0};
    ck_assert(!json_source_parse(&source, "t.json", row->text, strlen(row->text), &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, row->part);
    harness_contains(err.msg, row->what);
    ck_assert_ptr_null(source.text);
}
END_TEST

START_TEST(every_cut_text_is_refused)
{
    static const char text[] = "{\"a\": [1, \"x\\n\", {\"b\": null}], \"c\": -1.5e3}";
    for (size_t n = 0; n < strlen(text); n++) {
        struct json_source source;
        struct err err = {0};
        ck_assert_msg(!json_source_parse(&source, "t.json", text, n, &err),
                      "%zu bytes were accepted", n);
        ck_assert_int_eq(err.code, EXIT_INPUT);
    }
}
END_TEST

START_TEST(texts_beyond_the_bound_are_refused)
{
    size_t n = JSON_SOURCE_MAX + 1;
    char *text = malloc(n + 1), path[256];
    ck_assert_ptr_nonnull(text);
    memset(text, ' ', n);
    text[n] = '\0';
    struct json_source source;
    struct err err = {0};
    ck_assert(!json_source_parse(&source, "t.json", text, n, &err));
    harness_contains(err.msg, "larger than 8 MiB");
    harness_file(path, sizeof path, ".json", text, n);
    ck_assert(!json_source_open(&source, path, &err));
    harness_contains(err.msg, "larger than 8 MiB");
    harness_forget(path);
    free(text);
}
END_TEST

START_TEST(files_that_cannot_be_read_are_named)
{
    struct json_source source;
    struct err err = {0};
    ck_assert(!json_source_open(&source, "no/such/file.json", &err));
    harness_contains(err.msg, "cannot open 'no/such/file.json'");
    ck_assert(!json_source_open(&source, "tests", &err));
    harness_contains(err.msg, "'tests'");
    ck_assert_int_eq(err.code, EXIT_INPUT);
}
END_TEST

static const char tree[] =
    "{\n \"queues\": [\n  {\"name\": \"a\"},\n  {\"name\": \"b\",\n   \"gpu\": {\n"
    "    \"quota\": 1}}],\n \"Seed\": 1, \"none\": null\n}";

static const struct path_row {
    const char *path;
    size_t line;
    bool found;
} path_rows[] = {
    {"", 1, false},
    {"queues", 2, true},
    {"queues[0]", 3, true},
    {"queues.0.name", 3, true},
    {"queues[1].gpu.quota", 6, true},
    {"queues.1.gpu", 5, true},
    {"queues[1].gpu.limit", 5, false},
    {"queues[2]", 2, false},
    {"queues[99999999999]", 2, false},
    {"queues.name", 2, false},
    {"queues[0].name.x", 3, false},
    {"Seed", 7, true},
    {"seed", 1, false}, // names differ by case
    {"none", 7, true},
};

START_TEST(paths_find_values_and_lines)
{
    const struct path_row *row = &path_rows[_i];
    struct json_source source;
    struct err err = {0};
    ck_assert(json_source_parse(&source, "t.json", tree, strlen(tree), &err));
    ck_assert_uint_eq(json_source_line(&source, row->path), row->line);
    ck_assert_int_eq(json_find(source.root, row->path) != NULL, row->found);
    ck_assert_ptr_null(json_member(source.root, "none"));
    ck_assert_ptr_null(json_member(source.root, "seed"));
    json_source_close(&source);
}
END_TEST

START_TEST(paths_grow_by_steps)
{
    char path[JSON_PATH_MAX] = "", step[JSON_STEP_MAX];
    json_path_add(path, "queues");
    json_path_add_index(path, 3);
    json_path_add(path, "gpu");
    ck_assert_str_eq(path, "queues[3].gpu");
    ck_assert_uint_eq(json_path_depth(path), 3);
    for (int i = 0; i < 200; i++)
        json_path_add(path, "x234567890");
    ck_assert_uint_eq(strlen(path), JSON_PATH_MAX - 1);
    const char *at = path;
    ck_assert(json_path_step(&at, step));
    ck_assert_str_eq(step, "queues");
    ck_assert(json_path_step(&at, step));
    ck_assert_str_eq(step, "3");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json_source");
    TCase *tcase = tcase_create("texts");
    tcase_add_loop_test(tcase, bad_texts_are_refused_with_their_place, 0, ROWS(bad_rows));
    tcase_add_test(tcase, every_cut_text_is_refused);
    tcase_add_test(tcase, texts_beyond_the_bound_are_refused);
    tcase_add_test(tcase, files_that_cannot_be_read_are_named);
    tcase_add_loop_test(tcase, paths_find_values_and_lines, 0, ROWS(path_rows));
    tcase_add_test(tcase, paths_grow_by_steps);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
