/* SPDX-License-Identifier: MIT */
/* Sites and pools; see sites.h and the picture in state.h. */
#include "core/sites.h"
#include "core/nodes.h"
#include "core/ranked.h"
#include "place/near.h"

#include <string.h>

static bool contains(const struct pc_site *s, uint32_t pool)
{
    for (uint32_t i = 0; i < s->pool_count; i++)
        if (s->pools[i] == pool)
            return true;
    return s->pool_count == 0;
}

static bool link_pool(struct policy *p, uint32_t pool, uint32_t site)
{
    struct pc_pool *known = &p->pools[pool];
    if (!PC_GROW(&p->memory, known->sites, known->site_capacity, known->site_count + 1))
        return false;
    known->sites[known->site_count++] = site;
    return true;
}

/* Pools are numbered by the embedder: makes all up to `pool` known, and links them to the sites that contain them. */
static bool know_pool(struct policy *p, uint32_t pool)
{
    if (pool < p->pool_count)
        return true;
    if (!PC_GROW(&p->memory, p->pools, p->pool_capacity, pool + 1))
        return false;
    while (p->pool_count <= pool) {
        uint32_t id = p->pool_count;
        p->pools[id] = (struct pc_pool){0};
        for (uint32_t s = 0; s < p->site_count; s++)
            if (contains(&p->sites[s], id) && !link_pool(p, id, s)) {
                pc_release(&p->memory, p->pools[id].sites, p->pools[id].site_capacity, sizeof(uint32_t));
                return false;
            }
        p->pool_count++;
    }
    return true;
}

bool pc_site_reserve(struct policy *p, struct pc_site *s, uint32_t rank, int32_t devices)
{
    if (!pc_bits_reserve(&s->nodes, &p->memory, rank + 1) ||
        !pc_bits_reserve(&s->shared, &p->memory, rank + 1))
        return false;
    if (devices > 0 && (s->fewest_devices == 0 || devices < s->fewest_devices))
        s->fewest_devices = devices;
    if (s->most_devices > devices)
        devices = s->most_devices;
    for (int32_t free = 0; free <= devices; free++)
        if (!pc_bits_reserve(&s->by_free[free], &p->memory, s->nodes.capacity))
            return false;
    s->most_devices = devices;
    return true;
}

bool pc_sites_reserve(struct policy *p, uint32_t pool, uint32_t rank, int32_t devices)
{
    if (!know_pool(p, pool))
        return false;
    for (uint32_t i = 0; i < p->pools[pool].site_count; i++)
        if (!pc_site_reserve(p, &p->sites[p->pools[pool].sites[i]], rank, devices))
            return false;
    return true;
}

void pc_site_free(struct policy *p, struct pc_site *s)
{
    pc_bits_free(&s->nodes, &p->memory);
    pc_bits_free(&s->shared, &p->memory);
    for (int32_t free = 0; free <= POLICY_MAX_DEVICES; free++)
        pc_bits_free(&s->by_free[free], &p->memory);
    for (int32_t need = 0; need < PC_NEEDS; need++)
        pc_release(&p->memory, s->waiting[need].ids, s->waiting[need].capacity, sizeof(uint32_t));
    pc_release(&p->memory, s->pools, s->pool_count, sizeof *s->pools);
    pc_release(&p->memory, s->domains.cells, s->domains.capacity, sizeof *s->domains.cells);
}

static bool fill(struct policy *p, uint32_t id)
{
    struct pc_site *s = &p->sites[id];
    for (uint32_t n = 0; n < p->node_count; n++) {
        const struct pc_node *node = &p->nodes[n];
        if (!node->exists || !contains(s, node->pool))
            continue;
        if (!pc_site_reserve(p, s, node->rank, node->devices))
            return false;
        pc_index_node(s, node);
    }
    if (p->placement->counts)
        s->milli = 0; /* what is counted as taken shows in the pools, not on the nodes */
    for (uint32_t pool = 0; pool < p->pool_count; pool++) {
        if (!contains(s, pool))
            continue;
        if (!link_pool(p, pool, id))
            return false;
        if (p->placement->counts)
            s->milli += p->pools[pool].free_milli;
    }
    return true;
}

/* Takes a site that could not be finished out again. */
static void abandon(struct policy *p, uint32_t id)
{
    for (uint32_t pool = 0; pool < p->pool_count; pool++) {
        struct pc_pool *known = &p->pools[pool];
        if (known->site_count > 0 && known->sites[known->site_count - 1] == id)
            known->site_count--;
    }
    pc_site_free(p, &p->sites[id]);
}

uint32_t pc_site_find(struct policy *p, const uint32_t *pools, uint32_t count)
{
    for (uint32_t i = 0; i < p->site_count; i++)
        if (p->sites[i].pool_count == count &&
            (count == 0 || memcmp(p->sites[i].pools, pools, count * sizeof *pools) == 0))
            return i;
    if (count > 0 && !know_pool(p, pools[count - 1]))
        return PC_NONE;
    if (!PC_GROW(&p->memory, p->sites, p->site_capacity, p->site_count + 1) || !pc_ranked_reserve_site(p))
        return PC_NONE;
    uint32_t id = p->site_count;
    struct pc_site *s = &p->sites[id];
    memset(s, 0, sizeof *s);
    if (count > 0) {
        s->pools = pc_alloc(&p->memory, count, sizeof *pools);
        if (s->pools == NULL)
            return PC_NONE;
        memcpy(s->pools, pools, count * sizeof *pools);
        s->pool_count = count;
    }
    if (!fill(p, id)) {
        abandon(p, id);
        return PC_NONE;
    }
    p->site_count++;
    pc_near_forget_domains(p);
    return id;
}
