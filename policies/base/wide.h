/* SPDX-License-Identifier: MIT */
/*
 * Products of two 64-bit numbers, and their quotients, without help of the compiler's library: shares and histories of
 * use are exact integers whose products do not fit 64 bits when amounts are bytes or milliseconds of a whole cluster.
 */
#ifndef POLICY_BASE_WIDE_H
#define POLICY_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

/* hi * 2^64 + lo */
struct pc_wide {
    uint64_t hi, lo;
};

struct pc_wide pc_wide_multiply(uint64_t a, uint64_t b);
uint64_t pc_wide_divide(struct pc_wide, uint64_t divisor, uint64_t *rest); /* divisor > hi */

static inline bool pc_wide_less(struct pc_wide a, struct pc_wide b)
{
    return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static inline struct pc_wide pc_wide_add(struct pc_wide a, struct pc_wide b)
{
    uint64_t lo = a.lo + b.lo;
    return (struct pc_wide){a.hi + b.hi + (lo < b.lo), lo};
}

static inline struct pc_wide pc_wide_subtract(struct pc_wide a, struct pc_wide b) /* a >= b */
{
    return (struct pc_wide){a.hi - b.hi - (a.lo < b.lo), a.lo - b.lo};
}

/* What is left after moving to the right by 0..63 bits. */
static inline struct pc_wide pc_wide_shift(struct pc_wide a, unsigned bits)
{
    if (bits == 0)
        return a;
    return (struct pc_wide){a.hi >> bits, a.lo >> bits | a.hi << (64 - bits)};
}

/* floor(a * b / divisor), which has to be below 2^64, and the rest of that division. */
static inline uint64_t pc_multiply_divide(uint64_t a, uint64_t b, uint64_t divisor, uint64_t *rest)
{
    uint64_t product;
    if (__builtin_mul_overflow(a, b, &product))
        return pc_wide_divide(pc_wide_multiply(a, b), divisor, rest);
    *rest = product % divisor;
    return product / divisor;
}

static inline uint64_t pc_common_divisor(uint64_t a, uint64_t b) /* the greatest; of 0 and b: b */
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

#endif
