/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Early stopping; see rungs.h. A job's progress ends at its next rung: the work beyond is
 * progress.rest, and its end event comes when it reaches the rung. So no polling is needed,
 * whatever its speed does.
 */
#include "sim/rungs.h"

#include "sim/internal.h"

#include "sim/base/mem.h"
#include "sim/base/rng.h"
#include "sim/base/symbols.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

/* Jobs at a rung; larger is better, ties go to the earlier submission. */
struct score {
    uint64_t score, number;
};

struct rung {
    int64_t ms;
    struct score *scores; /* best first */
    size_t count, capacity;
    uint64_t went_on, stopped; /* judged: continued, stopped */
};

struct sweep {
    struct rung *rungs;
    int count;
    int64_t eta_milli;
};

/* A job in flight, by its id in the core. `next` equals its sweep's count for a job that has passed
 * all its rungs. */
struct member {
    uint64_t score;
    uint32_t sweep; /* NONE: not in a sweep */
    int32_t next;   /* rung */
};

struct sim_rungs {
    struct sim_rungs_figures figures;
    struct symbols *names; /* of sweeps */
    struct sweep *sweeps;
    size_t sweep_count, sweep_capacity;
    struct member *members;
    size_t member_count;
    struct work_job **reached; /* jobs at a rung at this instant, not judged yet */
    size_t reached_count, reached_capacity;
};

/* ---- scores ---- */

static bool is_better(const struct score *a, const struct score *b)
{
    return a->score != b->score ? a->score > b->score : a->number < b->number;
}

/* Number of scores at the rung that are better. */
static size_t rank_of(const struct rung *rung, const struct score *own)
{
    size_t low = 0, high = rung->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_better(&rung->scores[middle], own))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void note_score(struct rung *rung, const struct score *own)
{
    rung->scores = mem_grow(rung->scores, &rung->capacity, rung->count + 1, sizeof *rung->scores);
    size_t place = rank_of(rung, own);
    memmove(&rung->scores[place + 1], &rung->scores[place], (rung->count - place) * sizeof *own);
    rung->scores[place] = *own;
    rung->count++;
}

static bool goes_on(const struct sweep *sweep, const struct rung *rung, const struct score *own)
{
    size_t best = (size_t)((int64_t)rung->count * 1000 / sweep->eta_milli);
    return rank_of(rung, own) < (best > 1 ? best : 1);
}

/* ---- members ---- */

static bool same_rungs(const struct sweep *sweep, const int64_t *ms, int count, int64_t eta_milli)
{
    int i = 0;
    while (i < count && i < sweep->count && sweep->rungs[i].ms == ms[i])
        i++;
    return i == count && i == sweep->count && sweep->eta_milli == eta_milli;
}

static bool sweep_of(struct sim_rungs *r, const struct trace_job *from, uint32_t *id,
                     struct err *err)
{
    int64_t ms[TRACE_RUNGS];
    int count;
    if (!trace_rungs(from->rungs, ms, &count))
        return err_set(err, EXIT_INPUT, "rungs_s is '%.64s', expected rising run times in seconds",
                       from->rungs);
    int64_t eta_milli = from->eta_milli != TRACE_UNKNOWN ? from->eta_milli : TRACE_ETA_MILLI;
    *id = symbols_add(r->names, from->array, strlen(from->array));
    if (*id < r->sweep_count)
        return same_rungs(&r->sweeps[*id], ms, count, eta_milli) ||
               err_set(err, EXIT_INPUT,
                       "rungs_s or eta are others than of jobs of array '%.64s' before it; "
                       "expected one ladder for an array",
                       from->array);
    r->sweeps = mem_grow(r->sweeps, &r->sweep_capacity, r->sweep_count + 1, sizeof *r->sweeps);
    struct sweep *sweep = &r->sweeps[r->sweep_count++];
    *sweep = (struct sweep){mem_alloc((size_t)count, sizeof *sweep->rungs), count, eta_milli};
    for (int i = 0; i < count; i++)
        sweep->rungs[i].ms = ms[i];
    return true;
}

static struct member *member_of(struct sim *sim, const struct work_job *job)
{
    struct sim_rungs *r = sim->rungs;
    size_t before = r->member_count;
    if (job->core.i >= before)
        r->members =
            mem_extend(r->members, &r->member_count, sim->work.capacity, sizeof *r->members);
    for (size_t i = before; i < r->member_count; i++)
        r->members[i].sweep = NONE;
    return &r->members[job->core.i];
}

static void open_book(struct sim *sim)
{
    sim->rungs = mem_alloc(1, sizeof *sim->rungs);
    sim->rungs->names = symbols_create();
}

bool sim_rungs_admit(struct sim *sim, struct work_job *job, const struct trace_job *from,
                     struct err *err)
{
    if (sim->rungs == NULL)
        open_book(sim);
    struct sim_rungs *r = sim->rungs;
    struct member *m = member_of(sim, job);
    *m = (struct member){.sweep = NONE};
    uint32_t id = NONE;
    if (from->rungs[0] == '\0')
        return true;
    if (!sweep_of(r, from, &id, err))
        return false;
    const struct sweep *sweep = &r->sweeps[id];
    struct rng_stream stream;
    rng_init(&stream, sim->config.seed, RNG_SCORE, job->key);
    *m = (struct member){.score = rng_u64(&stream), .sweep = id};
    struct work_progress *p = &job->progress;
    if (sweep->rungs[0].ms >= job->duration_ms)
        return true;
    int64_t whole = p->total;
    p->total = sweep->rungs[0].ms * work_scale(job);
    p->rest = whole - p->total;
    return true;
}

/* ---- at a rung ---- */

