/* SPDX-License-Identifier: MIT */
/* Schoolbook multiplication and division (Knuth, TAOCP 2, algorithm D) with digits of 32 bits. */
#include "base/int128.h"

#define DIGIT UINT64_C(0xffffffff)

struct pc_int128 pc_int128_multiply(uint64_t a, uint64_t b)
{
    uint64_t low = (a & DIGIT) * (b & DIGIT);
    uint64_t cross =
        (a >> 32) * (b & DIGIT) + (low >> 32); /* at most (2^32-1)^2 + 2^32-1: no overflow */
    uint64_t other = (a & DIGIT) * (b >> 32) + (cross & DIGIT);
    return (struct pc_int128){(a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32),
                              other << 32 | (low & DIGIT)};
}

/* One digit of the quotient of (two digits `high` and a third) by a divisor whose top bit is
 * set. */
static uint64_t quotient_digit(uint64_t high, uint64_t third, uint64_t divisor)
{
    uint64_t top = divisor >> 32;
    uint64_t digit = high / top;
    uint64_t rest = high % top;
    // The estimate from the top digits is at most two too large; the second digit of the
    // divisor tells.
    while (digit > DIGIT || digit * (divisor & DIGIT) > (rest << 32 | third)) {
        digit--;
        rest += top;
        if (rest > DIGIT)
            break;
    }
    return digit;
}

uint64_t pc_int128_divide(struct pc_int128 n, uint64_t divisor, uint64_t *rest)
{
    unsigned shift = (unsigned)__builtin_clzll(divisor);
    divisor <<= shift;
    if (shift > 0) {
        n.hi = n.hi << shift | n.lo >> (64 - shift);
        n.lo <<= shift;
    }
    uint64_t first = quotient_digit(n.hi, n.lo >> 32, divisor);
    // Differences below are taken modulo 2^64; the true values are smaller than the divisor.
    uint64_t middle = (n.hi << 32 | n.lo >> 32) - first * divisor;
    uint64_t second = quotient_digit(middle, n.lo & DIGIT, divisor);
    *rest = ((middle << 32 | (n.lo & DIGIT)) - second * divisor) >> shift;
    return first << 32 | second;
}
