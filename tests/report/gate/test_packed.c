/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Packed texts: round trips, one made by Python's zlib and base64, and damaged ones. */
#include "report/gate/packed.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

START_TEST(there_and_back)
{
    static const size_t lengths[] = {0, 1, 2, 3, 4, 100, 100000};
    size_t n = lengths[_i], got = 0;
    char *text = malloc(n + 1);
    ck_assert_ptr_nonnull(text);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)(i * i % 251);
    char *packed = packed_make(text, n), *again = packed_open(packed, n, &got);
    ck_assert(again != NULL && got == n && memcmp(text, again, n) == 0 && again[n] == '\0');
    ck_assert_ptr_null(n > 0 ? packed_open(packed, n - 1, &got) : NULL);
    free(text);
    free(packed);
    free(again);
}
END_TEST

/* base64.b64encode(zlib.compress(b"hello hello")) */
START_TEST(by_another_program)
{
    size_t n = 0;
    char *text = packed_open("11:eJzLSM3JyVfIAJEAGZEESQ==", 100, &n);
    ck_assert_ptr_nonnull(text);
    ck_assert_str_eq(text, "hello hello");
    free(text);
}
END_TEST

static const char *const damaged[] = {
    "",
    "11",
    "11:",
    "11:eJzLSM3JyVfIAJEAGZEESQ=",
    "12:eJzLSM3JyVfIAJEAGZEESQ==",
    "10:eJzLSM3JyVfIAJEAGZEESQ==",
    "-1:AAAA",
    "x:AAAA",
    "3:AA*A",
    "3:AAAA",
    "11:eJzLSM3JyVfIAJEAGZEESA==",
};

START_TEST(damaged_text_is_refused)
{
    size_t n = 0;
    ck_assert_ptr_null(packed_open(damaged[_i], 100, &n));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("packed");
    TCase *tcase = tcase_create("packed");
    tcase_add_loop_test(tcase, there_and_back, 0, 7);
    tcase_add_test(tcase, by_another_program);
    tcase_add_loop_test(tcase, damaged_text_is_refused, 0, ROWS(damaged));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
