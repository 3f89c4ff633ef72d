/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision sheet; see sheet.h. */
#include "report/compare/sheet.h"

#include "report/measure/speeds.h"
#include "report/page/html.h"
#include "report/stats/skewed.h"
#include "report/words/labels.h"
#include "report/words/metric_text.h"
#include "report/words/price_note.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHANGES 3 /* named in the question */

/* ---- the question ---- */

/* Returns a JSON text without its quotation marks. */
static char *plain(const char *text)
{
    size_t n = strlen(text);
    bool quoted = n >= 2 && text[0] == '"' && text[n - 1] == '"';
    return quoted ? mem_text_n(text + 1, n - 2) : mem_text(text);
}

/* Returns a list of names without JSON punctuation: "main-3, main-4", "main:8". */
static char *plain_list(const char *text)
{
    struct out *out = out_memory();
    for (; *text != '\0'; text++)
        if (strchr("[]{}\"", *text) == NULL)
            out_char(out, *text);
    return out_memory_take(out);
}

/* Prints changes to lists of nodes as what happens to the nodes. */
static bool put_nodes(struct out *out, const struct pairing_change *change)
{
    const char *verb = strcmp(change->path, "fleet.lose") == 0    ? "lose"
                       : strcmp(change->path, "fleet.drain") == 0 ? "drain"
                       : strcmp(change->path, "fleet.add") == 0   ? "add nodes"
                                                                  : NULL;
    if (verb == NULL || strcmp(change->text[SIDE_A], "-") != 0)
        return false;
    char *nodes = plain_list(change->text[SIDE_B]);
    out_format(out, "%s %s", verb, nodes);
    free(nodes);
    return true;
}

/* "-" stands for an absent key. */
static void put_change(struct out *out, const struct pairing_change *change)
{
    if (put_nodes(out, change))
        return;
    char *label = label_key(change->path), *from = plain(change->text[SIDE_A]),
         *to = plain(change->text[SIDE_B]);
    if (strcmp(from, "-") == 0)
        out_format(out, "set %s to %s", label, to);
    else
        out_format(out, "change %s from %s to %s", label, from, strcmp(to, "-") == 0 ? "none" : to);
    free(label);
    free(from);
    free(to);
}

/* Options belong to a policy, so they are implied if the policy changes. */
static bool goes_without_saying(const struct comparison *c, const struct pairing_change *change)
{
    if (change->follows)
        return true;
    if (strncmp(change->path, "policy.options.", 15) != 0 || strcmp(change->text[SIDE_B], "-") != 0)
        return false;
    bool renamed = false;
    for (size_t i = 0; i < c->pairing.change_count; i++)
        renamed = renamed || strcmp(c->pairing.changes[i].path, "policy.name") == 0;
    return renamed;
}

char *sheet_question(const struct comparison *c)
{
    size_t count = 0, shown = 0;
    for (size_t i = 0; i < c->pairing.change_count; i++)
        count += !goes_without_saying(c, &c->pairing.changes[i]);
    if (count == 0)
        return mem_text("Do these two runs differ?");
    struct out *out = out_memory();
    out_text(out, "What if we ");
    for (size_t i = 0; i < c->pairing.change_count && shown < CHANGES; i++) {
        if (goes_without_saying(c, &c->pairing.changes[i]))
            continue;
        bool last = shown + 1 == count;
        out_text(out, shown == 0 ? "" : last ? " and " : ", ");
        put_change(out, &c->pairing.changes[i]);
        shown++;
    }
    if (count > shown)
        out_format(out, ", and change %zu other key%s", count - shown,
                   count - shown == 1 ? "" : "s");
    out_char(out, '?');
    return out_memory_take(out);
}

/* ---- cards ---- */

struct figure_row {
    const char *path, *name;
};

static const struct figure_row figures_of_card[] = {
    {"cost.usd_per_year", "USD per year"},
    {"wait_s.p95", "Wait, p95"},
    {"wait_s.mean", "Wait, mean"},
    {"utilization.fleet_goodput", "Goodput, share of all GPU time"},
    {"preemption.evictions", "Evictions"},
    {"jobs.pending", "Jobs still pending at the end"},
};

static const struct comparison_row *row_of(const struct comparison *c, const char *path)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->rows[i].measure->path, path) == 0)
            return &c->rows[i];
    return NULL;
}

/* Returns the mean number of GPUs over the window; NaN if unknown. */
static double gpus_of(const struct comparison *c, int side)
{
    const cJSON *summary = c->pairing.run[side].summary;
    double hours =
        (json_number_at(summary, "window.end_s") - json_number_at(summary, "window.start_s")) /
        3600;
    const struct comparison_row *row = row_of(c, "gpu_hours.installed");
    return row != NULL && hours > 0 ? row->judgement.mean[side] / hours : (double)NAN;
}

static void put_item(struct out *out, const char *name, const char *value)
{
    out_text(out, "<div><dt>");
    html_text(out, name);
    out_text(out, "</dt><dd>");
    html_text(out, value);
}

/* Prints the effect of B, verdict first, so noise is not read as an effect. */
static void put_effect(struct out *out, const struct comparison_row *row)
{
    const struct judgement *j = &row->judgement;
    char change[COMPARISON_TEXT];
    const char *css = j->verdict == JUDGE_BETTER  ? " class=\"gain\""
                      : j->verdict == JUDGE_WORSE ? " class=\"harm\""
                                                  : "";
    out_format(out, " <small%s>", css);
    if (j->verdict != JUDGE_EQUAL) {
        html_text(out, comparison_change(change, row));
        out_text(out, ", ");
    }
    html_text(out, judge_verdict_words[j->verdict]);
    out_text(out, "</small>");
}

