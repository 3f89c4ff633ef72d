/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What summary.json says of each queue. */
#ifndef REPORT_RECORD_SUMMARY_QUEUES_H
#define REPORT_RECORD_SUMMARY_QUEUES_H

#include "report/record/collectors.h"

/*
 * "by_queue": for each queue the metrics that the whole fleet has, by the same names:
 * by_queue.vision.gpu_hours.productive. What divides the fleet between queues is in "fairness".
 */
void summary_by_queue(const struct summary *, struct json *);

/* "queues" of "fairness". */
void summary_fairness_queues(const struct summary *, struct json *);

/* "quotas_exceed" of "fairness", where quotas promise more than there is (scenarios/load/quotas.h).
 */
void summary_quotas(const struct summary *, struct json *);

/* "hosts": cores and memory of the fleet, installed and held, and of nodes without GPUs. */
void summary_hosts(const struct summary *, struct json *);

/* Columns of CPU and memory behind those that queues.csv always had: each begins with a comma. */
void summary_host_heads(struct out *);
void summary_host_cells(const struct summary *, size_t queue, struct out *);

/* Reclaim times; with a queue still owed at the end they are lower bounds, as elsewhere. */
void summary_reclaim(const struct tally *, struct json *);

#endif
