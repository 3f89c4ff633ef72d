/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calendar of planned changes of queues. What is in force at a time is a function of that time
 * alone: of the changes of a queue's term that have begun and not ended, the one that began last
 * counts (of several the last in the list), and without any what the queue was configured with. So
 * a run that begins in the middle goes on as the whole run does, and a change and its opposite at
 * one instant are none.
 *
 *     at        after begin    once, so long after the run began
 *               date           once, at a time since 1970 (clocks of the trace that count from
 * there) weekly         at a time of the days of a set, every week, as if it always had been until
 * of the same kind; weekly: the first such moment behind the begin
 *
 * Days and dates are UTC. Where the trace's clock does not count from 1970 (its times lie before
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

struct sim_change {
    const char *queue;
    struct sim_moment at, until;
    bool ends;
    uint32_t sets;            /* which terms: bits */
    int64_t value[SIM_TERMS]; /* as the queue has them */
};

/* When the change began last, up to and including `now`, and when that ends or ended; begin
 * INT64_MIN: it has not begun yet; end INT64_MAX: it does not end. */
struct sim_span_of_change {
    int64_t begin_ms, end_ms;
};
struct sim_span_of_change sim_change_span(const struct sim_change *, int64_t run_begin_ms,
                                          int64_t now_ms);

/* The first time after `now` at which it begins or ends; INT64_MAX: never. */
int64_t sim_change_next(const struct sim_change *, int64_t run_begin_ms, int64_t now_ms);

/* Puts the terms of the queue that are in force over those that it was configured with. */
void sim_changes_apply(const struct sim_change *, size_t count, const char *queue,
                       int64_t run_begin_ms, int64_t now_ms, int64_t terms[SIM_TERMS]);

#endif
