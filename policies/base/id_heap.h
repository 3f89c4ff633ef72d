/* SPDX-License-Identifier: MIT */
/*
 * A heap of ids whose order changes in place. Members know their position, so any member can be
 * removed or moved.
 */
#ifndef POLICY_BASE_ID_HEAP_H
#define POLICY_BASE_ID_HEAP_H

#include "base/bits.h"

#include <stdbool.h>

/* Comparisons run in the innermost loops of heaps, hence the inlining. */
#define PC_INLINE static inline __attribute__((always_inline))

/* A heap of ids whose members know their position in it. */
struct pc_idheap {
    uint32_t *ids;
    uint32_t count, capacity;
};

struct pc_idheap_type {
    bool (*before)(const struct policy *, uint32_t a, uint32_t b);  /* a total order */
    void (*moved)(struct policy *, uint32_t id, uint32_t position); /* called with the new position;
                                                                       PC_NONE when removed */
};

/*
 * The caller makes room beforehand, so these cannot fail. They are defined here so that the
 * compiler can inline the comparison.
 */
PC_INLINE void pc_idheap_put(struct policy *p, struct pc_idheap *h,
                             const struct pc_idheap_type *type, uint32_t at, uint32_t id)
{
    h->ids[at] = id;
    type->moved(p, id, at);
}

PC_INLINE void pc_idheap_rise(struct policy *p, struct pc_idheap *h,
                              const struct pc_idheap_type *type, uint32_t at)
{
    uint32_t id = h->ids[at];
    while (at > 0 && type->before(p, id, h->ids[(at - 1) / 2])) {
        pc_idheap_put(p, h, type, at, h->ids[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    pc_idheap_put(p, h, type, at, id);
}

PC_INLINE void pc_idheap_sink(struct policy *p, struct pc_idheap *h,
                              const struct pc_idheap_type *type, uint32_t at)
{
    uint32_t id = h->ids[at];
    for (uint32_t child = 2 * at + 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && type->before(p, h->ids[child + 1], h->ids[child]))
            child++;
        if (!type->before(p, h->ids[child], id))
            break;
        pc_idheap_put(p, h, type, at, h->ids[child]);
        at = child;
    }
    pc_idheap_put(p, h, type, at, id);
}

PC_INLINE void pc_idheap_add(struct policy *p, struct pc_idheap *h,
                             const struct pc_idheap_type *type, uint32_t id)
{
    h->ids[h->count] = id;
    pc_idheap_rise(p, h, type, h->count++);
}

PC_INLINE void pc_idheap_fix(struct policy *p, struct pc_idheap *h,
                             const struct pc_idheap_type *type, uint32_t position)
{
    if (position > 0 && type->before(p, h->ids[position], h->ids[(position - 1) / 2]))
        pc_idheap_rise(p, h, type, position);
    else
        pc_idheap_sink(p, h, type, position);
}

PC_INLINE void pc_idheap_remove(struct policy *p, struct pc_idheap *h,
                                const struct pc_idheap_type *type, uint32_t position)
{
    uint32_t removed = h->ids[position];
    uint32_t last = h->ids[--h->count];
    type->moved(p, removed, PC_NONE);
    if (position < h->count) {
        pc_idheap_put(p, h, type, position, last);
        pc_idheap_fix(p, h, type, position);
    }
}

/* Restores the heap after any number of keys changed. */
PC_INLINE void pc_idheap_rebuild(struct policy *p, struct pc_idheap *h,
                                 const struct pc_idheap_type *type)
{
    for (uint32_t i = h->count / 2; i-- > 0;)
        pc_idheap_sink(p, h, type, i);
}

#endif
