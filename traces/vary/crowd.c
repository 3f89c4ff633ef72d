/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See crowd.h. */
#include "traces/vary/crowd.h"

#include "sim/base/mem.h"
#include "traces/vary/sample.h"

#include <stdlib.h>
#include <string.h>

#define DAY_MS INT64_C(86400000)
/* longest burst of submissions to a queue and class */
#define BURST_MS INT64_C(3600000)

/* A pick with its sort key, which qsort must find in the element. */
struct member {
    uint64_t owner; /* user and copy, or queue and class */
    size_t unit;    /* its unit so far */
    struct pick pick;
};

struct found {
    struct member *members;
    size_t count;
    size_t *parent; /* a forest of units: linked units share a root */
    size_t units, capacity;
    bool linked;
};

static int by_owner(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->owner != y->owner)
        return x->owner < y->owner ? -1 : 1;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return (x->pick.order > y->pick.order) - (x->pick.order < y->pick.order);
}

static bool has_links(const struct trace_job *job)
{
    return job->after[0] != '\0' || job->array[0] != '\0';
}

static size_t named_users(const struct picked *p)
{
    bool *seen = mem_alloc(symbols_count(p->names.users) + 1, sizeof *seen);
    size_t count = 0;
    for (size_t i = 0; i < p->picks.count; i++) {
        uint32_t user = picked_job(p, &p->picks.all[i])->user;
        count += !seen[user] && symbols_name(p->names.users, user)[0] != '\0';
        seen[user] = true;
    }
    free(seen);
    return count;
}

/* ---- units ---- */

static size_t root_of(const struct found *f, size_t unit)
{
    while (f->parent[unit] != unit)
        unit = f->parent[unit];
    return unit;
}

/* The earlier unit becomes the root, so that units stay in the order of their first jobs. */
static void join(struct found *f, size_t a, size_t b)
{
    a = root_of(f, a);
    b = root_of(f, b);
    f->parent[a > b ? a : b] = a > b ? b : a;
}

/* Divides an owner's submissions into units at gaps; bursts also end after an hour. */
static void divide(struct found *f, bool bursts)
{
    int64_t begin_ms = 0;
    for (size_t i = 0; i < f->count; i++) {
        const struct member *m = &f->members[i], *former = i > 0 ? m - 1 : NULL;
        if (former == NULL || former->owner != m->owner ||
            m->pick.submit_ms - former->pick.submit_ms > SAMPLE_GAP_MS ||
            (bursts && m->pick.submit_ms - begin_ms > BURST_MS)) {
            begin_ms = m->pick.submit_ms;
            f->parent = mem_grow(f->parent, &f->capacity, f->units + 1, sizeof *f->parent);
            f->parent[f->units] = f->units;
            f->units++;
        }
        f->members[i].unit = f->units - 1;
    }
}

struct named_units {
    struct symbols *names;
    size_t *unit_of; /* by name: the latest unit */
    size_t capacity;
};

static void name_unit(struct named_units *n, const char *name, size_t unit)
{
    uint32_t id = symbols_add(n->names, name, strlen(name));
    n->unit_of = mem_grow(n->unit_of, &n->capacity, (size_t)id + 1, sizeof *n->unit_of);
    n->unit_of[id] = unit;
}

static void join_named(struct found *f, const struct named_units *n, const char *name,
                       size_t length, size_t unit)
{
    uint32_t id = symbols_find(n->names, name, length);
    if (id != SYMBOL_NONE)
        join(f, n->unit_of[id], unit);
}

/* Joins the units of an owner whose jobs depend on each other or share an array. */
static void join_linked(struct found *f, const struct picked *p, size_t first, size_t end)
{
    struct named_units ids = {symbols_create(), NULL, 0}, arrays = {symbols_create(), NULL, 0};
    for (size_t i = first; i < end; i++) {
        const struct trace_job *job = picked_job(p, &f->members[i].pick);
        size_t unit = f->members[i].unit;
        name_unit(&ids, job->id, unit);
        if (job->array[0] != '\0') {
            join_named(f, &arrays, job->array, strlen(job->array), unit);
            name_unit(&arrays, job->array, unit);
        }
        for (const char *after = job->after; *after != '\0'; after += *after == '|') {
            size_t n = strcspn(after, "|"), skip = n > 4 && memcmp(after, "any:", 4) == 0 ? 4 : 0;
            join_named(f, &ids, after + skip, n - skip, unit);
            after += n;
        }
    }
    symbols_destroy(ids.names);
    symbols_destroy(arrays.names);
    free(ids.unit_of);
    free(arrays.unit_of);
}

