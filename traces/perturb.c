/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * See perturb.h. The jobs of the result are (time, job of a source, copy) and are sorted by time; strings of copies are made
 * when a job is given out.
 */
#include "traces/perturb.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "traces/sample.h"
#include "traces/trace_internal.h"
#include "traces/whole.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_MS     INT64_C(86400000)
#define WEEK_MS    (7 * DAY_MS)
#define TRIES_MOST 1000 /* in a row that did not fit */

struct pick {
    int64_t submit_ms;
    uint64_t order; /* unique */
    uint32_t source;
    uint32_t block; /* 1 + where its block is now, 0: where it was */
    uint32_t copy;  /* of its user, unique; 0: the user himself */
    size_t job;
};

struct picks {
    struct pick *all;
    size_t count, capacity;
};

/* A user's jobs: picks[first..], in order of time; and a session of his. */
struct span {
    size_t first, count;
    double gpu_s;
};

struct perturbed {
    struct trace base;
    struct trace *merged; /* that came in, for digest and notes */
    struct trace **inner;
    size_t inner_count;
    struct trace_perturbation wanted;
    struct whole *wholes;
    struct picks picks;
    struct rng_stream random;
    uint32_t last_copy;
    size_t next;
    bool ready;
    char *texts[3]; /* id, after and array of the job given out */
    uint64_t row;
};

static size_t draw(struct perturbed *p, size_t count)
{
    return (size_t)gsl_rng_uniform_int(rng_gsl(&p->random), (unsigned long)count);
}

static void add(struct picks *picks, struct pick pick)
{
    picks->all = mem_grow(picks->all, &picks->capacity, picks->count + 1, sizeof *picks->all);
    pick.order = picks->count;
    picks->all[picks->count++] = pick;
}

static const struct trace_job *job_of(const struct perturbed *p, const struct pick *pick)
{
    return &p->wholes[pick->source].jobs[pick->job];
}

static double gpu_s(const struct perturbed *p, const struct pick *pick)
{
    const struct trace_job *job = job_of(p, pick);
    return (double)trace_job_gpu_milli(job) / 1000 * (double)job->duration_ms / 1000;
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

/* Block `from` of a source as block `to`; copies of one block are told apart by where they are. */
static void take_block(struct perturbed *p, uint32_t source, size_t from, size_t to)
{
    const struct whole *whole = &p->wholes[source];
    int64_t begin = begin_of(whole) + (int64_t)from * p->wanted.block_ms;
    int64_t target = begin_of(&p->wholes[0]) + (int64_t)to * p->wanted.block_ms;
    size_t low = 0, high = whole->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (whole->jobs[middle].submit_ms < begin)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < whole->count && whole->jobs[low].submit_ms < begin + p->wanted.block_ms; low++)
        add(&p->picks, (struct pick){.submit_ms = whole->jobs[low].submit_ms - begin + target,
                                     .source = source,
                                     .block = from == to && p->inner_count == 1 ? 0 : (uint32_t)to + 1,
                                     .job = low});
}

static void make_blocks(struct perturbed *p)
{
    size_t blocks = 0;
    for (size_t i = 0; i < p->inner_count; i++)
        blocks = blocks_of(p, &p->wholes[i]) > blocks ? blocks_of(p, &p->wholes[i]) : blocks;
    bool anywhere = p->wanted.shuffle || p->inner_count == 1;
    for (size_t to = 0; to < blocks; to++) {
        uint32_t source;
        do {
            source = (uint32_t)draw(p, p->inner_count);
        } while (!anywhere && blocks_of(p, &p->wholes[source]) <= to);
        take_block(p, source, anywhere ? draw(p, blocks_of(p, &p->wholes[source])) : to, to);
    }
}

/* All jobs of all traces where they are. */
static void take_all(struct perturbed *p)
{
    for (uint32_t s = 0; s < p->inner_count; s++)
        for (size_t i = 0; i < p->wholes[s].count; i++)
            add(&p->picks, (struct pick){.submit_ms = p->wholes[s].jobs[i].submit_ms,
                                         /* ids of several traces may be the same */ .source = s,
                                         .block = s,
                                         .job = i});
}

