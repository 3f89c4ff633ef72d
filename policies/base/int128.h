/* SPDX-License-Identifier: MIT */
/*
 * Products of two 64-bit numbers and their quotients, without the compiler's support library.
 * Shares and usage histories are exact integers, and their products exceed 64 bits when amounts are
 * bytes or milliseconds of a whole cluster.
 */
#ifndef POLICY_BASE_INT128_H
#define POLICY_BASE_INT128_H

#include <stdbool.h>
#include <stdint.h>

/* hi * 2^64 + lo */
struct pc_int128 {
    uint64_t hi, lo;
};

struct pc_int128 pc_int128_multiply(uint64_t a, uint64_t b);
uint64_t pc_int128_divide(struct pc_int128, uint64_t divisor, uint64_t *rest); /* divisor > hi */

static inline bool pc_int128_less(struct pc_int128 a, struct pc_int128 b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static inline struct pc_int128 pc_int128_add(struct pc_int128 a, struct pc_int128 b)
{
    uint64_t lo = a.lo + b.lo;
    return (struct pc_int128){a.hi + b.hi + (lo < b.lo), lo};
}

static inline struct pc_int128 pc_int128_subtract(struct pc_int128 a,
                                                  struct pc_int128 b) /* a >= b */
{
    return (struct pc_int128){a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo};
}

/* Returns the value shifted right by 0..63 bits. */
static inline struct pc_int128 pc_int128_shift(struct pc_int128 a, unsigned bits)
{
    if (bits == 0)
        return a;
    return (struct pc_int128){a.hi >> bits, a.lo >> bits | a.hi << (64 - bits)};
}

/* Returns floor(a * b / divisor), which must be below 2^64, and the remainder of that division. */
static inline uint64_t pc_multiply_divide(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *rest)
{
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return pc_int128_divide(pc_int128_multiply(a, b), divisor, rest);
    *rest = product % divisor;
    return product / divisor;
}

static inline uint64_t pc_common_divisor(uint64_t a, uint64_t b) /* the greatest common divisor; b
                                                                    if a is 0 */
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
