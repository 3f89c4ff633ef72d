/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The job ids seen in a trace, and where: 64-bit fingerprints in a table of twice as many slots, 32
 * bytes per job. The probability that two of ten million different ids share a fingerprint is 3 in
 * a million.
 */
#ifndef TRACES_IDS_H
#define TRACES_IDS_H

#include <stddef.h>
#include <stdint.h>

struct trace_ids {
    struct trace_ids_entry *entries; /* NULL: none yet; a zeroed struct is empty */
    size_t count, size;              /* size: slots, a power of two */
};

/* Returns the place where the id was seen before, or 0 and records it at `place` (not 0). */
uint64_t trace_ids_add(struct trace_ids *, const char *id, uint64_t place);

/* Prefetches the id's slot of a large table, which is rarely in a cache. */
void trace_ids_expect(const struct trace_ids *, const char *id);
void trace_ids_fini(struct trace_ids *);

#endif
