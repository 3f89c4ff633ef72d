/* SPDX-License-Identifier: MIT */
/* Pools, and sets of them; see pool_sets.h. */
#include "state/pool_sets.h"

#include "base/sort.h"

#include "base/bits.h"
#include "state/devices.h"

#include <string.h>

bool pc_pool_set_has(const struct pc_pool_set *s, uint32_t pool)
{
    for (uint32_t i = 0; i < s->pool_count; i++)
        if (s->pools[i] == pool)
            return true;
    return s->pool_count == 0;
}

/* ---- pools ---- */

static bool link_pool(struct policy *p, uint32_t pool, uint32_t set)
{
    struct pc_pool *known = &p->cluster->pools[pool];
    if (!PC_GROW(&p->memory, known->sets, known->set_capacity, known->set_count + 1))
        return false;
    known->sets[known->set_count++] = set;
    return true;
}

/* Pools are numbered by the embedder: creates all up to `pool` and links them to the sets that
 * contain them. */
bool pc_pools_know(struct policy *p, uint32_t pool)
{
    struct pc_cluster *c = p->cluster;
    if (pool < c->pool_count)
        return true;
    if (!PC_GROW(&p->memory, c->pools, c->pool_capacity, pool + 1))
        return false;
    while (c->pool_count <= pool) {
        uint32_t id = c->pool_count;
        memset(&c->pools[id], 0, sizeof *c->pools);
        for (uint32_t s = 0; s < c->pool_set_count; s++)
            if (pc_pool_set_has(&c->pool_sets[s], id) && !link_pool(p, id, s)) {
                pc_release(&p->memory, c->pools[id].sets, c->pools[id].set_capacity,
                           sizeof(uint32_t));
                return false;
            }
        c->pool_count++;
    }
    return true;
}

/* ---- idle capacity of a node ---- */

/* Idle thousandths of one device; a freely partitioned one counts its compute slices. */
static int64_t idle_of(const struct pc_node *n, struct pc_device d)
{
    bool taken = d.used > 0 || d.releasing > 0 || d.nominated > 0;
    if (n->mig == POLICY_MIG_FREE && !taken)
        return (int64_t)(7 - d.compute - d.compute_leaving - d.compute_nominated) * POLICY_WHOLE;
    if (d.slices != 0 || d.slices_leaving != 0 || d.slices_nominated != 0)
        return 0;
    int64_t idle = (int64_t)n->capacity - d.used - d.releasing - d.nominated;
    return idle > 0 ? idle * POLICY_WHOLE / n->capacity : 0;
}

int64_t pc_idle_milli(const struct pc_cluster *c, const struct pc_node *n)
{
    int64_t sum = 0;
    for (uint32_t i = 0; n->mig == POLICY_MIG_FIXED && i < POLICY_MAX_PROFILES; i++)
        sum += (int64_t)n->instances->idle[i] * c->slices[i] * POLICY_WHOLE;
    if (n->mig != POLICY_MIG_FREE)
        sum += (int64_t)pc_popcount(n->idle) * POLICY_WHOLE;
    uint64_t parts = n->mig == POLICY_MIG_FREE ? n->usable : n->groups & n->usable & ~n->idle;
    for (; parts != 0; parts &= parts - 1)
        sum += idle_of(n, pc_device_of(n, pc_lowest(parts)));
    return sum;
}

int64_t pc_unusable_milli(const struct pc_node *n)
{
    uint64_t all = pc_all_devices(n->devices);
    uint64_t lost = n->state != POLICY_NODE_UP ? all : all & ~n->usable;
    int64_t sum = 0;
    for (; lost != 0; lost &= lost - 1)
        sum += idle_of(n, pc_device_of(n, pc_lowest(lost)));
    return sum;
}

int32_t pc_free_whole(const struct pc_cluster *c, const struct pc_node *n)
{
    int32_t free = c->traits.nominates ? pc_soon_whole(n) : pc_popcount(n->idle);
    return free > 0 ? free : 0;
}

/* ---- updating the indexes ---- */

static void move_node(struct pc_pool_set *s, const struct pc_node *n, int32_t whole, bool shared)
{
    if (n->free_listed != whole) {
        if (n->free_listed >= 0)
            pc_pool_set_unlist(s, n->free_listed, n->rank);
        if (whole >= 0)
            pc_pool_set_list(s, whole, n->rank);
        s->whole += (whole > 0 ? whole : 0) - (n->free_listed > 0 ? n->free_listed : 0);
    }
    if ((n->free_listed >= 0) != (whole >= 0)) {
        if (whole >= 0)
            pc_bits_add(&s->up, n->rank);
        else
            pc_bits_remove(&s->up, n->rank);
    }
    if (shared && !n->shared_listed)
        pc_bits_add(&s->shared, n->rank);
    else if (!shared && n->shared_listed)
        pc_bits_remove(&s->shared, n->rank);
}

