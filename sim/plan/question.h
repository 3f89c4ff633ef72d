/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a target of a plan requires of the jobs that it counts, in the form of report/plan/bound.h.
 */
#ifndef SIM_PLAN_QUESTION_H
#define SIM_PLAN_QUESTION_H

#include "report/plan/bound.h"
#include "report/plan/target.h"

#include <stdbool.h>

struct question {
    struct bound_question ask;
    const char *class, *size, *queue; /* NULL: any */
    bool all;                         /* jobs outside of the window too */
    bool known;
};

struct question plan_question(const struct target *);

/* True if a target limits waits: it bounds wait, queue, jct or makespan from above. */
bool plan_limits_wait(const struct target *);

#endif