static int by_time(const void *a, const void *b)
{
    const struct pick *x = a, *y = b;
    if (x->submit_ms != y->submit_ms)
        return x->submit_ms < y->submit_ms ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static void sort(struct picks *picks)
{
    if (picks->count > 0)
        qsort(picks->all, picks->count, sizeof *picks->all, by_time);
    for (size_t i = 0; i < picks->count; i++)
        picks->all[i].order = i;
}

/* ---- users ---- */

/* Picks by user and time: what qsort compares has to lie in the element. */
struct by_user {
    uint32_t user, copy;
    struct pick pick;
};

static int compare_users(const void *a, const void *b)
{
    const struct by_user *x = a, *y = b;
    if (x->user != y->user)
        return x->user < y->user ? -1 : 1;
    if (x->copy != y->copy)
        return x->copy < y->copy ? -1 : 1;
    return (x->pick.order > y->pick.order) - (x->pick.order < y->pick.order);
}

struct crowd {
    struct picks jobs; /* by user and time */
    struct span *users, *sessions;
    size_t user_count, session_count;
    uint32_t *copies;                   /* of each user, so far */
    size_t *user_of;                    /* of each session */
    int64_t begin_ms, span_ms, step_ms; /* of the trace; whole weeks, or days, or nothing */
    double gpu_s;
};

static void add_span(struct span **spans, size_t *count, size_t *capacity, size_t first)
{
    *spans = mem_grow(*spans, capacity, *count + 1, sizeof **spans);
    (*spans)[(*count)++] = (struct span){.first = first};
}

static void find_crowd(struct perturbed *p, struct crowd *c)
{
    struct by_user *sorted = mem_alloc(p->picks.count, sizeof *sorted);
    for (size_t i = 0; i < p->picks.count; i++)
        sorted[i] =
            (struct by_user){job_of(p, &p->picks.all[i])->user, p->picks.all[i].copy, p->picks.all[i]};
    qsort(sorted, p->picks.count, sizeof *sorted, compare_users);
    size_t users = 0, sessions = 0, owners = 0;
    for (size_t i = 0; i < p->picks.count; i++) {
        bool other = i == 0 || sorted[i].user != sorted[i - 1].user || sorted[i].copy != sorted[i - 1].copy;
        bool later = !other && sorted[i].pick.submit_ms - sorted[i - 1].pick.submit_ms > SAMPLE_GAP_MS;
        if (other)
            add_span(&c->users, &c->user_count, &users, i);
        if (other || later) {
            add_span(&c->sessions, &c->session_count, &sessions, i);
            c->user_of = mem_grow(c->user_of, &owners, c->session_count, sizeof *c->user_of);
            c->user_of[c->session_count - 1] = c->user_count - 1;
        }
        double own = gpu_s(p, &sorted[i].pick);
        c->users[c->user_count - 1].count++;
        c->users[c->user_count - 1].gpu_s += own;
        c->sessions[c->session_count - 1].count++;
        c->sessions[c->session_count - 1].gpu_s += own;
        c->gpu_s += own;
        add(&c->jobs, sorted[i].pick);
    }
    c->begin_ms = midnight(p->picks.all[0].submit_ms);
    int64_t days = (p->picks.all[p->picks.count - 1].submit_ms - c->begin_ms) / DAY_MS + 1;
    c->step_ms = days >= 14 ? WEEK_MS : DAY_MS;
    c->span_ms = days >= 14 ? (days + 6) / 7 * WEEK_MS : days * DAY_MS;
    free(sorted);
}

static void free_crowd(struct crowd *c)
{
    free(c->jobs.all);
    free(c->users);
    free(c->sessions);
    free(c->user_of);
}

/* Jobs of a user: as they are, or once more, as somebody else and at another time. */
static void take(struct perturbed *p, const struct crowd *c, const struct span *span, bool again)
{
    int64_t shift = again ? (int64_t)draw(p, (size_t)(c->span_ms / c->step_ms)) * c->step_ms : 0;
    p->last_copy += again;
    for (size_t i = 0; i < span->count; i++) {
        struct pick pick = c->jobs.all[span->first + i];
        int64_t at = pick.submit_ms - c->begin_ms + shift;
        pick.submit_ms = c->begin_ms + (at >= c->span_ms ? at - c->span_ms : at);
        pick.copy = again ? p->last_copy : pick.copy;
        add(&p->picks, pick);
    }
}

/* Users, and then sessions, in random order while they fit into what is left of the budget. */
static void fill(struct perturbed *p, struct crowd *c, double budget, bool once)
{
    bool *used = mem_alloc(c->user_count, sizeof *used);
    for (int tries = 0; tries < TRIES_MOST;) {
        size_t u = draw(p, c->user_count);
        if ((once && used[u]) || c->users[u].gpu_s > budget) {
            tries++;
            continue;
        }
        used[u] = true;
        budget -= c->users[u].gpu_s;
        take(p, c, &c->users[u], !once);
        tries = 0;
    }
    bool *had = mem_alloc(c->session_count, sizeof *had);
    for (int tries = 0; tries < TRIES_MOST;) {
        size_t s = draw(p, c->session_count);
        if (had[s] || (once && used[c->user_of[s]]) || c->sessions[s].gpu_s > budget) {
            tries++;
            continue;
        }
        had[s] = true;
        budget -= c->sessions[s].gpu_s;
        take(p, c, &c->sessions[s], !once);
        tries = 0;
    }
    free(had);
    free(used);
}

/* The users of the result, from those of the picks. */
static bool change_users(struct perturbed *p, struct err *err)
{
    struct crowd c = {0};
    find_crowd(p, &c);
    bool ok =
        c.user_count >= 2 ||
        err_set(err, EXIT_INPUT,
                "resampling users, or scaling load by them: the trace names %zu user, expected at least 2",
                c.user_count);
    double load = p->wanted.load;
    bool *chosen_before = mem_alloc(c.user_count, sizeof *chosen_before);
    p->picks.count = 0;
    for (size_t u = 0; ok && p->wanted.resample && u < c.user_count; u++) {
        size_t chosen = draw(p, c.user_count);
        take(p, &c, &c.users[chosen], chosen_before[chosen]);
        chosen_before[chosen] = true;
    }
    free(chosen_before);
    if (ok && p->wanted.resample && (load < 1 || load > 1)) { /* of the people that were drawn */
        free_crowd(&c);
        sort(&p->picks);
        p->wanted.resample = false;
        return change_users(p, err);
    }
    for (size_t u = 0; ok && !p->wanted.resample && load > 1 && u < c.user_count; u++)
        take(p, &c, &c.users[u], false);
    if (ok && load > 1)
        fill(p, &c, (load - 1) * c.gpu_s, false);
    else if (ok && load < 1)
        fill(p, &c, load * c.gpu_s, true);
    free_crowd(&c);
    return ok;
}

/* ---- the trace ---- */

static bool load_all(struct perturbed *p, enum trace_result *result, struct err *err)
{
    struct trace_job job;
    for (size_t i = 0; i < p->inner_count; i++) {
        while ((*result = trace_next(p->inner[i], &job, err)) == TRACE_JOB)
            whole_add(&p->wholes[i], &job);
        if (*result < 0)
            return false;
    }
    return true;
}

static bool prepare(struct perturbed *p, enum trace_result *result, struct err *err)
{
    if (!load_all(p, result, err))
        return false;
    *result = TRACE_ERROR;
    size_t jobs = 0;
    for (size_t i = 0; i < p->inner_count; i++) {
        jobs += p->wholes[i].count;
        if (p->wholes[i].count == 0 && (p->inner_count > 1 || p->wanted.block_ms > 0))
            return err_set(err, EXIT_INPUT, "trace %zu of those to take blocks of has no jobs", i + 1);
    }
    if (jobs == 0)
        return true;
    if (p->wanted.block_ms > 0)
        make_blocks(p);
    else
        take_all(p);
    sort(&p->picks);
    bool users = p->wanted.resample || p->wanted.load < 1 || p->wanted.load > 1;
    if (users && p->picks.count > 0 && !change_users(p, err))
        return false;
    sort(&p->picks);
    return true;
}

/* "name~BLOCK#COPY"; each entry of `after`. */
static const char *mark(char **text, const char *name, const struct pick *pick)
{
    free(*text);
    *text = NULL;
    if (name[0] == '\0' || (pick->copy == 0 && pick->block == 0))
        return name;
    *text = mem_alloc(strlen(name) + 1, 25);
    char *to = *text;
    while (*name != '\0') {
        size_t n = strcspn(name, "|");
        memcpy(to, name, n);
        to += n;
        to += pick->block > 0 ? snprintf(to, 12, "~%u", pick->block) : 0;
        to += pick->copy > 0 ? snprintf(to, 12, "#%u", pick->copy) : 0;
        name += n;
        if (*name == '|')
            *to++ = *name++;
    }
    *to = '\0';
    return *text;
}

static uint32_t user_of(struct perturbed *p, uint32_t user, uint32_t copy)
{
    if (copy == 0)
        return user;
    char *name = mem_format("%s#%u", symbols_name(p->wanted.names.users, user), copy);
    uint32_t id = symbols_add(p->wanted.names.users, name, strlen(name));
    free(name);
    return id;
}

static enum trace_result next(struct trace *base, struct trace_job *job, struct err *err)
{
    struct perturbed *p = (struct perturbed *)base;
    enum trace_result result;
    if (!p->ready && !prepare(p, &result, err))
        return result;
    p->ready = true;
    if (p->next == p->picks.count)
        return TRACE_END;
    const struct pick *pick = &p->picks.all[p->next++];
    *job = *job_of(p, pick);
    int64_t moved = pick->submit_ms - job->submit_ms;
    job->submit_ms += moved;
    job->eligible_ms += moved;
    if (moved != 0)
        job->start_ms = job->end_ms = TRACE_UNKNOWN;
    job->row = p->row++;
    job->user = user_of(p, job->user, pick->copy);
    job->id = mark(&p->texts[0], job->id, pick);
    job->after = mark(&p->texts[1], job->after, pick);
    job->array = mark(&p->texts[2], job->array, pick);
    return TRACE_JOB;
}

static void close_perturbed(struct trace *base)
{
    struct perturbed *p = (struct perturbed *)base;
    for (size_t i = 0; i < p->inner_count; i++)
        whole_free(&p->wholes[i]);
    for (int i = 0; i < 3; i++)
        free(p->texts[i]);
    trace_close(p->merged);
    free(p->wholes);
    free(p->inner);
    free(p->picks.all);
}

static void get_digest(const struct trace *base, char hex[DIGEST_HEX])
{
    trace_digest(((const struct perturbed *)base)->merged, hex);
}

static const struct trace_note *get_notes(const struct trace *base, size_t *count)
{
    return trace_notes(((const struct perturbed *)base)->merged, count);
}

bool trace_perturbs(const struct trace_perturbation *wanted, size_t traces)
{
    return wanted->block_ms > 0 || wanted->resample || wanted->load < 1 || wanted->load > 1 || traces > 1;
}

struct trace *trace_perturb(struct trace **traces, size_t count, const struct trace_perturbation *wanted)
{
    static const struct trace_methods methods = {
        .next = next, .close = close_perturbed, .digest = get_digest, .notes = get_notes};
    BUG_ON(!(wanted->load > 0) || wanted->block_ms < 0);
    struct perturbed *p = mem_alloc(1, sizeof *p);
    p->inner = mem_alloc(count, sizeof *p->inner);
    memcpy(p->inner, traces, count * sizeof *p->inner);
    p->inner_count = count;
    p->wholes = mem_alloc(count, sizeof *p->wholes);
    p->wanted = *wanted;
    p->merged = trace_merge(traces, count);
    p->base.methods = &methods;
    p->base.format = trace_format_name(p->merged);
    p->base.linked = trace_linked(p->merged);
    rng_init(&p->random, wanted->seed, RNG_RESAMPLE, 0);
    return &p->base;
}