void pc_pool_sets_settle(struct pc_cluster *c, struct pc_node *n)
{
    if (!c->traits.by_free)
        return;
    bool up = n->exists && n->state == POLICY_NODE_UP;
    bool whole_node = up && n->usable == pc_all_devices(n->devices);
    int32_t whole = up ? pc_free_whole(c, n) : -1;
    bool shared = up && n->shared != 0;
    bool plain = n->groups == 0 && n->mig != POLICY_MIG_FIXED && n->mig != POLICY_MIG_FREE &&
                 !c->traits.nominates;
    int64_t idle = !up ? 0 : plain ? (int64_t)whole * POLICY_WHOLE : pc_idle_milli(c, n);
    int64_t unusable = n->exists && !whole_node ? pc_unusable_milli(n) : 0;
    struct pc_pool *pool = &c->pools[n->pool];
    n->plain = whole_node && plain && !shared;
    if (whole == n->free_listed && shared == n->shared_listed && idle == n->idle_milli &&
        unusable == n->unusable_milli)
        return;
    pool->free_milli += idle - n->idle_milli;
    for (uint32_t i = 0; i < pool->set_count; i++) {
        struct pc_pool_set *s = &c->pool_sets[pool->sets[i]];
        move_node(s, n, whole, shared);
        s->milli += idle - n->idle_milli;
        s->milli_of_type[n->type] += idle - n->idle_milli;
        s->unusable_milli += unusable - n->unusable_milli;
    }
    n->free_listed = whole;
    n->shared_listed = shared;
    n->idle_milli = idle;
    n->unusable_milli = unusable;
}

void pc_pool_sets_add(struct pc_cluster *c, const struct pc_node *n)
{
    struct pc_pool *pool = &c->pools[n->pool];
    pool->nodes++;
    pool->installed_milli += (int64_t)n->devices * POLICY_WHOLE;
    for (uint32_t i = 0; i < pool->set_count; i++) {
        struct pc_pool_set *s = &c->pool_sets[pool->sets[i]];
        pc_bits_add(&s->nodes, n->rank);
        s->installed_devices += n->devices;
    }
}

void pc_pool_sets_remove(struct pc_cluster *c, const struct pc_node *n)
{
    struct pc_pool *pool = &c->pools[n->pool];
    pool->nodes--;
    pool->installed_milli -= (int64_t)n->devices * POLICY_WHOLE;
    for (uint32_t i = 0; i < pool->set_count; i++) {
        struct pc_pool_set *s = &c->pool_sets[pool->sets[i]];
        pc_bits_remove(&s->nodes, n->rank);
        s->installed_devices -= n->devices;
    }
}

/* Most room on one device, now or after release: thousandths, rounded up. */
static int32_t most_room(const struct pc_node *n)
{
    if ((n->idle | n->leaving) != 0)
        return POLICY_WHOLE;
    int32_t most = 0;
    for (uint64_t rest = n->shared; rest != 0; rest &= rest - 1) {
        const struct pc_device d = pc_device_of(n, pc_lowest(rest));
        int32_t room = n->capacity - d.used - d.nominated;
        most = room > most ? room : most;
    }
    return (int32_t)(((int64_t)most * POLICY_WHOLE + n->capacity - 1) / n->capacity);
}

void pc_pool_sets_freed(struct pc_cluster *c, const struct pc_node *n)
{
    if (!c->traits.by_free || !n->exists || n->state != POLICY_NODE_UP)
        return;
    int32_t whole = n->plain ? n->free_listed : pc_free_whole(c, n);
    int32_t room = most_room(n);
    const struct pc_pool *pool = &c->pools[n->pool];
    c->any_freed |= pool->set_count > 0;
    for (uint32_t i = 0; i < pool->set_count; i++) {
        struct pc_pool_set *s = &c->pool_sets[pool->sets[i]];
        s->freed = true;
        s->freed_whole = whole > s->freed_whole ? whole : s->freed_whole;
        s->freed_room = room > s->freed_room ? room : s->freed_room;
    }
}

