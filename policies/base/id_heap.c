/* SPDX-License-Identifier: MIT */
/* The heaps of heap.h, both binary. */
#include "base/id_heap.h"

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
