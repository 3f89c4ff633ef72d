/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The decision sheet of a plan; see capacity_sheet.h. */
#include "report/plan/capacity_sheet.h"

#include "report/page/html.h"
#include "report/plan/capacity_cells.h"
#include "report/words/metric_text.h"
#include "sim/base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void capacity_sheet_question(const struct capacity_plan *plan, struct out *out)
{
    const struct capacity *c = &plan->options[plan->best];
    out_text(out, "<p class=\"question\">What is the smallest fleet with ");
    for (size_t i = 0; i < c->target_count; i++) {
        char *words = target_words(&c->targets[i]);
        out_text(out, i == 0 ? "" : i + 1 < c->target_count ? ", " : " and ");
        out_text(out, "<span title=\"");
        html_text(out, c->targets[i].text);
        out_text(out, "\">");
        html_text(out, words);
        out_text(out, "</span>");
        free(words);
    }
    out_text(out, "?</p>\n");
}

/* ---- cards ---- */

/* `title`: tooltip, or NULL. */
static void put_titled(struct out *out, const char *name, const char *title, const char *value,
                       const char *note)
{
    if (*value == '\0')
        return;
    out_text(out, title != NULL ? "<div><dt title=\"" : "<div><dt");
    html_text(out, title != NULL ? title : "");
    out_text(out, title != NULL ? "\">" : ">");
    html_text(out, name);
    out_text(out, "</dt><dd>");
    html_text(out, value);
    if (note != NULL && *note != '\0') {
        out_text(out, " <small>");
        html_text(out, note);
        out_text(out, "</small>");
    }
    out_text(out, "</dd></div>\n");
}

static void put_item(struct out *out, const char *name, const char *value, const char *note)
{
    put_titled(out, name, NULL, value, note);
}

/* Prints "2.24 million", and the difference from today's. */
static void put_money(struct out *out, const struct capacity_plan *plan,
                      const struct capacity_point *point)
{
    static const char path[] = "cost.usd_per_year";
    char usd[UNIT_TEXT], amount[UNIT_TEXT];
    double more = point->usd_per_year - plan->today.usd_per_year;
    if (isnan(point->usd_per_year))
        return;
    char *note =
        point == &plan->today || isnan(more)
            ? mem_text("")
            : mem_format("%s%s", more < 0 ? "-" : "+", metric_text(amount, path, fabs(more)));
    put_item(out, plan->price_unverified ? "USD per year (?)" : "USD per year",
             metric_text(usd, path, point->usd_per_year), note);
    free(note);
}

static void put_targets(struct out *out, const struct capacity *c,
                        const struct capacity_point *point)
{
    for (size_t t = 0; t < c->target_count; t++) {
        const struct capacity_value *value = &point->value[t];
        char text[64], *words = target_words(&c->targets[t]);
        put_titled(out, words, c->targets[t].text,
                   capacity_text(text, &c->targets[t], value->over.mean),
                   capacity_verdict_words[value->verdict]);
        free(words);
    }
}

/* Prints a point of an option's search, or of today's fleet, with the same targets. */
static void put_card(struct out *out, const struct capacity_plan *plan, const char *title,
                     const struct capacity *c, const struct capacity_point *point)
{
    struct capacity_cells cells;
    bool today = point == &plan->today;
    char gpus[UNIT_TEXT];
    capacity_cells(&cells, point, &plan->today);
    out_text(out, "<article class=\"card\">\n<h2>");
    html_text(out, title);
    out_text(out, "</h2>\n<dl>\n");
    put_item(out, "Nodes", cells.nodes, today ? NULL : cells.more_nodes);
    put_item(out, "GPUs", unit_count(gpus, (double)point->gpus), NULL);
    put_money(out, plan, point);
    put_targets(out, c, point);
    char *missed = mem_format("%s replicas", cells.missed);
    put_item(out, "Risk of missing a target", cells.risk, missed);
    free(missed);
    char allocated[UNIT_TEXT];
    put_item(out, "GPUs allocated", unit_percent(allocated, point->allocation), NULL);
    out_text(out, "</dl>\n</article>\n");
}

void capacity_sheet_cards(const struct capacity_plan *plan, struct out *out)
{
    out_text(out, "<section class=\"cards\" id=\"cards\">\n");
    put_card(out, plan, "today", &plan->options[plan->best], &plan->today);
    for (size_t i = 0; i < plan->option_count; i++) {
        const struct capacity *c = &plan->options[i];
        const struct capacity_point *answer = capacity_answer(c),
                                    *shown = answer != NULL ? answer : capacity_closest(c);
        const char *what = answer == NULL                              ? "no answer; closest"
                           : i == plan->best && plan->option_count > 1 ? "best"
                                                                       : NULL;
        char *title = what == NULL ? mem_text(c->label) : mem_format("%s (%s)", c->label, what);
        if (shown != NULL)
            put_card(out, plan, title, c, shown);
        free(title);
    }
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

void capacity_sheet_assumptions(const struct capacity_plan *plan, struct out *out)
{
    const struct capacity *c = &plan->options[plan->best];
    char *growth = capacity_growth_text(&plan->growth);
    char *chance =
        mem_format("up to %d replicas at each number of nodes%s%s", c->replicas,
                   plan->varied != NULL ? "; " : "", plan->varied != NULL ? plan->varied : "");
    char *confidence = mem_format("confidence %g", c->confidence);
    out_text(out, "<section class=\"block\" id=\"assumptions\">\n<h2>What this rests on</h2>\n"
                  "<table class=\"words\"><tbody>\n");
    put_assumption(out, "Chance", confidence, chance);
    put_assumption(out, "Demand", growth != NULL ? "assumed" : "as in the scenario",
                   growth != NULL ? growth : "No growth.");
    if (plan->price_note != NULL)
        put_assumption(out, "Prices", plan->price_unverified ? "estimate (?)" : "sourced or given",
                       plan->price_note);
    for (size_t i = 0; i < plan->speed_count; i++)
        put_assumption(out, "Speeds",
                       strstr(plan->speeds[i], "(assumed)") != NULL ? "assumed" : "derived",
                       plan->speeds[i]);
    put_assumption(out, "Policy", "as in the scenario", c->policy);
    out_text(out, "</tbody></table>\n</section>\n");
    free(confidence);
    free(chance);
    free(growth);
}
