/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calendar of planned changes of queues and pools. The value in force is a function of time
 * alone: among the changes of a term that have begun and not ended, the one that began last counts
 * (of several, the last in the list); without any, the configured value. So a run that begins in
 * the middle continues as the whole run would, and opposite changes at one instant cancel.
 *
 *     at        after begin    once, this long after the run begins
 *               date           once, at a time since 1970 (if the trace's clock counts from there)
 *               weekly         at a time of day on a set of days, every week, past weeks included
 *     until     of the same kind; weekly: the first such moment after the begin
 *
 * Days and dates are UTC. If the trace's clock does not count from 1970 (its times lie before
 * 2001), its zero is a Monday, 0:00, as in generated traces.
 */
#ifndef SIM_PLANNED_CHANGES_H
#define SIM_PLANNED_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_DAY_MS INT64_C(86400000)

enum sim_moment_kind { SIM_AFTER_BEGIN, SIM_ON_DATE, SIM_WEEKLY };

struct sim_moment {
    int32_t kind;
    uint32_t days; /* weekly: bit 0 Monday */
    int64_t ms;    /* after the begin, since 1970, or since midnight */
};

/* Terms of a queue that may change. */
enum sim_term {
    SIM_TERM_PRIORITY,
    SIM_TERM_SUSPENDED,
    SIM_TERM_GPU_QUOTA, /* of a resource: quota, limit, weight */
    SIM_TERM_GPU_LIMIT,
    SIM_TERM_GPU_WEIGHT,
    SIM_TERM_CPU_QUOTA,
    SIM_TERM_CPU_LIMIT,
    SIM_TERM_CPU_WEIGHT,
    SIM_TERM_MEM_QUOTA,
    SIM_TERM_MEM_LIMIT,
    SIM_TERM_MEM_WEIGHT,
    SIM_TERMS
};

/* A quota by pool: of the entry of the queue's `by_pool` that begins the group. */
struct sim_pool_term {
    uint32_t entry;
    int64_t quota;
};

struct sim_change {
    const char *queue, *pool; /* what changes; the other one is NULL */
    const char *where;        /* in the scenario, for messages: "events[0].at" */
    struct sim_moment at, until;
    bool ends;
    uint32_t sets;            /* of a queue: bit set of the terms */
    int64_t value[SIM_TERMS]; /* in the units of the queue */
    uint32_t nodes;           /* of a pool: the first so many nodes are there */
    int64_t warmup_ms;        /* until added nodes accept jobs */
    int64_t grace_ms;         /* after which jobs on removed nodes are evicted; -1: they finish */
    bool reserved;            /* removed nodes stay and are billed until the grace time ends */
    const struct sim_pool_term *pools; /* of a queue: its quotas by pool that change */
    size_t pool_count;
};

/* When the change last began, up to and including `now`, and when it ends or ended. begin
 * INT64_MIN: not yet; end INT64_MAX: never. */
struct sim_span_of_change {
    int64_t begin_ms, end_ms;
};
struct sim_span_of_change sim_change_span(const struct sim_change *, int64_t run_begin_ms,
                                          int64_t now_ms);

/* The first time after `now` at which it begins or ends; INT64_MAX: never. */
int64_t sim_change_next(const struct sim_change *, int64_t run_begin_ms, int64_t now_ms);

/* True if some of them change a queue. */
bool sim_changes_queues(const struct sim_change *, size_t count);

/* The nodes of the pool in force, of `nodes` configured. *turn: the change that begins or ends now,
 * NULL none. */
uint32_t sim_changes_nodes(const struct sim_change *, size_t count, const char *pool,
                           uint32_t nodes, int64_t run_begin_ms, int64_t now_ms,
                           const struct sim_change **turn);

/* Replaces the queue's configured terms by those in force. */
void sim_changes_apply(const struct sim_change *, size_t count, const char *queue,
                       int64_t run_begin_ms, int64_t now_ms, int64_t terms[SIM_TERMS]);

/* The quota by pool in force, of the entry; `configured` if no change sets it. */
int64_t sim_changes_pool(const struct sim_change *, size_t count, const char *queue,
                         int64_t run_begin_ms, int64_t now_ms, uint32_t entry, int64_t configured);

#endif
