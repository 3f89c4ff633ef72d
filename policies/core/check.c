/* SPDX-License-Identifier: MIT */
/* Every invariant and index against a plain scan; see policy_check(). The naive twin of the clever structures. */
#include "act/backfill.h"
#include "cluster/cluster.h"
#include "core/heap.h"
#include "core/limits.h"
#include "core/multifactor.h"
#include "core/nodes.h"
#include "core/ranked.h"
#include "core/sites.h"
#include "place/near.h"

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

/* A number for each node and kind of task, so that sums tell apart what was counted. */
static uint64_t mark(uint32_t node, uint32_t kind)
{
    uint64_t x = ((uint64_t)node << 32 | (kind + 1)) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 31) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

/* Nodes count the tasks on them by kind. */
static const char *check_kinds(const struct policy *p)
{
    uint64_t counted = 0;
    uint64_t found = 0;
    for (uint32_t id = 0; id < p->node_count; id++)
        for (uint32_t kind = 0; p->nodes[id].exists && kind <= POLICY_MAX_DEVICES; kind++)
            counted += p->nodes[id].of_kind[kind] * mark(id, kind);
    for (uint32_t i = 0; i < p->job_count; i++) {
        const struct pc_job *job = &p->jobs[i];
        for (uint32_t s = job->state == PC_FREE ? PC_NONE : job->first_slot; s != PC_NONE;
             s = p->slots[s].next) {
            const struct pc_request *r = &p->groups[job->group].roles[p->slots[s].role].request;
            if (p->slots[s].node != PC_NONE && r->devices > 0)
                found += mark(p->slots[s].node, pc_kind(r));
        }
    }
    return counted == found ? NULL : "a node's tasks by kind";
}

struct site_sums {
    int64_t whole, milli, unusable, devices, counted;
    int64_t of_type[POLICY_MAX_TYPES];
    uint32_t up, shared;
};

/* One node against the lists of a site; adds to the sums. */
static const char *check_listing(const struct pc_site *s, const struct pc_node *n, struct site_sums *sums)
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
    sums->of_type[n->type] += up ? n->free_milli : 0;
    sums->up += up;
    sums->shared += up && n->partial != 0;
    return NULL;
}

static uint32_t members(const struct pc_bits *b)
{
    uint32_t count = 0;
    for (uint32_t i = pc_bits_first(b); i != PC_NONE; i = pc_bits_next(b, i + 1))
        count++;
    return count;
}

/* No list has members beside those that were seen. */
static bool lists_are_full(const struct pc_site *s, const struct site_sums *sums)
{
    uint32_t by_free = 0;
    for (int32_t free = 0; free <= s->most_devices; free++)
        by_free += members(&s->by_free[free]);
    return members(&s->nodes) == sums->up && by_free == sums->up && members(&s->shared) == sums->shared;
}

static const char *check_site(const struct policy *p, uint32_t id)
{
    const struct pc_site *s = &p->sites[id];
    struct site_sums sums = {0};
    for (uint32_t i = 0; i < p->node_count; i++) {
        if (!p->nodes[i].exists || !pc_site_has(p, id, p->nodes[i].pool))
            continue;
        const char *wrong = check_listing(s, &p->nodes[i], &sums);
        if (wrong != NULL)
            return wrong;
    }
    for (uint32_t pool = 0; pool < p->pool_count && p->placement->counts; pool++)
        if (pc_site_has(p, id, pool))
            sums.counted += p->pools[pool].free_milli;
    if (p->placement->counts && sums.counted != s->milli)
        return "a site's counted devices";
    if (!lists_are_full(s, &sums))
        return "a site's lists of nodes";
    if (memcmp(sums.of_type, s->milli_of_type, sizeof sums.of_type) != 0)
        return "a site's free devices by type";
    if (sums.whole != s->whole || (!p->placement->counts && sums.milli != s->milli))
        return "a site's free devices";
    if (sums.unusable != s->unusable_milli || sums.devices != s->installed_devices)
        return "a site's installed or unusable devices";
    return NULL;
}

