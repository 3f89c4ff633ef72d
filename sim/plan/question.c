/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of a metric's path for the bound; see question.h. */
#include "sim/plan/question.h"

#include <string.h>

static bool read_statistic(const char *name, struct question *q)
{
    static const struct {
        const char *name;
        double quantile;
    } rows[] = {
        {"mean", 0}, {"p50", 0.5}, {"p90", 0.9}, {"p95", 0.95}, {"p99", 0.99}, {"max", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) {
            q->ask.quantile = rows[i].quantile;
            return true;
        }
    return false;
}

static bool read_measure(const char *name, struct question *q)
{
    static const struct {
        const char *name;
        enum bound_measure measure;
    } rows[] = {
        {"wait_s", BOUND_WAIT},
        {"queue_s", BOUND_QUEUE},
        {"jct_s", BOUND_JCT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0) {
            q->ask.measure = rows[i].measure;
            return true;
        }
    return false;
}

struct question plan_question(const struct target *t)
{
    struct question q = {.ask = {.limit_s = t->limit}};
    const char *const *step = t->step;
    size_t left = t->step_count;
    if (!target_bounds_above(t))
        return q;
    if (left == 1 && strcmp(step[0], "makespan_s") == 0) {
        q.ask.measure = BOUND_MAKESPAN;
        q.ask.quantile = 1;
        q.all = q.known = true;
        return q;
    }
    if (left == 4 && strcmp(step[0], "by_class") == 0)
        q.class = step[1];
    else if (left == 4 && strcmp(step[0], "by_size") == 0)
        q.size = step[1];
    else if (left == 4 && strcmp(step[0], "by_queue") == 0)
        q.queue = step[1];
    else if (left == 5 && strcmp(step[0], "fairness") == 0 && strcmp(step[1], "queues") == 0)
        q.queue = step[2];
    else if (left != 2)
        return q;
    q.known = read_measure(step[left - 2], &q) && read_statistic(step[left - 1], &q);
    return q;
}

bool plan_limits_wait(const struct target *target)
{
    return plan_question(target).known;
}
