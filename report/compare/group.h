/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics of a group of jobs, by their path: by_class.train.wait_s.p95 is the metric wait_s.p95 of
 * the class "train". Names of queues may hold dots.
 */
#ifndef REPORT_COMPARE_GROUP_H
#define REPORT_COMPARE_GROUP_H

#include "report/compare/measures.h"

enum group_kind { GROUP_NONE, GROUP_CLASS, GROUP_SIZE, GROUP_QUEUE, GROUP_KINDS };
extern const char *const group_kind_names[GROUP_KINDS]; /* for JSON: "class" */

struct group_path {
    enum group_kind kind;
    const char *name; /* into the path, so long: */
    size_t length;
    const char *metric; /* behind the name: "wait_s.p95" */
    bool shares;        /* of fairness.queues */
};

/* False for the path of a metric of the whole fleet. */
bool group_of(const struct measure *, struct group_path *);

/*
 * The path of the measure says twice what by_queue says: fairness.queues.NAME.wait_s.p95, where the
 * summaries have by_queue.NAME.wait_s.p95.
 */
bool group_is_twin(const struct measures *, const struct measure *);

#endif
