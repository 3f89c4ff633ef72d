/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Setters for the columns of CSV tables (see csv.h): text to milliseconds, amounts, names. They
 * store at `column->offset` of the context's record, so one setter serves every record and format.
 */
#ifndef TRACES_FIELDS_H
#define TRACES_FIELDS_H

#include "traces/csv.h"
#include "traces/texts.h"
#include "traces/times.h"
#include "traces/trace.h"

/* The data that setters need; every context in traces/ begins with it. */
struct field_context {
    void *record;
    struct texts *texts; /* for field_text */
    const struct trace_names
        *names; /* for field_queue, field_user, ...; may be NULL for other tables */
    const struct times_zone *zone; /* for field_clock */
};

/* The largest time or amount, so that sums of a few cannot overflow: 10^15 ms are 31,700 years. */
#define FIELD_LARGEST INT64_C(1000000000000000)

const char *field_text(void *, const struct csv_column *, const char *, size_t); /* const char * */
const char *field_i32(void *, const struct csv_column *, const char *,
                      size_t); /* int32_t, low..high */
const char *field_i64(void *, const struct csv_column *, const char *,
                      size_t); /* int64_t, low..high */
const char *field_time(void *, const struct csv_column *, const char *,
                       size_t); /* seconds to int64_t ms */
const char *field_span(void *, const struct csv_column *, const char *,
                       size_t); /* the same, 0 or more */
const char *field_limit(void *, const struct csv_column *, const char *,
                        size_t); /* the same; -1: TRACE_UNKNOWN */
const char *field_minutes(void *, const struct csv_column *, const char *,
                          size_t); /* minutes to int64_t ms, 0 or more */
const char *field_ms(void *, const struct csv_column *, const char *,
                     size_t); /* ms to int64_t ms */
const char *field_clock(void *, const struct csv_column *, const char *,
                        size_t); /* wall clock to int64_t ms */
const char *field_milli(void *, const struct csv_column *, const char *,
                        size_t); /* x 1000 to int64_t, 0 or more */
const char *field_quota(void *, const struct csv_column *, const char *,
                        size_t); /* the same; -1 stays -1 */
const char *field_share(void *, const struct csv_column *, const char *,
                        size_t); /* 0..1 to int32_t ppm */
const char *field_queue(void *, const struct csv_column *, const char *, size_t); /* uint32_t id */
const char *field_user(void *, const struct csv_column *, const char *, size_t);  /* uint32_t id */
const char *field_model(void *, const struct csv_column *, const char *, size_t); /* uint32_t id */
const char *field_recorded_on(void *, const struct csv_column *, const char *,
                              size_t); /* uint32_t id in names.nodes */
const char *field_types(void *, const struct csv_column *, const char *,
                        size_t); /* '|'-list to uint64_t bits */
const char *field_class(void *, const struct csv_column *, const char *,
                        size_t); /* enum trace_class */
const char *field_status(void *, const struct csv_column *, const char *,
                         size_t); /* enum trace_status */
const char *field_passed(void *, const struct csv_column *, const char *,
                         size_t); /* the same, Philly's words */
const char *field_on_failure(void *, const struct csv_column *, const char *,
                             size_t); /* enum trace_on_failure */
const char *field_cause(void *, const struct csv_column *, const char *,
                        size_t); /* enum trace_cause */

#endif
