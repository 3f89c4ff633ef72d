/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See perturb.h. This file has the blocks; crowd.c and perturb_load.c have the users. */
#include "traces/vary/perturb.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "traces/vary/perturb_load.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#define DAY_MS INT64_C(86400000)

struct perturbed {
    struct picked base; /* first */
    struct trace_perturbation wanted;
    struct rng_stream random;
    uint32_t copies;
};

static size_t draw(struct perturbed *p, size_t count)
{
    return (size_t)gsl_rng_uniform_int(rng_gsl(&p->random), (unsigned long)count);
}

static int64_t midnight(int64_t ms)
{
    int64_t rest = ms % DAY_MS;
    return ms - (rest < 0 ? rest + DAY_MS : rest);
}

/* ---- blocks ---- */

static int64_t begin_of(const struct whole *whole)
{
    return midnight(whole->jobs[0].submit_ms);
}

static size_t blocks_of(const struct perturbed *p, const struct whole *whole)
{
    int64_t span = whole->jobs[whole->count - 1].submit_ms - begin_of(whole);
    return (size_t)(span / p->wanted.block_ms) + 1;
}

/* Adds block `from` of a source as block `to`, whose number marks its jobs. */
static void take_block(struct perturbed *p, uint32_t source, size_t from, size_t to)
{
    const struct whole *whole = &p->base.sources[source];
    int64_t begin = begin_of(whole) + (int64_t)from * p->wanted.block_ms;
    int64_t target = begin_of(&p->base.sources[0]) + (int64_t)to * p->wanted.block_ms;
    size_t low = 0, high = whole->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (whole->jobs[middle].submit_ms < begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < whole->count && whole->jobs[low].submit_ms < begin + p->wanted.block_ms; low++)
        picks_add(
            &p->base.picks,
            (struct pick){.submit_ms = whole->jobs[low].submit_ms - begin + target,
                          .source = source,
                          .block = from == to && p->base.source_count == 1 ? 0 : (uint32_t)to + 1,
                          .job = low});
}

static void make_blocks(struct perturbed *p)
{
    size_t blocks = 0;
    for (size_t i = 0; i < p->base.source_count; i++)
        blocks =
            blocks_of(p, &p->base.sources[i]) > blocks ? blocks_of(p, &p->base.sources[i]) : blocks;
    bool anywhere = p->wanted.shuffle || p->base.source_count == 1;
    for (size_t to = 0; to < blocks; to++) {
        uint32_t source;
        do {
            source = (uint32_t)draw(p, p->base.source_count);
        } while (!anywhere && blocks_of(p, &p->base.sources[source]) <= to);
        take_block(p, source, anywhere ? draw(p, blocks_of(p, &p->base.sources[source])) : to, to);
    }
}

/* Takes all jobs of all traces without moving them. */
static void take_all(struct perturbed *p)
{
    for (uint32_t s = 0; s < p->base.source_count; s++)
        for (size_t i = 0; i < p->base.sources[s].count; i++)
            picks_add(&p->base.picks,
                      (struct pick){.submit_ms = p->base.sources[s].jobs[i].submit_ms,
                                    /* traces may have ids in common */ .source = s,
                                    .block = s,
                                    .job = i});
}

/* ---- users ---- */

/* Draws the same number of users with replacement; copies of a user are shifted by random turns. */
static bool resample(struct perturbed *p, struct err *err)
{
    struct crowd c;
    crowd_find(&c, &p->base, 2);
    bool ok = !c.bursts ||
              err_set(err, EXIT_INPUT,
                      "resampling users: the trace names fewer than 2 users, expected at least 2");
    bool *drawn = mem_alloc(c.user_count, sizeof *drawn);
    p->base.picks.count = 0;
    for (size_t k = 0; ok && k < c.user_count; k++) {
        size_t chosen = draw(p, c.user_count);
        const struct crowd_user *user = &c.users[chosen];
        uint64_t turns = drawn[chosen] ? draw(p, crowd_places(&c)) : 0;
        uint32_t copy = drawn[chosen] ? ++p->copies : 0;
        for (size_t u = user->first; u < user->first + user->count; u++) {
            int64_t shift_ms = copy > 0 ? crowd_shift(&c, &c.units[u], turns) : 0;
            for (size_t i = 0; i < c.units[u].count; i++) {
                struct pick pick = c.jobs.all[c.units[u].first + i];
                pick.submit_ms += shift_ms;
                pick.copy = pick.user_copy = copy;
                picks_add(&p->base.picks, pick);
            }
        }
        drawn[chosen] = true;
    }
    free(drawn);
    crowd_fini(&c);
    picks_sort(&p->base.picks);
    return ok;
}

/* ---- the trace ---- */

static bool scales(double load)
{
    return load < 1 || load > 1;
}

static bool prepare(struct picked *base, struct err *err)
{
    struct perturbed *p = (struct perturbed *)base;
    size_t jobs = 0;
    for (size_t i = 0; i < base->source_count; i++) {
        jobs += base->sources[i].count;
        if (base->sources[i].count == 0 && (base->source_count > 1 || p->wanted.block_ms > 0))
            return err_set(err, EXIT_INPUT, "trace %zu of those to take blocks of has no jobs",
                           i + 1);
    }
    if (jobs == 0)
        return true;
    if (p->wanted.block_ms > 0)
        make_blocks(p);
    else
        take_all(p);
    picks_sort(&base->picks);
    if (p->wanted.resample && base->picks.count > 0 && !resample(p, err))
        return false;
    if (scales(p->wanted.load) && base->picks.count > 0)
        perturb_load(base, p->wanted.load, &p->random, &p->copies);
    return true;
}

bool trace_perturbs(const struct trace_perturbation *wanted, size_t traces)
{
    return wanted->block_ms > 0 || wanted->resample || scales(wanted->load) || traces > 1;
}

struct trace *trace_perturb(struct trace **traces, size_t count,
                            const struct trace_perturbation *wanted)
{
    BUG_ON(!(wanted->load > 0) || wanted->block_ms < 0);
    struct perturbed *p = mem_alloc(1, sizeof *p);
    p->base.prepare = prepare;
    p->wanted = *wanted;
    picked_init(&p->base, traces, count, &wanted->names);
    rng_init(&p->random, wanted->seed, RNG_RESAMPLE, 0);
    return &p->base.base;
}
