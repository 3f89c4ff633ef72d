/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strings of a batch of jobs: copied one after the other into blocks that never move and are
 * released together. After the first block, a batch needs no allocation.
 */
#ifndef TRACES_TEXTS_H
#define TRACES_TEXTS_H

#include <stddef.h>

struct texts_block;

struct texts {
    struct texts_block *blocks; /* newest first */
};

void texts_init(struct texts *);
const char *texts_copy(struct texts *, const char *text,
                       size_t n); /* NUL-terminated; lives until texts_clear() */
void texts_clear(struct texts *); /* keeps one block for reuse */
void texts_fini(struct texts *);

/*
 * Escapes bytes for a message: control characters, NUL and non-ASCII bytes as \xNN; long text ends
 * in "...". Returns buffer, which needs at least 8 bytes.
 */
const char *texts_show(char *buffer, size_t size, const char *text, size_t n);

#endif
