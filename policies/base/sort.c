/* SPDX-License-Identifier: MIT */
/* Heap sort of ids; already sorted input, which is common, takes a single pass. */
#include "base/sort.h"

static void sift_down(uint32_t *ids, uint32_t root, uint32_t count, pc_before *before,
                      const void *context)
{
    uint32_t moving = ids[root];
    for (uint32_t child = 2 * root + 1; child < count; child = 2 * root + 1) {
        if (child + 1 < count && before(context, ids[child], ids[child + 1]))
            child++;
        if (!before(context, moving, ids[child]))
            break;
        ids[root] = ids[child];
        root = child;
    }
    ids[root] = moving;
}

void pc_sort_ids(uint32_t *ids, uint32_t count, pc_before *before, const void *context)
{
    uint32_t sorted = 1;
    while (sorted < count && before(context, ids[sorted - 1], ids[sorted]))
        sorted++;
    if (sorted >= count)
        return;
    for (uint32_t i = count / 2; i-- > 0;)
        sift_down(ids, i, count, before, context);
    for (uint32_t end = count - 1; end > 0; end--) {
        uint32_t last = ids[0];
        ids[0] = ids[end];
        ids[end] = last;
        sift_down(ids, 0, end, before, context);
    }
}
