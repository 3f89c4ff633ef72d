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

size_t csv_lines_split(const char *line, size_t n, char delimiter, char *copy,
                       uint32_t ends[CSV_LINES_FIELDS])
{
    static const bool special[256] = {[0] = true, ['"'] = true, ['\r'] = true};
    size_t count = 0, from = 0;
    n -= n > 0 && line[n - 1] == '\r';
    if (n == 0 || n > UINT32_MAX)
        return 0;
    memcpy(copy, line, n);
    for (size_t at = 0;; at++) {
        if (at < n && line[at] != delimiter) {
            if (special[(unsigned char)line[at]])
                return 0;
            continue;
        }
        if (at > from && (is_blank(line[from]) || is_blank(line[at - 1])))
            return 0;
        if (count == CSV_LINES_FIELDS)
            return 0;
        copy[at] = '\0';
        ends[count++] = (uint32_t)at;
        if (at == n)
            return count;
        from = at + 1;
    }
}
