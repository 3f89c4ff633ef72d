/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory of the program's own layers (everything but policies/, which works with the caller's
 * allocator and reports out of memory). These functions never return NULL: when memory runs out
 * they print one line and end the process with exit code 70, since a simulation without memory has
 * no useful way on. The caller owns what it gets and releases it with free().
 */
#ifndef SIM_BASE_MEM_H
#define SIM_BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t count, size_t size);             /* zeroed; the product is checked */
void *mem_resize(void *old, size_t count, size_t size); /* new part is not zeroed */
char *mem_text(const char *text);                       /* a copy; NULL stays NULL */
char *mem_text_n(const char *text, size_t length);
char *mem_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Makes room for `need` elements in a growing array: doubles *capacity (from 16) until it holds
 * them.
 *     jobs = mem_grow(jobs, &capacity, n + 1, sizeof *jobs);
 */
void *mem_grow(void *array, size_t *capacity, size_t need, size_t size);

/*
 * Like mem_alloc(), for a hash table: a large one gets huge pages where the system has them. With
 * small pages the translation of a random address costs more than the access.
 */
void *mem_alloc_scattered(size_t count, size_t size);

/*
 * Prefetches a record that is about to be changed, for tables of which most records have left the
 * caches since their last use.
 */
static inline void mem_prefetch(const void *record, size_t size)
{
    for (size_t at = 0; at < size; at += 64)
        __builtin_prefetch((const char *)record + at, 1);
}

/*
 * Makes a table of *count elements hold at least `count_needed`; new ones are zero.
 *     if (id >= count)
 *         table = mem_extend(table, &count, all, sizeof *table);
 */
void *mem_extend(void *table, size_t *count, size_t count_needed, size_t size);

#endif
