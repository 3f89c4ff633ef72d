/* SPDX-License-Identifier: MIT */
/*
 * A heap of ids whose order changes in place. Members know their position, so that one can be removed or moved at any
 * time.
 */
#ifndef POLICY_BASE_ID_HEAP_H
#define POLICY_BASE_ID_HEAP_H

#include "base/bits.h"

#include <stdbool.h>

/* A heap of ids whose members know their place in it. */
struct pc_idheap {
    uint32_t *ids;
    uint32_t count, capacity;
};

struct pc_idheap_type {
    bool (*before)(const struct policy *, uint32_t a, uint32_t b);  /* a total order */
    void (*moved)(struct policy *, uint32_t id, uint32_t position); /* PC_NONE when taken out */
};

/* The caller makes room beforehand, so these cannot fail. */
void pc_idheap_add(struct policy *, struct pc_idheap *, const struct pc_idheap_type *, uint32_t id);
void pc_idheap_remove(struct policy *, struct pc_idheap *, const struct pc_idheap_type *, uint32_t position);
void pc_idheap_fix(struct policy *, struct pc_idheap *, const struct pc_idheap_type *, uint32_t position);
void pc_idheap_rebuild(struct policy *, struct pc_idheap *,
                       const struct pc_idheap_type *); /* all may have moved */

#endif
