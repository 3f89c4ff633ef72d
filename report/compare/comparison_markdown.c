/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison as Markdown, for a pull request: the verdict, the primary metrics, the rest folded
 * away. */
#include "report/compare/comparison.h"
#include "report/measure/speeds.h"
#include "report/words/markdown.h"
#include "sim/base/mem.h"

#include <stdlib.h>

/* Other metrics are shown only if a difference was found. */
static bool is_shown(const struct comparison_row *row)
{
    bool other = row->section == SECTION_OTHER || row->section == SECTION_GROUPS;
    return !other || judge_found(&row->judgement);
}

static void put_section(struct out *out, const struct comparison *c,
                        enum comparison_section section)
{
    out_format(out,
               "| %s | A | B | B against A | %g%% interval | B is |\n|---|--:|--:|--:|--:|---|\n",
               comparison_title(c, section), 100 * (1 - c->alpha));
    for (size_t i = 0; i < c->count; i++) {
        const struct comparison_row *row = &c->rows[i];
        const struct judgement *j = &row->judgement;
        if (row->section != section || !is_shown(row))
            continue;
        char text[COMPARISON_TEXT];
        out_text(out, "| ");
        markdown_cell(out, row->measure->path);
        markdown_cell(out, comparison_value(text, row, SIDE_A));
        markdown_cell(out, comparison_value(text, row, SIDE_B));
        markdown_cell(out, comparison_change(text, row));
        markdown_cell(out, comparison_interval(text, row));
        bool strong = j->verdict == JUDGE_BETTER || j->verdict == JUDGE_WORSE;
        out_format(out, "%s%s%s |\n", strong ? "**" : "", judge_verdict_words[j->verdict],
                   strong ? "**" : "");
    }
    char *note = section == SECTION_COST ? comparison_cost_note(c) : NULL;
    if (note != NULL) {
        out_char(out, '\n');
        markdown_text(out, note);
        out_char(out, '\n');
    }
    free(note);
}

static bool has_rows(const struct comparison *c, enum comparison_section section)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].section == section && is_shown(&c->rows[i]))
            return true;
    return false;
}

static void put_head(struct out *out, const struct comparison *c)
{
    out_text(out, "### fauxfleet compare: ");
    markdown_text(out, json_text_at(c->pairing.run[SIDE_A].summary, "scenario"));
    out_text(out, "\n\nA: ");
    markdown_text(out, c->pairing.run[SIDE_A].path);
    out_text(out, ", B: ");
    markdown_text(out, c->pairing.run[SIDE_B].path);
    out_text(out, "\n\n");
    for (size_t i = 0; i < c->pairing.change_count; i++) {
        out_text(out, "- ");
        markdown_text(out, c->pairing.changes[i].path);
        char *text = pairing_change_text(&c->pairing.changes[i]);
        out_text(out, ": ");
        markdown_text(out, text);
        out_char(out, '\n');
        free(text);
    }
    char *speeds = speeds_note(c->pairing.run[SIDE_A].summary, c->pairing.run[SIDE_B].summary);
    if (speeds != NULL) {
        out_text(out, "- speeds: ");
        markdown_text(out, speeds);
        out_char(out, '\n');
    }
    out_text(out, c->pairing.change_count > 0 || speeds != NULL ? "\n" : "");
    free(speeds);
    losers_markdown(&c->losers, out);
    char *headline = comparison_headline(c);
    char *varied = comparison_varied(c);
    markdown_text(out, headline);
    if (varied != NULL) {
        out_text(out, "\n");
        markdown_text(out, varied);
    }
    out_text(out, "\n");
    risks_markdown(&c->risks, out);
    free(headline);
    free(varied);
}

bool comparison_write_markdown(const struct comparison *c, const char *path, struct err *err)
{
    struct out *out = out_open(path, err);
    if (out == NULL)
        return false;
    put_head(out, c);
    for (int section = 0; section < SECTIONS && !c->same_outputs; section++) {
        if (!has_rows(c, (enum comparison_section)section))
            continue;
        bool folded =
            section != SECTION_PRIMARY && !(section == SECTION_COST && comparison_of_fleets(c));
        if (folded)
            out_format(out, "\n<details><summary>%s</summary>\n",
                       comparison_section_titles[section]);
        out_char(out, '\n');
        put_section(out, c, (enum comparison_section)section);
        if (folded)
            out_text(out, "\n</details>\n");
    }
    lists_markdown(c->lists, c->list_count, out);
    return out_close(out, err);
}
