/* SPDX-License-Identifier: MIT */
/* Reused memory blocks; see blocks.h. */
#include "base/blocks.h"

enum { SMALLEST = 5 }; /* a free block holds a pointer */

static uint8_t class_of(size_t size)
{
    if (size <= (size_t)1 << SMALLEST)
        return SMALLEST;
    return (uint8_t)(64 - __builtin_clzll((unsigned long long)size - 1));
}

void *pc_block_take(struct pc_blocks *b, const struct pc_memory *memory, size_t size,
                    uint8_t *size_class)
{
    *size_class = class_of(size);
    if (*size_class >= PC_BLOCK_CLASSES)
        return NULL;
    void *block = b->free[*size_class];
    if (block == NULL)
        return pc_alloc(memory, 1, (size_t)1 << *size_class);
    __builtin_memcpy(&b->free[*size_class], block, sizeof block);
    return block;
}

void pc_block_give(struct pc_blocks *b, void *block, uint8_t size_class)
{
    __builtin_memcpy(block, &b->free[size_class], sizeof block);
    b->free[size_class] = block;
}

void pc_blocks_free(struct pc_blocks *b, const struct pc_memory *memory)
{
    for (uint8_t kind = SMALLEST; kind < PC_BLOCK_CLASSES; kind++)
        while (b->free[kind] != NULL) {
            void *block = b->free[kind];
            __builtin_memcpy(&b->free[kind], block, sizeof block);
            pc_release(memory, block, 1, (size_t)1 << kind);
        }
}
