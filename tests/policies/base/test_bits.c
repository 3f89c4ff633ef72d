/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of small integers against an array of booleans, in sizes on both sides of every level. */
#include "base/bits.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

static const uint32_t sizes[] = {1,    63,     64,     65,     4095,     4096,
                                 4097, 262143, 262144, 262145, 1u << 21, 1u << 22};

START_TEST(members_are_found_in_order)
{
    uint32_t size = sizes[_i];
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_bits bits = {0};
    ck_assert_uint_eq(pc_bits_next(&bits, 0), PC_NONE);
    ck_assert(pc_bits_reserve(&bits, &memory, size));
    bool *twin = calloc(size, sizeof *twin);
    ck_assert_ptr_nonnull(twin);
    for (uint32_t k = 0, i = 0; k < 3000; k++, i = (uint32_t)((i * 2654435761u + 12345u) % size)) {
        twin[i] = k % 3 != 0;
        if (twin[i])
            pc_bits_add(&bits, i);
        else
            pc_bits_remove(&bits, i);
        ck_assert_int_eq(pc_bits_has(&bits, i), twin[i]);
    }
    uint32_t next = pc_bits_first(&bits);
    for (uint32_t i = 0; i < size; i++) {
        if (!twin[i])
            continue;
        ck_assert_uint_eq(next, i);
        next = pc_bits_next(&bits, i + 1);
    }
    ck_assert_uint_eq(next, PC_NONE);
    free(twin);
    pc_bits_free(&bits, &memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

/* A single member must be found from the very beginning, and nothing after it is removed. */
START_TEST(a_lonely_member_is_found)
{
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_bits bits = {0};
    ck_assert(pc_bits_reserve(&bits, &memory, sizes[_i]));
    uint32_t last = sizes[_i] - 1;
    pc_bits_add(&bits, last);
    ck_assert_uint_eq(pc_bits_first(&bits), last);
    ck_assert_uint_eq(pc_bits_next(&bits, last), last);
    ck_assert_uint_eq(pc_bits_next(&bits, last + 1), PC_NONE);
    pc_bits_remove(&bits, last);
    ck_assert_uint_eq(pc_bits_first(&bits), PC_NONE);
    pc_bits_free(&bits, &memory);
}
END_TEST

/* Multiples of one number in one set, of another in the other: the intersection is the multiples of
 * their product. */
START_TEST(common_members_are_found_in_order)
{
    uint32_t size = sizes[_i];
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_bits a = {0}, b = {0};
    ck_assert(pc_bits_reserve(&a, &memory, size) && pc_bits_reserve(&b, &memory, size));
    ck_assert_uint_eq(pc_bits_next_common(&a, &b, 0), PC_NONE);
    for (uint32_t i = 0; i < size; i += 97)
        pc_bits_add(&a, i);
    ck_assert_uint_eq(pc_bits_next_common(&a, &b, 0), PC_NONE);
    for (uint32_t i = 0; i < size; i += 5)
        pc_bits_add(&b, i);
    for (uint32_t i = 0; i < size; i += 485)
        ck_assert_uint_eq(pc_bits_next_common(&a, &b, i > 0 ? i - 484 : 0), i);
    ck_assert_uint_eq(pc_bits_next_common(&a, &b, (size - 1) / 485 * 485 + 1), PC_NONE);
    pc_bits_free(&a, &memory);
    pc_bits_free(&b, &memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

START_TEST(growing_keeps_the_members)
{
    struct tally tally = {0};
    const struct pc_memory memory = {tally_allocator(&tally)};
    struct pc_bits bits = {0};
    for (int i = 0; i < ROWS(sizes); i++) {
        ck_assert(pc_bits_reserve(&bits, &memory, sizes[i]));
        pc_bits_add(&bits, sizes[i] - 1);
    }
    uint32_t next = pc_bits_first(&bits);
    for (int i = 0; i < ROWS(sizes); i++, next = pc_bits_next(&bits, next + 1))
        ck_assert_uint_eq(next, sizes[i] - 1);
    ck_assert_uint_eq(next, PC_NONE);
    tally.fail_at = tally.calls + 1;
    ck_assert(!pc_bits_reserve(&bits, &memory, bits.capacity + 1));
    ck_assert_uint_eq(pc_bits_first(&bits), 0);
    pc_bits_free(&bits, &memory);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

static const struct {
    uint64_t set;
    int count;
    uint32_t lowest;
} words[] = {
    {1, 1, 0},      {0x8000000000000000, 1, 63}, {0xffffffffffffffff, 64, 0},
    {0x00f0, 4, 4}, {0xaaaa000000000000, 8, 49},
};

START_TEST(bits_of_a_word_are_counted)
{
    ck_assert_int_eq(pc_popcount(words[_i].set), words[_i].count);
    ck_assert_uint_eq(pc_lowest(words[_i].set), words[_i].lowest);
    ck_assert_int_eq(pc_popcount(0), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bits");
    TCase *tcase = tcase_create("bits");
    tcase_add_loop_test(tcase, members_are_found_in_order, 0, ROWS(sizes));
    tcase_add_loop_test(tcase, a_lonely_member_is_found, 0, ROWS(sizes));
    tcase_add_loop_test(tcase, common_members_are_found_in_order, 0, ROWS(sizes));
    tcase_add_test(tcase, growing_keeps_the_members);
    tcase_add_loop_test(tcase, bits_of_a_word_are_counted, 0, ROWS(words));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
