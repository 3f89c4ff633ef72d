/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of metrics by subject, each in a file of its name; metric_rows.c joins them. In
 * definitions, W is the measurement window after warm-up; I, V, A, R and P are the installed,
 * available, allocated, running and productive GPU-hours in it.
 */
#ifndef REPORT_WORDS_METRIC_ROWS_INTERNAL_H
#define REPORT_WORDS_METRIC_ROWS_INTERNAL_H

#include "report/words/metric_rows.h"

struct metric_table {
    const struct metric_row *rows;
    size_t count;
};

extern const struct metric_table metrics_jobs;
extern const struct metric_table metrics_queues;
extern const struct metric_table metrics_services;
extern const struct metric_table metrics_faults;
extern const struct metric_table metrics_costs;
extern const struct metric_table metrics_studies;

#endif
