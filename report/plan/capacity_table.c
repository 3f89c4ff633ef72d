/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A plan for people: the answer, and a row for each number of nodes that was tried. */
#include "report/plan/capacity.h"
#include "report/table.h"
#include "report/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 7

static const char *mark(const struct capacity *c, const struct capacity_point *point)
{
    if (point->nodes == c->found.answer)
        return "<- answer";
    if (point->crowded)
        return "jobs never fit";
    return point->nodes == c->given ? "as given" : "";
}

static char *interval_text(const struct target *target, const struct capacity_value *v)
{
    char low[UNIT_TEXT], high[UNIT_TEXT];
    return mem_format("%s..%s%s", capacity_text(low, target, v->over.low),
                      capacity_text(high, target, v->over.high), v->bounded > 0 ? "+" : "");
}

static void put_row(const struct capacity *c, const struct capacity_point *point, size_t t,
                    struct table *table)
{
    char nodes[UNIT_TEXT], mean[UNIT_TEXT], usd[UNIT_TEXT], used[UNIT_TEXT];
    const struct capacity_value *v = &point->value[t];
    char *interval = interval_text(&c->targets[t], v);
    const char *cells[COLUMNS] = {
        unit_count(nodes, (double)point->nodes),
        capacity_text(mean, &c->targets[t], v->over.mean),
        interval,
        capacity_verdict_words[v->verdict],
        unit_percent(used, point->allocation),
        unit_count(usd, round(point->usd)),
        mark(c, point),
    };
    table_row(table, cells);
    free(interval);
}

void capacity_table(const struct capacity *c, struct out *out, size_t width)
{
    char *headline = capacity_headline(c);
    out_format(out, "%s, policy %s, %d replicas\n%s\n", c->scenario, c->policy, c->replicas, headline);
    free(headline);
    if (!c->bound.known)
        out_format(out, "No lower bound: %s.\n", c->bound.why);
    for (size_t t = 0; t < c->target_count; t++) {
        char band[32];
        (void)snprintf(band, sizeof band, "%g%% band", 100 * (2 * c->confidence - 1));
        struct table *table = table_create(COLUMNS);
        const char *heads[COLUMNS] = {"nodes", "mean", band, "target", "allocated", "USD", ""};
        table_row(table, heads);
        for (size_t i = 0; i < c->point_count; i++)
            put_row(c, &c->points[i], t, table);
        out_format(out, "\n%s\n", c->targets[t].text);
        table_print(table, out, width);
        table_destroy(table);
    }
}
