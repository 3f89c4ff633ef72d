/* SPDX-License-Identifier: MIT */
/*
 * Blocks of memory that are allocated and released all the time. A released block is kept for the
 * next request of its size class (a power of two), so a steady state never calls the embedder's
 * allocator. Kept blocks are freed at the end.
 */
#ifndef POLICY_BASE_BLOCKS_H
#define POLICY_BASE_BLOCKS_H

#include "base/memory.h"

#define PC_BLOCK_CLASSES 40 /* class k has 2^k bytes */

struct pc_blocks {
    void *free[PC_BLOCK_CLASSES]; /* free lists, linked through the first bytes of each block */
};

/*
 * Returns a block of at least this many bytes, contents undefined, and its class; NULL: out of
 * memory.
 */
void *pc_block_take(struct pc_blocks *, const struct pc_memory *, size_t size, uint8_t *size_class);

void pc_block_give(struct pc_blocks *, void *block, uint8_t size_class);

/* Frees the kept blocks; blocks in use must be returned first. */
void pc_blocks_free(struct pc_blocks *, const struct pc_memory *);

#endif