void sim_rungs_reach(struct sim *sim, struct work_job *job)
{
    struct sim_rungs *r = sim->rungs;
    struct member *m = &r->members[job->core.i];
    struct sweep *sweep = &r->sweeps[m->sweep];
    struct rung *rung = &sweep->rungs[m->next++];
    struct work_progress *p = &job->progress;
    int64_t scale = work_scale(job);
    bool last = m->next == sweep->count || sweep->rungs[m->next].ms >= job->duration_ms;
    work_progress_extend(p, last ? p->rest : (sweep->rungs[m->next].ms - rung->ms) * scale);
    sim_account(sim, job);
    job->due_ms = WORK_NO_END; /* any other event for this end is outdated */
    note_score(rung, &(struct score){m->score, job->number});
    r->reached =
        mem_grow(r->reached, &r->reached_capacity, r->reached_count + 1, sizeof(struct work_job *));
    r->reached[r->reached_count++] = job;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = (*(const struct work_job *const *)a)->number;
    uint64_t y = (*(const struct work_job *const *)b)->number;
    return (x > y) - (x < y); /* indices are unique */
}

static bool stop(struct sim *sim, struct work_job *job, struct err *err)
{
    struct sim_rungs_figures *f = &sim->rungs->figures;
    const struct work_progress *p = &job->progress;
    int64_t left_ms = work_ms_of(job, p->total + p->rest - p->done);
    f->stopped += job->counted;
    f->spared += job->counted ? (sim_rungs_amount)left_ms * job->gpu_milli : 0;
    job->stopped = true;
    job->fails = false;
    work_end_here(job);
    return sim_finish_job(sim, job, err);
}

static bool judge(struct sim *sim, struct work_job *job, struct err *err)
{
    struct sim_rungs *r = sim->rungs;
    const struct member *m = &r->members[job->core.i];
    const struct sweep *sweep = &r->sweeps[m->sweep];
    struct rung *rung = &sweep->rungs[m->next - 1];
    bool on = goes_on(sweep, rung, &(struct score){m->score, job->number});
    *(on ? &rung->went_on : &rung->stopped) += 1;
    r->figures.judged += job->counted;
    return on ? sim_schedule(sim, job, err) : stop(sim, job, err);
}

bool sim_rungs_judge(struct sim *sim, struct err *err)
{
    struct sim_rungs *r = sim->rungs;
    size_t count = r->reached_count;
    r->reached_count = 0;
    if (count > 1)
        qsort(r->reached, count, sizeof(struct work_job *), by_number);
    for (size_t i = 0; i < count; i++)
        if (!judge(sim, r->reached[i], err))
            return false;
    return true;
}

/* ---- the book ---- */

const struct sim_rungs_figures *sim_rungs_figures(const struct sim *sim)
{
    return sim->rungs == NULL ? NULL : &sim->rungs->figures;
}

void sim_rungs_close(struct sim *sim)
{
    struct sim_rungs *r = sim->rungs;
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->sweep_count; i++) {
        for (int k = 0; k < r->sweeps[i].count; k++)
            free(r->sweeps[i].rungs[k].scores);
        free(r->sweeps[i].rungs);
    }
    symbols_destroy(r->names);
    free(r->sweeps);
    free(r->members);
    free(r->reached);
    free(r);
    sim->rungs = NULL;
}

/* ---- invariants ---- */

/* Scores at a rung are sorted and were judged; jobs at the next rung continued from it. */
static bool check_rung(const struct sim_rungs *r, size_t id, int k, struct err *err)
{
    const struct rung *rung = &r->sweeps[id].rungs[k];
    bool ok = rung->went_on + rung->stopped == rung->count;
    ok = ok && (rung->count == 0 || rung->went_on > 0);
    ok = ok && (k == 0 || rung->count <= rung[-1].went_on);
    for (size_t i = 1; i < rung->count && ok; i++)
        ok = is_better(&rung->scores[i - 1], &rung->scores[i]);
    return ok ||
           err_set(err, EXIT_INVARIANT,
                   "array '%s', rung %d: %zu jobs got there, %llu went on and %llu were stopped",
                   symbols_name(r->names, (uint32_t)id), k, rung->count,
                   (unsigned long long)rung->went_on, (unsigned long long)rung->stopped);
}

/* A job's current progress ends at its next rung. */
static bool check_member(const struct sim *sim, const struct work_job *job, struct err *err)
{
    const struct member *m = &sim->rungs->members[job->core.i];
    if (m->sweep == NONE || job->duration_ms == 0)
        return true;
    const struct sweep *sweep = &sim->rungs->sweeps[m->sweep];
    const struct work_progress *p = &job->progress;
    bool judged = m->next < sweep->count && sweep->rungs[m->next].ms < job->duration_ms;
    int64_t end_ms = judged ? sweep->rungs[m->next].ms : job->duration_ms;
    return (work_ms_of(job, p->total) == end_ms && (p->rest > 0) == judged) ||
           err_set(err, EXIT_INVARIANT,
                   "job '%s' is judged after %lld ms of work, expected after %lld", work_id(job),
                   (long long)work_ms_of(job, p->total), (long long)end_ms);
}

bool sim_rungs_audit(const struct sim *sim, struct err *err)
{
    const struct sim_rungs *r = sim->rungs;
    for (size_t i = 0; i < r->sweep_count; i++)
        for (int k = 0; k < r->sweeps[i].count; k++)
            if (!check_rung(r, i, k, err))
                return false;
    for (size_t i = 0; i < r->member_count; i++) {
        const struct work_job *job = &sim->work.jobs[i];
        bool live = job->state == WORK_RUNNING || job->state == WORK_PENDING;
        if (live && !check_member(sim, job, err))
            return false;
    }
    return r->reached_count == 0 ||
           err_set(err, EXIT_INVARIANT, "%zu jobs got to a rung and were not judged",
                   r->reached_count);
}
