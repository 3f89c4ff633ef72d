/* SPDX-License-Identifier: MIT */
/*
 * Reads the lines of a log through its own descriptor: opening and closing the file a second time
 * would release its lock.
 *
 *     struct records r;
 *     records_begin(&r, file, 0, size);
 *     while ((got = records_next(&r)) > 0)
 *         use(r.line, r.length);  without its line feed; valid until the next call
 *     records_fini(&r);
 */
#ifndef POLICY_FACTS_RECORDS_H
#define POLICY_FACTS_RECORDS_H

#include "policies/facts/chain.h"

#include <sys/types.h>

#define RECORD_LINE ((size_t)64 << 20) /* bytes: none of our writers produces a longer line */

struct records {
    int file;
    off_t at, end; /* of the unread part */
    struct text read;
    size_t used; /* consumed part of `read` */
    const char *line;
    size_t length;
    off_t start; /* of the line */
};

void records_begin(struct records *, int file, off_t from, off_t end);

/* Returns 1: a line; 0: there are no more complete ones; -1: failure, with errno set (EFBIG: too
 * long). */
int records_next(struct records *);
void records_fini(struct records *);

/* Checks a line's kind right after its time, without parsing the rest: "fact": "policy", and so
 * on. */
bool record_is(const char *line, size_t n, const char *kind);

/* Extracts the chain value at the end of a line. Returns false if there is none. */
bool record_chain(const char *line, size_t n, char chain[CHAIN_DIGITS + 1]);

#endif
