/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The note that goes with amounts of money: the basis of the prices, and which of them are
 * unverified, the user's own, or unknown. It is collected from `cost` of every summary in a table:
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

/* Initialised to zero. Names are copied, each once. */
struct price_notes {
    struct price_names {
        char **names;
        size_t count, capacity;
    } of[PRICE_LISTS];
};

void price_notes_add(struct price_notes *, const cJSON *summary);
void price_notes_fini(struct price_notes *);

/*
 * Returns the note, or NULL if there are no prices; the caller frees it. If the bases differ, it
 * says that amounts cannot be compared.
 */
char *price_notes_text(const struct price_notes *);

/* Returns true if some price is estimated or unverified; tables then put (?) in their heading. */
bool price_notes_unverified(const struct price_notes *);

/* Returns the note for one summary. */
char *price_note(const cJSON *summary);

/* Returns "rent" or "own"; "" if the summary does not say. */
const char *price_basis_at(const cJSON *summary);

#endif
