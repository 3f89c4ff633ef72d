/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gate as tables: for a terminal, as Markdown for a pull request or a job's summary, and as
 * CSV; and the list of report kinds.
 */
#include "report/gate/findings.h"
#include "report/gate/losers.h"
#include "report/gate/margins.h"
#include "report/gate/reports.h"
#include "report/gate/timing.h"
#include "report/gate/words.h"
#include "report/terminal/table.h"
#include "report/words/markdown.h"
#include "report/words/units.h"
#include "sim/base/escape.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static const struct gate_report kinds[] = {
    {"json", "gate: all judged metrics, with the values of all replicas", gate_report_json},
    {"html", "gate: a page: the verdict, who loses, judged metrics in words", gate_report_html},
    {"md", "gate: Markdown, for a pull request or a job's summary", gate_report_markdown},
    {"junit", "gate: JUnit XML, one test per metric and scenario; inconclusive: skipped",
     gate_report_junit},
    {"github", "gate: annotations for GitHub workflows", gate_report_github},
    {"sarif", "gate: SARIF 2.1.0: results and rules for code scanning", gate_report_sarif},
    {"tap", "gate: Test Anything Protocol, version 13", gate_report_tap},
    {"csv", "gate: a row per metric and scenario", gate_report_csv},
    {"timing", "gate: decision time and memory of all replicas; differs from run to run",
     gate_report_timing},
};

const struct gate_report *gate_reports(size_t *count)
{
    *count = sizeof kinds / sizeof *kinds;
    return kinds;
}

static size_t rows_of(const struct gate *g)
{
    return gate_judged(g) ? g->row_count : 0;
}

/* ---- terminal ---- */

static void print_sides(const struct gate *g, struct out *out)
{
    for (int side = 0; side < SIDES; side++) {
        char *name = unit_name(g->names[side], 80);
        out_format(out, "%-9s  %s%s\n", gate_side_names[side], name,
                   side == SIDE_B && g->jittered ? " (the same jobs with another jitter)" : "");
        free(name);
    }
    for (size_t s = 0; s < g->scenario_count; s++) {
        char *name = unit_name(g->scenarios[s].name, 40);
        out_format(out, "%s %s: %zu replicas, %zu with the same decisions\n",
                   s == 0 ? "scenarios " : "          ", name, gate_pairs(g, s),
                   g->scenarios[s].same);
        free(name);
    }
}

static void print_rows(const struct gate *g, struct out *out, size_t width)
{
    if (rows_of(g) == 0)
        return;
    struct table *table = table_create(8);
    table_row(table, (const char *const[]){"metric", "scenario", "base", "candidate", "harm",
                                           "interval", "tolerated", "verdict"});
    for (size_t i = 0; i < rows_of(g); i++) {
        const struct gate_row *row = &g->rows[i];
        char a[GATE_TEXT], b[GATE_TEXT], harm[GATE_TEXT], interval[GATE_TEXT], margin[GATE_TEXT];
        char *metric = mem_format("%s%s", row->metric->path, row->metric->guard ? " (guard)" : "");
        table_row(table, (const char *const[]){
                             metric, g->scenarios[row->scenario].name,
                             gate_value_text(a, row, SIDE_A), gate_value_text(b, row, SIDE_B),
                             gate_harm_text(harm, row), gate_interval_text(interval, row),
                             gate_margin_text(margin, row), gate_row_name(g, row)});
        free(metric);
    }
    out_char(out, '\n');
    table_print(table, out, width);
    table_destroy(table);
    char *prices = gate_price_words(g);
    if (prices != NULL)
        out_format(out, "%s\n", prices);
    free(prices);
}

/* Describes the rows that did not pass; once the gate has failed, open rows no longer matter. */
static void print_words(const struct gate *g, struct out *out)
{
    const char *gap = "\n";
    for (size_t i = 0; i < rows_of(g); i++) {
        const struct gate_row *row = &g->rows[i];
        if (row->verdict == GATE_ROW_PASS ||
            (row->verdict == GATE_ROW_OPEN && g->verdict != GATE_INCONCLUSIVE))
            continue;
        char *words = gate_row_words(g, row);
        out_format(out, "%s%s in %s: %s\n", gap, row->metric->path,
                   g->scenarios[row->scenario].name, words);
        free(words);
        gap = "";
    }
}

void gate_table(const struct gate *g, struct out *out, size_t width)
{
    char *difference = gate_difference_words(g), *findings = gate_findings_words(g);
    out_format(out, "%s: %s\n\n", gate_verdict_words[g->verdict], g->reason);
    if (*findings != '\0')
        out_format(out, "%s\n", findings);
    free(findings);
    gate_losers_print(g, out);
    print_sides(g, out);
    print_rows(g, out, width);
    print_words(g, out);
    if (rows_of(g) > 0)
        gate_margins_print(g, out);
    if (rows_of(g) > 0)
        out_text(out,
                 "\nHarm is the change of the mean over the pairs; the interval alone decides.\n");
    if (*difference != '\0')
        out_format(out, "\n%s", difference);
    if (g->verdict != GATE_PASS)
        out_format(out, "\nTo reproduce: %s\n", g->command);
    free(difference);
}

