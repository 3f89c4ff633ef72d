/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of trace formats, and which of them a file is in. */
#include "traces/formats.h"

#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

/*
 * A new format is a row in each of these two. The order decides between formats that fit a header equally well.
 */
static const struct trace_format_row rows[] = {
    {"native", "fauxfleet's own CSV: job_id, submit_s, duration_s, gpus and much that is optional"      },
    {"helios", "SenseTime Helios (SC '21) cluster_log.csv, and the reduced form of its September replay"},
    {"openb",  "Alibaba 2023 GPU cluster pod lists (openb, the FGD paper)"                              },
    {"swf",    "Standard Workload Format of the Parallel Workloads Archive; processors become GPUs"     },
};

#define FORMATS (sizeof rows / sizeof *rows)

static const struct trace_format *const formats[FORMATS] = {
    &format_native,
    &format_helios,
    &format_openb,
    &format_swf,
};

const struct trace_format_row *trace_formats(size_t *count)
{
    *count = FORMATS;
    return rows;
}

const char *format_name(const struct trace_format *format)
{
    size_t i = 0;
    while (formats[i] != format)
        i++;
    return rows[i].name;
}

/* "native, helios, openb, swf" */
static const char *list(char *buffer, size_t size)
{
    size_t used = 0;
    buffer[0] = '\0';
    for (size_t i = 0; i < FORMATS && used < size; i++) {
        int n = snprintf(buffer + used, size - used, "%s%s", i ? ", " : "", rows[i].name);
        used += n > 0 ? (size_t)n : 0;
    }
    return buffer;
}

const struct trace_format *format_find(const char *name, struct err *err)
{
    for (size_t i = 0; i < FORMATS; i++) {
        if (strcmp(rows[i].name, name) == 0)
            return formats[i];
    }
    char hint[80], all[200];
    err_set(err, EXIT_INPUT, "unknown trace format '%s', expected auto, %s%s", name, list(all, sizeof all),
            text_suggest(hint, sizeof hint, name, &rows->name, FORMATS, sizeof *rows));
    return NULL;
}

/* The first line that is not blank, without a byte order mark. */
static const char *first_line(const char *head, size_t n, size_t *length, uint64_t *number)
{
    const char *at = head, *end = head + n;
    if (n >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (*number = 1; at < end && (*at == '\n' || *at == '\r'); at++)
        *number += *at == '\n';
    const char *stop = at;
    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    *length = (size_t)(stop - at);
    return at;
}

static const struct trace_format *detect_csv(const char *line, size_t n)
{
    const struct trace_format *best = NULL;
    size_t best_known = 0;
    for (size_t i = 0; i < FORMATS; i++) {
        size_t known, total;
        if (!formats[i]->columns)
            continue;
        const struct csv_table table = {.columns = formats[i]->columns, .count = formats[i]->column_count};
        if (csv_header_fits(&table, line, n, &known, &total))
            return formats[i];
        // A header with a mistake in it is better explained by the format it is nearest to.
        if (known > best_known && 2 * known >= total && known >= 2) {
            best = formats[i];
            best_known = known;
        }
    }
    return best;
}

const struct trace_format *format_detect(const char *path, const char *head, size_t n, struct err *err)
{
    size_t length;
    uint64_t number;
    const char *line = first_line(head, n, &length, &number);
    if (length == 0) {
        err_set(err, EXIT_INPUT, "%s:%llu:1: no job trace: there is nothing but blank lines", path,
                (unsigned long long)number);
        return NULL;
    }
    for (size_t i = 0; i < FORMATS; i++) {
        if (formats[i]->detect && formats[i]->detect(line, n - (size_t)(line - head)))
            return formats[i];
    }
    const struct trace_format *found = detect_csv(line, length);
    if (!found) {
        char shown[160], all[200];
        err_set(err, EXIT_INPUT, "%s:%llu:1: unknown format, expected one of %s; the file begins '%s'", path,
                (unsigned long long)number, list(all, sizeof all),
                texts_show(shown, sizeof shown, line, length));
    }
    return found;
}
