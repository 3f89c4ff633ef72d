/* SPDX-License-Identifier: MIT */
/*
 * Blocks of memory that come and go all the time: one that is given back is kept for the next of
 * its size class, a power of two, so that a steady state asks the embedder's allocator for nothing.
 * What is kept is freed at the end.
 */
#ifndef POLICY_BASE_BLOCKS_H
#define POLICY_BASE_BLOCKS_H

#include "base/memory.h"

#define PC_BLOCK_CLASSES 40 /* class k has 2^k bytes */

struct pc_blocks {
    void *free[PC_BLOCK_CLASSES]; /* a list through the first bytes of each block */
};

/* A block of at least so many bytes, its contents undefined, and its class; NULL: no memory. */
void *pc_block_take(struct pc_blocks *, const struct pc_memory *, size_t size, uint8_t *size_class);

void pc_block_give(struct pc_blocks *, void *block, uint8_t size_class);

/* Frees what is kept; blocks in use have to be given back before. */
void pc_blocks_free(struct pc_blocks *, const struct pc_memory *);

#endif
