/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cell compaction (A. Verma et al., "Large-scale cluster management at Google with Borg", EuroSys
 * 2015, section 5.1): the smallest cell into which the work of one moment can be packed again, with
 * nodes removed at random. Each trial is one order of removal; the result is the 90th percentile of
 * the trials (nearest rank), so most orders succeed, and the least and the most are the error bar.
 * Lower is better packing: fewer nodes for the same work.
 */
#ifndef REPORT_PLAN_COMPACTION_H
#define REPORT_PLAN_COMPACTION_H

#include "sim/base/json.h"

#include <stdint.h>

#define COMPACTION_TRIALS   11
#define COMPACTION_QUANTILE 0.9

struct compaction_trial {
    uint64_t seed;
    int64_t nodes;     /* nodes that remain; 0: the largest cell is too small */
    int64_t gpu_milli; /* capacity of these nodes */
    int64_t pending;   /* tasks that find no place */
};

struct compaction {
    const char *source, *policy; /* file */
    double at_s;                 /* time of a run on the trace's clock; NaN: a snapshot */
    int64_t nodes, gpu_milli;    /* nodes of the cell that are up */
    int64_t copies;              /* copies of the cell that were compacted */
    int64_t tasks, work_milli;   /* the work */
    int64_t soft_jobs;           /* jobs larger than half the cell */
    int64_t spare;               /* tasks that may stay pending: 0.2 % */
    int64_t bound;               /* lower bound of the nodes for any packing */
    const char *why;             /* without a result: why a task finds no place */
    struct compaction_trial *trials;
    size_t trial_count;
};

/* Returns the trial that is the result; its nodes are 0 if one up to it has no result. */
const struct compaction_trial *compaction_result(const struct compaction *);
int64_t compaction_least(const struct compaction *);
int64_t compaction_most(const struct compaction *);

void compaction_sort(
    struct compaction *); /* trials by nodes, then by seed; those without a result come last */

void compaction_table(const struct compaction *, struct out *);
void compaction_json(const struct compaction *, struct json *);
void compaction_csv(const struct compaction *, struct out *);

/* Writes DIR/plan.json and DIR/trials.csv. */
bool compaction_write(const struct compaction *, const char *dir, struct err *err);

#endif