void pc_pool_count(struct pc_cluster *c, uint32_t id, int64_t gpu_milli)
{
    struct pc_pool *pool = &c->pools[id];
    pool->free_milli -= gpu_milli;
    pool->counted_milli += gpu_milli;
    for (uint32_t i = 0; i < pool->set_count; i++)
        c->pool_sets[pool->sets[i]].milli -= gpu_milli;
}

void pc_pool_freed(struct pc_cluster *c, uint32_t id)
{
    for (uint32_t i = 0; i < c->pools[id].set_count; i++)
        c->pool_sets[c->pools[id].sets[i]].freed = true;
    c->any_freed = true;
}

int64_t pc_pool_most_free(const struct pc_cluster *c, uint32_t set)
{
    int64_t most = -1;
    for (uint32_t id = 0; id < c->pool_count; id++)
        if (c->pools[id].free_milli > most && pc_pool_set_has(&c->pool_sets[set], id))
            most = c->pools[id].free_milli;
    return most;
}

int64_t pc_pool_most_installed(const struct pc_cluster *c, uint32_t set)
{
    int64_t most = -1;
    for (uint32_t id = 0; id < c->pool_count; id++)
        if (c->pools[id].installed_milli > most && pc_pool_set_has(&c->pool_sets[set], id))
            most = c->pools[id].installed_milli;
    return most;
}

void pc_pool_sets_close(struct pc_cluster *c)
{
    for (uint32_t i = 0; c->any_freed && i < c->pool_set_count; i++) {
        struct pc_pool_set *s = &c->pool_sets[i];
        s->freed = false;
        s->freed_whole = s->freed_room = 0;
    }
    c->any_freed = false;
}

/* ---- sets ---- */

static void free_set(struct policy *p, struct pc_pool_set *s)
{
    pc_release(&p->memory, s->pools, s->pool_count, sizeof *s->pools);
    pc_release(&p->memory, s->preferred, s->pool_count, sizeof *s->preferred);
    pc_release(&p->memory, s->tiers, s->tier_capacity, sizeof *s->tiers);
    pc_release(&p->memory, s->parts, s->part_capacity, sizeof *s->parts);
    pc_bits_free(&s->nodes, &p->memory);
    pc_bits_free(&s->up, &p->memory);
    pc_bits_free(&s->shared, &p->memory);
    for (int32_t whole = 0; whole <= POLICY_MAX_DEVICES; whole++)
        pc_bits_free(&s->by_free[whole], &p->memory);
}

void pc_pool_sets_free(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->pool_set_count; i++)
        free_set(p, &c->pool_sets[i]);
    for (uint32_t i = 0; i < c->pool_count; i++)
        pc_release(&p->memory, c->pools[i].sets, c->pools[i].set_capacity, sizeof(uint32_t));
    pc_release(&p->memory, c->pool_sets, c->pool_set_capacity, sizeof *c->pool_sets);
    pc_release(&p->memory, c->pools, c->pool_capacity, sizeof *c->pools);
}

static bool reserve(struct policy *p, struct pc_pool_set *s, uint32_t rank, int32_t devices)
{
    if (!pc_bits_reserve(&s->nodes, &p->memory, rank + 1))
        return false;
    if (!p->cluster->traits.by_free)
        return true;
    if (!pc_bits_reserve(&s->up, &p->memory, rank + 1) ||
        !pc_bits_reserve(&s->shared, &p->memory, rank + 1))
        return false;
    if (devices > 0 && (s->fewest_devices == 0 || devices < s->fewest_devices))
        s->fewest_devices = devices;
    if (devices > s->most_devices)
        s->most_devices = devices;
    for (int32_t whole = 0; whole <= s->most_devices; whole++)
        if (!pc_bits_reserve(&s->by_free[whole], &p->memory, s->nodes.capacity))
            return false;
    return true;
}

bool pc_pool_sets_reserve(struct policy *p, uint32_t pool, uint32_t rank, int32_t devices)
{
    struct pc_cluster *c = p->cluster;
    if (!pc_pools_know(p, pool))
        return false;
    for (uint32_t i = 0; i < c->pools[pool].set_count; i++)
        if (!reserve(p, &c->pool_sets[c->pools[pool].sets[i]], rank, devices))
            return false;
    return true;
}

