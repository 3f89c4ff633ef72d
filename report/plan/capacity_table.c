/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan for the terminal: the answer, the alternatives by risk and yearly cost, and a row for each
 * number tried.
 */
#include "report/plan/capacity.h"
#include "report/plan/capacity_cells.h"
#include "report/terminal/table.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 8

static const char *mark(const struct capacity *c, const struct capacity_point *point)
{
    if (point->nodes == c->found.answer)
        return "<- answer";
    if (point->crowded)
        return "jobs never fit";
    return point->nodes == c->given ? "as given" : point->open ? "not excluded" : "";
}

/* Prints a fleet's cost and risk between the caller's first and last cell. */
static void put_fleet(struct table *table, const char *first, const struct capacity_point *point,
                      const struct capacity_point *today, const char *last)
{
    struct capacity_cells cells;
    capacity_cells(&cells, point, today);
    const char *row[COLUMNS] = {first,     cells.nodes,      cells.missed,   cells.risk,
                                cells.usd, cells.more_nodes, cells.more_usd, last};
    table_row(table, row);
}

static void put_options(const struct capacity_plan *plan, struct out *out, size_t width)
{
    struct table *table = table_create(COLUMNS);
    const char *usd = plan->price_unverified ? "USD/year (?)" : "USD/year";
    const char *more = plan->price_unverified ? "USD/year (?) +/-" : "USD/year +/-";
    const char *heads[COLUMNS] = {"fleet", "nodes",     "missed", "risk (95%)",
                                  usd,     "nodes +/-", more,     ""};
    const struct capacity_point *today = &plan->today;
    table_row(table, heads);
    put_fleet(table, "today", today, today, "");
    for (size_t i = 0; i < plan->option_count; i++) {
        const struct capacity *c = &plan->options[i];
        const struct capacity_point *answer = capacity_answer(c),
                                    *shown = answer ? answer : capacity_closest(c);
        if (shown != NULL)
            put_fleet(table, c->label, shown, today,
                      answer == NULL                              ? "closest; no answer"
                      : plan->option_count > 1 && i == plan->best ? "<- cheapest"
                                                                  : "");
    }
    out_char(out, '\n');
    table_print(table, out, width);
    table_destroy(table);
    if (plan->price_note != NULL)
        out_format(out, "%s\n", plan->price_note);
    for (size_t i = 0; i < plan->speed_count; i++)
        out_format(out, "speeds: %s\n", plan->speeds[i]);
}

static void put_point(const struct capacity *c, const struct capacity_point *point,
                      struct table *table)
{
    char nodes[UNIT_TEXT], used[UNIT_TEXT], mean[UNIT_TEXT];
    struct capacity_cells cells;
    capacity_cells(&cells, point, NULL);
    const struct capacity_value *v = &point->value[0];
    const char *row[COLUMNS] = {unit_count(nodes, (double)point->nodes),
                                cells.missed,
                                cells.risk,
                                capacity_text(mean, &c->targets[0], v->over.mean),
                                unit_percent(used, point->allocation),
                                cells.usd,
                                mark(c, point),
                                NULL};
    table_row(table, row);
}

static void put_points(const struct capacity *c, struct out *out, size_t width)
{
    struct table *table = table_create(COLUMNS);
    const char *heads[COLUMNS] = {"nodes",     "missed",   "risk (95%)", "mean",
                                  "allocated", "USD/year", "",           NULL};
    out_format(out, "\n%s: %s\n", c->label, c->targets[0].text);
    table_row(table, heads);
    for (size_t i = 0; i < c->point_count; i++)
        put_point(c, &c->points[i], table);
    table_print(table, out, width);
    table_destroy(table);
}

/* Prints the results of the targets after the first. */
static void put_other(const struct capacity *c, size_t t, struct out *out, size_t width)
{
    struct table *table = table_create(3);
    const char *heads[3] = {"nodes", "missed", "mean"};
    out_format(out, "\n%s: %s\n", c->label, c->targets[t].text);
    table_row(table, heads);
    for (size_t i = 0; i < c->point_count; i++) {
        const struct capacity_point *point = &c->points[i];
        char nodes[UNIT_TEXT], mean[UNIT_TEXT], missed[UNIT_TEXT];
        (void)snprintf(missed, sizeof missed, "%zu of %zu", point->value[t].missed,
                       point->risk.tried);
        const char *row[3] = {unit_count(nodes, (double)point->nodes), missed,
                              capacity_text(mean, &c->targets[t], point->value[t].over.mean)};
        table_row(table, row);
    }
    table_print(table, out, width);
    table_destroy(table);
}

static void put_growth(const struct capacity_plan *plan, struct out *out)
{
    char *text = capacity_growth_text(&plan->growth);
    if (text != NULL)
        out_format(out, "%s\n", text);
    free(text);
}

void capacity_table(const struct capacity_plan *plan, struct out *out, size_t width)
{
    const struct capacity *best = &plan->options[plan->best];
    out_format(out, "%s, policy %s, %d replicas\n", best->scenario, best->policy, best->replicas);
    put_growth(plan, out);
    if (plan->varied != NULL)
        out_format(out, "R%s.\n", plan->varied + 1); /* make "replicas ..." a sentence */
    for (size_t i = 0; i < plan->option_count; i++) {
        const struct capacity *c = &plan->options[i];
        char *headline = capacity_headline(c);
        bool named =
            plan->option_count > 1 && capacity_answer(c) == NULL; /* else the sentence says it */
        out_format(out, "%s%s%s\n", named ? c->label : "", named ? ": " : "", headline);
        free(headline);
        if (!c->bound.known)
            out_format(out, "No lower bound: %s.\n", c->bound.why);
    }
    put_options(plan, out, width);
    for (size_t i = 0; i < plan->option_count; i++) {
        put_points(&plan->options[i], out, width);
        for (size_t t = 1; t < plan->options[i].target_count; t++)
            put_other(&plan->options[i], t, out, width);
    }
}
