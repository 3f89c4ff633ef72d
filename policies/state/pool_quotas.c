/* SPDX-License-Identifier: MIT */
/* Quotas by pool, and groups of pools; see pool_quotas.h. */
#include "state/pool_quotas.h"

#include "state/group_sums.h"
#include "state/nodes.h"
#include "state/pool_sets.h"
#include "state/queue_limits.h"
#include "state/tasks.h"

#include <string.h>

/* ---- checking a spec ---- */

/* Index past the last entry of the group that begins with this one. */
static uint32_t end_of(const struct policy_queue_spec *spec, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < spec->by_pool_count && spec->by_pool[end].joined)
        end++;
    return end;
}

static uint32_t group_of(const struct pc_cluster *c, uint32_t pool)
{
    return pool < c->pool_count ? c->pools[pool].group : 0;
}

static uint32_t pools_in(const struct pc_cluster *c, uint32_t group)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->pool_count; i++)
        count += c->pools[i].group == group;
    return count;
}

static bool is_repeated(const struct policy_queue_spec *spec, uint32_t entry)
{
    for (uint32_t i = 0; i < entry; i++)
        if (spec->by_pool[i].pool == spec->by_pool[entry].pool)
            return true;
    return false;
}

/* Checks that all queues that name one of the group's pools define the same group. */
static int check_group(struct policy *p, const struct policy_queue_spec *spec, uint32_t first)
{
    const struct pc_cluster *c = p->cluster;
    uint32_t end = end_of(spec, first), group = group_of(c, spec->by_pool[first].pool);
    bool same = group == 0 || pools_in(c, group) == end - first;
    for (uint32_t i = first; i < end; i++) {
        if (spec->by_pool[i].pool >= POLICY_MAX_POOLS || is_repeated(spec, i))
            return pc_refuse(p, POLICY_INVALID, "pool of a quota", spec->by_pool[i].pool,
                             "below 4096, and each pool once");
        same &= group_of(c, spec->by_pool[i].pool) == group;
    }
    return same ? POLICY_OK
                : pc_refuse(p, POLICY_CONFLICT, "pools of a quota", spec->by_pool[first].pool,
                            "those that other queues' quotas name together, or none of them");
}

/* Returns true if quotas by pool are enforced: only by policies with shares; in task-by-task
 * scheduling they are just a sum. */
static bool heeds(const struct policy *p)
{
    return pc_heeds_quotas(p) && !p->config.pods.on;
}

int pc_groups_check(struct policy *p, const struct policy_queue_spec *spec)
{
    int64_t sum = 0;
    if (spec->by_pool_count == 0 || !heeds(p))
        return POLICY_OK;
    if (spec->by_pool_count > POLICY_MAX_POOLS || spec->by_pool == NULL || spec->by_pool[0].joined)
        return pc_refuse(p, POLICY_INVALID, "quotas by pool", spec->by_pool_count,
                         "at most 4096, with their array; the first joins no other");
    for (uint32_t i = 0; i < spec->by_pool_count; i = end_of(spec, i)) {
        if (spec->by_pool[i].quota < 0 || spec->by_pool[i].quota > PC_PLENTY)
            return pc_refuse(p, POLICY_INVALID, "quota of a pool", spec->by_pool[i].quota,
                             "at least 0");
        int status = check_group(p, spec, i);
        if (status != POLICY_OK)
            return status;
        sum += spec->by_pool[i].quota;
    }
    return sum == spec->gpu.quota ? POLICY_OK
                                  : pc_refuse(p, POLICY_INVALID, "GPU quota of a queue",
                                              spec->gpu.quota, "the sum of its quotas by pool");
}

/* ---- groups ---- */

static bool reserve_shares(struct policy *p, struct pc_queue *q, uint32_t count)
{
    uint32_t known = q->group_capacity;
    if (!PC_GROW(&p->memory, q->groups, q->group_capacity, count))
        return false;
    if (q->group_capacity > known)
        memset(q->groups + known, 0, (q->group_capacity - known) * sizeof *q->groups);
    return true;
}

static bool reserve_groups(struct policy *p, uint32_t count)
{
    struct pc_cluster *c = p->cluster;
    if (!PC_GROW(&p->memory, c->groups, c->group_capacity, count))
        return false;
    for (uint32_t q = 0; q < c->queue_count; q++)
        if (c->queues[q].exists && !reserve_shares(p, &c->queues[q], count))
            return false;
    return true;
}

