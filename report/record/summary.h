/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * summary.json and queues.csv, from the collectors. Keys of metrics that this version lacks are
 * null.
 */
#ifndef REPORT_RECORD_SUMMARY_H
#define REPORT_RECORD_SUMMARY_H

#include "report/record/collectors.h"

void summary_json(const struct summary *, struct json *);
void summary_print(const struct summary *, struct out *); /* prints summary.json */
bool summary_write(const struct summary *, const char *dir, struct err *);
bool summary_write_queues(const struct summary *, const char *dir, struct err *);

#endif
