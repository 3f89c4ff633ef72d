/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of a point; see capacity_cells.h. */
#include "report/plan/capacity_cells.h"

#include "sim/base/mem.h"

#include <math.h>
#include <stdio.h>

/* "+14", "-3", "0"; "-" if undefined. */
static void put_more(char text[UNIT_TEXT], double more)
{
    char amount[UNIT_TEXT];
    (void)unit_count(amount, round(fabs(more)));
    const char *sign = more >= 0.5 ? "+" : more <= -0.5 ? "-" : "";
    (void)snprintf(text, UNIT_TEXT, "%s%.60s", sign, amount);
}

static void put_risk(char text[2 * UNIT_TEXT], const struct rule_risk *risk)
{
    char share[UNIT_TEXT], low[UNIT_TEXT], high[UNIT_TEXT];
    (void)unit_percent(low, risk->low);
    if (risk->complete)
        (void)snprintf(text, 2 * UNIT_TEXT, "%.30s (%.30s..%.30s)",
                       unit_percent(share, risk->share), low, unit_percent(high, risk->high));
    else
        (void)snprintf(text, 2 * UNIT_TEXT, ">= %.60s", low);
}

void capacity_cells(struct capacity_cells *cells, const struct capacity_point *point,
                    const struct capacity_point *today)
{
    *cells = (struct capacity_cells){.more_nodes = ""};
    (void)unit_count(cells->nodes, (double)point->fleet_nodes);
    (void)snprintf(cells->missed, sizeof cells->missed, "%zu of %zu", point->risk.missed,
                   point->risk.tried);
    put_risk(cells->risk, &point->risk);
    (void)unit_count(cells->usd, round(point->usd_per_year));
    if (today == NULL || today == point)
        return;
    put_more(cells->more_nodes, (double)(point->fleet_nodes - today->fleet_nodes));
    put_more(cells->more_usd, point->usd_per_year - today->usd_per_year);
}

const struct capacity_point *capacity_shown(const struct capacity *c, char **name)
{
    const struct capacity_point *answer = capacity_answer(c);
    *name = answer != NULL ? mem_text(c->label) : mem_format("%s (no answer; closest)", c->label);
    return answer != NULL ? answer : capacity_closest(c);
}

char *capacity_growth_text(const struct growth *growth)
{
    char rate[UNIT_TEXT], factor[UNIT_TEXT];
    if (!(growth->years > 0))
        return NULL;
    return mem_format(
        "Demand changes by %s a year, compound: %s times that of today after %.4g months.",
        unit_percent(rate, growth->yearly), unit_amount(factor, growth->factor),
        growth->years * 12);
}
