/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gate in words; see words.h. */
#include "report/gate/words.h"
#include "sim/base/escape.h"

#include "report/stats/skewed.h"
#include "report/words/units.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const gate_side_names[SIDES] = {"base", "candidate"};
const char *const gate_verdict_words[GATE_VERDICTS] = {"PASS",
                                                       "FAIL",
                                                       "INCONCLUSIVE",
                                                       "INVARIANT VIOLATED",
                                                       "BASELINE INCOMPATIBLE",
                                                       "DECISIONS DIFFER",
                                                       "BASE FAILED"};

/* ---- numbers ---- */

static const char *unit_of(const struct gate_row *row)
{
    return row->metric->row != NULL ? row->metric->row->unit : "";
}

const char *gate_value_text(char text[GATE_TEXT], const struct gate_row *row, int side)
{
    char value[UNIT_TEXT];
    (void)snprintf(text, GATE_TEXT, "%s%s", row->harm.bounds[side] > 0 ? ">=" : "",
                   unit_any(value, unit_of(row), row->harm.mean[side]));
    return text;
}

/*
 * Formats a value on the scale of x: as a share if there is a base to take it of, else in the
 * metric's unit.
 */
static void put_x(char text[GATE_TEXT], const struct gate_row *row, double x, const char *plus)
{
    double share = harm_share(&row->harm, x);
    char value[UNIT_TEXT];
    if (isnan(x))
        (void)snprintf(text, GATE_TEXT, "-");
    else if (!isnan(share))
        (void)snprintf(text, GATE_TEXT, "%s%.*f%%", share >= 0 ? plus : "-",
                       fabs(share) < 0.1 ? 2 : 1, 100 * fabs(share));
    else
        (void)snprintf(text, GATE_TEXT, "%s%s", x >= 0 ? plus : "-",
                       unit_any(value, unit_of(row), fabs(x)));
}

const char *gate_harm_text(char text[GATE_TEXT], const struct gate_row *row)
{
    const struct harm *h = &row->harm;
    if (h->scale == JUDGE_SIGNS)
        (void)snprintf(text, GATE_TEXT, "%zu above %zu within", h->above, h->within);
    else
        put_x(text, row, h->harm, "+");
    return text;
}

const char *gate_interval_text(char text[GATE_TEXT], const struct gate_row *row)
{
    char low[GATE_TEXT], high[GATE_TEXT];
    if (isnan(row->harm.low)) {
        bool too_few = row->harm.scale != JUDGE_SIGNS && row->harm.n < STAT_LEAST;
        (void)snprintf(text, GATE_TEXT, "%s", too_few ? STAT_TOO_FEW : "-");
        return text;
    }
    put_x(low, row, row->harm.low, "+");
    put_x(high, row, row->harm.high, "+");
    (void)snprintf(text, GATE_TEXT, "%.40s .. %.40s", low, high);
    return text;
}

const char *gate_margin_text(char text[GATE_TEXT], const struct gate_row *row)
{
    char floor[UNIT_TEXT];
    if (!isnan(row->harm.margin))
        put_x(text, row, row->harm.margin, "");
    else
        (void)snprintf(text, GATE_TEXT, "%g%%, at least %s", 100 * row->metric->rule.margin,
                       unit_any(floor, unit_of(row), row->metric->rule.floor));
    return text;
}

/* ---- rows ---- */

static void put_open(struct out *out, const struct gate_row *row)
{
    const struct harm *h = &row->harm;
    if (h->half_defined > 0)
        escape_format(out, "; one side has no value in %zu replicas", h->half_defined);
    else if (h->scale != JUDGE_SIGNS && h->n < STAT_LEAST)
        out_text(out, "; its interval " STAT_TOO_FEW);
    else if (h->needed == 0)
        out_text(out, "; beyond the margin by itself, but not certainly among all metrics");
    if (h->needed == SIZE_MAX && (h->n >= STAT_LEAST || h->half_defined > 0))
        out_text(out, "; no number of replicas is known to decide it");
    else if (h->needed > 0 && h->needed < SIZE_MAX)
        escape_format(out, "; about %zu replicas would decide it", h->needed);
}

char *gate_row_words(const struct gate *g, const struct gate_row *row)
{
    const struct harm *h = &row->harm;
    char harm[GATE_TEXT], interval[GATE_TEXT], margin[GATE_TEXT];
    struct out *out = out_memory();
    gate_margin_text(margin, row);
    gate_interval_text(interval, row);
    if (h->n == 0) {
        out_text(out, "no replica has a value on both sides");
    } else if (h->scale == JUDGE_SIGNS) {
        escape_format(out,
                      "certainly worse by more than is tolerated (%s) in %zu of %zu pairs, "
                      "certainly not in %zu; "
                      "in some only a lower bound is known",
                      margin, h->above, h->n, h->within);
    } else {
        put_x(harm, row, h->harm, "");
        escape_format(out, "%s %s", harm + (harm[0] == '-'),
                      h->harm > 0   ? "worse"
                      : h->harm < 0 ? "better"
                                    : "different");
        if (!isnan(h->low))
            escape_format(out, " (%.4g%% interval of the harm %s, tolerated %s)",
                          100 * (1 - 2 * row->level), interval, margin);
    }
    escape_format(out, " over %zu replicas", row->replicas);
    if (row->verdict == GATE_ROW_OPEN)
        put_open(out, row);
    if (row->verdict == GATE_ROW_OPEN && g->look_count > 0 &&
        row->replicas < (size_t)g->looks[g->look_count - 1])
        out_format(out, "; the gate had its verdict before the %d replicas of its last look",
                   g->looks[g->look_count - 1]);
    return out_memory_take(out);
}

char *gate_price_words(const struct gate *g)
{
    for (size_t m = 0; m < g->metric_count; m++)
        if (strncmp(g->metrics[m].path, "cost.", 5) == 0)
            return price_notes_text(&g->prices);
    return NULL;
}

char *gate_difference_words(const struct gate *g)
{
    const struct gate_difference *d = &g->difference;
    struct out *out = out_memory();
    if (d->unknown != NULL)
        out_format(out, "First different decision: not known. %s\n", d->unknown);
    if (d->known) {
        escape_format(
            out, "First different decision: number %llu of replica %zu in scenario '%s'\n",
            (unsigned long long)d->number + 1, d->replica + 1, g->scenarios[d->scenario].name);
        for (int side = 0; side < SIDES; side++) {
            const struct gate_decision *decision = &d->sides[side];
            escape_format(out, "  %-9s  ", gate_side_names[side]);
            if (decision->at_ms != INT64_MAX) {
                out_text(out, "at ");
                out_seconds(out, decision->at_ms);
                out_text(out, " s ");
            }
            escape_shown(out, decision->words);
            out_char(out, '\n');
            if (decision->other != NULL)
                escape_format(out, "             with the %s that job %s\n",
                              gate_side_names[1 - side], decision->other);
        }
    }
    return out_memory_take(out);
}

/* ---- checks ---- */
