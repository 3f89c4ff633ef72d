/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate as a page: the question, the verdict, the losers, both policies and every judged metric
 * in words. No script, no network access.
 */
#include "report/gate/findings.h"
#include "report/gate/reports.h"
#include "report/gate/words.h"
#include "report/page/html.h"
#include "report/words/labels.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* ---- the verdict ---- */

/* Returns the reason, with failed metrics in words. */
static char *reason_of(const struct gate *g)
{
    if (g->stage != GATE_STATISTICS || g->verdict != GATE_FAIL)
        return mem_text(g->reason);
    struct out *out = out_memory();
    const char *comma = "Worse by more than the margin: ";
    for (size_t i = 0; i < g->row_count; i++) {
        const struct gate_row *row = &g->rows[i];
        if (row->verdict != GATE_ROW_FAIL)
            continue;
        char *label = label_metric(row->metric->path);
        char *name = unit_name(g->scenarios[row->scenario].name, 40);
        out_format(out, "%s%s in %s", comma, label, name);
        comma = "; ";
        free(label);
        free(name);
    }
    out_char(out, '.');
    return out_memory_take(out);
}

static void put_head(const struct gate *g, struct out *out)
{
    char *reason = reason_of(g);
    html_begin(out, g->suite, "gate", "Gate of a policy");
    out_text(out, "<p class=\"question\">Is ");
    html_text(out, g->names[SIDE_B]);
    out_text(out, " worse than ");
    html_text(out, g->names[SIDE_A]);
    out_text(out, "?</p>\n");
    html_open_verdict(out, "Verdict");
    html_verdict_line(out, gate_verdict_words[g->verdict], reason, g->verdict != GATE_PASS);
    free(reason);
    for (size_t s = 0; s < g->scenario_count; s++) {
        char *same = mem_format("%zu pairs of replicas, %zu with the same decisions",
                                gate_pairs(g, s), g->scenarios[s].same);
        char *name = unit_name(g->scenarios[s].name, 40);
        out_text(out, "<div><dt>");
        html_text(out, name);
        out_text(out, "</dt><dd>");
        html_text(out, same);
        out_text(out, "</dd></div>\n");
        free(name);
        free(same);
    }
    html_close_verdict(out);
}

/* Prints lines literally. */
static void put_lines(struct out *out, const char *title, const char *id, const char *text)
{
    if (*text == '\0')
        return;
    out_format(out, "<section class=\"block\" id=\"%s\">\n<h2>%s</h2>\n<pre class=\"lines\">", id,
               title);
    while (*text != '\0') {
        size_t n = strcspn(text, "\n");
        char *line = mem_text_n(text, n);
        html_text(out, line);
        out_char(out, '\n');
        free(line);
        text += n + (text[n] == '\n');
    }
    out_text(out, "</pre>\n</section>\n");
}

static void put_losers(const struct gate *g, struct out *out)
{
    for (size_t s = 0; s < g->scenario_count; s++) {
        if (!g->scenarios[s].knows_losers)
            continue;
        if (g->scenario_count > 1) {
            out_text(out, "<h2 class=\"details\">");
            html_text(out, g->scenarios[s].name);
            out_text(out, "</h2>\n");
        }
        losers_html(&g->scenarios[s].losers, out);
    }
}

/* ---- metrics ---- */

static void put_metric(struct out *out, const struct gate_metric *metric)
{
    char *label = label_metric(metric->path);
    out_text(out, "<tr><th scope=\"row\" title=\"");
    html_text(out, metric->path);
    if (metric->row != NULL) {
        out_text(out, ": ");
        html_text(out, metric->row->summary);
    }
    out_text(out, "\">");
    html_text(out, label);
    out_format(out, "%s</th>", metric->guard ? " (guard)" : "");
    free(label);
}

static void put_row(const struct gate *g, const struct gate_row *row, struct out *out)
{
    char text[GATE_TEXT];
    bool strong = row->verdict == GATE_ROW_FAIL;
    put_metric(out, row->metric);
    out_text(out, "<td>");
    html_text(out, g->scenarios[row->scenario].name);
    out_text(out, "</td>");
    html_number(out, gate_value_text(text, row, SIDE_A));
    html_number(out, gate_value_text(text, row, SIDE_B));
    html_number(out, gate_harm_text(text, row));
    html_number(out, gate_interval_text(text, row));
    html_number(out, gate_margin_text(text, row));
    out_format(out, "<td>%s%s%s</td></tr>\n", strong ? "<strong>" : "", gate_row_name(g, row),
               strong ? "</strong>" : "");
}

static void put_rows(const struct gate *g, struct out *out)
{
    if (!gate_judged(g) || g->row_count == 0)
        return;
    struct page page = {.out = out};
    html_open_table(&page, "Judged metrics", "metrics", "numbers");
    out_text(out, "<thead><tr><th scope=\"col\">Metric</th><th scope=\"col\">Scenario</th>");
    static const char *const heads[] = {"Base", "Candidate", "Harm", "Interval", "Tolerated"};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        out_format(out, "<th scope=\"col\" class=\"n\">%s</th>", heads[i]);
    out_text(out, "<th scope=\"col\">Verdict</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < g->row_count; i++)
        put_row(g, &g->rows[i], out);
    html_close_table(&page);
    char *prices = gate_price_words(g);
    out_text(out, "<p class=\"about\">Harm is the change of the mean over the pairs; the interval "
                  "alone decides: above what is tolerated it fails, below it passes. ");
    html_text(out, prices != NULL ? prices : "");
    out_text(out, "</p>\n");
    free(prices);
}

void gate_report_html(const struct gate *g, struct out *out)
{
    char *difference = gate_difference_words(g), *findings = gate_findings_words(g);
    put_head(g, out);
    put_lines(out, "Findings", "findings", findings);
    put_losers(g, out);
    put_rows(g, out);
    put_lines(out, "The first different decision", "difference", difference);
    put_lines(out, "To reproduce", "command", g->command);
    out_text(out, "</main>\n</body>\n</html>\n");
    free(difference);
    free(findings);
}
