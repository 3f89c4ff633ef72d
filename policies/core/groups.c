/* SPDX-License-Identifier: MIT */
/* The table of groups; see groups.h. Open hashing by chains of ids, so that growing moves no group. */
#include "core/groups.h"
#include "core/waiting.h"

#include <string.h>

/* So many shapes are remembered without sweeping: a steady stream of jobs then allocates nothing. */
#define SHAPES_KEPT 1024

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static uint64_t hash_roles(uint32_t queue, const struct pc_role *roles, uint32_t count)
{
    uint64_t h = mix(UINT64_C(0x243f6a8885a308d3), queue);
    for (uint32_t i = 0; i < count; i++) {
        const struct pc_request *r = &roles[i].request;
        h = mix(h, (uint64_t)(uint32_t)roles[i].tasks << 32 | (uint32_t)r->devices);
        h = mix(h, (uint64_t)(uint32_t)r->milli << 48 ^ (uint64_t)r->cpu);
        h = mix(mix(h, (uint64_t)r->mem), r->types);
    }
    return h;
}

static bool same_roles(const struct pc_role *a, const struct pc_role *b, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct pc_request *x = &a[i].request;
        const struct pc_request *y = &b[i].request;
        if (a[i].tasks != b[i].tasks || x->devices != y->devices || x->milli != y->milli ||
            x->cpu != y->cpu || x->mem != y->mem || x->types != y->types)
            return false;
    }
    return true;
}

static uint32_t look_up(const struct policy *p, uint64_t hash, uint32_t queue, const struct pc_role *roles,
                        uint32_t count)
{
    if (p->hash_capacity == 0)
        return PC_NONE;
    uint32_t id = p->hash[hash & (p->hash_capacity - 1)];
    for (; id != PC_NONE; id = p->groups[id].next_in_hash) {
        const struct pc_group *g = &p->groups[id];
        if (g->hash == hash && g->queue == queue && g->role_count == count &&
            same_roles(g->roles, roles, count))
            return id;
    }
    return PC_NONE;
}

void pc_group_free(struct policy *p, struct pc_group *g)
{
    pc_release(&p->memory, g->roles, g->role_count, sizeof *g->roles);
    pc_release(&p->memory, g->heap.entries, g->heap.capacity, sizeof *g->heap.entries);
    memset(g, 0, sizeof *g);
}

/* Groups without jobs are in no heap and no list. */
void pc_groups_sweep(struct policy *p, uint32_t queue)
{
    for (uint32_t bucket = 0; bucket < p->hash_capacity; bucket++) {
        uint32_t *link = &p->hash[bucket];
        while (*link != PC_NONE) {
            uint32_t id = *link;
            struct pc_group *g = &p->groups[id];
            if (g->jobs > 0 || (queue != PC_NONE && g->queue != queue)) {
                link = &g->next_in_hash;
                continue;
            }
            *link = g->next_in_hash;
            p->lanes[g->lane].members--;
            p->sites[g->site].members[g->need]--;
            pc_group_free(p, g);
            g->next_in_hash = p->group_free;
            p->group_free = id;
            p->group_live--;
        }
    }
}

static bool grow_hash(struct policy *p)
{
    uint32_t capacity = p->hash_capacity > 0 ? p->hash_capacity * 2 : 64;
    uint32_t *hash = pc_alloc(&p->memory, capacity, sizeof *hash);
    if (hash == NULL)
        return false;
    memset(hash, 0xff, capacity * sizeof *hash);
    for (uint32_t bucket = 0; bucket < p->hash_capacity; bucket++)
        for (uint32_t id = p->hash[bucket], next; id != PC_NONE; id = next) {
            next = p->groups[id].next_in_hash;
            uint32_t *head = &hash[p->groups[id].hash & (capacity - 1)];
            p->groups[id].next_in_hash = *head;
            *head = id;
        }
    pc_release(&p->memory, p->hash, p->hash_capacity, sizeof *p->hash);
    p->hash = hash;
    p->hash_capacity = capacity;
    return true;
}

/* A free id, with room for the group in its table, in its lane's heap and among the waiting of its site. */
static uint32_t new_id(struct policy *p, const struct pc_group *like)
{
    struct pc_lane *lane = &p->lanes[like->lane];
    if (p->group_live >= p->hash_capacity) {
        if (p->hash_capacity >= SHAPES_KEPT)
            pc_groups_sweep(p, PC_NONE);
        if (p->group_live * 2 >= p->hash_capacity && !grow_hash(p))
            return PC_NONE;
    }
    if (!PC_GROW(&p->memory, lane->groups.ids, lane->groups.capacity, lane->members + 1) ||
        !pc_waiting_reserve(p, like->site, like->need))
        return PC_NONE;
    if (p->group_free != PC_NONE) {
        uint32_t id = p->group_free;
        p->group_free = p->groups[id].next_in_hash;
        return id;
    }
    if (!PC_GROW(&p->memory, p->groups, p->group_capacity, p->group_count + 1))
        return PC_NONE;
    return p->group_count++;
}

static void total(struct pc_group *g)
{
    for (uint32_t i = 0; i < g->role_count; i++) {
        const struct pc_role *role = &g->roles[i];
        g->tasks += role->tasks;
        g->gpu_milli += (int64_t)role->tasks * role->request.devices * role->request.milli;
        if (role->request.milli != POLICY_WHOLE)
            continue;
        g->whole_devices += (int64_t)role->tasks * role->request.devices;
        if (role->request.devices > g->largest)
            g->largest = role->request.devices;
    }
}

uint32_t pc_group_find(struct policy *p, uint32_t queue, const struct pc_role *roles, uint32_t count)
{
    uint64_t hash = hash_roles(queue, roles, count);
    uint32_t id = look_up(p, hash, queue, roles, count);
    if (id != PC_NONE)
        return id;
    struct pc_role *kept = pc_alloc(&p->memory, count, sizeof *kept);
    if (kept == NULL)
        return PC_NONE;
    memcpy(kept, roles, count * sizeof *kept);
    struct pc_group group = {
        .queue = queue,
        .lane = p->config.scope == POLICY_SCOPE_QUEUE ? queue : 0,
        .site = p->queues[queue].site,
        .role_count = count,
        .roles = kept,
        .hash = hash,
        .heap_pos = PC_NONE,
        .waiting_pos = PC_NONE,
    };
    total(&group);
    group.need = pc_waiting_need(p, &group);
    id = new_id(p, &group);
    if (id == PC_NONE) {
        pc_release(&p->memory, kept, count, sizeof *kept);
        return PC_NONE;
    }
    uint32_t *head = &p->hash[hash & (p->hash_capacity - 1)];
    group.next_in_hash = *head;
    p->groups[id] = group;
    *head = id;
    p->lanes[group.lane].members++;
    p->sites[group.site].members[group.need]++;
    p->group_live++;
    return id;
}

const struct pc_request *pc_group_request(const struct pc_group *g, uint32_t task, uint16_t *role)
{
    for (uint32_t i = 0; i < g->role_count; i++) {
        if (task < (uint32_t)g->roles[i].tasks) {
            *role = (uint16_t)i;
            return &g->roles[i].request;
        }
        task -= (uint32_t)g->roles[i].tasks;
    }
    return NULL;
}
