/* SPDX-License-Identifier: MIT */
/* The heaps of heap.h, both binary. */
#include "core/heap.h"

bool pc_heap_push(struct pc_heap *h, const struct pc_memory *memory, struct pc_entry entry)
{
    if (!PC_GROW(memory, h->entries, h->capacity, h->count + 1))
        return false;
    uint32_t at = h->count++;
    while (at > 0 && pc_entry_before(&entry, &h->entries[(at - 1) / 2])) {
        h->entries[at] = h->entries[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->entries[at] = entry;
    return true;
}

void pc_heap_pop(struct pc_heap *h)
{
    struct pc_entry last = h->entries[--h->count];
    uint32_t at = 0;
    for (uint32_t child = 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && pc_entry_before(&h->entries[child + 1], &h->entries[child]))
            child++;
        if (!pc_entry_before(&h->entries[child], &last))
            break;
        h->entries[at] = h->entries[child];
        at = child;
    }
    h->entries[at] = last; /* its own place when it was the only one */
}

static void put(struct policy *p, struct pc_idheap *h, const struct pc_idheap_type *type, uint32_t at,
                uint32_t id)
{
    h->ids[at] = id;
    type->moved(p, id, at);
}

static void sift_up(struct policy *p, struct pc_idheap *h, const struct pc_idheap_type *type, uint32_t at)
{
    uint32_t id = h->ids[at];
    while (at > 0 && type->before(p, id, h->ids[(at - 1) / 2])) {
        put(p, h, type, at, h->ids[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(p, h, type, at, id);
}

static void sift_down(struct policy *p, struct pc_idheap *h, const struct pc_idheap_type *type, uint32_t at)
{
    uint32_t id = h->ids[at];
    for (uint32_t child = 2 * at + 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && type->before(p, h->ids[child + 1], h->ids[child]))
            child++;
        if (!type->before(p, h->ids[child], id))
            break;
        put(p, h, type, at, h->ids[child]);
        at = child;
    }
    put(p, h, type, at, id);
}

void pc_idheap_add(struct policy *p, struct pc_idheap *h, const struct pc_idheap_type *type, uint32_t id)
{
    h->ids[h->count] = id;
    sift_up(p, h, type, h->count++);
}

void pc_idheap_remove(struct policy *p, struct pc_idheap *h, const struct pc_idheap_type *type,
                      uint32_t position)
{
    uint32_t removed = h->ids[position];
    uint32_t last = h->ids[--h->count];
    type->moved(p, removed, PC_NONE);
    if (position < h->count) {
        put(p, h, type, position, last);
        pc_idheap_fix(p, h, type, position);
    }
}

void pc_idheap_fix(struct policy *p, struct pc_idheap *h, const struct pc_idheap_type *type,
                   uint32_t position)
{
    if (position > 0 && type->before(p, h->ids[position], h->ids[(position - 1) / 2]))
        sift_up(p, h, type, position);
    else
        sift_down(p, h, type, position);
}
