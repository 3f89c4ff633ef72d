/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain lines beside libcsv; see csv_lines.h. */
#include "sim/base/csv_lines.h"

#include <string.h>

static void on_field(void *text, size_t n, void *data)
{
    struct csv_lines *lines = data;
    lines->field(text, n, lines->data);
}

static void on_end(int c, void *data)
{
    struct csv_lines *lines = data;
    lines->at_start = true;
    lines->end(c, lines->data);
}

/*
 * A line that is not plain, or part of one. libcsv gets its LF alone: only if that byte ends a row
 * is nothing of the row kept back, while an LF within quotes ends none.
 */
static size_t parse(struct csv_lines *lines, const char *bytes, size_t n)
{
    size_t last = bytes[n - 1] == '\n';
    size_t taken = csv_parse(lines->parser, bytes, n - last, on_field, on_end, lines);
    lines->at_start = false;
    if (last && taken == n - last)
        taken += csv_parse(lines->parser, "\n", 1, on_field, on_end, lines);
    return taken;
}

size_t csv_lines_parse(struct csv_lines *lines, const char *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        const char *line = bytes + at;
        const char *end = memchr(line, '\n', n - at);
        size_t length = end != NULL ? (size_t)(end - line) + 1 : n - at;
        if (end == NULL || !lines->at_start || !lines->plain(line, length - 1, lines->data)) {
            size_t taken = parse(lines, line, length);
            if (taken < length)
                return at + taken;
        }
        at += length;
    }
    return n;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

#define WORD     8
#define EACH(c)  ((uint64_t)(unsigned char)(c)*UINT64_C(0x0101010101010101))
#define LOW_BITS UINT64_C(0x7f7f7f7f7f7f7f7f)

/* Eight bytes, the first of them lowest; compilers make one load of it. */
static uint64_t word_at(const char *text)
{
    const unsigned char *b = (const unsigned char *)text;
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
           (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
           (uint64_t)b[7] << 56;
}

/* The highest bit of each byte that is zero. */
static uint64_t zeros(uint64_t word)
{
    return ~(((word & LOW_BITS) + LOW_BITS) | word | LOW_BITS);
}

/* Not 0 if there is a byte below '#': NUL, a quote, CR or a blank, which few lines have. */
static uint64_t low_bytes(uint64_t word)
{
    return (word - EACH('#')) & ~word & ~LOW_BITS;
}

/* The last bytes of a line, filled up with ones that are not special. */
static uint64_t rest_at(const char *text, size_t n)
{
    char bytes[WORD] = {'-', '-', '-', '-', '-', '-', '-', '-'};
    memcpy(bytes, text, n);
    return word_at(bytes);
}

/* The line so far: `from` is where the next field begins; `low`: it has low_bytes(). */
struct split {
    const char *line;
    char *copy;
    uint32_t *ends;
    size_t count, from;
    bool low;
};

/* False when the field is not plain, or one too many. */
static inline bool end_field(struct split *s, size_t at)
{
    if (s->low && at > s->from && (is_blank(s->line[s->from]) || is_blank(s->line[at - 1])))
        return false;
    if (s->count == CSV_LINES_FIELDS)
        return false;
    s->copy[at] = '\0';
    s->ends[s->count++] = (uint32_t)at;
    s->from = at + 1;
    return true;
}

size_t csv_lines_split(const char *line, size_t n, char delimiter, char *copy,
                       uint32_t ends[CSV_LINES_FIELDS])
{
    struct split s = {.line = line, .copy = copy, .ends = ends};
    n -= n > 0 && line[n - 1] == '\r';
    if (n == 0 || n > UINT32_MAX)
        return 0;
    memcpy(copy, line, n);
    for (size_t at = 0; at < n; at += WORD) {
        uint64_t word = n - at >= WORD ? word_at(line + at) : rest_at(line + at, n - at);
        uint64_t found = zeros(word ^ EACH(delimiter));
        if (low_bytes(word) != 0) {
            uint64_t special = zeros(word) | zeros(word ^ EACH('"')) | zeros(word ^ EACH('\r'));
            if ((special & ~found) != 0)
                return 0;
            s.low = true;
        }
        for (; found != 0; found &= found - 1)
            if (!end_field(&s, at + (size_t)__builtin_ctzll(found) / 8))
                return 0;
    }
    return end_field(&s, n) ? s.count : 0;
}
