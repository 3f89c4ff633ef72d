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

/* Puts the entry where it belongs at or below the hole at `at`. */
static void sink(struct pc_heap *h, uint32_t at, struct pc_entry entry)
{
    for (uint32_t child = 2 * at + 1; child < h->count; child = 2 * at + 1) {
        if (child + 1 < h->count && pc_entry_before(&h->entries[child + 1], &h->entries[child]))
            child++;
        if (!pc_entry_before(&h->entries[child], &entry))
            break;
        h->entries[at] = h->entries[child];
        at = child;
    }
    h->entries[at] = entry;
}

void pc_heap_pop(struct pc_heap *h)
{
    h->count--;
    sink(h, 0, h->entries[h->count]); /* stays in its own place when it was the only one */
}

void pc_heap_rebuild(struct pc_heap *h)
{
    for (uint32_t i = h->count / 2; i-- > 0;)
        sink(h, i, h->entries[i]);
}

static bool current(const struct policy *p, const struct pc_entry *e)
{
    return p->jobs[e->job].ticket == e->ticket;
}

void pc_heap_tidy(const struct policy *p, struct pc_heap *h, uint32_t live)
{
    if (h->count > 2 * (uint64_t)live + 16) {
        uint32_t kept = 0;
        for (uint32_t i = 0; i < h->count; i++)
            if (current(p, &h->entries[i]))
                h->entries[kept++] = h->entries[i];
        h->count = kept;
        pc_heap_rebuild(h);
    }
    while (h->count > 0 && !current(p, &h->entries[0]))
        pc_heap_pop(h);
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

void pc_idheap_rebuild(struct policy *p, struct pc_idheap *h, const struct pc_idheap_type *type)
{
    for (uint32_t i = h->count / 2; i-- > 0;)
        sift_down(p, h, type, i);
}
