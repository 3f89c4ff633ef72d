/* SPDX-License-Identifier: MIT */
/* Pairs of jobs of which one displaced the other; see reversal.h. There are few, ordered by
 * time. */
#include "act/reversal.h"

#include "state/queues.h"
#include "state/tasks.h"

#include <string.h>

/* ---- pairs ---- */

bool pc_pair_holds(const struct pc_cluster *c, const struct pc_pair *pair)
{
    return c->jobs[pair->by].gen == pair->by_gen && c->jobs[pair->loser].gen == pair->loser_gen;
}

void pc_reversals_begin(struct policy *p)
{
    struct pc_pairs *pairs = &p->cluster->displaced;
    uint32_t gone = 0;
    bool later = pairs->count > 0 &&
                 pairs->of[pairs->count - 1].at < p->now; /* usage decays only with time */
    if (pairs->happened || (later && pc_usage_fades(p)))
        pairs->overtaken = pairs->count;
    pairs->happened = false;
    while (gone < pairs->overtaken && p->now - pairs->of[gone].at >= p->config.reversal_ms)
        gone++;
    if (gone == 0)
        return;
    pairs->count -= gone;
    pairs->overtaken -= gone;
    pairs->dropped += gone;
    memmove(pairs->of, pairs->of + gone, pairs->count * sizeof *pairs->of);
}

bool pc_reversals_reserve(struct policy *p)
{
    struct pc_cluster *c = p->cluster;
    struct pc_pairs *pairs = &c->displaced;
    if (PC_GROW(&p->memory, pairs->of, pairs->capacity, pairs->count + c->evicted.count))
        return true;
    c->out_of_memory = true;
    return false;
}

void pc_reversals_add_pair(struct pc_cluster *c, uint32_t by, uint32_t loser, policy_time at)
{
    struct pc_pairs *pairs = &c->displaced;
    pairs->of[pairs->count++] =
        (struct pc_pair){by, c->jobs[by].gen, loser, c->jobs[loser].gen, at};
    c->marks[loser].lost = pairs->dropped + pairs->count;
}

void pc_reversals_add(const struct pc_search *s)
{
    struct pc_cluster *c = s->c;
    uint32_t last = PC_NONE; /* tasks of one job are usually adjacent */
    for (uint32_t i = 0; i < c->evicted.count; i++) {
        uint32_t job = c->evicted.of[i].job;
        const struct pc_task *t = pc_task(c, job, c->evicted.of[i].task);
        if (job == last || pc_is_put_back(t) || pc_is_moved(t))
            continue;
        pc_reversals_add_pair(c, s->job, job, s->p->now);
        last = job;
    }
}

/* ---- displacers of a job ---- */

static void mark(struct pc_search *s, uint32_t job)
{
    s->c->marks[job].displacer_in = s->displacers;
}

/* Returns the index of the last pair in which the job lost, or 0. */
static uint32_t last_loss(const struct pc_cluster *c, uint32_t job)
{
    for (uint32_t i = c->displaced.count; i-- > 0;)
        if (c->displaced.of[i].loser == job && pc_pair_holds(c, &c->displaced.of[i]))
            return i;
    return 0;
}

/* Marks jobs that lost to this one before some other event, if this one has since lost what it
 * took. */
static void mark_lost_before(struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    const struct pc_pairs *pairs = &c->displaced;
    uint32_t last = last_loss(c, s->job);
    for (uint32_t i = last < pairs->overtaken ? last : pairs->overtaken; i-- > 0;) {
        const struct pc_pair *pair = &pairs->of[i];
        if (pair->by != s->job || !pc_pair_holds(c, pair))
            continue;
        mark(s, pair->loser);
        s->displaced_until =
            pair->at + s->p->config.reversal_ms; /* the earliest of them comes last */
    }
}

/* Marks the jobs that displaced this one, those that displaced them, and so on. */
static void mark_chains(struct pc_search *s)
{
    const struct pc_cluster *c = s->c;
    const struct pc_pairs *pairs = &c->displaced;
    mark(s, s->job);
    for (bool found = true; found;) {
        found = false;
        for (uint32_t i = pairs->count; i-- > pairs->overtaken;) {
            const struct pc_pair *pair = &pairs->of[i];
            if (!pc_pair_holds(c, pair) || c->marks[pair->loser].displacer_in != s->displacers ||
                c->marks[pair->by].displacer_in == s->displacers)
                continue;
            mark(s, pair->by);
            found = true;
        }
    }
}

void pc_reversals_mark(struct pc_search *s)
{
    struct pc_pairs *pairs = &s->c->displaced;
    s->displacers = 0;
    if (s->c->marks[s->job].lost <= pairs->dropped) /* no recorded loss */
        return;
    s->displacers = ++pairs->marks;
    s->displaced_until = INT64_MAX;
    mark_chains(s);
    mark_lost_before(s);
}

bool pc_is_reversal(const struct pc_search *s, uint32_t other)
{
    struct pc_cluster *c = s->c;
    if (s->displacers == 0 || c->marks[other].displacer_in != s->displacers)
        return false;
    if (s->displaced_until < c->next_time)
        c->next_time = s->displaced_until;
    return true;
}

/* ---- checks ---- */

const char *pc_reversals_check(const struct pc_cluster *c)
{
    const struct pc_pairs *pairs = &c->displaced;
    if (pairs->overtaken > pairs->count)
        return "more pairs were overtaken than there are";
    for (uint32_t i = 0; i < pairs->count; i++) {
        const struct pc_pair *pair = &pairs->of[i];
        if (i > 0 && pair->at < pairs->of[i - 1].at)
            return "pairs stand out of order";
        if (pair->by >= c->job_count || pair->loser >= c->job_count || pair->by == pair->loser)
            return "a pair of no two jobs";
        if (pc_pair_holds(c, pair) && c->marks[pair->loser].lost <= pairs->dropped + i)
            return "a job does not know what it lost";
    }
    return NULL;
}
