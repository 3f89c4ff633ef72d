/* SPDX-License-Identifier: MIT */
/*
 * The lines of a log, read through its own descriptor: to open and close the file a second time
 * would give up the lock on it.
 *
 *     struct records r;
 *     records_begin(&r, file, 0, size);
 *     while ((got = records_next(&r)) > 0)
 *         use(r.line, r.length);        without its line feed; lives until the next one
 *     records_fini(&r);
 */
#ifndef POLICY_FACTS_RECORDS_H
#define POLICY_FACTS_RECORDS_H

#include "policies/facts/chain.h"

#include <sys/types.h>

#define RECORD_LINE ((size_t)64 << 20) /* bytes: no writer of ours makes a longer line */

struct records {
    int file;
    off_t at, end; /* of what was not read yet */
    struct text read;
    size_t used; /* of `read` */
    const char *line;
    size_t length;
    off_t start; /* of the line */
};

void records_begin(struct records *, int file, off_t from, off_t end);

/* 1: a line; 0: there is no more whole one; -1: it cannot be read, errno says why (EFBIG: too
 * long). */
int records_next(struct records *);
void records_fini(struct records *);

/* What a line says of itself right behind its time, without the rest being read: "fact": "policy",
 * and so on. */
bool record_is(const char *line, size_t n, const char *kind);

/* The value of the chain that a line ends in; false when it ends in none. */
bool record_chain(const char *line, size_t n, char chain[CHAIN_DIGITS + 1]);

#endif
