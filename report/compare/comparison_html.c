/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a comparison: verdict, changes, figures, tables. No script, no network access. */
#include "report/compare/comparison.h"
#include "report/compare/figures.h"
#include "report/compare/sheet.h"
#include "report/page/html.h"
#include "report/stats/skewed.h"
#include "report/words/labels.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_head(struct out *out, const struct comparison *c)
{
    html_begin(out, json_text_at(c->pairing.run[SIDE_A].summary, "scenario"), "comparison",
               "Comparison of two runs");
    char *question = sheet_question(c);
    out_text(out, "<p class=\"question\">");
    html_text(out, question);
    out_text(out, "</p>\n");
    free(question);
}

static void put_names(struct out *out, const struct comparison *c, enum comparison_section section,
                      enum judge_verdict judged, const char *topic)
{
    char *names = comparison_names(c, section, judged);
    if (names != NULL)
        html_verdict_line(out, topic, names, false);
    free(names);
}

/* "Wait, p95 (-98.3%); Wait, mean (-93.4%)" */
static void put_primary(struct out *out, const struct comparison *c, enum judge_verdict judged,
                        const char *topic)
{
    struct out *line = out_memory();
    const char *comma = "";
    for (size_t i = 0; i < c->count; i++) {
        const struct comparison_row *row = &c->rows[i];
        char change[COMPARISON_TEXT];
        if (row->section != SECTION_PRIMARY || row->judgement.verdict != judged)
            continue;
        char *label = label_metric(row->measure->path);
        out_format(line, "%s%s (%s)", comma, label, comparison_change(change, row));
        free(label);
        comma = "; ";
    }
    if (*comma)
        html_verdict_line(out, topic, out_memory_text(line, NULL), false);
    out_discard(line);
}

static void put_verdict(struct out *out, const struct comparison *c)
{
    html_open_verdict(out, "Is B better?");
    char *headline = comparison_headline(c);
    html_verdict_line(out, "Verdict", headline, false);
    free(headline);
    put_primary(out, c, JUDGE_BETTER, "Better");
    put_primary(out, c, JUDGE_WORSE, "Worse");
    html_close_verdict(out);
}

static void put_groups(struct out *out, const struct comparison *c)
{
    html_open_verdict(out, "Waits by group");
    put_names(out, c, SECTION_CLASS, JUDGE_BETTER, "Classes that wait less");
    put_names(out, c, SECTION_CLASS, JUDGE_WORSE, "Classes that wait more");
    put_names(out, c, SECTION_SIZE, JUDGE_BETTER, "Sizes that wait less");
    put_names(out, c, SECTION_SIZE, JUDGE_WORSE, "Sizes that wait more");
    put_names(out, c, SECTION_QUEUE, JUDGE_BETTER, "Queues that wait less");
    put_names(out, c, SECTION_QUEUE, JUDGE_WORSE, "Queues that wait more");
    html_close_verdict(out);
}

/* Returns true if any class, size or queue certainly waits less or more. */
static bool has_groups(const struct comparison *c)
{
    bool any = false;
    for (int section = SECTION_CLASS; section <= SECTION_QUEUE; section++) {
        char *better = comparison_names(c, (enum comparison_section)section, JUDGE_BETTER);
        char *worse = comparison_names(c, (enum comparison_section)section, JUDGE_WORSE);
        any = any || better != NULL || worse != NULL;
        free(better);
        free(worse);
    }
    return any;
}

static void put_changes(const struct page *page, const struct comparison *c)
{
    struct out *out = page->out;
    if (c->pairing.change_count == 0)
        return;
    html_open_table(page, "What differs between the scenarios", "changes", "words");
    out_text(out, "<thead><tr><th scope=\"col\">Key</th><th scope=\"col\">A</th><th "
                  "scope=\"col\">B</th><th scope=\"col\">Note</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < c->pairing.change_count; i++) {
        const struct pairing_change *change = &c->pairing.changes[i];
        const char *const texts[] = {change->path, change->text[SIDE_A], change->text[SIDE_B]};
        out_text(out, "<tr>");
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            out_text(out, k == 0 ? "<th scope=\"row\"><code>" : "<td><code>");
            html_text(out, texts[k]);
            out_text(out, k == 0 ? "</code></th>" : "</code></td>");
        }
        out_text(out, change->follows ? "<td>follows the quota</td></tr>\n" : "<td></td></tr>\n");
    }
    html_close_table(page);
}

static void put_row(struct out *out, const struct comparison_row *row)
{
    const struct judgement *j = &row->judgement;
    char text[COMPARISON_TEXT];
    char *label = label_metric(row->measure->path);
    out_text(out, "<tr><th scope=\"row\" title=\"");
    html_text(out, row->measure->path);
    if (row->measure->row != NULL) {
        out_text(out, ": ");
        html_text(out, row->measure->row->summary);
    }
    out_text(out, "\">");
    html_text(out, label);
    out_text(out, "</th>");
    free(label);
    html_number(out, comparison_value(text, row, SIDE_A));
    html_number(out, comparison_value(text, row, SIDE_B));
    html_number(out, comparison_change(text, row));
    html_number(out, comparison_interval(text, row));
    bool strong = judge_found(j);
    out_format(out, "<td>%s%s%s</td></tr>\n", strong ? "<strong>" : "",
               judge_verdict_words[j->verdict], strong ? "</strong>" : "");
}

