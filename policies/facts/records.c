/* SPDX-License-Identifier: MIT */
/* Reading a log line by line; see records.h. */
#include "policies/facts/records.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define CHUNK 65536

void records_begin(struct records *r, int file, off_t from, off_t end)
{
    *r = (struct records){.file = file, .at = from, .end = end, .start = from};
}

void records_fini(struct records *r)
{
    text_fini(&r->read);
}

/* Drops consumed bytes and reads more. Returns 0 at the end, -1 on failure. */
static int read_on(struct records *r)
{
    char bytes[CHUNK];
    off_t left = r->end - r->at;
    size_t n = left < CHUNK ? (size_t)(left > 0 ? left : 0) : CHUNK;
    r->read.length -= r->used;
    if (r->read.length > 0)
        memmove(r->read.bytes, r->read.bytes + r->used, r->read.length);
    r->used = 0;
    if (n == 0)
        return 0;
    if (r->read.length > RECORD_LINE) {
        errno = EFBIG;
        return -1;
    }
    ssize_t got = pread(r->file, bytes, n, r->at);
    if (got < 0)
        return errno == EINTR ? 1 : -1;
    r->at += got;
    text_bytes(&r->read, bytes, (size_t)got);
    if (r->read.failed) {
        errno = ENOMEM;
        return -1;
    }
    return got > 0;
}

int records_next(struct records *r)
{
    size_t seen = 0;
    if (r->line != NULL)
        r->start += (off_t)r->length + 1;
    for (r->line = NULL;;) {
        const char *from = r->read.length > 0 ? r->read.bytes + r->used : NULL;
        size_t n = r->read.length - r->used;
        const char *end = n > seen ? memchr(from + seen, '\n', n - seen) : NULL;
        if (end != NULL) {
            r->line = from;
            r->length = (size_t)(end - from);
            r->used += r->length + 1;
            return 1;
        }
        seen = n;
        int status = read_on(r);
        if (status <= 0)
            return status;
    }
}

bool record_is(const char *line, size_t n, const char *kind)
{
    const char *comma = memchr(line, ',', n);
    size_t length = strlen(kind);
    return comma != NULL && (size_t)(line + n - comma) >= length + 2 && comma[1] == ' ' &&
           memcmp(comma + 2, kind, length) == 0;
}

bool record_chain(const char *line, size_t n, char chain[CHAIN_DIGITS + 1])
{
    if (n < CHAIN_TAIL)
        return false;
    memcpy(chain, line + n - 2 - CHAIN_DIGITS, CHAIN_DIGITS);
    chain[CHAIN_DIGITS] = '\0';
    return true;
}
