/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision sheet, which begins the page of a comparison: the question in words, both options as
 * cards, and what the answer rests on. Nobody needs to know the name of a metric to read it.
 */
#ifndef REPORT_COMPARE_SHEET_H
#define REPORT_COMPARE_SHEET_H

#include "report/compare/comparison.h"

/* "What if we change the nodes of pool main from 16 to 17?" The caller frees it. */
char *sheet_question(const struct comparison *);

void sheet_cards(const struct comparison *, struct out *);
void sheet_assumptions(const struct comparison *, struct out *);

#endif
