/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Meets a GPU time, although it is heavy-tailed, with more or fewer of the same users: first whole
 * users, then their units (bursts, chains), then beginnings of chains and single jobs, the largest
 * that fits each time.
 *
 *     more      keeps all jobs; draws (load - 1) x the number of users with replacement, each
 *     shifted
 *               by some turns, and keeps those of their units that fit
 *     fewer     keeps users drawn without replacement, and the first and the last submission, which
 *               are the span
 */
#include "traces/vary/perturb_load.h"

#include "sim/base/mem.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#define TRIES_MOST 1000 /* consecutive draws that did not fit */
#define CLOSE      1e-4 /* of the GPU time: smaller remainders are left */

struct fill {
    struct picked *p;
    const struct crowd *c;
    struct rng_stream *random;
    uint32_t *copies;
    double left, close; /* in GPU-seconds */
    bool more;          /* adds copies; else keeps existing jobs, once each */
    bool *used;         /* !more: units of which jobs are kept */
};

static size_t draw(struct fill *f, size_t count)
{
    return (size_t)gsl_rng_uniform_int(rng_gsl(f->random), (unsigned long)count);
}

static void take(struct fill *f, const struct pick *from, int64_t shift_ms, uint32_t copy,
                 uint32_t user_copy)
{
    struct pick pick = *from;
    pick.submit_ms += shift_ms;
    pick.copy = f->more ? copy : pick.copy;
    pick.user_copy = f->more ? user_copy : pick.user_copy;
    picks_add(&f->p->picks, pick);
    f->left -= picked_gpu_s(f->p, from);
}

/* Takes the jobs of a unit; if copies are added, as copy `copy` shifted by `turns`. */
static void take_unit(struct fill *f, size_t number, uint64_t turns, uint32_t copy)
{
    const struct crowd_unit *unit = &f->c->units[number];
    int64_t shift_ms = f->more ? crowd_shift(f->c, unit, turns) : 0;
    for (size_t i = 0; i < unit->count; i++)
        take(f, &f->c->jobs.all[unit->first + i], shift_ms, copy, copy);
    if (!f->more)
        f->used[number] = true;
}

/* Jobs without GPU time would always fit. */
static bool fits(const struct fill *f, double gpu_s)
{
    return gpu_s > 0 && gpu_s <= f->left;
}

/* ---- users ---- */

struct guest {
    size_t unit;
    uint64_t turns;
    uint32_t copy;
};

/* Draws a number of users, whatever their GPU time, and takes their units in random order as far as
 * they fit. */
static void invite(struct fill *f, size_t users)
{
    struct guest *guests = NULL;
    size_t count = 0, capacity = 0;
    for (size_t k = 0; k < users; k++) {
        const struct crowd_user *user = &f->c->users[draw(f, f->c->user_count)];
        uint64_t turns = draw(f, crowd_places(f->c));
        uint32_t copy = ++*f->copies;
        guests = mem_grow(guests, &capacity, count + user->count, sizeof *guests);
        for (size_t u = 0; u < user->count; u++)
            guests[count++] = (struct guest){user->first + u, turns, copy};
    }
    for (size_t i = 0; i < count; i++) {
        size_t other = i + draw(f, count - i);
        struct guest guest = guests[other];
        guests[other] = guests[i];
        double gpu_s = f->c->units[guest.unit].gpu_s;
        if (fits(f, gpu_s) || !(gpu_s > 0))
            take_unit(f, guest.unit, guest.turns, guest.copy);
    }
    free(guests);
}

static bool is_free(const struct fill *f, const struct crowd_user *user)
{
    for (size_t u = user->first; !f->more && u < user->first + user->count; u++)
        if (f->used[u] && f->c->units[u].gpu_s > 0)
            return false;
    return true;
}

/* Takes whole users while they fit, and then units. */
static void fill_whole(struct fill *f)
{
    const struct crowd *c = f->c;
    for (int tries = 0; tries < TRIES_MOST && f->left > f->close; tries++) {
        const struct crowd_user *user = &c->users[draw(f, c->user_count)];
        if (!fits(f, user->gpu_s) || !is_free(f, user))
            continue;
        uint64_t turns = draw(f, crowd_places(c));
        uint32_t copy = ++*f->copies;
        for (size_t u = 0; u < user->count; u++)
            if (f->more || !f->used[user->first + u])
                take_unit(f, user->first + u, turns, copy);
        tries = -1;
    }
    for (int tries = 0; tries < TRIES_MOST && f->left > f->close; tries++) {
        size_t unit = draw(f, c->unit_count);
        if (!fits(f, c->units[unit].gpu_s) || (!f->more && f->used[unit]))
            continue;
        take_unit(f, unit, draw(f, crowd_places(c)), ++*f->copies);
        tries = -1;
    }
}

/* ---- single jobs ---- */