/* Recounts all active tasks after pools changed their groups. */
static void count_all(struct pc_cluster *c)
{
    for (uint32_t q = 0; q < c->queue_count; q++)
        for (uint32_t g = 0; c->queues[q].exists && g < c->group_count; g++)
            c->queues[q].groups[g].allocated = c->queues[q].groups[g].fixed = 0;
    for (uint32_t id = 0; id < c->job_count; id++) {
        const struct pc_job *j = &c->jobs[id];
        for (uint32_t t = 0;
             j->state == PC_LIVE && j->detail != NULL && t < c->shapes[j->shape].tasks; t++)
            pc_groups_charge(c, id, t, pc_request_of(c, id, t), 1);
    }
}

bool pc_groups_make(struct policy *p, const struct policy_queue_spec *spec)
{
    struct pc_cluster *c = p->cluster;
    uint32_t count = c->group_count > 0 ? c->group_count : spec->by_pool_count > 0, most = 0;
    if (!heeds(p))
        return true;
    for (uint32_t i = 0; i < spec->by_pool_count; i++) {
        most = spec->by_pool[i].pool > most ? spec->by_pool[i].pool : most;
        count += !spec->by_pool[i].joined && group_of(c, spec->by_pool[i].pool) == 0;
    }
    if (count == c->group_count)
        return true;
    if (!pc_pools_know(p, most) || !reserve_groups(p, count))
        return false;
    c->group_count = c->group_count > 0 ? c->group_count : 1;
    for (uint32_t i = 0, end; i < spec->by_pool_count; i = end) {
        end = end_of(spec, i);
        if (group_of(c, spec->by_pool[i].pool) != 0)
            continue;
        for (uint32_t k = i; k < end; k++)
            c->pools[spec->by_pool[k].pool].group = c->group_count;
        c->group_count++;
    }
    count_all(c);
    c->groups_known = false;
    return true;
}

void pc_groups_set(const struct pc_cluster *c, struct pc_queue *q,
                   const struct policy_queue_spec *spec)
{
    q->by_pool = c->group_count > 0 && spec->by_pool_count > 0;
    q->spans_pools = spec->spans_pools;
    for (uint32_t g = 0; g < c->group_count; g++)
        q->groups[g].quota = 0;
    for (uint32_t i = 0; q->by_pool && i < spec->by_pool_count; i = end_of(spec, i))
        q->groups[group_of(c, spec->by_pool[i].pool)].quota = spec->by_pool[i].quota;
}

bool pc_groups_same(const struct policy *p, const struct pc_queue *q,
                    const struct policy_queue_spec *spec)
{
    const struct pc_cluster *c = p->cluster;
    int64_t sum = 0, same = 0;
    if (!heeds(p))
        return true;
    for (uint32_t g = 0; g < c->group_count; g++)
        sum += q->by_pool ? q->groups[g].quota : 0;
    for (uint32_t i = 0; i < spec->by_pool_count; i = end_of(spec, i)) {
        uint32_t group = group_of(c, spec->by_pool[i].pool);
        if (!q->by_pool || group == 0 || q->groups[group].quota != spec->by_pool[i].quota)
            return false;
        same += spec->by_pool[i].quota;
    }
    return q->spans_pools == spec->spans_pools && q->by_pool == (spec->by_pool_count > 0) &&
           sum == same;
}

/* ---- amounts of queues ---- */

uint32_t pc_group_of_job(const struct pc_cluster *c, uint32_t job)
{
    const struct pc_job *j = &c->jobs[job];
    for (uint32_t t = 0; j->active > 0 && t < c->shapes[j->shape].tasks; t++) {
        const struct pc_place *place = &pc_task_of(j, t)->place;
        if (pc_is_active(place))
            return place->counted != 0 ? c->pools[place->counted - 1].group
                                       : pc_group_of_node(c, pc_stands_on(place));
    }
    return PC_NONE;
}

