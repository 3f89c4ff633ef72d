/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decimal digits written to memory, inline, for rows of numbers where a call each would cost more
 * than the digits. Each function writes at `to` and returns the place behind; DIGITS_MOST bytes are
 * always enough for one.
 */
#ifndef SIM_BASE_DIGITS_H
#define SIM_BASE_DIGITS_H

#include <stdint.h>
#include <string.h>

#define DIGITS_MOST 32

/* Right-aligned at end; returns where the number begins. */
static inline char *digits_before(char *end, uint64_t value)
{
    static const char pairs[] =
        "000102030405060708091011121314151617181920212223242526272829303132333435363738394041424344"
        "454647484950515253545556575859606162636465666768697071727374757677787980818283848586878889"
        "90919293949596979899";
    for (; value >= 100; value /= 100) {
        end -= 2;
        memcpy(end, &pairs[2 * (value % 100)], 2);
    }
    if (value < 10) {
        *--end = (char)('0' + value);
        return end;
    }
    end -= 2;
    memcpy(end, &pairs[2 * value], 2);
    return end;
}

static inline char *digits_u64(char *to, uint64_t value)
{
    if (value < 10) { /* most numbers of a table are */
        *to = (char)('0' + value);
        return to + 1;
    }
    uint64_t rest = value;
    for (; rest >= 10000; rest /= 10000)
        to += 4;
    to += 1 + (rest >= 10) + (rest >= 100) + (rest >= 1000);
    digits_before(to, value);
    return to;
}

static inline char *digits_i64(char *to, int64_t value)
{
    if (value < 0)
        *to++ = '-';
    return digits_u64(to, value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value);
}

/* value / 1000 with up to three decimals and no trailing zeros. */
static inline char *digits_milli(char *to, int64_t value)
{
    uint64_t rest = value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value;
    if (value < 0)
        *to++ = '-';
    to = digits_u64(to, rest / 1000);
    unsigned fraction = (unsigned)(rest % 1000);
    if (fraction == 0)
        return to;
    *to++ = '.';
    *to++ = (char)('0' + fraction / 100);
    if (fraction % 100 != 0)
        *to++ = (char)('0' + fraction / 10 % 10);
    if (fraction % 10 != 0)
        *to++ = (char)('0' + fraction % 10);
    return to;
}

#endif
