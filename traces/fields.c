/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strict conversions of CSV fields: the whole text must be valid. */
#include "traces/fields.h"

#include "sim/base/text.h"

#include <string.h>

static void *target(void *context, const struct csv_column *column)
{
    const struct field_context *fields = context;
    return (char *)fields->record + column->offset;
}

/* A NUL would truncate the text silently. */
static bool is_text(const char *text, size_t n)
{
    return memchr(text, '\0', n) == NULL;
}

const char *field_text(void *context, const struct csv_column *column, const char *text, size_t n)
{
    const struct field_context *fields = context;
    if (!is_text(text, n))
        return "text without NUL bytes";
    *(const char **)target(context, column) = texts_copy(fields->texts, text, n);
    return NULL;
}

static bool in_range(const struct csv_column *column, int64_t value)
{
    return (column->low == 0 && column->high == 0) ||
           (value >= column->low && value <= column->high);
}

const char *field_i32(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t value;
    if (!text_i64(text, n, &value) || !in_range(column, value) || value < INT32_MIN ||
        value > INT32_MAX)
        return "a whole number";
    *(int32_t *)target(context, column) = (int32_t)value;
    return NULL;
}

const char *field_i64(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t value;
    if (!text_i64(text, n, &value) || !in_range(column, value))
        return "a whole number";
    *(int64_t *)target(context, column) = value;
    return NULL;
}

static bool milli(const char *text, size_t n, int64_t *value)
{
    return text_scaled(text, n, 3, value) && *value <= FIELD_LARGEST && *value >= -FIELD_LARGEST;
}

const char *field_time(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t ms;
    if (!milli(text, n, &ms))
        return "seconds, at most 1e12";
    *(int64_t *)target(context, column) = ms;
    return NULL;
}

const char *field_span(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t ms;
    if (!milli(text, n, &ms) || ms < 0)
        return "seconds, from 0 to 1e12";
    *(int64_t *)target(context, column) = ms;
    return NULL;
}

const char *field_limit(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t ms;
    if (!milli(text, n, &ms) || (ms < 0 && ms != -1000))
        return "seconds, from 0 to 1e12, or -1 for none";
    *(int64_t *)target(context, column) = ms < 0 ? TRACE_UNKNOWN : ms;
    return NULL;
}

const char *field_minutes(void *context, const struct csv_column *column, const char *text,
                          size_t n)
{
    int64_t milli_minutes;
    if (!milli(text, n, &milli_minutes) || milli_minutes < 0 || milli_minutes > FIELD_LARGEST / 60)
        return "minutes, from 0 to 1e10";
    *(int64_t *)target(context, column) = milli_minutes * 60;
    return NULL;
}

const char *field_ms(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t ms;
    if (!text_scaled(text, n, 0, &ms) || ms > FIELD_LARGEST || ms < -FIELD_LARGEST)
        return "milliseconds, at most 1e15";
    *(int64_t *)target(context, column) = ms;
    return NULL;
}

const char *field_clock(void *context, const struct csv_column *column, const char *text, size_t n)
{
    const struct field_context *fields = context;
    if (!times_clock(text, n, fields->zone, target(context, column)))
        return "a time such as 2020-09-01 00:00:03";
    return NULL;
}

const char *field_milli(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t value;
    if (!milli(text, n, &value) || value < 0)
        return "a number from 0 to 1e12";
    *(int64_t *)target(context, column) = value;
    return NULL;
}

const char *field_quota(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t value;
    if (!milli(text, n, &value) || (value < 0 && value != -1000))
        return "a number from 0 to 1e12, or -1 for unlimited";
    *(int64_t *)target(context, column) = value < 0 ? -1 : value;
    return NULL;
}

const char *field_share(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int64_t ppm;
    if (!text_scaled(text, n, 6, &ppm) || ppm < 0 || ppm > 1000000)
        return "a share between 0 and 1";
    *(int32_t *)target(context, column) = (int32_t)ppm;
    return NULL;
}

