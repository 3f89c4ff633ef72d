/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See replicate.h. */
#include "traces/vary/replicate.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "traces/vary/crowd.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#define LAYERS_MOST 8         /* largest number of copies of a burst in a week */
#define JITTER_MS   1800000.0 /* maximum; small enough to keep the hour */

/* Entities of RNG_REPLICATE: users of the replica, then weeks. */
#define FIRST_WEEK (UINT64_C(1) << 32)

struct replicate {
    struct picked base; /* first */
    struct trace_replication wanted;
    struct trace_variety *variety; /* variety only, no replica; NULL: draws a replica */
    uint32_t copies;
};

/* ---- the urn ---- */

/* Returns which of n the k-th draw takes; `drawn` has the draws before it. */
static size_t draw_from_urn(struct rng_stream *stream, size_t n, const size_t *drawn, size_t k)
{
    double mass =
        n > 3 ? (double)n * ((double)n - 3) / ((double)n + 1) : 0; /* initial mass of the urn */
    double at = rng_uniform(stream) * (mass + (double)k);
    bool fresh = k == 0 || at < mass;
    size_t among = fresh ? n : k;
    size_t chosen = (size_t)gsl_rng_uniform_int(rng_gsl(stream), (unsigned long)among);
    return fresh ? chosen : drawn[chosen];
}

/* ---- weeks ---- */

struct weeks {
    size_t count;  /* whole weeks of the trace */
    double *level; /* by week; 1 for the rest after them, where it is unknown */
    double *drawn; /* by week of the replica, and for the rest */
};

static size_t whole_blocks(const struct crowd *c)
{
    return (size_t)((c->span_ms + c->period_ms / 20) /
                    c->period_ms); /* the last hours may have no jobs */
}

static size_t week_of(const struct crowd *c, const struct weeks *w, int64_t at_ms)
{
    size_t week = (size_t)((at_ms - c->begin_ms) / c->period_ms);
    return week < w->count ? week : w->count;
}

/* Counts the bursts of each whole week; returns the variance that independent users explain. */
static double count_bursts(const struct crowd *c, const struct weeks *w, double *totals,
                           double *squares)
{
    double noise = 0;
    double *own = mem_alloc(w->count + 1, sizeof *own);
    for (size_t u = 0; u < c->user_count; u++) {
        double sum = 0, deviations = 0;
        for (size_t k = 0; k <= w->count; k++)
            own[k] = 0;
        for (size_t i = c->users[u].first; i < c->users[u].first + c->users[u].count; i++)
            own[week_of(c, w, c->jobs.all[c->units[i].first].submit_ms)]++;
        for (size_t k = 0; k < w->count; k++) {
            totals[k] += own[k];
            sum += own[k];
        }
        double mean = sum / (double)w->count;
        for (size_t k = 0; k < w->count; k++)
            deviations += (own[k] - mean) * (own[k] - mean);
        noise += deviations / ((double)w->count - 1);
        *squares += mean * mean;
    }
    free(own);
    return noise;
}

/*
 * With x[u][w] bursts of user u in week w, v[u] the variance of the user's own activity and s the
 * relative variance of the week's level:
 *
 *     E[variance of the totals]          = sum v + s (sum mean[u])^2
 *     E[sum of the users' own variances] = sum v + s sum mean[u]^2
 *
 * The difference gives s; the weeks' totals are shrunk towards their mean until they have that
 * variance.
 */
static void find_levels(const struct crowd *c, struct weeks *w)
{
    double *totals = mem_alloc(w->count + 1, sizeof *totals), squares = 0, mean = 0, variance = 0;
    double noise = count_bursts(c, w, totals, &squares);
    for (size_t k = 0; k < w->count; k++)
        mean += totals[k] / (double)w->count;
    for (size_t k = 0; k < w->count; k++)
        variance += (totals[k] - mean) * (totals[k] - mean) / ((double)w->count - 1);
    double common = mean * mean > squares ? (variance - noise) / (mean * mean - squares) : 0;
    double shrink = common > 0 && variance > 0 ? fmin(1, sqrt(common * mean * mean / variance)) : 0;
    for (size_t k = 0; k < w->count; k++)
        w->level[k] = fmax(0.05, 1 + shrink * (totals[k] / mean - 1));
    free(totals);
}

