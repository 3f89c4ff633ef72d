/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Prints losers on the terminal, in Markdown, on the page and for programs; see losers.h. */
#include "report/compare/losers.h"
#include "report/page/html.h"
#include "report/words/markdown.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>

#define SHOWN    ((size_t)10)
#define DIGITS   6
#define P_DIGITS 12

void losers_print(const struct losers *l, struct out *out)
{
    size_t count;
    char **sentences = losers_sentences(l, &count), *headline = losers_headline(l);
    out_format(out, "%s\n", headline);
    for (size_t i = 0; i < count && i < SHOWN; i++)
        out_format(out, "  %s\n", sentences[i]);
    if (count > SHOWN)
        out_format(out, "  and %zu more (--json has them all)\n", count - SHOWN);
    out_char(out, '\n');
    free(headline);
    losers_sentences_free(sentences, count);
}

void losers_markdown(const struct losers *l, struct out *out)
{
    size_t count;
    char **sentences = losers_sentences(l, &count), *headline = losers_headline(l);
    out_text(out, "**");
    markdown_text(out, headline);
    out_text(out, "**\n\n");
    for (size_t i = 0; i < count; i++) {
        out_text(out, "- ");
        markdown_text(out, sentences[i]);
        out_char(out, '\n');
    }
    out_text(out, count > 0 ? "\n" : "");
    free(headline);
    losers_sentences_free(sentences, count);
}

void losers_html(const struct losers *l, struct out *out)
{
    size_t count;
    char **sentences = losers_sentences(l, &count), *headline = losers_headline(l);
    out_text(out, "<section class=\"block\" id=\"losers\">\n<h2>Who loses</h2>\n<p>");
    html_text(out, headline);
    out_text(out, "</p>\n");
    for (size_t i = 0; i < count; i++) {
        out_text(out, i == 0 ? "<ul>\n<li>" : "<li>");
        html_text(out, sentences[i]);
        out_text(out, i + 1 == count ? "</li>\n</ul>\n" : "</li>\n");
    }
    if (!l->too_few && l->metrics > 0)
        out_text(
            out,
            "<p class=\"about\">Ordered by harm. A group is listed if the verdict on a metric is "
            "worse and Wilcoxon's signed-rank test confirms it, with Holm's correction over all "
            "groups and metrics: the chance that any group is listed wrongly is at most 5%.</p>\n");
    out_text(out, "</section>\n");
    free(headline);
    losers_sentences_free(sentences, count);
}

void loser_json(const struct loser *loser, const char *scenario, struct json *j)
{
    const struct judgement *v = &loser->judgement;
    static const char *const keys[SIDES][2] = {{"a", "a_at_least"}, {"b", "b_at_least"}};
    char *words = loser_words(loser);
    json_begin_object(j, NULL);
    if (scenario != NULL)
        json_text(j, "scenario", scenario);
    json_text(j, "kind", group_kind_names[loser->kind]);
    json_text(j, "name", loser->name);
    json_text(j, "metric", loser->metric);
    json_text(j, "path", loser->path);
    json_text(j, "unit", loser->unit);
    for (int side = 0; side < SIDES; side++)
        json_f64(j, keys[side][v->bounds[side] > 0], v->mean[side], DIGITS);
    json_f64(j, "difference", v->difference.mean, DIGITS);
    json_f64(j, "change", v->change.mean, DIGITS);
    json_f64(j, "p_holm", v->p_holm, P_DIGITS);
    json_f64(j, "harm", loser->harm, DIGITS);
    json_text(j, "words", words);
    json_end_object(j);
    free(words);
}

void losers_json(const struct losers *l, struct json *j)
{
    static const char *const keys[] = {"losers", "observed_harms"};
    bool observed = l->too_few;
    char *headline = losers_headline(l);
    json_text(j, "losers_headline", headline);
    free(headline);
    for (int list = 0; list < 2; list++) {
        json_begin_array(j, keys[list]);
        for (size_t i = 0; i < l->count && observed == (list == 1); i++)
            loser_json(&l->rows[i], NULL, j);
        json_end_array(j);
    }
}
