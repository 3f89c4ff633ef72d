/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Grants requests for memory at the end of an instant; see gpu_memory.h. */
#include "sim/gpu_memory_internal.h"

#include "sim/base/mem.h"
#include "sim/gpu_memory.h"

#include <stdlib.h>

static bool is_there(const struct work_job *job)
{
    return job->state == WORK_RUNNING && !job->stopping;
}

static bool counts_now(const struct sim *sim)
{
    return sim->now_ms >= sim->window_start_ms && sim->now_ms < sim->window_end_ms;
}

static void count(const struct sim *sim, uint64_t *number)
{
    *number += counts_now(sim);
}

/* ---- asking and getting ---- */

static bool fits(const struct sim *sim, const struct memory_job *d)
{
    struct memory_spot spot = {NULL, 0};
    return !memory_next_full(sim, d, &spot);
}

/* Releases what it no longer wants. */
static void shrink(struct sim *sim, struct memory_job *d)
{
    struct memory_place *places = sim->memory->places;
    for (uint32_t id = d->tenant; id != WORK_NONE; id = places[id].sibling)
        if (memory_wanted(d, &places[id]) < places[id].held_mib)
            memory_hold(sim, &places[id], memory_wanted(d, &places[id]));
}

static bool grant(struct sim *sim, struct work_job *job, struct memory_job *d, struct err *err)
{
    struct memory_place *places = sim->memory->places;
    for (uint32_t id = d->tenant; id != WORK_NONE; id = places[id].sibling)
        memory_hold(sim, &places[id], memory_wanted(d, &places[id]));
    d->waits_ms = WORK_NEVER;
    d->ended = 0;
    return sim_starve(sim, job, false, err);
}

/* ---- making room ---- */

/* Its processes end at once; it is pending again. */
static bool end_processes(struct sim *sim, uint32_t id, uint64_t *number, struct err *err)
{
    const struct sim_fault cause = {.class = SIM_CAUSE_MEMORY, .effect = SIM_FAULT_KILLS};
    count(sim, number);
    sim->memory->jobs[id].ended++;
    sim->memory->jobs[id].waits_ms = WORK_NEVER;
    return sim_interrupt(sim, &sim->work.jobs[id], &cause, err);
}

/* Lists the jobs to end on a device for the job, in the sim's scratch array; returns 0 if they
 * would not suffice. */
static size_t victims_at(struct sim *sim, uint32_t id, const struct memory_spot *spot)
{
    struct sim_memory *m = sim->memory;
    size_t own = 0;
    size_t beside = memory_beside(sim, spot->place->node, spot->device, id, &own);
    int64_t need = memory_more(sim, spot->place, spot->device) -
                   memory_free(sim, spot->place->node, spot->device);
    m->victims = mem_grow(m->victims, &m->victim_capacity, beside, sizeof *m->victims);
    return memory_victims(m->beside, beside, own, need, m->victims);
}

/* No job is ended for one that would not get all that it asks for. */
static bool can_make_room(struct sim *sim, uint32_t id)
{
    struct memory_spot spot = {NULL, 0};
    while (memory_next_full(sim, memory_of(sim, id), &spot))
        if (victims_at(sim, id, &spot) == 0)
            return false;
    return true;
}

static bool make_room(struct sim *sim, uint32_t id, struct err *err)
{
    struct sim_memory *m = sim->memory;
    for (struct memory_spot spot = {NULL, 0}; memory_next_full(sim, memory_of(sim, id), &spot);
         spot.place = NULL) {
        if (victims_at(sim, id, &spot) == 0)
            return err_set(err, EXIT_INVARIANT,
                           "job '%s': no job is left that could make room for it",
                           work_id(&sim->work.jobs[id]));
        size_t first = m->victims[0]; /* then the others, if it still takes any */
        uint64_t *number =
            m->beside[first].idle ? &m->stats.evicted_idle : &m->stats.evicted_priority;
        if (!end_processes(sim, m->beside_job[first], number, err))
            return false;
    }
    return true;
}

static bool stand_still(struct sim *sim, struct work_job *job, struct memory_job *d,
                        struct err *err)
{
    if (d->waits_ms == WORK_NEVER) {
        d->waits_ms = sim->now_ms;
        count(sim, &sim->memory->stats.waits);
    }
    return sim_starve(sim, job, true, err);
}

