/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Products and quotients of 128 bits: algebraically known values, and quotients multiplied back. */
#include "base/int128.h"
#include "tests/lib/harness.h"

#define ALL UINT64_MAX

struct product {
    uint64_t a, b, hi, lo;
};

/* (2^n - 1)^2 = 2^2n - 2^(n+1) + 1, and powers of two. */
static const struct product products[] = {
    {0, ALL, 0, 0},
    {1, ALL, 0, ALL},
    {UINT64_C(1) << 32, UINT64_C(1) << 32, 1, 0},
    {UINT64_C(1) << 63, 6, 3, 0},
    {ALL, ALL, ALL - 1, 1},
    {UINT64_C(0xffffffff), UINT64_C(0xffffffff), 0, 0xfffffffe00000001},
    {ALL, UINT64_C(0xffffffff), 0xfffffffe, 0xffffffff00000001},
    {10000000000000000000u, 10000000000000000000u, 0x4b3b4ca85a86c47a,
     0x098a224000000000}, /* 10^38 */
};

START_TEST(products_are_exact)
{
    const struct product *row = &products[_i];
    for (int swap = 0; swap < 2; swap++) {
        struct pc_int128 got = pc_int128_multiply(swap ? row->b : row->a, swap ? row->a : row->b);
        ck_assert_uint_eq(got.hi, row->hi);
        ck_assert_uint_eq(got.lo, row->lo);
    }
}
END_TEST

/* Numbers with long runs of ones and zeros, where estimates of digits go wrong, and plain ones. */
static uint64_t awkward(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state ^ *state >> 29;
    unsigned bits = (unsigned)(*state >> 58);
    switch (*state >> 56 & 3) {
    case 0:
        return x;
    case 1:
        return x >> bits;
    case 2:
        return ALL << bits;
    default:
        return (UINT64_C(1) << bits) + (x & 1) - (x >> 1 & 1);
    }
}

START_TEST(quotients_multiply_back)
{
    uint64_t state = 42;
    int looked_at = 0;
    for (int i = 0; i < 200000; i++) {
        uint64_t divisor = awkward(&state);
        uint64_t quotient = awkward(&state);
        uint64_t rest = awkward(&state);
        if (divisor == 0)
            continue;
        rest %= divisor;
        struct pc_int128 n =
            pc_int128_add(pc_int128_multiply(quotient, divisor), (struct pc_int128){0, rest});
        ck_assert_uint_lt(n.hi, divisor);
        uint64_t got_rest;
        ck_assert_uint_eq(pc_int128_divide(n, divisor, &got_rest), quotient);
        ck_assert_uint_eq(got_rest, rest);
        looked_at++;
    }
    ck_assert_int_gt(looked_at, 150000);
}
END_TEST

START_TEST(multiply_divide_has_one_answer_on_both_paths)
{
    uint64_t rest;
    ck_assert_uint_eq(pc_multiply_divide(7, 10, 3, &rest), 23);
    ck_assert_uint_eq(rest, 1);
    ck_assert_uint_eq(pc_multiply_divide(ALL, ALL - 1, ALL, &rest), ALL - 1);
    ck_assert_uint_eq(rest, 0);
    // (2^62 + 1) * 5 / 4 = 5 * 2^60 + 1, rest 1
    ck_assert_uint_eq(pc_multiply_divide((UINT64_C(1) << 62) + 1, 5, 4, &rest),
                      (UINT64_C(5) << 60) + 1);
    ck_assert_uint_eq(rest, 1);
}
END_TEST

START_TEST(sums_carry_and_borrow)
{
    struct pc_int128 one = {0, 1};
    struct pc_int128 edge = {3, ALL};
    struct pc_int128 next = pc_int128_add(edge, one);
    ck_assert_uint_eq(next.hi, 4);
    ck_assert_uint_eq(next.lo, 0);
    struct pc_int128 back = pc_int128_subtract(next, one);
    ck_assert_uint_eq(back.hi, 3);
    ck_assert_uint_eq(back.lo, ALL);
    ck_assert(pc_int128_less(edge, next));
    ck_assert(!pc_int128_less(next, edge));
    ck_assert(!pc_int128_less(edge, edge));
    ck_assert(pc_int128_less(one, edge));
    struct pc_int128 shifted = pc_int128_shift(next, 3);
    ck_assert_uint_eq(shifted.hi, 0);
    ck_assert_uint_eq(shifted.lo, UINT64_C(1) << 63);
    ck_assert_uint_eq(pc_int128_shift(edge, 0).lo, ALL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("wide");
    TCase *tcase = tcase_create("wide");
    tcase_add_loop_test(tcase, products_are_exact, 0, ROWS(products));
    tcase_add_test(tcase, quotients_multiply_back);
    tcase_add_test(tcase, multiply_divide_has_one_answer_on_both_paths);
    tcase_add_test(tcase, sums_carry_and_borrow);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
