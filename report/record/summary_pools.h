/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues by pool, if some queue has quotas by pool; nothing otherwise. */
#ifndef REPORT_RECORD_SUMMARY_POOLS_H
#define REPORT_RECORD_SUMMARY_POOLS_H

#include "report/record/collectors.h"

/* Writes "pools" of "fairness": the devices of each group of pools, and each queue's part. */
void summary_pools(const struct summary *, struct json *);

/*
 * Writes queue_pools.csv: a row for each queue and group of pools in which it had a quota or work.
 */
bool summary_write_pools(const struct summary *, const char *dir, struct err *err);

#endif
