/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A binary heap over an array that belongs to the caller: heap[i] goes before heap[2i + 1] and
 * heap[2i + 2].
 *
 *     HEAP(due, struct due, before)       defines due_put(), due_take(), due_sink() and due_make()
 *                                         for one type of element
 *
 * `before(const type *a, const type *b)` is a total order: of two different elements one goes
 * before the other, so the order in which elements leave does not depend on the order in which they
 * came. Nothing here allocates. Elements of the event queue, of which there are many, lie in a heap
 * of their own kind (sim/kernel/events.h).
 */
#ifndef SIM_BASE_HEAP_H
#define SIM_BASE_HEAP_H

#include <stddef.h>

#define HEAP(name, type, before)                                                                   \
    /* Moves heap[at] down to its place. */                                                        \
    __attribute__((unused)) static inline void name##_sink(type *heap, size_t count, size_t at)    \
    {                                                                                              \
        const type moved = heap[at];                                                               \
        for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {                       \
            child += child + 1 < count && before(&heap[child + 1], &heap[child]);                  \
            if (!before(&heap[child], &moved))                                                     \
                break;                                                                             \
            heap[at] = heap[child];                                                                \
            at = child;                                                                            \
        }                                                                                          \
        heap[at] = moved;                                                                          \
    }                                                                                              \
    /* Makes a heap of an array in any order. */                                                   \
    __attribute__((unused)) static inline void name##_make(type *heap, size_t count)               \
    {                                                                                              \
        for (size_t i = count / 2; i-- > 0;)                                                       \
            name##_sink(heap, count, i);                                                           \
    }                                                                                              \
    /* Adds an element; the array must have room. */                                               \
    __attribute__((unused)) static inline void name##_put(type *heap, size_t *count, type added)   \
    {                                                                                              \
        size_t at = (*count)++;                                                                    \
        for (; at > 0 && before(&added, &heap[(at - 1) / 2]); at = (at - 1) / 2)                   \
            heap[at] = heap[(at - 1) / 2];                                                         \
        heap[at] = added;                                                                          \
    }                                                                                              \
    /* Removes and returns the first element; *count > 0. */                                       \
    __attribute__((unused)) static inline type name##_take(type *heap, size_t *count)              \
    {                                                                                              \
        type first = heap[0];                                                                      \
        heap[0] = heap[--*count];                                                                  \
        if (*count > 0)                                                                            \
            name##_sink(heap, *count, 0);                                                          \
        return first;                                                                              \
    }

#endif
