/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Varints and base64, byte by byte. */
#include "report/explore/pack.h"
#include "tests/lib/harness.h"
#include <stdlib.h>
#include <string.h>

static void ck_bytes(const struct pack *p, const unsigned char *bytes, size_t count)
{
    ck_assert_uint_eq(p->count, count);
    ck_assert_mem_eq(p->bytes, bytes, count);
}

/* Zigzag: 0, -1, 1, -2, ... are 0, 1, 2, 3, ...; 300 is 600 = 4 * 128 + 88. */
START_TEST(small_numbers_take_few_bytes)
{
    struct pack p = {0};
    const int64_t numbers[] = {0, -1, 1, 63, 64, 300};
    const unsigned char bytes[] = {0, 1, 2, 126, 0x80, 0x01, 0xd8, 0x04};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        pack_number(&p, numbers[i]);
    ck_bytes(&p, bytes, sizeof bytes);
    pack_fini(&p);
}
END_TEST

START_TEST(the_largest_numbers_take_ten_bytes)
{
    struct pack p = {0};
    const unsigned char most[] = {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01,
                                  0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
    pack_number(&p, INT64_MAX);
    pack_number(&p, INT64_MIN);
    ck_bytes(&p, most, sizeof most);
    pack_fini(&p);
}
END_TEST

START_TEST(texts_have_their_length)
{
    struct pack p = {0};
    pack_text(&p, "ab");
    pack_text(&p, "");
    ck_bytes(&p, (const unsigned char *)"\4ab\0", 4);
    pack_fini(&p);
}
END_TEST

/* RFC 4648, section 10. */
START_TEST(bytes_become_base64)
{
    static const char *const cases[][2] = {{"f", "Zg=="},         {"fo", "Zm8="},
                                           {"foo", "Zm9v"},       {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pack p = {.bytes = (unsigned char *)strdup(cases[i][0]),
                         .count = strlen(cases[i][0])};
        struct out *out = out_memory();
        pack_base64(&p, out);
        ck_assert_str_eq(out_memory_text(out, NULL), cases[i][1]);
        out_discard(out);
        pack_fini(&p);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("explore pack");
    TCase *tests = tcase_create("pack");
    tcase_add_test(tests, small_numbers_take_few_bytes);
    tcase_add_test(tests, the_largest_numbers_take_ten_bytes);
    tcase_add_test(tests, texts_have_their_length);
    tcase_add_test(tests, bytes_become_base64);
    suite_add_tcase(suite, tests);
    return harness_run(suite);
}