static const char *name(void *context, const struct csv_column *column, struct symbols *symbols,
                        const char *text, size_t n)
{
    if (!is_text(text, n))
        return "a name without NUL bytes";
    *(uint32_t *)target(context, column) = symbols_add(symbols, text, n);
    return NULL;
}

const char *field_queue(void *context, const struct csv_column *column, const char *text, size_t n)
{
    return name(context, column, ((struct field_context *)context)->names->queues, text, n);
}

const char *field_user(void *context, const struct csv_column *column, const char *text, size_t n)
{
    return name(context, column, ((struct field_context *)context)->names->users, text, n);
}

const char *field_model(void *context, const struct csv_column *column, const char *text, size_t n)
{
    return name(context, column, ((struct field_context *)context)->names->models, text, n);
}

const char *field_recorded_on(void *context, const struct csv_column *column, const char *text,
                              size_t n)
{
    return name(context, column, ((struct field_context *)context)->names->nodes, text, n);
}

const char *field_types(void *context, const struct csv_column *column, const char *text, size_t n)
{
    struct symbols *types = ((struct field_context *)context)->names->gpu_types;
    const char *end = text + n;
    uint64_t bits = 0;
    if (!is_text(text, n))
        return "names without NUL bytes";
    for (const char *at = text; at <= end;) {
        const char *stop = memchr(at, '|', (size_t)(end - at));
        const char *last = stop ? stop : end;
        if (last == at)
            return "GPU types separated by '|'";
        uint32_t id = symbols_find(types, at, (size_t)(last - at));
        if (id == SYMBOL_NONE) {
            if (symbols_count(types) >= 64)
                return "no more than 64 different GPU types";
            id = symbols_add(types, at, (size_t)(last - at));
        }
        bits |= UINT64_C(1) << id;
        at = last + 1;
    }
    *(uint64_t *)target(context, column) = bits;
    return NULL;
}

static bool word(const char *const *words, int count, const char *text, size_t n, int *found)
{
    for (int i = 0; i < count; i++) {
        if (strlen(words[i]) == n && memcmp(words[i], text, n) == 0) {
            *found = i;
            return true;
        }
    }
    return false;
}

const char *field_class(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int found;
    if (!word(trace_class_names, TRACE_CLASSES, text, n, &found))
        return "build, train, distributed, inference or batch";
    *(enum trace_class *)target(context, column) = (enum trace_class)found;
    return NULL;
}

const char *field_status(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int found;
    if (!word(trace_status_names, TRACE_STATUSES, text, n, &found))
        return "completed, failed or cancelled";
    *(enum trace_status *)target(context, column) = (enum trace_status)found;
    return NULL;
}

const char *field_on_failure(void *context, const struct csv_column *column, const char *text,
                             size_t n)
{
    int found;
    if (!word(trace_on_failure_names, TRACE_ON_FAILURES, text, n, &found))
        return "restart, shrink or continue";
    *(enum trace_on_failure *)target(context, column) = (enum trace_on_failure)found;
    return NULL;
}

const char *field_cause(void *context, const struct csv_column *column, const char *text, size_t n)
{
    int found;
    if (!word(trace_cause_names, TRACE_CAUSES, text, n, &found))
        return "timeout, node_fail, out_of_memory or preempted";
    *(enum trace_cause *)target(context, column) = (enum trace_cause)found;
    return NULL;
}

const char *field_passed(void *context, const struct csv_column *column, const char *text, size_t n)
{
    static const char *const words[TRACE_STATUSES] = {
        [TRACE_COMPLETED] = "Pass", [TRACE_FAILED] = "Failed", [TRACE_CANCELLED] = "Killed"};
    int found;
    if (!word(words, TRACE_STATUSES, text, n, &found))
        return "Pass, Failed or Killed";
    *(enum trace_status *)target(context, column) = (enum trace_status)found;
    return NULL;
}
