/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strict numbers from text and the nearest valid name. Decimal numbers are taken apart once, by
 * scan(); what the parsers return is computed from the digits in integers, so that 0.0005 s is 1 ms
 * on every machine.
 */
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A decimal number as it is written: digits [from, to) with perhaps one point among them. `whole`
 * is the number of digits before the point, `exponent` what follows "e", cut to +-100,000, which is
 * beyond every type we have.
 */
struct decimal {
    const char *from, *to;
    size_t whole;
    int64_t exponent;
    bool negative;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool scan_exponent(const char *p, const char *end, int64_t *exponent)
{
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end)
        return false;
    int64_t value = 0;
    for (; p < end; p++) {
        if (!is_digit(*p))
            return false;
        if (value < 100000)
            value = value * 10 + (*p - '0');
    }
    *exponent = negative ? -value : value;
    return true;
}

static bool scan(const char *text, size_t n, struct decimal *decimal)
{
    const char *p = text, *end = text + n;
    *decimal = (struct decimal){.negative = n > 0 && *p == '-'};
    if (n > 0 && (*p == '-' || *p == '+'))
        p++;
    decimal->from = p;
    while (p < end && is_digit(*p))
        p++;
    decimal->whole = (size_t)(p - decimal->from);
    size_t digits = decimal->whole;
    if (p < end && *p == '.') {
        const char *point = p++;
        while (p < end && is_digit(*p))
            p++;
        digits += (size_t)(p - point) - 1;
    }
    decimal->to = p;
    if (digits == 0)
        return false;
    if (p == end)
        return true;
    return (*p == 'e' || *p == 'E') && scan_exponent(p + 1, end, &decimal->exponent);
}

/*
 * The magnitude of decimal x 10^shift, cut to a whole number; *next is the first digit cut off (so
 * half away from zero is `next >= 5`), *exact whether nothing but zeros was cut off. False when it
 * does not fit.
 */
static bool shifted(const struct decimal *decimal, int64_t shift, uint64_t *magnitude, int *next,
                    bool *exact)
{
    int64_t keep =
        (int64_t)decimal->whole + decimal->exponent + shift; // digits left of the shifted point
    uint64_t value = 0;
    *next = 0;
    *exact = true;
    for (const char *p = decimal->from; p < decimal->to; p++) {
        if (*p == '.')
            continue;
        unsigned digit = (unsigned)(*p - '0');
        if (keep > 0) {
            if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, digit, &value))
                return false;
        } else {
            if (keep == 0)
                *next = (int)digit;
            *exact = *exact && digit == 0;
        }
        keep--;
    }
    for (; keep > 0 && value > 0; keep--) {
        if (__builtin_mul_overflow(value, 10, &value))
            return false;
    }
    *magnitude = value;
    return true;
}

static bool with_sign(uint64_t magnitude, bool negative, int64_t *value)
{
    if (magnitude > (uint64_t)INT64_MAX + negative)
        return false;
    *value = negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
    return true;
}

/* Most numbers of a trace are just a few digits; any 18 digits fit. */
static bool plain_digits(const char *text, size_t n, int64_t *value)
{
    if (n == 0 || n > 18)
        return false;
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (!is_digit(text[i]))
            return false;
        sum = sum * 10 + (text[i] - '0');
    }
    *value = sum;
    return true;
}

bool text_i64(const char *text, size_t n, int64_t *value)
{
    if (plain_digits(text, n, value))
        return true;
    struct decimal decimal;
    uint64_t magnitude;
    int next;
    bool exact;
    return scan(text, n, &decimal) && shifted(&decimal, 0, &magnitude, &next, &exact) && exact &&
           with_sign(magnitude, decimal.negative, value);
}

/* The same for "12.5": at most 12 characters and 6 decimals, so that the scaled number has at most
 * 18 digits. */
static bool plain_scaled(const char *text, size_t n, int digits, int64_t *value)
{
    if (n == 0 || n > 12 || digits > 6 || !is_digit(text[0]))
        return false;
    static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    int64_t sum = 0;
    int left = -1; // decimals still wanted, once the point was seen
    for (size_t i = 0; i < n; i++) {
        if (is_digit(text[i])) {
            if (left == 0)
                return false; // to be rounded
            sum = sum * 10 + (text[i] - '0');
            left -= left > 0;
        } else if (text[i] == '.' && left < 0) {
            left = digits;
        } else {
            return false;
        }
    }
    *value = sum * powers[left < 0 ? digits : left];
    return true;
}

bool text_scaled(const char *text, size_t n, int digits, int64_t *value)
{
    if (plain_scaled(text, n, digits, value))
        return true;
    struct decimal decimal;
    uint64_t magnitude;
    int next;
    bool exact;
    if (!scan(text, n, &decimal) || !shifted(&decimal, digits, &magnitude, &next, &exact))
        return false;
    if (next >= 5 && __builtin_add_overflow(magnitude, 1, &magnitude))
        return false;
    return with_sign(magnitude, decimal.negative, value);
}

