/* SPDX-License-Identifier: MIT */
/* Every invariant and index against a plain scan; see policy_check(). The naive twin of the clever structures. */
#include "core/heap.h"
#include "core/nodes.h"

#include <string.h>

static int fail(struct policy_error *error, const char *what)
{
    pc_error_set(error, POLICY_CONFLICT, "broken invariant: ", what, "");
    return POLICY_CONFLICT;
}

/* ---- nodes and sites ---- */

static const char *check_node(const struct policy *p, uint32_t id)
{
    const struct pc_node *n = &p->nodes[id];
    struct pc_node fresh = *n;
    pc_summarise(&fresh);
    if (fresh.whole != n->whole || fresh.partial != n->partial || fresh.free_milli != n->free_milli)
        return "a node's sets of free devices";
    if (n->cpu_free < 0 || n->mem_free < 0 || n->cpu_free > n->cpu_total || n->mem_free > n->mem_total)
        return "a node's CPU or memory";
    if (n->tasks < 0 || p->node_of_rank[n->rank] != id)
        return "a node's tasks or rank";
    for (int32_t d = 0; d < n->devices; d++)
        if (n->room[d] > POLICY_WHOLE)
            return "room on a device";
    return NULL;
}

static bool in_site(const struct policy *p, uint32_t pool, uint32_t site)
{
    for (uint32_t i = 0; i < p->pools[pool].site_count; i++)
        if (p->pools[pool].sites[i] == site)
            return true;
    return false;
}

struct site_sums {
    int64_t whole, milli, unusable, devices, counted;
};

/* One node against the lists of a site; adds to the sums. */
static const char *check_listing(const struct policy *p, const struct pc_site *s, const struct pc_node *n,
                                 struct site_sums *sums)
{
    bool up = n->state == POLICY_NODE_UP;
    if (pc_bits_has(&s->nodes, n->rank) != up || pc_bits_has(&s->shared, n->rank) != (up && n->partial != 0))
        return "a node in its site's lists";
    for (int32_t free = 0; free <= s->most_devices; free++)
        if (pc_bits_has(&s->by_free[free], n->rank) != (up && pc_popcount(n->whole) == free))
            return "a node in its site's list by free devices";
    sums->whole += up ? pc_popcount(n->whole) : 0;
    sums->milli += up ? n->free_milli : 0;
    sums->unusable += pc_unusable_milli(n);
    sums->devices += n->devices;
    (void)p;
    return NULL;
}

static const char *check_site(const struct policy *p, uint32_t id)
{
    const struct pc_site *s = &p->sites[id];
    struct site_sums sums = {0};
    for (uint32_t i = 0; i < p->node_count; i++) {
        if (!p->nodes[i].exists || !in_site(p, p->nodes[i].pool, id))
            continue;
        const char *wrong = check_listing(p, s, &p->nodes[i], &sums);
        if (wrong != NULL)
            return wrong;
    }
    for (uint32_t pool = 0; pool < p->pool_count && p->placement->counts; pool++)
        if (in_site(p, pool, id))
            sums.counted += p->pools[pool].free_milli;
    if (p->placement->counts && sums.counted != s->milli)
        return "a site's counted devices";
    if (sums.whole != s->whole || (!p->placement->counts && sums.milli != s->milli))
        return "a site's free devices";
    if (sums.unusable != s->unusable_milli || sums.devices != s->installed_devices)
        return "a site's installed or unusable devices";
    return NULL;
}

/* ---- jobs and groups ---- */