static const char *check_pool(const struct policy *p, uint32_t id)
{
    int64_t free = 0;
    int64_t installed = 0;
    int64_t nodes = 0;
    for (uint32_t i = 0; i < p->node_count; i++) {
        const struct pc_node *n = &p->nodes[i];
        if (!n->exists || n->pool != id)
            continue;
        nodes++;
        installed += (int64_t)n->devices * POLICY_WHOLE;
        free += n->state == POLICY_NODE_UP ? (int64_t)pc_popcount(n->usable) * POLICY_WHOLE : 0;
    }
    for (uint32_t i = 0; i < p->job_count; i++) {
        const struct pc_job *job = &p->jobs[i];
        for (uint32_t s = job->state == PC_ACTIVE ? job->first_slot : PC_NONE; s != PC_NONE;
             s = p->slots[s].next)
            if (p->slots[s].node == PC_NONE && p->slots[s].pool == id)
                free -= p->groups[job->group].gpu_milli;
    }
    const struct pc_pool *pool = &p->pools[id];
    return pool->free_milli == free && pool->installed_milli == installed && pool->nodes == nodes
               ? NULL
               : "a pool's devices";
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
    if (g->heap.count > 2 * (uint64_t)pending + 16)
        return "a group's stale entries";
    if (jobs > 0 && (!p->queues[g->queue].exists || g->site != p->queues[g->queue].site))
        return "a group's queue";
    bool strict = p->config.blocking == POLICY_STRICT;
    bool listed = pending > 0 && !g->never_fits && !g->over_limit && (g->blocked == 0 || strict);
    if (g->over_limit && (pending == 0 || g->blocked != 0))
        return "a group that is held back";
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

/* The line of lanes: the first is the one whose first job is next of all. */
static const char *check_ready(const struct policy *p)
{
    uint32_t ready = 0;
    for (uint32_t i = 0; i < p->lane_count; i++) {
        const struct pc_lane *lane = &p->lanes[i];
        if (lane->heap_pos == PC_NONE)
            continue;
        ready++;
        if (p->lanes_ready.ids[lane->heap_pos] != i)
            return "a lane's place among the ready ones";
        uint32_t first = p->lanes[p->lanes_ready.ids[0]].groups.ids[0];
        if (pc_entry_before(&p->groups[lane->groups.ids[0]].heap.entries[0],
                            &p->groups[first].heap.entries[0]))
            return "the first of the ready lanes";
    }
    return ready == p->lanes_ready.count ? NULL : "the number of ready lanes";
}

/* The blocked groups of a site wait there by need, and its backlog is the sum over its groups. */
static const char *check_backlog(const struct policy *p, uint32_t id)
{
    const struct pc_site *s = &p->sites[id];
    struct pc_backlog_cell cells[POLICY_REASONS] = {0};
    uint64_t jobs = 0;
    int64_t milli = 0;
    uint32_t blocked = 0;
    for (uint32_t i = 0; i < p->group_count; i++) {
        const struct pc_group *g = &p->groups[i];
        if (g->role_count == 0 || g->site != id)
            continue;
        blocked += g->blocked != 0;
        jobs += g->pending;
        milli += g->pending * g->gpu_milli;
        cells[g->counted_reason].jobs += g->counted_jobs;
        cells[g->counted_reason].gpu_milli += (int64_t)g->counted_jobs * g->gpu_milli;
    }
    for (uint32_t i = 0; i < p->job_count; i++)
        if (p->jobs[i].state == PC_HELD && p->groups[p->jobs[i].group].site == id) {
            cells[POLICY_REASON_NOT_ELIGIBLE].jobs++;
            cells[POLICY_REASON_NOT_ELIGIBLE].gpu_milli += p->groups[p->jobs[i].group].gpu_milli;
        }
    for (uint32_t i = 0; p->ranked != NULL && i < p->job_count; i++)
        if (p->jobs[i].state == PC_PENDING && p->groups[p->jobs[i].group].site == id) {
            cells[p->ranked->of[i].found].jobs++;
            cells[p->ranked->of[i].found].gpu_milli += p->groups[p->jobs[i].group].gpu_milli;
        }
    for (int32_t need = 0; need < PC_NEEDS; need++) {
        if ((s->waiting_needs >> need & 1) != (s->waiting[need].count > 0))
            return "a site's set of needs";
        for (uint32_t i = 0; i < s->waiting[need].count; i++, blocked--) {
            const struct pc_group *g = &p->groups[s->waiting[need].ids[i]];
            if (g->blocked == 0 || g->waiting_pos != i || g->need != need || g->site != id)
                return "a site's waiting groups";
        }
    }
    for (int32_t reason = 1; reason < POLICY_REASONS; reason++)
        if (cells[reason].jobs != s->backlog[reason].jobs ||
            cells[reason].gpu_milli != s->backlog[reason].gpu_milli)
            return "a site's backlog";
    return blocked == 0 && jobs == s->pending_jobs && milli == s->pending_milli ? NULL
                                                                                : "a site's pending jobs";
}

/* Queues count their jobs; tasks hold their slots in order, and no slot is lost. */
static const char *check_jobs(const struct policy *p)
{
    uint32_t slots = p->slots_free;
    uint32_t held = 0;
    for (uint32_t q = 0; q < p->queue_count; q++) {
        uint64_t jobs = 0;
        for (uint32_t i = 0; i < p->job_count; i++)
            jobs += p->jobs[i].state != PC_FREE && p->groups[p->jobs[i].group].queue == q;
        if (p->queues[q].jobs != jobs || (jobs > 0 && !p->queues[q].exists))
            return "a queue's number of jobs";
    }
    for (uint32_t i = 0; i < p->job_count; i++) {
        const struct pc_job *job = &p->jobs[i];
        held += job->state == PC_HELD;
        if (job->state == PC_FREE)
            continue;
        uint32_t active = 0;
        for (uint32_t s = job->first_slot; s != PC_NONE; s = p->slots[s].next, active++)
            if (p->slots[s].next != PC_NONE && p->slots[p->slots[s].next].task <= p->slots[s].task)
                return "the order of a job's tasks";
        if (active != job->active || (active > 0) != (job->state == PC_ACTIVE))
            return "a job's number of tasks";
        slots += active;
    }
    if (held != p->held_jobs || p->held.count > 2 * (uint64_t)held + 16)
        return "the number of held jobs";
    return slots == p->slot_capacity ? NULL : "the number of slots";
}

struct held {
    int32_t taken[POLICY_MAX_DEVICES];
    int32_t tasks;
    int64_t cpu, mem;
};

/* What the tasks of one job hold on a node. */
static void add_held(const struct policy *p, const struct pc_job *job, uint32_t node, struct held *held)
{
    if (job->state != PC_ACTIVE)
        return;
    for (uint32_t s = job->first_slot; s != PC_NONE; s = p->slots[s].next) {
        const struct pc_request *r = &p->groups[job->group].roles[p->slots[s].role].request;
        if (p->slots[s].node != node)
            continue;
        held->tasks++;
        held->cpu += r->cpu;
        held->mem += r->mem;
        for (uint64_t rest = p->slots[s].devices; rest != 0; rest &= rest - 1)
            held->taken[pc_lowest(rest)] += r->milli;
    }
}

/* What running tasks hold has to be what nodes lack. */
static const char *check_held(const struct policy *p)
{
    for (uint32_t id = 0; id < p->node_count; id++) {
        const struct pc_node *n = &p->nodes[id];
        struct held held = {0};
        for (uint32_t i = 0; i < p->job_count && n->exists; i++)
            add_held(p, &p->jobs[i], id, &held);
        for (int32_t d = 0; d < n->devices && n->exists; d++)
            if (held.taken[d] != POLICY_WHOLE - n->room[d])
                return "a device's room against what runs on it";
        if (n->exists && (held.tasks != n->tasks || held.cpu != n->cpu_total - n->cpu_free ||
                          held.mem != n->mem_total - n->mem_free))
            return "a node's tasks, CPU or memory against what runs on it";
    }
    return NULL;
}

/* With backfill all active jobs are listed in order of their declared ends, and between decisions nothing is claimed. */
static const char *check_running(const struct policy *p)
{
    uint32_t active = 0;
    uint32_t count;
    for (uint32_t i = 0; i < p->job_count; i++)
        active += p->jobs[i].state == PC_ACTIVE;
    const char *wrong = pc_order_check(&p->candidates.jobs, p->running, &count);
    for (uint32_t i = pc_order_first(&p->candidates.jobs, p->running); i != PC_NONE && wrong == NULL;
         i = pc_order_next(&p->candidates.jobs, i)) {
        const struct pc_order_place *place = &p->candidates.jobs.of[i].place;
        const struct pc_job *job = &p->jobs[i];
        if (job->state != PC_ACTIVE || place->minor != pc_end_from(job, job->started) ||
            place->rank != job->rank)
            wrong = "the running jobs by their ends";
    }
    if (wrong != NULL)
        return wrong;
    for (uint32_t i = 0; i < p->node_count; i++)
        if (p->nodes[i].exists && p->nodes[i].claim != PC_NONE)
            return "a claim that nobody has";
    bool listed = pc_running_is_kept(p);
    return count == (listed ? active : 0) ? NULL : "the number of running jobs";
}

int policy_check(const struct policy *p, struct policy_error *error)
{
    if (p->cluster != NULL)
        return pq_check(p, error);
    const char *wrong = NULL;
    for (uint32_t i = 0; i < p->node_count && wrong == NULL; i++)
        wrong = p->nodes[i].exists ? check_node(p, i) : NULL;
    for (uint32_t i = 0; i < p->site_count && wrong == NULL; i++)
        wrong = check_site(p, i);
    for (uint32_t i = 0; i < p->group_count && wrong == NULL; i++)
        wrong = p->groups[i].role_count > 0 ? check_group(p, i) : NULL;
    for (uint32_t i = 0; i < p->lane_count && wrong == NULL; i++)
        wrong = check_lane(p, i);
    for (uint32_t i = 0; i < p->pool_count && wrong == NULL; i++)
        wrong = check_pool(p, i);
    for (uint32_t i = 0; i < p->site_count && wrong == NULL; i++)
        wrong = check_backlog(p, i);
    if (wrong == NULL)
        wrong = check_kinds(p);
    if (wrong == NULL)
        wrong = check_ready(p);
    if (wrong == NULL)
        wrong = check_jobs(p);
    if (wrong == NULL)
        wrong = check_held(p);
    if (wrong == NULL)
        wrong = check_running(p);
    if (wrong == NULL)
        wrong = pc_ahead_check(p);
    if (wrong == NULL)
        wrong = pc_ranked_check(p);
    if (wrong == NULL)
        wrong = pc_multifactor_check(p);
    if (wrong == NULL)
        wrong = pc_limits_check(p);
    if (wrong == NULL)
        wrong = pc_near_check(p);
    return wrong == NULL ? POLICY_OK : fail(error, wrong);
}