/* Takes the first jobs of a chain, so that no job depends on one left out. */
static void take_head(struct fill *f, size_t number)
{
    const struct crowd_unit *unit = &f->c->units[number];
    const struct pick *jobs = &f->c->jobs.all[unit->first];
    int64_t shift_ms = f->more ? crowd_shift(f->c, unit, draw(f, crowd_places(f->c))) : 0;
    uint32_t copy = ++*f->copies;
    for (size_t i = 0; i < unit->count && picked_gpu_s(f->p, &jobs[i]) <= f->left; i++)
        take(f, &jobs[i], shift_ms, copy, copy);
    f->used[number] = true;
}

static void fill_heads(struct fill *f)
{
    size_t from = draw(f, f->c->unit_count);
    for (size_t i = 0; i < f->c->unit_count && f->left > f->close; i++) {
        size_t unit = (from + i) % f->c->unit_count;
        if (f->c->units[unit].linked && (f->more || !f->used[unit]))
            take_head(f, unit);
    }
}

struct single {
    double gpu_s;
    size_t job; /* index in crowd.jobs */
    bool used;
};

static int by_gpu_s(const void *a, const void *b)
{
    const struct single *x = a, *y = b;
    if (x->gpu_s < y->gpu_s || x->gpu_s > y->gpu_s)
        return x->gpu_s < y->gpu_s ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

/* Finds unlinked jobs of units that are not taken yet, sorted by GPU time. */
static size_t find_singles(const struct fill *f, struct single *singles)
{
    size_t count = 0;
    for (size_t u = 0; u < f->c->unit_count; u++) {
        const struct crowd_unit *unit = &f->c->units[u];
        if (unit->linked || (!f->more && f->used[u]))
            continue;
        for (size_t i = unit->first; i < unit->first + unit->count; i++) {
            double gpu_s = picked_gpu_s(f->p, &f->c->jobs.all[i]);
            if (gpu_s > 0)
                singles[count++] = (struct single){gpu_s, i, false};
        }
    }
    qsort(singles, count, sizeof *singles, by_gpu_s);
    return count;
}

static void take_single(struct fill *f, struct single *single)
{
    const struct pick *job = &f->c->jobs.all[single->job];
    struct crowd_unit alone = {.first = single->job, .count = 1};
    int64_t shift_ms = f->more ? crowd_shift(f->c, &alone, draw(f, crowd_places(f->c))) : 0;
    uint32_t copy = ++*f->copies;
    take(f, job, shift_ms, copy, copy);
    single->used = true;
}

/* Takes the largest job that fits, repeatedly; finally one that does not fit if that comes closer.
 */
static void fill_singles(struct fill *f)
{
    struct single *singles = mem_alloc(f->c->jobs.count + 1, sizeof *singles);
    size_t count = find_singles(f, singles);
    for (size_t i = count; i-- > 0 && f->left > f->close;)
        if (fits(f, singles[i].gpu_s))
            take_single(f, &singles[i]);
    for (size_t i = 0; i < count; i++) {
        if (singles[i].used || fits(f, singles[i].gpu_s))
            continue;
        if (singles[i].gpu_s - f->left < f->left)
            take_single(f, &singles[i]);
        break;
    }
    free(singles);
}

/* ---- all of it ---- */

/* Keeps the units that begin and end the span, and a share `load` of those without GPUs. */
static void keep(struct fill *f, double load)
{
    for (size_t u = 0; u < f->c->unit_count; u++) {
        const struct crowd_unit *unit = &f->c->units[u];
        bool ends = false;
        for (size_t i = unit->first; i < unit->first + unit->count; i++) {
            int64_t at_ms = f->c->jobs.all[i].submit_ms - f->c->begin_ms;
            ends |= at_ms == 0 || at_ms == f->c->span_ms;
        }
        if (ends || (!(unit->gpu_s > 0) && rng_uniform(f->random) < load))
            take_unit(f, u, 0, 0);
    }
}

void perturb_load(struct picked *p, double load, struct rng_stream *random, uint32_t *copies)
{
    struct crowd c;
    crowd_find(&c, p, 2);
    struct fill f = {.p = p,
                     .c = &c,
                     .random = random,
                     .copies = copies,
                     .left = (load > 1 ? load - 1 : load) * c.gpu_s,
                     .close = CLOSE * load * c.gpu_s,
                     .more = load > 1,
                     .used = mem_alloc(c.unit_count, sizeof(bool))};
    if (c.bursts)
        trace_note_add(&p->base.notes,
                       "no users are named, bursts of a queue and class are taken instead", 0);
    if (f.more) {
        invite(&f, (size_t)llround((load - 1) * (double)c.user_count));
    } else {
        p->picks.count = 0;
        keep(&f, load);
    }
    fill_whole(&f);
    fill_heads(&f);
    fill_singles(&f);
    if (fabs(f.left) > PERTURB_LOAD_WITHIN * load * c.gpu_s)
        trace_note_add(&p->base.notes,
                       "the load is not within 0.5 % of the requested one: no job is small enough",
                       0);
    free(f.used);
    crowd_fini(&c);
}
