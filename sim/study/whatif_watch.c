/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fates of jobs; see whatif_watch.h. */
#include "sim/study/whatif_watch.h"

#include "report/compare/measures.h"
#include "sim/base/mem.h"
#include "sim/base/symbols.h"
#include "sim/start/start.h"

#include <stdlib.h>
#include <string.h>

/* A job that has at least one fate in a replica. */
struct mark {
    char *job, *queue;
    uint8_t class;
    uint32_t fates; /* a bit for each */
    int64_t gpu_milli, at_ms;
    int32_t reason;
};

struct record {
    struct symbols *ids; /* indices of the marks */
    struct mark *marks;
    size_t count, capacity;
};

struct watch {
    int replicas;
    struct record *records; /* [side * replicas + replica - 1] */
    struct watch_case *cases[FATES];
    size_t case_counts[FATES];
};

/* ---- one simulation ---- */

static struct mark *mark_of(struct record *r, const char *id)
{
    if (r->ids == NULL)
        r->ids = symbols_create();
    uint32_t number = symbols_add(r->ids, id, strlen(id));
    if (number == r->count) {
        r->marks = mem_grow(r->marks, &r->capacity, r->count + 1, sizeof *r->marks);
        r->marks[r->count++] = (struct mark){.job = mem_text(id)};
    }
    return &r->marks[number];
}

static struct mark *mark_job(struct record *r, const struct sim *sim, const struct work_job *job,
                             enum watch_fate fate)
{
    struct mark *mark = mark_of(r, work_id(job));
    if (mark->queue == NULL)
        mark->queue = mem_text(sim->queues[job->queue].name);
    mark->class = job->class;
    mark->gpu_milli = job->gpu_milli;
    mark->fates |= 1u << fate;
    return mark;
}

static void evicted(void *self, const struct sim *sim, const struct work_job *job,
                    const struct sim_eviction *how)
{
    struct record *r = self;
    bool before = (mark_of(r, work_id(job))->fates & 1u << FATE_EVICTED) != 0;
    struct mark *mark = mark_job(r, sim, job, FATE_EVICTED);
    if (before)
        return;
    mark->reason = how->reason;
    mark->at_ms = sim->now_ms;
}

static void empty(struct record *r)
{
    for (size_t i = 0; i < r->count; i++) {
        free(r->marks[i].job);
        free(r->marks[i].queue);
    }
    free(r->marks);
    if (r->ids != NULL)
        symbols_destroy(r->ids);
    *r = (struct record){0};
}

static void begin(void *self)
{
    empty(self);
}

static void finish(void *self, const struct simulation *s)
{
    struct record *r = self;
    const struct sim *sim = s->sim;
    for (size_t i = 0; i < sim->work.capacity; i++)
        if (sim->work.jobs[i].state == WORK_PENDING && sim_never_fits(sim, &sim->work.jobs[i]))
            mark_job(r, sim, &sim->work.jobs[i], FATE_NEVER_FITS);
    size_t count;
    const struct start_displaced *displaced = start_displaced(s->start, &count);
    for (size_t i = 0; i < count; i++) {
        struct mark *mark = mark_of(r, displaced[i].id);
        if (mark->queue == NULL)
            mark->queue = mem_text(displaced[i].queue);
        mark->class = (uint8_t)displaced[i].class;
        mark->gpu_milli = displaced[i].gpu_milli;
        mark->fates |= 1u << FATE_DISPLACED;
    }
}

struct run_watch watch_of(struct watch *w, size_t side, int replica)
{
    struct record *r = &w->records[side * (size_t)w->replicas + (size_t)replica - 1];
    return (struct run_watch){
        .self = r, .begin = begin, .observer = {.self = r, .evicted = evicted}, .finish = finish};
}

/* ---- all together ---- */

struct watch *watch_create(int replicas)
{
    struct watch *w = mem_alloc(1, sizeof *w);
    w->replicas = replicas;
    w->records = mem_alloc(SIDES * (size_t)replicas, sizeof *w->records);
    return w;
}

void watch_destroy(struct watch *w)
{
    if (w == NULL)
        return;
    for (size_t i = 0; i < SIDES * (size_t)w->replicas; i++)
        empty(&w->records[i]);
    for (int fate = 0; fate < FATES; fate++)
        free(w->cases[fate]);
    free(w->records);
    free(w);
}

static bool has(const struct record *r, const char *id, enum watch_fate fate)
{
    uint32_t number = r->ids == NULL ? SYMBOL_NONE : symbols_find(r->ids, id, strlen(id));
    return number != SYMBOL_NONE && (r->marks[number].fates & 1u << fate) != 0;
}

uint64_t watch_total(const struct watch *w, size_t side, enum watch_fate fate)
{
    uint64_t sum = 0;
    for (int k = 0; k < w->replicas; k++) {
        const struct record *r = &w->records[side * (size_t)w->replicas + (size_t)k];
        for (size_t i = 0; i < r->count; i++)
            sum += (r->marks[i].fates & 1u << fate) != 0;
    }
    return sum;
}

static int by_weight(const void *a, const void *b)
{
    const struct watch_case *x = a, *y = b;
    if (x->replicas != y->replicas)
        return x->replicas > y->replicas ? -1 : 1;
    if (x->gpu_milli != y->gpu_milli)
        return x->gpu_milli > y->gpu_milli ? -1 : 1;
    return strcmp(x->job, y->job); /* unique */
}

static struct watch_case case_of(const struct mark *mark, enum watch_fate fate, int replica)
{
    bool evicted = fate == FATE_EVICTED;
    return (struct watch_case){.job = mark->job,
                               .queue = mark->queue,
                               .class = trace_class_names[mark->class],
                               .gpu_milli = mark->gpu_milli,
                               .fate = fate,
                               .first_replica = replica,
                               .reason = evicted ? policy_reason_name(mark->reason) : "",
                               .at_ms = evicted ? mark->at_ms : 0};
}

/* Replicas in order: the first one in which a job has the fate determines its details. */
static void gather(struct watch *w, enum watch_fate fate)
{
    struct symbols *ids = symbols_create();
    struct watch_case *cases = NULL;
    size_t count = 0, capacity = 0;
    for (int k = 0; k < w->replicas; k++) {
        const struct record *a = &w->records[k], *b = &w->records[w->replicas + k];
        for (size_t i = 0; i < b->count; i++) {
            const struct mark *mark = &b->marks[i];
            if ((mark->fates & 1u << fate) == 0 || has(a, mark->job, fate))
                continue;
            uint32_t number = symbols_add(ids, mark->job, strlen(mark->job));
            if (number == count) {
                cases = mem_grow(cases, &capacity, count + 1, sizeof *cases);
                cases[count++] = case_of(mark, fate, k + 1);
            }
            cases[number].replicas++;
        }
    }
    symbols_destroy(ids);
    if (count > 0)
        qsort(cases, count, sizeof *cases, by_weight);
    w->cases[fate] = cases;
    w->case_counts[fate] = count;
}

const struct watch_case *watch_cases(struct watch *w, enum watch_fate fate, size_t *count)
{
    if (w->cases[fate] == NULL)
        gather(w, fate);
    *count = w->case_counts[fate];
    return w->cases[fate];
}
