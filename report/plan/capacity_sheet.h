/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision sheet at the start of a capacity plan's page: the question, cards for today's fleet
 * and each alternative, and the assumptions.
 */
#ifndef REPORT_PLAN_CAPACITY_SHEET_H
#define REPORT_PLAN_CAPACITY_SHEET_H

#include "report/plan/capacity.h"

void capacity_sheet_question(const struct capacity_plan *, struct out *);
void capacity_sheet_cards(const struct capacity_plan *, struct out *);
void capacity_sheet_assumptions(const struct capacity_plan *, struct out *);

#endif