/* Handles a request for more than is free. */
static bool collide(struct sim *sim, uint32_t id, struct err *err)
{
    struct work_job *job = &sim->work.jobs[id];
    struct memory_job *d = memory_of(sim, id);
    struct sim_memory_stats *stats = &sim->memory->stats;
    if (d->waits_ms == WORK_NEVER)
        count(sim, &stats->collisions);
    switch (sim->memory->rules.mode) {
    case MEMORY_NONE:
        return end_processes(sim, id, &stats->oom_kills, err);
    case MEMORY_WAIT:
        return stand_still(sim, job, d, err);
    case MEMORY_PRIORITY:
        if (!can_make_room(sim, id))
            return stand_still(sim, job, d, err);
        return make_room(sim, id, err) && grant(sim, job, memory_of(sim, id), err);
    case MEMORY_SWAP:
        return grant(sim, job, d, err);
    case MEMORY_OFF:
    case MEMORY_STATIC:
    case MEMORY_MODES:
        break;
    }
    return err_set(err, EXIT_INVARIANT,
                   "job '%s': it was placed by its limit, but its memory is missing", work_id(job));
}

static bool resolve(struct sim *sim, uint32_t id, struct err *err)
{
    struct work_job *job = &sim->work.jobs[id];
    struct memory_job *d = memory_of(sim, id);
    if (!is_there(job) || d->tenant == WORK_NONE)
        return true;
    if (d->ready_ms != WORK_NEVER && d->ready_ms > sim->now_ms)
        return sim_starve(sim, job, true, err);
    return fits(sim, d) ? grant(sim, job, d, err) : collide(sim, id, err);
}

/* ---- one round ---- */

/* In the order in which they stalled; others last. */
struct asker {
    int64_t since_ms;
    uint64_t number;
    uint32_t job;
};

static int by_wait(const void *a, const void *b)
{
    const struct asker *x = a, *y = b;
    if (x->since_ms != y->since_ms)
        return x->since_ms < y->since_ms ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Stalled jobs ask again where memory was released. */
static void ask_again(struct sim *sim)
{
    struct sim_memory *m = sim->memory;
    for (size_t i = 0; i < m->freed_count; i++) {
        m->is_freed[m->freed[i]] = false;
        for (uint32_t id = m->first_on[m->freed[i]]; id != WORK_NONE; id = m->places[id].next)
            if (sim->work.jobs[m->places[id].job].starved)
                memory_ask(sim, m->places[id].job);
    }
    m->freed_count = 0;
}

static struct asker *take_askers(struct sim *sim)
{
    struct sim_memory *m = sim->memory;
    struct asker *askers = mem_alloc(m->asking_count + 1, sizeof *askers);
    for (size_t i = 0; i < m->asking_count; i++) {
        struct memory_job *d = memory_of(sim, m->asking[i]);
        askers[i] =
            (struct asker){.since_ms = d->waits_ms == WORK_NEVER ? sim->now_ms : d->waits_ms,
                           .number = sim->work.jobs[m->asking[i]].number,
                           .job = m->asking[i]};
        d->asking = false;
    }
    qsort(askers, m->asking_count, sizeof *askers, by_wait);
    m->asking_count = 0;
    return askers;
}

/* Ends at most one job; the others ask again afterwards. */
static bool unstick(struct sim *sim, const struct asker *askers, size_t n, struct err *err)
{
    uint32_t victim = WORK_NONE;
    for (size_t i = 0; i < n && victim == WORK_NONE; i++)
        if (memory_of(sim, askers[i].job)->waits_ms != WORK_NEVER)
            victim = memory_stuck_victim(sim, askers[i].job);
    if (victim == WORK_NONE)
        return true;
    for (size_t i = 0; i < n; i++)
        if (memory_of(sim, askers[i].job)->waits_ms != WORK_NEVER)
            memory_ask(sim, askers[i].job);
    return end_processes(sim, victim, &sim->memory->stats.stuck_kills, err);
}

static bool settle_round(struct sim *sim, struct err *err)
{
    ask_again(sim);
    size_t n = sim->memory->asking_count;
    struct asker *askers = take_askers(sim);
    for (size_t i = 0; i < n; i++)
        if (is_there(&sim->work.jobs[askers[i].job]))
            shrink(sim, memory_of(sim, askers[i].job));
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++)
        ok = resolve(sim, askers[i].job, err);
    ok = ok && unstick(sim, askers, n, err);
    free(askers);
    return ok;
}

bool sim_memory_settle(struct sim *sim, struct err *err)
{
    while (sim->memory->asking_count + sim->memory->freed_count > 0)
        if (!settle_round(sim, err))
            return false;
    return true;
}