static void draw_weeks(const struct replicate *r, const struct crowd *c, struct weeks *w)
{
    w->count = whole_blocks(c);
    w->level = mem_alloc(w->count + 1, sizeof *w->level);
    w->drawn = mem_alloc(w->count + 1, sizeof *w->drawn);
    for (size_t k = 0; k <= w->count; k++)
        w->level[k] = w->drawn[k] = 1;
    if (w->count < 2)
        return;
    find_levels(c, w);
    size_t *chosen = mem_alloc(w->count + 1, sizeof *chosen);
    for (size_t k = 0; k <= w->count; k++) {
        struct rng_stream stream;
        rng_init(&stream, r->wanted.seed, RNG_REPLICATE, FIRST_WEEK + k);
        chosen[k] = draw_from_urn(&stream, w->count, chosen, k);
        w->drawn[k] = w->level[chosen[k]];
    }
    free(chosen);
}

/* ---- users ---- */

struct guest {
    size_t user;
    uint32_t copy;  /* number over all users; 0: the first of its user */
    uint64_t which; /* number among its user's copies, from 0 */
};

static void take_unit(struct replicate *r, const struct crowd *c, const struct crowd_unit *unit,
                      int64_t shift_ms, uint32_t copy, uint32_t user_copy)
{
    for (size_t i = unit->first; i < unit->first + unit->count; i++) {
        struct pick pick = c->jobs.all[i];
        pick.submit_ms += shift_ms;
        pick.copy = copy;
        pick.user_copy = user_copy;
        picks_add(&r->base.picks, pick);
    }
}

/*
 * Copies of a user take turns without replacement: with equal turns they would submit all jobs at
 * the same instants, which no two users do, and waits would grow. Copies for which no turn is left
 * start a new order and have jitter. Layers start half an order away, where there are few copies.
 */
static void draw_turns(const struct replicate *r, const struct crowd *c, const struct guest *guest,
                       uint64_t turns[LAYERS_MOST])
{
    uint64_t places = crowd_places(c), round = guest->which / places;
    uint64_t *order = mem_alloc(places, sizeof *order);
    struct rng_stream stream;
    rng_init(&stream, r->wanted.seed, RNG_TURN, round << 32 | guest->user);
    for (uint64_t k = 0; k < places; k++)
        order[k] = k;
    gsl_ran_shuffle(rng_gsl(&stream), order, places, sizeof *order);
    for (uint64_t layer = 0; layer < LAYERS_MOST; layer++)
        turns[layer] = order[(guest->which + (layer > 0 ? places / 2 + layer - 1 : 0)) % places];
    free(order);
}

/* Adds jitter to a shift, unless the unit would leave the span. */
static int64_t jittered(const struct crowd *c, const struct crowd_unit *unit, int64_t shift_ms,
                        int64_t jitter_ms)
{
    const struct pick *jobs = &c->jobs.all[unit->first];
    int64_t by_ms = shift_ms + jitter_ms, first_ms = jobs[0].submit_ms + by_ms - c->begin_ms,
            last_ms = jobs[unit->count - 1].submit_ms + by_ms - c->begin_ms;
    return first_ms >= 0 && last_ms <= c->span_ms ? by_ms : shift_ms;
}

/*
 * Takes a burst once per layer: the first with probability min(1, l / level), the next, with
 * another turn, with probability l / level - 1, and so on.
 */
