/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replaces another policy's decisions by the recorded ones; see takeover.h. */
#include "sim/replay/takeover.h"

#include "policies/facts/hash.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* A task that holds devices. */
struct task_place {
    uint32_t task, node;
    uint64_t devices;
    policy_time since;
};

struct replay_place { /* the tasks of one job */
    uint64_t job;
    struct task_place *tasks;
    size_t count, capacity;
    UT_hash_handle hh;
};

/* ---- places ---- */

static struct replay_place *find(const struct replay_places *p, policy_job job)
{
    uint64_t key = hash_key(job.i, job.gen);
    struct replay_place *place = NULL;
    HASH_FIND(hh, p->places, &key, sizeof key, place);
    return place;
}

static void forget(struct replay_places *p, struct replay_place *place)
{
    if (place == NULL)
        return;
    HASH_DEL(p->places, place);
    free(place->tasks);
    free(place);
}

static struct task_place *find_task(const struct replay_place *place, uint32_t task)
{
    for (size_t i = 0; place != NULL && i < place->count; i++)
        if (place->tasks[i].task == task)
            return &place->tasks[i];
    return NULL;
}

static void put(struct replay_places *p, policy_job job, const struct task_place *at)
{
    struct replay_place *place = find(p, job);
    if (place == NULL) {
        place = mem_alloc(1, sizeof *place);
        place->job = hash_key(job.i, job.gen);
        HASH_ADD(hh, p->places, job, sizeof place->job, place);
    }
    struct task_place *task = find_task(place, at->task);
    if (task == NULL) {
        place->tasks =
            mem_grow(place->tasks, &place->capacity, place->count + 1, sizeof *place->tasks);
        task = &place->tasks[place->count++];
    }
    *task = *at;
}

static void leave(struct replay_places *p, policy_job job, uint32_t number)
{
    struct replay_place *place = find(p, job);
    struct task_place *task = find_task(place, number);
    if (number == POLICY_ALL_TASKS)
        forget(p, place);
    else if (task != NULL)
        *task = place->tasks[--place->count];
}

void replay_places_fini(struct replay_places *p)
{
    while (p->places != NULL)
        forget(p, p->places);
}

void replay_places_fact(struct replay_places *p, const struct fact *f)
{
    if (f->kind == FACT_TASK_RUNNING)
        put(p, f->job, &(struct task_place){f->task, f->node.i, f->devices, f->value});
    else if (f->kind == FACT_TASK_ENDED)
        leave(p, f->job, f->task);
    else if (f->kind == FACT_START_FAILED)
        leave(p, f->job, POLICY_ALL_TASKS);
}

void replay_places_decided(struct replay_places *p, const struct fact_decision *recorded,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct policy_decision *d = &recorded[i].d;
        if (d->kind == POLICY_START)
            put(p, d->job, &(struct task_place){d->task, d->node.i, d->devices, recorded[i].at});
    }
}

/* ---- taking over ---- */

static bool same_task(const struct policy_decision *a, const struct policy_decision *b)
{
    return a->kind == b->kind && a->job.i == b->job.i && a->job.gen == b->job.gen &&
           a->task == b->task;
}

static bool same_start(const struct policy_decision *a, const struct policy_decision *b)
{
    return same_task(a, b) && a->node.i == b->node.i && a->devices == b->devices;
}

static bool is_among(const struct policy_decision *d, const struct fact_decision *list,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (d->kind == POLICY_START ? same_start(d, &list[i].d) : same_task(d, &list[i].d))
            return true;
    return false;
}

/* True if both lists start the same tasks of the job. */
static bool agree_on(const struct fact_decision *a, size_t a_count, const struct fact_decision *b,
                     size_t b_count, policy_job job)
{
    for (size_t i = 0; i < a_count; i++)
        if (a[i].d.kind == POLICY_START && a[i].d.job.i == job.i && !is_among(&a[i].d, b, b_count))
            return false;
    return true;
}

