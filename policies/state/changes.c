/* SPDX-License-Identifier: MIT */
/* The log of changed nodes; see changes.h. */
#include "state/changes.h"

#include <string.h>

#define FEWEST 1024

bool pc_changes_reserve(struct pc_changes *c, const struct pc_memory *memory, uint32_t ranks)
{
    uint32_t looked = c->looked_capacity;
    if (!c->kept)
        return true;
    if (!PC_GROW(memory, c->looked, c->looked_capacity, ranks))
        return false;
    memset(c->looked + looked, 0, (c->looked_capacity - looked) * sizeof *c->looked);
    uint32_t wanted = FEWEST;
    while (wanted < ranks)
        wanted *= 2;
    if (wanted <= c->capacity)
        return true;
    uint32_t *ring = pc_alloc(memory, wanted, sizeof *ring);
    if (ring == NULL)
        return false;
    memset(ring, 0, wanted * sizeof *ring);
    pc_release(memory, c->ring, c->capacity, sizeof *c->ring);
    c->ring = ring;
    c->capacity = wanted;
    c->total += (uint64_t)wanted + 1; /* old entries are lost: out of reach for every index */
    return true;
}

void pc_changes_free(struct pc_changes *c, const struct pc_memory *memory)
{
    pc_release(memory, c->ring, c->capacity, sizeof *c->ring);
    pc_release(memory, c->looked, c->looked_capacity, sizeof *c->looked);
    *c = (struct pc_changes){0};
}

void pc_changes_begin(struct pc_changes *c)
{
    if (++c->round == 0) { /* once in 2^32 rounds */
        memset(c->looked, 0, c->looked_capacity * sizeof *c->looked);
        c->round = 1;
    }
}
