/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Charts made of text. Every function prints columns from left to right. */
#include "report/terminal/spark.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define EIGHTHS 8

static void repeat(struct out *out, const char *glyph, size_t n)
{
    while (n--)
        out_text(out, glyph);
}

static bool is_utf8(const char *locale)
{
    const char *dot = locale ? strchr(locale, '.') : NULL;
    return dot && (strncasecmp(dot + 1, "utf-8", 5) == 0 || strncasecmp(dot + 1, "utf8", 4) == 0);
}

enum spark spark_choose(const struct spark_terminal *at)
{
    if (!at->is_terminal)
        return SPARK_NONE;
    bool dumb = !at->term || strcmp(at->term, "dumb") == 0;
    bool unwanted = at->no_unicode && *at->no_unicode;
    return dumb || unwanted || !is_utf8(at->locale) ? SPARK_ASCII : SPARK_UNICODE;
}

/* ---- a series -------------------------------------------------------------------------------- */

/* Exactly 0 is a line at the bottom; anything above gets at least an eighth. */
static const char *level_glyph(enum spark spark, double share)
{
    static const char *const unicode[EIGHTHS + 1] = {"_",
                                                     "\xE2\x96\x81",
                                                     "\xE2\x96\x82",
                                                     "\xE2\x96\x83",
                                                     "\xE2\x96\x84",
                                                     "\xE2\x96\x85",
                                                     "\xE2\x96\x86",
                                                     "\xE2\x96\x87",
                                                     "\xE2\x96\x88"};
    static const char *const ascii[EIGHTHS + 1] = {"_", ".", ":", "-", "=", "+", "*", "%", "@"};
    if (isnan(share))
        return " ";
    double eighths = ceil(fmin(share, 1) * EIGHTHS - 1e-9);
    int level = !(share > 0) ? 0 : eighths < 1 ? 1 : (int)eighths;
    return spark == SPARK_UNICODE ? unicode[level] : ascii[level];
}

/* Returns the mean of the values in a column; NaN if none is a number. */
static double column_mean(const double *value, size_t count, size_t column, size_t width)
{
    size_t first = column * count / width, end = (column + 1) * count / width, n = 0;
    double sum = 0;
    end = end > first ? end : first + 1;
    for (size_t i = first; i < end; i++) {
        if (isnan(value[i]))
            continue;
        sum += value[i];
        n++;
    }
    return n ? sum / (double)n : (double)NAN;
}

void spark_line(struct out *out, enum spark spark, const double *value, size_t count, double top,
                size_t width)
{
    BUG_ON(spark == SPARK_NONE);
    if (!(top > 0)) {
        top = 0;
        for (size_t i = 0; i < count; i++)
            top = value[i] > top ? value[i] : top;
    }
    for (size_t c = 0; c < width; c++) {
        double mean = count ? column_mean(value, count, c, width) : (double)NAN;
        out_text(out, level_glyph(spark, top > 0 || isnan(mean) ? mean / top : 0));
    }
}

/* ---- shares ---------------------------------------------------------------------------------- */

void spark_bar(struct out *out, enum spark spark, double share, size_t width)
{
    static const char *const partial[EIGHTHS] = {"",
                                                 "\xE2\x96\x8F",
                                                 "\xE2\x96\x8E",
                                                 "\xE2\x96\x8D",
                                                 "\xE2\x96\x8C",
                                                 "\xE2\x96\x8B",
                                                 "\xE2\x96\x8A",
                                                 "\xE2\x96\x89"};
    BUG_ON(spark == SPARK_NONE);
    double bounded = isnan(share) ? 0 : fmin(fmax(share, 0), 1);
    size_t eighths = (size_t)(bounded * (double)(width * EIGHTHS) + 0.5);
    if (eighths == 0 && bounded > 0 && width > 0)
        eighths = 1;
    size_t whole = eighths / EIGHTHS, rest = eighths % EIGHTHS;
    if (spark == SPARK_ASCII) { // the resolution is half a column
        repeat(out, "#", whole);
        if (rest > 0)
            out_char(out, rest >= EIGHTHS / 2 ? '=' : '-');
    } else {
        repeat(out, "\xE2\x96\x88", whole);
        out_text(out, partial[rest]);
    }
    repeat(out, " ", width - whole - (rest > 0));
}

const char *spark_part(enum spark spark, size_t i)
{
    static const char *const unicode[SPARK_PARTS] = {"\xE2\x96\x88", "\xE2\x96\x93", "\xE2\x96\x92",
                                                     "\xE2\x96\x91", "\xE2\x95\xB1", "\xC2\xB7"};
    static const char *const ascii[SPARK_PARTS] = {"#", "=", "+", "-", "/", "."};
    return spark == SPARK_UNICODE ? unicode[i % SPARK_PARTS] : ascii[i % SPARK_PARTS];
}

