/* SPDX-License-Identifier: MIT */
/*
 * Two small heaps. pc_heap holds pending jobs by (key, rank), smallest first; an entry whose job has moved on (its
 * ticket differs) is stale. Stale entries are dropped when they come up, and all at once when they are more than
 * half, so that a heap never grows from cancelled jobs. pc_idheap holds ids of lanes or groups whose order changes
 * in place; the members know their position, so one can be removed or moved at any time.
 */
#ifndef POLICY_CORE_HEAP_H
#define POLICY_CORE_HEAP_H

#include "core/state.h"

struct pc_idheap_type {
    bool (*before)(const struct policy *, uint32_t a, uint32_t b);  /* a total order */
    void (*moved)(struct policy *, uint32_t id, uint32_t position); /* PC_NONE when taken out */
};

/* Room is reserved when lanes and groups are made, so these cannot fail. */
void pc_idheap_add(struct policy *, struct pc_idheap *, const struct pc_idheap_type *, uint32_t id);
void pc_idheap_remove(struct policy *, struct pc_idheap *, const struct pc_idheap_type *, uint32_t position);
void pc_idheap_fix(struct policy *, struct pc_idheap *, const struct pc_idheap_type *, uint32_t position);
void pc_idheap_rebuild(struct policy *, struct pc_idheap *,
                       const struct pc_idheap_type *); /* all may have moved */

#endif
