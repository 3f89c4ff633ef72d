/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run as packed data (pack.h), in this order. Times are milliseconds since the run's beginning;
 * "+" marks differences from the row before.
 *
 *     format 1, title, policy, dated, begin (on the trace's clock), end, window start, window end
 *     queues, users, classes, reasons, actions, fault classes, node states: each a count and texts
 *     groups of rows (nodes, or pools): count, then name and first row; number of rows
 *     slots: width, count, EXPLORE_SUMS sums each
 *     jobs: count, then each: id, submit +, eligible, first start and end (each from the one
 * before, -1 never), GPUs in thousandths, tasks, queue, user, class, status, counted, preemptions,
 *         failures
 *     bars: count, then each: from +, length, job +, row +, rows, offset, thousandths
 *     cells (grid.h): 0, or columns, rows a cell, and planes
 *     events: count, then each: time +, job, kind, what
 *     states: count, then each: from, length, node, state
 *     faults: count, then each: time +, node (-1 none), class
 *     starts: count, then each: time + and wait in seconds, queue, class; of counted jobs that the
 *         list of jobs does not have
 *
 * A run with more than EXPLORE_MOST_BARS bars or EXPLORE_MOST_JOBS jobs is drawn as a grid of
 * cells, and only the EXPLORE_KEPT jobs that waited longest are listed, so the page stays below 20
 * MB.
 */
#ifndef REPORT_EXPLORE_DATA_H
#define REPORT_EXPLORE_DATA_H

#include "report/explore/explore.h"
#include "report/explore/pack.h"

#define EXPLORE_MOST_BARS ((size_t)400000)
#define EXPLORE_MOST_JOBS ((size_t)200000)
#define EXPLORE_KEPT      ((size_t)20000)

void explore_data(const struct explore *, struct pack *);

/*
 * Returns the time that a job was pending before its first start, in ms; -1 if it has not started.
 */
int64_t explore_wait_ms(const struct explore_job *);

#endif
