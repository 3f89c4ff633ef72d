/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checked sizes: arrays double, absurd sizes are refused before they reach the allocator. */
#include "base/memory.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

START_TEST(arrays_double)
{
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    uint64_t *array = NULL;
    uint32_t capacity = 0;
    for (uint32_t n = 1; n <= 1000; n++) {
        ck_assert(PC_GROW(&memory, array, capacity, n));
        array[n - 1] = n;
    }
    ck_assert_uint_eq(capacity, 1024);
    ck_assert_uint_eq(tally.calls, 8); /* 8, 16, ... 1024 */
    for (uint32_t n = 1; n <= 1000; n++)
        ck_assert_uint_eq(array[n - 1], n);
    pc_release(&memory, array, capacity, sizeof *array);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

START_TEST(failing_keeps_the_array)
{
    struct tally tally = {.fail_at = 2};
    const struct pc_memory memory = {tally_allocator(&tally)};
    uint32_t *array = NULL;
    uint32_t capacity = 0;
    ck_assert(PC_GROW(&memory, array, capacity, 3));
    array[2] = 7;
    ck_assert(!PC_GROW(&memory, array, capacity, 9));
    ck_assert_uint_eq(capacity, 8);
    ck_assert_uint_eq(array[2], 7);
    pc_release(&memory, array, capacity, sizeof *array);
}
END_TEST

START_TEST(absurd_sizes_are_refused)
{
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    uint32_t *array = NULL;
    uint32_t capacity = 0;
    ck_assert(!PC_GROW(&memory, array, capacity, UINT32_MAX));
    ck_assert_ptr_null(pc_alloc(&memory, SIZE_MAX / 4, 8));
    ck_assert_ptr_null(pc_alloc(&memory, 0, 8));
    ck_assert_uint_eq(tally.calls, 0);
    pc_release(&memory, NULL, 10, 8);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("memory");
    TCase *tcase = tcase_create("memory");
    tcase_add_test(tcase, arrays_double);
    tcase_add_test(tcase, failing_keeps_the_array);
    tcase_add_test(tcase, absurd_sizes_are_refused);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
