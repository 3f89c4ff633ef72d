/* SPDX-License-Identifier: MIT */
/* Checked calls of the embedder's allocator. */
#include "base/memory.h"

#include <string.h>

/* Number of elements from which on an array grows by an eighth, to limit unused memory. */
#define DOUBLED 1024

void *pc_alloc(const struct pc_memory *memory, size_t count, size_t size)
{
    if (count == 0 || count > SIZE_MAX / size)
        return NULL;
    return memory->allocator.resize(memory->allocator.user, NULL, 0, count * size);
}

void pc_release(const struct pc_memory *memory, void *block, size_t count, size_t size)
{
    if (block != NULL)
        memory->allocator.resize(memory->allocator.user, block, count * size, 0);
}

bool pc_grow(const struct pc_memory *memory, void *array_pointer, uint32_t *capacity, uint32_t need,
             size_t size)
{
    uint32_t grown = *capacity > 8 ? *capacity : 8;
    while (grown < need) {
        uint32_t more = grown < DOUBLED ? grown : grown / 8;
        if (grown > UINT32_MAX - more)
            return false;
        grown += more;
    }
    if (grown > SIZE_MAX / size)
        return false;
    void *array;
    memcpy(&array, array_pointer, sizeof array); /* it may be a pointer to any type */
    void *moved =
        memory->allocator.resize(memory->allocator.user, array, *capacity * size, grown * size);
    if (moved == NULL)
        return false;
    memcpy(array_pointer, &moved, sizeof moved);
    *capacity = grown;
    return true;
}