static const char *value_of(char text[COMPARISON_TEXT], const struct comparison_row *row, int side)
{
    const char *path = row->measure->path;
    double mean = row->judgement.mean[side];
    char value[UNIT_TEXT];
    if (row->judgement.bounds[side] > 0)
        return comparison_value(text, row, side);
    (void)snprintf(text, COMPARISON_TEXT, "%s", metric_text(value, path, mean));
    return text;
}

/* The target as given is in the tooltip. */
static void put_risks(struct out *out, const struct comparison *c, int side)
{
    char text[RISK_TEXT];
    if (c->risks.count == 0) {
        put_item(out, "Risk of missing a target", "no target given");
        out_text(out, "</dd></div>\n");
    }
    for (size_t i = 0; i < c->risks.count; i++) {
        const struct comparison_risk *risk = &c->risks.rows[i];
        char *name = risk_name(risk);
        out_text(out, "<div><dt");
        if (risk->target != NULL) {
            out_text(out, " title=\"");
            html_text(out, risk->target->text);
            out_char(out, '"');
        }
        out_text(out, ">Risk of missing: ");
        html_text(out, name);
        out_text(out, "</dt><dd>");
        html_text(out, risk_text(text, &risk->of[side]));
        out_format(out, " <small>%zu of %zu replicas</small></dd></div>\n", risk->of[side].missed,
                   risk->of[side].tried);
        free(name);
    }
}

static void put_card(struct out *out, const struct comparison *c, int side)
{
    char text[COMPARISON_TEXT], gpus[UNIT_TEXT];
    const struct rundir *run = &c->pairing.run[side];
    out_format(out, "<article class=\"card\">\n<h2><span>%c</span> ", side == SIDE_A ? 'A' : 'B');
    html_text(out, run->path);
    out_text(out, "</h2>\n<dl>\n");
    put_item(out, "Policy", json_text_at(run->summary, "policy"));
    out_text(out, "</dd></div>\n");
    put_item(out, "GPUs", unit_amount(gpus, gpus_of(c, side)));
    out_text(out, "</dd></div>\n");
    for (size_t i = 0; i < sizeof figures_of_card / sizeof *figures_of_card; i++) {
        const struct comparison_row *row = row_of(c, figures_of_card[i].path);
        bool money = strncmp(figures_of_card[i].path, "cost", 4) == 0;
        if (row == NULL || (money && !comparison_same_basis(c)))
            continue;
        bool estimate = money && strcmp(comparison_title(c, SECTION_COST),
                                        comparison_section_titles[SECTION_COST]) != 0;
        put_item(out, estimate ? "USD per year (?)" : figures_of_card[i].name,
                 value_of(text, row, side));
        if (side == SIDE_B)
            put_effect(out, row);
        out_text(out, "</dd></div>\n");
    }
    put_risks(out, c, side);
    out_text(out, "</dl>\n</article>\n");
}

void sheet_cards(const struct comparison *c, struct out *out)
{
    out_text(out, "<section class=\"cards\" id=\"options\">\n");
    for (int side = 0; side < SIDES; side++)
        put_card(out, c, side);
    out_text(out, "</section>\n");
}

/* ---- assumptions ---- */

static void put_assumption(struct out *out, const char *topic, const char *mark, const char *text)
{
    out_text(out, "<tr><th scope=\"row\">");
    html_text(out, topic);
    out_text(out, "</th><td>");
    html_text(out, mark);
    out_text(out, "</td><td class=\"text\">");
    html_text(out, text);
    out_text(out, "</td></tr>\n");
}

static void put_prices(struct out *out, const struct comparison *c)
{
    struct price_notes notes = {0};
    for (int side = 0; side < SIDES; side++)
        price_notes_add(&notes, c->pairing.run[side].summary);
    char *text = price_notes_text(&notes);
    const char *mark = notes.of[PRICES_UNPRICED].count > 0 ? "not all known"
                       : price_notes_unverified(&notes)    ? "estimate (?)"
                                                           : "sourced or given";
    if (text != NULL)
        put_assumption(out, "Prices", mark, text);
    free(text);
    price_notes_fini(&notes);
}

static void put_speeds(struct out *out, const struct comparison *c)
{
    char *text = speeds_note(c->pairing.run[SIDE_A].summary, c->pairing.run[SIDE_B].summary);
    if (text != NULL)
        put_assumption(out, "Speeds", strstr(text, "(assumed)") != NULL ? "assumed" : "derived",
                       text);
    free(text);
}

static void put_chance(struct out *out, const struct comparison *c)
{
    char *varied = comparison_varied(c);
    char *text = mem_format("%zu pairs of replicas%s%s", c->pairing.replicas,
                            varied != NULL ? ". " : "", varied != NULL ? varied : "");
    const char *mark = c->certain                         ? "exact: nothing is random"
                       : c->pairing.replicas < STAT_LEAST ? "too few for a verdict"
                                                          : "intervals are in the details";
    put_assumption(out, "Chance", mark, text);
    free(text);
    free(varied);
}

void sheet_assumptions(const struct comparison *c, struct out *out)
{
    out_text(out, "<section class=\"block\" id=\"assumptions\">\n<h2>What this rests on</h2>\n"
                  "<table class=\"words\"><tbody>\n");
    put_chance(out, c);
    put_prices(out, c);
    put_speeds(out, c);
    out_text(out, "</tbody></table>\n</section>\n");
}