/* ---- Markdown ---- */

static void put_rows(const struct gate *g, struct out *out)
{
    if (rows_of(g) == 0)
        return;
    out_text(out,
             "\n| metric | scenario | base | candidate | harm | interval | tolerated | verdict |\n"
             "|---|---|--:|--:|--:|--:|--:|---|\n");
    for (size_t i = 0; i < rows_of(g); i++) {
        const struct gate_row *row = &g->rows[i];
        char text[GATE_TEXT];
        out_text(out, "| ");
        markdown_text(out, row->metric->path);
        out_text(out, row->metric->guard ? " (guard) | " : " | ");
        markdown_cell(out, g->scenarios[row->scenario].name);
        markdown_cell(out, gate_value_text(text, row, SIDE_A));
        markdown_cell(out, gate_value_text(text, row, SIDE_B));
        markdown_cell(out, gate_harm_text(text, row));
        markdown_cell(out, gate_interval_text(text, row));
        markdown_cell(out, gate_margin_text(text, row));
        bool strong = row->verdict == GATE_ROW_FAIL;
        out_format(out, "%s%s%s |\n", strong ? "**" : "", gate_row_name(g, row),
                   strong ? "**" : "");
    }
    char *prices = gate_price_words(g);
    if (prices != NULL) {
        out_char(out, '\n');
        markdown_text(out, prices);
        out_char(out, '\n');
    }
    free(prices);
}

/* Uses a fence longer than any run of backquotes in the text. */
static void put_block(struct out *out, const char *text)
{
    size_t longest = 2, run = 0;
    for (const char *p = text; *p; p++) {
        run = *p == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (int end = 0; end < 2; end++) {
        out_text(out, end ? "" : "\n");
        for (size_t i = 0; i <= longest; i++)
            out_char(out, '`');
        out_char(out, '\n');
        if (!end) {
            escape_lines(out, text, strlen(text));
            out_text(out, *text && text[strlen(text) - 1] == '\n' ? "" : "\n");
        }
    }
}

void gate_report_markdown(const struct gate *g, struct out *out)
{
    char *difference = gate_difference_words(g), *findings = gate_findings_words(g);
    out_text(out, "### fauxfleet gate ");
    markdown_text(out, g->suite);
    out_format(out, ": %s\n\n", gate_verdict_words[g->verdict]);
    markdown_text(out, g->reason);
    out_text(out, "\n\n");
    if (*findings != '\0')
        put_block(out, findings);
    free(findings);
    gate_losers_markdown(g, out);
    out_text(out, "base: ");
    markdown_text(out, g->names[SIDE_A]);
    out_text(out, ", candidate: ");
    markdown_text(out, g->names[SIDE_B]);
    out_text(out, "\n");
    put_rows(g, out);
    if (rows_of(g) > 0)
        gate_margins_markdown(g, out);
    if (*difference != '\0')
        put_block(out, difference);
    if (g->verdict != GATE_PASS) {
        out_text(out, "\nTo reproduce:\n");
        put_block(out, g->command);
    }
    free(difference);
}

/* ---- CSV ---- */

static void put_number(struct out *out, double value)
{
    out_char(out, ',');
    out_f64(out, value, 9);
}

void gate_report_csv(const struct gate *g, struct out *out)
{
    out_text(out, "scenario,metric,role,verdict,replicas,base,candidate,harm,harm_low,harm_high,"
                  "margin,p_fail,p_pass,replicas_needed,command\n");
    for (size_t i = 0; i < rows_of(g); i++) {
        const struct gate_row *row = &g->rows[i];
        const struct harm *h = &row->harm;
        const double x[] = {h->harm, h->low, h->high, h->margin};
        out_csv(out, g->scenarios[row->scenario].name);
        out_char(out, ',');
        out_csv(out, row->metric->path);
        out_format(out, ",%s,%s,%zu", row->metric->guard ? "guard" : "primary",
                   gate_row_name(g, row), row->replicas);
        put_number(out, h->mean[SIDE_A]);
        put_number(out, h->mean[SIDE_B]);
        for (size_t k = 0; k < sizeof x / sizeof *x; k++)
            put_number(out, harm_share(h, x[k]));
        put_number(out, h->p_fail);
        put_number(out, h->p_pass);
        out_char(out, ',');
        if (h->needed != SIZE_MAX)
            out_u64(out, h->needed);
        out_char(out, ',');
        if (row->verdict == GATE_ROW_FAIL)
            out_csv(out, g->command);
        out_char(out, '\n');
    }
}
