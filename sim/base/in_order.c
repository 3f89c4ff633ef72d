/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Patience sorting. last[k] is the lowest value with which k + 1 values in order can end. */
#include "sim/base/in_order.h"

#include "sim/base/mem.h"

#include <stdlib.h>

size_t in_order_length(const int64_t *values, size_t count)
{
    int64_t *last = mem_alloc(count + 1, sizeof *last);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = length;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (last[middle] <= values[i])
                low = middle + 1;
            else
                high = middle;
        }
        last[low] = values[i];
        length += low == length;
    }
    free(last);
    return length;
}
