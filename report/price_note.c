/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notes on prices, from `cost` in summaries; see price_note.h. */
#include "report/price_note.h"

#include "sim/base/mem.h"
#include "sim/base/out.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 6 /* of nodes in one line */

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

bool price_is_unverified(const cJSON *summary)
{
    return cJSON_GetArraySize(cost_at(summary, "unverified")) > 0;
}

static bool lists(const cJSON *list, const char *name)
{
    const cJSON *entry;
    cJSON_ArrayForEach(entry, list)
    {
        if (cJSON_IsString(entry) && strcmp(entry->valuestring, name) == 0)
            return true;
    }
    return false;
}

/* The names of both lists, each once. */
static void put_names(struct out *out, const char *what, const cJSON *first, const cJSON *second)
{
    const cJSON *const both[] = {first, second};
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        const cJSON *entry;
        cJSON_ArrayForEach(entry, both[i])
        {
            if (!cJSON_IsString(entry) || (i == 1 && lists(first, entry->valuestring)))
                continue;
            if (count < NAMES_MOST)
                out_format(out, "%s%s", count == 0 ? what : ", ", entry->valuestring);
            count++;
        }
    }
    if (count > NAMES_MOST)
        out_format(out, " and %zu more", count - NAMES_MOST);
}

char *price_note(const cJSON *summary, const cJSON *other)
{
    const char *basis = price_basis_at(summary), *theirs = other != NULL ? price_basis_at(other) : basis;
    if (*basis == '\0' || *theirs == '\0')
        return NULL;
    if (strcmp(basis, theirs) != 0)
        return mem_format("prices: %s in A and %s in B, so their money is not compared (cost.basis)", basis,
                          theirs);
    struct out *out = out_memory();
    out_format(out, "prices: %s", basis);
    put_names(out, "; unverified (?): ", cost_at(summary, "unverified"), cost_at(other, "unverified"));
    put_names(out, "; your own: ", cost_at(summary, "given"), cost_at(other, "given"));
    put_names(out, "; unknown: ", cost_at(summary, "unpriced"), cost_at(other, "unpriced"));
    return out_memory_take(out);
}
