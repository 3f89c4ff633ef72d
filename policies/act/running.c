/* SPDX-License-Identifier: MIT */
/* Who runs, in the order of declared ends, and who waits, in order; see backfill.h. */
#include "act/backfill.h"
#include "base/sort.h"
#include "core/heap.h"

#include <string.h>

/* ---- who runs ---- */

policy_time pc_end_from(const struct pc_job *job, policy_time start)
{
    return job->limit < 0 || job->limit >= PC_SOME_DAY / 2 ? INT64_MAX : start + job->limit;
}

/* Where an entry belongs: behind all that end earlier, or at the same time and were submitted earlier. */
static uint32_t place_in(const struct policy *p, policy_time end, uint64_t rank)
{
    uint32_t low = 0;
    for (uint32_t high = p->running.count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        const struct pc_runner *r = &p->running.of[middle];
        bool before = r->end < end || (r->end == end && p->jobs[r->job].rank < rank);
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

bool pc_running_is_kept(const struct policy *p)
{
    return p->config.backfill != POLICY_NO_BACKFILL || p->config.time_limits;
}

bool pc_running_reserve(struct policy *p)
{
    return !pc_running_is_kept(p) ||
           PC_GROW(&p->memory, p->running.of, p->running.capacity, p->running.count + 1);
}

void pc_running_add(struct policy *p, uint32_t id, policy_time since)
{
    struct pc_job *job = &p->jobs[id];
    if (!pc_running_is_kept(p))
        return;
    job->started = since;
    policy_time end = pc_end_from(job, since);
    uint32_t at = place_in(p, end, job->rank);
    memmove(&p->running.of[at + 1], &p->running.of[at], (p->running.count - at) * sizeof *p->running.of);
    p->running.of[at] = (struct pc_runner){end, id};
    p->running.count++;
}

void pc_running_remove(struct policy *p, uint32_t id)
{
    const struct pc_job *job = &p->jobs[id];
    if (!pc_running_is_kept(p))
        return;
    uint32_t at = place_in(p, pc_end_from(job, job->started), job->rank);
    p->running.count--;
    memmove(&p->running.of[at], &p->running.of[at + 1], (p->running.count - at) * sizeof *p->running.of);
}

/* ---- who waits ---- */

static bool job_before(const void *context, uint32_t a, uint32_t b)
{
    const struct policy *p = context;
    const struct pc_entry x = {.key = p->jobs[a].key, .rank = p->jobs[a].rank};
    const struct pc_entry y = {.key = p->jobs[b].key, .rank = p->jobs[b].rank};
    return pc_entry_before(&x, &y);
}

/* Whether by sums alone the group's jobs may have room now. */
static bool may_fit(const struct policy *p, const struct pc_group *g)
{
    const struct pc_site *s = &p->sites[g->site];
    return p->placement->counts || (g->gpu_milli <= s->milli && g->whole_devices <= s->whole);
}

bool pc_line_waits(const struct policy *p, uint32_t lane)
{
    const struct pc_idheap *groups = &p->lanes[lane].groups;
    return groups->count > 0 && p->groups[groups->ids[0]].blocked != 0;
}

static bool list_group(struct policy *p, const struct pc_group *g)
{
    bool all = p->config.backfill == POLICY_CONSERVATIVE; /* also who cannot start now has a reservation */
    if (!all && !may_fit(p, g))
        return true;
    if (!PC_GROW(&p->memory, p->candidates.ids, p->candidates.capacity, p->candidates.count + g->pending))
        return false;
    for (uint32_t e = 0; e < g->heap.count; e++)
        if (g->heap.entries[e].ticket == p->jobs[g->heap.entries[e].job].ticket)
            p->candidates.ids[p->candidates.count++] = g->heap.entries[e].job;
    return true;
}

bool pc_list_candidates(struct policy *p)
{
    p->candidates.count = 0;
    for (uint32_t lane = 0; lane < p->lane_count; lane++) {
        const struct pc_idheap *groups = &p->lanes[lane].groups;
        for (uint32_t i = 0; pc_line_waits(p, lane) && i < groups->count; i++)
            if (!list_group(p, &p->groups[groups->ids[i]]))
                return false;
    }
    pc_sort_ids(p->candidates.ids, p->candidates.count, job_before, p);
    return true;
}