static double positive(double value)
{
    return value > 0 && isfinite(value) ? value : 0;
}

void spark_parts(struct out *out, enum spark spark, const double *part, size_t count, size_t width)
{
    BUG_ON(spark == SPARK_NONE);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += positive(part[i]);
    if (!(sum > 0)) {
        repeat(out, " ", width);
        return;
    }
    size_t *columns = mem_alloc(count, sizeof *columns), given = 0;
    double *rest = mem_alloc(count, sizeof *rest);
    for (size_t i = 0; i < count; i++) {
        double due = positive(part[i]) / sum * (double)width;
        columns[i] = (size_t)(due + 1e-9);
        rest[i] = due - (double)columns[i];
        given += columns[i];
    }
    for (; given < width; given++) {
        size_t most = 0;
        for (size_t i = 1; i < count; i++)
            most = rest[i] > rest[most] ? i : most;
        columns[most]++;
        rest[most] -= 1;
    }
    for (size_t i = 0; i < count; i++)
        repeat(out, spark_part(spark, i), columns[i]);
    free(columns);
    free(rest);
}

/* ---- scales ---------------------------------------------------------------------------------- */

static double position(const struct spark_scale *scale, double value)
{
    if (scale->logarithmic)
        return (log(value) - log(scale->low)) / (log(scale->high) - log(scale->low));
    return (value - scale->low) / (scale->high - scale->low);
}

double spark_at(const struct spark_scale *scale, size_t column, size_t width)
{
    double share = ((double)column + 0.5) / (double)width;
    if (scale->logarithmic)
        return exp(log(scale->low) + share * (log(scale->high) - log(scale->low)));
    return scale->low + share * (scale->high - scale->low);
}

/*
 * Returns the column of a value: -1 if left of the scale, `width` if right of it, -2 if not a
 * number.
 */
static long column_of(const struct spark_scale *scale, double value, size_t width)
{
    double share = position(scale, value);
    if (isnan(share))
        return -2;
    if (share < -1e-9 || share > 1 + 1e-9)
        return share < 0 ? -1 : (long)width;
    long column = (long)(fmax(share, 0) * (double)width);
    return column < (long)width ? column : (long)width - 1;
}

void spark_interval(struct out *out, enum spark spark, const struct spark_interval *interval,
                    const struct spark_scale *scale, size_t width)
{
    enum { LINE, POINT, ZERO, CROSSING, LEFT, RIGHT };
    static const char *const unicode[] = {"\xE2\x94\x80", "\xE2\x97\x8F", "\xE2\x94\x82",
                                          "\xE2\x94\xBC", "\xE2\x97\x80", "\xE2\x96\xB6"};
    static const char *const ascii[] = {"-", "o", "|", "+", "<", ">"};
    BUG_ON(spark == SPARK_NONE);
    const char *const *glyph = spark == SPARK_UNICODE ? unicode : ascii;
    long low = column_of(scale, interval->low, width),
         high = column_of(scale, interval->high, width);
    long at = column_of(scale, interval->estimate, width),
         zero = column_of(scale, interval->zero, width);
    bool known = low != -2 && high != -2, left = low == -1 || at == -1,
         right = high == (long)width || at == (long)width;
    for (long c = 0; c < (long)width; c++) {
        bool covered = known && c >= low && c <= high;
        if (c == at)
            out_text(out, glyph[POINT]);
        else if (c == 0 && left)
            out_text(out, glyph[LEFT]);
        else if (c + 1 == (long)width && right)
            out_text(out, glyph[RIGHT]);
        else if (c == zero)
            out_text(out, glyph[covered ? CROSSING : ZERO]);
        else
            out_text(out, covered ? glyph[LINE] : " ");
    }
}

void spark_durations(struct out *out, const struct spark_scale *scale, size_t width)
{
    static const double tics[] = {1,        10,    60,        600,        3600,
                                  6 * 3600, 86400, 7 * 86400, 30 * 86400, 365 * 86400.0};
    static const char *const names[] = {"1s", "10s", "1m", "10m", "1h",
                                        "6h", "1d",  "7d", "30d", "1y"};
    size_t used = 0;
    for (size_t i = 0; i < sizeof tics / sizeof *tics; i++) {
        long column = column_of(scale, tics[i], width);
        size_t n = strlen(names[i]), start = column < 0 ? width : (size_t)column;
        if (start + n > width || (used > 0 && start < used + 1))
            continue;
        repeat(out, " ", start - used);
        out_text(out, names[i]);
        used = start + n;
    }
    repeat(out, " ", width - used);
}
