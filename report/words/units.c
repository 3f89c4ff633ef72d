/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers and names for people. Rounding happens once, to the smallest unit that is shown, so
 * 3599.7 s is 1h00m and never 59m60s.
 */
#include "report/words/units.h"

#include "sim/base/escape.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LARGEST 1e15 /* larger doubles have no digits left to separate */

static const char *undefined(char text[UNIT_TEXT])
{
    (void)snprintf(text, UNIT_TEXT, "-");
    return text;
}

const char *unit_duration(char text[UNIT_TEXT], double seconds)
{
    if (!isfinite(seconds))
        return undefined(text);
    const char *sign = seconds < 0 ? "-" : "";
    double size = fmin(fabs(seconds), LARGEST);
    long long s = llround(size), m = llround(size / 60), h = llround(size / 3600);
    if (size < 9.95 && fabs(size - (double)s) >= 0.05)
        (void)snprintf(text, UNIT_TEXT, "%s%.1fs", sign, size);
    else if (s < 60)
        (void)snprintf(text, UNIT_TEXT, "%s%llds", s ? sign : "", s);
    else if (s < 3600)
        (void)snprintf(text, UNIT_TEXT, "%s%lldm%02llds", sign, s / 60, s % 60);
    else if (m < 1440)
        (void)snprintf(text, UNIT_TEXT, "%s%lldh%02lldm", sign, m / 60, m % 60);
    else if (h < 2400)
        (void)snprintf(text, UNIT_TEXT, "%s%lldd%02lldh", sign, h / 24, h % 24);
    else
        (void)snprintf(text, UNIT_TEXT, "%s%lldd", sign, llround(size / 86400));
    return text;
}

const char *unit_percent(char text[UNIT_TEXT], double ratio)
{
    if (!isfinite(ratio))
        return undefined(text);
    (void)snprintf(text, UNIT_TEXT, "%.1f%%", ratio * 100 + 0.0);
    return text;
}

/* Formats the number with `decimals` decimals and commas between thousands. */
static const char *separated(char text[UNIT_TEXT], double value, int decimals)
{
    if (!isfinite(value))
        return undefined(text);
    if (fabs(value) >= LARGEST) {
        (void)snprintf(text, UNIT_TEXT, "%.3e", value);
        return text;
    }
    char plain[UNIT_TEXT];
    (void)snprintf(plain, sizeof plain, "%.*f", decimals, fabs(value));
    size_t whole = strcspn(plain, "."), used = 0;
    bool negative = value < 0 && strspn(plain, "0.") != strlen(plain);
    if (negative)
        text[used++] = '-';
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && (whole - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = plain[i];
    }
    (void)snprintf(text + used, UNIT_TEXT - used, "%s", plain + whole);
    return text;
}

const char *unit_count(char text[UNIT_TEXT], double n)
{
    bool whole = isfinite(n) && fabs(n - nearbyint(n)) < 0.05;
    return separated(text, n, whole ? 0 : 1);
}

const char *unit_amount(char text[UNIT_TEXT], double value)
{
    double size = fabs(value);
    bool none = size < 0.005;
    return separated(text, value, none || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

const char *unit_exact(char text[UNIT_TEXT], double value)
{
    int digits = 0;
    for (double scaled = fabs(value); digits < 3 && fabs(scaled - nearbyint(scaled)) > 1e-9;
         scaled *= 10)
        digits++;
    return separated(text, value, digits);
}

const char *unit_ratio(char text[UNIT_TEXT], double value)
{
    return separated(text, value, 3);
}

const char *unit_any(char text[UNIT_TEXT], const char *unit, double value)
{
    if (strcmp(unit, "s") == 0)
        return unit_duration(text, value);
    return strcmp(unit, "count") == 0 ? unit_count(text, value) : unit_amount(text, value);
}

size_t unit_width(const char *text)
{
    return escape_width(text);
}

char *unit_name(const char *name, size_t limit)
{
    return escape_name(name, limit);
}