/* Folded sections are for reference: all metrics that differ. */
static bool is_folded(enum comparison_section section)
{
    return section == SECTION_OTHER || section == SECTION_GROUPS;
}

/*
 * Shows rows with a value, but no costs that neither side has; in folded sections only rows whose
 * sides differ.
 */
static bool is_shown(const struct comparison_row *row)
{
    const struct judgement *j = &row->judgement;
    bool some = fabs(j->mean[SIDE_A]) > 0 || fabs(j->mean[SIDE_B]) > 0;
    return j->verdict != JUDGE_EQUAL || (!is_folded(row->section) && some) ||
           row->section == SECTION_PRIMARY;
}

static void put_section(const struct page *page, const struct comparison *c,
                        enum comparison_section section)
{
    size_t rows = 0;
    for (size_t i = 0; i < c->count; i++)
        rows += c->rows[i].section == section && is_shown(&c->rows[i]);
    if (rows == 0)
        return;
    char *title = mem_text(comparison_title(c, section));
    if (title[0] >= 'a' && title[0] <= 'z')
        title[0] = (char)(title[0] - 'a' + 'A');
    (is_folded(section) ? html_open_folded : html_open_table)(
        page, title, comparison_section_names[section], "numbers");
    free(title);
    out_format(page->out,
               "<thead><tr><th scope=\"col\">Metric</th><th scope=\"col\" class=\"n\">A</th><th "
               "scope=\"col\" class=\"n\">B</th><th scope=\"col\" class=\"n\">B against A</th><th "
               "scope=\"col\" class=\"n\">%g%% interval</th><th scope=\"col\">B "
               "is</th></tr></thead>\n<tbody>\n",
               100 * (1 - c->alpha));
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].section == section && is_shown(&c->rows[i]))
            put_row(page->out, &c->rows[i]);
    (is_folded(section) ? html_close_folded : html_close_table)(page);
    char *note = section == SECTION_COST ? comparison_cost_note(c) : NULL;
    if (note != NULL) {
        out_text(page->out, "<p class=\"about\">");
        html_text(page->out, note);
        out_text(page->out, "</p>\n");
    }
    free(note);
}

static void put_method(struct out *out, const struct comparison *c)
{
    out_text(out, "<section class=\"block\" id=\"method\">\n<h2>How it was judged</h2>\n<p "
                  "class=\"about\">Replica K of both sides saw the same arrivals, durations and "
                  "failures, so each pair gives one difference. ");
    out_format(
        out,
        "\"B against A\" is the change between the two means next to it, with its %g%% interval: "
        "for the logarithm of their ratio, estimated by leaving out one pair at a time (the "
        "jackknife), Student's interval with N. J. Johnson's correction (1978) for skewness on the "
        "side of the tail. Metrics that may be negative have the interval of the difference in "
        "their unit. Fewer than %zu pairs have none. The verdict uses the same interval, at the "
        "level of Holm's correction over each section: the interval of a better or worse metric "
        "excludes 0, but a metric may be called \"no difference seen\" although its own interval "
        "does. If some values are only lower bounds (\xE2\x89\xA5), the sign test counts the pairs "
        "whose direction is certain. ",
        100 * (1 - c->alpha), STAT_LEAST);
    out_text(out,
             "\"No difference seen\" does not mean that there is none: the interval says how large "
             "it may be. --json has all values and Wilcoxon's p-values.</p>\n</section>\n");
}

bool comparison_write_html(const struct comparison *c, const char *path, struct err *err)
{
    struct figures figures;
    char *folder;
    if (!comparison_figures(c, path, &figures, &folder, err))
        return false;
    struct out *out = out_open(path, err);
    if (out != NULL) {
        char *base = html_base(folder, path);
        struct page page = {
            .out = out, .run = &c->pairing.run[SIDE_A], .figures = &figures, .base = base};
        put_head(out, c);
        sheet_cards(c, out);
        losers_html(&c->losers, out);
        put_verdict(out, c);
        sheet_assumptions(c, out);
        out_text(out, "<h2 class=\"details\">Details</h2>\n");
        for (size_t i = 0; i < figures.count; i++)
            html_figure_beside(&page, &figures.figure[i]);
        if (has_groups(c))
            put_groups(out, c);
        put_changes(&page, c);
        for (int section = 0; section < SECTIONS; section++)
            put_section(&page, c, (enum comparison_section)section);
        lists_html(c->lists, c->list_count, &page);
        if (!c->certain)
            put_method(out, c);
        out_text(out, "</main>\n</body>\n</html>\n");
        free(base);
    }
    figures_free(&figures);
    free(folder);
    return out != NULL && out_close(out, err);
}
