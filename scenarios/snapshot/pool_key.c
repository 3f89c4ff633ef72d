/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of quotas by pool; see pool_key.h. */
#include "scenarios/snapshot/pool_key.h"

#include <string.h>

enum key_kind { NAME, TYPE, LIST, NOTHING };

static bool has_pool(const struct pool_type *pools, size_t count, const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(pools[i].name) == length && memcmp(pools[i].name, name, length) == 0)
            return true;
    return false;
}

static bool has_type(const struct pool_type *pools, size_t count, const char *type)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(pools[i].type, type) == 0)
            return true;
    return false;
}

/* Returns the length of the first name in a list separated by '|'. */
static size_t first_length(const char *list)
{
    return strcspn(list, "|");
}

/* Returns the list without its first name; NULL if that was the only one. */
static const char *rest_of(const char *list)
{
    size_t n = first_length(list);
    return list[n] == '|' ? list + n + 1 : NULL;
}

static enum key_kind kind_of(const struct pool_type *pools, size_t count, const char *key)
{
    if (has_pool(pools, count, key, strlen(key)))
        return NAME;
    if (has_type(pools, count, key))
        return TYPE;
    for (const char *at = key; at != NULL; at = rest_of(at))
        if (!has_pool(pools, count, at, first_length(at)))
            return NOTHING;
    return LIST;
}

static bool names(enum key_kind kind, const char *key, const struct pool_type *pool)
{
    if (kind != LIST)
        return kind != NOTHING && strcmp(kind == NAME ? pool->name : pool->type, key) == 0;
    for (const char *at = key; at != NULL; at = rest_of(at))
        if (has_pool(pool, 1, at, first_length(at)))
            return true;
    return false;
}

size_t pool_key_find(const struct pool_type *pools, size_t count, const char *key,
                     int64_t quota_milli, struct scen_pool_quota *to)
{
    enum key_kind kind = kind_of(pools, count, key);
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        bool known = !names(kind, key, &pools[i]);
        for (size_t k = 0; k < n && !known; k++) /* a pool of several types is listed repeatedly */
            known = strcmp(to[k].pool, pools[i].name) == 0;
        if (known)
            continue;
        to[n] = (struct scen_pool_quota){pools[i].name, n > 0, quota_milli};
        n++;
    }
    return n;
}