/*
 * Digits and perhaps a point: at most 15 digits are a whole double, as is the power of ten, so that
 * their quotient, which is rounded once, is the nearest double (W. D. Clinger, How to read floating
 * point numbers accurately, 1990).
 */
static bool plain_f64(const char *text, size_t n, double *value)
{
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};
    if (n == 0 || n > 15 || !is_digit(text[0]))
        return false;
    uint64_t sum = 0;
    size_t point = n - 1; // without one, behind the last digit
    bool has_point = false;
    for (size_t i = 0; i < n; i++) {
        if (is_digit(text[i])) {
            sum = sum * 10 + (uint64_t)(text[i] - '0');
        } else if (text[i] == '.' && !has_point) {
            has_point = true;
            point = i;
        } else {
            return false;
        }
    }
    *value = (double)sum / powers[n - 1 - point];
    return true;
}

bool text_f64(const char *text, size_t n, double *value)
{
    if (plain_f64(text, n, value))
        return true;
    struct decimal decimal;
    char copy[512];
    if (n >= sizeof copy || !scan(text, n, &decimal))
        return false;
    memcpy(copy, text, n);
    copy[n] = '\0';
    double parsed =
        strtod(copy, NULL); // The process never leaves the locale "C", so the point is a point.
    if (!isfinite(parsed))
        return false;
    *value = parsed;
    return true;
}

/*
 * A unit is factor x 10^digits milliseconds. Six more decimals are kept while parsing, so that
 * 0.0001h is 360 ms.
 */
static const struct duration_unit {
    char name;
    int digits;
    int64_t factor;
} duration_units[] = {
    {'s', 3, 1}, {'m', 4, 6}, {'h', 5, 36}, {'d', 5, 864}, {'w', 5, 6048},
};

bool text_duration_ms(const char *text, size_t n, int64_t *ms)
{
    const struct duration_unit *unit = &duration_units[0];
    for (size_t i = 0; n > 0 && i < sizeof duration_units / sizeof *duration_units; i++) {
        if (text[n - 1] == duration_units[i].name) {
            unit = &duration_units[i];
            n--;
            break;
        }
    }
    int64_t value, fine = 0;
    if (unit->factor == 1) {
        if (!text_scaled(text, n, unit->digits, &value))
            return false;
    } else {
        if (!text_scaled(text, n, unit->digits + 6, &fine))
            return false;
        if (__builtin_mul_overflow(fine / 1000000, unit->factor, &value))
            return false;
        int64_t rest = fine % 1000000 * unit->factor;
        if (__builtin_add_overflow(value, (rest + 500000) / 1000000, &value))
            return false;
    }
    if (value < 0 || fine < 0)
        return false;
    *ms = value;
    return true;
}

#define NEAREST_LENGTH 64 /* longer names are not compared */

static char lower(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c;
}

static size_t smallest(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

/* Damerau-Levenshtein distance in its optimal string alignment form: three rows of the table are
 * enough. */
static size_t distance(const char *a, size_t an, const char *b, size_t bn)
{
    size_t rows[3][NEAREST_LENGTH + 1];
    for (size_t j = 0; j <= bn; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= an; i++) {
        size_t *now = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= bn; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            now[j] = smallest(above[j] + 1, now[j - 1] + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && lower(a[i - 2]) == y &&
                above2[j - 2] + 1 < now[j])
                now[j] = above2[j - 2] + 1;
        }
    }
    return rows[an % 3][bn];
}

/*
 * How many edits are a typing error in a name of that length: one in three letters. The part that
 * is rounded up is believed of names that begin alike, so that short nonsense is near to nothing.
 */
static size_t edit_limit(size_t length, bool begins_alike)
{
    if (length < 3)
        return 1;
    return (length + (begins_alike ? 2 : 1)) / 3;
}

const char *text_nearest(const char *name, const char *const *names, size_t count, size_t stride)
{
    const char *best = NULL;
    size_t best_distance = SIZE_MAX;
    size_t n = strlen(name);
    if (n == 0 || n > NEAREST_LENGTH)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        const char *candidate =
            *(const char *const *)(const void *)((const char *)names + i * stride);
        size_t length = strlen(candidate);
        if (length > NEAREST_LENGTH)
            continue;
        size_t longer = n > length ? n : length;
        size_t limit = edit_limit(longer, lower(*name) == lower(*candidate));
        size_t d = distance(name, n, candidate, length);
        if (d < longer && d <= limit && d < best_distance) {
            best = candidate;
            best_distance = d;
        }
    }
    return best;
}

bool text_ends_in(const char *text, const char *end)
{
    size_t n = strlen(text), of = strlen(end);
    return n > of && strcmp(text + n - of, end) == 0;
}

const char *text_suggest(char *buffer, size_t size, const char *name, const char *const *names,
                         size_t count, size_t stride)
{
    const char *nearest = text_nearest(name, names, count, stride);
    if (nearest)
        (void)snprintf(buffer, size, ", did you mean '%s'?", nearest);
    else if (size > 0)
        buffer[0] = '\0';
    return buffer;
}
