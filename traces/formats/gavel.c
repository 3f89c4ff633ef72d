/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces of Gavel (OSDI '20) and Shockwave (NSDI '23): lines of tab-separated fields, without a
 * header. There are three variants, all with a model such as "ResNet-50 (batch size 64)", its
 * command, and a total number of steps:
 *
 *     7 fields: model command steps-flag needs-data steps arrival GPUs
 *     10 fields: model command directory steps-flag needs-data steps GPUs priority SLO arrival
 *     12 fields: model command directory steps-flag needs-data steps GPUs mode priority SLO
 *                duration arrival
 *
 * The last one is Shockwave's and has a duration. For the others it follows from measured
 * throughputs that are not in the file: they are refused without the setting `run_time`. User
 * weights and SLOs are not used.
 */
#include "traces/formats.h"

#include "sim/base/text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define MOST_FIELDS 12

/* Indices of the used fields by the number of fields; -1: none. */
static const struct layout {
    size_t fields;
    int gpus, arrival, duration;
} layouts[] = {
    {7, 6, 5, -1},
    {10, 6, 9, -1},
    {12, 6, 11, 10},
};

struct field {
    const char *text;
    size_t n;
};

/* Splits a line into fields and returns their number, at most MOST_FIELDS + 1. */
static size_t split(const char *text, size_t n, struct field fields[MOST_FIELDS + 1])
{
    const char *end = text + n;
    size_t count = 0;
    for (const char *at = text; count <= MOST_FIELDS; count++) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        fields[count] = (struct field){at, (size_t)((tab ? tab : end) - at)};
        if (!tab)
            return count + 1;
        at = tab + 1;
    }
    return count;
}

static const struct layout *layout_of(size_t count)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++) {
        if (layouts[i].fields == count)
            return &layouts[i];
    }
    return NULL;
}

static bool convert(struct format_context *context, const struct field *fields, int index,
                    csv_setter *set, const struct csv_column *column, struct err *err)
{
    const struct field *field = &fields[index];
    const char *expected = field->n > 0 ? set(context, column, field->text, field->n) : "a value";
    char shown[80];
    context->column = (size_t)index + 1;
    return !expected || err_set(err, EXIT_INPUT, "%s: '%s' is not valid, expected %s", column->name,
                                texts_show(shown, sizeof shown, field->text, field->n), expected);
}

static enum format_verdict line_read(struct format_context *context, const char *text, size_t n,
                                     struct err *err)
{
    static const struct csv_column model = {
        "model", 0, field_model, offsetof(struct format_row, job.model), 0, 0};
    static const struct csv_column gpus = {
        "GPUs", 0, field_i64, offsetof(struct format_row, job.gpus_total), 0, 1000000};
    static const struct csv_column arrival = {
        "arrival", 0, field_time, offsetof(struct format_row, job.submit_ms), 0, 0};
    static const struct csv_column duration = {
        "duration", 0, field_time, offsetof(struct format_row, raw.duration_ms), 0, 0};
    struct field fields[MOST_FIELDS + 1];
    if (n == 0)
        return FORMAT_SKIP;
    size_t count = split(text, n, fields);
    const struct layout *layout = layout_of(count);
    context->column = count;
    if (!layout) {
        err_set(err, EXIT_INPUT, "the line has %s%zu fields, expected 7, 10 or 12, divided by tabs",
                count > MOST_FIELDS ? "more than " : "", count > MOST_FIELDS ? MOST_FIELDS : count);
        return FORMAT_ERROR;
    }
    format_number(context);
    if (!convert(context, fields, 0, field_model, &model, err) ||
        !convert(context, fields, layout->gpus, field_i64, &gpus, err) ||
        !convert(context, fields, layout->arrival, field_time, &arrival, err))
        return FORMAT_ERROR;
    if (layout->duration < 0)
        return format_no_duration(context, err);
    if (!convert(context, fields, layout->duration, field_time, &duration, err))
        return FORMAT_ERROR;
    return format_duration(context);
}

/* Returns true if the first line has as many fields as a layout, with numbers for GPUs and arrival.
 */
static bool detect(const char *head, size_t n)
{
    struct field fields[MOST_FIELDS + 1];
    const char *stop = memchr(head, '\n', n);
    size_t length = stop ? (size_t)(stop - head) : n;
    length -= length > 0 && head[length - 1] == '\r';
    const struct layout *layout = layout_of(split(head, length, fields));
    double value;
    return layout && text_f64(fields[layout->gpus].text, fields[layout->gpus].n, &value) &&
           text_f64(fields[layout->arrival].text, fields[layout->arrival].n, &value);
}

const struct trace_format format_gavel = {
    .detect = detect,
    .line_read = line_read,
};
