/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The setters of columns: accepted texts, stored values, and expectations. */
#include "tests/lib/harness.h"
#include "traces/fields.h"

#include <stddef.h>
#include <string.h>

struct record {
    int64_t wide;
    int32_t narrow;
    uint32_t id;
    uint64_t bits;
    const char *text;
};

#define WIDE   offsetof(struct record, wide)
#define NARROW offsetof(struct record, narrow)

static const struct {
    const char *what;
    csv_setter *set;
    size_t offset;
    int64_t low, high;
    const char *text;
    const char *expected; /* NULL: accepted */
    int64_t value;
} rows[] = {
    {"i64", field_i64, WIDE, 0, 0, "-12", NULL, -12},
    {"i64", field_i64, WIDE, 0, 0, "9223372036854775807", NULL, INT64_MAX},
    {"i64", field_i64, WIDE, 0, 0, "9223372036854775808", "a whole number", 0},
    {"range", field_i64, WIDE, 1, 10, "10", NULL, 10},
    {"range", field_i64, WIDE, 1, 10, "11", "a whole number", 0},
    {"range", field_i64, WIDE, 1, 10, "0", "a whole number", 0},
    {"i32", field_i32, NARROW, 0, 0, "2147483647", NULL, INT32_MAX},
    {"i32", field_i32, NARROW, 0, 0, "2147483648", "a whole number", 0},
    {"i32", field_i32, NARROW, 0, 0, "-2147483649", "a whole number", 0},
    {"time", field_time, WIDE, 0, 0, "-1.5", NULL, -1500},
    {"time", field_time, WIDE, 0, 0, "1e12", NULL, FIELD_LARGEST},
    {"time", field_time, WIDE, 0, 0, "1000000000000.001", "seconds, at most 1e12", 0},
    {"time", field_time, WIDE, 0, 0, "-1e13", "seconds, at most 1e12", 0},
    {"span", field_span, WIDE, 0, 0, "0.0005", NULL, 1},
    {"span", field_span, WIDE, 0, 0, "-0.001", "seconds, from 0 to 1e12", 0},
    {"limit", field_limit, WIDE, 0, 0, "-1", NULL, TRACE_UNKNOWN},
    {"limit", field_limit, WIDE, 0, 0, "60", NULL, 60000},
    {"limit", field_limit, WIDE, 0, 0, "-1.5", "seconds, from 0 to 1e12, or -1 for none", 0},
    {"milli", field_milli, WIDE, 0, 0, "0.25", NULL, 250},
    {"milli", field_milli, WIDE, 0, 0, "-1", "a number from 0 to 1e12", 0},
    {"quota", field_quota, WIDE, 0, 0, "-1", NULL, -1},
    {"quota", field_quota, WIDE, 0, 0, "0.5", NULL, 500},
    {"quota", field_quota, WIDE, 0, 0, "-2", "a number from 0 to 1e12, or -1 for unlimited", 0},
    {"share", field_share, NARROW, 0, 0, "0.333333", NULL, 333333},
    {"share", field_share, NARROW, 0, 0, "1", NULL, 1000000},
    {"share", field_share, NARROW, 0, 0, "1.000001", "a share between 0 and 1", 0},
};

START_TEST(numbers)
{
    struct record record = {0};
    struct field_context context = {.record = &record};
    const struct csv_column column = {"c",          0, rows[_i].set, rows[_i].offset, rows[_i].low,
                                      rows[_i].high};
    const char *expected = rows[_i].set(&context, &column, rows[_i].text, strlen(rows[_i].text));
    if (rows[_i].expected)
        ck_assert_pstr_eq(expected, rows[_i].expected);
    else
        ck_assert_pstr_eq(expected, NULL);
    ck_assert_int_eq(rows[_i].offset == WIDE ? record.wide : record.narrow, rows[_i].value);
}
END_TEST

START_TEST(names_and_texts)
{
    struct texts texts;
    texts_init(&texts);
    struct trace_names names = {symbols_create(), symbols_create(), symbols_create(),
                                symbols_create(), symbols_create()};
    struct record record = {0};
    struct field_context context = {.record = &record, .texts = &texts, .names = &names};
    const struct csv_column id = {.name = "c", .offset = offsetof(struct record, id)};
    const struct csv_column text = {.name = "c", .offset = offsetof(struct record, text)};
    ck_assert_ptr_null(field_queue(&context, &id, "q", 1));
    ck_assert_ptr_null(field_user(&context, &id, "u", 1));
    ck_assert_ptr_null(field_model(&context, &id, "m", 1));
    ck_assert_uint_eq(symbols_find(names.queues, "q", 1), 0);
    ck_assert_uint_eq(symbols_find(names.users, "u", 1), 0);
    ck_assert_uint_eq(symbols_find(names.models, "m", 1), 0);
    ck_assert_str_eq(field_user(&context, &id, "u\0v", 3), "a name without NUL bytes");
    ck_assert_ptr_null(field_text(&context, &text, "some text", 4));
    ck_assert_str_eq(record.text, "some");
    ck_assert_str_eq(field_text(&context, &text, "a\0b", 3), "text without NUL bytes");
    symbols_destroy(names.queues);
    symbols_destroy(names.users);
    symbols_destroy(names.gpu_types);
    symbols_destroy(names.models);
    symbols_destroy(names.nodes);
    texts_fini(&texts);
}
END_TEST

START_TEST(lists_of_types)
{
    struct trace_names names = {.gpu_types = symbols_create()};
    struct record record = {0};
    struct field_context context = {.record = &record, .names = &names};
    const struct csv_column bits = {.name = "c", .offset = offsetof(struct record, bits)};
    ck_assert_ptr_null(field_types(&context, &bits, "a", 1));
    ck_assert_uint_eq(record.bits, 1);
    ck_assert_ptr_null(field_types(&context, &bits, "b|c", 3));
    ck_assert_uint_eq(record.bits, 6);
    ck_assert_ptr_null(field_types(&context, &bits, "c|a|c", 5));
    ck_assert_uint_eq(record.bits, 5);
    ck_assert_ptr_nonnull(field_types(&context, &bits, "a|", 2));
    ck_assert_ptr_nonnull(field_types(&context, &bits, "|", 1));
    ck_assert_uint_eq(record.bits, 5);
    symbols_destroy(names.gpu_types);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fields");
    TCase *tcase = tcase_create("fields");
    tcase_add_loop_test(tcase, numbers, 0, ROWS(rows));
    tcase_add_test(tcase, names_and_texts);
    tcase_add_test(tcase, lists_of_types);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
