/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision sheet at the start of a comparison's page: the question in words, a card for each
 * option, and the assumptions. It can be read without knowing the names of metrics.
 */
#ifndef REPORT_COMPARE_SHEET_H
#define REPORT_COMPARE_SHEET_H

#include "report/compare/comparison.h"

/* Returns "What if we change the nodes of pool main from 16 to 17?" The caller frees it. */
char *sheet_question(const struct comparison *);

void sheet_cards(const struct comparison *, struct out *);
void sheet_assumptions(const struct comparison *, struct out *);

#endif
