/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All metrics in order, and look-ups by path; the tables are in metrics_*.c. */
#include "report/words/metric_rows.h"
#include "report/words/metric_rows_internal.h"
#include "sim/base/mem.h"

#include <string.h>

static const struct metric_table *const tables[] = {
    &metrics_jobs,   &metrics_queues, &metrics_services,
    &metrics_faults, &metrics_costs,  &metrics_studies,
};

const struct metric_row *metric_row_at(size_t i)
{
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++) {
        if (i < tables[t]->count)
            return &tables[t]->rows[i];
        i -= tables[t]->count;
    }
    return NULL;
}

const char **metric_names(size_t *count)
{
    *count = 0;
    while (metric_row_at(*count) != NULL)
        ++*count;
    const char **names = mem_alloc(*count, sizeof *names);
    for (size_t i = 0; i < *count; i++)
        names[i] = metric_row_at(i)->name;
    return names;
}

/*
 * Returns how well a name matches the start of a path: 2 for each equal part, 1 for each `*`; -1 if
 * it does not match.
 */
static int match(const char *name, const char *path)
{
    int score = 0;
    while (*name) {
        size_t n = strcspn(name, "."), p = strcspn(path, ".");
        bool any = n == 1 && *name == '*' && p > 0;
        if (!any && (n != p || memcmp(name, path, n) != 0))
            return -1;
        score += any ? 1 : 2;
        name += n + (name[n] == '.');
        path += p + (path[p] == '.');
    }
    return score;
}

const struct metric_row *metric_find(const char *path)
{
    const struct metric_row *best = NULL;
    int best_score = -1;
    for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
        for (size_t i = 0; i < tables[t]->count; i++) {
            int score = match(tables[t]->rows[i].name, path);
            if (score > best_score) {
                best = &tables[t]->rows[i];
                best_score = score;
            }
        }
    return best;
}

bool metric_covers(const char *name, const char *path)
{
    return match(name, path) > 0;
}

const char *metric_better_name(enum metric_better better)
{
    static const char *const names[] = {
        [METRIC_NEUTRAL] = "", [METRIC_LOWER] = "lower", [METRIC_HIGHER] = "higher"};
    return names[better];
}
