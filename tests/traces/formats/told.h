/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace as lines of "column=value", in the words of the native format and without empty columns,
 * so that the result for a text can be compared with a readable string.
 */
#ifndef TESTS_TRACES_FORMATS_TOLD_H
#define TESTS_TRACES_FORMATS_TOLD_H

#include "tests/lib/fixture.h"

#include <stdio.h>
#include <stdlib.h>

/* A line for a row of the native format, given its header; no field of the tests is quoted. */
static inline void told_row(struct out *out, const char *header, const char *row)
{
    const char *between = "";
    while (*header != '\0' && *header != '\n') {
        size_t name = strcspn(header, ",\n"), value = strcspn(row, ",\n");
        if (value > 0) {
            out_format(out, "%s%.*s=%.*s", between, (int)name, header, (int)value, row);
            between = " ";
        }
        header += name + (header[name] == ',');
        row += value + (row[value] == ',');
    }
    out_char(out, '\n');
}

#define TOLD_EXTRAS ~0u /* all columns; empty ones are left out */

/* All jobs of the fixture's trace, then "note ROWS WHAT" for each note. Freed by the caller. */
static inline char *told(struct fixture *f)
{
    struct out *header = out_memory(), *lines = out_memory();
    trace_write_header(header, TOLD_EXTRAS);
    while (fixture_next(f) == TRACE_JOB) {
        struct out *row = out_memory();
        trace_write_job(row, &f->job, &f->names, TOLD_EXTRAS);
        told_row(lines, out_memory_text(header, NULL), out_memory_text(row, NULL));
        out_discard(row);
    }
    if (f->err.code != 0)
        out_format(lines, "error %s\n", f->err.msg);
    size_t count;
    const struct trace_note *notes = trace_notes(f->trace, &count);
    for (size_t i = 0; i < count; i++)
        out_format(lines, "note %d %s\n", (int)notes[i].rows, notes[i].what);
    size_t n;
    const char *text = out_memory_text(lines, &n);
    char *copy = malloc(n + 1);
    ck_assert_ptr_nonnull(copy);
    memcpy(copy, text, n + 1);
    out_discard(lines);
    out_discard(header);
    return copy;
}

/* The result for a text whose format is detected; with one setting if `key` is not NULL. */
struct told_row {
    const char *format, *text, *key, *value, *wanted;
};

static inline void told_check(const struct told_row *row)
{
    struct fixture f;
    fixture_begin(&f);
    const struct trace_setting setting = {row->key, row->value};
    struct trace_options options = {
        .names = f.names, .settings = &setting, .setting_count = row->key != NULL};
    bool opened = trace_open_input(&f.trace, input_memory("t", row->text, strlen(row->text)),
                                   &options, &f.err);
    ck_assert_msg(opened, "%s", f.err.msg);
    ck_assert_str_eq(trace_format_name(f.trace), row->format);
    char *got = told(&f);
    ck_assert_str_eq(got, row->wanted);
    free(got);
    fixture_close(&f);
}

/* The same, refused: the message contains `wanted`. The format is given, not detected. */
static inline void told_refuse(const struct told_row *row)
{
    struct fixture f;
    fixture_begin(&f);
    const struct trace_setting setting = {row->key, row->value};
    struct trace_options options = {.format = row->format,
                                    .names = f.names,
                                    .settings = &setting,
                                    .setting_count = row->key != NULL};
    bool refused = !trace_open_input(&f.trace, input_memory("t", row->text, strlen(row->text)),
                                     &options, &f.err) ||
                   fixture_rest(&f) < 0;
    ck_assert_msg(refused, "taken without error: '%s'", row->text);
    ck_assert_int_eq(f.err.code, EXIT_INPUT);
    harness_contains(f.err.msg, row->wanted);
    fixture_close(&f);
}

#endif
