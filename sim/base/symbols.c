/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names to dense ids: a uthash table over an array of entries. Entries do not move, the array of
 * pointers grows. */
#include "sim/base/symbols.h"

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/*
 * uthash's own functions work byte by byte through a switch; names are short, and a multiplication
 * for eight bytes is several times faster. The value never shows: ids are given in order of
 * appearance.
 */
static unsigned hash_name(const void *name, size_t length)
{
    const unsigned char *p = name;
    uint64_t hash = 0x9e3779b97f4a7c15u ^ length;
    while (length > 0) {
        uint64_t word = 0;
        size_t n = length < sizeof word ? length : sizeof word;
        if (n == sizeof word) {
            memcpy(&word, p, sizeof word);
        } else {
            for (size_t i = 0; i < n; i++)
                word = word << 8 | p[i];
        }
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 32;
        p += n;
        length -= n;
    }
    return (unsigned)(hash ^ hash >> 17);
}

#define HASH_FUNCTION(key, length, value) ((value) = hash_name(key, length))
#define uthash_malloc(size)               mem_alloc(1, size)
#define uthash_free(ptr, size)            free(ptr)
#define uthash_fatal(message)             bug_report(message, __FILE__, __LINE__)
#include <uthash.h>

struct symbol {
    UT_hash_handle hh;
    uint32_t id;
    char name[];
};

/* Invariant: by_id[i]->id == i, and every entry is in the hash under its name. */
struct symbols {
    struct symbol *hash;
    struct symbol **by_id;
    size_t capacity;
    uint32_t count;
};

struct symbols *symbols_create(void)
{
    return mem_alloc(1, sizeof(struct symbols));
}

void symbols_destroy(struct symbols *symbols)
{
    if (!symbols)
        return;
    HASH_CLEAR(hh, symbols->hash);
    for (uint32_t i = 0; i < symbols->count; i++)
        free(symbols->by_id[i]);
    free(symbols->by_id);
    free(symbols);
}

static struct symbol *find(const struct symbols *symbols, const char *name, size_t length)
{
    struct symbol *symbol = NULL;
    HASH_FIND(hh, symbols->hash, name, length, symbol);
    return symbol;
}

uint32_t symbols_find(const struct symbols *symbols, const char *name, size_t length)
{
    const struct symbol *symbol = find(symbols, name, length);
    return symbol ? symbol->id : SYMBOL_NONE;
}

uint32_t symbols_add(struct symbols *symbols, const char *name, size_t length)
{
    struct symbol *symbol = find(symbols, name, length);
    if (symbol)
        return symbol->id;
    BUG_ON(symbols->count == SYMBOL_NONE - 1);
    symbol = mem_alloc(1, sizeof *symbol + length + 1);
    if (length)
        memcpy(symbol->name, name, length);
    symbol->id = symbols->count++;
    symbols->by_id =
        mem_grow(symbols->by_id, &symbols->capacity, symbols->count, sizeof(struct symbol *));
    symbols->by_id[symbol->id] = symbol;
    HASH_ADD_KEYPTR(hh, symbols->hash, symbol->name, length, symbol);
    return symbol->id;
}

const char *symbols_name(const struct symbols *symbols, uint32_t id)
{
    BUG_ON(id >= symbols->count);
    return symbols->by_id[id]->name;
}

uint32_t symbols_count(const struct symbols *symbols)
{
    return symbols->count;
}