/* Adds the node to a new set; all other sets have it already. */
static void index_node(struct pc_pool_set *s, const struct pc_node *n, bool by_free)
{
    pc_bits_add(&s->nodes, n->rank);
    s->installed_devices += n->devices;
    s->soon_milli += n->soon_uncut_milli;
    if (!by_free)
        return;
    s->unusable_milli += n->unusable_milli;
    s->milli_of_type[n->type] += n->idle_milli;
    if (n->free_listed < 0)
        return;
    pc_bits_add(&s->up, n->rank);
    pc_pool_set_list(s, n->free_listed, n->rank);
    s->whole += n->free_listed;
    if (n->shared_listed)
        pc_bits_add(&s->shared, n->rank);
}

static bool fill(struct policy *p, uint32_t set)
{
    struct pc_cluster *c = p->cluster;
    struct pc_pool_set *s = &c->pool_sets[set];
    if (!reserve(p, s, p->rank_capacity > 0 ? p->rank_capacity - 1 : 0, 0))
        return false;
    for (uint32_t i = 0; i < c->node_count; i++) {
        const struct pc_node *n = &c->nodes[i];
        if (!n->exists || !pc_pool_set_has(s, n->pool))
            continue;
        if (!reserve(p, s, n->rank, n->devices))
            return false;
        index_node(s, n, c->traits.by_free);
    }
    for (uint32_t pool = 0; pool < c->pool_count; pool++) {
        if (!pc_pool_set_has(s, pool))
            continue;
        if (!link_pool(p, pool, set))
            return false;
        s->milli += c->pools[pool].free_milli;
    }
    return true;
}

/* Removes a set that could not be completed. */
static void abandon(struct policy *p, uint32_t set)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t pool = 0; pool < c->pool_count; pool++) {
        struct pc_pool *known = &c->pools[pool];
        if (known->set_count > 0 && known->sets[known->set_count - 1] == set)
            known->set_count--;
    }
    free_set(p, &c->pool_sets[set]);
}

static bool is_same_list(const uint32_t *a, const uint32_t *b, uint32_t count)
{
    if (a == NULL || b == NULL)
        return a == b;
    return memcmp(a, b, count * sizeof *a) == 0;
}

/* Copies a list of pools; NULL stays NULL. */
static bool copy_list(struct policy *p, uint32_t **to, const uint32_t *from, uint32_t count)
{
    *to = NULL;
    if (count == 0 || from == NULL)
        return true;
    *to = pc_alloc(&p->memory, count, sizeof **to);
    if (*to != NULL)
        memcpy(*to, from, count * sizeof **to);
    return *to != NULL;
}

/* `pools` are ascending; `preferred` are the same in order of preference, or NULL. */
static uint32_t find_set(struct policy *p, const uint32_t *pools, const uint32_t *preferred,
                         uint32_t count, bool strict)
{
    struct pc_cluster *c = p->cluster;
    for (uint32_t i = 0; i < c->pool_set_count; i++)
        if (c->pool_sets[i].pool_count == count && c->pool_sets[i].strict == strict &&
            (count == 0 || (memcmp(c->pool_sets[i].pools, pools, count * sizeof *pools) == 0 &&
                            is_same_list(c->pool_sets[i].preferred, preferred, count))))
            return i;
    if (count > 0 && !pc_pools_know(p, pools[count - 1]))
        return PC_NONE;
    if (!PC_GROW(&p->memory, c->pool_sets, c->pool_set_capacity, c->pool_set_count + 1))
        return PC_NONE;
    uint32_t id = c->pool_set_count;
    struct pc_pool_set *s = &c->pool_sets[id];
    memset(s, 0, sizeof *s);
    if (!copy_list(p, &s->pools, pools, count))
        return PC_NONE;
    s->pool_count = count;
    s->strict = strict;
    if (!copy_list(p, &s->preferred, preferred, count) || !fill(p, id)) {
        abandon(p, id);
        return PC_NONE;
    }
    c->pool_set_count++;
    return id;
}

uint32_t pc_pool_set_find(struct policy *p, const uint32_t *pools, uint32_t count)
{
    return find_set(p, pools, NULL, count, false);
}

static bool is_smaller(const void *context, uint32_t a, uint32_t b)
{
    (void)context;
    return a < b;
}

uint32_t pc_pool_set_find_ordered(struct policy *p, const uint32_t *preferred, uint32_t count,
                                  bool strict)
{
    uint32_t *pools;
    if (count < 2)
        return find_set(p, preferred, NULL, count, false);
    if (!copy_list(p, &pools, preferred, count))
        return PC_NONE;
    pc_sort_ids(pools, count, is_smaller, NULL);
    uint32_t set = find_set(p, pools, preferred, count, strict);
    pc_release(&p->memory, pools, count, sizeof *pools);
    return set;
}
