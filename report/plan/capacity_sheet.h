/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision sheet, which begins the page of a capacity plan: the question, today's fleet and
 * each alternative as cards, and what the answer rests on.
 */
#ifndef REPORT_PLAN_CAPACITY_SHEET_H
#define REPORT_PLAN_CAPACITY_SHEET_H

#include "report/plan/capacity.h"

void capacity_sheet_question(const struct capacity_plan *, struct out *);
void capacity_sheet_cards(const struct capacity_plan *, struct out *);
void capacity_sheet_assumptions(const struct capacity_plan *, struct out *);

#endif
