/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics and their margins in words for users of the fleet:
 *
 *     by_class.distributed.wait_s.p95, margin 0.05
 *     "p95 wait of distributed jobs"
 *     "may grow by at most 5%: a job that waited 1h00m may wait 1h03m"
 *
 * The example starts from a round value rather than a measured one, so it is the same in every
 * report of a suite.
 */
#ifndef REPORT_GATE_MARGINS_H
#define REPORT_GATE_MARGINS_H

#include "report/gate/state.h"
#include "sim/base/out.h"

/* A path, split into group and metric: "by_queue.a.b.wait_s.p95" is "queue", "a.b" and
 * "wait_s.p95". */
struct gate_scope {
    const char *kind; /* "class", "size", "queue"; NULL: all jobs */
    const char *name; /* points into the path, `length` bytes */
    size_t length;
    const char *rest;
};
struct gate_scope gate_scope_of(const struct gate_metric *);

/* The caller frees the texts. */
char *gate_metric_words(const struct gate_metric *); /* "p95 wait of queue 'small'" */
char *gate_margin_words(const struct gate_metric *);

/*
 * Prints a line per metric: "  wait_s.p95  p95 wait may grow by ...". Metrics from the same entry
 * of the suite share a line.
 */
void gate_margins_print(const struct gate *, struct out *);
void gate_margins_markdown(const struct gate *, struct out *);

#endif
