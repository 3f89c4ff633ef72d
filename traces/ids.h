/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which job ids a trace has had, and where: fingerprints of 64 bits in a table of twice as many
 * places, 32 bytes a job. Two of ten million different ids have the same fingerprint with a
 * probability of 3 in a million.
 */
#ifndef TRACES_IDS_H
#define TRACES_IDS_H

#include <stddef.h>
#include <stdint.h>

struct trace_ids {
    struct trace_ids_entry *entries; /* NULL: none yet; a zeroed struct is empty */
    size_t count, size;              /* size: places, a power of two */
};

/* Where the id was before; 0 when it was not, and then it is at `place` (not 0) from now on. */
uint64_t trace_ids_add(struct trace_ids *, const char *id, uint64_t place);

/* The id will be added soon: its place in a large table, which is hardly ever in a cache, is
 * fetched meanwhile. */
void trace_ids_expect(const struct trace_ids *, const char *id);
void trace_ids_fini(struct trace_ids *);

#endif
