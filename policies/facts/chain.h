/* SPDX-License-Identifier: MIT */
/*
 * The end of a journal line: the first 16 digits of a running SHA-256 over everything in the same
 * section so far, this line included. It detects lines that were changed, omitted, moved or
 * truncated.
 *     {"t_ms": 5000, "fact": "decide", "decisions": 1    hashed
 *     , "chain": "9f86d081884c7d65"}                     the hash so far
 *
 * A section begins with a fact "policy", whose member `after` is the last value of the previous
 * section.
 */
#ifndef POLICY_FACTS_CHAIN_H
#define POLICY_FACTS_CHAIN_H

#include "policies/facts/text.h"

#include <nettle/sha2.h>

#define CHAIN_DIGITS 16
#define CHAIN_TAIL   (12 + CHAIN_DIGITS + 2) /* bytes from the comma to the brace */

struct chain {
    struct sha256_ctx sum;
    char last[CHAIN_DIGITS + 1]; /* "" before the first line */
};

void chain_begin(struct chain *);

/* Appends the end of the line, including the line feed. */
void chain_end_line(struct chain *, struct text *);

/* Continues after a line that ends in these CHAIN_TAIL + 1 bytes, for the next section. Returns
 * false if no valid line ends so. */
bool chain_take_up(struct chain *, const char *tail);

enum chain_verdict { CHAIN_HOLDS, CHAIN_MISSING, CHAIN_BROKEN };

/* Checks a line without its line feed. */
enum chain_verdict chain_check(struct chain *, const char *line, size_t n);

#endif
