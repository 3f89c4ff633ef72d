/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects and orders losers; see losers.h. */
#include "report/compare/losers.h"

#include "sim/base/mem.h"
#include "sim/base/symbols.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the mean in A of another metric of the same group; NaN if there is none. */
static double of_group(const struct measures *all, const struct group_path *group,
                       const struct measure *m, const char *metric)
{
    char *path = mem_format("%.*s%s", (int)(group->metric - m->path), m->path, metric);
    uint32_t id = symbols_find(all->paths, path, strlen(path));
    double sum = 0;
    free(path);
    if (id >= all->count)
        return (double)NAN;
    for (size_t i = 0; i < all->replicas; i++)
        sum += all->rows[id].of[SIDE_A][i].value;
    return sum / (double)all->replicas;
}

/* Added to both means before taking their ratio, so that smaller changes matter little. */
static double floor_of(const struct measures *all, const struct group_path *group,
                       const struct measure *m)
{
    const char *unit = m->row->unit;
    bool lower = m->row->better == METRIC_LOWER;
    if (strcmp(unit, "s") == 0)
        return 60;
    if (strcmp(unit, "ratio") == 0)
        return 0.01;
    if (strcmp(unit, "count") == 0)
        return lower ? fmax(1, of_group(all, group, m, "jobs")) : 1;
    return lower ? fmax(1, of_group(all, group, m, "gpu_hours.allocated")) : 1;
}

/*
 * Fewer GPU-hours are no harm if the group gets as much work done: on faster devices the same work
 * takes fewer. Runs of older versions do not report the work.
 */
static bool is_told_by_work(const struct measures *all, const struct group_path *group,
                            const struct measure *m)
{
    static const char *const held[] = {"gpu_hours.allocated", "gpu_hours.running",
                                       "gpu_hours.productive"};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (strcmp(group->metric, held[i]) == 0)
            return !isnan(of_group(all, group, m, "gpu_hours.work"));
    return false;
}

void losers_take(struct losers *l, const struct measures *all, const struct measure *m,
                 const struct judgement *j, bool sure)
{
    struct group_path group;
    if (m->row == NULL || m->row->better == METRIC_NEUTRAL || !group_of(m, &group) ||
        is_told_by_work(all, &group, m))
        return;
    bool worse = j->verdict == JUDGE_WORSE &&
                 (m->row->better == METRIC_LOWER ? j->higher >= j->lower : j->lower >= j->higher);
    double floor = floor_of(all, &group, m), a = j->mean[SIDE_A], b = j->mean[SIDE_B];
    if (strcmp(group.metric, "share") == 0) { /* nothing is owed beyond the entitlement */
        a = fmin(a, 1);
        b = fmin(b, 1);
    }
    double harm = log((b + floor) / (a + floor));
    if (m->row->better == METRIC_HIGHER)
        harm = -harm;
    l->replicas = j->n;
    if (strcmp(group.metric, "share") == 0 && !(harm > 0))
        return;
    if (l->too_few ? !worse && !(j->verdict == JUDGE_NONE && harm > 0) : !worse || !sure)
        return;
    l->rows = mem_grow(l->rows, &l->capacity, l->count + 1, sizeof *l->rows);
    l->rows[l->count++] = (struct loser){
        .kind = group.kind,
        .name = mem_text_n(group.name, group.length),
        .metric = mem_text(group.metric),
        .path = mem_text(m->path),
        .unit = m->row->unit,
        .better = m->row->better,
        .judgement = *j,
        .harm = harm > 0 ? harm : 0, /* with lower bounds it may be negative */
    };
}

/* Never returns 0, since paths differ. */
static int before(const void *left, const void *right)
{
    const struct loser *a = left, *b = right;
    if (a->harm > b->harm || a->harm < b->harm)
        return a->harm > b->harm ? -1 : 1;
    return strcmp(a->path, b->path);
}

static void forget(struct loser *loser)
{
    free(loser->name);
    free(loser->metric);
    free(loser->path);
}

void losers_sort(struct losers *l)
{
    if (l->count > 1)
        qsort(l->rows, l->count, sizeof *l->rows, before);
}

void losers_fini(struct losers *l)
{
    for (size_t i = 0; i < l->count; i++)
        forget(&l->rows[i]);
    free(l->rows);
    *l = (struct losers){0};
}
