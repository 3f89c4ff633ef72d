/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is in force at a time according to a calendar; see planned_changes.h. */
#include "sim/planned_changes.h"

#include "sim/base/week.h"

#include <string.h>

/* The last weekly moment up to and including `now`; the set of days is not empty. */
static int64_t last_weekly(const struct sim_moment *m, int64_t monday, int64_t now)
{
    int64_t last = INT64_MIN;
    for (int day = 0; day < 7; day++) {
        int64_t at = now - week_time(now, monday + day * SIM_DAY_MS + m->ms);
        if ((m->days >> day & 1) != 0 && at > last)
            last = at;
    }
    return last;
}

/* The first weekly moment after `now`. */
static int64_t next_weekly(const struct sim_moment *m, int64_t monday, int64_t now)
{
    int64_t next = INT64_MAX;
    for (int day = 0; day < 7; day++) {
        int64_t at = week_next(now, monday, day * SIM_DAY_MS + m->ms);
        if ((m->days >> day & 1) != 0 && at < next)
            next = at;
    }
    return next;
}

/* Time of a moment that is not weekly. */
static int64_t time_of(const struct sim_moment *m, int64_t run_begin_ms)
{
    return m->kind == SIM_AFTER_BEGIN ? run_begin_ms + m->ms : m->ms;
}

struct sim_span_of_change sim_change_span(const struct sim_change *c, int64_t run_begin_ms,
                                          int64_t now_ms)
{
    const int64_t monday = week_monday(run_begin_ms);
    struct sim_span_of_change span = {INT64_MIN, INT64_MAX};
    if (c->at.kind == SIM_WEEKLY) {
        span.begin_ms = last_weekly(&c->at, monday, now_ms);
        if (c->ends)
            span.end_ms = next_weekly(&c->until, monday, span.begin_ms);
        return span;
    }
    if (time_of(&c->at, run_begin_ms) > now_ms)
        return span;
    span.begin_ms = time_of(&c->at, run_begin_ms);
    if (c->ends)
        span.end_ms = time_of(&c->until, run_begin_ms);
    return span;
}

int64_t sim_change_next(const struct sim_change *c, int64_t run_begin_ms, int64_t now_ms)
{
    const struct sim_span_of_change span = sim_change_span(c, run_begin_ms, now_ms);
    int64_t next = INT64_MAX;
    if (c->at.kind == SIM_WEEKLY)
        next = next_weekly(&c->at, week_monday(run_begin_ms), now_ms);
    else if (span.begin_ms == INT64_MIN)
        next = time_of(&c->at, run_begin_ms);
    return span.begin_ms != INT64_MIN && span.end_ms > now_ms && span.end_ms < next ? span.end_ms
                                                                                    : next;
}

bool sim_changes_queues(const struct sim_change *changes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (changes[i].queue != NULL)
            return true;
    return false;
}

uint32_t sim_changes_nodes(const struct sim_change *changes, size_t count, const char *pool,
                           uint32_t nodes, int64_t run_begin_ms, int64_t now_ms,
                           const struct sim_change **turn)
{
    int64_t since = INT64_MIN;
    *turn = NULL;
    for (size_t i = 0; i < count; i++) {
        const struct sim_change *c = &changes[i];
        if (c->pool == NULL || strcmp(c->pool, pool) != 0)
            continue;
        const struct sim_span_of_change span = sim_change_span(c, run_begin_ms, now_ms);
        if (span.begin_ms == now_ms || span.end_ms == now_ms)
            *turn = c;
        if (span.begin_ms == INT64_MIN || span.end_ms <= now_ms || span.begin_ms < since)
            continue;
        since = span.begin_ms;
        nodes = c->nodes;
    }
    return nodes;
}

/* Since when the change of the queue has been in force; INT64_MIN: it is not. */
static int64_t in_force_since(const struct sim_change *c, const char *queue, int64_t run_begin_ms,
                              int64_t now_ms)
{
    if (c->queue == NULL || strcmp(c->queue, queue) != 0)
        return INT64_MIN;
    const struct sim_span_of_change span = sim_change_span(c, run_begin_ms, now_ms);
    return span.end_ms <= now_ms ? INT64_MIN : span.begin_ms;
}

void sim_changes_apply(const struct sim_change *changes, size_t count, const char *queue,
                       int64_t run_begin_ms, int64_t now_ms, int64_t terms[SIM_TERMS])
{
    int64_t since[SIM_TERMS];
    for (int term = 0; term < SIM_TERMS; term++)
        since[term] = INT64_MIN;
    for (size_t i = 0; i < count; i++) {
        const struct sim_change *c = &changes[i];
        int64_t begin_ms = in_force_since(c, queue, run_begin_ms, now_ms);
        for (int term = 0; term < SIM_TERMS && begin_ms != INT64_MIN; term++) {
            if ((c->sets >> term & 1) == 0 || begin_ms < since[term])
                continue;
            since[term] = begin_ms;
            terms[term] = c->value[term];
        }
    }
}

int64_t sim_changes_pool(const struct sim_change *changes, size_t count, const char *queue,
                         int64_t run_begin_ms, int64_t now_ms, uint32_t entry, int64_t configured)
{
    int64_t since = INT64_MIN, quota = configured;
    for (size_t i = 0; i < count; i++) {
        const struct sim_change *c = &changes[i];
        int64_t begin_ms =
            c->pool_count > 0 ? in_force_since(c, queue, run_begin_ms, now_ms) : INT64_MIN;
        for (size_t k = 0; k < c->pool_count && begin_ms != INT64_MIN; k++) {
            if (c->pools[k].entry != entry || begin_ms < since)
                continue;
            since = begin_ms;
            quota = c->pools[k].quota;
        }
    }
    return quota;
}
