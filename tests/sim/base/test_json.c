/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON writer: layout, escapes, numbers. */
#include "sim/base/json.h"
#include "tests/lib/harness.h"

#include <math.h>

static void expect(struct out *out, const char *expected)
{
    ck_assert_str_eq(out_memory_text(out, NULL), expected);
    out_discard(out);
}

static void sample(struct json *json)
{
    json_begin_object(json, NULL);
    json_i64(json, "jobs", INT64_MAX);
    json_begin_array(json, "sizes");
    json_i64(json, NULL, 8);
    json_begin_object(json, NULL);
    json_end_object(json);
    json_end_array(json);
    json_begin_array(json, "none");
    json_end_array(json);
    json_bool(json, "ok", true);
    json_null(json, "nothing");
    json_end_object(json);
}

START_TEST(on_one_line)
{
    struct out *out = out_memory();
    struct json json;
    json_init(&json, out, 0);
    sample(&json);
    expect(out, "{\"jobs\": 9223372036854775807, \"sizes\": [8, {}], \"none\": [], \"ok\": true, "
                "\"nothing\": null}");
}
END_TEST

START_TEST(unsigned_numbers_keep_all_bits)
{
    struct out *out = out_memory();
    struct json json;
    json_init(&json, out, 0);
    json_begin_array(&json, NULL);
    json_u64(&json, NULL, 0);
    json_u64(&json, NULL, UINT64_MAX);
    json_end_array(&json);
    expect(out, "[0, 18446744073709551615]");
}
END_TEST

START_TEST(indented)
{
    struct out *out = out_memory();
    struct json json;
    json_init(&json, out, 2);
    sample(&json);
    expect(out, "{\n  \"jobs\": 9223372036854775807,\n  \"sizes\": [\n    8,\n    {}\n  ],\n  "
                "\"none\": [],\n"
                "  \"ok\": true,\n  \"nothing\": null\n}");
}
END_TEST

static const struct {
    const char *text, *json;
} texts[] = {
    {"", "\"\""},
    {"plain / text", "\"plain / text\""},
    {"a\"b\\c", "\"a\\\"b\\\\c\""},
    {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\""},
    {"\x01\x1f", "\"\\u0001\\u001f\""},
    {"gr\xc3\xbc\xc3\x9f", "\"gr\xc3\xbc\xc3\x9f\""},
    {"\xe2\x82\xac", "\"\xe2\x82\xac\""},
    {"\xf0\x9f\x98\x80", "\"\xf0\x9f\x98\x80\""},
    {"a\xff"
     "b",
     "\"a\xef\xbf\xbd"
     "b\""},                                                      // no such byte in UTF-8
    {"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 // overlong NUL
    {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, // a surrogate
    {"\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\""},                 // cut off
    {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\""}, // above U+10FFFF
};

START_TEST(texts_are_always_valid_json)
{
    struct out *out = out_memory();
    struct json json;
    json_init(&json, out, 0);
    json_text(&json, NULL, texts[_i].text);
    expect(out, texts[_i].json);
}
END_TEST

/* 60 to 299 letters followed by a quote: around the length up to which names are copied in one
 * piece. */
START_TEST(long_texts_are_whole)
{
    char text[302] = {0}, json_of[304];
    for (size_t n = 60; n < 300; n++) {
        memset(text, 'a', n);
        (void)snprintf(json_of, sizeof json_of, "\"%s\"", text);
        struct out *out = out_memory();
        json_quoted(out, text);
        expect(out, json_of);
        text[n] = '"';
        (void)snprintf(json_of, sizeof json_of, "\"%.*s\\\"\"", (int)n, text);
        out = out_memory();
        json_quoted(out, text);
        expect(out, json_of);
        text[n] = '\0';
    }
}
END_TEST

START_TEST(numbers)
{
    struct out *out = out_memory();
    struct json json;
    json_init(&json, out, 0);
    json_begin_array(&json, NULL);
    json_f64(&json, NULL, 0.125, 2);
    json_f64(&json, NULL, 0.5, 6);
    json_f64(&json, NULL, -0.0, 6);
    json_f64(&json, NULL, (double)NAN, 6);
    json_f64(&json, NULL, (double)INFINITY, 6);
    json_seconds(&json, NULL, 1234567);
    json_seconds(&json, NULL, -1);
    json_text(&json, NULL, NULL);
    json_end_array(&json);
    expect(out, "[0.12, 0.5, 0, null, null, 1234.567, -0.001, null]");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("json");
    TCase *tcase = tcase_create("json");
    tcase_add_test(tcase, on_one_line);
    tcase_add_test(tcase, unsigned_numbers_keep_all_bits);
    tcase_add_test(tcase, indented);
    tcase_add_loop_test(tcase, texts_are_always_valid_json, 0, ROWS(texts));
    tcase_add_test(tcase, long_texts_are_whole);
    tcase_add_test(tcase, numbers);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