static void find_units(struct found *f, const struct picked *p, bool bursts)
{
    divide(f, bursts);
    if (!f->linked)
        return;
    for (size_t first = 0, end; first < f->count; first = end) {
        for (end = first + 1; end < f->count && f->members[end].owner == f->members[first].owner;
             end++)
            ;
        join_linked(f, p, first, end);
    }
    for (size_t i = 0; i < f->count; i++)
        f->members[i].unit = root_of(f, f->members[i].unit);
    qsort(f->members, f->count, sizeof *f->members, by_owner);
}

/* ---- the crowd ---- */

static void gather(struct crowd *c, const struct found *f, const struct picked *p)
{
    for (size_t i = 0; i < f->count; i++) {
        const struct member *m = &f->members[i];
        bool unit = i == 0 || m->unit != m[-1].unit; /* unit numbers are unique over all owners */
        if (unit && (i == 0 || c->bursts || m->owner != m[-1].owner)) {
            c->users = mem_grow(c->users, &c->user_capacity, c->user_count + 1, sizeof *c->users);
            c->users[c->user_count++] = (struct crowd_user){.first = c->unit_count};
        }
        if (unit) {
            c->units = mem_grow(c->units, &c->unit_capacity, c->unit_count + 1, sizeof *c->units);
            c->units[c->unit_count++] = (struct crowd_unit){.first = i, .user = c->user_count - 1};
            c->users[c->user_count - 1].count++;
        }
        double gpu_s = picked_gpu_s(p, &m->pick);
        c->units[c->unit_count - 1].count++;
        c->units[c->unit_count - 1].gpu_s += gpu_s;
        c->units[c->unit_count - 1].linked |= has_links(picked_job(p, &m->pick));
        c->users[c->user_count - 1].gpu_s += gpu_s;
        c->gpu_s += gpu_s;
        picks_add(&c->jobs, m->pick);
    }
}

void crowd_find(struct crowd *c, const struct picked *p, size_t least)
{
    const struct picks *picks = &p->picks;
    struct found f = {.members = mem_alloc(picks->count, sizeof *f.members), .count = picks->count};
    *c = (struct crowd){.bursts = named_users(p) < least};
    for (size_t i = 0; i < picks->count; i++) {
        const struct pick *pick = &picks->all[i];
        const struct trace_job *job = picked_job(p, pick);
        uint64_t owner = c->bursts ? (uint64_t)job->queue << 32 | (uint64_t)job->class
                                   : (uint64_t)job->user << 32 | pick->user_copy;
        f.members[i] = (struct member){.owner = owner, .pick = *pick};
        f.linked |= has_links(job);
    }
    qsort(f.members, f.count, sizeof *f.members, by_owner);
    find_units(&f, p, c->bursts);
    gather(c, &f, p);
    c->begin_ms = picks->all[0].submit_ms;
    c->span_ms = picks->all[picks->count - 1].submit_ms - c->begin_ms;
    c->period_ms = c->span_ms > 13 * DAY_MS ? CROWD_WEEK_MS : DAY_MS;
    free(f.members);
    free(f.parent);
}

void crowd_fini(struct crowd *c)
{
    free(c->jobs.all);
    free(c->units);
    free(c->users);
}

int64_t crowd_shift(const struct crowd *c, const struct crowd_unit *unit, uint64_t turns)
{
    const struct pick *jobs = &c->jobs.all[unit->first];
    int64_t at = jobs[0].submit_ms - c->begin_ms,
            last = jobs[unit->count - 1].submit_ms - c->begin_ms;
    int64_t phase = at % c->period_ms, places = (c->span_ms - phase) / c->period_ms + 1;
    int64_t place = (at / c->period_ms + (int64_t)(turns % (uint64_t)places)) % places;
    int64_t shift = phase + place * c->period_ms - at;
    while (last + shift > c->span_ms) { /* terminates: the original place fits */
        place = (place + 1) % places;
        shift = phase + place * c->period_ms - at;
    }
    return shift;
}

uint64_t crowd_places(const struct crowd *c)
{
    return (uint64_t)(c->span_ms / c->period_ms) + 1;
}
