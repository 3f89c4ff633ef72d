/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Metrics of a group of jobs, by path: by_class.train.wait_s.p95 is the metric wait_s.p95 of the
 * class "train". Queue names may contain dots.
 */
#ifndef REPORT_COMPARE_GROUP_H
#define REPORT_COMPARE_GROUP_H

#include "report/compare/measures.h"

enum group_kind { GROUP_NONE, GROUP_CLASS, GROUP_SIZE, GROUP_QUEUE, GROUP_KINDS };
extern const char *const group_kind_names[GROUP_KINDS]; /* for JSON: "class" */

struct group_path {
    enum group_kind kind;
    const char *name; /* points into the path; its length: */
    size_t length;
    const char *metric; /* after the name: "wait_s.p95" */
    bool shares;        /* its values are in fairness.queues */
};

/* Returns false for a metric of the whole fleet. */
bool group_of(const struct measure *, struct group_path *);

/*
 * Returns true if the path repeats one in by_queue: fairness.queues.NAME.wait_s.p95 is
 * by_queue.NAME.wait_s.p95.
 */
bool group_is_twin(const struct measures *, const struct measure *);

#endif
