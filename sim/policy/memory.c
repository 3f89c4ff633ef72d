/* SPDX-License-Identifier: GPL-3.0-or-later */
/* realloc() and free() in the form that the policy core requires. */
#include "sim/policy/memory.h"

#include <stdlib.h>

static void *resize(void *user, void *old, size_t old_size, size_t new_size)
{
    (void)user;
    (void)old_size;
    if (new_size == 0) {
        free(old);
        return NULL;
    }
    return realloc(old, new_size);
}

struct policy_allocator policy_memory(void)
{
    return (struct policy_allocator){resize, NULL};
}
