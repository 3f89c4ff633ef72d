/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs that wait for each other. A stalled job can eventually continue if, on each device that is
 * too full for it, some other tenant works, leaves, or can eventually continue itself; all other
 * jobs are hopeless, and only ending one of them helps.
 */
#include "sim/gpu_memory_internal.h"

#include "sim/base/mem.h"

static bool waits(const struct sim *sim, uint32_t id)
{
    const struct work_job *job = &sim->work.jobs[id];
    return memory_of(sim, id)->waits_ms != WORK_NEVER && job->state == WORK_RUNNING &&
           !job->stopping;
}

static void add(struct sim *sim, uint32_t id)
{
    struct sim_memory *m = sim->memory;
    if (m->jobs[id].hopeless || !waits(sim, id))
        return;
    m->jobs[id].hopeless = true;
    m->chain = mem_grow(m->chain, &m->chain_capacity, m->chain_count + 1, sizeof *m->chain);
    m->chain[m->chain_count++] = id;
}

/* Lists every job that this one waits for, directly or indirectly, as far as these stall
 * themselves. */
static void gather(struct sim *sim, uint32_t id)
{
    struct sim_memory *m = sim->memory;
    m->chain_count = 0;
    add(sim, id);
    for (size_t i = 0; i < m->chain_count; i++) {
        uint32_t job = m->chain[i];
        for (struct memory_spot spot = {NULL, 0};
             memory_next_full(sim, memory_of(sim, job), &spot);) {
            size_t own;
            size_t beside = memory_beside(sim, spot.place->node, spot.device, job, &own);
            for (size_t k = 0; k < beside; k++)
                if (m->beside[k].held_mib > 0)
                    add(sim, m->beside_job[k]);
        }
    }
}

/* The job to end for this one: the youngest on the first device where no job can continue;
 * WORK_NONE: it can eventually continue. */
static uint32_t in_its_way(struct sim *sim, uint32_t id)
{
    struct sim_memory *m = sim->memory;
    for (struct memory_spot spot = {NULL, 0}; memory_next_full(sim, memory_of(sim, id), &spot);) {
        size_t own = 0;
        size_t beside = memory_beside(sim, spot.place->node, spot.device, id, &own);
        size_t youngest = memory_stuck(m->beside, beside, own);
        if (youngest < beside)
            return m->beside_job[youngest];
    }
    return WORK_NONE;
}

/* Marks jobs as not hopeless until nothing changes. */
static void find_hope(struct sim *sim)
{
    struct sim_memory *m = sim->memory;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t i = 0; i < m->chain_count; i++) {
            struct memory_job *d = &m->jobs[m->chain[i]];
            if (d->hopeless && in_its_way(sim, m->chain[i]) == WORK_NONE) {
                d->hopeless = false;
                changed = true;
            }
        }
    }
}

uint32_t memory_stuck_victim(struct sim *sim, uint32_t id)
{
    struct sim_memory *m = sim->memory;
    gather(sim, id);
    find_hope(sim);
    uint32_t oldest = WORK_NONE;
    for (size_t i = 0; i < m->chain_count; i++) {
        uint32_t job = m->chain[i];
        if (m->jobs[job].hopeless &&
            (oldest == WORK_NONE || sim->work.jobs[job].number < sim->work.jobs[oldest].number))
            oldest = job;
    }
    uint32_t victim = oldest == WORK_NONE ? WORK_NONE : in_its_way(sim, oldest);
    for (size_t i = 0; i < m->chain_count; i++)
        m->jobs[m->chain[i]].hopeless = false;
    return victim;
}
