/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One device's arbitration; see device.h. */
#include "sim/memory/device.h"
#include "sim/base/wide.h"

#define ALL_PPM 1000000

/* True if the tenant may be ended for the growing one. */
static bool may_go(const struct memory_tenant *t, const struct memory_tenant *grower)
{
    return t != grower && t->held_mib > 0 && !t->leaves &&
           (t->idle || t->priority < grower->priority);
}

static bool goes_before(const struct memory_tenant *a, const struct memory_tenant *b)
{
    if (a->idle != b->idle)
        return a->idle;
    if (a->priority != b->priority)
        return a->priority < b->priority;
    return a->number > b->number;
}

/* The next victim after `last` (NULL: the first of all); NULL if there is none. */
static const struct memory_tenant *next_to_go(const struct memory_tenant *t, size_t count,
                                              const struct memory_tenant *grower,
                                              const struct memory_tenant *last)
{
    const struct memory_tenant *next = NULL;
    for (const struct memory_tenant *i = t; i < t + count; i++)
        if (may_go(i, grower) && (last == NULL || goes_before(last, i)) &&
            (next == NULL || goes_before(i, next)))
            next = i;
    return next;
}

size_t memory_victims(const struct memory_tenant *t, size_t count, size_t grower, int64_t need_mib,
                      size_t *victims)
{
    size_t n = 0;
    const struct memory_tenant *next = next_to_go(t, count, &t[grower], NULL);
    for (; next != NULL && need_mib > 0; next = next_to_go(t, count, &t[grower], next)) {
        need_mib -= next->held_mib;
        victims[n++] = (size_t)(next - t);
    }
    return need_mib <= 0 ? n : 0;
}

size_t memory_stuck(const struct memory_tenant *t, size_t count, size_t own)
{
    size_t youngest = count;
    for (size_t i = 0; i < count; i++) {
        if (i == own || t[i].held_mib == 0)
            continue;
        if (!t[i].hopeless || t[i].leaves)
            return count;
        if (youngest == count || t[i].number > t[youngest].number)
            youngest = i;
    }
    return youngest;
}

/* Microseconds of a round in which memory is moved: 2 X x 2^20 B / (MB/s), which is bytes a
 * microsecond. */
static wide lost_us(const struct memory_rules *rules, int64_t excess_mib)
{
    return (wide)2 * excess_mib * 1048576 / rules->host_mbps;
}

int32_t memory_swap_ppm(const struct memory_rules *rules, int64_t excess_mib)
{
    if (excess_mib <= 0)
        return ALL_PPM;
    wide turn_us = (wide)rules->turn_ms * 1000;
    int32_t ppm = (int32_t)(turn_us * ALL_PPM / (turn_us + lost_us(rules, excess_mib)));
    return ppm > 0 ? ppm : 1;
}

int64_t memory_swap_kib(const struct memory_rules *rules, int64_t excess_mib, int64_t ms)
{
    if (excess_mib <= 0)
        return 0;
    wide round_us = (wide)rules->turn_ms * 1000 + lost_us(rules, excess_mib);
    return (int64_t)((wide)2 * excess_mib * 1024 * ms * 1000 / round_us);
}
