/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What has to stand beside money: the basis of the prices, and which of them nobody verified or nobody knows. */
#ifndef REPORT_PRICE_NOTE_H
#define REPORT_PRICE_NOTE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* "rent", "own", or "" when the summary says nothing. */
const char *price_basis_at(const cJSON *summary);

/* Some price under the figures is an estimate, or nobody checked it: tables put "?" behind their heading. */
bool price_is_unverified(const cJSON *summary);

/*
 * One line: "prices: rent; unverified (?): dgx-a100". Two summaries (the second may be NULL) share it; on different bases it
 * says that their money cannot be compared. NULL when there are no prices to speak of; the caller frees it.
 */
char *price_note(const cJSON *summary, const cJSON *other);

#endif
