/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What cell compaction found (A. Verma et al., "Large-scale cluster management at Google with
 * Borg", EuroSys 2015, section 5.1): how small a cell the work of one moment can be packed into
 * again, nodes being left away at random. Each trial is one order of leaving away; the result is
 * the 90th percentile of the trials (nearest rank), so that most orders do, and least and most are
 * the error bar. Lower is better packing: fewer nodes for the same work.
 */
#ifndef REPORT_PLAN_COMPACTION_H
#define REPORT_PLAN_COMPACTION_H

#include "sim/base/json.h"

#include <stdint.h>

#define COMPACTION_TRIALS   11
#define COMPACTION_QUANTILE 0.9

struct compaction_trial {
    uint64_t seed;
    int64_t nodes;     /* that are left; 0: the largest cell is too small */
    int64_t gpu_milli; /* that they have */
    int64_t pending;   /* tasks that stay without a place */
};

struct compaction {
    const char *source, *policy; /* file */
    double at_s;                 /* of a run, on the trace's clock; nan: a snapshot */
    int64_t nodes, gpu_milli;    /* of the cell: what is up */
    int64_t copies;              /* of it that were compacted */
    int64_t tasks, work_milli;   /* the work */
    int64_t soft_jobs;           /* larger than half the cell */
    int64_t spare;               /* tasks that may stay pending: 0.2 % */
    int64_t bound;               /* nodes that no packing can do with less of */
    const char *why;             /* without a result: the reason of a task that finds no place */
    struct compaction_trial *trials;
    size_t trial_count;
};

/* The trial that is the result: 0 nodes when any of those up to it have none. */
const struct compaction_trial *compaction_result(const struct compaction *);
int64_t compaction_least(const struct compaction *);
int64_t compaction_most(const struct compaction *);

void compaction_sort(
    struct compaction *); /* trials, by nodes, then seed; those without a number come last */

void compaction_table(const struct compaction *, struct out *);
void compaction_json(const struct compaction *, struct json *);
void compaction_csv(const struct compaction *, struct out *);

/* DIR/plan.json and DIR/trials.csv. */
bool compaction_write(const struct compaction *, const char *dir, struct err *err);

#endif
