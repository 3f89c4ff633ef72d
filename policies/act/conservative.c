/* SPDX-License-Identifier: MIT */
/*
 * Conservative backfill; see backfill.h. A *profile* says how much will be free in a site from when to when: what is free
 * now, what runs gives back at its declared end, and what the jobs in line were promised before.
 *
 *     free |      ______        ____
 *          |  ___|      |______|         steps: free from `from` to the next step
 *          |_|_______________________
 *           now
 */
#include "act/allocate.h"
#include "act/backfill.h"
#include "core/sites.h"

#include <string.h>

/* ---- the profile ---- */

static bool append(const struct policy *p, struct pc_profile *f, policy_time from, int64_t free)
{
    if (f->count > 0 && f->of[f->count - 1].free == free)
        return true;
    if (f->count > 0 && f->of[f->count - 1].from == from) {
        f->of[f->count - 1].free = free;
        return true;
    }
    if (!PC_GROW(&p->memory, f->of, f->capacity, f->count + 1))
        return false;
    f->of[f->count++] = (struct pc_step){from, free};
    return true;
}

static int64_t held_in(const struct policy *p, uint32_t job, uint32_t site)
{
    const struct pc_job *j = &p->jobs[job];
    const struct pc_group *g = &p->groups[j->group];
    int64_t held = 0;
    for (uint32_t i = j->first_slot; i != PC_NONE; i = p->slots[i].next) {
        const struct pc_slot *slot = &p->slots[i];
        const struct pc_request *r = &g->roles[slot->role].request;
        int64_t milli = slot->node == PC_NONE ? g->gpu_milli : (int64_t)r->devices * r->milli;
        held += pc_site_has(p, site, slot->pool) ? milli : 0;
    }
    return held;
}

/* Who nobody knows the end of never gives anything back. */
static bool draw_profile(struct policy *p, uint32_t site)
{
    struct pc_profile *f = &p->sites[site].profile;
    int64_t free = p->sites[site].milli;
    f->count = 0;
    bool ok = append(p, f, p->now, free);
    for (uint32_t i = pc_running_first(p); i != PC_NONE && ok && pc_running_end(p, i) < INT64_MAX;
         i = pc_running_next(p, i)) {
        free += held_in(p, i, site);
        ok = append(p, f, pc_running_end(p, i), free);
    }
    return ok;
}

/* The first step from `first` on at whose begin so much is free for so long; PC_NONE when there is none. */
static uint32_t first_gap(const struct pc_profile *f, uint32_t first, int64_t wanted,
                          const struct pc_job *job)
{
    for (uint32_t i = first; i < f->count; i++) {
        policy_time end = pc_end_from(job, f->of[i].from);
        uint32_t next = i;
        while (next < f->count && f->of[next].from < end && f->of[next].free >= wanted)
            next++;
        if (next == f->count || f->of[next].from >= end)
            return i;
        i = next; /* too little is free there: nothing before it will do */
    }
    return PC_NONE;
}

/* A step begins at `at`, which lies after the first one; false: no memory. */
static bool split(const struct policy *p, struct pc_profile *f, policy_time at, uint32_t *step)
{
    uint32_t i = 0;
    while (i < f->count && f->of[i].from < at)
        i++;
    *step = i;
    if (at == INT64_MAX || (i < f->count && f->of[i].from == at))
        return true;
    if (!PC_GROW(&p->memory, f->of, f->capacity, f->count + 1))
        return false;
    memmove(&f->of[i + 1], &f->of[i], (f->count - i) * sizeof *f->of);
    f->of[i] = (struct pc_step){at, f->of[i - 1].free};
    f->count++;
    return true;
}

/* A step that is no step any more goes, so that each is a time at which something changes. */
static void join(struct pc_profile *f, uint32_t i)
{
    if (i == 0 || i >= f->count || f->of[i].free != f->of[i - 1].free)
        return;
    f->count--;
    memmove(&f->of[i], &f->of[i + 1], (f->count - i) * sizeof *f->of);
}

/* So much more (or less) is free from one time to another; both may lie before the profile begins. */
static bool change(const struct policy *p, struct pc_profile *f, policy_time from, policy_time to,
                   int64_t milli)
{
    uint32_t first;
    uint32_t end;
    if (!split(p, f, from > p->now ? from : p->now, &first) || !split(p, f, to, &end))
        return false;
    for (uint32_t i = first; i < end; i++)
        f->of[i].free += milli;
    join(f, end);
    join(f, first);
    return true;
}

static struct pc_profile *profile_of(struct policy *p, const struct pc_job *job)
{
    return &p->sites[p->groups[job->group].site].profile;
}

/* What the job was promised: from then on, or from now on when that time has come, it has what it wants for so long. */
static bool keep_promise(struct policy *p, const struct pc_job *job, int sign)
{
    policy_time from = job->promised > p->now ? job->promised : p->now;
    return job->promised == INT64_MAX || change(p, profile_of(p, job), from, pc_end_from(job, from),
                                                sign * p->groups[job->group].gpu_milli);
}

/* It runs now: in all sites that have one of its places. */
static bool note_start(struct policy *p, uint32_t id)
{
    bool ok = true;
    for (uint32_t site = 0; site < p->site_count && ok; site++)
        if (p->sites[site].profile_round == p->backfill_round)
            ok = change(p, &p->sites[site].profile, p->now, pc_end_from(&p->jobs[id], p->now),
                        -held_in(p, id, site));
    return ok;
}

/* ---- who goes ahead ---- */

/*
 * Each in its turn may start now or be promised an earlier time, beside all others' promises; so nobody's time is ever
 * put off, but by nodes that go down and by who runs longer than declared.
 */
static bool serve(struct policy *p, uint32_t id)
{
    struct pc_job *job = &p->jobs[id];
    struct pc_profile *f = profile_of(p, job);
    int64_t wanted = p->groups[job->group].gpu_milli;
    if (!keep_promise(p, job, 1))
        return false;
    uint32_t step = first_gap(f, 0, wanted, job);
    if (step == 0) {
        int32_t reason = pc_try_start(p, id, POLICY_BACKFILL);
        if (reason == POLICY_REASON_WAITING)
            return false;
        if (reason == 0)
            return note_start(p, id);
        step = first_gap(f, 1, wanted, job);
    }
    job->promised = step == PC_NONE ? INT64_MAX : f->of[step].from;
    return keep_promise(p, job, -1);
}

/* Draws the profile of the job's site, once in this decision, with what the job was promised. */
static bool prepare(struct policy *p, uint32_t id)
{
    uint32_t site = p->groups[p->jobs[id].group].site;
    if (p->sites[site].profile_round != p->backfill_round && !draw_profile(p, site))
        return false;
    p->sites[site].profile_round = p->backfill_round;
    return keep_promise(p, &p->jobs[id], -1);
}

bool pc_backfill_conservatively(struct policy *p)
{
    p->backfill_round++;
    bool ok = pc_list_candidates(p);
    for (uint32_t i = 0; i < p->listed.count && ok; i++)
        ok = prepare(p, p->listed.ids[i]);
    for (uint32_t i = 0; i < p->listed.count && ok; i++)
        ok = serve(p, p->listed.ids[i]);
    return ok;
}
