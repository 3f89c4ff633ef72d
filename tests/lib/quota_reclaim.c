/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules of reclaim for a decision, from the amounts of queues before it. If the decision does
 * nothing but reclaim for one job, the whole calculation is repeated step by step. Otherwise the
 * amount that a queue had when it lost devices is unknown, because tasks may have been started and
 * taken back in between; then the largest possible amount must be above its share.
 */
#include "tests/lib/quota_world.h"

#define MILLION INT64_C(1000000)

struct reckoning {
    const struct quota_world *before, *after;
    const struct policy_decision *d;
    size_t count;
    uint32_t served; /* the job that is served */
    struct quota_amounts asks;
    struct quota_amounts had[QUOTA_QUEUES], left[QUOTA_QUEUES], fair[QUOTA_QUEUES];
    bool lost[QUOTA_QUEUES], involved[3];
};

/* ---- queues ---- */

static uint32_t above(const struct quota_world *w, uint32_t queue)
{
    return w->options.full_hierarchy ? w->queues[queue].spec.parent.i : POLICY_NO_ID;
}

static uint32_t depth(const struct quota_world *w, uint32_t queue)
{
    uint32_t levels = 0;
    for (; above(w, queue) != POLICY_NO_ID; queue = above(w, queue))
        levels++;
    return levels;
}

/* Finds the ancestors of two leaves that are siblings. */
static void part(const struct quota_world *w, uint32_t a, uint32_t b, uint32_t *x, uint32_t *y)
{
    while (depth(w, a) > depth(w, b))
        a = above(w, a);
    while (depth(w, b) > depth(w, a))
        b = above(w, b);
    while (above(w, a) != above(w, b)) {
        a = above(w, a);
        b = above(w, b);
    }
    *x = a;
    *y = b;
}

static struct quota_amounts allocatable(const struct reckoning *k, uint32_t queue)
{
    struct quota_amounts quota = quota_bound(k->before, queue, false);
    struct quota_amounts limit = quota_bound(k->before, queue, true);
    for (int r = 0; r < 3; r++) {
        int64_t most = quota.of[r] > k->fair[queue].of[r] ? quota.of[r] : k->fair[queue].of[r];
        bool capped = limit.of[r] != POLICY_UNLIMITED &&
                      (quota.of[r] == POLICY_UNLIMITED || limit.of[r] < most);
        quota.of[r] = quota.of[r] == POLICY_UNLIMITED || capped ? limit.of[r] : most;
    }
    return quota;
}

static void learn_shares(struct reckoning *k, const struct policy *p)
{
    for (uint32_t q = 0; q < QUOTA_QUEUES; q++) {
        struct policy_queue_info info = {.size = sizeof info};
        if (!k->before->queues[q].exists)
            continue;
        QUOTA_CHECK(k->after, policy_queue_info(p, (policy_queue){q}, &info) == POLICY_OK,
                    "queue %u", q);
        k->fair[q] =
            (struct quota_amounts){{info.fair_share.gpu, info.fair_share.cpu, info.fair_share.mem}};
        k->had[q] = k->left[q] = quota_allocated(k->before, q, false);
    }
}

/* ---- pieces ---- */

static bool is_taken(const struct reckoning *k, const struct policy_decision *d)
{
    return d->kind == POLICY_EVICT && !(k->after->options.consolidating_reclaim &&
                                        k->after->jobs[d->job.i].task[d->task].nominated);
}

static struct quota_amounts weight_of(const struct reckoning *k, const struct policy_decision *d)
{
    return quota_weigh_on(k->before, &quota_role_of(&k->before->jobs[d->job.i], d->task)->request,
                          d->node.i);
}

static void take(struct reckoning *k, uint32_t leaf, const struct quota_amounts *piece)
{
    uint32_t x;
    uint32_t y;
    part(k->before, k->before->jobs[k->served].spec.queue.i, leaf, &x, &y);
    struct quota_amounts may = allocatable(k, y);
    struct quota_amounts quota = quota_bound(k->before, y, false);
    struct quota_amounts its_quota = quota_bound(k->before, x, false);
    struct quota_amounts then = k->had[x];
    quota_add(&then, &k->asks, 1);
    bool keeps_share = !quota_within(&k->left[y], &may);
    bool has_quota = quota_within(&then, &its_quota) && !quota_within(&k->left[y], &quota);
    QUOTA_CHECK(k->after, keeps_share || has_quota,
                "job %u reclaims from queue %u, which is within its share", k->served, y);
    for (uint32_t q = leaf; q != POLICY_NO_ID; q = above(k->before, q)) {
        quota_add(&k->left[q], piece, -1);
        k->lost[q] = true;
    }
    for (int r = 0; r < 3; r++)
        k->involved[r] = k->involved[r] || piece->of[r] > 0;
}

