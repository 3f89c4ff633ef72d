/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses alternative fleets; see variant.h. */
#include "report/plan/variant.h"

#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COUNT INT64_C(4194304)

static bool wrong(const char *text, const char *entry, const char *what, struct err *err)
{
    return err_set(err, EXIT_INPUT, "--fleet '%s', column %zu: %s", text,
                   (size_t)(entry - text) + 1, what);
}

static bool add_entry(struct variant *v, const char *entry, size_t n, struct err *err)
{
    const char *equals = memchr(entry, '=', n), *end = entry + n;
    const char *colon =
        memchr(equals != NULL ? equals : entry, ':', (size_t)(end - (equals ? equals : entry)));
    const char *name_end = equals != NULL ? equals : colon != NULL ? colon : end;
    const char *node_end = colon != NULL ? colon : end;
    int64_t count = -1;
    if (v->count == VARIANT_ENTRIES)
        return wrong(v->text, entry, "more than 16 pools", err);
    if (name_end == entry)
        return wrong(v->text, entry, "expected the name of a pool, such as main or new=dgx-b200",
                     err);
    if (equals != NULL && node_end == equals + 1)
        return wrong(v->text, node_end, "expected a node of the catalogue (list nodes)", err);
    if (colon != NULL && (!text_i64(colon + 1, (size_t)(end - colon - 1), &count) || count < 0 ||
                          count > MOST_COUNT))
        return wrong(v->text, colon + 1,
                     "expected a number of nodes, or none where it is to be found", err);
    struct variant_entry new = {.pool = mem_text_n(entry, (size_t)(name_end - entry)),
                                .count = count};
    if (equals != NULL)
        new.node = mem_text_n(equals + 1, (size_t)(node_end - equals - 1));
    v->growing += count < 0;
    v->entries[v->count++] = new;
    for (size_t i = 0; i + 1 < v->count; i++)
        if (strcmp(v->entries[i].pool, new.pool) == 0)
            return wrong(v->text, entry, "this pool is named twice", err);
    return true;
}

bool variant_parse(struct variant *v, const char *text, struct err *err)
{
    *v = (struct variant){.text = mem_text(text)};
    bool ok = true;
    v->all = strcmp(text, "*") == 0;
    for (const char *at = v->text; ok && !v->all;) {
        size_t n = strcspn(at, ",");
        ok = add_entry(v, at, n, err);
        if (at[n] == '\0')
            break;
        at += n + 1;
    }
    if (ok && v->growing == 0 && !v->all)
        ok = wrong(text, text,
                   "all pools have a count: omit it for the pool whose number of nodes is searched",
                   err);
    if (!ok)
        variant_fini(v);
    return ok;
}

void variant_fini(struct variant *v)
{
    for (size_t i = 0; i < v->count; i++) {
        free(v->entries[i].pool);
        free(v->entries[i].node);
    }
    free(v->text);
    *v = (struct variant){0};
}

int64_t variant_nodes(const struct variant *v, size_t entry, int64_t nodes)
{
    int64_t before = 0, growing = (int64_t)v->growing;
    if (v->entries[entry].count >= 0)
        return v->entries[entry].count;
    for (size_t i = 0; i < entry; i++)
        before += v->entries[i].count < 0;
    return nodes / growing + (before < nodes % growing);
}

int64_t variant_share(int64_t before, int64_t own, int64_t all, int64_t nodes)
{
    return ((before + own) * nodes * 2 + all) / (2 * all) - (before * nodes * 2 + all) / (2 * all);
}