static const char *check_group(const struct policy *p, uint32_t id)
{
    const struct pc_group *g = &p->groups[id];
    uint32_t pending = 0;
    uint32_t jobs = 0;
    const struct pc_job *best = NULL;
    for (uint32_t i = 0; i < p->job_count; i++) {
        const struct pc_job *job = &p->jobs[i];
        if (job->state == PC_FREE || job->group != id)
            continue;
        jobs++;
        pending += job->state == PC_PENDING;
        if (job->state == PC_PENDING &&
            (best == NULL || job->key < best->key || (job->key == best->key && job->rank < best->rank)))
            best = job;
    }
    if (g->jobs != jobs || g->pending != pending)
        return "a group's number of jobs";
    if (best != NULL && (g->heap.count == 0 || &p->jobs[g->heap.entries[0].job] != best))
        return "a group's first job";
    bool strict = p->config.blocking == POLICY_STRICT;
    bool listed = pending > 0 && !g->never_fits && (g->blocked == 0 || strict);
    if (listed != (g->heap_pos != PC_NONE))
        return "a group's place in its lane";
    if (listed && p->lanes[g->lane].groups.ids[g->heap_pos] != id)
        return "a lane's list of groups";
    return NULL;
}

/* The first group of each lane by a scan, and whether the lane counts as ready. */
static const char *check_lane(const struct policy *p, uint32_t id)
{
    const struct pc_lane *lane = &p->lanes[id];
    uint32_t first = PC_NONE;
    for (uint32_t g = 0; g < p->group_count; g++)
        if (p->groups[g].jobs > 0 && p->groups[g].lane == id && p->groups[g].heap_pos != PC_NONE &&
            (first == PC_NONE ||
             pc_entry_before(&p->groups[g].heap.entries[0], &p->groups[first].heap.entries[0])))
            first = g;
    if ((first == PC_NONE) != (lane->groups.count == 0) || (first != PC_NONE && lane->groups.ids[0] != first))
        return "a lane's first group";
    bool ready = first != PC_NONE && p->groups[first].blocked == 0;
    if (ready != (lane->heap_pos != PC_NONE))
        return "a lane's readiness";
    return NULL;
}

/* What running tasks hold has to be what nodes and pools lack. Uses the caller's allocator for a scratch copy. */
static const char *check_held(const struct policy *p)
{
    for (uint32_t n = 0; n < p->node_count; n++) {
        const struct pc_node *node = &p->nodes[n];
        if (!node->exists)
            continue;
        int32_t taken[POLICY_MAX_DEVICES] = {0};
        int32_t tasks = 0;
        int64_t cpu = 0;
        for (uint32_t i = 0; i < p->job_count; i++) {
            const struct pc_job *job = &p->jobs[i];
            for (uint32_t s = job->state == PC_ACTIVE ? job->first_slot : PC_NONE; s != PC_NONE;
                 s = p->slots[s].next) {
                const struct pc_request *r = &p->groups[job->group].roles[p->slots[s].role].request;
                if (p->slots[s].node != n)
                    continue;
                tasks++;
                cpu += r->cpu;
                for (uint64_t rest = p->slots[s].devices; rest != 0; rest &= rest - 1)
                    taken[pc_lowest(rest)] += r->milli;
            }
        }
        for (int32_t d = 0; d < node->devices; d++)
            if (taken[d] != POLICY_WHOLE - node->room[d])
                return "a device's room against what runs on it";
        if (tasks != node->tasks || cpu != node->cpu_total - node->cpu_free)
            return "a node's tasks or CPU against what runs on it";
    }
    return NULL;
}

int policy_check(const struct policy *p, struct policy_error *error)
{
    const char *wrong = NULL;
    for (uint32_t i = 0; i < p->node_count && wrong == NULL; i++)
        wrong = p->nodes[i].exists ? check_node(p, i) : NULL;
    for (uint32_t i = 0; i < p->site_count && wrong == NULL; i++)
        wrong = check_site(p, i);
    for (uint32_t i = 0; i < p->group_count && wrong == NULL; i++)
        wrong = p->groups[i].role_count > 0 ? check_group(p, i) : NULL;
    for (uint32_t i = 0; i < p->lane_count && wrong == NULL; i++)
        wrong = check_lane(p, i);
    if (wrong == NULL)
        wrong = check_held(p);
    return wrong == NULL ? POLICY_OK : fail(error, wrong);
}
