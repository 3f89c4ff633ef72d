/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bill of a run as its summary divides it: `cost` in summary.json. */
#ifndef REPORT_RESULTS_BILL_H
#define REPORT_RESULTS_BILL_H

#include <cjson/cJSON.h>
#include <stddef.h>

struct bill_part {
    const char *name; /* of the queue, class or model; the summary's */
    const cJSON *of;  /* its object */
    double usd;
};

/* The parts in an object of parts ("cost.by_queue") that held something, most expensive first; of
 * equal ones the first. Freed by the caller. */
struct bill_part *bill_parts(const cJSON *summary, const char *path, size_t *count);

/* What belongs to nobody: idle GPUs, idle nodes without GPUs, idle energy, storage. */
struct bill_rest {
    const char *name, *path;
};
#define BILL_REST 4
extern const struct bill_rest bill_rest[BILL_REST];

#endif
