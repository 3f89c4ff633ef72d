/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Allocation: zeroing, copies, growth, and the end of the process when a size is impossible. */
#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "tests/lib/harness.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

START_TEST(memory_is_zeroed)
{
    int *values = mem_alloc(100, sizeof *values);
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(values[i], 0);
    free(values);
}
END_TEST

/* Sizes below and above a huge page of 2 MiB. */
static const size_t scattered[] = {
    0, 1, 1000, (size_t)2 << 20, ((size_t)4 << 20) + 1, (size_t)9 << 20};

START_TEST(scattered_tables_are_zeroed)
{
    unsigned char *bytes = mem_alloc_scattered(scattered[_i], 1);
    for (size_t i = 0; i < scattered[_i]; i += 997)
        ck_assert_int_eq(bytes[i], 0);
    memset(bytes, 1, scattered[_i]);
    free(bytes);
}
END_TEST

START_TEST(tables_are_extended_with_zeros)
{
    size_t count = 0;
    int *table = mem_extend(NULL, &count, 3, sizeof *table);
    ck_assert_uint_eq(count, 3);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(table[i], 0);
    table[1] = 7;
    table = mem_extend(table, &count, 100, sizeof *table);
    ck_assert_uint_eq(count, 100);
    ck_assert_int_eq(table[1], 7);
    for (int i = 3; i < 100; i++)
        ck_assert_int_eq(table[i], 0);
    ck_assert_ptr_eq(mem_extend(table, &count, 50, sizeof *table),
                     table); /* it already has this many */
    ck_assert_uint_eq(count, 100);
    free(table);
}
END_TEST

START_TEST(nothing_is_something)
{
    void *none = mem_alloc(0, 8);
    ck_assert_ptr_nonnull(none);
    none = mem_resize(none, 0, 0);
    ck_assert_ptr_nonnull(none);
    free(none);
}
END_TEST

START_TEST(copies_of_text)
{
    ck_assert_ptr_null(mem_text(NULL));
    char *all = mem_text("abc"), *part = mem_text_n("abcdef", 2), *none = mem_text_n(NULL, 0);
    char *made = mem_format("%d-%s", 12, "x");
    ck_assert_str_eq(all, "abc");
    ck_assert_str_eq(part, "ab");
    ck_assert_str_eq(none, "");
    ck_assert_str_eq(made, "12-x");
    free(all);
    free(part);
    free(none);
    free(made);
}
END_TEST

static const struct {
    size_t have, need, expected;
} growth[] = {
    {0, 1, 16}, {0, 17, 32}, {16, 17, 32}, {16, 100, 128}, {5, 6, 16},
};

START_TEST(arrays_double)
{
    size_t capacity = growth[_i].have;
    int *array = capacity ? mem_alloc(capacity, sizeof *array) : NULL;
    if (array)
        array[0] = 42;
    int *grown = mem_grow(array, &capacity, growth[_i].need, sizeof *grown);
    ck_assert_uint_eq(capacity, growth[_i].expected);
    if (growth[_i].have)
        ck_assert_int_eq(grown[0], 42);
    grown[growth[_i].need - 1] = 1;
    ck_assert_ptr_eq(mem_grow(grown, &capacity, growth[_i].need, sizeof *grown), grown);
    free(grown);
}
END_TEST

START_TEST(an_impossible_product_ends_the_process)
{
    // Through volatile, so that the compiler does not see the impossible size.
    volatile size_t huge = SIZE_MAX / 2;
    free(mem_alloc(huge, 8));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mem");
    TCase *tcase = tcase_create("mem");
    tcase_add_test(tcase, memory_is_zeroed);
    tcase_add_loop_test(tcase, scattered_tables_are_zeroed, 0, ROWS(scattered));
    tcase_add_test(tcase, tables_are_extended_with_zeros);
    tcase_add_test(tcase, nothing_is_something);
    tcase_add_test(tcase, copies_of_text);
    tcase_add_loop_test(tcase, arrays_double, 0, ROWS(growth));
    const char *fork = getenv("CK_FORK");
    if (!fork || strcmp(fork, "no") != 0)
        tcase_add_exit_test(tcase, an_impossible_product_ends_the_process, EXIT_INTERNAL);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
