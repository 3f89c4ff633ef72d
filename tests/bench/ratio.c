/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The speed of a new build relative to an old one:
 *
 *     ratio < TIMES
 *
 * TIMES has one line for each block of runs, in the order old, new, new, old, with the CPU seconds
 * of each:
 *
 *     CELL<tab>OLD NEW NEW OLD
 *
 * A block is one value: half of ln(new new / (old old)), which cancels out a machine that becomes
 * slower or faster at a steady pace during the block. The mean of a cell's blocks has the interval
 * of report/stats/skewed.h; converted back from logarithms it is the ratio of the geometric means
 * of the times, new/old, with its 95 % interval. A cell counts as slower or faster if its p-value,
 * corrected by Holm for all cells (report/stats/holm.h), is at most 0.05: for equally fast builds,
 * one comparison in twenty names any cell. Fewer than five blocks have no interval.
 *
 * Prints one line per cell, in the order of their first blocks. Exit status 0 for any result, 2 for
 * a line that cannot be read.
 */
#include "report/stats/holm.h"
#include "report/stats/skewed.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALPHA 0.05

enum { MOST_CELLS = 64, NAME = 64 };

struct cell {
    char name[NAME];
    double *logs; /* one per block */
    size_t count, capacity;
    double old_log, new_log; /* sums of the logarithms of seconds, two per block */
};

struct cells {
    struct cell cell[MOST_CELLS];
    size_t count;
};

static struct cell *find(struct cells *all, const char *name)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->cell[i].name, name) == 0)
            return &all->cell[i];
    size_t length = strlen(name);
    if (all->count == MOST_CELLS || length >= NAME)
        return NULL;
    struct cell *cell = &all->cell[all->count++];
    memcpy(cell->name, name, length + 1);
    return cell;
}

static bool add_block(struct cells *all, char *line)
{
    double s[4];
    char *tab = strchr(line, '\t');
    if (tab == NULL || sscanf(tab, "%lf %lf %lf %lf", &s[0], &s[1], &s[2], &s[3]) != 4)
        return false;
    *tab = '\0';
    struct cell *cell = find(all, line);
    if (cell == NULL)
        return false;
    for (int i = 0; i < 4; i++) {
        if (!(s[i] > 0 && isfinite(s[i])))
            return false;
        s[i] = log(s[i]);
    }
    cell->logs = mem_grow(cell->logs, &cell->capacity, cell->count + 1, sizeof *cell->logs);
    cell->logs[cell->count++] = (s[1] + s[2] - s[0] - s[3]) / 2;
    cell->old_log += s[0] + s[3];
    cell->new_log += s[1] + s[2];
    return true;
}

static const char *verdict(double p, double mean)
{
    if (isnan(p))
        return "needs at least 5 blocks";
    return p > ALPHA ? "no difference seen" : mean > 0 ? "slower" : "faster";
}

static void print(const struct cells *all)
{
    struct stat_interval interval[MOST_CELLS];
    double p[MOST_CELLS];
    for (size_t i = 0; i < all->count; i++) {
        interval[i] = stat_skewed_interval(all->cell[i].logs, all->cell[i].count, ALPHA);
        p[i] = interval[i].p;
    }
    stat_holm(p, all->count, p);
    printf("%-42s %9s %9s %8s  %-16s %6s  %s\n", "cell", "old s", "new s", "new/old",
           "95 % interval", "blocks", "new is");
    for (size_t i = 0; i < all->count; i++) {
        const struct cell *cell = &all->cell[i];
        double runs = 2 * (double)cell->count;
        char range[32] = "-";
        if (!isnan(interval[i].low))
            (void)snprintf(range, sizeof range, "%.3f .. %.3f", exp(interval[i].low),
                           exp(interval[i].high));
        printf("%-42s %9.3f %9.3f %8.3f  %-16s %6zu  %s\n", cell->name, exp(cell->old_log / runs),
               exp(cell->new_log / runs), exp(interval[i].mean), range, cell->count,
               verdict(p[i], interval[i].mean));
    }
}

int main(void)
{
    struct cells *all = mem_alloc(1, sizeof *all);
    char line[256];
    int status = 0;
    for (size_t number = 1; status == 0 && fgets(line, sizeof line, stdin) != NULL; number++) {
        if (!add_block(all, line)) {
            (void)fprintf(stderr,
                          "ratio: line %zu: expected CELL<tab>OLD NEW NEW OLD, seconds above 0\n",
                          number);
            status = 2;
        }
    }
    if (status == 0)
        print(all);
    for (size_t i = 0; i < all->count; i++)
        free(all->cell[i].logs);
    free(all);
    return status;
}
