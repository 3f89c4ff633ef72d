/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Risk and cost of a number of nodes, as texts shared by the terminal and the page. */
#ifndef REPORT_PLAN_CAPACITY_CELLS_H
#define REPORT_PLAN_CAPACITY_CELLS_H

#include "report/plan/capacity.h"
#include "report/words/units.h"

struct capacity_cells {
    char nodes[UNIT_TEXT];  /* in the whole fleet */
    char missed[UNIT_TEXT]; /* "1 of 20" replicas */
    char
        risk[2 * UNIT_TEXT]; /* "5.0% (0.1%..24.9%)"; ">= 2.5%" if the number was abandoned early */
    char usd[UNIT_TEXT];     /* a year */
    char more_nodes[UNIT_TEXT]; /* difference from today, "+14"; "" without today's fleet */
    char more_usd[UNIT_TEXT];
};

void capacity_cells(struct capacity_cells *, const struct capacity_point *,
                    const struct capacity_point *today);

/*
 * Returns "Demand grows by 30% a year, compound: 1.3 times today's after 12 months."; NULL without
 * growth. The caller frees it.
 */
char *capacity_growth_text(const struct growth *);

#endif
