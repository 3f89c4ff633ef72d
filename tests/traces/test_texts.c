/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings of a batch, and untrusted bytes in messages. */
#include "tests/lib/harness.h"
#include "traces/texts.h"

#include <stdlib.h>
#include <string.h>

START_TEST(copies_stay_where_they_are)
{
    struct texts texts;
    const char *copies[5000];
    char name[32];
    texts_init(&texts);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 5000; i++) {
            int n = snprintf(name, sizeof name, "a text, number %d", i);
            copies[i] = texts_copy(&texts, name, (size_t)n);
        }
        for (int i = 0; i < 5000; i++) {
            (void)snprintf(name, sizeof name, "a text, number %d", i);
            ck_assert_str_eq(copies[i], name);
        }
        texts_clear(&texts);
    }
    ck_assert_str_eq(texts_copy(&texts, "", 0), "");
    texts_fini(&texts);
    texts_clear(&texts);
    texts_fini(&texts);
}
END_TEST

START_TEST(a_text_longer_than_a_block)
{
    struct texts texts;
    size_t n = 200000;
    char *large = malloc(n);
    ck_assert_ptr_nonnull(large);
    memset(large, 'x', n);
    texts_init(&texts);
    const char *before = texts_copy(&texts, "before", 6);
    const char *copy = texts_copy(&texts, large, n);
    ck_assert_uint_eq(strlen(copy), n);
    ck_assert_str_eq(texts_copy(&texts, "after", 5), "after");
    ck_assert_str_eq(before, "before");
    texts_clear(&texts);
    texts_fini(&texts);
    free(large);
}
END_TEST

static const struct {
    const char *bytes;
    size_t n, size;
    const char *shown;
} shows[] = {
    {"plain", 5, 40, "plain"},
    {"", 0, 8, ""},
    {"a\0b", 3, 40, "a\\x00b"},
    {"\x1b[31m", 5, 40, "\\x1b[31m"},
    {"\xc3\xbc\n", 3, 40, "\\xc3\\xbc\\x0a"},
    {"0123456789abcdef", 16, 16, "012345678..."},
    {"\x01\x02\x03\x04", 4, 16,
     "\\x01\\x02\\x03"
     "..."},
};

START_TEST(bytes_in_messages)
{
    char buffer[64];
    memset(buffer, '#', sizeof buffer);
    ck_assert_str_eq(texts_show(buffer, shows[_i].size, shows[_i].bytes, shows[_i].n),
                     shows[_i].shown);
    for (size_t i = shows[_i].size; i < sizeof buffer; i++)
        ck_assert_int_eq(buffer[i], '#');
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("texts");
    TCase *tcase = tcase_create("texts");
    tcase_add_test(tcase, copies_stay_where_they_are);
    tcase_add_test(tcase, a_text_longer_than_a_block);
    tcase_add_loop_test(tcase, bytes_in_messages, 0, ROWS(shows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
