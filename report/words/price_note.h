/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What has to stand beside money: the basis of the prices, which are unverified, which are the
 * user's own, and which are unknown. It is gathered from `cost` of every summary that a table
 * shows:
 *
 *     struct price_notes notes = {0};
 *     price_notes_add(&notes, summary);
 *     char *line = price_notes_text(&notes);      "prices: rent; unverified (?): dgx-a100"
 *     price_notes_fini(&notes);
 */
#ifndef REPORT_WORDS_PRICE_NOTE_H
#define REPORT_WORDS_PRICE_NOTE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum price_list { PRICES_BASES, PRICES_UNVERIFIED, PRICES_GIVEN, PRICES_UNPRICED, PRICE_LISTS };

/* Zeroed to begin with. Names are copied, each once. */
struct price_notes {
    struct price_names {
        char **names;
        size_t count, capacity;
    } of[PRICE_LISTS];
};

void price_notes_add(struct price_notes *, const cJSON *summary);
void price_notes_fini(struct price_notes *);

/* NULL when there are no prices to speak of; the caller frees it. On two bases it says that money
 * cannot be compared. */
char *price_notes_text(const struct price_notes *);

/* Some price is an estimate or unchecked: tables put (?) into their heading. */
bool price_notes_unverified(const struct price_notes *);

/* All of it for one summary. */
char *price_note(const cJSON *summary);

/* "rent", "own", or "" when the summary says nothing. */
const char *price_basis_at(const cJSON *summary);

#endif
