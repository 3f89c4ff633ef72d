/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Money and use by account, in the summary and tables. */
#ifndef REPORT_RECORD_SUMMARY_COST_H
#define REPORT_RECORD_SUMMARY_COST_H

#include "report/record/collectors.h"

/* Writes "cost": the bill, its parts, and the accounts by queue, class and model. */
void summary_cost(const struct summary *, struct json *);

/* The bill, complete after sim_finish(). */
struct showback_bill summary_bill(const struct summary *);

/* Columns appended to queues.csv, each starting with a comma. `costs` belongs to the queues. */
void summary_cost_heads(struct out *);
void summary_cost_cells(const struct summary *, const struct showback_bill *,
                        const struct showback_cost *costs, size_t queue, struct out *);

/* Writes users.csv: a row for each user, in the order of their first jobs. */
bool summary_write_users(const struct summary *, const char *dir, struct err *err);

#endif
