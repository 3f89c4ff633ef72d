/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Money in a comparison: when it is shown, and the note that must accompany it. */
#include "report/compare/comparison.h"
#include "report/words/price_note.h"

#include <string.h>

bool comparison_same_basis(const struct comparison *c)
{
    return strcmp(price_basis_at(c->pairing.run[SIDE_A].summary),
                  price_basis_at(c->pairing.run[SIDE_B].summary)) == 0;
}

/* Returns true if the scenarios differ in nodes or prices. */
bool comparison_of_fleets(const struct comparison *c)
{
    for (size_t i = 0; i < c->pairing.change_count; i++) {
        const char *path = c->pairing.changes[i].path;
        if (strncmp(path, "fleet", 5) == 0 || strncmp(path, "cost", 4) == 0)
            return true;
    }
    return false;
}

static struct price_notes notes_of(const struct comparison *c)
{
    struct price_notes notes = {0};
    for (int side = 0; side < SIDES; side++)
        price_notes_add(&notes, c->pairing.run[side].summary);
    return notes;
}

char *comparison_cost_note(const struct comparison *c)
{
    struct price_notes notes = notes_of(c);
    char *text = price_notes_text(&notes);
    price_notes_fini(&notes);
    return text;
}

const char *comparison_title(const struct comparison *c, enum comparison_section section)
{
    if (section != SECTION_COST)
        return comparison_section_titles[section];
    struct price_notes notes = notes_of(c);
    bool unverified = price_notes_unverified(&notes);
    price_notes_fini(&notes);
    return unverified ? "cost (?)" : comparison_section_titles[section];
}