/* Takes tasks above the job's minimum one by one, the rest at once. */
static void take_job(struct reckoning *k, uint32_t id)
{
    const struct quota_job *job = &k->after->jobs[id];
    int32_t stand[QUOTA_TASKS] = {0};
    struct quota_amounts core = {{0, 0, 0}};
    bool any = false;
    for (uint32_t set = 0; set < quota_sets(job); set++)
        stand[set] = quota_count(job, set, quota_is_active);
    for (size_t i = 0; i < k->count; i++)
        if (k->d[i].job.i == id && is_taken(k, &k->d[i]))
            stand[quota_set_of(job, k->d[i].task)]++;
    for (size_t i = 0; i < k->count; i++) {
        if (k->d[i].job.i != id || !is_taken(k, &k->d[i]))
            continue;
        uint32_t set = quota_set_of(job, k->d[i].task);
        struct quota_amounts weight = weight_of(k, &k->d[i]);
        if (stand[set] > quota_minimum(job, set)) {
            stand[set]--;
            take(k, job->spec.queue.i, &weight);
        } else {
            quota_add(&core, &weight, 1);
            any = true;
        }
    }
    if (any)
        take(k, job->spec.queue.i, &core);
}

/* ---- afterwards ---- */

/* Returns true if a queue above its share is at least as far above it, relative to the share, as a
 * sibling that lost devices. */
static bool overtakes(int64_t has, int64_t fair, int64_t other_has, int64_t other_fair,
                      int64_t multiplier)
{
    if (other_fair <= 0 || fair < 0 || has <= fair)
        return false;
    if (fair == 0)
        return true;
    __extension__ typedef __int128 wide;
    return (wide)has * multiplier * other_fair >= (wide)other_has * fair * MILLION;
}

static void levels_are_fair(const struct reckoning *k)
{
    const struct quota_world *w = k->before;
    for (uint32_t q = w->jobs[k->served].spec.queue.i; q != POLICY_NO_ID; q = above(w, q)) {
        struct quota_amounts then = k->left[q];
        quota_add(&then, &k->asks, 1);
        for (uint32_t s = 0; s < QUOTA_QUEUES; s++)
            for (int r = 0; s != q && k->lost[s] && above(w, s) == above(w, q) && r < 3; r++)
                QUOTA_CHECK(k->after,
                            !k->involved[r] ||
                                !overtakes(then.of[r], k->fair[q].of[r], k->left[s].of[r],
                                           k->fair[s].of[r], w->options.saturation_ppm),
                            "queue %u overtakes queue %u in resource %d by reclaim", q, s, r);
        if (w->jobs[k->served].spec.preemptible)
            continue;
        struct quota_amounts fixed = quota_allocated(w, q, true);
        struct quota_amounts quota = quota_bound(w, q, false);
        quota_add(&fixed, &k->asks, 1);
        QUOTA_CHECK(k->after, quota_within(&fixed, &quota), "queue %u reclaims beyond its quota",
                    q);
    }
}

/* Checks that the leaf of the served job stays within its share. */
static void may_enter(const struct reckoning *k)
{
    uint32_t leaf = k->before->jobs[k->served].spec.queue.i;
    struct quota_amounts then = k->had[leaf];
    quota_add(&then, &k->asks, 1);
    QUOTA_CHECK(k->after, quota_within(&then, &k->fair[leaf]),
                "queue %u reclaims beyond its fair share", leaf);
    struct quota_amounts quota = quota_bound(k->before, leaf, false);
    for (size_t i = 0; i < k->count; i++)
        if (k->d[i].kind == POLICY_EVICT && k->d[i].reason != POLICY_REASON_MOVED)
            QUOTA_CHECK(k->after,
                        (k->d[i].reason == POLICY_REASON_RECLAIM_OVER_QUOTA) ==
                            quota_within(&then, &quota),
                        "reason %d", k->d[i].reason);
}

/* ---- the whole ---- */

