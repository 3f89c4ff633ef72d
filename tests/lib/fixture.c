/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces from texts, for tests. */
#include "tests/lib/fixture.h"

#include "tests/lib/harness.h"
#include "traces/file.h"

#include <string.h>

static void begin(struct fixture *fixture)
{
    memset(fixture, 0, sizeof *fixture);
    fixture->names =
        (struct trace_names){symbols_create(), symbols_create(), symbols_create(), symbols_create()};
}

bool fixture_open_bytes(struct fixture *fixture, const void *bytes, size_t n, const char *format, bool sort)
{
    begin(fixture);
    struct trace_options options = {.format = format, .names = fixture->names, .sort = sort};
    return trace_open_input(&fixture->trace, input_memory("t", bytes, n), &options, &fixture->err);
}

bool fixture_open(struct fixture *fixture, const char *text, const char *format, bool sort)
{
    return fixture_open_bytes(fixture, text, strlen(text), format, sort);
}

bool fixture_open_file(struct fixture *fixture, const char *path, bool sort)
{
    begin(fixture);
    struct trace_options options = {.path = path, .names = fixture->names, .sort = sort};
    return trace_open(&fixture->trace, &options, &fixture->err);
}

enum trace_result fixture_next(struct fixture *fixture)
{
    return trace_next(fixture->trace, &fixture->job, &fixture->err);
}

int64_t fixture_rest(struct fixture *fixture)
{
    int64_t jobs = 0;
    enum trace_result result;
    while ((result = fixture_next(fixture)) == TRACE_JOB)
        jobs++;
    return result == TRACE_END ? jobs : -1;
}

void fixture_refuses(const char *text, const char *format, const char *part)
{
    struct fixture fixture;
    bool refused = !fixture_open(&fixture, text, format, false) || fixture_rest(&fixture) < 0;
    ck_assert_msg(refused, "taken without error: '%s'", text);
    ck_assert_int_eq(fixture.err.code, EXIT_INPUT);
    harness_contains(fixture.err.msg, part);
    fixture_close(&fixture);
}

uint64_t fixture_note(const struct fixture *fixture, const char *part)
{
    size_t count;
    const struct trace_note *notes = trace_notes(fixture->trace, &count);
    for (size_t i = 0; i < count; i++) {
        if (strstr(notes[i].what, part))
            return notes[i].rows;
    }
    return 0;
}

void fixture_close(struct fixture *fixture)
{
    trace_close(fixture->trace);
    symbols_destroy(fixture->names.queues);
    symbols_destroy(fixture->names.users);
    symbols_destroy(fixture->names.gpu_types);
    symbols_destroy(fixture->names.models);
}