uint32_t pc_group_refuses(const struct policy *p, uint32_t job, uint32_t group, int64_t milli)
{
    const struct pc_cluster *c = p->cluster;
    const struct pc_job *j = &c->jobs[job];
    bool owned = !p->config.quota.over_quota;
    for (uint32_t q = j->queue; q != POLICY_NO_ID; q = pc_above(c, q)) {
        const struct pc_group_share *s = &c->queues[q].groups[group];
        if (!c->queues[q].by_pool)
            continue;
        if (pc_is_bound_by_quota(p, j) && s->fixed + milli > s->quota)
            return q;
        if (owned && c->queues[q].leaf && s->allocated + milli > s->quota)
            return q;
    }
    return POLICY_NO_ID;
}

bool pc_group_allows(const struct policy *p, uint32_t job, uint32_t group, int64_t milli)
{
    return pc_group_refuses(p, job, group, milli) == POLICY_NO_ID;
}

void pc_groups_save(struct pc_cluster *c)
{
    for (uint32_t q = 0; c->group_count > 0 && q < c->queue_count; q++)
        for (uint32_t g = 0; c->queues[q].exists && g < c->group_count; g++)
            c->queues[q].groups[g].before = c->queues[q].groups[g].allocated;
}

/* ---- the fleet ---- */

static void note_types(struct pc_cluster *c)
{
    for (uint32_t g = 0; g < c->group_count; g++)
        c->groups[g].types = 0;
    for (uint32_t i = 0; i < c->node_count; i++)
        if (c->nodes[i].exists)
            c->groups[pc_group_of_node(c, i)].types |= UINT64_C(1) << c->nodes[i].type;
}

static void order_groups(struct pc_cluster *c)
{
    uint32_t known = 0;
    c->groups[known++].turn = 0;
    for (uint32_t i = 0; i < c->pool_count; i++) {
        uint32_t k = 0;
        while (k < known && c->groups[k].turn != c->pools[i].group)
            k++;
        if (k == known)
            c->groups[known++].turn = c->pools[i].group;
    }
}

/* Splits the set's pools by group, each part as a pool set. */
static bool part_set(struct policy *p, uint32_t set)
{
    struct pc_cluster *c = p->cluster;
    uint32_t *pools = NULL, capacity = 0;
    bool done = PC_GROW(&p->memory, c->pool_sets[set].parts, c->pool_sets[set].part_capacity,
                        c->group_count) &&
                PC_GROW(&p->memory, pools, capacity, c->pool_count + 1);
    for (uint32_t g = 0; done && g < c->group_count; g++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < c->pool_count; i++)
            if (c->pools[i].group == g && c->pools[i].nodes > 0 &&
                pc_pool_set_has(&c->pool_sets[set], i))
                pools[count++] = i;
        uint32_t part = count > 0 ? pc_pool_set_find(p, pools, count) : PC_NONE;
        done = count == 0 || part != PC_NONE;
        c->pool_sets[set].parts[g] = part; /* the array may have moved */
    }
    c->pool_sets[set].part_count = done ? c->group_count : 0;
    pc_release(&p->memory, pools, capacity, sizeof *pools);
    return done;
}

bool pc_groups_refresh(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    if (c->group_count == 0)
        return true;
    for (uint32_t g = 0; g < c->group_count; g++)
        c->groups[g].capacity = 0;
    for (uint32_t i = 0; i < c->pool_count; i++)
        c->groups[c->pools[i].group].capacity += c->pools[i].capacity_milli;
    if (c->groups_known && c->groups_of == c->fleet_version)
        return true;
    note_types(c);
    order_groups(c);
    for (uint32_t q = 0; q < c->queue_count; q++)
        if (c->queues[q].exists && !part_set(p, c->queues[q].pool_set))
            return false;
    c->groups_known = true;
    c->groups_of = c->fleet_version;
    return true;
}

bool pc_group_suits(const struct pc_cluster *c, uint32_t job, uint32_t group)
{
    const struct pc_job *j = &c->jobs[job];
    const struct pc_shape *s = &c->shapes[j->shape];
    if (pc_group_set(c, j->queue, group) == PC_NONE)
        return false;
    for (uint32_t i = 0; i < s->role_count; i++)
        if ((s->roles[i].request.types & c->groups[group].types) == 0)
            return false;
    return true;
}

void pc_groups_free(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    pc_release(&p->memory, c->groups, c->group_capacity, sizeof *c->groups);
}
