/* SPDX-License-Identifier: MIT */
/* Growable text. If memory runs out, it stays unchanged and `failed` is set: check before using
 * it. */
#ifndef POLICY_FACTS_TEXT_H
#define POLICY_FACTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *bytes; /* not terminated */
    size_t length, room;
    bool failed;
};

void text_bytes(struct text *, const void *bytes, size_t n);
void text_put(struct text *, const char *words);
void text_number(struct text *, int64_t);
void text_natural(struct text *, uint64_t);
void text_quoted(struct text *, const char *words); /* as a JSON string */
void text_fini(struct text *);

#endif
