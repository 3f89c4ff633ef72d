/* SPDX-License-Identifier: MIT */
/*
 * What ends a line of a journal: the first 16 digits of a running SHA-256 over all that was said
 * before in the same section, this line included. A line that was changed, left out or moved is
 * found, and so is one that was cut.
 *
 *     {"t_ms": 5000, "fact": "decide", "decisions": 1          hashed
 *     , "chain": "9f86d081884c7d65"}                           the sum so far
 *
 * A section begins with a fact "policy", whose own `after` says how the one before it ended.
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

/* Adds what ends the line, and a line feed. */
void chain_end_line(struct chain *, struct text *);

/* As it was after a line that ends in these CHAIN_TAIL + 1 bytes, for the next section. False when
 * no line of ours ends so. */
bool chain_take_up(struct chain *, const char *tail);

enum chain_verdict { CHAIN_HOLDS, CHAIN_MISSING, CHAIN_BROKEN };

/* Of a line without its line feed. */
enum chain_verdict chain_check(struct chain *, const char *line, size_t n);

#endif
