/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How each sink escapes malicious names. tests/e2e/hostile.sh checks what parsers make of the
 * result. */
#include "sim/base/escape.h"
#include "sim/base/json.h"
#include "tests/lib/harness.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void lines(struct out *out, const char *text)
{
    escape_lines(out, text, strlen(text));
}

static void tic(struct out *out, const char *text)
{
    escape_gnuplot(out, text, true);
}

static void property(struct out *out, const char *text)
{
    escape_github(out, text, true);
}

static void message(struct out *out, const char *text)
{
    escape_github(out, text, false);
}

static const struct {
    void (*sink)(struct out *, const char *);
    const char *text, *escaped;
} rows[] = {
    {escape_shown, "research \xC3\xA9", "research \xC3\xA9"},
    {escape_shown, "a\x1B[2J\nb\t\x7F", "a\\u001b[2J\\nb\\t\\u007f"},
    {escape_shown,
     "\xC2\x9B"
     "31m",
     "\\u009b31m"},
    {escape_shown,
     "\xE2\x80\xAE"
     "txt\xE2\x81\xA6",
     "\\u202etxt\\u2066"},
    {escape_shown, "\xD8\x9C\xE2\x80\xA8\xEF\xBB\xBF", "\\u061c\\u2028\\ufeff"},
    {escape_shown, "\xF3\xA0\x81\x81", "\\udb40\\udc41"},
    {escape_shown, "\xFF\xC0\xAF\xED\xA0\x80", "\\xff\\xc0\\xaf\\xed\\xa0\\x80"},
    {escape_shown, "cut \xE2\x82", "cut \\xe2\\x82"},
    {lines, "a\tb\n\x1B]0;x\x07\nc", "a\tb\n\\u001b]0;x\\u0007\nc"},
    {lines, "::error::x\n  ::set x\na ::b\n", "\\u003a:error::x\n  \\u003a:set x\na ::b\n"},
    {lines, "a ##[add-mask]b # c", "a \\u0023#[add-mask]b # c"},
    {lines, "\xE2\x96\x81\xE2\x96\x88 \x9B\n", "\xE2\x96\x81\xE2\x96\x88 \\x9b\n"},
    {json_quoted, "a\"\\\n\x1B\x7F\xC2\x85", "\"a\\\"\\\\\\n\\u001b\\u007f\\u0085\""},
    {json_quoted, "\xFF\xF0\x9F\x98\x80", "\"\xEF\xBF\xBD\xF0\x9F\x98\x80\""},
    {json_quoted, "\xF0\x9F\xBF\xBE", "\"\\ud83f\\udffe\""},
    {escape_yaml, "a: b\"\\\n\xC2\x85 #", "\"a: b\\\"\\\\\\n\\u0085 #\""},
    {escape_yaml, "\xF0\x9F\xBF\xBE\xFF", "\"\\U0001fffe\xEF\xBF\xBD\""},
    {escape_shell, "a/b-c_d.json", "a/b-c_d.json"},
    {escape_shell, "", "''"},
    {escape_shell, "$(x) `y` 'z'", "'$(x) `y` '\\''z'\\'''"},
    {escape_shell, "a\nb", "'a\nb'"},
    {escape_shell_comment, "$(x) 'z'", "'$(x) '\\''z'\\'''"},
    {escape_shell_comment, "a\nrm 'b\\", "$'a\\012rm \\'b\\\\'"},
    {escape_shell_comment, "\xE2\x80\xAE\xFF", "$'\\342\\200\\256\\377'"},
    {escape_markup, "<b a='1' c=\"2\">&", "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;"},
    {escape_markup, "a\x01\xFF\xEF\xBF\xBF", "a\\u0001\\xff\\uffff"},
    {escape_markdown, "a|b\n*c* <i> [d](e) @org $x$",
     "a\\|b\\n\\*c\\* \\<i\\> \\[d\\](e) @<!-- -->org \\$x\\$"},
    {escape_url, "a b/\"#?%\xC3\xA9", "a%20b/%22%23%3F%25%C3%A9"},
    {tic, "it's 5%\n`date`", "'it''s 5%%\\n`date`'"},
    {tic, "a]]>b", "'a]]\\u003eb'"},
    {tic, "'a'''b'", "'\\u0027a''\\u0027\\u0027b'''"},
    {message, "a: b,\n100%\x1B[0m", "a: b,%0A100%25\\u001b[0m"},
    {property, "a: b,\r\n", "a%3A b%2C%0D%0A"},
    {escape_sql, "a\"; DROP TABLE x; --", "\"a\"\"; DROP TABLE x; --\""},
};

START_TEST(names_are_text_and_no_more)
{
    struct out *out = out_memory();
    rows[_i].sink(out, rows[_i].text);
    ck_assert_str_eq(out_memory_text(out, NULL), rows[_i].escaped);
    out_discard(out);
}
END_TEST

/* Every sequence of one code point, by the definition of UTF-8, and every overlong or truncated
 * one. */
START_TEST(every_code_point_is_decoded)
{
    for (uint32_t code = 1; code <= 0x10FFFF; code++) {
        char text[5] = {0};
        size_t n = 1, length = 0;
        if (code >= 0xD800 && code <= 0xDFFF)
            continue;
        if (code < 0x80) {
            text[0] = (char)code;
        } else {
            n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
            uint32_t rest = code;
            for (size_t i = n - 1; i > 0; i--, rest >>= 6)
                text[i] = (char)(0x80 | (rest & 0x3F));
            text[0] = (char)((n == 2 ? 0xC0 : n == 3 ? 0xE0 : 0xF0) | rest);
        }
        uint32_t got = escape_decode(text, text + n, &length);
        ck_assert_msg(got == code && length == n, "U+%04X: %u bytes, U+%04X", (unsigned)code,
                      (unsigned)length, (unsigned)got);
        if (n > 1)
            ck_assert_uint_eq(escape_decode(text, text + n - 1, &length), ESCAPE_BROKEN);
    }
    ck_assert(escape_is_utf8("caf\xC3\xA9"));
    ck_assert(!escape_is_utf8("caf\xC3"));
}
END_TEST

/* A stream for people, written in pieces that cut characters and lines anywhere, across the end of
 * its buffer. */
START_TEST(a_stream_for_people_shows_all_it_gets)
{
    static const char piece[] = "\xE2\x96\x88\x1B[1m\n";
    char path[256];
    struct err err = {0};
    harness_name(path, sizeof path, ".txt");
    FILE *stream = fopen(path, "wb");
    ck_assert_ptr_nonnull(stream);
    struct out *out = out_stream(stream);
    out_show(out, true);
    size_t count = 40000, n;
    for (size_t i = 0; i < count; i++)
        for (const char *c = piece; *c != '\0'; c++)
            out_char(out, *c);
    out_show(out, false);
    out_text(out, "\x1B");
    ck_assert(out_close(out, &err));
    ck_assert_int_eq(fclose(stream), 0);
    char *text = harness_read(path, &n);
    static const char shown[] = "\xE2\x96\x88\\u001b[1m\n";
    ck_assert_uint_eq(n, count * (sizeof shown - 1) + 1);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(memcmp(text + i * (sizeof shown - 1), shown, sizeof shown - 1), 0);
    ck_assert_int_eq(text[n - 1], '\x1B');
    free(text);
    harness_forget(path);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("escape");
    TCase *tcase = tcase_create("sinks");
    tcase_add_loop_test(tcase, names_are_text_and_no_more, 0, ROWS(rows));
    tcase_add_test(tcase, every_code_point_is_decoded);
    tcase_add_test(tcase, a_stream_for_people_shows_all_it_gets);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
