/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The intervals of a comparison as a text forest plot: one line per metric on a common scale, in
 * percent of A. The scale covers the widest interval, but at most CAP, so that one wild interval
 * does not squeeze all others.
 */
#include "report/compare/comparison.h"

#include "report/terminal/charts.h"
#include "report/words/units.h"

#include <math.h>
#include <stdio.h>

#define CAP   1.5 /* of A */
#define LEAST 0.01
#define LABEL ((size_t)36)

static bool is_shown(const struct comparison_row *row)
{
    return row->section < SECTION_SIZE && row->section != SECTION_COST &&
           !isnan(row->judgement.change.low) && !isnan(row->judgement.change.high);
}

static double farthest(const struct comparison *c)
{
    double most = LEAST;
    for (size_t i = 0; i < c->count; i++)
        if (is_shown(&c->rows[i]))
            most = fmax(most, fmax(fabs(c->rows[i].judgement.change.low),
                                   fabs(c->rows[i].judgement.change.high)));
    return fmin(most, CAP);
}

/* "-150%       0       +150%" below the columns of the chart. */
static void put_axis(struct out *out, double most, size_t columns)
{
    char low[UNIT_TEXT], high[UNIT_TEXT];
    (void)snprintf(low, sizeof low, "%.0f%%", -100 * most);
    (void)snprintf(high, sizeof high, "+%.0f%%", 100 * most);
    charts_label(out, "", LABEL);
    charts_label(out, low, columns / 2);
    charts_label(out, "0", columns - columns / 2 - unit_width(high));
    out_format(out, "%s\n", high);
}

void comparison_charts(const struct comparison *c, struct out *out, enum spark spark, size_t width)
{
    if (spark == SPARK_NONE || c->pairing.replicas < 2 || c->same_outputs)
        return;
    double most = farthest(c);
    const struct spark_scale scale = {-most, most, false};
    size_t columns = charts_room(width, LABEL), shown = 0;
    columns -= columns % 2 == 0; // an odd number has a middle
    for (size_t i = 0; i < c->count; i++) {
        const struct judge_range *change = &c->rows[i].judgement.change;
        if (!is_shown(&c->rows[i]))
            continue;
        if (shown++ == 0)
            out_format(out, "\nB against A, %g%% intervals\n", 100 * (1 - c->alpha));
        charts_label(out, c->rows[i].measure->path, LABEL - 1);
        out_char(out, ' ');
        spark_interval(out, spark,
                       &(struct spark_interval){change->low, change->mean, change->high, 0}, &scale,
                       columns);
        out_char(out, '\n');
    }
    if (shown > 0)
        put_axis(out, most, columns);
}
