/* SPDX-License-Identifier: MIT */
/*
 * A state: a file of facts that supersedes all records of a log up to one. One fact per line, with
 * a chain as in a log:
 *     {"t_ms": 5, "fact": "policy", ..., "after": "9f86d081884c7d65", "records": 500, ...}
 *     {"t_ms": 5, "fact": "node_add", ...}                       any number of facts
 *     {"t_ms": 5, "fact": "end", "lines": 37, "chain": "..."}    the end
 *
 * `after` is the chain value of record 500, which identifies the log; `lines` counts the lines
 * before it, and the chain of that line hashes all of them. A state that is truncated or altered in
 * any byte is refused.
 */
#ifndef POLICY_FACTS_SAVED_H
#define POLICY_FACTS_SAVED_H

#include "policies/facts/chain.h"
#include "policies/facts/read.h"

/* ---- writing ---- */

struct saved_writer {
    void (*put)(void *, const char *bytes, size_t n);
    void *self;
    struct chain chain;
    uint32_t lines;
    struct text line;
    bool failed; /* out of memory: what was written is not a valid state */
};

/* `policy` has `records` and `after`. `put` and `self` are the caller's. */
void saved_begin(struct saved_writer *, policy_time, const struct fact_policy *);
void saved_fact(struct saved_writer *, const struct fact *);
void saved_line(struct saved_writer *,
                struct text *); /* a fact as written by fact_write(); emptied afterwards */
void saved_end(struct saved_writer *, policy_time);

/* ---- reading ---- */

struct saved {
    const char *bytes; /* the caller's */
    size_t size;
    size_t at;       /* offset of the next line */
    uint64_t number; /* of the last line, from 1 */
    struct fact_line line;
};

/* Checks the whole file first. Returns false with the reason in `error` if it is not a complete
 * state. */
bool saved_open(struct saved *, const char *bytes, size_t n, char *error, size_t size);

/* Reads the next line into `line`: the policy, then the facts. Returns false past the last fact. */
bool saved_next(struct saved *);
void saved_close(struct saved *);

#endif
