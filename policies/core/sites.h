/* SPDX-License-Identifier: MIT */
/* Sites (sets of pools with their nodes indexed) and pools. */
#ifndef POLICY_CORE_SITES_H
#define POLICY_CORE_SITES_H

#include "core/state.h"

/* The site for a sorted set of pools (none: all), made when there is none yet; PC_NONE when there is no memory. */
uint32_t pc_site_find(struct policy *, const uint32_t *pools, uint32_t count);

/* Makes sure that the pool is known and all sites' indexes can hold a node of that pool, rank and size. */
bool pc_sites_reserve(struct policy *, uint32_t pool, uint32_t rank, int32_t devices);

/* Whether the pool is one of the site's. */
static inline bool pc_site_has(const struct policy *p, uint32_t site, uint32_t pool)
{
    for (uint32_t i = 0; i < p->pools[pool].site_count; i++)
        if (p->pools[pool].sites[i] == site)
            return true;
    return false;
}

/* The same for one site, which need not be the policy's. */
bool pc_site_reserve(struct policy *, struct pc_site *, uint32_t rank, int32_t devices);

void pc_site_free(struct policy *, struct pc_site *);

#endif
