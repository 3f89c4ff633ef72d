/* SPDX-License-Identifier: MIT */
/*
 * The embedder's allocator with checked sizes. NULL (or false) means out of memory; nothing has
 * changed then.
 */
#ifndef POLICY_BASE_MEMORY_H
#define POLICY_BASE_MEMORY_H

#include "policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pc_memory {
    struct policy_allocator allocator;
};

void *pc_alloc(const struct pc_memory *, size_t count, size_t size);
void pc_release(const struct pc_memory *, void *block, size_t count, size_t size);

/*
 * Makes room for `need` elements in an array with *capacity allocated elements. Small arrays
 * double, large ones grow by an eighth. The array is passed as the address of its pointer:
 * PC_GROW(memory, jobs, job_capacity, n + 1).
 */
bool pc_grow(const struct pc_memory *, void *array_pointer, uint32_t *capacity, uint32_t need,
             size_t size);

#define PC_GROW(memory, array, capacity, need)                                                     \
    ((need) <= (capacity) || pc_grow((memory), &(array), &(capacity), (need), sizeof *(array)))

#endif
