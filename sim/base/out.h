/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output files that are whole or absent: written to a temporary file beside their own
 * (temporary.h), flushed, checked and renamed by out_close(); removed by out_discard(). A symbolic
 * link as the target is replaced by the file, and what it points to stays as it is; devices, pipes
 * and what lies in /dev (but for /dev/shm) and /proc are written directly. Buffered, with its own
 * printing of integers (a row of a CSV costs tens of nanoseconds, and no locale). Errors are
 * remembered and reported once, by out_close().
 *
 * The same writer fills memory when it is made by out_memory(): handy for tests and for building
 * text.
 */
#ifndef SIM_BASE_OUT_H
#define SIM_BASE_OUT_H

#include "sim/base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct out;

/*
 * NULL with err set when the file cannot be made. out_open() is for a file that the user names: it
 * removes the temporary files that killed runs left of the same target. out_open_in() is for one of
 * many in a folder that is swept as a whole.
 */
struct out *out_open(const char *path, struct err *err);
struct out *out_open_in(const char *dir, const char *name, struct err *err); /* DIR/NAME */

struct out *out_stream(FILE *stream); /* e.g. stdout; out_close() flushes but does not close it */
struct out *out_memory(void);

void out_bytes(struct out *, const void *bytes, size_t n);
void out_text(struct out *, const char *text);
void out_char(struct out *, char c);
void out_i64(struct out *, int64_t value);
void out_u64(struct out *, uint64_t value);
void out_format(struct out *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* value / 10^digits with up to `digits` decimals and no trailing zeros: out_fixed(1500, 3) prints
 * 1.5. */
void out_fixed(struct out *, int64_t value, int digits);

/* The same for three digits, faster: thousandths, as most of our amounts are. */
void out_milli(struct out *, int64_t value);

/*
 * For rows of numbers (digits.h): reserves n bytes, at most OUT_ROOM, for the caller to write, who
 * then passes their end. Nothing else may be written in between.
 */
#define OUT_ROOM 4096
char *out_room(struct out *, size_t n);
void out_advance(struct out *, const char *end);

/* Milliseconds as seconds with up to three decimals. */
static inline void out_seconds(struct out *out, int64_t ms)
{
    out_milli(out, ms);
}

/* A double with at most `digits` decimals, trailing zeros cut; nan and infinities print nothing. */
void out_f64(struct out *, double value, int digits);

/* A CSV field, quoted when it has to be (RFC 4180). */
void out_csv(struct out *, const char *text);

/* What an out_memory() writer holds: NUL-terminated, owned by the writer. */
const char *out_memory_text(struct out *, size_t *n);

/* The same, for the caller to free; the writer is freed. */
char *out_memory_take(struct out *);

/*
 * Of a file that a crash of the machine must not cost: out_close() brings it to the disk before it
 * takes the place of the former one, and then that it has.
 */
void out_sync(struct out *);

/* Output from now on passes through the filter, in whole lines if there are any; NULL:
 * unchanged. */
typedef void out_filter(struct out *to, const char *bytes, size_t n);
void out_set_filter(struct out *, out_filter *);

/* Sends what is buffered on its way, so that messages on another stream come after it. */
void out_flush(struct out *);

/* Closes, renames and frees; false with err set when anything could not be written. NULL is fine.
 */
bool out_close(struct out *, struct err *err);

/* Closes, removes the temporary file and frees. NULL is fine. */
void out_discard(struct out *);

/* A whole file DIR/NAME with this text. */
bool out_write_in(const char *dir, const char *name, const char *text, struct err *err);

#endif
