/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys of quotas by pool, in scenarios and snapshots. A key is the name of a pool; else a GPU type,
 * meaning all pools that have it; else names of pools separated by '|', which share the quota.
 */
#ifndef SCENARIOS_SNAPSHOT_POOL_KEY_H
#define SCENARIOS_SNAPSHOT_POOL_KEY_H

#include "scenarios/scenario.h"

#include <stdbool.h>
#include <stddef.h>

/* A pool with one of its GPU types. */
struct pool_type {
    const char *name, *type;
};

/*
 * Finds the pools that the key names. Writes an entry for each, in the order of the list, all but
 * the first joined; `to` has room for `count`. Returns their number; 0 if the key, or a part of it,
 * names none.
 */
size_t pool_key_find(const struct pool_type *pools, size_t count, const char *key,
                     int64_t quota_milli, struct scen_pool_quota *to);

#endif
