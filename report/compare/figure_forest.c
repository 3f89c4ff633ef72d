/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The forest plot: for each metric the change of B against A with its interval, green if B is
 * better, red if it is worse, grey if no difference was found.
 */
#include "report/compare/figures.h"
#include "report/figures/plot.h"
#include "report/words/labels.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define ROWS_SHOWN ((size_t)48)
#define NAME_WIDTH ((size_t)64)
#define CHAR_WIDTH 0.86  /* width of a label's character in the units of gnuplot's margins */
#define LEAST_SPAN 100.0 /* %, the least that is shown if an interval is wider */

enum tone { TONE_NONE, TONE_BETTER, TONE_WORSE, TONE_DIFFERS, TONES };
static const struct {
    const char *color, *title;
} tones[TONES] = {
    {"#888888", "no difference seen"},
    {"#009E73", "B is better"},
    {"#D55E00", "B is worse"},
    {"black", "differs"},
};

static enum tone tone_of(const struct judgement *j)
{
    switch (j->verdict) {
    case JUDGE_BETTER:
        return TONE_BETTER;
    case JUDGE_WORSE:
        return TONE_WORSE;
    case JUDGE_HIGHER:
    case JUDGE_LOWER:
        return TONE_DIFFERS;
    case JUDGE_NONE:
    case JUDGE_EQUAL:
    case JUDGE_UNSEEN:
    case JUDGE_UNDEFINED:
    case JUDGE_VERDICTS:
        break;
    }
    return TONE_NONE;
}

static bool is_shown(const struct comparison_row *row)
{
    const struct judgement *j = &row->judgement;
    return row->section < SECTION_GROUPS && row->section != SECTION_COST && !isnan(j->change.low) &&
           j->verdict != JUDGE_EQUAL;
}

/* Sections in their order; rows in the summary's order. */
static size_t choose(const struct comparison *c, const struct comparison_row **rows)
{
    size_t n = 0;
    for (int section = 0; section < SECTION_GROUPS; section++)
        for (size_t i = 0; i < c->count && n < ROWS_SHOWN; i++)
            if (c->rows[i].section == (enum comparison_section)section && is_shown(&c->rows[i]))
                rows[n++] = &c->rows[i];
    return n;
}

static void put_number(struct out *out, double value)
{
    out_f64(out, value, 6);
}

/* In %. A few intervals far wider than the changes may leave the picture. */
struct span {
    double low, high;
};

static struct span span_of(const struct comparison_row **rows, size_t n)
{
    double low = 0, high = 0, change = LEAST_SPAN / 2;
    for (size_t i = 0; i < n; i++) {
        const struct judge_range *range = &rows[i]->judgement.change;
        low = fmin(low, 100 * range->low);
        high = fmax(high, 100 * range->high);
        change = fmax(change, 100 * fabs(range->mean));
    }
    return (struct span){fmax(low, -2 * change), fmin(high, 2 * change)};
}

/* Draws a short arrow at the edge for an interval that leaves the picture. */
static void put_beyond(struct out *gp, const struct span *span, const struct judge_range *range,
                       size_t row)
{
    double width = span->high - span->low;
    if (100 * range->high > span->high) {
        out_text(gp, "set arrow from ");
        put_number(gp, span->high - 0.01 * width);
        out_format(gp, ", %zu rto ", row);
        put_number(gp, 0.02 * width);
        out_text(gp, ", 0 filled linecolor rgb '#888888'\n");
    }
    if (100 * range->low < span->low) {
        out_text(gp, "set arrow from ");
        put_number(gp, span->low + 0.01 * width);
        out_format(gp, ", %zu rto ", row);
        put_number(gp, -0.02 * width);
        out_text(gp, ", 0 filled linecolor rgb '#888888'\n");
    }
}

static size_t put_data(struct out *dat, const struct comparison_row **rows, size_t n,
                       const struct span *span, enum tone tone)
{
    size_t put = 0;
    out_format(dat, "# %s: change, low, high in %%, row\n", tones[tone].title);
    for (size_t i = 0; i < n; i++) {
        const struct judge_range *change = &rows[i]->judgement.change;
        if (tone_of(&rows[i]->judgement) != tone)
            continue;
        put_number(dat, 100 * change->mean);
        out_char(dat, ' ');
        put_number(dat, fmax(100 * change->low, span->low));
        out_char(dat, ' ');
        put_number(dat, fmin(100 * change->high, span->high));
        out_format(dat, " %zu\n", n - i);
        put++;
    }
    if (put == 0)
        out_text(dat, "nan nan nan nan\n");
    out_text(dat, "\n\n");
    return put;
}

static void put_script(struct figure_job *job, const struct comparison_row **rows, size_t n)
{
    struct out *gp = job->gp;
    struct span span = span_of(rows, n);
    size_t widest = 7;
    plot_begin(gp, "compare_forest", 90 + 20 * (int)n);
    out_format(gp, "set yrange [0.3:%zu.7]\nset xlabel 'B against A, %%'\nset ytics (", n);
    for (size_t i = 0; i < n; i++) {
        out_text(gp, i > 0 ? ", \\\n    " : "");
        char *label = label_metric(rows[i]->measure->path);
        plot_tic_name(gp, label, NAME_WIDTH);
        widest = unit_width(label) > widest ? unit_width(label) : widest;
        free(label);
        out_format(gp, " %zu", n - i);
    }
    widest = widest < NAME_WIDTH ? widest : NAME_WIDTH;
    out_format(gp, ")\nset lmargin %d\nset rmargin 4\nset xrange [",
               (int)(CHAR_WIDTH * (double)widest) + 2);
    put_number(gp, span.low);
    out_char(gp, ':');
    put_number(gp, span.high);
    out_text(gp, "]\n");
    for (size_t i = 0; i < n; i++)
        put_beyond(gp, &span, &rows[i]->judgement.change, n - i);
    out_text(gp, "unset grid\nset grid xtics linecolor rgb '#888888' linewidth 0.4\n"
                 "set arrow from 0, graph 0 to 0, graph 1 nohead back linecolor rgb 'black' "
                 "linewidth 1\nplot ");
    const char *comma = "";
    for (int tone = 0; tone < TONES; tone++)
        if (put_data(job->dat, rows, n, &span, (enum tone)tone) > 0) {
            out_format(gp,
                       "%s'forest.dat' index %d using 1:4:2:3 with xerrorbars pointtype 7 "
                       "pointsize 0.6 linewidth 2 linecolor rgb '%s' title '%s'",
                       comma, tone, tones[tone].color, tones[tone].title);
            comma = ", \\\n     ";
        }
    out_char(gp, '\n');
}

static bool leaves(const struct comparison_row **rows, size_t n)
{
    struct span span = span_of(rows, n);
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || 100 * rows[i]->judgement.change.high > span.high ||
              100 * rows[i]->judgement.change.low < span.low;
    return any;
}

bool comparison_forest(const struct comparison *c, struct figure_job *job)
{
    const struct comparison_row **rows = mem_alloc(ROWS_SHOWN, sizeof *rows);
    size_t n = choose(c, rows);
    if (n > 0) {
        put_script(job, rows, n);
        job->figure->answer = comparison_headline(c);
        job->figure->method = mem_format(
            "Each line is the %g%% interval of one metric over %zu pairs.%s", 100 * (1 - c->alpha),
            c->pairing.replicas, leaves(rows, n) ? " Arrows: it goes on beyond the picture." : "");
    }
    job->figure->absent = n == 0;
    free(rows);
    return n > 0;
}
