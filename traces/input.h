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
 * The longest line, row or object that a reader takes, so that memory stays bounded whatever comes:
 * a device that never ends, a megabyte of gzip that unpacks to a line of a gigabyte.
 */
#define INPUT_PIECE_MAX ((size_t)16 << 20)

struct input;

struct input *input_open(const char *path,
                         struct err *err); /* "-" is stdin; NULL with err set on failure */

/* Reads from memory that must outlive the input; `name` stands in messages. */
struct input *input_memory(const char *name, const void *bytes, size_t n);

/*
 * The next chunk: 1 with n > 0 bytes that live until the next call, 0 at the end, -1 with err set
 * (unreadable, corrupt, truncated). The message is without the input's name: the caller knows how
 * far the text was read, and puts name and place before it.
 */
int input_read(struct input *, const char **bytes, size_t *n, struct err *err);

/* The first chunk without consuming it: the next input_read() gives it again. Results as
 * input_read(). */
int input_peek(struct input *, const char **bytes, size_t *n, struct err *err);

/* What messages call the input: the path, or "standard input". */
const char *input_name(const struct input *);

/* SHA-256 of all bytes that input_read() gave so far. */
void input_digest(const struct input *, char hex[DIGEST_HEX]);

void input_close(struct input *); /* NULL is fine */

#endif
