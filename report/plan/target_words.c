/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Targets in words; see target.h. */
#include "report/plan/target.h"
#include "report/words/labels.h"
#include "report/words/metric_text.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdlib.h>
#include <string.h>

struct word {
    const char *name, *words;
};

static const char *find(const struct word *rows, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].words;
    return NULL;
}

/* Returns the group of a statistic, " of train jobs"; NULL for other steps. */
static char *group_words(const char *const *step, size_t count)
{
    if (count == 0)
        return mem_text("");
    if (count != 2)
        return NULL;
    if (strcmp(step[0], "by_class") == 0)
        return mem_format(" of %s jobs", step[1]);
    if (strcmp(step[0], "by_size") == 0)
        return mem_format(" of jobs of %s GPUs", step[1]);
    return strcmp(step[0], "by_queue") == 0 ? mem_format(" in queue %s", step[1]) : NULL;
}

/* "p95 wait of train jobs"; NULL for metrics that are not a statistic of jobs. */
static char *statistic_words(const struct target *target)
{
    static const struct word statistics[] = {{"mean", "mean"}, {"p50", "median"},
                                             {"p90", "p90"},   {"p95", "p95"},
                                             {"p99", "p99"},   {"max", "longest"}};
    static const struct word measures[] = {
        {"wait_s", "wait"}, {"queue_s", "time in the queue"}, {"jct_s", "time to completion"}};
    size_t n = target->step_count;
    const char *const *step = target->step;
    if (n < 2)
        return NULL;
    const char *statistic = find(statistics, sizeof statistics / sizeof *statistics, step[n - 1]);
    const char *measure = find(measures, sizeof measures / sizeof *measures, step[n - 2]);
    char *group = group_words(step, n - 2), *words = NULL;
    if (statistic != NULL && measure != NULL && group != NULL)
        words = mem_format("%s %s%s", statistic, measure, group);
    free(group);
    return words;
}

/* "utilization, allocation," */
static char *metric_words(const char *path)
{
    char *label = label_metric(path), *words;
    bool word = label[0] >= 'A' && label[0] <= 'Z' && label[1] >= 'a' && label[1] <= 'z';
    if (word)
        label[0] = (char)(label[0] - 'A' + 'a');
    words = mem_format("%s,", label);
    free(label);
    return words;
}

char *target_words(const struct target *target)
{
    static const char *const comparisons[] = {"at most", "below", "at least", "above"};
    char limit[UNIT_TEXT];
    struct out *path = out_memory();
    for (size_t i = 0; i < target->step_count; i++)
        out_format(path, "%s%s", i > 0 ? "." : "", target->step[i]);
    char *name = out_memory_take(path), *metric = statistic_words(target);
    if (metric == NULL)
        metric = metric_words(name);
    const char *unit = metric_unit(name);
    char *words = mem_format("%s %s %s%s%s", metric, comparisons[target->comparison],
                             metric_text(limit, name, target->limit), *unit ? " " : "", unit);
    free(metric);
    free(name);
    return words;
}
