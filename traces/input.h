/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes of a file, of standard input or of memory, in chunks, after decompression. Gzip and zstd
 * are recognised by their first bytes, whatever the name says; members and frames that follow each
 * other read as one text, as gzip and zstd themselves do. Memory stays at a few chunks (and zstd's
 * window) however long the input is.
 *
 *     struct input *input = input_open("jobs.csv.gz", err);
 *     while ((got = input_read(input, &bytes, &n, err)) > 0) ...
 *     input_close(input);
 */
#ifndef TRACES_INPUT_H
#define TRACES_INPUT_H

#include "sim/base/digest.h"
#include "sim/base/err.h"

#include <stddef.h>

/*
 * The longest line, row or object that a reader accepts, so that memory stays bounded for any
 * input: an endless device, or a megabyte of gzip that unpacks to a line of a gigabyte.
 */
#define INPUT_PIECE_MAX ((size_t)16 << 20)

struct input;

struct input *input_open(const char *path,
                         struct err *err); /* "-" is stdin; NULL with err set on failure */

/* Reads from memory, which must outlive the input. `name` is used in messages. */
struct input *input_memory(const char *name, const void *bytes, size_t n);

/*
 * Returns the next chunk: 1 with n > 0 bytes that live until the next call, 0 at the end, -1 with
 * err set (unreadable, corrupt, truncated). The message lacks the input's name: the caller knows
 * how far it has read and adds name and place.
 */
int input_read(struct input *, const char **bytes, size_t *n, struct err *err);

/* Returns the first chunk without consuming it: the next input_read() returns it again. Results
 * like input_read(). */
int input_peek(struct input *, const char **bytes, size_t *n, struct err *err);

/* The input's name in messages: the path, or "standard input". */
const char *input_name(const struct input *);

/* SHA-256 of all bytes that input_read() has returned so far. */
void input_digest(const struct input *, char hex[DIGEST_HEX]);

void input_close(struct input *); /* NULL is fine */

#endif
