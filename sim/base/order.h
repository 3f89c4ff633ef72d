/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons for qsort() and bsearch(). */
#ifndef SIM_BASE_ORDER_H
#define SIM_BASE_ORDER_H

#include <stdint.h>

/* Of two uint32_t, rising. */
static inline int order_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of two int64_t, rising. */
static inline int order_i64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

#endif
