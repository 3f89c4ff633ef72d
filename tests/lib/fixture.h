/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces from texts in a test: name tables, an open trace, and short ways to read it. Only a
 * header, since the objects of tests/lib are also linked into tests of the policy core, which has
 * no traces.
 */
#ifndef TESTS_LIB_FIXTURE_H
#define TESTS_LIB_FIXTURE_H

#include "tests/lib/harness.h"
#include "traces/file.h"

#include <string.h>

struct fixture {
    struct trace_names names;
    struct trace *trace; /* NULL if it could not be opened */
    struct trace_job job;
    struct err err;
};

static inline void fixture_begin(struct fixture *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->names = (struct trace_names){symbols_create(), symbols_create(), symbols_create(),
                                          symbols_create(), symbols_create()};
}

static inline bool fixture_open_bytes(struct fixture *fixture, const void *bytes, size_t n,
                                      const char *format, bool sort)
{
    fixture_begin(fixture);
    struct trace_options options = {.format = format, .names = fixture->names, .sort = sort};
    return trace_open_input(&fixture->trace, input_memory("t", bytes, n), &options, &fixture->err);
}

/* Opens `text` (called "t") as a trace; false with fixture->err set on failure. */
static inline bool fixture_open(struct fixture *fixture, const char *text, const char *format,
                                bool sort)
{
    return fixture_open_bytes(fixture, text, strlen(text), format, sort);
}

static inline bool fixture_open_file(struct fixture *fixture, const char *path, bool sort)
{
    fixture_begin(fixture);
    struct trace_options options = {.path = path, .names = fixture->names, .sort = sort};
    return trace_open(&fixture->trace, &options, &fixture->err);
}

/* Reads the next job into fixture->job. */
static inline enum trace_result fixture_next(struct fixture *fixture)
{
    return trace_next(fixture->trace, &fixture->job, &fixture->err);
}

/* Reads to the end; returns the number of jobs, or -1 with fixture->err set. */
static inline int64_t fixture_rest(struct fixture *fixture)
{
    int64_t jobs = 0;
    enum trace_result result;
    while ((result = fixture_next(fixture)) == TRACE_JOB)
        jobs++;
    return result == TRACE_END ? jobs : -1;
}

static inline void fixture_close(struct fixture *fixture)
{
    trace_close(fixture->trace);
    symbols_destroy(fixture->names.queues);
    symbols_destroy(fixture->names.users);
    symbols_destroy(fixture->names.gpu_types);
    symbols_destroy(fixture->names.models);
    symbols_destroy(fixture->names.nodes);
}

/* Fails the test unless reading `text` ends in an input error whose message contains `part`. */
static inline void fixture_refuses(const char *text, const char *format, const char *part)
{
    struct fixture fixture;
    bool refused = !fixture_open(&fixture, text, format, false) || fixture_rest(&fixture) < 0;
    ck_assert_msg(refused, "taken without error: '%s'", text);
    ck_assert_int_eq(fixture.err.code, EXIT_INPUT);
    harness_contains(fixture.err.msg, part);
    fixture_close(&fixture);
}

/* The number of rows of the note that contains `part`, or 0. */
static inline uint64_t fixture_note(const struct fixture *fixture, const char *part)
{
    size_t count;
    const struct trace_note *notes = trace_notes(fixture->trace, &count);
    for (size_t i = 0; i < count; i++) {
        if (strstr(notes[i].what, part))
            return notes[i].rows;
    }
    return 0;
}

#endif
