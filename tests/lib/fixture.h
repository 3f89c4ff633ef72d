/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces from texts in the test itself: name tables, an open trace, and short ways to read it. */
#ifndef TESTS_LIB_FIXTURE_H
#define TESTS_LIB_FIXTURE_H

#include "traces/trace.h"

struct fixture {
    struct trace_names names;
    struct trace *trace; /* NULL when it could not be opened */
    struct trace_job job;
    struct err err;
};

/* Opens `text` (called "t") as a trace; false with fixture->err set when that fails. */
bool fixture_open(struct fixture *, const char *text, const char *format, bool sort);
bool fixture_open_bytes(struct fixture *, const void *bytes, size_t n, const char *format, bool sort);
bool fixture_open_file(struct fixture *, const char *path, bool sort);

enum trace_result fixture_next(struct fixture *); /* into fixture->job */

/* Reads on to the end: the number of jobs, or -1 with fixture->err set. */
int64_t fixture_rest(struct fixture *);

/* Fails the test unless reading `text` ends in an input error whose message contains `part`. */
void fixture_refuses(const char *text, const char *format, const char *part);

uint64_t fixture_note(const struct fixture *,
                      const char *part); /* rows of the note that contains part, or 0 */
void fixture_close(struct fixture *);

#endif
