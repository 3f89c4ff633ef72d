/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues in summary.json. */
#ifndef REPORT_RECORD_SUMMARY_QUEUES_H
#define REPORT_RECORD_SUMMARY_QUEUES_H

#include "report/record/collectors.h"

/*
 * Writes "by_queue": for each queue the metrics of the whole fleet under the same names,
 * by_queue.vision.gpu_hours.productive. How the fleet is divided between queues is in "fairness".
 */
void summary_by_queue(const struct summary *, struct json *);

/* Writes "queues" of "fairness". */
void summary_fairness_queues(const struct summary *, struct json *);

/*
 * Writes "quotas_exceed" of "fairness", if quotas promise more than is installed
 * (scenarios/load/quotas.h).
 */
void summary_quotas(const struct summary *, struct json *);

/* Writes "hosts": cores and memory, installed and held, of the fleet and of nodes without GPUs. */
void summary_hosts(const struct summary *, struct json *);

/* Writes the cores and memory that queues were owed, in `fairness`. */
void summary_host_deficits(const struct summary *, struct json *);

/* Columns for CPU and memory appended to queues.csv, each starting with a comma. */
void summary_host_heads(struct out *);
void summary_host_cells(const struct summary *, size_t queue, struct out *);

/* Writes reclaim times; if a queue is still owed capacity at the end, they are lower bounds. */
void summary_reclaim(const struct tally *, struct json *);

#endif