static bool agree(const struct replay_core *core, const struct fact_decision *recorded,
                  size_t count, policy_job job)
{
    return agree_on(core->decisions, core->count, recorded, count, job) &&
           agree_on(recorded, count, core->decisions, core->count, job);
}

/* The first in the list that starts the job: facts about the whole job are reported once. */
static bool is_first(const struct fact_decision *list, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (list[k].d.kind == list[i].d.kind && list[k].d.job.i == list[i].d.job.i)
            return false;
    return true;
}

static uint64_t take_back(const struct replay_core *core, const struct fact_decision *recorded,
                          size_t count, const struct replay_teller *teller)
{
    uint64_t refused = 0;
    for (size_t i = 0; i < core->count; i++) {
        const struct fact_decision *d = &core->decisions[i];
        if (d->d.kind != POLICY_START || !is_first(core->decisions, i) ||
            agree(core, recorded, count, d->d.job))
            continue;
        const struct fact failed = {.kind = FACT_START_FAILED, .at = d->at, .job = d->d.job};
        refused += teller->tell(teller->self, &failed) != POLICY_OK;
    }
    return refused;
}

static uint64_t found_running(const struct replay_teller *teller, policy_job job,
                              const struct task_place *place, policy_time at)
{
    const struct fact runs = {.kind = FACT_TASK_RUNNING,
                              .at = at,
                              .job = job,
                              .task = place->task,
                              .node = {place->node},
                              .devices = place->devices,
                              .value = place->since};
    return teller->tell(teller->self, &runs) != POLICY_OK;
}

/* A client that starts jobs after its evictions have ended waits for confirmation; gangs stop and
 * start as a whole. */
static uint64_t put_back(const struct replay_core *core, const struct replay_places *places,
                         const struct fact_decision *recorded, size_t count,
                         const struct replay_teller *teller)
{
    uint64_t refused = 0;
    for (size_t i = 0; i < core->count; i++) {
        const struct fact_decision *d = &core->decisions[i];
        if (d->d.kind != POLICY_EVICT || is_among(&d->d, recorded, count) ||
            !is_first(core->decisions, i))
            continue;
        const struct fact ended = {.kind = FACT_TASK_ENDED,
                                   .at = d->at,
                                   .job = d->d.job,
                                   .task = POLICY_ALL_TASKS,
                                   .state = POLICY_EVICTED};
        refused += teller->tell(teller->self, &ended) != POLICY_OK;
        for (size_t k = i; k < core->count; k++) {
            const struct policy_decision *part = &core->decisions[k].d;
            const struct task_place *place = find_task(find(places, part->job), part->task);
            if (part->kind == POLICY_EVICT && part->job.i == d->d.job.i && place != NULL)
                refused += found_running(teller, part->job, place, d->at);
        }
    }
    return refused;
}

static uint64_t start_recorded(const struct replay_core *core, const struct fact_decision *recorded,
                               size_t count, const struct replay_teller *teller)
{
    uint64_t refused = 0;
    for (size_t i = 0; i < count; i++) {
        const struct policy_decision *d = &recorded[i].d;
        if (d->kind != POLICY_START || agree(core, recorded, count, d->job))
            continue;
        const struct task_place place = {d->task, d->node.i, d->devices, recorded[i].at};
        refused += found_running(teller, d->job, &place, recorded[i].at);
    }
    return refused;
}

uint64_t replay_take_over(const struct replay_core *core, const struct replay_places *places,
                          const struct fact_decision *recorded, size_t count,
                          struct replay_teller teller)
{
    uint64_t refused = take_back(core, recorded, count, &teller);
    if ((policy_traits(&core->config) & (POLICY_TRAIT_WHOLE | POLICY_TRAIT_PROGRESS)) ==
        (POLICY_TRAIT_WHOLE | POLICY_TRAIT_PROGRESS))
        refused += put_back(core, places, recorded, count, &teller);
    return refused + start_recorded(core, recorded, count, &teller);
}
