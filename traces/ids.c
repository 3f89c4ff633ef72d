/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See ids.h. Open addressing with linear probing, at most half full. */
#include "traces/ids.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"

#include <stdlib.h>

#define LEAST 1024

struct trace_ids_entry {
    uint64_t fingerprint, place; /* 0: the slot is free */
};

/* For short names FNV-1a differs in the low bits only; the finalizer of splitmix64 spreads them. */
static uint64_t fingerprint_of(const char *id)
{
    uint64_t z = rng_entity(id);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static struct trace_ids_entry *find(const struct trace_ids *ids, uint64_t fingerprint)
{
    size_t i = (size_t)fingerprint & (ids->size - 1);
    while (ids->entries[i].place != 0 && ids->entries[i].fingerprint != fingerprint)
        i = (i + 1) & (ids->size - 1);
    return &ids->entries[i];
}

static void grow(struct trace_ids *ids)
{
    struct trace_ids wider = {.count = ids->count, .size = ids->size > 0 ? 2 * ids->size : LEAST};
    wider.entries = mem_alloc_scattered(wider.size, sizeof *wider.entries);
    for (size_t i = 0; i < ids->size; i++)
        if (ids->entries[i].place != 0)
            *find(&wider, ids->entries[i].fingerprint) = ids->entries[i];
    free(ids->entries);
    *ids = wider;
}

uint64_t trace_ids_add(struct trace_ids *ids, const char *id, uint64_t place)
{
    if (2 * (ids->count + 1) > ids->size)
        grow(ids);
    uint64_t fingerprint = fingerprint_of(id);
    struct trace_ids_entry *entry = find(ids, fingerprint);
    if (entry->place != 0)
        return entry->place;
    *entry = (struct trace_ids_entry){fingerprint, place};
    ids->count++;
    return 0;
}

void trace_ids_expect(const struct trace_ids *ids, const char *id)
{
    if (ids->size > 0)
        __builtin_prefetch(&ids->entries[(size_t)fingerprint_of(id) & (ids->size - 1)], 1);
}

void trace_ids_fini(struct trace_ids *ids)
{
    free(ids->entries);
    *ids = (struct trace_ids){0};
}