/* The served job if the decision does nothing but reclaim for one; else POLICY_NO_ID. */
static uint32_t only_served(const struct reckoning *k)
{
    uint32_t served = POLICY_NO_ID;
    if ((k->after->options.actions >> POLICY_ALLOCATE & 1) != 0)
        return POLICY_NO_ID;
    for (size_t i = 0; i < k->count; i++) {
        if (k->d[i].action != POLICY_RECLAIM)
            return POLICY_NO_ID;
        if (k->d[i].kind != POLICY_EVICT)
            continue;
        if (served != POLICY_NO_ID && served != k->d[i].for_job.i)
            return POLICY_NO_ID;
        served = k->d[i].for_job.i;
    }
    for (size_t i = 0; i < k->count; i++)
        if (k->d[i].kind == POLICY_NOMINATE && k->d[i].job.i != served &&
            !k->after->jobs[k->d[i].job.i].task[k->d[i].task].evicted)
            return POLICY_NO_ID; /* another job was served without a victim of its own */
    return served;
}

static void reckon(struct reckoning *k)
{
    bool done[QUOTA_JOBS] = {false};
    for (size_t i = 0; i < k->count; i++)
        if (k->d[i].kind == POLICY_NOMINATE && k->d[i].job.i == k->served) {
            struct quota_amounts weight = quota_weigh_pending(
                k->before, &quota_role_of(&k->before->jobs[k->served], k->d[i].task)->request);
            quota_add(&k->asks, &weight, 1);
        }
    for (int r = 0; r < 3; r++)
        k->involved[r] = k->asks.of[r] > 0;
    may_enter(k);
    for (size_t i = 0; i < k->count; i++)
        if (is_taken(k, &k->d[i]) && !done[k->d[i].job.i]) {
            done[k->d[i].job.i] = true;
            take_job(k, k->d[i].job.i);
        }
    levels_are_fair(k);
}

/* The largest amount that the leaving tasks of a queue hold: moved tasks keep the places promised
 * to them. */
static struct quota_amounts kept_by_leaving(const struct quota_world *w, uint32_t queue)
{
    struct quota_amounts sum = {{0, 0, 0}};
    for (uint32_t i = 0; i < QUOTA_JOBS; i++) {
        const struct quota_job *job = &w->jobs[i];
        uint32_t q = job->life == QUOTA_LIVE ? job->spec.queue.i : POLICY_NO_ID;
        while (q != queue && q != POLICY_NO_ID)
            q = w->queues[q].spec.parent.i;
        for (uint32_t k = 0; q == queue && k < job->tasks; k++) {
            struct quota_amounts weight = quota_weigh_pending(w, &quota_role_of(job, k)->request);
            if (job->task[k].state == QUOTA_LEAVES)
                quota_add(&sum, &weight, 1);
        }
    }
    return sum;
}

/* Whatever was started and taken back, the queue had at most what it requested or keeps. */
static void most_is_above_share(const struct reckoning *k, const struct policy_decision *d)
{
    const struct quota_world *w = k->before;
    uint32_t x;
    uint32_t y;
    part(w, w->jobs[d->for_job.i].spec.queue.i, w->jobs[d->job.i].spec.queue.i, &x, &y);
    struct quota_amounts most = quota_requested(w, y);
    struct quota_amounts kept = kept_by_leaving(w, y);
    quota_add(&most, &kept, 1);
    struct quota_amounts may = allocatable(k, y);
    struct quota_amounts quota = quota_bound(w, y, false);
    QUOTA_CHECK(k->after, !quota_within(&most, &may) || !quota_within(&most, &quota),
                "job %u reclaims from queue %u, which cannot be above its share", d->for_job.i, y);
}

void quota_audit_reclaim(const struct quota_world *before, const struct quota_world *after,
                         const struct policy *p, const struct policy_decision *d, size_t count)
{
    struct reckoning k = {.before = before, .after = after, .d = d, .count = count};
    bool any = false;
    for (size_t i = 0; i < count; i++)
        any = any || (d[i].kind == POLICY_EVICT && d[i].action == POLICY_RECLAIM);
    if (!any)
        return;
    learn_shares(&k, p);
    k.served = only_served(&k);
    if (k.served != POLICY_NO_ID)
        reckon(&k);
    for (size_t i = 0; i < count; i++)
        if (d[i].kind == POLICY_EVICT && d[i].action == POLICY_RECLAIM && is_taken(&k, &d[i]))
            most_is_above_share(&k, &d[i]);
}
