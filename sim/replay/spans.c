/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spans of time; see spans.h. */
#include "sim/replay/spans.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

void spans_add(struct spans *spans, int64_t ms)
{
    spans->ms = mem_grow(spans->ms, &spans->capacity, spans->count + 1, sizeof *spans->ms);
    spans->ms[spans->count++] = ms;
}

static int compare_ms(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return a < b ? -1 : a > b;
}

int64_t spans_quantile(struct spans *spans, double q)
{
    if (spans->count == 0)
        return 0;
    qsort(spans->ms, spans->count, sizeof *spans->ms, compare_ms); /* equal values are the same */
    size_t rank = (size_t)ceil(q * (double)spans->count);
    return spans->ms[rank > 0 ? rank - 1 : 0];
}

void spans_fini(struct spans *spans)
{
    free(spans->ms);
    *spans = (struct spans){.ms = NULL};
}
