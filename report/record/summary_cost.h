/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the summary and the tables say of money, and of who used what. */
#ifndef REPORT_RECORD_SUMMARY_COST_H
#define REPORT_RECORD_SUMMARY_COST_H

#include "report/record/collectors.h"

/* "cost": the bill, its parts, and the accounts by queue, class and model. */
void summary_cost(const struct summary *, struct json *);

/* Columns behind those that queues.csv always had: each begins with a comma. `costs` is that of
 * queues. */
void summary_cost_heads(struct out *);
void summary_cost_cells(const struct summary *, const struct showback_bill *,
                        const struct showback_cost *costs, size_t queue, struct out *);

/* users.csv: a row for each user, in the order of their first jobs. */
bool summary_write_users(const struct summary *, const char *dir, struct err *err);

#endif