static void take_user(struct replicate *r, const struct crowd *c, const struct weeks *w,
                      const struct guest *guest, struct rng_stream *stream)
{
    const struct crowd_user *user = &c->users[guest->user];
    uint64_t turns[LAYERS_MOST];
    uint32_t copies[LAYERS_MOST] = {guest->copy};
    draw_turns(r, c, guest, turns);
    int64_t jitter_ms = 0;
    if (guest->which >= crowd_places(c))
        jitter_ms = (int64_t)((2 * rng_uniform(stream) - 1) * JITTER_MS);
    for (size_t u = user->first; u < user->first + user->count; u++) {
        const struct crowd_unit *unit = &c->units[u];
        int64_t begin_ms = c->jobs.all[unit->first].submit_ms;
        double level = w->level[week_of(c, w, begin_ms)];
        for (int layer = 0; layer < LAYERS_MOST; layer++) {
            int64_t shift_ms = crowd_shift(c, unit, turns[layer]);
            double times = w->drawn[week_of(c, w, begin_ms + shift_ms)] / level - layer;
            if (rng_uniform(stream) >= times)
                continue;
            if (layer > 0 && copies[layer] == 0)
                copies[layer] = ++r->copies;
            take_unit(r, c, unit, jittered(c, unit, shift_ms, jitter_ms), copies[layer],
                      guest->copy);
        }
    }
}

/* The number of users: `growth` times as many in expectation. */
static size_t guests_wanted(const struct replicate *r, size_t users)
{
    struct rng_stream stream;
    rng_init(&stream, r->wanted.seed, RNG_REPLICATE, UINT64_MAX);
    double wanted = floor(r->wanted.growth * (double)users + rng_uniform(&stream));
    return wanted > 1 ? (size_t)wanted : 1;
}

static void draw_users(struct replicate *r, const struct crowd *c, const struct weeks *w)
{
    size_t count = guests_wanted(r, c->user_count);
    size_t *drawn = mem_alloc(count + 1, sizeof *drawn);
    uint64_t *seen = mem_alloc(c->user_count, sizeof *seen);
    for (size_t k = 0; k < count; k++) {
        struct rng_stream stream;
        rng_init(&stream, r->wanted.seed, RNG_REPLICATE, k);
        drawn[k] = draw_from_urn(&stream, c->user_count, drawn, k);
        uint64_t which = seen[drawn[k]]++;
        struct guest guest = {drawn[k], which > 0 ? ++r->copies : 0, which};
        take_user(r, c, w, &guest, &stream);
    }
    free(seen);
    free(drawn);
}

/* ---- the trace ---- */

static void take_all(struct picked *p)
{
    for (size_t i = 0; i < p->sources[0].count; i++)
        picks_add(&p->picks, (struct pick){.submit_ms = p->sources[0].jobs[i].submit_ms, .job = i});
    picks_sort(&p->picks);
}

static bool prepare(struct picked *base, struct err *err)
{
    (void)err;
    struct replicate *r = (struct replicate *)base;
    take_all(base);
    if (base->picks.count == 0)
        return true;
    struct crowd c;
    crowd_find(&c, base, REPLICATE_USERS);
    c.period_ms = r->wanted.block_ms > 0 ? r->wanted.block_ms : c.period_ms;
    if (r->variety != NULL) {
        *r->variety = (struct trace_variety){c.user_count, c.bursts, whole_blocks(&c), c.period_ms};
    } else {
        struct weeks w = {0};
        draw_weeks(r, &c, &w);
        base->picks.count = 0;
        draw_users(r, &c, &w);
        free(w.level);
        free(w.drawn);
    }
    crowd_fini(&c);
    return true;
}

static struct replicate *create(struct trace *trace, const struct trace_replication *wanted)
{
    BUG_ON(!(wanted->growth > 0) || wanted->block_ms < 0);
    struct replicate *r = mem_alloc(1, sizeof *r);
    r->base.prepare = prepare;
    r->wanted = *wanted;
    picked_init(&r->base, &trace, 1, &wanted->names);
    return r;
}

struct trace *trace_replicate(struct trace *trace, const struct trace_replication *wanted)
{
    return &create(trace, wanted)->base.base;
}

enum trace_result trace_variety(struct trace *trace, const struct trace_replication *wanted,
                                struct trace_variety *variety, struct err *err)
{
    struct replicate *r = create(trace, wanted);
    struct trace_job job;
    *variety = (struct trace_variety){0};
    r->variety = variety;
    enum trace_result end = trace_next(&r->base.base, &job, err);
    trace_close(&r->base.base);
    return end < 0 ? end : TRACE_END;
}
