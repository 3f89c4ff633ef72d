/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sorted array of names: filled, sealed, then only searched. */
#include "scenarios/snapshot/name_set.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

void name_set_add(struct name_set *set, const char *name)
{
    set->names = mem_grow(set->names, &set->capacity, set->count + 1, sizeof *set->names);
    set->names[set->count++] = name;
}

/* Equal names may come in any order: only one remains, and their bytes are the same. */
static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void name_set_seal(struct name_set *set)
{
    if (set->count == 0)
        return;
    qsort(set->names, set->count, sizeof *set->names, by_bytes);
    size_t kept = 1;
    for (size_t i = 1; i < set->count; i++) {
        if (strcmp(set->names[i], set->names[kept - 1]) != 0)
            set->names[kept++] = set->names[i];
    }
    set->count = kept;
}

uint32_t name_set_find(const struct name_set *set, const char *name)
{
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(name, set->names[middle]);
        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NAME_NONE;
}

void name_set_fini(struct name_set *set)
{
    free(set->names);
    *set = (struct name_set){0};
}
