/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes about prices, from `cost` in summaries; see price_note.h. */
#include "report/words/price_note.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 6 /* names of nodes in one line */

static const cJSON *cost_at(const cJSON *summary, const char *key)
{
    const cJSON *cost = cJSON_GetObjectItemCaseSensitive(summary, "cost");
    return cJSON_GetObjectItemCaseSensitive(cost, key);
}

const char *price_basis_at(const cJSON *summary)
{
    const cJSON *basis = cost_at(summary, "basis");
    return cJSON_IsString(basis) ? basis->valuestring : "";
}

static void add_name(struct price_names *to, const cJSON *name)
{
    if (!cJSON_IsString(name))
        return;
    for (size_t i = 0; i < to->count; i++)
        if (strcmp(to->names[i], name->valuestring) == 0)
            return;
    to->names = mem_grow(to->names, &to->capacity, to->count + 1, sizeof(char *));
    to->names[to->count++] = mem_text(name->valuestring);
}

void price_notes_add(struct price_notes *notes, const cJSON *summary)
{
    static const char *const keys[PRICE_LISTS] = {"basis", "unverified", "given", "unpriced"};
    for (int list = 0; list < PRICE_LISTS; list++) {
        const cJSON *value = cost_at(summary, keys[list]), *entry;
        add_name(&notes->of[list], value);
        cJSON_ArrayForEach(entry, value)
        {
            add_name(&notes->of[list], entry);
        }
    }
}

void price_notes_fini(struct price_notes *notes)
{
    for (int list = 0; list < PRICE_LISTS; list++) {
        for (size_t i = 0; i < notes->of[list].count; i++)
            free(notes->of[list].names[i]);
        free(notes->of[list].names);
    }
    *notes = (struct price_notes){0};
}

static void put_names(struct out *out, const char *what, const struct price_names *from)
{
    for (size_t i = 0; i < from->count && i < NAMES_MOST; i++)
        out_format(out, "%s%s", i == 0 ? what : ", ", from->names[i]);
    if (from->count > NAMES_MOST)
        out_format(out, " and %zu more", from->count - NAMES_MOST);
}

char *price_notes_text(const struct price_notes *notes)
{
    const struct price_names *bases = &notes->of[PRICES_BASES];
    if (bases->count == 0)
        return NULL;
    struct out *out = out_memory();
    put_names(out, "prices: ", bases);
    if (bases->count > 1)
        out_text(out, ": different bases (cost.basis), so amounts cannot be compared");
    put_names(out, "; unverified (?): ", &notes->of[PRICES_UNVERIFIED]);
    put_names(out, "; your own: ", &notes->of[PRICES_GIVEN]);
    put_names(out, "; unknown: ", &notes->of[PRICES_UNPRICED]);
    return out_memory_take(out);
}

bool price_notes_unverified(const struct price_notes *notes)
{
    return notes->of[PRICES_UNVERIFIED].count > 0;
}

char *price_note(const cJSON *summary)
{
    struct price_notes notes = {0};
    price_notes_add(&notes, summary);
    char *text = price_notes_text(&notes);
    price_notes_fini(&notes);
    return text;
}
