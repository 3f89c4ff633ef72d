/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bill of a run and its parts, from `cost` in summary.json. */
#ifndef REPORT_RESULTS_BILL_H
#define REPORT_RESULTS_BILL_H

#include <cjson/cJSON.h>
#include <stddef.h>

struct bill_part {
    const char *name; /* of the queue, class or model; owned by the summary */
    const cJSON *of;  /* its JSON object */
    double usd;
};

/*
 * Returns the parts in an object ("cost.by_queue") that are not empty, most expensive first, ties
 * in order. The caller frees them.
 */
struct bill_part *bill_parts(const cJSON *summary, const char *path, size_t *count);

/* Cost charged to nobody: idle GPUs, idle nodes without GPUs, idle energy, storage. */
struct bill_rest {
    const char *name, *path;
};
#define BILL_REST 4
extern const struct bill_rest bill_rest[BILL_REST];

#endif
